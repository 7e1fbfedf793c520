// The same training steps on each device of this machine.
#pragma once

#include <QPair>
#include <QString>
#include <QStringList>
#include <QVector>
#include <functional>
#include <memory>

#include "adapters/graph_contents.h"
#include "adapters/pass_times.h"

namespace weft::app {

/// What to measure.
struct DeviceRequest {
  GraphContentsPtr contents;
  QString title;                         ///< The document's.
  QString documentFolder;                ///< For a document's relative paths.
  QVector<QPair<QString, QString>> set;  ///< Settings of the next run; `device` does not matter.
  qint64 steps = 5;                      ///< On each device, after a few that do not count.
  int threads = 0;                       ///< Of the CPU; 0: all.
};

/// A training's times by device and layer, in nanoseconds per step. Immutable.
struct DeviceComparison {
  struct Device {
    QString name, description;  ///< "GPU:0", "NVIDIA H200"
    double stepNs = 0;          ///< Median.
    double copiesNs = 0;        ///< Copies between devices.
    double elsewhere = 0;       ///< Share of the time that ops without a kernel there took on other devices.
  };
  struct Layer {
    PassPart::Way way = PassPart::Way::Forward;
    QString scope;       ///< Empty: updates of variables.
    QVector<double> ns;  ///< By device; negative: nothing of it ran.
    QStringList nodes;   ///< Costliest first.
  };
  QString document;
  qint64 steps = 0;
  QVector<Device> devices;
  QVector<Layer> layers;  ///< Forward in order, backward in order, updates.
  QString advice;         ///< Which device to choose, and why.
};
using DeviceComparisonPtr = std::shared_ptr<const DeviceComparison>;

struct DeviceComparisonOutcome {
  DeviceComparisonPtr comparison;
  QString error;
};

/// Trains copies of the document; nothing is saved. Looks for devices if that was not done yet. `report` gets the share that is done; returning false cancels,
/// after the present step. Worker thread.
DeviceComparisonOutcome compareDevices(const DeviceRequest& request, const std::function<bool(double)>& report);

}  // namespace weft::app
