#include "api/keras_layer.h"

#include <algorithm>
#include <cmath>

#include "api/control_flow.h"
#include "api/narrow.h"
#include "api/nn.h"
#include "ops/grad_ops.h"

namespace weft::api {
namespace {

/// "SeparableConv2D" as Keras names such a layer: "separable_conv2d".
std::string snakeCase(std::string_view name) {
  std::string out;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool big = name[i] >= 'A' && name[i] <= 'Z';
    const bool begins = i > 0 && big && ((name[i - 1] >= 'a' && name[i - 1] <= 'z') || (i + 1 < name.size() && name[i + 1] >= 'a' && name[i + 1] <= 'z'));
    if (begins && out.back() != '_') out += '_';
    out += big ? char(name[i] + 32) : name[i];
  }
  return out;
}

}  // namespace

KerasLayer::KerasLayer(GraphBuilder& builder, const Arguments& arguments, std::string_view kind) : b(builder), a(arguments), kind_(kind) {
  scope_ = b.extension<KerasContext>().scope;
  if (scope_.empty()) scope_ = b.uniqueName(a.text("name").empty() ? snakeCase(kind) : a.text("name"), false);
  guard_ = b.nameScope(scope_ + "/");
}

Output KerasLayer::input(std::initializer_list<int> ranks) {
  const Output x = a.tensor("inputs");
  const Shape s = b.shape(x);
  if (!b.ok()) return {};
  if (!s.hasRank()) {
    b.fail(invalidArgument(kind_, " needs an input of known rank"));
    return {};
  }
  if (ranks.size() == 0 || std::find(ranks.begin(), ranks.end(), s.rank()) != ranks.end()) return x;
  std::string expected;
  for (const int r : ranks) expected += (expected.empty() ? "" : " or ") + std::to_string(r);
  b.fail(invalidArgument(kind_, " expects an input of rank ", expected, ", found ", s.toPythonString()));
  return {};
}

int64_t KerasLayer::known(Output x, int axis) {
  const Shape s = b.shape(x);
  if (!b.ok()) return 1;
  if (axis < 0) axis += s.rank();
  if (s.hasRank() && axis >= 0 && axis < s.rank() && s.dim(axis) > 0) return s.dim(axis);
  b.fail(invalidArgument(kind_, ": dimension ", axis, " of the input has to be known, found ", s.toPythonString()));
  return 1;
}

VariablePtr KerasLayer::weight(std::string_view name, const Shape& shape, const Initializer& initializer, bool trainable) {
  VariableOptions options;
  const std::string full = scope_ + "/" + std::string(name);
  if (const std::string shared = a.text("shares"); !shared.empty()) {
    const VariablePtr other = findVariable(b, shared + "/" + std::string(name));
    if (other && other->shape == shape) return other;
    b.fail(invalidArgument(kind_, " shares the variables of '", shared, "', which has no '", name, "' of shape ", shape.toString()));
    return std::make_shared<Variable>();
  }
  const Output x = a.tensor("inputs");
  if (x.valid() && isFloating(b.dtype(x))) options.dtype = b.dtype(x);
  options.trainable = trainable && (!a.find("trainable") || a.flag("trainable"));
  const auto& initial = b.extension<KerasContext>().initial;
  Tensor given;
  if (initial && b.ok()) {
    auto found = initial(full, shape);
    if (!found.ok()) b.fail(found.error());
    else given = std::move(*found);
  }
  if (!b.ok()) return std::make_shared<Variable>();
  if (given.dtype() != DType::Invalid) options.dtype = given.dtype();
  const auto make = [&]() -> Output {
    if (given.dtype() != DType::Invalid) return b.constant(given, "initial_value");
    return initializer ? initializer(b, shape, options.dtype) : glorotUniformInitializer()(b, shape, options.dtype);
  };
  const auto root = b.nameScope("");
  return variable(b, std::function<Output()>(make), full, options);
}

Output KerasLayer::activated(Output x, const std::string& kind) {
  const DType type = b.dtype(x);
  const auto clipped = [&](Output v, double low, double high) {
    return b.op("Maximum", {b.op("Minimum", {v, b.number(type, high, "high")}), b.number(type, low, "low")});
  };
  if (kind == "hard_sigmoid") return clipped(py::add(b, py::mul(b, x, 0.2), 0.5), 0, 1);
  if (kind == "hard_sigmoid_v3") return py::truediv(b, b.op("Relu6", {py::add(b, x, 3.0)}), 6.0);
  if (kind == "hard_swish") return b.op("Mul", {x, py::truediv(b, b.op("Relu6", {py::add(b, x, 3.0)}), 6.0)});
  if (kind == "exponential") return b.op("Exp", {x});
  if (kind == "swish" || kind == "silu") return b.op("Mul", {x, b.op("Sigmoid", {x})});
  if (kind == "mish") return b.op("Mul", {x, b.op("Tanh", {b.op("Softplus", {x})})});
  if (kind == "leaky_relu") return b.op("LeakyRelu", {x}, {{"alpha", 0.2}});
  if (kind == "gelu") {
    const Output part = b.op("Erf", {py::truediv(b, x, std::sqrt(2.0))});
    return b.op("Mul", {py::mul(b, x, 0.5), py::add(b, part, 1.0)});
  }
  return activation(b, x, kind);
}

Output KerasLayer::whileTraining(const std::function<Output()>& training, const std::function<Output()>& otherwise) {
  const Output now = phase();
  if (!now.valid()) return otherwise();
  const auto out = cond(
      b, now, [&] { return std::vector<Output>{training()}; }, [&] { return std::vector<Output>{otherwise()}; });
  return out.empty() ? Output() : out[0];
}

KerasLayer::Built KerasLayer::done(Output x) { return done(std::vector<Output>{x}); }

KerasLayer::Built KerasLayer::done(std::vector<Output> outputs) {
  if (!b.ok()) return b.status().error();
  // A layer that computes nothing has an op of its own all the same, so that it is seen and can be changed.
  for (Output& x : outputs)
    if (!b.nodeAt(x.node).name.starts_with(scope_ + "/")) x = b.identity(x, "output");
  if (!b.ok()) return b.status().error();
  return Values{std::move(outputs), {}};
}

KerasLayer::Built KerasLayer::fail(Error error) {
  b.fail(error);
  return error;
}

Output KerasLayer::channelsLast(Output x) {
  const Shape s = b.shape(x);
  if (!channelsFirst() || !b.ok()) return x;
  std::vector<int64_t> perm{0};
  for (int i = 2; i < s.rank(); ++i) perm.push_back(i);
  perm.push_back(1);
  return b.op("Transpose", {x, keras::ints(b, perm, "channels_last")});
}

Output KerasLayer::channelsBack(Output x) {
  const Shape s = b.shape(x);
  if (!channelsFirst() || !b.ok()) return x;
  std::vector<int64_t> perm{0, s.rank() - 1};
  for (int i = 1; i + 1 < s.rank(); ++i) perm.push_back(i);
  return b.op("Transpose", {x, keras::ints(b, perm, "channels_first")});
}

namespace keras {

using namespace records;

constexpr int kMostWrappers = 8;  // within each other

void layer(ApiRegistry& r, std::string_view kind, std::string summary, Parameters parameters, Build build, const char* icon, std::vector<std::string> shown) {
  const bool list = std::any_of(parameters.begin(), parameters.end(), [](const ApiParameter& p) { return p.type == "tensors"; });
  const ApiParameter shares =
      optional("shares", "string", std::string(), "Scope of the layer whose variables this one uses; empty: it has variables of its own.");
  parameters.insert(list ? parameters.begin() : parameters.end(), {shares, nameParameter()});
  ApiRecord record;
  record.name = "keras." + std::string(kind);
  record.summary = std::move(summary);
  record.returns = "A tensor.";
  // "losses.huber_loss" and "metrics.accuracy" name their module.
  record.source = (kind.find('.') == kind.npos ? "tf.keras.layers." : "tf.keras.") + std::string(kind) + " of TensorFlow 1.15";
  record.parameters = std::move(parameters);
  record.build = [kind = std::string(kind), build = std::move(build)](GraphBuilder& b, const Arguments& a) -> Built {
    KerasLayer layer(b, a, kind);
    return build(layer);
  };
  record.recipe = ApiRecipe{icon, "Keras", std::move(shown)};
  record.offered = false;
  r.add(std::move(record));
}

ApiParameter inputs() { return required("inputs", "tensor", "Input of the layer."); }
ApiParameter training() { return optional("training", "tensor", std::monostate(), "A boolean scalar: whether the network is being trained."); }
ApiParameter activation(const char* otherwise) {
  return optional("activation", "string", std::string(otherwise), "Activation function of the output.", activations());
}
ApiParameter useBias() { return optional("use_bias", "bool", true, "Whether to add a bias vector."); }
ApiParameter trainable() { return optional("trainable", "bool", true, "Whether a training changes the variables."); }
ApiParameter dataFormat() {
  return optional("data_format", "string", std::string("channels_last"), "Which dimension of the input is the channels.", {"channels_last", "channels_first"});
}
std::vector<std::string> activations() {
  return {"linear",   "relu",         "relu6",           "elu",        "selu",        "tanh",  "sigmoid", "softmax", "log_softmax", "softplus",
          "softsign", "hard_sigmoid", "hard_sigmoid_v3", "hard_swish", "exponential", "swish", "silu",    "mish",    "gelu",        "leaky_relu"};
}

Output ints(GraphBuilder& b, const std::vector<int64_t>& v, std::string_view name) {
  std::vector<int32_t> narrow;
  for (const int64_t n : v) narrow.push_back(fit32(b, n, name));
  return b.ints(narrow, name);
}

Output reshapedTail(GraphBuilder& b, Output x, Output like, int keep, const std::vector<int64_t>& last) {
  if (!b.ok()) return {};
  const Shape s = b.shape(like);
  std::vector<int64_t> dims;
  for (int i = 0; i < keep; ++i) dims.push_back(s.dim(i));
  dims.insert(dims.end(), last.begin(), last.end());
  Output out;
  if (std::count(dims.begin(), dims.end(), -1) <= 1) {
    out = b.op("Reshape", {x, ints(b, dims, "shape")});
  } else {
    const Output front = b.op("Slice", {py::shape(b, like), ints(b, {0}, "begin"), ints(b, {keep}, "size")});
    out = b.op("Reshape", {x, b.op("ConcatV2", {front, ints(b, last, "inner"), b.scalar<int32_t>(0, "axis")})});
  }
  if (b.ok() && std::count(last.begin(), last.end(), -1) == 0) b.setShape(out, Shape(dims));
  return out;
}

std::string upper(std::string s) {
  for (char& c : s) c = c >= 'a' && c <= 'z' ? char(c - 32) : c;
  return s;
}

std::vector<int64_t> sizes(std::vector<int64_t> v, size_t count) {
  if (v.size() == 1) v.resize(count, v[0]);
  return v;
}

Result<std::vector<std::pair<std::string, std::string>>> innerParameters(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> out;
  const size_t open = text.find('(');
  if (open != text.npos && (text.back() != ')' || std::count(text.begin(), text.end(), '(') > kMostWrappers))
    return invalidArgument("'", text.substr(0, 200), "' is no layer; expected one such as LSTM(units=32,return_sequences=true)");
  if (open == text.npos) return out;
  std::string_view rest = std::string_view(text).substr(open + 1, text.size() - open - 2);
  while (!rest.empty()) {
    // Commas within brackets belong to a list.
    size_t end = 0;
    for (int depth = 0; end < rest.size() && (depth > 0 || rest[end] != ','); ++end)
      depth += rest[end] == '[' || rest[end] == '(' ? 1 : rest[end] == ']' || rest[end] == ')' ? -1 : 0;
    const std::string_view item = rest.substr(0, end);
    const size_t equals = item.find('=');
    if (equals == item.npos) return invalidArgument("'", item, "' is no parameter of ", text.substr(0, open));
    out.emplace_back(item.substr(0, equals), item.substr(equals + 1));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

Result<InnerLayer> innerLayer(const std::string& text) {
  InnerLayer out;
  WEFT_LET(const auto parameters, innerParameters(text));
  out.kind = text.substr(0, text.find('('));
  out.record = ApiRegistry::instance().findLayer("keras." + out.kind);
  if (!out.record) return invalidArgument("'", text, "' is no layer; expected one such as LSTM(units=32,return_sequences=true)");
  for (const auto& [name, value] : parameters) {
    const ApiParameter* p = out.record->find(name);
    if (!p || p->type == "tensor" || p->type == "tensors") return invalidArgument("'", name, "' is no parameter of ", out.kind);
    WEFT_LET(Argument argument, argumentFromText(*p, value));
    out.arguments.set(p->name, std::move(argument));
  }
  return out;
}

Result<Values> buildInner(GraphBuilder& b, const std::string& scope, InnerLayer layer, Output x, Output training) {
  auto& context = b.extension<KerasContext>();
  const std::string outer = std::exchange(context.scope, scope);
  layer.arguments.set("inputs", x);
  if (layer.record->find("training") && training.valid()) layer.arguments.set("training", training);
  auto made = buildApi(b, *layer.record, std::move(layer.arguments));
  b.extension<KerasContext>().scope = outer;
  return made;
}

}  // namespace keras

void registerKeras(ApiRegistry& r) {
  keras::registerBasic(r);
  keras::registerShapes(r);
  keras::registerConvolutions(r);
  keras::registerPools(r);
  keras::registerRecurrent(r);
  keras::registerLosses(r);
}

}  // namespace weft::api
