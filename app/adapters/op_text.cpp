#include "adapters/op_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <array>
#include <string_view>

#include "adapters/engine_graph.h"
#include "adapters/seen_shape.h"
#include "common/format.h"
#include "weft/op.h"

namespace weft::app {
namespace {

using widgets::NodeShape;
using widgets::OpCategory;

template <size_t N>
bool hasAny(std::string_view text, const std::array<std::string_view, N>& parts) {
  for (const std::string_view part : parts) {
    if (has(text, part)) return true;
  }
  return false;
}

std::string lower(std::string_view s) {
  std::string out(s);
  for (char& c : out) c = char(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return out;
}

// Word parts of op names and record categories; the first matching family wins. Names also serve for ops that the engine does not know, so that foreign graphs
// are coloured too.
constexpr std::array<std::string_view, 7> kGradient = {"grad", "backprop", "applyadam", "applymomentum", "apply", "train", "optimizer"};
constexpr std::array<std::string_view, 5> kVariable = {"variable", "assign", "varhandle", "state", "scatterupdate"};
constexpr std::array<std::string_view, 9> kControl = {"switch", "merge", "enter", "exit", "nextiteration", "loopcond", "control", "noop", "stack"};
constexpr std::array<std::string_view, 10> kInOut = {"summary", "save", "restore", "reader", "queue", "file", "print", "string", "placeholder", "io"};
constexpr std::array<std::string_view, 3> kRandom = {"random", "truncatednormal", "multinomial"};
constexpr std::array<std::string_view, 13> kNn = {"conv",    "pool", "relu", "softmax", "biasadd",    "norm",  "elu",
                                                  "sigmoid", "tanh", "lrn",  "dropout", "activation", "neural"};
constexpr std::array<std::string_view, 24> kArray = {"reshape",   "shape", "concat",     "slice",   "gather", "const", "identity", "pack",
                                                     "transpose", "pad",   "expanddims", "squeeze", "tile",   "fill",  "split",    "rank",
                                                     "zeros",     "ones",  "onehot",     "reverse", "array",  "cast",  "size",     "range"};

OpCategory categoryOfWords(std::string_view words) {
  if (hasAny(words, kRandom)) return OpCategory::Random;
  if (hasAny(words, kGradient)) return OpCategory::GradientUpdate;
  if (hasAny(words, kVariable)) return OpCategory::Variable;
  if (hasAny(words, kInOut)) return OpCategory::IoSummary;
  if (hasAny(words, kControl)) return OpCategory::ControlFlow;
  if (hasAny(words, kNn)) return OpCategory::Nn;
  if (hasAny(words, kArray)) return OpCategory::Array;
  return OpCategory::Math;
}

/// Strips the uniqueness counter from `conv1_2` and `Conv2D_1`.
std::string_view withoutCounter(std::string_view name) {
  const size_t underscore = name.rfind('_');
  if (underscore == std::string_view::npos || underscore + 1 == name.size()) return name;
  for (size_t i = underscore + 1; i < name.size(); ++i) {
    if (name[i] < '0' || name[i] > '9') return name;
  }
  return name.substr(0, underscore);
}

QString windowText(const Node& node, const char* attr) {
  const std::vector<int64_t> v = node.attrs.integers(attr);
  return v.size() == 4 ? QStringLiteral("%1×%2").arg(v[1]).arg(v[2]) : QString();
}

QString outputShape(const Graph& graph, const Node& node) {
  QString out;
  if (!node.outputShapes.empty()) shapeText(seenShape(graph, {node.id, 0}), &out);
  return out;
}

}  // namespace

QString recordText(const std::string& english) { return english.empty() ? QString() : QCoreApplication::translate("Records", english.c_str()); }

OpCategory categoryOf(const Node& node) { return categoryOfWords(lower(node.op)); }

NodeShape shapeOf(const Node& node) {
  if (isFeedPoint(node)) return NodeShape::Placeholder;
  if (isVariable(node)) return NodeShape::Variable;
  if (isConstant(node)) return NodeShape::Constant;
  if (roleOf(node) == OpRole::Summary || roleOf(node) == OpRole::MergeSummary || roleOf(node) == OpRole::WriteSummary || roleOf(node) == OpRole::Print ||
      (roleOf(node) == OpRole::Check && node.outputTypes.empty()))
    return NodeShape::Annotation;
  return NodeShape::Op;
}

QString keyAttribute(const Graph& graph, const Node& node) {
  const std::string& op = node.op;
  QString shape;
  if (isConstant(node)) {
    const Attr* value = node.attrs.find("value");
    const Tensor* tensor = value ? value->get<Tensor>() : nullptr;
    if (tensor && tensor->hasValue() && tensor->elements() == 1 && isNumeric(tensor->dtype())) return widgets::formatValue(tensor->asDouble(0));
    if (tensor && tensor->hasValue() && shapeText(tensor->shape(), &shape)) return shape;
    return {};
  }
  if (isVariable(node)) return shapeText(node.attrs.shape("shape"), &shape) ? shape : QString();
  if (isFeedPoint(node)) {
    const QString type = text(dtypeName(node.attrs.type("dtype")));
    const QString out = outputShape(graph, node);
    return out.isEmpty() ? type : out;
  }
  if (op == "Conv2D" && node.inputs.size() == 2) {
    const Node* filter = graph.node(node.inputs[1].node);
    if (filter && size_t(node.inputs[1].index) < filter->outputShapes.size()) {
      const Shape& s = filter->outputShapes[size_t(node.inputs[1].index)];
      if (s.rank() == 4 && s.isFullyKnown()) return QStringLiteral("%1×%2 %3").arg(s[0]).arg(s[1]).arg(text(node.attrs.text("padding")));
    }
  }
  if (has(op, "Pool") && !windowText(node, "ksize").isEmpty()) {
    const std::vector<int64_t> strides = node.attrs.integers("strides");
    return QStringLiteral("%1 / %2").arg(windowText(node, "ksize")).arg(strides.size() == 4 ? strides[1] : 1);
  }
  const size_t slash = node.name.rfind('/');
  const std::string_view last = slash == std::string::npos ? std::string_view(node.name) : std::string_view(node.name).substr(slash + 1);
  if (withoutCounter(last) != op) return text(op);
  return outputShape(graph, node);
}

QString attrText(const Attr& attr) {
  QString shape;
  if (const auto* s = attr.get<Shape>()) return shapeText(*s, &shape) ? shape : QStringLiteral("?");
  if (const auto* s = attr.get<std::string>()) {
    QString value = text(*s);
    return value.size() > 200 ? value.left(200) + u'…' : value;
  }
  QString value = text(attr.toString());
  return value.size() > 200 ? value.left(200) + u'…' : value;
}

}  // namespace weft::app
