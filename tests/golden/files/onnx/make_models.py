#!/usr/bin/env python3
"""Writes the ONNX models of this folder with the values that ONNX Runtime computes from them, and prints their lines of ../expected.jsonl.

    PYTHON_WITH_ONNX tests/golden/files/onnx/make_models.py

Each NAME.onnx has a NAME.npz: in/INPUT and out/OUTPUT. Needs the packages onnx, onnxruntime and numpy."""

import collections
import json
import os

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

HERE = os.path.dirname(os.path.abspath(__file__))
RANDOM = np.random.RandomState(11)
F, I, B = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def weights(*shape):
    return RANDOM.randn(*shape).astype(np.float32)


def node(op, inputs, outputs, **attrs):
    return helper.make_node(op, inputs.split(), outputs.split(), **attrs)


def without_zeros(n):
    """As writers have it that know proto3: a number that is 0 is not written, only its type."""
    for a in n.attribute:
        if a.type == onnx.AttributeProto.INT and a.i == 0:
            a.ClearField("i")
        if a.type == onnx.AttributeProto.FLOAT and a.f == 0:
            a.ClearField("f")
    return n


def model(name, nodes, inputs, outputs, tensors=(), opset=17, ir=8, in_order=True):
    """inputs: name, type, shape, value; outputs: name, type, shape; tensors: name, value."""
    values = [numpy_helper.from_array(np.asarray(v), n) for n, v in tensors]
    graph = helper.make_graph(nodes, name, [helper.make_tensor_value_info(n, t, s) for n, t, s, _ in inputs], [helper.make_tensor_value_info(*o) for o in outputs], values)
    made = helper.make_model(graph, producer_name="weft-tests", opset_imports=[helper.make_opsetid("", opset)], ir_version=ir)
    if in_order:  # else the checker refuses what ONNX Runtime runs
        onnx.checker.check_model(made, full_check=True)
    path = os.path.join(HERE, name + ".onnx")
    onnx.save(made, path)
    feeds = {n: v for n, _, _, v in inputs}
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    got = session.run(None, feeds)
    arrays = {"in/" + n: v for n, v in feeds.items()}
    arrays.update({"out/" + o.name: v for o, v in zip(session.get_outputs(), got)})
    np.savez(os.path.join(HERE, name + ".npz"), **arrays)
    describe(path, made)


def describe(path, made):
    def values(infos):
        out = []
        for info in infos:
            tensor = info.type.tensor_type
            shape = [d.dim_value if d.HasField("dim_value") else d.dim_param or -1 for d in tensor.shape.dim]
            out.append({"name": info.name, "dtype": np.dtype(helper.tensor_dtype_to_np_dtype(tensor.elem_type)).name, "shape": shape})
        return out

    ops, subgraphs = collections.Counter(), 0

    def count(graph):
        nonlocal subgraphs
        for n in graph.node:
            ops[n.op_type] += 1
            for a in n.attribute:
                if a.HasField("g"):
                    subgraphs += 1
                    count(a.g)

    count(made.graph)
    tensors = made.graph.initializer
    print(json.dumps({"file": "onnx/" + os.path.basename(path), "inspect": {
        "kind": "onnx", "ir_version": made.ir_version, "producer": made.producer_name, "domain": made.domain, "model_version": made.model_version,
        "opsets": {s.domain or "ai.onnx": s.version for s in made.opset_import}, "graph": made.graph.name, "inputs": values(made.graph.input),
        "outputs": values(made.graph.output), "nodes": sum(ops.values()), "ops": dict(sorted(ops.items())), "subgraphs": subgraphs, "functions": 0,
        "initializers": {"tensors": len(tensors), "bytes": sum(numpy_helper.to_array(t).nbytes for t in tensors), "in_other_files": 0}, "metadata": {}}},
        separators=(",", ":")))


def main():
    x = weights(2, 3, 8, 8)
    model("convolutions", [node("Conv", "x w1 b1", "a", kernel_shape=[3, 3], pads=[1, 1, 1, 1]), node("Relu", "a", "b"),
                           node("Conv", "b w2", "c", kernel_shape=[3, 3], group=4, auto_pad="SAME_LOWER", strides=[2, 2]),
                           node("BatchNormalization", "c scale shift mean var", "d"), node("MaxPool", "d", "e", kernel_shape=[2, 2], pads=[1, 0, 0, 1], strides=[1, 1]),
                           node("GlobalAveragePool", "e", "f"), node("Flatten", "f", "y")],
          [("x", F, ["batch", 3, 8, 8], x)], [("y", F, ["batch", 4])],
          [("w1", weights(4, 3, 3, 3)), ("b1", weights(4)), ("w2", weights(4, 1, 3, 3)), ("scale", weights(4)), ("shift", weights(4)), ("mean", weights(4)),
           ("var", np.abs(weights(4)) + 0.5)])
    model("transposed", [node("ConvTranspose", "x w", "y", strides=[2, 2], pads=[1, 0, 0, 1], output_padding=[1, 1])],
          [("x", F, [1, 3, 4, 4], weights(1, 3, 4, 4))], [("y", F, [1, 2, 9, 9])], [("w", weights(3, 2, 3, 3))])
    model("pools", [node("AveragePool", "x", "a", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1], ceil_mode=1),
                    node("AveragePool", "x", "c", kernel_shape=[3, 3], pads=[1, 1, 1, 1], count_include_pad=1), node("LpPool", "x", "d", kernel_shape=[2, 2], p=2)],
          [("x", F, [1, 2, 6, 6], weights(1, 2, 6, 6))], [("a", F, [None] * 4), ("c", F, [None] * 4), ("d", F, [None] * 4)])
    model("perceptron", [node("Gemm", "x w1 b1", "a", transB=1), node("Tanh", "a", "b"), node("Gemm", "b w2 b2", "c", alpha=0.5, beta=2.0),
                         node("Softmax", "c", "y", axis=1)],
          [("x", F, ["n", 5], weights(3, 5))], [("y", F, ["n", 4])], [("w1", weights(6, 5)), ("b1", weights(6)), ("w2", weights(6, 4)), ("b2", weights(4))], opset=11, ir=6)
    model("softmax_of_old", [node("Softmax", "x", "y", axis=1)], [("x", F, [2, 3, 4], weights(2, 3, 4))], [("y", F, [2, 3, 4])], opset=9, ir=4)
    model("lstm", [node("LSTM", "x w r b", "y h c", hidden_size=4, direction="bidirectional")], [("x", F, [5, 2, 3], weights(5, 2, 3))],
          [("y", F, [5, 2, 2, 4]), ("h", F, [2, 2, 4]), ("c", F, [2, 2, 4])], [("w", weights(2, 16, 3)), ("r", weights(2, 16, 4)), ("b", weights(2, 32))])
    model("gru", [node("GRU", "x w r b lengths", "y h", hidden_size=4, linear_before_reset=1)], [("x", F, [5, 2, 3], weights(5, 2, 3))],
          [("y", F, [5, 1, 2, 4]), ("h", F, [1, 2, 4])],
          [("w", weights(1, 12, 3)), ("r", weights(1, 12, 4)), ("b", weights(1, 24)), ("lengths", np.array([5, 3], np.int32))])
    model("arrays", [node("Shape", "x", "s"), node("Gather", "s zero", "n"), node("Unsqueeze", "n axes", "n1"), node("Concat", "n1 rest", "shape", axis=0),
                     node("Reshape", "x shape", "flat"), node("Slice", "x starts ends axis steps", "part"), node("Pad", "part pads", "padded", mode="edge"),
                     node("TopK", "flat k", "values places", axis=1), node("Transpose", "padded", "turned", perm=[2, 0, 1])],
          [("x", F, ["n", 3, 4], weights(2, 3, 4))], [("turned", F, [None] * 3), ("values", F, [None] * 2), ("places", I, [None] * 2)],
          [("zero", np.array(0)), ("axes", np.array([0])), ("rest", np.array([-1])), ("starts", np.array([-1])), ("ends", np.array([-5])), ("axis", np.array([2])),
           ("steps", np.array([-2])), ("pads", np.array([0, 1, 0, 0, 0, 2])), ("k", np.array([3]))])
    then, other = (helper.make_graph([node(op, "x two", "r")], op, [], [helper.make_tensor_value_info("r", F, [3])]) for op in ("Mul", "Sub"))
    model("branch", [node("ReduceSum", "x", "total", keepdims=0), node("Greater", "total zero", "positive"), node("If", "positive", "y", then_branch=then, else_branch=other)],
          [("x", F, [3], np.array([1, -2, -3], np.float32))], [("y", F, [3])], [("two", np.float32(2)), ("zero", np.float32(0))])
    body = helper.make_graph([node("Add", "sum x", "next"), node("Identity", "next", "seen"), node("Less", "i five", "go")], "body",
                             [helper.make_tensor_value_info("i", I, []), helper.make_tensor_value_info("c", B, []), helper.make_tensor_value_info("sum", F, [2])],
                             [helper.make_tensor_value_info("go", B, []), helper.make_tensor_value_info("next", F, [2]), helper.make_tensor_value_info("seen", F, [2])])
    model("loop", [node("Loop", "many yes start", "last all", body=body)], [("x", F, [2], np.array([1, 2], np.float32))], [("last", F, [2]), ("all", F, [None, 2])],
          [("many", np.array(9)), ("yes", np.array(True)), ("start", np.zeros(2, np.float32)), ("five", np.array(3))])
    model("quantized", [node("QuantizeLinear", "x scale zero", "q"), node("DequantizeLinear", "q scale zero", "y")], [("x", F, [2, 3], weights(2, 3) * 3)],
          [("q", TensorProto.UINT8, [2, 3]), ("y", F, [2, 3])], [("scale", np.float32(0.02)), ("zero", np.uint8(120))])
    model("resized", [node("Resize", "x none scales", "y", mode="linear", coordinate_transformation_mode="half_pixel"),
                      node("Resize", "x none scales", "z", mode="cubic", coordinate_transformation_mode="align_corners")],
          [("x", F, [1, 2, 4, 4], weights(1, 2, 4, 4))], [("y", F, [None] * 4), ("z", F, [None] * 4)], [("none", np.zeros(0, np.float32)), ("scales", np.array([1, 1, 2, 1.5], np.float32))])
    model("powers", [node("Pow", "x p", "y"), node("Pow", "x q", "z")], [("x", I, [3], np.array([5000000000, 3, -7]))], [("y", I, [3]), ("z", I, [3])],
          [("p", np.array([1, 3, 3], np.int32)), ("q", np.array([1, 20, 3], np.float32))])
    model("far_from_zero", [node("MeanVarianceNormalization", "x", "y", axes=[0, 2, 3])], [("x", F, [2, 3, 4, 4], (10000 + RANDOM.randint(-3, 4, (2, 3, 4, 4))).astype(np.float32))],
          [("y", F, [2, 3, 4, 4])])
    model("zeros_left_out", [without_zeros(n) for n in (node("ReduceSum", "x", "a", keepdims=0), node("Softmax", "x", "b", axis=0), node("LeakyRelu", "x", "c", alpha=0.0))],
          [("x", F, [2, 3], weights(2, 3))], [("a", F, []), ("b", F, [2, 3]), ("c", F, [2, 3])])
    model("to_halves", [node("DequantizeLinear", "x scale", "y", output_dtype=TensorProto.FLOAT16)], [("x", TensorProto.UINT8, [3], np.array([1, 2, 255], np.uint8))],
          [("y", TensorProto.FLOAT16, [3])], [("scale", np.float32(0.5))], opset=23, ir=11)
    # Pads as PyTorch writes them, from constants by shape ops; the size that is padded is not known.
    model("computed_pads", [node("Shape", "ends", "s"), node("Sub", "four s", "rest"), node("ConstantOfShape", "rest", "zeros", value=helper.make_tensor("v", I, [1], [0])),
                            node("Concat", "ends zeros", "all", axis=0), node("Reshape", "all pairs", "two"), node("Slice", "two from to axis step", "back"),
                            node("Transpose", "back", "sides", perm=[1, 0]), node("Reshape", "sides flat", "pads"), node("Pad", "x pads", "y", mode="reflect")],
          [("x", F, ["n", "t"], weights(2, 5))], [("y", F, ["n", None])],
          [("ends", np.array([1, 3])), ("four", np.array([4])), ("pairs", np.array([-1, 2])), ("from", np.array([-1])), ("to", np.array([-(2**63) + 1])), ("axis", np.array([0])),
           ("step", np.array([-1])), ("flat", np.array([-1]))])
    # The rank of a value depends on a size that is not known, and nodes come before those that they read.
    then, other = helper.make_graph([node("Squeeze", "x last", "r")], "then", [], [helper.make_tensor_value_info("r", F, None)]), helper.make_graph(
        [node("Identity", "x", "r")], "else", [], [helper.make_tensor_value_info("r", F, None)])
    model("unsorted_unknown_rank", [node("LSTM", "t w u", "y h", hidden_size=2), node("Transpose", "m", "t", perm=[2, 0, 1]), node("Conv", "m k", "c", kernel_shape=[1]),
                                    node("If", "single", "m", then_branch=then, else_branch=other), node("Equal", "d one", "single"), node("Gather", "s last", "d"),
                                    node("Shape", "x", "s")],
          [("x", F, ["n", 2, "t"], weights(1, 2, 5))], [("c", F, [None] * 3), ("h", F, [None] * 3)],
          [("last", np.array([-1])), ("one", np.array([1])), ("k", weights(3, 2, 1)), ("w", weights(1, 8, 2)), ("u", weights(1, 8, 2))], in_order=False)


if __name__ == "__main__":
    main()
