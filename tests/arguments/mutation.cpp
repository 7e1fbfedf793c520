#include "mutation.h"

#include <algorithm>

namespace weft::arguments {
namespace {

/// The value at input `i`: a constant's value, a placeholder's feed, or two ones of the input's type.
Tensor valueAt(const Call& call, size_t i) {
  const Graph& graph = call.meta.graph;
  const Node& node = *graph.node(call.node);
  const Node* producer = graph.node(node.inputs[i].node);
  if (producer) {
    const Attr* value = producer->attrs.find("value");
    if (const Tensor* t = value ? value->get<Tensor>() : nullptr) return *t;
    const std::string name = graph.tensorName(node.inputs[i]);
    for (const Step& step : call.steps) {
      for (const auto& [fed, tensor] : step.feeds) {
        if (fed == name) return tensor;
      }
    }
  }
  const DType type = i < node.inputTypes.size() ? baseType(node.inputTypes[i]) : DType::Float;
  return reshapedLike(Tensor::of<float>({1, 1}, Shape({2})), type, Shape({2}));
}

std::string freshName(const Graph& graph) { return concat("odd", graph.size()); }

/// Makes `tensor` input `i`: as a constant, or fed so that no shape function sees it.
void setInput(Dice& dice, Call& call, size_t i, const Tensor& tensor) {
  Graph& graph = call.meta.graph;
  const std::string name = freshName(graph);
  const bool plain = tensor.dtype() != DType::Resource && tensor.dtype() != DType::Variant;
  const bool fed = !plain || dice.oneIn(2);
  Node producer = producerOf(DType::Variant, false, name);     // a Placeholder
  if (!fed) producer = producerOf(DType::Float, false, name);  // a Const
  producer.attrs.set("dtype", tensor.dtype());
  if (!fed) producer.attrs.set("value", tensor);
  producer.outputTypes = {tensor.dtype()};
  const auto id = graph.add(std::move(producer));
  if (!id.ok()) return;
  (void)graph.change(call.node, [&](Node& n) { n.inputs[i] = {*id, 0}; });
  if (!fed) return;
  for (Step& step : call.steps) step.feeds.emplace_back(name + ":0", tensor);
}

void setHandle(Dice& dice, Call& call, size_t i, DType type) {
  Graph& graph = call.meta.graph;
  const std::string name = freshName(graph);
  if (dice.oneIn(3)) {
    const Shape shape = dice.oneIn(2) ? Shape() : dice.oneIn(2) ? Shape({0}) : Shape({2});
    auto empty = Tensor::allocate(type, shape);
    if (empty.ok()) setInput(dice, call, i, *empty);
    return;
  }
  const auto id = graph.add(oddHandle(dice, type, name));
  if (id.ok()) (void)graph.change(call.node, [&](Node& n) { n.inputs[i] = {*id, 0}; });
}

void spoilInput(Dice& dice, Call& call) {
  const Node& node = *call.meta.graph.node(call.node);
  if (node.inputs.empty()) return;
  const size_t i = size_t(dice.below(int(node.inputs.size())));
  const DType type = i < node.inputTypes.size() ? baseType(node.inputTypes[i]) : DType::Float;
  if (type == DType::Resource || type == DType::Variant) {
    if (dice.oneIn(4)) setInput(dice, call, i, Tensor::scalar(1.0f));
    else setHandle(dice, call, i, type);
    return;
  }
  Tensor value = valueAt(call, i);
  if (!value.hasValue()) return;
  switch (dice.below(8)) {
    case 0:
    case 1:
    case 2: value = withOddElements(dice, value); break;
    case 3:
    case 4: value = reshapedLike(value, value.dtype(), oddShape(dice, value.shape())); break;
    case 5: value = withOddElements(dice, reshapedLike(value, value.dtype(), oddShape(dice, value.shape()))); break;
    case 6: {  // one input's shape at another
      const Tensor other = valueAt(call, size_t(dice.below(int(node.inputs.size()))));
      if (other.hasValue() && other.elements() >= 0 && other.elements() < 65536) value = reshapedLike(value, value.dtype(), other.shape());
      break;
    }
    default: value = reshapedLike(value, oddType(dice), value.shape());
  }
  if (value.hasValue()) setInput(dice, call, i, value);
}

/// Another element type where the op lets one choose: the attribute and every input of it, so that the kernel itself is reached.
void spoilType(Dice& dice, Call& call) {
  Node node = *call.meta.graph.node(call.node);
  if (!node.record) return;
  std::vector<const AttrSpec*> types;
  for (const AttrSpec& spec : node.record->attrs) {
    if (spec.type == "type") types.push_back(&spec);
  }
  if (types.empty()) return;
  const AttrSpec& spec = *dice.pick(types);
  const DType type = !spec.allowedTypes.empty() && !dice.oneIn(5) ? dice.pick(spec.allowedTypes) : oddType(dice);
  node.attrs.set(spec.name, type);
  AttrMap attrs = node.attrs;
  const auto signature = resolveSignature(*node.record, attrs);
  (void)call.meta.graph.change(call.node, [&](Node& n) {
    n.attrs.set(spec.name, type);
    if (signature.ok()) n.inputTypes = signature->inputTypes;
    if (signature.ok()) n.outputTypes = signature->outputTypes;
    n.outputShapes.assign(n.outputTypes.size(), Shape::unknown());
  });
  if (!signature.ok()) return;
  for (size_t i = 0; i < node.inputs.size() && i < signature->inputTypes.size(); ++i) {
    const DType now = baseType(signature->inputTypes[i]);
    if (isRef(signature->inputTypes[i]) || i >= node.inputTypes.size() || baseType(node.inputTypes[i]) == now) continue;
    const Tensor value = reshapedLike(valueAt(call, i), now, valueAt(call, i).shape());
    if (value.hasValue()) setInput(dice, call, i, value);
  }
}

template <typename T, typename Change>
Attr oddList(Dice& dice, std::vector<T> list, Change&& change) {
  switch (dice.below(7)) {
    case 0: list.clear(); break;
    case 1:
      if (!list.empty()) list.pop_back();
      break;
    case 2: list.push_back(list.empty() ? T() : list.back()); break;
    case 3: list.resize(size_t(dice.below(12)), list.empty() ? T() : T(list.front())); break;
    default:
      if (list.empty()) list.push_back(T());
      change(list);
  }
  return Attr(std::move(list));
}

Attr oddAttr(Dice& dice, const AttrSpec& spec, const Attr& old) {
  const auto somewhere = [&](auto& list) -> decltype(auto) { return list[size_t(dice.below(int(list.size())))]; };
  if (dice.oneIn(25)) return dice.oneIn(2) ? Attr(int64_t(7)) : Attr("text");  // of another kind
  if (const auto* v = old.get<int64_t>()) return Attr(oddInteger(dice, *v));
  if (old.get<float>()) return Attr(float(oddNumber(dice)));
  if (const auto* v = old.get<bool>()) return Attr(!*v);
  if (const auto* v = old.get<std::string>()) return Attr(!spec.allowedStrings.empty() && !dice.oneIn(4) ? dice.pick(spec.allowedStrings) : oddText(dice, *v));
  if (old.get<DType>()) return Attr(!spec.allowedTypes.empty() && !dice.oneIn(3) ? dice.pick(spec.allowedTypes) : oddType(dice));
  if (const auto* v = old.get<Shape>()) return Attr(oddDeclaredShape(dice, *v));
  if (const auto* v = old.get<Tensor>()) {
    if (dice.oneIn(2)) return Attr(withOddElements(dice, *v));
    const Tensor t = reshapedLike(*v, dice.oneIn(3) ? oddType(dice) : v->dtype(), oddShape(dice, v->shape()));
    return Attr(t.hasValue() ? t : *v);
  }
  if (old.get<FuncAttr>()) return Attr(FuncAttr{"no_such_function", std::make_shared<const AttrMap>()});
  if (const auto* v = old.get<std::vector<int64_t>>())
    return oddList(dice, *v, [&](auto& l) {
      int64_t& x = somewhere(l);
      x = oddInteger(dice, x);
    });
  if (const auto* v = old.get<std::vector<float>>()) return oddList(dice, *v, [&](auto& l) { somewhere(l) = float(oddNumber(dice)); });
  if (const auto* v = old.get<std::vector<std::string>>())
    return oddList(dice, *v, [&](auto& l) {
      auto& x = somewhere(l);
      x = oddText(dice, x);
    });
  if (const auto* v = old.get<std::vector<DType>>()) {
    return oddList(dice, *v, [&](auto& l) { somewhere(l) = spec.allowedTypes.empty() || dice.oneIn(3) ? oddType(dice) : dice.pick(spec.allowedTypes); });
  }
  if (const auto* v = old.get<std::vector<Shape>>())
    return oddList(dice, *v, [&](auto& l) {
      Shape& x = somewhere(l);
      x = oddDeclaredShape(dice, x);
    });
  if (old.get<EmptyListAttr>() && spec.type == "list(int)") return Attr(std::vector<int64_t>{oddInteger(dice, 1)});
  if (old.get<EmptyListAttr>() && spec.type == "list(float)") return Attr(std::vector<float>{float(oddNumber(dice))});
  if (old.get<EmptyListAttr>() && spec.type == "list(shape)") return Attr(std::vector<Shape>{oddDeclaredShape(dice, Shape({2}))});
  return old;
}

void spoilAttr(Dice& dice, Call& call) {
  const Node& node = *call.meta.graph.node(call.node);
  if (!node.record || node.record->attrs.empty()) return;
  const AttrSpec& spec = node.record->attrs[size_t(dice.below(int(node.record->attrs.size())))];
  if (spec.type == "type" && !dice.oneIn(4)) return spoilType(dice, call);
  const Attr* old = node.attrs.find(spec.name);
  const Attr odd = old ? oddAttr(dice, spec, *old) : Attr(int64_t(1));
  (void)call.meta.graph.change(call.node, [&](Node& n) {
    if (dice.oneIn(30)) n.attrs.erase(spec.name);
    else n.attrs.set(spec.name, odd);
  });
}

/// One input too few, one too many, or one at another's place.
void spoilNumber(Dice& dice, Call& call) {
  const int kind = dice.below(3);
  (void)call.meta.graph.change(call.node, [&](Node& n) {
    if (n.inputs.empty()) return;
    if (kind == 0) n.inputs.pop_back();
    if (kind == 1) n.inputs.push_back(n.inputs.front());
    if (kind == 2) std::swap(n.inputs.front(), n.inputs[size_t(dice.below(int(n.inputs.size())))]);
  });
}

}  // namespace

void spoil(Dice& dice, Call& call) {
  for (int changes = 1 + dice.below(3); changes > 0; --changes) {
    switch (dice.below(12)) {
      case 0: spoilNumber(dice, call); break;
      case 1:
      case 2: spoilType(dice, call); break;
      case 3:
      case 4:
      case 5:
      case 6: spoilAttr(dice, call); break;
      case 7:  // something that had to run before did not
        if (call.steps.size() > 1) call.steps.erase(call.steps.begin() + dice.below(std::min<int>(int(call.steps.size()), 3)));
        else spoilInput(dice, call);
        break;
      default: spoilInput(dice, call);
    }
  }
}

}  // namespace weft::arguments
