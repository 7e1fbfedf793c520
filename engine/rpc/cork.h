#pragma once

#include <memory>

namespace weft::rpc {

class Connection;

/// While one lives, what this thread asks and answers is gathered; it is sent when the outermost one ends. A thread that then waits for an answer sends first.
class Cork {
 public:
  Cork();
  ~Cork();
  Cork(const Cork&) = delete;
  Cork& operator=(const Cork&) = delete;
  /// Sends what was gathered and ends all of this thread's, before it does something long.
  static void end();

 private:
  friend class Connection;
  static bool active();
  static void remember(std::shared_ptr<Connection> connection);
  const unsigned generation_;
};

}  // namespace weft::rpc
