#include "advisories.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "odd_values.h"
#include "weft/op.h"

namespace weft::arguments {
namespace {

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

/// Splits at `separator`s outside brackets and quotes.
std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted && c == '[') ++depth;
    if (!quoted && c == ']') --depth;
    if (c == separator && depth == 0 && !quoted) parts.emplace_back();
    else parts.back() += c;
  }
  for (std::string& p : parts) p = trimmed(p);
  if (parts.size() == 1 && parts[0].empty()) parts.clear();
  return parts;
}

std::string unquoted(const std::string& text) { return text.size() >= 2 && text.front() == '"' ? text.substr(1, text.size() - 2) : text; }

std::vector<std::string> listed(const std::string& text) {
  return text.size() >= 2 && text.front() == '[' ? split(text.substr(1, text.size() - 2), ',') : std::vector<std::string>{};
}

Shape shapeFrom(const std::string& text) {
  if (text == "?") return Shape::unknown();
  std::vector<int64_t> dims;
  for (const std::string& d : listed(text)) dims.push_back(std::stoll(d));
  return Shape(dims);
}

template <typename T, typename F>
Attr listFrom(const std::string& text, F&& element) {
  std::vector<T> list;
  for (const std::string& item : listed(text)) list.push_back(element(item));
  return Attr(std::move(list));
}

/// Parses an attribute's value with the type given by its spec. Throws std::exception if it cannot be parsed.
Attr attrFrom(const std::string& type, const std::string& text) {
  const auto integer = [](const std::string& s) { return int64_t(std::stoll(s)); };
  const auto number = [](const std::string& s) { return std::stof(s); };
  if (type == "int") return Attr(integer(text));
  if (type == "float") return Attr(number(text));
  if (type == "bool") return Attr(text == "true");
  if (type == "string") return Attr(unquoted(text));
  if (type == "type") return Attr(dtypeFromName(text));
  if (type == "shape") return Attr(shapeFrom(text));
  if (type == "list(int)") return listFrom<int64_t>(text, integer);
  if (type == "list(float)") return listFrom<float>(text, number);
  if (type == "list(string)") return listFrom<std::string>(text, unquoted);
  if (type == "list(type)") return listFrom<DType>(text, [](const std::string& s) { return dtypeFromName(s); });
  if (type == "list(shape)") return listFrom<Shape>(text, shapeFrom);
  if (type == "list(bool)") return listFrom<bool>(text, [](const std::string& s) { return s == "true"; });
  return Attr(FuncAttr{text, std::make_shared<const AttrMap>()});
}

/// "float32[2,3]=1,2": the values over and over again, ones without any.
Tensor tensorFrom(const std::string& text) {
  const size_t bracket = text.find('['), end = text.find(']'), equals = text.find('=', end);
  const DType type = dtypeFromName(text.substr(0, bracket));
  const Shape shape = shapeFrom(text.substr(bracket, end - bracket + 1));
  const auto values = equals == std::string::npos ? std::vector<std::string>{"1"} : split(text.substr(equals + 1), ',');
  if (type == DType::String) {
    std::vector<std::string> words;
    for (const std::string& v : values) words.push_back(unquoted(v));
    return reshapedLike(Tensor::of(words, Shape({int64_t(words.size())})), type, shape);
  }
  if (isInteger(type) && type != DType::UInt64) {
    std::vector<int64_t> numbers;
    for (const std::string& v : values) numbers.push_back(std::stoll(v));
    return reshapedLike(Tensor::of(numbers, Shape({int64_t(numbers.size())})), type, shape);
  }
  std::vector<double> numbers;
  for (const std::string& v : values) numbers.push_back(std::stod(v));
  return reshapedLike(Tensor::of(numbers, Shape({int64_t(numbers.size())})), type, shape);
}

/// Type attributes and lengths of lists that the inputs say.
void inferAttrs(const OpRecord& record, const std::vector<DType>& types, AttrMap& attrs) {
  size_t at = 0;
  size_t spare = types.size() - std::min(types.size(), record.inputs.size());
  for (const ArgSpec& arg : record.inputs) {
    size_t count = 1;
    if (!arg.numberAttr.empty() || arg.isTypeList) {
      const Attr* given = arg.numberAttr.empty() ? nullptr : attrs.find(arg.numberAttr);
      count = given && given->get<int64_t>() ? size_t(std::max<int64_t>(*given->get<int64_t>(), 0)) : spare + 1;
      spare = 0;
      if (!arg.numberAttr.empty() && !given) attrs.set(arg.numberAttr, int64_t(count));
    }
    if (arg.isTypeList && !attrs.find(arg.typeAttr)) {
      attrs.set(arg.typeAttr, std::vector<DType>(types.begin() + long(std::min(at, types.size())), types.begin() + long(std::min(at + count, types.size()))));
    } else if (!arg.typeAttr.empty() && at < types.size() && !attrs.find(arg.typeAttr)) {
      attrs.set(arg.typeAttr, baseType(types[at]));
    }
    at += count;
  }
}

Call callFrom(const std::vector<std::string>& fields, bool fed) {
  Call call;
  const OpRecord* record = OpRegistry::instance().find(fields[1]);
  if (!record) throw std::invalid_argument("no such op");
  call.origin = fields[0];
  Graph& graph = call.meta.graph;
  Node node;
  node.name = "op";
  node.op = record->name;
  node.record = record;
  for (const std::string& item : split(fields[2], ' ')) {
    if (item.empty()) continue;
    const size_t equals = item.find('=');
    const std::string name = item.substr(0, equals);
    const AttrSpec* spec = record->findAttr(name);
    if (!spec) throw std::invalid_argument("no attribute " + name);
    node.attrs.set(name, attrFrom(spec->type, item.substr(equals + 1)));
  }
  Step step;
  std::vector<DType> types;
  for (const std::string& input : split(fields[3], ';')) {
    const std::string name = concat("in", node.inputs.size());
    Node producer;
    if (input.starts_with("ref ")) {
      producer = producerOf(dtypeFromName(input.substr(4)), true, name);
    } else if (input == "variable") {
      producer = producerOf(DType::Resource, false, name);
    } else if (input == "resource" || input == "variant") {
      producer = producerOf(DType::Variant, false, name);
      producer.attrs.set("dtype", dtypeFromName(input));
      producer.outputTypes = {dtypeFromName(input)};
      step.feeds.emplace_back(name + ":0", *Tensor::allocate(dtypeFromName(input), Shape()));
    } else {
      const Tensor value = tensorFrom(input);
      if (!value.hasValue()) throw std::invalid_argument("no tensor: " + input);
      producer = producerOf(fed ? DType::Variant : DType::Float, false, name);  // a Placeholder or a Const
      producer.attrs.set("dtype", value.dtype());
      producer.outputTypes = {value.dtype()};
      if (fed) step.feeds.emplace_back(name + ":0", value);
      else producer.attrs.set("value", value);
    }
    types.push_back(producer.outputTypes[0]);
    node.inputs.push_back({*graph.add(std::move(producer)), 0});
  }
  inferAttrs(*record, types, node.attrs);
  AttrMap attrs = node.attrs;
  if (const auto signature = resolveSignature(*record, attrs); signature.ok()) {
    node.inputTypes = signature->inputTypes;
    node.outputTypes = signature->outputTypes;
  }
  node.outputShapes.assign(node.outputTypes.size(), Shape::unknown());
  for (size_t k = 0; k < std::min<size_t>(node.outputTypes.size(), 64); ++k) step.fetches.push_back(concat("op:", k));
  if (step.fetches.empty()) step.targets.push_back("op");
  call.node = *graph.add(std::move(node));
  call.steps.push_back(std::move(step));
  return call;
}

}  // namespace

std::vector<Call> advisoryCalls(const std::string& path, std::vector<std::string>& unreadable) {
  std::vector<Call> out;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> fields = split(line, '|');
    fields.resize(4);
    try {
      out.push_back(callFrom(fields, false));
      out.push_back(callFrom(fields, true));
      out[out.size() - 2].origin = out.back().origin = line;
    } catch (const std::exception& e) {
      unreadable.push_back(line + ": " + e.what());
    }
  }
  return out;
}

}  // namespace weft::arguments
