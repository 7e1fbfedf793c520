#include "cli/bench/workload.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "cli/feeds.h"
#include "cli/script.h"
#include "weft/arrays.h"
#include "weft/op_traits.h"
#include "weft/train.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kSeed = 1;
constexpr int kIntegersBelow = 10;  // also an index into small tables

/// A workload as make_bench.py writes it.
Result<Workload> readDescription(const std::string& path) {
  WEFT_LET(const std::string text, readTextFile(path));
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return invalidArgument("is no JSON object").inFile(path);
  const fs::path folder = fs::path(path).parent_path();
  std::map<std::string, std::string> words;
  struct Field {
    const char* key;
    bool isPath, needed;
  };
  for (const Field& f : {Field{"name", false, true}, Field{"graph", true, true}, Field{"restore", true, false}, Field{"feeds", true, false},
                         Field{"target", false, false}, Field{"fetch", false, true}}) {
    const auto value = json.find(f.key);
    if (value != json.end() && value->is_string()) words[f.key] = f.isPath ? (folder / value->get<std::string>()).string() : value->get<std::string>();
    else if (f.needed) return invalidArgument("lacks \"", f.key, "\"").inFile(path);
  }
  Workload w;
  w.name = words["name"];
  w.restore = words["restore"];
  w.fetches = {words["fetch"]};
  if (!words["target"].empty()) w.targets = {words["target"]};
  WEFT_LET(w.source, openRunSource(words["graph"], {}, std::nullopt));
  if (!words["feeds"].empty()) {
    WEFT_LET(w.feeds, loadNpz(words["feeds"]));
  }
  return w;
}

template <typename T, typename Draw>
void fill(Tensor& t, Draw&& draw) {
  T* out = t.mutableData<T>();
  for (int64_t i = 0; i < t.elements(); ++i) out[i] = T(draw());
}

/// Values for a placeholder without a feed: floats from 0 to 1, small integers.
Result<Tensor> randomValue(DType dtype, const Shape& shape, unsigned seed) {
  WEFT_LET(Tensor t, Tensor::allocate(dtype, shape));
  std::mt19937 random(seed);
  const auto real = [&random] { return double(random()) / 4294967296.0; };
  const auto whole = [&random] { return int(random() % kIntegersBelow); };
  switch (dtype) {
    case DType::Float: fill<float>(t, real); return t;
    case DType::Double: fill<double>(t, real); return t;
    case DType::Int32: fill<int32_t>(t, whole); return t;
    case DType::Int64: fill<int64_t>(t, whole); return t;
    case DType::UInt8: fill<uint8_t>(t, [&random] { return random() % 256; }); return t;
    case DType::Bool: fill<bool>(t, [&random] { return random() % 2 == 1; }); return t;
    default: return unimplemented("no values are made up for ", dtypeName(dtype), "; --feed gives it one");
  }
}

std::string tensorOfWord(const std::string& word) { return word.find(':') == std::string::npos ? word + ":0" : word; }

/// The shapes that --shape TENSOR=1,224,224,3 states.
Result<std::map<std::string, Shape>> statedShapes(const Workload& w, const std::vector<std::string>& words) {
  std::map<std::string, Shape> out;
  for (const std::string& word : words) {
    const std::string asFeed = byInputs(w.source.signature, word);
    const size_t equals = asFeed.find('=');
    std::vector<int64_t> dims;
    for (size_t at = equals; at < asFeed.size(); at = asFeed.find(',', at + 1)) {
      if (at + 1 == asFeed.size() && at == equals) break;  // a scalar
      size_t used = 0;
      int64_t dim = -1;
      try {
        dim = std::stoll(asFeed.substr(at + 1), &used);
      } catch (const std::exception&) {
        used = 0;
      }
      const size_t end = at + 1 + used;
      if (used == 0 || dim < 0 || (end < asFeed.size() && asFeed[end] != ',')) return invalidArgument("--shape ", word, ": expected TENSOR=1,224,224,3");
      dims.push_back(dim);
    }
    if (equals == std::string::npos) return invalidArgument("--shape ", word, ": expected TENSOR=1,224,224,3");
    out[tensorOfWord(asFeed.substr(0, equals))] = Shape(dims);
  }
  return out;
}

/// Feeds random values to the tensors with a stated shape, and to the placeholders that the step then needs and nobody feeds.
Status makeUpFeeds(Workload* w, const std::vector<std::string>& shapeWords) {
  WEFT_LET(const auto stated, statedShapes(*w, shapeWords));
  const Graph& graph = w->source.meta.graph;
  unsigned seed = kSeed;
  const auto feed = [&](const std::string& tensor, DType dtype, const Shape& shape) -> Status {
    auto value = randomValue(baseType(dtype), shape, seed++);
    if (!value.ok()) return Error(value.error()).atNode(tensor);
    w->feeds.emplace_back(tensor, std::move(*value));
    w->notes.push_back(concat("random values are fed to ", tensor, " ", shape.toString()));
    return {};
  };
  for (const auto& [tensor, shape] : stated) {
    WEFT_LET(const Output o, graph.findOutput(tensor));
    WEFT_TRY(feed(tensor, graph.dtype(o), shape));
  }
  WEFT_LET(const std::vector<int> needed, neededNodes(graph, w->feedNames(), w->fetches, w->targets));
  for (const int id : needed) {
    const Node& n = *graph.node(id);
    if (roleOf(n) != OpRole::Placeholder) continue;
    const std::string tensor = n.name + ":0";
    Shape shape = n.outputShapes[0];
    if (shape.hasRank() && shape.rank() > 0 && shape.dim(0) < 0) {  // a batch of one
      std::vector<int64_t> dims(size_t(shape.rank()));
      for (int i = 0; i < shape.rank(); ++i) dims[size_t(i)] = i == 0 ? 1 : shape.dim(i);
      shape = Shape(dims);
    }
    if (!shape.isFullyKnown())
      return Error(invalidArgument("its shape is ", n.outputShapes[0].toString(), "; --feed ", tensor, "=… or --shape ", tensor, "=… is needed"))
          .atNode(n.name);
    WEFT_TRY(feed(tensor, n.outputTypes[0], shape));
  }
  return {};
}

/// The outputs that nothing reads.
std::vector<std::string> leavesOf(const Graph& graph) {
  const auto consumers = graph.consumers();
  std::vector<std::string> out;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || !consumers[size_t(id)].empty() || n->outputTypes.empty() || roleOf(*n) == OpRole::Placeholder || roleOf(*n) == OpRole::Constant) continue;
    for (size_t k = 0; k < n->outputTypes.size(); ++k) out.push_back(concat(n->name, ":", k));
  }
  return out;
}

Result<Workload> readGraph(const std::string& path, const Arguments& args) {
  Workload w;
  w.name = fs::path(path).filename().string();
  WEFT_LET(w.source, openRunSource(path, {}, std::nullopt));
  w.init = args.value("--init").value_or("");
  w.restore = args.value("--restore").value_or("");
  w.targets = args.values("--target");
  std::vector<std::string> words = args.values("--feed");
  for (std::string& word : words) word = byInputs(w.source.signature, word);
  WEFT_LET(w.feeds, parseFeeds(words, w.source.meta.graph));
  for (const std::string& fetch : args.values("--fetch")) w.fetches.push_back(tensorOfWord(byOutputs(w.source.signature, fetch)));
  if (w.fetches.empty() && w.targets.empty())
    for (const auto& [key, tensor] : w.source.signature.outputs) w.fetches.push_back(tensor);
  if (w.fetches.empty() && w.targets.empty()) w.fetches = leavesOf(w.source.meta.graph);
  if (w.fetches.empty() && w.targets.empty()) return invalidArgument("nothing to compute: --fetch or --target names it").inFile(path);
  WEFT_TRY(makeUpFeeds(&w, args.values("--shape")));
  return w;
}

}  // namespace

std::vector<std::string> Workload::feedNames() const {
  std::vector<std::string> out;
  for (const auto& [name, value] : feeds) out.push_back(name);
  return out;
}

std::vector<Tensor> Workload::feedValues() const {
  std::vector<Tensor> out;
  for (const auto& [name, value] : feeds) out.push_back(value);
  return out;
}

Result<Workload> readWorkload(const std::string& path, const Arguments& args) {
  const auto start = std::chrono::steady_clock::now();
  auto w = fs::path(path).extension() == ".json" ? readDescription(path) : readGraph(path, args);
  if (!w.ok()) return w;
  w->file = path;
  w->readMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return w;
}

Result<std::unique_ptr<Session>> openSession(const Workload& w, const SessionOptions& options) {
  WEFT_LET(auto session, Session::create(w.source.meta.graph, options));
  if (!w.init.empty()) WEFT_TRY(session->run({}, {}, {w.init}, interruptible()).status());
  WEFT_TRY(initialise(*session, w.source, w.restore, interruptible()));
  return session;
}

Result<std::vector<int>> neededNodes(const Graph& graph, const std::vector<std::string>& feeds, const std::vector<std::string>& fetches,
                                     const std::vector<std::string>& targets) {
  std::set<Output> fed;
  for (const std::string& name : feeds) {
    WEFT_LET(const Output o, graph.findOutput(name));
    fed.insert(o);
  }
  std::vector<char> needed(size_t(graph.size()), 0);
  std::vector<int> open;
  const auto reach = [&](int id) {
    if (!needed[size_t(id)]) open.push_back(id);
    needed[size_t(id)] = 1;
  };
  for (const std::string& name : fetches) {
    WEFT_LET(const Output o, graph.findOutput(name));
    if (!fed.contains(o)) reach(o.node);
  }
  for (const std::string& name : targets) {
    const Node* n = graph.find(name);
    if (!n) return notFound("there is no op ", name, " to run");
    reach(n->id);
  }
  while (!open.empty()) {
    const Node& n = *graph.node(open.back());
    open.pop_back();
    for (const Output& input : n.inputs)
      if (!fed.contains(input)) reach(input.node);
    for (const int c : n.controls) reach(c);
  }
  WEFT_LET(std::vector<int> order, graph.topologicalOrder());
  std::erase_if(order, [&](int id) { return !needed[size_t(id)]; });
  return order;
}

}  // namespace weft::cli
