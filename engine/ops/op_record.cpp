#include <algorithm>
#include <cctype>
#include <charconv>

#include "ops/spec_reader.h"
#include "weft/op.h"

namespace weft {
namespace {

using detail::SpecReader;

// Types in the order of their enum values, as TensorFlow lists them.
const std::vector<DType>& numberTypes() {
  static const std::vector<DType> kTypes = {DType::Float,     DType::Double,     DType::Int32, DType::UInt8,  DType::Int16,  DType::Int8,
                                            DType::Complex64, DType::Int64,      DType::QInt8, DType::QUInt8, DType::QInt32, DType::BFloat16,
                                            DType::UInt16,    DType::Complex128, DType::Half,  DType::UInt32, DType::UInt64};
  return kTypes;
}
const std::vector<DType>& realNumberTypes() {
  static const std::vector<DType> kTypes = {DType::Float, DType::Double,   DType::Int32,  DType::UInt8, DType::Int16,  DType::Int8,
                                            DType::Int64, DType::BFloat16, DType::UInt16, DType::Half,  DType::UInt32, DType::UInt64};
  return kTypes;
}
const std::vector<DType>& quantizedTypes() {
  static const std::vector<DType> kTypes = {DType::QInt8, DType::QUInt8, DType::QInt32, DType::QInt16, DType::QUInt16};
  return kTypes;
}

const std::vector<DType>* typeSet(std::string_view word) {
  if (word == "numbertype") return &numberTypes();
  if (word == "realnumbertype") return &realNumberTypes();
  if (word == "quantizedtype") return &quantizedTypes();
  return nullptr;
}

Attr readValue(SpecReader& in, std::string_view type);

template <typename T>
Attr readList(SpecReader& in, std::string_view elementType) {
  std::vector<T> list;
  in.expect('[');
  while (!in.take(']')) {
    list.push_back(*readValue(in, elementType).get<T>());
    in.take(',');
  }
  return Attr(std::move(list));
}

// A default value, as TensorFlow's op definitions write it: "DT_FLOAT", "[1, 1]", "{ unknown_rank: true }", 'SAME'.
Attr readValue(SpecReader& in, std::string_view type) {
  if (type.starts_with("list(")) {
    const std::string_view element = type.substr(5, type.size() - 6);
    if (element == "int") return readList<int64_t>(in, element);
    if (element == "float") return readList<float>(in, element);
    if (element == "bool") return readList<bool>(in, element);
    if (element == "string") return readList<std::string>(in, element);
    if (element == "type") return readList<DType>(in, element);
    if (element == "shape") return readList<Shape>(in, element);
    if (element == "func") return readList<FuncAttr>(in, element);
    return readList<Tensor>(in, element);
  }
  if (type == "int") return int64_t(std::stoll(in.word("+-")));
  if (type == "float") return std::stof(in.word("+-."));
  if (type == "bool") return in.word() == "true";
  if (type == "string") return in.quoted();
  if (type == "type") {
    const std::string word = in.word();
    return dtypeFromName(word.starts_with("DT_") ? word : std::string_view(word));
  }
  if (type == "shape") {
    in.expect('{');
    Shape shape;
    while (!in.take('}')) {
      const std::string field = in.word();
      in.take(':');
      if (field == "unknown_rank") {
        in.word();
        shape = Shape::unknown();
      } else {  // dim { size: 3 }
        in.expect('{');
        in.word();
        in.take(':');
        shape.append(std::stoll(in.word("+-")));
        in.expect('}');
      }
    }
    return shape;
  }
  if (type == "func") return FuncAttr{in.word(), std::make_shared<AttrMap>()};
  return Attr();
}

AttrSpec parseAttr(std::string_view text) {
  SpecReader in(text);
  AttrSpec spec;
  spec.name = in.word();
  in.expect(':');
  const bool isList = in.takeWord("list");
  if (isList) in.expect('(');
  const auto typeOrSet = [&]() -> std::string {
    if (in.take('{')) {
      if (in.peek() == '\'' || in.peek() == '"') {
        while (!in.take('}')) {
          spec.allowedStrings.push_back(in.quoted());
          in.take(',');
        }
        return "string";
      }
      std::vector<DType> all;
      while (!in.take('}')) {
        const std::string word = in.word();
        if (const auto* set = typeSet(word)) {
          all.insert(all.end(), set->begin(), set->end());
        } else {
          all.push_back(dtypeFromName(word));
        }
        in.take(',');
      }
      spec.allowedTypes = std::move(all);
      return "type";
    }
    const std::string word = in.word();
    if (const auto* set = typeSet(word)) {
      spec.allowedTypes = *set;
      return "type";
    }
    return word;
  };
  std::string element = typeOrSet();
  if (isList) {
    in.expect(')');
    spec.type = "list(" + element + ")";
  } else {
    spec.type = std::move(element);
  }
  if (in.takeSymbol(">=")) {
    spec.hasMinimum = true;
    spec.minimum = std::stoll(in.word("+-"));
  }
  if (in.take('=')) spec.defaultValue = readValue(in, spec.type);
  return spec;
}

// "x: T", "values: N * T", "data: list(T)" (or the bare list attribute, as TensorFlow writes it), "ref: Ref(T)".
ArgSpec parseArg(std::string_view text) {
  SpecReader in(text);
  ArgSpec spec;
  spec.name = in.word();
  in.expect(':');
  spec.isRef = in.takeWord("Ref");
  if (spec.isRef) in.expect('(');
  std::string word = in.word();
  if (word == "list" && in.take('(')) {
    spec.typeAttr = in.word();
    spec.isTypeList = true;
    in.expect(')');
    return spec;
  }
  if (in.take('*')) {
    spec.numberAttr = std::move(word);
    word = in.word();
  }
  spec.type = dtypeFromName(word);
  if (spec.type == DType::Invalid) spec.typeAttr = std::move(word);
  if (spec.isRef) in.expect(')');
  return spec;
}

std::string summarizedArgs(const std::vector<ArgSpec>& args) {
  std::string out;
  for (const ArgSpec& a : args) {
    if (!out.empty()) out += ", ";
    out += a.name + ":";
    if (a.isRef) out += "Ref(";
    if (!a.numberAttr.empty()) out += a.numberAttr + "*";
    out += a.typeAttr.empty() ? dtypeShortName(a.type) : a.typeAttr;
    if (a.isRef) out += ")";
  }
  return out;
}

// The text of an attribute's value, as in TensorFlow's signatures.
std::string summarized(const Attr& a) {
  if (const auto* t = a.get<DType>()) return dtypeEnumName(*t);
  if (const auto* list = a.get<std::vector<DType>>()) {
    std::string out = "[";
    for (size_t i = 0; i < list->size(); ++i) out += (i ? ", " : "") + dtypeEnumName((*list)[i]);
    return out + "]";
  }
  return a.toString();
}

}  // namespace

OpRecord& OpRecord::input(std::string_view spec, std::string doc) {
  inputs.push_back(parseArg(spec));
  inputs.back().doc = std::move(doc);
  return *this;
}

OpRecord& OpRecord::output(std::string_view spec, std::string doc) {
  outputs.push_back(parseArg(spec));
  outputs.back().doc = std::move(doc);
  return *this;
}

OpRecord& OpRecord::attr(std::string_view spec, std::string doc) {
  attrs.push_back(parseAttr(spec));
  attrs.back().doc = std::move(doc);
  return *this;
}

OpRecord& OpRecord::kernel(std::string device, std::vector<KernelConstraint> constraints, std::vector<std::string> hostMemory, KernelFactory create) {
  kernels.push_back({std::move(device), std::move(constraints), std::move(hostMemory), std::move(create)});
  return *this;
}

const AttrSpec* OpRecord::findAttr(std::string_view attrName) const {
  for (const AttrSpec& a : attrs) {
    if (a.name == attrName) return &a;
  }
  return nullptr;
}

std::string OpRecord::signature() const {
  std::string out = "Op<name=" + name + "; signature=" + summarizedArgs(inputs) + " -> " + summarizedArgs(outputs);
  for (const AttrSpec& a : attrs) {
    out += "; attr=" + a.name + ":" + a.type;
    if (a.defaultValue) out += ",default=" + summarized(*a.defaultValue);
    if (a.hasMinimum) out += ",min=" + std::to_string(a.minimum);
    if (!a.allowedTypes.empty()) out += ",allowed=" + summarized(Attr(a.allowedTypes));
    if (!a.allowedStrings.empty()) out += ",allowed=" + summarized(Attr(a.allowedStrings));
  }
  if (isStateful) out += "; is_stateful=true";
  return out + ">";
}

}  // namespace weft
