#include "adapters/debug_feeds.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <random>
#include <unordered_set>

#include "adapters/debug_values.h"
#include "adapters/engine_graph.h"
#include "support/value_text.h"
#include "weft/dataset.h"
#include "weft/op_traits.h"
#include "weft/train.h"

namespace weft::app {
namespace {

constexpr uint32_t kSeed = 20;  // of random feeds; fixed, so that a run can be repeated

/// "random[2,64]": the word before the bracket, and the shape in it.
struct GeneratedFeed {
  std::string kind;
  std::optional<Shape> shape;
};

/// Empty if the word is itself a value.
Result<std::optional<GeneratedFeed>> parseGeneratedFeed(const std::string& word) {
  for (const char* kind : {"zeros", "ones", "random", "normal"}) {
    if (!word.starts_with(kind)) continue;
    std::string rest = word.substr(std::string_view(kind).size());
    if (rest.empty()) return std::optional(GeneratedFeed{kind, {}});
    if (rest.front() != '[' || rest.back() != ']') return std::optional<GeneratedFeed>();
    WEFT_LET(const Tensor dims, tensorFromWord(rest, DType::Int64));
    std::vector<int64_t> sizes;
    for (int64_t i = 0; i < dims.elements(); ++i) sizes.push_back(dims.asInt(i));
    for (const int64_t size : sizes)
      if (size < 0) return invalidArgument(word, ": a size is 0 or more, not ", size);
    return std::optional(GeneratedFeed{kind, Shape(sizes)});
  }
  return std::optional<GeneratedFeed>();
}

/// Replaces unknown dims by 1.
std::optional<Shape> filledIn(const Shape& shape) {
  if (!shape.hasRank()) return std::nullopt;
  std::vector<int64_t> dims;
  for (int i = 0; i < shape.rank(); ++i) dims.push_back(shape.dim(i) < 0 ? 1 : shape.dim(i));
  return Shape(dims);
}

bool put(Tensor& t, int64_t i, double v) {
  switch (t.dtype()) {
    case DType::Float: t.mutableData<float>()[i] = float(v); return true;
    case DType::Double: t.mutableData<double>()[i] = v; return true;
    case DType::Int32: t.mutableData<int32_t>()[i] = int32_t(v); return true;
    case DType::Int64: t.mutableData<int64_t>()[i] = int64_t(v); return true;
    case DType::Int16: t.mutableData<int16_t>()[i] = int16_t(v); return true;
    case DType::Int8: t.mutableData<int8_t>()[i] = int8_t(v); return true;
    case DType::UInt8: t.mutableData<uint8_t>()[i] = uint8_t(std::abs(v)); return true;
    case DType::Bool: t.mutableData<bool>()[i] = v != 0; return true;
    default: return false;
  }
}

Result<Tensor> make(const GeneratedFeed& word, DType dtype, const Shape& placeholder) {
  const std::optional<Shape> open = filledIn(placeholder);
  if (!word.shape && !open) return invalidArgument("its shape is not known: say it, as in ", word.kind, "[2,3]");
  const Shape shape = word.shape ? *word.shape : *open;
  if (!placeholder.compatibleWith(shape)) return invalidArgument(word.kind, shape.toString(), " does not fit, expected shape ", placeholder.toString());
  if (!isNumeric(dtype) && dtype != DType::Bool) return invalidArgument(word.kind, " makes numbers, and this is ", dtypeName(dtype));
  std::mt19937 generator(kSeed);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal;
  WEFT_LET(Tensor values, Tensor::allocate(dtype, shape));
  for (int64_t i = 0; i < shape.elements(); ++i) {
    double v = word.kind == "zeros" ? 0 : word.kind == "ones" ? 1 : word.kind == "random" ? uniform(generator) : normal(generator);
    if (!isFloating(dtype) && !isComplex(dtype)) v = word.kind == "random" ? std::floor(v * (dtype == DType::Bool ? 2 : 10)) : std::round(v);
    if (!put(values, i, v)) return invalidArgument(word.kind, " makes no ", dtypeName(dtype), " values");
  }
  return values;
}

/// The binding and column that feed a placeholder.
const DatasetBinding* bindingOf(const std::vector<DatasetBinding>& bindings, const std::string& tensor, std::string* column) {
  for (const DatasetBinding& b : bindings) {
    for (const auto& [name, from] : b.placeholders) {
      if ((name.find(':') == std::string::npos ? name + ":0" : name) != tensor) continue;
      *column = from;
      return &b;
    }
  }
  return nullptr;
}

Result<Tensor> sample(const MetaGraph& meta, const std::string& tensor, const std::string& word, DType dtype, const Shape& shape, const std::string& folder) {
  WEFT_LET(const auto bindings, datasetBindingsOf(meta));
  std::string name;
  const DatasetBinding* binding = bindingOf(bindings, tensor, &name);
  if (!binding) return invalidArgument("no data set of the document feeds it");
  int64_t rows = binding->batchSize;
  if (word.size() > 7) rows = std::atoll(word.c_str() + 7);
  if (rows < 1) return invalidArgument(word, ": expected sample or sample:N with N above 0");
  WEFT_LET(const Dataset data, loadDataset(*binding, folder));
  const Tensor* column = data.find(name);
  if (!column) return notFound("the data set has no column ", name);
  std::vector<int64_t> first(size_t(std::min(rows, data.size())));
  for (size_t i = 0; i < first.size(); ++i) first[i] = int64_t(i);
  WEFT_LET(const Tensor taken, takeRows(*column, first.data(), int64_t(first.size())));
  const auto scale = binding->options.find("scale");
  return fitColumn(taken, dtype, shape, scale == binding->options.end() ? 0 : std::atof(scale->second.c_str()));
}

}  // namespace

std::vector<std::string> sinksOf(const Graph& graph) {
  const auto consumers = graph.consumers();
  std::vector<std::string> out, updates;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* node = graph.node(id);
    if (!node || !node->record || !consumers[size_t(id)].empty()) continue;
    const OpRole role = roleOf(*node);
    if (role == OpRole::Group || role == OpRole::Assign || role == OpRole::ApplyGradient || role == OpRole::Save || role == OpRole::Restore ||
        role == OpRole::ProbeVariable)
      continue;
    (role == OpRole::Update ? updates : out).push_back(node->name);
  }
  // A graph that computes nothing else is there for its updates.
  return out.empty() ? updates : out;
}

Result<std::pair<std::string, Tensor>> feedFromWord(const MetaGraph& meta, const std::string& feed, const std::string& folder) {
  const size_t equals = feed.find('=');
  if (equals == std::string::npos || equals == 0) return invalidArgument(feed, ": expected TENSOR=VALUE");
  std::string name = feed.substr(0, equals);
  const std::string word = feed.substr(equals + 1);
  if (name.find(':') == std::string::npos) name += ":0";
  WEFT_LET(const Output o, meta.graph.findOutput(name));
  const DType dtype = baseType(meta.graph.dtype(o));
  const Shape& shape = meta.graph.shape(o);
  const auto at = [&](Result<Tensor> value) -> Result<std::pair<std::string, Tensor>> {
    if (!value.ok()) return Error(value.error()).atNode(name);
    return std::pair(name, std::move(*value));
  };
  if (word == "sample" || word.starts_with("sample:")) return at(sample(meta, name, word, dtype, shape, folder));
  auto made = parseGeneratedFeed(word);
  if (!made.ok()) return Error(made.error()).atNode(name);
  if (*made && (dtype != DType::String || (*made)->shape)) return at(make(**made, dtype, shape));
  return at(tensorFromWord(word, dtype, shape));
}

QVector<FeedSlot> feedSlots(const GraphContents& contents, const QStringList& fetches, const QStringList& targets) {
  const MetaGraph& meta = contents.engine->loaded.meta;
  const Graph& graph = meta.graph;
  std::vector<int> work;
  const auto begin = [&](const std::string& name) {
    if (const Node* node = graph.find(name.substr(0, name.rfind(':')))) work.push_back(node->id);
  };
  for (const QString& name : fetches + targets) begin(name.toStdString());
  if (fetches.isEmpty() && targets.isEmpty())
    for (const std::string& name : sinksOf(graph)) begin(name);
  std::unordered_set<int> seen(work.begin(), work.end());
  const auto bindings = datasetBindingsOf(meta);
  QVector<FeedSlot> out;
  while (!work.empty()) {
    const Node& node = *graph.node(work.back());
    work.pop_back();
    for (const Output& in : node.inputs)
      if (seen.insert(in.node).second) work.push_back(in.node);
    for (const int control : node.controls)
      if (seen.insert(control).second) work.push_back(control);
    if (!isPlaceholder(node)) continue;
    FeedSlot slot;
    slot.tensor = text(node.name) + QStringLiteral(":0");
    const DType dtype = baseType(node.outputTypes[0]);
    slot.dtype = text(dtypeName(dtype));
    slot.shape = text(node.outputShapes[0].toString());
    if (const auto filled = filledIn(node.outputShapes[0])) slot.example = text(filled->toString());
    slot.isNumber = isNumeric(dtype) || dtype == DType::Bool;
    std::string column;
    if (const DatasetBinding* b = bindings.ok() ? bindingOf(*bindings, slot.tensor.toStdString(), &column) : nullptr)
      slot.data = QStringLiteral("%1: %2").arg(text(b->kind == "builtin" ? b->builtin : b->path), text(column));
    out << slot;
  }
  std::sort(out.begin(), out.end(), [](const FeedSlot& a, const FeedSlot& b) { return a.tensor < b.tensor; });
  return out;
}

QString checkFeed(const GraphContents& contents, const QString& feed) {
  const QString word = feed.section(u'=', 1);
  if (word.endsWith(QLatin1String(".npy"))) {
    return QFileInfo::exists(word) ? QString() : QCoreApplication::translate("DebugFeeds", "There is no file %1.").arg(word);
  }
  if (word == QLatin1String("sample") || word.startsWith(QLatin1String("sample:"))) return {};
  if (word.isEmpty()) return QCoreApplication::translate("DebugFeeds", "%1 has no value yet.").arg(feed.section(u'=', 0, 0));
  const auto value = feedFromWord(contents.engine->loaded.meta, feed.toStdString(), {});
  return value.ok() ? QString() : errorText(value.error());
}

}  // namespace weft::app
