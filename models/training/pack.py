"""Makes an ONNX file small: weights as whole numbers from -127 to 127 with a scale for each output channel.

Only the file is small: both engines widen the weights when they load it and reckon with floats.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

# Biases and other short rows stay as they are.
LEAST = 200


def coarse_noise(shape: tuple[int, ...]) -> NDArray[np.float16]:
    """An input for a self-test: noise of five values only, which packs well."""
    return (np.random.default_rng(0).integers(-2, 3, shape) / 2).astype(np.float16)


def pack(path: Path) -> None:
    """Rewrites the file; its answers change by the rounding of the weights."""
    model = onnx.load(str(path))
    graph = model.graph
    kept, widened = [], []
    for weights in graph.initializer:
        values, name = numpy_helper.to_array(weights), weights.name
        if values.dtype not in (np.float16, np.float32) or values.size < LEAST:
            kept.append(weights)
            continue
        values = values.astype(np.float32)
        scale = np.abs(values).max(axis=tuple(range(1, values.ndim)), keepdims=True) / 127
        scale = np.maximum(scale, 1e-9).astype(np.float32)
        kept.append(numpy_helper.from_array(np.round(values / scale).astype(np.int8), f"{name}.whole"))
        kept.append(numpy_helper.from_array(scale, f"{name}.scale"))
        widened.append(helper.make_node("Cast", [f"{name}.whole"], [f"{name}.float"], to=TensorProto.FLOAT))
        widened.append(helper.make_node("Mul", [f"{name}.float", f"{name}.scale"], [name]))
    nodes = [*widened, *graph.node]
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(kept)
    graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def unpacked(model: onnx.ModelProto) -> dict[str, NDArray[np.float32]]:
    """The weights of a net by their names, as an engine widens them."""
    found = {w.name: numpy_helper.to_array(w).astype(np.float32) for w in model.graph.initializer}
    for name in [n for n in found if n.endswith(".whole")]:
        own = name.removesuffix(".whole")
        found[own] = found.pop(name) * found.pop(f"{own}.scale")
    return found
