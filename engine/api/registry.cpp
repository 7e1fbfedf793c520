#include <algorithm>
#include <charconv>
#include <sstream>

#include "api/records.h"

namespace weft {
namespace {

std::string numberText(double v) {
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof text, v).ptr);
}

bool fits(const std::string& type, const Argument& a) {
  if (type == "tensor") return std::holds_alternative<Output>(a);
  if (type == "tensors") return std::holds_alternative<std::vector<Output>>(a);
  if (type == "string") return std::holds_alternative<std::string>(a);
  if (type == "int") return std::holds_alternative<int64_t>(a);
  if (type == "float") return std::holds_alternative<double>(a) || std::holds_alternative<int64_t>(a);
  if (type == "bool") return std::holds_alternative<bool>(a);
  if (type == "dtype") return std::holds_alternative<DType>(a);
  if (type == "shape") return std::holds_alternative<Shape>(a);
  if (type == "ints") return std::holds_alternative<std::vector<int64_t>>(a) || std::holds_alternative<int64_t>(a);
  return false;
}

template <typename T>
std::optional<T> parsed(std::string_view text) {
  T v{};
  const auto r = std::from_chars(text.data(), text.data() + text.size(), v);
  return r.ec == std::errc() && r.ptr == text.data() + text.size() ? std::optional(v) : std::nullopt;
}

}  // namespace

std::string argumentToText(const Argument& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        using V = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<V, std::string>) return v;
        else if constexpr (std::is_same_v<V, bool>) return v ? "true" : "false";
        else if constexpr (std::is_same_v<V, int64_t>) return std::to_string(v);
        else if constexpr (std::is_same_v<V, double>) return numberText(v);
        else if constexpr (std::is_same_v<V, DType>) return dtypeName(v);
        else if constexpr (std::is_same_v<V, Shape>) return v.toString();
        else if constexpr (std::is_same_v<V, std::vector<int64_t>>) {
          std::string out = "[";
          for (size_t i = 0; i < v.size(); ++i) out += (i ? "," : "") + std::to_string(v[i]);
          return out + "]";
        } else {
          return {};
        }
      },
      value);
}

Result<Argument> argumentFromText(const ApiParameter& p, std::string_view text) {
  const auto bad = [&](std::string_view expected) { return invalidArgument("parameter '", p.name, "': '", text, "' is not ", expected); };
  if (p.type == "string") return Argument(std::string(text));
  if (p.type == "bool") {
    if (text == "true" || text == "false") return Argument(text == "true");
    return bad("true or false");
  }
  if (p.type == "int") {
    const auto v = parsed<int64_t>(text);
    return v ? Result<Argument>(Argument(*v)) : bad("a whole number");
  }
  if (p.type == "float") {
    const auto v = parsed<double>(text);
    return v ? Result<Argument>(Argument(*v)) : bad("a number");
  }
  if (p.type == "dtype") {
    const DType t = dtypeFromName(text);
    return t != DType::Invalid ? Result<Argument>(Argument(t)) : bad("an element type such as float32");
  }
  if (p.type == "shape") {
    auto s = Shape::parse(text);
    return s.ok() ? Result<Argument>(Argument(*s)) : bad("a shape such as [?,64]");
  }
  if (p.type == "ints") {
    std::string_view rest = text;
    if (rest.starts_with('[') && rest.ends_with(']')) rest = rest.substr(1, rest.size() - 2);
    std::vector<int64_t> list;
    while (!rest.empty()) {
      const size_t comma = std::min(rest.find(','), rest.size());
      std::string_view item = rest.substr(0, comma);
      while (item.starts_with(' ')) item.remove_prefix(1);
      const auto v = parsed<int64_t>(item);
      if (!v) return bad("a list of whole numbers such as [3,3]");
      list.push_back(*v);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return Argument(std::move(list));
  }
  return bad("a value that can be written as text");
}

double Arguments::number(const std::string& name) const {
  const Argument* a = find(name);
  if (const auto* i = a ? std::get_if<int64_t>(a) : nullptr) return double(*i);
  return get<double>(name, 0);
}

std::vector<int64_t> Arguments::integers(const std::string& name) const {
  const Argument* a = find(name);
  if (const auto* i = a ? std::get_if<int64_t>(a) : nullptr) return {*i};
  return get<std::vector<int64_t>>(name, {});
}

const ApiParameter* ApiRecord::find(std::string_view parameter) const {
  for (const ApiParameter& p : parameters) {
    if (p.name == parameter) return &p;
  }
  return nullptr;
}

const ApiRegistry& ApiRegistry::instance() {
  static const ApiRegistry* const registry = [] {
    auto* r = new ApiRegistry;
    api::registerLayers(*r);
    api::registerFunctions(*r);
    api::registerMerging(*r);
    api::registerSequences(*r);
    api::registerMetrics(*r);
    api::registerTraining(*r);
    std::sort(r->records_.begin(), r->records_.end(), [](const ApiRecord& a, const ApiRecord& b) { return a.name < b.name; });
    return r;
  }();
  return *registry;
}

void ApiRegistry::add(ApiRecord record) { records_.push_back(std::move(record)); }

const ApiRecord* ApiRegistry::find(std::string_view name) const {
  for (const ApiRecord& r : records_) {
    if (r.name == name || std::find(r.aliases.begin(), r.aliases.end(), name) != r.aliases.end()) return &r;
  }
  return nullptr;
}

std::vector<const ApiRecord*> ApiRegistry::all() const {
  std::vector<const ApiRecord*> out;
  for (const ApiRecord& r : records_) out.push_back(&r);
  return out;
}

Result<Values> buildApi(GraphBuilder& b, std::string_view name, Arguments arguments) {
  const ApiRecord* record = ApiRegistry::instance().find(name);
  if (!record) return notFound("There is no function '", name, "'");
  for (const auto& [key, value] : arguments) {
    const ApiParameter* p = record->find(key);
    if (!p) return invalidArgument(record->name, "() got an unexpected keyword argument '", key, "'");
    if (std::holds_alternative<std::monostate>(value)) continue;
    if (!fits(p->type, value)) return invalidArgument(record->name, "(): parameter '", key, "' expects ", p->type, ", not '", argumentToText(value), "'");
    if (const auto* s = std::get_if<std::string>(&value);
        s && !p->choices.empty() && std::find(p->choices.begin(), p->choices.end(), *s) == p->choices.end()) {
      std::string list;
      for (const auto& c : p->choices) list += (list.empty() ? "'" : ", '") + c + "'";
      return invalidArgument(record->name, "(): parameter '", key, "' is '", *s, "', expected one of ", list);
    }
  }
  for (const ApiParameter& p : record->parameters) {
    if (arguments.given(p.name)) continue;
    if (!p.otherwise) return invalidArgument(record->name, "() missing a required argument: '", p.name, "'");
    arguments.set(p.name, *p.otherwise);
  }
  WEFT_LET(Values values, record->build(b, arguments));
  WEFT_TRY(b.status());
  return values;
}

}  // namespace weft
