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
      r, "nn." + kind, std::move(summary), "A tensor like the input.", {required("features", "tensor", "Values."), nameParameter()},
      [kind](GraphBuilder& b, const Arguments& a) -> Built {
        const auto scope = b.nameScope(a.text("name").empty() ? kind : a.text("name"));
        return one(activation(b, a.tensor("features"), kind));
      },
      ApiRecipe{"activation", "Activations", {}}, "tf.nn." + kind + " of TensorFlow 1.15");
}

void addMerge(ApiRegistry& r, const std::string& kind, const std::string& op, std::string summary) {
  add(
      r, "layers." + kind, std::move(summary), "A tensor like the inputs.",
      {required("inputs", "tensors", "Two or more tensors of one shape."), nameParameter()},
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
      r, "reshape", "The same values in another shape.", "A tensor of the shape asked for.",
      {required("tensor", "tensor", "Values."), required("target_shape", "ints", "The dimensions; -1 for one that follows from the others."), nameParameter()},
      [](GraphBuilder& b, const Arguments& a) -> Built {
        const auto scope = b.nameScope(a.text("name").empty() ? std::string("reshape") : a.text("name"));
        return one(py::reshape(b, a.tensor("tensor"), a.integers("target_shape")));
      },
      ApiRecipe{"reshape", "Shape", {"target_shape"}}, "tf.reshape of TensorFlow 1.15");
  add(
      r, "transpose", "The same values with their dimensions in another order.", "A tensor with permuted dimensions.",
      {required("tensor", "tensor", "Values."), required("perm", "ints", "For each dimension of the result the one it was."), nameParameter()},
      [](GraphBuilder& b, const Arguments& a) -> Built {
        const auto scope = b.nameScope(a.text("name").empty() ? std::string("transpose") : a.text("name"));
        std::vector<int32_t> perm;
        for (const int64_t p : a.integers("perm")) perm.push_back(fit32(b, p, "perm"));
        return one(b.op("Transpose", {a.tensor("tensor"), b.ints(perm, "perm")}));
      },
      ApiRecipe{"reshape", "Shape", {"perm"}}, "tf.transpose of TensorFlow 1.15");
  add(
      r, "cast", "The same values as another type.", "A tensor of the type asked for.",
      {required("tensor", "tensor", "Values."), optional("dtype", "dtype", DType::Float, "The type."), nameParameter()},
      [](GraphBuilder& b, const Arguments& a) -> Built {
        const auto scope = b.nameScope(a.text("name").empty() ? std::string("cast") : a.text("name"));
        return one(b.op("Cast", {a.tensor("tensor")}, {{"DstT", a.dtype("dtype")}}));
      },
      ApiRecipe{"reshape", "Shape", {"dtype"}}, "tf.cast of TensorFlow 1.15");
  addActivation(r, "relu", "Cuts off what is below zero.");
  addActivation(r, "relu6", "Cuts off what is below zero or above six.");
  addActivation(r, "sigmoid", "Squeezes into 0 to 1.");
  addActivation(r, "tanh", "Squeezes into -1 to 1.");
  addActivation(r, "softmax", "Makes probabilities of the last dimension.");
  addActivation(r, "log_softmax", "Log-softmax over the last dimension.");
  addActivation(r, "elu", "Smooth below zero, straight above.");
  addActivation(r, "selu", "A self-normalising elu.");
  addActivation(r, "softplus", "A smooth relu.");
  addActivation(r, "softsign", "Squeezes into -1 to 1, more gently than tanh.");
  addMerge(r, "add", "Add", "Sums tensors of one shape.");
  addMerge(r, "multiply", "Mul", "Multiplies tensors of one shape.");
  addMerge(r, "subtract", "Sub", "Takes all further tensors from the first one.");
  addMerge(r, "maximum", "Maximum", "The largest of the values at each place.");
  addMerge(r, "minimum", "Minimum", "The smallest of the values at each place.");
  addMerge(r, "average", "Add", "The mean of the values at each place.");
  add(
      r, "layers.concatenate", "Puts tensors side by side.", "A tensor that is longer along `axis`.",
      {optional("axis", "int", int64_t(-1), "The dimension that grows."), nameParameter(), required("inputs", "tensors", "Two or more tensors.")},
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
