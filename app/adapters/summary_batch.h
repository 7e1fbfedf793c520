// Summaries as plain values for the panels, made from the engine's events on the producing thread.
#pragma once

#include <QHash>
#include <QSet>
#include <QString>
#include <memory>
#include <variant>
#include <vector>

#include "adapters/plugin_entries.h"
#include "histogram/histogram_series.h"
#include "image_grid/picture_series.h"
#include "media/media_series.h"
#include "mesh/mesh_series.h"
#include "plot/series_store.h"
#include "pr_curves/pr_series.h"

namespace weft {
struct Event;
struct SummaryValue;
}  // namespace weft

namespace weft::app {

/// One tagged value of a step.
struct SummaryItem {
  QString tag;
  std::variant<widgets::Sample, widgets::Histogram, widgets::Picture, widgets::TextEntry, widgets::SoundClip, widgets::PrCurve, HParamsEntry, LayoutEntry,
               widgets::MeshPart>
      value;
};

/// New summaries of one run.
struct SummaryBatch {
  QString run;           ///< Path below the followed folder; empty: the folder itself. Not used by trainings.
  bool restart = false;  ///< The run's earlier data is invalid: discard it before taking the items.
  bool problemChanged = false;
  QString problem;  ///< Why no more data of the run arrives, one sentence; empty: no problem.
  std::vector<SummaryItem> items;
  qint64 others = 0;     ///< Number of values of kinds that no panel shows.
  QStringList warnings;  ///< On values that are not as their plugin requires, one sentence per tag.
};
using SummaryBatchPtr = std::shared_ptr<SummaryBatch>;

/// Values of many steps by kind and tag, as trainings deliver them: thousands of steps may end in a second, and the receiver looks up its place once per
/// column. A plain value.
struct SummaryColumns {
  struct Column {
    QString tag;
    std::variant<std::vector<widgets::Sample>, std::vector<widgets::Histogram>, std::vector<widgets::Picture>, std::vector<widgets::TextEntry>,
                 std::vector<widgets::SoundClip>, std::vector<widgets::PrCurve>, std::vector<HParamsEntry>, std::vector<LayoutEntry>,
                 std::vector<widgets::MeshPart>>
        values;
  };
  std::vector<Column> columns;
  qint64 others = 0;
  QStringList warnings;  ///< As in SummaryBatch.

  /// Moves the values and warnings out of `batch`.
  void add(SummaryBatch& batch);
  bool isEmpty() const { return columns.empty() && others == 0 && warnings.isEmpty(); }

 private:
  size_t next_ = 0;  // each step has the same tags in the same order as the one before
};

/// Turns events into items. Use one per run, because files state the kind of a tag only with its first value.
class SummaryDecoder {
 public:
  /// Appends the values of `event` to `batch`.
  void add(const Event& event, SummaryBatch& batch);

 private:
  void addPlugin(const SummaryValue& v, const QString& tag, const QString& plugin, double step, double wall, SummaryBatch& batch);

  void addMesh(const SummaryValue& v, const QString& tag, double step, double wall, SummaryBatch& batch);

  QHash<QString, QString> plugins_;              // by tag
  QHash<QString, widgets::MeshPart> meshParts_;  // by tag, without values; files have them only with the first value
  QSet<QString> warned_;                         // tags
};

}  // namespace weft::app
