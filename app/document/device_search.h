#pragma once

#include <QObject>
#include <functional>

namespace weft::app {

class Tasks;

/// Tells when the devices of this machine have been found. One for the process; GUI thread.
class DeviceNews : public QObject {
  Q_OBJECT

 public:
  static DeviceNews& instance();

 signals:
  void found();
};

/// Starts a task that looks for the devices of this machine, then calls `done` unless `receiver` was deleted. If they are already known, does nothing and does
/// not call `done`. GUI thread.
void searchDevices(Tasks& tasks, QObject* receiver, std::function<void()> done);

}  // namespace weft::app
