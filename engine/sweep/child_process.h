#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "weft/error.h"

namespace weft::sweep {

/// A program whose standard output is read line by line. It is sent SIGTERM when the thread that started it ends. One thread.
class ChildProcess {
 public:
  /// `words`: the program's path and its arguments. NOT_FOUND if it cannot be started.
  static Result<ChildProcess> start(const std::vector<std::string>& words);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();  ///< Kills it, unless it has ended.

  enum class Event { Line, Nothing, End };
  /// Waits for a line, at most `wait`. End: its output is closed.
  Event next(std::string* line, std::chrono::milliseconds wait);
  void signal(int number);
  /// Resident memory now; 0 if unknown.
  int64_t residentBytes() const;

  struct Ended {
    int exit = 0;  ///< Status; −1 if a signal ended it.
    int signal = 0;
    int64_t peakBytes = 0;
    std::string lastError;  ///< The last line of its standard error.
  };
  Ended wait();

 private:
  ChildProcess(pid_t pid, int out, int err) : pid_(pid), out_(out), err_(err) {}
  void readErrors();
  pid_t pid_;
  int out_, err_;
  std::string buffer_, errors_;
  bool ended_ = false;
};

}  // namespace weft::sweep
