"""Goes on from a net that was shipped: its ONNX file holds weights with the normalisation folded in."""

from __future__ import annotations

from pathlib import Path
from typing import Any  # Any: what a step gives, of any kind

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn


def weights_of(path: Path) -> list[tuple[NDArray[np.float32], NDArray[np.float32] | None]]:
    """Kernel and bias of every convolution, in the order in which they are reckoned."""
    graph = onnx.load(str(path)).graph
    stored = {w.name: numpy_helper.to_array(w) for w in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant":
            stored[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)

    def value(name: str) -> NDArray[np.float32]:
        if f"{name}.whole" in stored:
            return np.asarray(stored[f"{name}.whole"].astype(np.float32) * stored[f"{name}.scale"])
        return np.asarray(stored[name], np.float32)

    convolutions = [node for node in graph.node if node.op_type == "Conv"]
    return [(value(n.input[1]), value(n.input[2]) if len(n.input) > 2 else None) for n in convolutions]


def resume(net: nn.Module, path: Path, example: Tensor, grown: type[nn.Module] | None = None) -> None:
    """Gives a net the weights of a file; `example` is a batch such as it will see, to measure its normalisation by.

    `grown`: parts of the net that a file of fewer convolutions does not have; they stay as they are.
    """
    stored = weights_of(path)
    every = [m for m in net.modules() if isinstance(m, (nn.Conv2d, nn.BatchNorm2d))]
    if grown is not None and sum(isinstance(m, nn.Conv2d) for m in every) > len(stored):
        fresh = {m for part in net.modules() if isinstance(part, grown) for m in part.modules()}
        every = [m for m in every if m not in fresh]
    reckoned: list[nn.Module] = []
    hooks = [m.register_forward_hook(lambda m, *_: reckoned.append(m)) for m in every]
    net.eval()
    with torch.no_grad():
        net(example[:1])
    for hook in hooks:
        hook.remove()
    told = iter(stored)
    with torch.no_grad():
        for n, layer in enumerate(reckoned):
            if not isinstance(layer, nn.Conv2d):
                continue
            kernel, bias = next(told)
            layer.weight.copy_(torch.tensor(kernel))
            after: Any = reckoned[n + 1] if n + 1 < len(reckoned) else None
            if isinstance(after, nn.BatchNorm2d):
                after.running_mean.zero_()
                after.running_var.fill_(1 - after.eps)
                after.weight.fill_(1)
                after.bias.copy_(torch.tensor(bias)) if bias is not None else after.bias.zero_()
            elif layer.bias is not None and bias is not None:
                layer.bias.copy_(torch.tensor(bias))
        hooks = [m.register_forward_pre_hook(_measure) for m in every if isinstance(m, nn.BatchNorm2d)]
        net(example)
        for hook in hooks:
            hook.remove()
    net.train()


def _measure(layer: nn.Module, given: tuple[Tensor, ...]) -> None:
    """The same answers as before, but normalised by what is seen here: so training does not begin with a jump."""
    assert isinstance(layer, nn.BatchNorm2d)
    assert layer.running_mean is not None
    assert layer.running_var is not None
    mean, var = given[0].mean((0, 2, 3)), given[0].var((0, 2, 3))
    spread = (var + layer.eps).sqrt()
    layer.bias.copy_(layer.bias + layer.weight * mean)
    layer.weight.copy_(layer.weight * spread)
    layer.running_mean.copy_(mean)
    layer.running_var.copy_(var)
