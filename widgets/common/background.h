// Runs work that is too slow for an event handler off the GUI thread.
#pragma once

#include <functional>

class QObject;

namespace weft::widgets {

/// Runs `work` on one of a few worker threads, in call order. A lock orders the hand-over of its captures. Any thread.
void inBackground(std::function<void()> work);

/// As above, then runs `done` on the GUI thread unless `receiver` has been destroyed by then. `done` runs after `work`, so both may use state shared through a
/// std::shared_ptr. GUI thread.
void inBackground(QObject* receiver, std::function<void()> work, std::function<void()> done);

}  // namespace weft::widgets
