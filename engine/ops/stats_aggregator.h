#pragma once

#include <map>
#include <memory>
#include <string>

#include "kernel/session_state.h"
#include "summary/histogram.h"
#include "weft/mutex.h"

namespace weft {

class DatasetBase;

/// The statistics of one or more pipelines. Thread-safe.
class StatsAggregator final : public SessionResource {
 public:
  std::string kind() const override { return "statistics of data sets"; }
  void addToHistogram(const std::string& name, double value);
  void setScalar(const std::string& name, float value);
  /// All statistics so far, as a serialized Summary.
  std::string summary() const;

 private:
  mutable Mutex mutex_;
  std::map<std::string, HistogramCounter> histograms_ WEFT_GUARDED_BY(mutex_);
  std::map<std::string, float> scalars_ WEFT_GUARDED_BY(mutex_);
};

/// Where the data sets of a pipeline report to; nowhere if `to` is null.
struct StatsTarget {
  std::shared_ptr<StatsAggregator> to;
  std::string prefix;                                                      ///< Of all names, followed by "::"; may be empty.
  std::shared_ptr<const std::map<const DatasetBase*, std::string>> names;  ///< Of the data sets.

  explicit operator bool() const { return to != nullptr; }
  std::string nameOf(const DatasetBase& dataset) const;
  void addToHistogram(const std::string& name, double value) const { to->addToHistogram(withPrefix(name), value); }
  void setScalar(const std::string& name, float value) const { to->setScalar(withPrefix(name), value); }

 private:
  std::string withPrefix(const std::string& name) const { return prefix.empty() ? name : prefix + "::" + name; }
};

/// The names of TensorFlow's graph of a pipeline, "FilterDataset/_6": data sets and their inputs are numbered, inputs first.
std::map<const DatasetBase*, std::string> namesInGraph(const DatasetBase& last);

}  // namespace weft
