"""The small net that looks at one patch, and its way into an ONNX file of plain operations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn.functional as functional
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

OPSET = 13


class PatchNet(nn.Module):
    """Six convolutions, one that sees the whole patch, one answer. Widths are those of the layers in turn."""

    def __init__(self, channels: int, classes: int, size: tuple[int, int], widths: tuple[int, ...]) -> None:
        super().__init__()
        a, b, c, d, e, f, g = widths
        wide, high = size[0] // 8, size[1] // 8
        self.layers = nn.ModuleList(
            [
                _conv(channels, a, 3, stride=2), _conv(a, b, 3), nn.MaxPool2d(2),
                _conv(b, c, 3), _conv(c, d, 3), nn.MaxPool2d(2),
                _conv(d, e, 3), _conv(e, f, 3), _conv(f, g, (high, wide), padding=0),
            ]
        )  # fmt: skip
        self.dropout = nn.Dropout(0.1)
        self.answer = nn.Conv2d(g, classes, 1)

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        return self.answer(self.dropout(x)).flatten(1)


def from_onnx(path: Path, channels: int, classes: int, size: tuple[int, int], widths: tuple[int, ...]) -> PatchNet:
    """The net of a file that `export` wrote, to go on from.

    Channels, answers and a frame of pixels that it did not have get no weight yet. Its normalisation has to be measured
    again (`measured`) before it is trained.
    """
    weights = {w.name: numpy_helper.to_array(w).astype(np.float32) for w in onnx.load(str(path)).graph.initializer}
    net = PatchNet(channels, classes, size, widths)
    with torch.no_grad():
        for i, layer in enumerate(net.layers):
            if isinstance(layer, nn.Sequential):
                kernel = torch.from_numpy(weights[f"conv{i}.kernel.half"])
                frame = [layer[0].kernel_size[a] - kernel.shape[2 + a] for a in (0, 1)]
                around = [frame[1] // 2, frame[1] - frame[1] // 2, frame[0] // 2, frame[0] - frame[0] // 2]
                layer[0].weight.copy_(functional.pad(kernel, [*around, 0, layer[0].in_channels - kernel.shape[1]]))
                layer[1].bias.copy_(torch.from_numpy(weights[f"conv{i}.bias.half"]))
                layer[1].running_var.fill_(1 - layer[1].eps)
        kernel, bias = (torch.from_numpy(weights[f"answer.{part}.half"]) for part in ("kernel", "bias"))
        unknown = classes - len(bias)
        net.answer.weight.copy_(functional.pad(kernel, [0, 0, 0, 0, 0, 0, 0, unknown]))
        net.answer.bias.copy_(functional.pad(bias, [0, unknown], value=-4.0))
    net.eval()
    return net


def measured(net: PatchNet, batch: Tensor) -> PatchNet:
    """The same net, its normalisation as a batch gives it: what it answers stays as it is when training begins."""
    with torch.no_grad():
        x = batch
        for layer in net.layers:
            if isinstance(layer, nn.Sequential):
                y = layer[0](x)
                var, mean = torch.var_mean(y, (0, 2, 3))
                norm = layer[1]
                scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
                norm.bias.copy_(norm.bias + (mean - norm.running_mean) * scale)
                norm.weight.copy_(scale * torch.sqrt(var + norm.eps))
                norm.running_mean.copy_(mean)
                norm.running_var.copy_(var)
            x = layer(x)
    return net


def _conv(inputs: int, outputs: int, kernel: int | tuple[int, int], stride: int = 1, padding: int = 1) -> nn.Sequential:
    conv = nn.Conv2d(inputs, outputs, kernel, stride=stride, padding=padding, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(outputs), nn.ReLU())


def export(net: PatchNet, path: Path, channels: int, size: tuple[int, int]) -> None:
    """Writes the net with its normalisation folded into the convolutions; the batch size stays open.

    Weights are kept in half precision, which halves the file, and widened when a net is loaded.
    """
    net.eval()
    nodes, weights, last = [], [], "patches"

    def add(conv: nn.Conv2d, norm: nn.BatchNorm2d | None, name: str) -> None:
        nonlocal last
        kernel = conv.weight.detach()
        bias = conv.bias.detach() if conv.bias is not None else torch.zeros(conv.out_channels)
        if norm is not None:
            scale = norm.weight.detach() / torch.sqrt(norm.running_var + norm.eps)
            kernel, bias = kernel * scale[:, None, None, None], (bias - norm.running_mean) * scale + norm.bias.detach()
        for part, values in (("kernel", kernel), ("bias", bias)):
            weights.append(numpy_helper.from_array(values.numpy().astype(np.float16), f"{name}.{part}.half"))
            nodes.append(helper.make_node("Cast", [f"{name}.{part}.half"], [f"{name}.{part}"], to=TensorProto.FLOAT))
        pads = [conv.padding[0], conv.padding[1]] * 2
        nodes.append(
            helper.make_node(
                "Conv",
                [last, f"{name}.kernel", f"{name}.bias"],
                [name],
                kernel_shape=list(conv.kernel_size),
                strides=list(conv.stride),
                pads=pads,
            )
        )
        last = name

    for i, layer in enumerate(net.layers):
        if isinstance(layer, nn.Sequential):
            add(layer[0], layer[1], f"conv{i}")
            nodes.append(helper.make_node("Relu", [last], [f"relu{i}"]))
            last = f"relu{i}"
        else:
            nodes.append(helper.make_node("MaxPool", [last], [f"pool{i}"], kernel_shape=[2, 2], strides=[2, 2]))
            last = f"pool{i}"
    add(net.answer, None, "answer")
    nodes.append(helper.make_node("Flatten", [last], ["scores"], axis=1))
    graph = helper.make_graph(
        nodes, "patches",
        [helper.make_tensor_value_info("patches", TensorProto.FLOAT, ["n", channels, size[1], size[0]])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["n", net.answer.out_channels])],
        weights,
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def blend(start: onnx.ModelProto, trained: Path, part: float) -> None:
    """Makes the net of a file the mean of itself (this part) and of the net that it was trained on from.

    Between two sets of weights on one way down lies one that forgets less of the old and errs less than the new.
    """
    net = onnx.load(str(trained))
    before = {w.name: numpy_helper.to_array(w).astype(np.float32) for w in start.graph.initializer}
    for weight in net.graph.initializer:
        mean = (1 - part) * before[weight.name] + part * numpy_helper.to_array(weight).astype(np.float32)
        weight.CopyFrom(numpy_helper.from_array(mean.astype(np.float16), weight.name))
    onnx.save(net, str(trained))
