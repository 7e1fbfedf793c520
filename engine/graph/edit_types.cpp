// Attributes of edited nodes: parsed from text, guessed, and determined by the wires.
#include <algorithm>
#include <charconv>

#include "graph/device_parts.h"
#include "graph/edit_internal.h"
#include "graph/function_library.h"
#include "graph/missing_nodes.h"
#include "tensor/value_text.h"
#include "weft/edit.h"
#include "weft/op.h"

namespace weft {
namespace {

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}

/// The elements of `[a, b, [c, d]]`; commas inside inner brackets do not separate.
std::vector<std::string_view> elementsOfList(std::string_view text) {
  text = trimmed(text);
  if (text.size() >= 2 && ((text.front() == '[' && text.back() == ']') || (text.front() == '(' && text.back() == ')'))) text = text.substr(1, text.size() - 2);
  std::vector<std::string_view> out;
  if (trimmed(text).empty()) return out;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '[' || text[i] == '(')) ++depth;
    if (i < text.size() && (text[i] == ']' || text[i] == ')')) --depth;
    if (i == text.size() || (text[i] == ',' && depth == 0)) {
      out.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  return out;
}

template <typename T>
std::optional<T> number(std::string_view text) {
  T v{};
  const auto r = std::from_chars(text.data(), text.data() + text.size(), v);
  return r.ec == std::errc() && r.ptr == text.data() + text.size() ? std::optional(v) : std::nullopt;
}

std::string unquoted(std::string_view text) {
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front()) text = text.substr(1, text.size() - 2);
  return std::string(text);
}

Result<Tensor> tensorValue(std::string_view text, DType type) {
  return tensorFromText(type == DType::String ? unquoted(text) : std::string(text), type, Shape::unknown());
}

template <typename T>
Result<std::vector<T>> listOf(std::string_view text, auto&& one) {
  std::vector<T> out;
  for (const std::string_view element : elementsOfList(text)) {
    auto v = one(element);
    if (!v.ok()) return v.error();
    out.push_back(std::move(v).value());
  }
  return out;
}

}  // namespace

DType typeOfText(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return DType::String;
  bool digits = false, fraction = false;
  for (const char c : text) {
    if (c >= '0' && c <= '9') digits = true;
    else if (c == '.' || c == 'e' || c == 'E') fraction = true;
    else if (c != '-' && c != '+' && c != ',' && c != '[' && c != ']' && c != ' ')
      return text.find("true") != text.npos || text.find("false") != text.npos ? DType::Bool : DType::String;
  }
  return !digits ? DType::Float : fraction ? DType::Float : DType::Int32;
}

Result<Attr> attrFromText(std::string_view name, std::string_view type, std::string_view raw, DType tensorType) {
  const std::string_view text = trimmed(raw);
  const auto bad = [&](std::string_view expected) { return invalidArgument("attribute '", name, "': '", raw, "' is not ", expected); };
  const auto integer = [&](std::string_view t) -> Result<int64_t> {
    const auto v = number<int64_t>(t);
    return v ? Result<int64_t>(*v) : Result<int64_t>(bad("a whole number"));
  };
  const auto real = [&](std::string_view t) -> Result<float> {
    const auto v = number<float>(t);
    return v ? Result<float>(*v) : Result<float>(bad("a number"));
  };
  const auto flag = [&](std::string_view t) -> Result<bool> {
    if (t == "true" || t == "True" || t == "1") return true;
    if (t == "false" || t == "False" || t == "0") return false;
    return bad("true or false");
  };
  const auto dtype = [&](std::string_view t) -> Result<DType> {
    const DType d = dtypeFromName(t);
    return d != DType::Invalid ? Result<DType>(d) : Result<DType>(bad("an element type such as float32"));
  };
  const auto shape = [&](std::string_view t) -> Result<Shape> {
    if (t == "?" || t == "<unknown>" || t == "unknown") return Shape::unknown();
    std::vector<int64_t> dims;
    for (const std::string_view e : elementsOfList(t)) {
      const auto v = e == "?" || e == "None" ? std::optional<int64_t>(-1) : number<int64_t>(e);
      if (!v || *v < -1) return bad("a shape such as [?,64]");
      dims.push_back(*v);
    }
    return Shape(dims);
  };
  const auto string = [&](std::string_view t) -> Result<std::string> { return unquoted(t); };
  const auto as = [](auto result) -> Result<Attr> {
    if (!result.ok()) return result.error();
    return Attr(std::move(result).value());
  };
  if (type == "string") return Attr(unquoted(text));
  if (type == "int") return as(integer(text));
  if (type == "float") return as(real(text));
  if (type == "bool") return as(flag(text));
  if (type == "type") return as(dtype(text));
  if (type == "shape") return as(shape(text));
  if (type == "tensor") return as(tensorValue(text, tensorType));
  if (type == "list(int)") return as(listOf<int64_t>(text, integer));
  if (type == "list(float)") return as(listOf<float>(text, real));
  if (type == "list(bool)") return as(listOf<bool>(text, flag));
  if (type == "list(type)") return as(listOf<DType>(text, dtype));
  if (type == "list(shape)") return as(listOf<Shape>(text, shape));
  if (type == "list(string)") return as(listOf<std::string>(text, string));
  return unimplemented("attribute '", name, "' of type ", type, " cannot be given as text");
}

Attr guessedAttr(const OpRecord& record, const AttrSpec& spec, const AttrMap& others) {
  if (spec.type == "type") {
    if (spec.allowedTypes.empty()) return DType::Float;
    for (const DType wanted : {DType::Float, DType::Int32, DType::Int64, DType::String})
      if (std::count(spec.allowedTypes.begin(), spec.allowedTypes.end(), wanted)) return wanted;
    return spec.allowedTypes.front();
  }
  const int64_t least = spec.hasMinimum ? spec.minimum : 0;
  if (spec.type == "int") {
    const bool counts = std::any_of(record.inputs.begin(), record.inputs.end(), [&](const ArgSpec& a) { return a.numberAttr == spec.name; });
    return counts ? std::max<int64_t>(least, 2) : least;
  }
  if (spec.type == "string") return spec.allowedStrings.empty() ? std::string() : spec.allowedStrings.front();
  if (spec.type == "float") return 0.0F;
  if (spec.type == "bool") return false;
  if (spec.type == "shape") return Shape::unknown();
  if (spec.type == "tensor") return Tensor::zeros(others.type("dtype", DType::Float), Shape{});
  if (spec.type == "list(int)") {
    std::vector<int64_t> list(size_t(std::max<int64_t>(least, spec.name == "strides" || spec.name == "ksize" ? 4 : 0)), 1);
    if (spec.name == "ksize" && list.size() == 4) list[1] = list[2] = 2;
    return list;
  }
  if (spec.type == "list(type)") return std::vector<DType>(size_t(std::max<int64_t>(least, 1)), DType::Float);
  if (spec.type == "list(float)") return std::vector<float>(size_t(least), 0);
  if (spec.type == "list(bool)") return std::vector<bool>(size_t(least), false);
  if (spec.type == "list(string)") return std::vector<std::string>(size_t(least));
  if (spec.type == "list(shape)") return std::vector<Shape>(size_t(least), Shape::unknown());
  return {};
}

Result<AttrMap> attrsFor(const OpRecord& record, const TextAttrs& given) {
  AttrMap attrs;
  for (const auto& [name, text] : given) {
    if (!record.findAttr(name)) {
      std::string names;
      for (const AttrSpec& s : record.attrs) names += (names.empty() ? "" : ", ") + s.name;
      return invalidArgument(record.name, " has no attribute '", name, "'; expected ", names.empty() ? "none" : names);
    }
  }
  const auto textOf = [&](std::string_view name) -> const std::string* {
    for (const auto& [n, text] : given)
      if (n == name) return &text;
    return nullptr;
  };
  // Types first, because tensors are parsed in the node's type.
  for (const bool types : {true, false}) {
    for (const AttrSpec& spec : record.attrs) {
      if ((spec.type == "type") != types) continue;
      const std::string* text = textOf(spec.name);
      if (!text && spec.type == "type" && spec.name == "dtype" && textOf("value")) {
        attrs.set(spec.name, typeOfText(*textOf("value")));
        continue;
      }
      if (text) {
        WEFT_LET(Attr value, attrFromText(spec.name, spec.type, *text, attrs.type("dtype", typeOfText(*text))));
        attrs.set(spec.name, std::move(value));
      } else if (!spec.defaultValue) {
        attrs.set(spec.name, guessedAttr(record, spec, attrs));
      }
    }
  }
  return attrs;
}

const ArgSpec* argOfInput(const OpRecord& record, const NodeSignature& signature, int input) {
  for (size_t i = 0; i < signature.inputRanges.size(); ++i)
    if (input >= signature.inputRanges[i].first && input < signature.inputRanges[i].second) return &record.inputs[i];
  return nullptr;
}

std::string nameOfInput(const Node& node, int input) {
  if (!node.record) return std::to_string(input);
  AttrMap attrs = node.attrs;
  const auto signature = resolveSignature(*node.record, attrs);
  if (!signature.ok()) return std::to_string(input);
  for (size_t i = 0; i < signature->inputRanges.size(); ++i) {
    const auto [begin, end] = signature->inputRanges[i];
    if (input < begin || input >= end) continue;
    const ArgSpec& arg = node.record->inputs[i];
    return arg.numberAttr.empty() && !arg.isTypeList ? arg.name : arg.name + "_" + std::to_string(input - begin);
  }
  return std::to_string(input);
}

Status GraphEditor::adoptSignature(int id, AttrMap attrs, std::set<int>& visiting) {
  const Node& old = *graph().node(id);
  AttrMap before = old.attrs;
  WEFT_LET(const NodeSignature was, resolveSignature(*old.record, before));
  std::vector<std::string> added;
  auto now = resolveSignature(*old.record, attrs, &added);
  if (!now.ok()) return now.error().atNode(old.name);
  // Each argument keeps its wires; lists grow and shrink by open inputs.
  std::vector<Output> inputs;
  std::vector<int> dropped;
  for (size_t a = 0; a < now->inputRanges.size(); ++a) {
    const auto [oldBegin, oldEnd] = was.inputRanges[a];
    const int count = now->inputRanges[a].second - now->inputRanges[a].first;
    for (int i = 0; i < std::max(count, oldEnd - oldBegin); ++i) {
      const bool had = oldBegin + i < oldEnd;
      if (i < count) {
        inputs.push_back(had ? old.inputs[size_t(oldBegin + i)] : Output{});
      } else {
        const Node* source = graph().node(old.inputs[size_t(oldBegin + i)].node);
        if (source && !isOpenInput(*source))
          return invalidArgument("Input ", nameOfInput(old, oldBegin + i), " would go, but it is connected to ", source->name, "; disconnect it first")
              .atNode(old.name);
        if (source) dropped.push_back(source->id);
      }
    }
  }
  const std::vector<DType> outputsBefore = old.outputTypes;
  WEFT_TRY(graph().change(id, [&](Node& n) {
    std::erase_if(n.defaulted, [&](const std::string& name) {
      const Attr *a = attrs.find(name), *b = n.attrs.find(name);
      return !a || !b || !(*a == *b);
    });
    n.attrs = std::move(attrs);
    n.inputTypes = now->inputTypes;
    n.outputTypes = now->outputTypes;
    n.outputShapes.assign(n.outputTypes.size(), Shape::unknown());
    n.inputs = inputs;
  }));
  touched_.insert(id);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Node* source = graph().node(inputs[i].node);
    const DType want = baseType(now->inputTypes[i]);
    if (!source) {
      WEFT_LET(const int openInput, addOpenInput(*graph().node(id), int(i), now->inputTypes[i]));
      WEFT_TRY(graph().change(id, [&](Node& n) { n.inputs[i] = {openInput, 0}; }));
    } else if (isOpenInput(*source) && baseType(source->outputTypes[0]) != want) {
      const int openInput = source->id;  // the node itself is replaced
      WEFT_TRY(graph().change(openInput, [&](Node& n) {
        n.attrs.set("dtype", want);
        n.outputTypes[0] = isRef(n.outputTypes[0]) ? refType(want) : want;
      }));
      touched_.insert(openInput);
    }
  }
  for (const int gone : dropped) removeIfOpenInput(gone);
  if (graph().node(id)->outputTypes == outputsBefore) return {};
  // Readers adapt their types, or the edit fails.
  if (graph().node(id)->outputTypes.size() < outputsBefore.size()) {
    for (int reader = 0; reader < graph().size(); ++reader) {
      const Node* n = graph().node(reader);
      if (!n) continue;
      for (const Output o : n->inputs)
        if (o.node == id && o.index >= int(graph().node(id)->outputTypes.size()))
          return invalidArgument("Output ", o.index, " would go, but ", n->name, " reads it").atNode(graph().node(id)->name);
    }
  }
  if (!visiting.insert(id).second) return {};
  for (int reader = 0; reader < graph().size(); ++reader) {
    const Node* n = graph().node(reader);
    if (n && n->record && std::any_of(n->inputs.begin(), n->inputs.end(), [&](Output o) { return o.node == id; }))
      WEFT_TRY(settleTypes(*this, reader, visiting));
  }
  visiting.erase(id);
  return {};
}

Status EditTypes::settle(GraphEditor& editor, int id, std::set<int>& visiting) {
  const Node& n = *editor.graph().node(id);
  if (!n.record) return {};
  AttrMap attrs = n.attrs;
  WEFT_LET(const NodeSignature signature, resolveSignature(*n.record, attrs));
  std::map<std::string, std::pair<DType, int>> decided;  // attribute -> type, and the input that determines it
  for (size_t i = 0; i < n.inputs.size(); ++i) {
    const Node* source = editor.graph().node(n.inputs[i].node);
    const ArgSpec* arg = argOfInput(*n.record, signature, int(i));
    if (!source || isOpenInput(*source) || !arg) continue;
    const DType given = source->outputTypes[size_t(n.inputs[i].index)], have = baseType(given);
    if (have == DType::Invalid) continue;
    const std::string from = editor.graph().tensorName(n.inputs[i]);
    if (isRef(n.inputTypes[i]) && !isRef(given))
      return invalidArgument(n.name, ":", arg->name, " needs a variable (a reference), but ", from, " is a value").atNode(n.name);
    if (arg->isTypeList) {
      auto types = attrs.list<DType>(arg->typeAttr);
      const auto& range = signature.inputRanges[size_t(arg - n.record->inputs.data())];
      types[i - size_t(range.first)] = have;
      attrs.set(arg->typeAttr, std::move(types));
      continue;
    }
    if (arg->typeAttr.empty()) {
      if (baseType(arg->type) != have)
        return invalidArgument(n.name, ":", arg->name, " takes ", dtypeName(baseType(arg->type)), ", but ", from, " is ", dtypeName(have),
                               "; put a Cast between them")
            .atNode(n.name);
      continue;
    }
    const AttrSpec* spec = n.record->findAttr(arg->typeAttr);
    if (spec && !spec->allowedTypes.empty() && !std::count(spec->allowedTypes.begin(), spec->allowedTypes.end(), have)) {
      std::string allowed;
      for (const DType t : spec->allowedTypes) allowed += (allowed.empty() ? "" : ", ") + dtypeName(t);
      return invalidArgument(n.name, ":", arg->name, " takes ", allowed, ", but ", from, " is ", dtypeName(have), "; put a Cast between them").atNode(n.name);
    }
    const auto [it, fresh] = decided.try_emplace(arg->typeAttr, have, int(i));
    if (!fresh && it->second.first != have) {
      return invalidArgument(n.name, ":", arg->name, " must be of the same type as ", nameOfInput(n, it->second.second), ", which is ",
                             dtypeName(it->second.first), ", but ", from, " is ", dtypeName(have), "; put a Cast between them")
          .atNode(n.name);
    }
    attrs.set(arg->typeAttr, have);
  }
  if (attrs == n.attrs) return {};
  return editor.adoptSignature(id, std::move(attrs), visiting);
}

Status settleTypes(GraphEditor& editor, int node, std::set<int>& visiting) { return EditTypes::settle(editor, node, visiting); }

Status GraphEditor::setAttr(int id, std::string_view name, std::string_view text) {
  const Node& n = *graph().node(id);
  if (name == "name") return rename(id, text);
  if (name == "device") {
    if (auto parsed = DeviceParts::parse(text); !parsed.ok()) return parsed.error().atNode(n.name);
    touched_.insert(id);
    return graph().change(id, [&](Node& node) { node.device = std::string(text); });
  }
  const OpRecord* known = n.record || n.op.empty() ? nullptr : recordOf(graph(), n.op);
  if (const AttrSpec* spec = known ? known->findAttr(name) : nullptr) {
    // The wires of a defective node determine nothing; finish() checks whether it fits now.
    const Attr* held = n.attrs.find("value");
    const Tensor* tensor = held ? held->get<Tensor>() : nullptr;
    auto value = attrFromText(name, spec->type, text, n.attrs.type("dtype", tensor ? tensor->dtype() : typeOfText(text)));
    if (!value.ok()) return value.error().atNode(n.name);
    touched_.insert(id);
    return graph().change(id, [&](Node& node) {
      if (const Tensor* t = value->get<Tensor>(); t && isConstant(node)) node.attrs.set("dtype", t->dtype());
      node.attrs.erase(concat(kUnreadAttr, name));
      std::erase(node.defaulted, name);
      node.attrs.set(name, std::move(*value));
    });
  }
  if (!n.record) {
    // For an unknown op, only the kind of the current value is known.
    const Attr* old = n.attrs.find(name);
    if (!old) return notFound(n.op, " has no attribute '", name, "' here").atNode(n.name);
    static const char* const kTypes[] = {"", "string",       "int",       "float",       "bool",       "type",       "shape",       "tensor", "", "",
                                         "", "list(string)", "list(int)", "list(float)", "list(bool)", "list(type)", "list(shape)", "",       ""};
    const Tensor* tensor = old->get<Tensor>();
    WEFT_LET(Attr value, attrFromText(name, kTypes[old->value.index()], text, tensor ? tensor->dtype() : DType::Float));
    touched_.insert(id);
    return graph().change(id, [&](Node& node) { node.attrs.set(name, std::move(value)); });
  }
  const AttrSpec* spec = n.record->findAttr(name);
  if (!spec) return attrsFor(*n.record, {{std::string(name), std::string(text)}}).status();
  const Attr* held = n.attrs.find("value");
  const Tensor* tensor = held ? held->get<Tensor>() : nullptr;
  auto value = attrFromText(name, spec->type, text, n.attrs.type("dtype", tensor ? tensor->dtype() : DType::Float));
  if (!value.ok() && spec->type == "tensor") value = attrFromText(name, spec->type, text, typeOfText(text));
  if (!value.ok()) return value.error().atNode(n.name);
  AttrMap attrs = n.attrs;
  attrs.set(name, std::move(value).value());
  if (isConstant(n) && name == "value") attrs.set("dtype", attrs.find("value")->get<Tensor>()->dtype());
  if (isConstant(n) && name == "dtype" && tensor) {
    const DType type = attrs.type("dtype");
    Tensor cast = Tensor::zeros(type, tensor->shape());
    if (isNumeric(tensor->dtype()) && isNumeric(type) && !isComplex(type)) {
      for (int64_t i = 0; i < tensor->elements(); ++i) {
        WEFT_LET(const Tensor one, tensorFromText(isFloating(type) ? std::to_string(tensor->asDouble(i)) : std::to_string(int64_t(tensor->asDouble(i))), type, Shape{}));
        std::copy_n(static_cast<const char*>(one.raw()), sizeOf(type), static_cast<char*>(cast.mutableRaw()) + size_t(i) * sizeOf(type));
      }
    }
    attrs.set("value", std::move(cast));
  }
  if (spec->type == "type" && !spec->allowedTypes.empty()) {
    const DType type = attrs.type(name);
    if (!std::count(spec->allowedTypes.begin(), spec->allowedTypes.end(), type))
      return invalidArgument(n.op, " does not work with ", name, "=", dtypeName(type)).atNode(n.name);
  }
  std::set<int> visiting;
  WEFT_TRY(adoptSignature(id, attrs, visiting));
  const AttrMap wanted = graph().node(id)->attrs;
  WEFT_TRY(EditTypes::settle(*this, id, visiting));
  if (!(graph().node(id)->attrs == wanted))
    return invalidArgument(name, " is decided by what is connected: ", graph().node(id)->attrs.find(name)->toString(), ", not ", text).atNode(n.name);
  return {};
}

}  // namespace weft
