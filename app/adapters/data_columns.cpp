#include "adapters/data_columns.h"

#include <algorithm>
#include <set>

#include "adapters/edit_words.h"
#include "adapters/engine_graph.h"
#include "weft/edit.h"
#include "weft/op_traits.h"
#include "weft/train.h"

namespace weft::app {
namespace {

QString typeText(DType type, const Shape& shape) {
  QString dims;
  shapeText(shape, &dims);
  return (text(dtypeName(type)) + u' ' + dims).trimmed();
}

/// Placeholders that the training feeds itself.
std::set<std::string> fedOtherwise(const MetaGraph& meta) {
  std::set<std::string> out;
  const auto settings = trainingSettingsOf(meta);
  if (!settings.ok()) return out;
  for (const auto* feed : {&settings->trainFeed, &settings->evalFeed})
    for (const auto& [tensor, value] : *feed) out.insert(tensor.substr(0, tensor.find(':')));
  for (const LiveScalar& live : settings->live) out.insert(live.tensor.substr(0, live.tensor.find(':')));
  return out;
}

/// How likely a column belongs to a placeholder that it fits: the kind of type counts first, then equal rank.
int bigramSimilarity(const Tensor& column, DType type, const Shape& shape) {
  const bool sameKind = (isFloating(type) && !isInteger(column.dtype())) || (isInteger(type) && isInteger(column.dtype()));
  return (sameKind ? 2 : 0) + (shape.hasRank() && shape.rank() == column.rank() ? 1 : 0);
}
constexpr int kAlike = 3;

/// Proposes columns, likeliest first, for the placeholders without a match by name. Each column goes to one placeholder; only a column with the best score may
/// go to several.
void propose(DataColumns& out, const std::vector<std::vector<int>>& scores) {
  std::set<QString> taken;
  for (const DataColumns::Placeholder& p : std::as_const(out.placeholders)) taken.insert(p.proposed);
  for (const bool again : {false, true}) {
    for (int least = kAlike; least >= (again ? kAlike : 0); --least) {
      for (qsizetype i = 0; i < out.placeholders.size(); ++i) {
        DataColumns::Placeholder& p = out.placeholders[i];
        for (qsizetype c = 0; c < out.columns.size() && p.proposed.isEmpty(); ++c) {
          const QString& name = out.columns[c].name;
          if (scores[size_t(i)][size_t(c)] < least || (!again && taken.count(name))) continue;
          p.proposed = name;
          taken.insert(name);
        }
      }
    }
  }
}

}  // namespace

bool DataColumns::isCertain() const {
  return !placeholders.isEmpty() && std::all_of(placeholders.begin(), placeholders.end(), [](const Placeholder& p) { return p.byName; });
}

DataColumns dataColumnsOf(const GraphContents& contents, const QString& source, const QString& folder) {
  DataColumns out;
  const MetaGraph& meta = contents.engine->loaded.meta;
  DatasetBinding binding = bindingFor(meta, source);
  const auto data = loadDataset(binding, folder.toStdString());
  if (!data.ok()) {
    out.error = errorText(data.error());
    return out;
  }
  for (const auto& [name, values] : data->columns) out.columns.append({text(name), typeText(values.dtype(), values.shape())});
  const std::set<std::string> others = fedOtherwise(meta);
  std::vector<std::vector<int>> scores;  // -1: does not fit
  for (int id = 0; id < meta.graph.size(); ++id) {
    const Node* n = meta.graph.node(id);
    if (!n || !isPlaceholder(*n) || isOpenInput(*n) || others.count(n->name)) continue;
    const DType type = baseType(meta.graph.dtype({id, 0}));
    const Shape& shape = meta.graph.shape({id, 0});
    DataColumns::Placeholder p;
    p.tensor = text(n->name) + QStringLiteral(":0");
    p.type = typeText(type, shape);
    scores.emplace_back();
    const std::string last = n->name.substr(n->name.rfind('/') + 1);
    const auto bound = binding.placeholders.find(n->name + ":0");
    for (const auto& [name, values] : data->columns) {
      const bool fits = fitColumn(values, type, shape).ok();
      scores.back().push_back(fits ? bigramSimilarity(values, type, shape) : -1);
      if (!fits) continue;
      p.columns << text(name);
      const bool named = bound != binding.placeholders.end() ? bound->second == name : last == name || last.starts_with(name + "_");
      if (!named) continue;
      p.proposed = text(name);
      p.byName = true;
    }
    out.placeholders.append(std::move(p));
  }
  propose(out, scores);
  return out;
}

QString boundSource(const GraphContents& contents) {
  const auto bindings = datasetBindingsOf(contents.engine->loaded.meta);
  if (!bindings.ok() || bindings->empty()) return {};
  return text(bindings->front().builtin.empty() ? bindings->front().path : bindings->front().builtin);
}

}  // namespace weft::app
