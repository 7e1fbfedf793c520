// A small graph for each function of the API: built from its written call (api_example_calls.cpp), else by trying arguments until they fit. Results are cached.
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "adapters/api_example_calls.h"
#include "adapters/api_help.h"
#include "adapters/engine_graph.h"
#include "weft/api.h"
#include "weft/builder.h"
#include "weft/mutex.h"

namespace weft::app {
namespace {

constexpr int kMostTries = 600;

using Candidate = ExampleValue;

Candidate tensor(DType type, std::vector<int64_t> dims) {
  return {[type, dims](GraphBuilder& b, const std::string& name) -> Argument { return b.placeholder(type, Shape(dims), name); }, {}};
}

Candidate fixed(Argument value, std::string text) {
  return {[value = std::move(value)](GraphBuilder&, const std::string&) { return value; }, std::move(text)};
}

Candidate numbers(std::vector<int32_t> values) {
  std::string text;
  for (const int32_t v : values) text += concat(text.empty() ? "[" : ", ", v);
  return {[values](GraphBuilder& b, const std::string&) -> Argument { return b.ints(values); }, text + "]"};
}

bool has(const std::string& name, std::initializer_list<const char*> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](const char* part) { return name.find(part) != std::string::npos; });
}

/// Candidates, likeliest first.
std::vector<Candidate> tensorCandidates(const std::string& name) {
  std::vector<Candidate> out;
  if (has(name, {"filter", "kernel"})) out = {tensor(DType::Float, {3, 3, 3, 4}), tensor(DType::Float, {3, 3, 3})};
  if (has(name, {"image", "value"})) out.push_back(tensor(DType::Float, {1, 8, 8, 3}));
  if (has(name, {"shape", "size", "begin", "multiples", "ksizes"})) out = {numbers({2, 3}), numbers({4, 4}), numbers({6})};
  if (has(name, {"paddings"}))
    out.push_back({[](GraphBuilder& b, const std::string&) -> Argument { return b.constant(Tensor::of<int32_t>({1, 1, 0, 0}, {2, 2})); }, "[[1, 1], [0, 0]]"});
  if (has(name, {"perm"})) out.push_back(numbers({1, 0}));
  if (has(name, {"axis", "dim"})) out.push_back({[](GraphBuilder& b, const std::string&) -> Argument { return b.scalar<int32_t>(0); }, "0"});
  if (has(name, {"condition", "mask", "pred", "cond"})) out.push_back(tensor(DType::Bool, {2, 3}));
  if (has(name, {"pred"})) out.insert(out.begin(), tensor(DType::Bool, {}));
  if (has(name, {"ids", "indices", "sequence_length", "lengths", "targets"})) out.push_back(tensor(DType::Int32, {2}));
  if (has(name, {"num_", "depth", "limit", "count", "length"}))
    out.push_back({[](GraphBuilder& b, const std::string&) -> Argument { return b.scalar<int32_t>(4); }, "4"});
  const std::vector<Candidate> all = {tensor(DType::Float, {2, 3}),
                                      tensor(DType::Float, {1, 8, 8, 3}),
                                      tensor(DType::Int32, {2}),
                                      tensor(DType::Float, {}),
                                      tensor(DType::Float, {3}),
                                      tensor(DType::Float, {3, 3}),
                                      tensor(DType::Float, {2, 4, 3}),
                                      tensor(DType::String, {2}),
                                      tensor(DType::Int32, {2, 3}),
                                      tensor(DType::Bool, {2, 3}),
                                      tensor(DType::Float, {8, 8, 3}),
                                      tensor(DType::Int32, {}),
                                      tensor(DType::Float, {3, 4}),
                                      tensor(DType::Int64, {2}),
                                      tensor(DType::String, {}),
                                      tensor(DType::Complex64, {2, 8}),
                                      tensor(DType::UInt8, {8, 8, 3}),
                                      tensor(DType::Bool, {}),
                                      tensor(DType::Float, {1, 4, 8, 8, 3}),
                                      tensor(DType::Int64, {2, 3})};
  out.insert(out.end(), all.begin(), all.end());
  return out;
}

Candidate callback() {
  return {[](GraphBuilder&, const std::string&) -> Argument {
            return Callback([](GraphBuilder& b, const Values& v) -> Result<Values> {
              if (!v.outputs.empty()) return Values{v.outputs, {}};
              return Values{{b.scalar<float>(1.0f)}, {}};
            });
          },
          "lambda *x: x"};
}

Candidate sparse() {
  return {[](GraphBuilder& b, const std::string& name) -> Argument {
            return SparseValue{b.placeholder(DType::Int64, Shape({3, 2}), name + "_indices"), b.placeholder(DType::Float, Shape({3}), name + "_values"),
                               b.constant(Tensor::vector<int64_t>({4, 5}), name + "_shape")};
          },
          {}};
}

std::vector<Candidate> candidatesOf(const ApiParameter& p) {
  if (p.name == "padding" && p.type == "any") return {fixed(std::string("SAME"), "'SAME'")};
  if (p.type == "tensor" || p.type == "any") {
    std::vector<Candidate> out = tensorCandidates(p.name);
    if (p.type == "any") out.push_back(callback());
    return out;
  }
  if (p.type == "tensors") {
    const auto two = [](DType type, std::vector<int64_t> dims) {
      return Candidate{[type, dims](GraphBuilder& b, const std::string& name) -> Argument {
                         return std::vector<Output>{b.placeholder(type, Shape(dims), name), b.placeholder(type, Shape(dims), name)};
                       },
                       {}};
    };
    return {two(DType::Float, {2, 3}), two(DType::Float, {}),        two(DType::Int32, {2}), two(DType::Float, {3}),
            two(DType::Bool, {}),      two(DType::Float, {2, 3, 4}), two(DType::String, {2})};
  }
  if (p.type == "sparse") return {sparse()};
  if (p.type == "callback") return {callback()};
  if (p.type == "string") {
    if (!p.choices.empty()) return {fixed(p.choices.front(), "'" + p.choices.front() + "'")};
    if (p.name == "padding") return {fixed(std::string("SAME"), "'SAME'")};
    if (p.name == "equation") return {fixed(std::string("ij,jk->ik"), "'ij,jk->ik'"), fixed(std::string("ij->ji"), "'ij->ji'")};
    return {fixed(p.name, "'" + p.name + "'"), fixed(std::string("SAME"), "'SAME'")};
  }
  if (p.type == "int") return {fixed(int64_t(2), "2"), fixed(int64_t(1), "1"), fixed(int64_t(4), "4"), fixed(int64_t(0), "0")};
  if (p.type == "float") return {fixed(0.5, "0.5"), fixed(1.0, "1.0")};
  if (p.type == "bool") return {fixed(true, "True")};
  if (p.type == "dtype")
    return {fixed(DType::Float, "tf.float32"), fixed(DType::Int32, "tf.int32"), fixed(DType::Int64, "tf.int64"), fixed(DType::UInt8, "tf.uint8")};
  if (p.type == "shape") return {fixed(Shape({2, 3}), "[2, 3]"), fixed(Shape({6}), "[6]")};
  if (p.type == "ints") {
    const auto ints = [](std::vector<int64_t> v, const char* text) { return fixed(std::move(v), text); };
    return {ints({1, 2, 2, 1}, "[1, 2, 2, 1]"),
            ints({1, 1, 1, 1}, "[1, 1, 1, 1]"),
            ints({2}, "[2]"),
            ints({0}, "[0]"),
            ints({2, 2}, "[2, 2]"),
            ints({1}, "[1]"),
            ints({1, 1}, "[1, 1]"),
            ints({1, 1, 1, 1, 1}, "[1, 1, 1, 1, 1]")};
  }
  if (p.type == "dtypes") return {fixed(ArgumentList{DType::Float}, "[tf.float32]")};
  if (p.type == "shapes") return {fixed(ArgumentList{Shape({2, 3})}, "[[2, 3]]")};
  if (p.type == "strings") return {fixed(ArgumentList{std::string("a"), std::string("b")}, "['a', 'b']")};
  if (p.type == "floats") return {fixed(ArgumentList{0.5}, "[0.5]")};
  return {};
}

struct Slot {
  const ApiParameter* parameter;
  std::vector<Candidate> candidates;
};

struct NamedValue {
  std::string name;
  const Candidate* value;
};

/// The graph of one call, if it builds anything; `before` may be null.
bool build(const ApiRecord& record, const std::vector<NamedValue>& values, const std::function<void(GraphBuilder&)>& before, ApiExample& out) {
  LoadedGraph loaded;
  loaded.format = GraphFormat::MetaBinary;
  std::string call = "tf." + record.name + "(";
  int first = 0;
  {
    GraphBuilder b(loaded.meta);
    if (before) before(b);
    Arguments arguments;
    for (size_t i = 0; i < values.size(); ++i) {
      const auto& [name, value] = values[i];
      arguments.set(name, value->make(b, name));
      const bool inOrder = i < 2 && i < record.parameters.size() && record.parameters[i].name == name;
      const ApiParameter* p = record.find(name);
      call += i ? ", " : "";
      call += value->text.empty() ? (p && p->variadic    ? "*" + name
                                     : i < 2 && !inOrder ? name + "=" + name
                                                         : name)
              : inOrder           ? value->text
                                  : name + "=" + value->text;
    }
    if (!b.ok()) return false;
    first = b.graph().size();
    if (!buildApi(b, record, std::move(arguments)).ok() || !b.ok()) return false;
  }
  std::set<std::string> ops;
  for (int id = first; id < loaded.meta.graph.size(); ++id)
    if (const Node* node = loaded.meta.graph.node(id)) ops.insert(node->op);
  if (ops.empty()) return false;  // only an argument was passed through: nothing to draw
  out.call = text(call + ")");
  for (const std::string& op : ops) out.ops << text(op);
  out.contents = makeContents(std::move(loaded));
  return true;
}

class Search {
 public:
  /// `more`: also fill parameters that default to None and are still needed (their names are listed below).
  Search(const ApiRecord& record, bool more) : record_(record) {
    for (const ApiParameter& p : record.parameters) {
      const bool none = p.otherwise && std::holds_alternative<std::monostate>(*p.otherwise);
      if (p.otherwise && !p.variadic &&
          !(more && none && has(p.name, {"strides", "padding", "ksize", "axis", "shape", "labels", "logits", "filters", "seq_len"})))
        continue;
      std::vector<Candidate> c = candidatesOf(p);
      if (c.empty()) possible_ = false;
      slots_.push_back({&p, std::move(c)});
    }
    chosen_.resize(slots_.size());
  }

  /// Tries combinations of candidates, likeliest first.
  ApiExamplePtr run() {
    auto out = std::make_shared<ApiExample>();
    for (int sum = 0; possible_ && sum < 40 && tries_ < kMostTries; ++sum) {
      reached_ = false;
      if (spread(0, sum, *out) || !reached_) break;
    }
    return out;
  }

 private:
  bool spread(size_t slot, int left, ApiExample& out) {
    if (slot == slots_.size()) {
      if (left > 0) return false;
      reached_ = true;
      return ++tries_ <= kMostTries && attempt(out);
    }
    const bool last = slot + 1 == slots_.size();
    for (int i = last ? left : 0; i <= left && tries_ < kMostTries; ++i) {
      if (size_t(i) >= slots_[slot].candidates.size()) {
        reached_ = true;  // larger sums may still be possible elsewhere
        break;
      }
      chosen_[slot] = i;
      if (spread(slot + 1, left - i, out)) return true;
    }
    return false;
  }

  bool attempt(ApiExample& out) {
    std::vector<NamedValue> values;
    for (size_t i = 0; i < slots_.size(); ++i) values.push_back({slots_[i].parameter->name, &slots_[i].candidates[size_t(chosen_[i])]});
    return build(record_, values, nullptr, out);
  }

  const ApiRecord& record_;
  std::vector<Slot> slots_;
  std::vector<int> chosen_;
  int tries_ = 0;
  bool possible_ = true, reached_ = false;
};

/// The graph of the written call; null if there is none or it does not fit.
ApiExamplePtr written(const ApiRecord& record) {
  const auto call = writtenCall(record);
  if (!call) return nullptr;
  std::vector<NamedValue> values;
  for (const WrittenCall::Part& part : call->arguments) values.push_back({part.parameter, &part.value});
  auto out = std::make_shared<ApiExample>();
  return build(record, values, call->before, *out) ? out : nullptr;
}

struct Cache {
  Mutex mutex;
  std::map<std::string, ApiExamplePtr> made WEFT_GUARDED_BY(mutex);
};
Cache& cache() {
  static Cache instance;
  return instance;
}

const ApiRecord* recordOf(const QString& name) { return ApiRegistry::instance().find(name.toStdString()); }

}  // namespace

ApiExamplePtr knownApiExample(const QString& name) {
  const ApiRecord* record = recordOf(name);
  if (!record) return nullptr;
  const MutexLock lock(cache().mutex);
  const auto it = cache().made.find(record->name);
  return it == cache().made.end() ? nullptr : it->second;
}

ApiExamplePtr apiExample(const QString& name) {
  const ApiRecord* record = recordOf(name);
  if (!record) return nullptr;
  if (ApiExamplePtr known = knownApiExample(name)) return known;
  ApiExamplePtr made = written(*record);
  if (!made) made = Search(*record, false).run();
  if (!made->contents) made = Search(*record, true).run();
  const MutexLock lock(cache().mutex);
  return cache().made.emplace(record->name, std::move(made)).first->second;
}

}  // namespace weft::app
