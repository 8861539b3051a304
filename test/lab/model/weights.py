"""Reads the encoder's weights from its quantised ONNX file as float32, and writes trained ones back into the same graph."""

import numpy as np
import onnx
from onnx import numpy_helper

LAYERS, HEADS, WIDTH = 12, 12, 384
# In the order in which the graph multiplies with them.
MATRICES = ("attention.self.query", "attention.self.key", "attention.self.value",
            "attention.output.dense", "intermediate.dense", "output.dense")
# The file keeps weights in 7 bits, so that sums of products of bytes never saturate on processors without VNNI.
GREATEST = 64


def matrix_names(graph):
    """Pairs of a weight's name and the name of the initialiser that holds its bytes, in_features x out_features."""
    products = [node for node in graph.node if node.op_type == "MatMulInteger"]
    names = [f"encoder.layer.{layer}.{name}.weight" for layer in range(LAYERS) for name in MATRICES]
    assert len(products) == len(names)
    return [(name, node.input[1]) for name, node in zip(names, products)]


def read_weights(file):
    """Weights by name, float32; matrices are in_features x out_features."""
    graph = onnx.load(file).graph
    held = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    weights = {name: value for name, value in held.items() if value.dtype == np.float32 and name.endswith((".weight", ".bias"))}
    for name, held_as in matrix_names(graph):
        scale = held[held_as.replace("_quantized", "_scale")]
        weights[name] = held[held_as].astype(np.float32) * scale
    for name in ("word_embeddings", "position_embeddings", "token_type_embeddings"):
        key = f"embeddings.{name}.weight"
        zero, scale = held[f"{key}_zero_point"], held[f"{key}_scale"]
        weights[key] = (held[f"{key}_quantized"].astype(np.float32) - zero.astype(np.float32)) * scale
    return weights


def write_weights(weights, template, file, seed=1):
    """Puts the layers' weights into a copy of the template; embeddings stay as they are.

    Weights are rounded up or down at random, with the right average. The start was read from bytes, and training moves most
    weights by less than half a step of them, so that rounding to the nearest would undo two thirds of what was learned.
    """
    random = np.random.default_rng(seed)
    model = onnx.load(template)
    by_name = {one.name: one for one in model.graph.initializer}

    def put(name, value):
        by_name[name].CopyFrom(numpy_helper.from_array(value, name))

    for name, value in weights.items():
        if name in by_name:
            put(name, np.asarray(value, np.float32))
    for name, held_as in matrix_names(model.graph):
        matrix = np.asarray(weights[name], np.float32)
        scale = np.maximum(np.abs(matrix).max(0) / GREATEST, 1e-12).astype(np.float32)
        put(held_as, np.clip(np.floor(matrix / scale + random.random(matrix.shape)), -GREATEST, GREATEST).astype(np.int8))
        put(held_as.replace("_quantized", "_scale"), scale)
    onnx.save(model, file)
