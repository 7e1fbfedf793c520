#pragma once

#include <functional>

class QObject;

namespace weft::app {

class Tasks;

/// Starts a task that looks for the devices of this machine, then calls `done` unless `receiver` was deleted. If they are already known, does nothing and does
/// not call `done`. GUI thread.
void searchDevices(Tasks& tasks, QObject* receiver, std::function<void()> done);

}  // namespace weft::app
