// Measures how much of each activation of a training is saturated.
#pragma once

#include <QString>
#include <QVector>
#include <memory>

#include "adapters/graph_contents.h"
#include "adapters/trained_model.h"

namespace weft::app {

/// One activation at one step.
struct SaturationShare {
  QString node;
  QString op;         ///< `Relu`
  bool dead = false;  ///< Counts units that are zero for every sample; else outputs near an end of their range.
  qint64 counted = 0, all = 0;
  double share() const { return all > 0 ? double(counted) / double(all) : 0; }
};

/// Computes the activations that a document's loss depends on, always for the same 64 rows of its training data, with the training's present variables. Uses a
/// separate session, so the training is neither delayed nor changed.
///
/// Relu and Relu6: a unit (the last dim, or the channel of NCHW) that is zero for all rows and places is dead. Elu and Selu: counts outputs within 5 % of their
/// lower end. Tanh, Sigmoid, Softsign: counts outputs within 1 % of the range at either end.
class SaturationProbe {
 public:
  /// Reads the data and prepares the run: not for the GUI thread. On failure null, with the reason in `error`.
  static std::shared_ptr<SaturationProbe> make(const GraphContentsPtr& contents, const QString& folder, QString* error);
  ~SaturationProbe();
  /// Runs one forward pass. One thread at a time. `error` gets a sentence if there is no result. REQUIRES: `model` is of the newest training.
  QVector<SaturationShare> measure(const TrainedModel& model, qint64* step, QString* error);

 private:
  struct Impl;
  explicit SaturationProbe(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::app
