// Summaries as the panels take them: plain values, made of the engine's events on the thread where those arise.
#pragma once

#include <QHash>
#include <QString>
#include <memory>
#include <variant>
#include <vector>

#include "histogram/histogram_series.h"
#include "image_grid/picture_series.h"
#include "media/media_series.h"
#include "plot/series_store.h"

namespace weft {
struct Event;
}

namespace weft::app {

/// One tagged value of a step.
struct SummaryItem {
  QString tag;
  std::variant<widgets::Sample, widgets::Histogram, widgets::Picture, widgets::TextEntry, widgets::SoundClip> value;
};

/// News of one run.
struct SummaryBatch {
  QString run;           ///< Name below the folder that is followed; empty: the folder itself. Not used by trainings.
  bool restart = false;  ///< What is known of the run is no longer true: forget it before taking the items.
  bool problemChanged = false;
  QString problem;  ///< Why nothing more comes of the run, one sentence; empty: all is well.
  std::vector<SummaryItem> items;
  qint64 others = 0;  ///< Values of kinds that no panel shows.
};
using SummaryBatchPtr = std::shared_ptr<SummaryBatch>;

/// Values of many steps by kind and tag, as trainings hand them over: thousands of steps may end in a second, and whoever takes over a column looks for
/// its place once. A plain value.
struct SummaryColumns {
  struct Column {
    QString tag;
    std::variant<std::vector<widgets::Sample>, std::vector<widgets::Histogram>, std::vector<widgets::Picture>, std::vector<widgets::TextEntry>,
                 std::vector<widgets::SoundClip>>
        values;
  };
  std::vector<Column> columns;
  qint64 others = 0;

  /// Takes the values out of `batch`.
  void add(SummaryBatch& batch);
  bool isEmpty() const { return columns.empty() && others == 0; }

 private:
  size_t next_ = 0;  // a step tells the same tags in the same order as the one before
};

/// Turns events into items. Files tell the kind of a tensor's tag with its first value only, so there is one of these per run.
class SummaryDecoder {
 public:
  /// Appends the values of `event` to `batch`.
  void add(const Event& event, SummaryBatch& batch);

 private:
  QHash<QString, QString> plugins_;  // of tags
};

}  // namespace weft::app
