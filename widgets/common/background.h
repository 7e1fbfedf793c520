// Work beside the GUI thread, for things that take longer than a handler may.
#pragma once

#include <functional>

class QObject;

namespace weft::widgets {

/// Runs `work` on one of a few worker threads, in the order of the calls. What it captures is handed over under a lock. Any thread.
void inBackground(std::function<void()> work);

/// The same, and afterwards `done` on the GUI thread, unless `receiver` is gone by then. Both see what they share (through a std::shared_ptr)
/// one after the other. GUI thread.
void inBackground(QObject* receiver, std::function<void()> work, std::function<void()> done);

}  // namespace weft::widgets
