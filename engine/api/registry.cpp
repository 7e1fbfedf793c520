#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <utility>

#include "api/records.h"

namespace weft {
namespace {

std::string numberText(double v) {
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof text, v).ptr);
}

// The first argument that the function under construction requested as the wrong kind. Without this, such an argument would count as missing.
struct Reading {
  const ApiRecord& record;
  std::optional<Error> wrong;
};
thread_local Reading* reading = nullptr;

std::string kindOf(const Argument& a) {
  static constexpr const char* kKinds[] = {"NoneType",    "Tensor", "list of tensors", "str",      "int",          "float",    "bool", "DType",
                                           "TensorShape", "list",   "array",           "Variable", "SparseTensor", "function", "list"};
  static_assert(std::size(kKinds) == std::variant_size_v<Argument::variant>);
  return kKinds[a.index()];
}

/// Records that an argument is not an `expected`, unless it is missing, or None for an optional parameter. None within a list is never a number.
void noteMisread(const std::string& name, const Argument* a, const char* expected, bool isItem = false) {
  if (!a || !reading || reading->wrong) return;
  if (std::holds_alternative<std::monostate>(*a) && !isItem) {
    if (const ApiParameter* p = reading->record.find(name); p && !p->otherwise) reading->wrong = invalidArgument("None values not supported.");
    return;
  }
  const std::string text = argumentToText(*a);
  reading->wrong = invalidArgument("parameter '", name, "': expected ", expected, ", got ", text.empty() ? "a value" : "'" + text + "'", " of type '",
                                   kindOf(*a), "' instead.")
                       .ofKind("TypeError");
}

/// A number that is whole, of a literal with one element.
std::optional<int64_t> wholeNumber(const Argument* a) {
  const auto* l = a ? std::get_if<Literal>(a) : nullptr;
  if (!l || l->value.elements() != 1 || l->value.dtype() == DType::String) return {};
  const double v = l->value.asDouble(0);
  if (isFloating(l->value.dtype()) && (v != std::floor(v) || std::abs(v) > 9e18)) return {};
  return l->value.asInt(0);
}

bool isNumber(const Argument& a) { return std::holds_alternative<double>(a) || std::holds_alternative<int64_t>(a); }
bool isScalar(const Argument& a) {
  const auto* l = std::get_if<Literal>(&a);
  return l && l->value.rank() == 0;
}

bool isText(const Argument& a) {
  const auto* l = std::get_if<Literal>(&a);
  return l && l->value.dtype() == DType::String;
}

// Whether a value can be an argument for a parameter of this type; functions check in detail.
bool fits(const std::string& type, const Argument& a) {
  const bool list = std::holds_alternative<ArgumentList>(a);
  if (type == "any") return true;
  if (type == "tensor") return !std::holds_alternative<Callback>(a) && !std::holds_alternative<SparseValue>(a);
  if (type == "tensors")
    return list || std::holds_alternative<std::vector<Output>>(a) || std::holds_alternative<Output>(a) || std::holds_alternative<Literal>(a);
  if (type == "sparse") return std::holds_alternative<SparseValue>(a);
  if (type == "variable") return std::holds_alternative<std::shared_ptr<const api::Variable>>(a) || std::holds_alternative<Output>(a);
  if (type == "string") return std::holds_alternative<std::string>(a);
  if (type == "int") return std::holds_alternative<int64_t>(a) || (isScalar(a) && wholeNumber(&a));
  if (type == "float") return isNumber(a) || (isScalar(a) && !isText(a));
  if (type == "bool") return std::holds_alternative<bool>(a) || (isScalar(a) && !isText(a));
  if (type == "dtype") return std::holds_alternative<DType>(a);
  if (type == "shape") return std::holds_alternative<Shape>(a) || std::holds_alternative<std::vector<int64_t>>(a);
  if (type == "ints")
    return std::holds_alternative<std::vector<int64_t>>(a) || std::holds_alternative<int64_t>(a) || std::holds_alternative<Literal>(a) || list;
  if (type == "callback") return std::holds_alternative<Callback>(a) || std::holds_alternative<std::string>(a);
  return list;
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
  if (p.type == "tensor") {
    // Numbers as Python reads them; texts otherwise.
    if (text == "true" || text == "false") return Argument(text == "true");
    if (const auto v = parsed<int64_t>(text)) return Argument(*v);
    if (const auto v = parsed<double>(text)) return Argument(*v);
    return Argument(std::string(text));
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
  if (const auto* l = a ? std::get_if<Literal>(a) : nullptr; l && l->value.elements() == 1 && l->value.dtype() != DType::String) return l->value.asDouble(0);
  if (const auto* v = a ? std::get_if<double>(a) : nullptr) return *v;
  noteMisread(name, a, "a number");
  return 0;
}

std::vector<int64_t> Arguments::integers(const std::string& name) const {
  const Argument* a = find(name);
  std::vector<int64_t> out;
  if (!a) return out;
  if (const auto* i = std::get_if<int64_t>(a)) return {*i};
  if (const auto* s = std::get_if<Shape>(a)) return s->toVector();
  if (const auto* v = std::get_if<std::vector<int64_t>>(a)) return *v;
  if (const auto* l = std::get_if<Literal>(a); l && !isFloating(l->value.dtype()) && l->value.dtype() != DType::String) {
    for (int64_t i = 0; i < l->value.elements(); ++i) out.push_back(l->value.asInt(i));
    return out;
  }
  if (const auto* list = std::get_if<ArgumentList>(a)) {
    for (const Argument& item : *list) {
      const auto* i = std::get_if<int64_t>(&item);
      const auto whole = i ? std::optional(*i) : wholeNumber(&item);
      if (!whole) {
        noteMisread(name, &item, "whole numbers", true);
        return {};
      }
      out.push_back(*whole);
    }
    return out;
  }
  if (const auto whole = wholeNumber(a)) return {*whole};
  noteMisread(name, a, "whole numbers");
  return {};
}

int64_t Arguments::integer(const std::string& name) const {
  const Argument* a = find(name);
  if (const auto* i = a ? std::get_if<int64_t>(a) : nullptr) return *i;
  if (const auto whole = wholeNumber(a)) return *whole;
  noteMisread(name, a, "a whole number");
  return 0;
}

bool Arguments::flag(const std::string& name) const {
  const Argument* a = find(name);
  if (const auto* l = a ? std::get_if<Literal>(a) : nullptr; l && l->value.elements() == 1 && l->value.dtype() != DType::String)
    return l->value.asDouble(0) != 0;
  if (const auto* i = a ? std::get_if<int64_t>(a) : nullptr) return *i != 0;
  if (const auto* v = a ? std::get_if<bool>(a) : nullptr) return *v;
  noteMisread(name, a, "True or False");
  return false;
}

std::vector<Output> Arguments::tensors(const std::string& name) const {
  const Argument* a = find(name);
  std::vector<Output> out;
  if (!a) return out;
  if (const auto* o = std::get_if<Output>(a)) return {*o};
  if (const auto* list = std::get_if<ArgumentList>(a)) {
    for (const Argument& item : *list) {
      if (const auto* o = std::get_if<Output>(&item)) out.push_back(*o);
    }
    return out;
  }
  return get<std::vector<Output>>(name, {});
}

Shape Arguments::shape(const std::string& name) const {
  const Argument* a = find(name);
  if (const auto* v = a ? std::get_if<std::vector<int64_t>>(a) : nullptr) return Shape(*v);
  if (const auto* v = a ? std::get_if<Shape>(a) : nullptr) return *v;
  noteMisread(name, a, "a shape");
  return Shape::unknown();
}

const ApiParameter* ApiRecord::find(std::string_view parameter) const {
  for (const ApiParameter& p : parameters) {
    if (p.name == parameter || std::find(p.aliases.begin(), p.aliases.end(), parameter) != p.aliases.end()) return &p;
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
    api::registerApi(*r);
    api::registerKeras(*r);
    std::stable_sort(r->records_.begin(), r->records_.end(), [](const ApiRecord& a, const ApiRecord& b) { return a.name < b.name; });
    for (size_t i = 0; i < r->records_.size(); ++i) {
      r->byName_[r->records_[i].name].push_back(int(i));
      for (const std::string& alias : r->records_[i].aliases) r->byName_[alias].push_back(int(i));
    }
    return r;
  }();
  return *registry;
}

void ApiRegistry::add(ApiRecord record) { records_.push_back(std::move(record)); }

const ApiRecord* ApiRegistry::lookUp(std::string_view name, bool layerFirst) const {
  const auto it = byName_.find(name);
  if (it == byName_.end()) return nullptr;
  for (const int i : it->second) {
    if (records_[size_t(i)].recipe.has_value() == layerFirst) return &records_[size_t(i)];
  }
  return &records_[size_t(it->second.front())];
}

const ApiRecord* ApiRegistry::find(std::string_view name) const { return lookUp(name, false); }
const ApiRecord* ApiRegistry::findLayer(std::string_view name) const { return lookUp(name, true); }

std::vector<const ApiRecord*> ApiRegistry::all() const {
  std::vector<const ApiRecord*> out;
  for (const ApiRecord& r : records_) out.push_back(&r);
  return out;
}

std::vector<const ApiRecord*> ApiRegistry::functions() const {
  std::vector<const ApiRecord*> out;
  for (const ApiRecord& r : records_) {
    if (r.offered && find(r.name) == &r) out.push_back(&r);
  }
  return out;
}

Result<Values> buildApi(GraphBuilder& b, std::string_view name, Arguments arguments) {
  const ApiRecord* record = ApiRegistry::instance().find(name);
  if (!record) return notFound("There is no function '", name, "'");
  return buildApi(b, *record, std::move(arguments));
}

namespace {

// Deprecated spellings become the parameter's name.
Status renameDeprecated(const ApiRecord& record, Arguments& arguments) {
  for (const ApiParameter& p : record.parameters) {
    for (const std::string& alias : p.aliases) {
      const Argument* old = arguments.find(alias);
      if (!old) continue;
      if (arguments.given(alias)) {
        if (arguments.given(p.name)) return invalidArgument("Cannot specify both '", alias, "' and '", p.name, "'");
        arguments.set(p.name, Argument(*old));
      }
      arguments.erase(alias);
    }
  }
  return {};
}

Error typeError(Error e) { return e.ofKind("TypeError"); }

}  // namespace

Result<Values> buildApi(GraphBuilder& b, const ApiRecord& record, Arguments arguments) {
  WEFT_TRY(renameDeprecated(record, arguments));
  for (const auto& [key, value] : arguments) {
    const ApiParameter* p = record.find(key);
    if (!p) return typeError(invalidArgument(record.name, "() got an unexpected keyword argument '", key, "'"));
    if (std::holds_alternative<std::monostate>(value)) {
      if (p->type == "sparse" && !p->otherwise) return typeError(invalidArgument("Input must be a SparseTensor."));
      if (p->type == "dtype" && p->otherwise && !std::holds_alternative<std::monostate>(*p->otherwise))
        return typeError(invalidArgument("Cannot convert value None to a TensorFlow DType."));
      continue;
    }
    if (!fits(p->type, value))
      return typeError(invalidArgument(record.name, "(): parameter '", key, "' expects ", p->type, ", not '", argumentToText(value), "'"));
    if (const auto* s = std::get_if<std::string>(&value); s && !p->choices.empty() && std::find(p->choices.begin(), p->choices.end(), *s) == p->choices.end()) {
      std::string list;
      for (const auto& c : p->choices) list += (list.empty() ? "'" : ", '") + c + "'";
      return invalidArgument(record.name, "(): parameter '", key, "' is '", *s, "', expected one of ", list);
    }
  }
  for (const ApiParameter& p : record.parameters) {
    const Argument* given = arguments.find(p.name);
    if (!p.otherwise && !given) return typeError(invalidArgument(record.name, "() missing a required argument: '", p.name, "'"));
    if (p.otherwise && !given) arguments.set(p.name, *p.otherwise);  // an explicit None stays None
  }
  struct Listening {
    explicit Listening(const ApiRecord& record) : here{record, {}}, around(std::exchange(reading, &here)) {}
    ~Listening() { reading = around; }
    Reading here;
    Reading* const around;
  } listening(record);
  WEFT_LET(Values values, record.build(b, arguments));
  WEFT_TRY(b.status());
  if (listening.here.wrong) return std::move(*listening.here.wrong);
  return values;
}

}  // namespace weft
