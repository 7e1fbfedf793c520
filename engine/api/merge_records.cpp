// Records of ops that reshape one tensor or combine several, as layers, so that they can be drawn with one gesture.
#include "api/narrow.h"
#include "api/nn.h"
#include "api/records.h"
#include "api/variables.h"
#include "ops/grad_ops.h"

namespace weft::api {
using namespace records;

namespace {

void addActivation(ApiRegistry& r, const std::string& kind, std::string summary) {
  add(
      r, "nn." + kind, std::move(summary), "A tensor in the shape of the input.", {required("features", "tensor", "Values."), nameParameter()},
      [kind](GraphBuilder& b, const Arguments& a) -> Built {
        const auto scope = b.nameScope(a.text("name").empty() ? kind : a.text("name"));
        return one(activation(b, a.tensor("features"), kind));
      },
      ApiRecipe{"activation", "Activations", {}}, "tf.nn." + kind + " of TensorFlow 1.15");
}

void addMerge(ApiRegistry& r, const std::string& kind, const std::string& op, std::string summary) {
  add(
      r, "layers." + kind, std::move(summary), "A tensor in the shape of the inputs.",
      {required("inputs", "tensors", "Two or more tensors of the same shape."), nameParameter()},
      [kind, op](GraphBuilder& b, const Arguments& a) -> Built {
        const std::vector<Output> inputs = a.tensors("inputs");
        if (inputs.size() < 2) return invalidArgument("layers.", kind, " needs at least two inputs, got ", inputs.size());
        const auto scope = b.nameScope(a.text("name").empty() ? kind : a.text("name"));
        Output sum = inputs[0];
        for (size_t i = 1; i < inputs.size(); ++i) sum = b.op(op, {sum, inputs[i]});
        if (kind == "average") sum = py::call(b, "RealDiv", sum, b.number(b.dtype(sum), double(inputs.size()), "count"));
        return one(sum);
      },
      ApiRecipe{"merge", "Merge", {}}, "tf.keras.layers of TensorFlow 1.15");
}

}  // namespace

void registerMerging(ApiRegistry& r) {
  add(
      r, "reshape", "Changes the shape of a tensor and keeps its elements in order.", "The tensor in the requested shape.",
      {required("tensor", "tensor", "Values."), required("target_shape", "ints", "Target shape; one dimension may be -1 and is inferred."), nameParameter()},
      [](GraphBuilder& b, const Arguments& a) -> Built {
        const auto scope = b.nameScope(a.text("name").empty() ? std::string("reshape") : a.text("name"));
        return one(py::reshape(b, a.tensor("tensor"), a.integers("target_shape")));
      },
      ApiRecipe{"reshape", "Shape", {"target_shape"}}, "tf.reshape of TensorFlow 1.15");
  add(
      r, "transpose", "Permutes the dimensions of a tensor.", "The transposed tensor.",
      {required("tensor", "tensor", "Values."), required("perm", "ints", "Dimension i of the result is dimension perm[i] of the input."), nameParameter()},
      [](GraphBuilder& b, const Arguments& a) -> Built {
        const auto scope = b.nameScope(a.text("name").empty() ? std::string("transpose") : a.text("name"));
        std::vector<int32_t> perm;
        for (const int64_t p : a.integers("perm")) perm.push_back(fit32(b, p, "perm"));
        return one(b.op("Transpose", {a.tensor("tensor"), b.ints(perm, "perm")}));
      },
      ApiRecipe{"reshape", "Shape", {"perm"}}, "tf.transpose of TensorFlow 1.15");
  add(
      r, "cast", "Converts a tensor to another type.", "The tensor in the requested type.",
      {required("tensor", "tensor", "Values."), optional("dtype", "dtype", DType::Float, "Target type."), nameParameter()},
      [](GraphBuilder& b, const Arguments& a) -> Built {
        const auto scope = b.nameScope(a.text("name").empty() ? std::string("cast") : a.text("name"));
        return one(b.op("Cast", {a.tensor("tensor")}, {{"DstT", a.dtype("dtype")}}));
      },
      ApiRecipe{"reshape", "Shape", {"dtype"}}, "tf.cast of TensorFlow 1.15");
  addActivation(r, "relu", "max(x, 0), element-wise.");
  addActivation(r, "relu6", "min(max(x, 0), 6), element-wise.");
  addActivation(r, "sigmoid", "Logistic sigmoid 1 / (1 + exp(-x)), element-wise.");
  addActivation(r, "tanh", "Hyperbolic tangent, element-wise.");
  addActivation(r, "softmax", "Softmax over the last dimension: turns logits into probabilities.");
  addActivation(r, "log_softmax", "Log-softmax over the last dimension.");
  addActivation(r, "elu", "Exponential linear unit: x where x > 0, otherwise e^x - 1.");
  addActivation(r, "selu", "Scaled exponential linear unit: an elu scaled so that activations keep mean 0 and variance 1.");
  addActivation(r, "softplus", "log(1 + e^x), a smooth version of relu.");
  addActivation(r, "softsign", "x / (1 + |x|), element-wise: like tanh, but approaches its limits more slowly.");
  addMerge(r, "add", "Add", "Element-wise sum of the inputs.");
  addMerge(r, "multiply", "Mul", "Element-wise product of the inputs.");
  addMerge(r, "subtract", "Sub", "The first input minus all others, element-wise.");
  addMerge(r, "maximum", "Maximum", "Element-wise maximum of the inputs.");
  addMerge(r, "minimum", "Minimum", "Element-wise minimum of the inputs.");
  addMerge(r, "average", "Add", "Element-wise mean of the inputs.");
  add(
      r, "layers.concatenate", "Concatenates tensors along a dimension.", "The concatenated tensor.",
      {optional("axis", "int", int64_t(-1), "Dimension along which to concatenate."), nameParameter(), required("inputs", "tensors", "Two or more tensors.")},
      [](GraphBuilder& b, const Arguments& a) -> Built {
        const std::vector<Output> inputs = a.tensors("inputs");
        if (inputs.size() < 2) return invalidArgument("layers.concatenate needs at least two inputs, got ", inputs.size());
        const auto scope = b.nameScope(a.text("name").empty() ? std::string("concatenate") : a.text("name"));
        const Output axis = b.scalar<int32_t>(fit32(b, a.integer("axis"), "axis"), "axis");
        Inputs all(inputs);
        all.add(axis);
        return one(b.op("ConcatV2", all, {}, "concat"));
      },
      ApiRecipe{"merge", "Merge", {"axis"}}, "tf.concat of TensorFlow 1.15");
}

}  // namespace weft::api
