#pragma once

#include <functional>

class QObject;

namespace weft::app {

class Tasks;

/// Has the devices of this machine looked for beside the GUI thread, then calls `done` there unless `receiver` is gone by then. Does nothing,
/// and does not call `done`, if they are known already. GUI thread.
void searchDevices(Tasks& tasks, QObject* receiver, std::function<void()> done);

}  // namespace weft::app
