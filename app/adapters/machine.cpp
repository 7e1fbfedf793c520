#include "adapters/machine.h"

#include <unistd.h>

#include <QCoreApplication>
#include <QThread>
#include <atomic>

#include "adapters/engine_graph.h"
#include "common/format.h"
#include "weft/session.h"

namespace weft::app {
namespace {
struct MachineText {
  Q_DECLARE_TR_FUNCTIONS(MachineText)
};
std::atomic<const std::vector<DeviceInfo>*> known{nullptr};

/// The engine's reason; written before `known`.
std::string& reason() {
  static auto* text = new std::string;
  return *text;
}
}  // namespace

void lookForDevices() {
  static const std::vector<DeviceInfo> devices = availableDevices(&reason());
  known.store(&devices, std::memory_order_release);
}

bool devicesKnown() { return known.load(std::memory_order_acquire) != nullptr; }

QVector<QPair<QString, QString>> foundGpus() {
  QVector<QPair<QString, QString>> gpus;
  const std::vector<DeviceInfo>* devices = known.load(std::memory_order_acquire);
  for (const DeviceInfo& d : devices ? *devices : std::vector<DeviceInfo>()) {
    if (d.type == "GPU") gpus << qMakePair(text(d.name).section(QStringLiteral("device:"), -1), text(d.description));
  }
  return gpus;
}

QString whyNoGpus() {
  if (!devicesKnown()) return {};
  const QString why = text(reason()), start = QStringLiteral("no CUDA device: ");
  return why.startsWith(start) ? why.mid(start.size()) : why;
}

QVector<QPair<QString, QString>> machineFacts() {
  const std::vector<DeviceInfo>* devices = known.load(std::memory_order_acquire);
  QString gpu = !devices                ? MachineText::tr("searching…")
                : whyNoGpus().isEmpty() ? MachineText::tr("none found")
                                        : MachineText::tr("none found: %1").arg(whyNoGpus());
  for (const DeviceInfo& d : devices ? *devices : std::vector<DeviceInfo>()) {
    if (d.type == "GPU") gpu = text(d.description.empty() ? d.name : d.description);
  }
  const auto pages = [](int name) { return double(sysconf(name)) * double(sysconf(_SC_PAGESIZE)); };
  return {{MachineText::tr("CPU"), MachineText::tr("%1 threads").arg(QThread::idealThreadCount())},
          {MachineText::tr("GPU"), gpu},
          {MachineText::tr("Memory"),
           MachineText::tr("%1 of %2 free").arg(widgets::formatBytes(qint64(pages(_SC_AVPHYS_PAGES))), widgets::formatBytes(qint64(pages(_SC_PHYS_PAGES))))},
          {MachineText::tr("Engine"), text(engineVersion())}};
}

}  // namespace weft::app
