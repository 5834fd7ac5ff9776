"""The small nets that look at one patch, and their way into an ONNX file of plain operations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn.functional as functional
from onnx import NodeProto, TensorProto, helper, numpy_helper
from torch import Tensor, nn

from models.training.pack import unpacked
from vision.arrays import Floats
from vision.patches import TOLD_SIDE

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
        self._ends(g, classes)

    def _ends(self, width: int, classes: int) -> None:
        self.dropout = nn.Dropout(0.1)
        self.answer = nn.Conv2d(width, classes, 1)

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        return self.answer(self.dropout(x)).flatten(1)


class GlanceNet(PatchNet):
    """Looks at squares of four by four pixels first: a third of the work, and surely enough of most patches."""

    def __init__(self, channels: int, classes: int, size: tuple[int, int], widths: tuple[int, ...]) -> None:
        nn.Module.__init__(self)
        a, b, c, d = widths
        wide, high = size[0] // 8, size[1] // 8
        self.layers = nn.ModuleList(
            [
                _conv(channels, a, 4, stride=4, padding=0), _conv(a, b, 3), nn.MaxPool2d(2),
                _conv(b, c, 3), _conv(c, d, (high, wide), padding=0),
            ]
        )  # fmt: skip
        self._ends(d, classes)


def from_onnx(path: Path, net: PatchNet, told: Sequence[int] = ()) -> PatchNet:
    """A net with the weights of a file that `export` wrote, to go on from; `told` as there.

    Channels, answers and a frame of pixels that it did not have get no weight yet. Its normalisation has to be measured
    again (`measured`) before it is trained.
    """
    weights = unpacked(onnx.load(str(path)))
    if "conv0.told.half" in weights:
        weights["conv0.kernel.half"] = _joined(weights["conv0.kernel.half"], weights["conv0.told.half"], told)
    with torch.no_grad():
        for i, layer in enumerate(net.layers):
            if isinstance(layer, nn.Sequential):
                kernel = torch.from_numpy(weights[f"conv{i}.kernel.half"])
                if kernel.ndim == 2:
                    kernel = kernel.reshape(len(kernel), -1, *_frame(kernel.shape[1], layer[0]))
                frame = [layer[0].kernel_size[a] - kernel.shape[2 + a] for a in (0, 1)]
                around = [frame[1] // 2, frame[1] - frame[1] // 2, frame[0] // 2, frame[0] - frame[0] // 2]
                layer[0].weight.copy_(functional.pad(kernel, [*around, 0, layer[0].in_channels - kernel.shape[1]]))
                layer[1].bias.copy_(torch.from_numpy(weights[f"conv{i}.bias.half"]))
                layer[1].running_var.fill_(1 - layer[1].eps)
        kernel, bias = (torch.from_numpy(weights[f"answer.{part}.half"]) for part in ("kernel", "bias"))
        kernel, unknown = kernel.reshape(len(bias), -1, 1, 1), net.answer.out_channels - len(bias)
        net.answer.weight.copy_(functional.pad(kernel, [0, 0, 0, 0, 0, 0, 0, unknown]))
        net.answer.bias.copy_(functional.pad(bias, [0, unknown], value=-4.0))
    net.eval()
    return net


def _frame(weights: int, layer: nn.Conv2d) -> tuple[int, int]:
    """The height and width that so many weights for each answer saw: the layer's own, or a smaller square."""
    high, wide = layer.kernel_size
    if weights == layer.in_channels * high * wide:
        return high, wide
    side = math.isqrt(weights // layer.in_channels)
    return side, side


def _joined(pictures: Floats, numbers: Floats, told: Sequence[int]) -> Floats:
    """The kernel over all channels, of its parts over pictures and over what is told."""
    kernel = np.zeros((len(pictures), pictures.shape[1] + len(told), *pictures.shape[2:]), np.float32)
    kernel[:, list(told)] = numbers
    kernel[:, _others(told, kernel.shape[1])] = pictures
    return kernel


def _others(told: Sequence[int], channels: int) -> list[int]:
    return [c for c in range(channels) if c not in told]


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


class _Graph:
    """The operations of a file as they are added, and its weights in half precision, widened when a net is loaded."""

    def __init__(self) -> None:
        self.nodes: list[NodeProto] = []
        self.weights: list[TensorProto] = []

    def weight(self, name: str, values: Tensor) -> str:
        self.weights.append(numpy_helper.from_array(values.numpy().astype(np.float16), f"{name}.half"))
        return self.add("Cast", [f"{name}.half"], name, to=TensorProto.FLOAT)

    def add(self, kind: str, inputs: list[str], name: str, **how: object) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [name], **how))
        return name

    def shape(self, name: str, *sizes: int) -> str:
        self.weights.append(numpy_helper.from_array(np.array(sizes, np.int64), name))
        return name

    def product(self, last: str, kernel: Tensor, bias: Tensor, name: str, gives: str = "") -> str:
        names = [self.weight(f"{name}.kernel", kernel.flatten(1)), self.weight(f"{name}.bias", bias)]
        return self.add("Gemm", [last, *names], gives or name, transB=1)

    def conv(self, conv: nn.Conv2d, inputs: list[str], name: str) -> str:
        how = {"kernel_shape": list(conv.kernel_size), "strides": list(conv.stride), "pads": [*conv.padding] * 2}
        return self.add("Conv", inputs, name, **how)


def export(net: PatchNet, path: Path, channels: int, size: tuple[int, int], told: Sequence[int] = ()) -> None:
    """Writes the net with its normalisation folded into the convolutions; the batch size stays open.

    Channels that are the same all over a patch (`told`) are an input of their own, `TOLD_SIDE` pixels wide and high:
    what the first convolution makes of them is worked out once for all pixels alike.
    """
    net.eval()
    graph, last = _Graph(), "patches"
    for i, layer in enumerate(net.layers):
        if isinstance(layer, nn.Sequential):
            kernel, bias = _folded(layer[0], layer[1])
            if i == 0 and told:
                last = _first(graph, layer[0], kernel, bias, told, size)
            elif layer[0].padding == (0, 0) and i:
                # It sees all there is at once: as a product of matrices that is far faster in cv2.dnn.
                last = graph.product(graph.add("Flatten", [last], f"flat{i}", axis=1), kernel, bias, f"conv{i}")
            else:
                names = [graph.weight(f"conv{i}.kernel", kernel), graph.weight(f"conv{i}.bias", bias)]
                last = graph.conv(layer[0], [last, *names], f"conv{i}")
            last = graph.add("Relu", [last], f"relu{i}")
        else:
            last = graph.add("MaxPool", [last], f"pool{i}", kernel_shape=[2, 2], strides=[2, 2])
    answer = net.answer.bias
    assert answer is not None
    graph.product(last, net.answer.weight.detach(), answer.detach(), "answer", "scores")
    inputs = {"patches": ["n", channels - len(told), size[1], size[0]]}
    if told:
        inputs["told"] = ["n", len(told), TOLD_SIDE, TOLD_SIDE]
    made = helper.make_graph(
        graph.nodes, "patches",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs.items()],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["n", net.answer.out_channels])],
        graph.weights,
    )  # fmt: skip
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def _folded(conv: nn.Conv2d, norm: nn.BatchNorm2d) -> tuple[Tensor, Tensor]:
    scale = norm.weight.detach() / torch.sqrt(norm.running_var + norm.eps)
    return conv.weight.detach() * scale[:, None, None, None], norm.bias.detach() - norm.running_mean * scale


def _first(
    graph: _Graph, conv: nn.Conv2d, kernel: Tensor, bias: Tensor, told: Sequence[int], size: tuple[int, int]
) -> str:
    """The first convolution in two parts: over pictures, and over what is told."""
    pictures = graph.weight("conv0.kernel", kernel[:, _others(told, kernel.shape[1])])
    numbers = [graph.weight("conv0.told", kernel[:, list(told)]), graph.weight("conv0.bias", bias)]
    seen = graph.conv(conv, ["patches", pictures], "conv0.seen")
    added = graph.conv(conv, ["told", *numbers], "conv0.added")
    reach = (TOLD_SIDE + 2 * conv.padding[0] - conv.kernel_size[0]) // conv.stride[0] + 1
    if reach > 1:
        # Only the first row and column see the rim of the patch: all others are as the last.
        down, across = (np.minimum(np.arange(s // conv.stride[0]), reach - 1) for s in size[::-1])
        rim = np.eye(reach * reach, dtype=np.float32)[:, (down[:, None] * reach + across).ravel()]
        flat = graph.add("Reshape", [added, graph.shape("conv0.flat", -1, reach * reach)], "conv0.corners")
        wide = graph.add("MatMul", [flat, graph.weight("conv0.rim", torch.from_numpy(rim))], "conv0.wide")
        shape = graph.shape("conv0.shape", -1, len(kernel), len(down), len(across))
        added = graph.add("Reshape", [wide, shape], "conv0.spread")
    return graph.add("Add", [seen, added], "conv0")


def blend(start: onnx.ModelProto, trained: Path, part: float) -> None:
    """Makes the net of a file the mean of itself (this part) and of the net that it was trained on from.

    Between two sets of weights on one way down lies one that forgets less of the old and errs less than the new.
    """
    net = onnx.load(str(trained))
    before = unpacked(start)
    for weight in net.graph.initializer:
        if weight.data_type == TensorProto.FLOAT16:
            mean = (1 - part) * before[weight.name] + part * numpy_helper.to_array(weight).astype(np.float32)
            weight.CopyFrom(numpy_helper.from_array(mean.astype(np.float16), weight.name))
    onnx.save(net, str(trained))
