"""Reads the encoder's weights from its quantised ONNX file as float32, and writes trained ones back into the same graph."""

import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.utils import extract_model

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


def write_weights(weights, template, file):
    """Puts the layers' weights into a copy of the template; embeddings of words and positions stay as they are."""
    onnx.save(_filled(weights, template), file)


def write_cross_encoder(weights, template, file, layers):
    """Cuts the template's graph after its first layers and puts a linear head on the mean and the first of their states.

    The file takes one pair: a batch of several would need the mask in the mean."""
    model = _filled(weights, template)
    states = f"/encoder/layer.{layers - 1}/output/LayerNorm/Add_1_output_0"
    model.graph.value_info.append(helper.make_tensor_value_info(states, TensorProto.FLOAT, ["batch", "tokens", WIDTH]))
    with tempfile.TemporaryDirectory() as folder:
        whole, cut = f"{folder}/whole.onnx", f"{folder}/cut.onnx"
        onnx.save(model, whole)
        inputs = [one.name for one in model.graph.input]
        extract_model(whole, cut, inputs, [states], check_model=False)
        model = onnx.load(cut)
    graph = model.graph
    head = {"head.weight": weights["head.weight"], "head.bias": weights["head.bias"]}
    graph.initializer.extend(numpy_helper.from_array(np.asarray(value, np.float32), name) for name, value in head.items())
    graph.initializer.append(numpy_helper.from_array(np.array(0, np.int64), "first"))
    graph.node.extend([
        helper.make_node("ReduceMean", [states], ["mean"], axes=[1], keepdims=0),
        helper.make_node("Gather", [states, "first"], ["cls"], axis=1),
        helper.make_node("Concat", ["mean", "cls"], ["pooled"], axis=1),
        helper.make_node("MatMul", ["pooled", "head.weight"], ["product"]),
        helper.make_node("Add", ["product", "head.bias"], ["logit"]),
    ])
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info("logit", TensorProto.FLOAT, ["batch", 1]))
    onnx.save(model, file)


def _filled(weights, template):
    model = onnx.load(template)
    by_name = {one.name: one for one in model.graph.initializer}

    def put(name, value):
        by_name[name].CopyFrom(numpy_helper.from_array(value, name))

    for name, value in weights.items():
        if name in by_name:
            put(name, np.asarray(value, np.float32))
    for name, held_as in matrix_names(model.graph):
        if name not in weights:
            continue
        matrix = np.asarray(weights[name], np.float32)
        scale = np.maximum(np.abs(matrix).max(0) / GREATEST, 1e-12).astype(np.float32)
        put(held_as, np.clip(np.round(matrix / scale), -GREATEST, GREATEST).astype(np.int8))
        put(held_as.replace("_quantized", "_scale"), scale)
    types = "embeddings.token_type_embeddings.weight"
    if types in weights:
        values = np.asarray(weights[types], np.float32)
        least, greatest = min(values.min(), 0), max(values.max(), 0)
        scale = np.float32((greatest - least) / 255)
        zero = np.uint8(round(-least / scale))
        put(f"{types}_scale", np.array(scale))
        put(f"{types}_zero_point", np.array(zero))
        put(f"{types}_quantized", np.clip(np.round(values / scale) + zero, 0, 255).astype(np.uint8))
    return model
