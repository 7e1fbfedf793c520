#include "document/device_search.h"

#include <QCoreApplication>
#include <QPointer>

#include "adapters/machine.h"
#include "adapters/tasks.h"

namespace weft::app {
namespace {
struct DeviceSearch {
  Q_DECLARE_TR_FUNCTIONS(DeviceSearch)
};
}  // namespace

DeviceNews& DeviceNews::instance() {
  static auto* news = new DeviceNews;  // outlives every window
  return *news;
}

void searchDevices(Tasks& tasks, QObject* receiver, std::function<void()> done) {
  if (devicesKnown()) return;
  tasks.start(
      DeviceSearch::tr("Looking for devices"), [](TaskState&) { lookForDevices(); },
      [guard = QPointer<QObject>(receiver), done = std::move(done)] {
        if (guard && done) done();
        emit DeviceNews::instance().found();
      });
}

}  // namespace weft::app
