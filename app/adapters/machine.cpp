#include "adapters/machine.h"

#include <unistd.h>

#include <QCoreApplication>
#include <QThread>

#include "adapters/engine_graph.h"
#include "common/format.h"
#include "weft/session.h"

namespace weft::app {
namespace {
struct MachineText {
  Q_DECLARE_TR_FUNCTIONS(MachineText)
};
}  // namespace

QVector<QPair<QString, QString>> machineFacts() {
  // Devices are asked for once: looking for a GPU may load a driver.
  static const std::vector<DeviceInfo> devices = availableDevices();
  QString gpu = MachineText::tr("none found");
  for (const DeviceInfo& d : devices) {
    if (d.type == "GPU") gpu = text(d.description.empty() ? d.name : d.description);
  }
  const auto pages = [](int name) { return double(sysconf(name)) * double(sysconf(_SC_PAGESIZE)); };
  return {{MachineText::tr("CPU"), MachineText::tr("%1 threads").arg(QThread::idealThreadCount())},
          {MachineText::tr("GPU"), gpu},
          {MachineText::tr("Memory"), MachineText::tr("%1 of %2 free").arg(widgets::formatBytes(qint64(pages(_SC_AVPHYS_PAGES))), widgets::formatBytes(qint64(pages(_SC_PHYS_PAGES))))},
          {MachineText::tr("Engine"), text(engineVersion())}};
}

}  // namespace weft::app
