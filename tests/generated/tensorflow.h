#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "outcome.h"

namespace weft::generated {

/// TensorFlow 1.15 in a separate process, which runs graphs concurrently and is restarted when it dies.
class TensorFlow {
 public:
  /// `python` has TensorFlow 1.15; `script` is tensorflow_worker.py.
  TensorFlow(std::string python, std::string script) : python_(std::move(python)), script_(std::move(script)) {}
  ~TensorFlow() { stop(); }
  TensorFlow(const TensorFlow&) = delete;

  /// Submits a case.
  void send(const Case& one);
  /// Submitted cases whose results have not been taken.
  size_t underWay() const { return asked_.size(); }
  /// Whether the oldest of them has its answer.
  bool answered();
  /// TensorFlow's result for the oldest; nullopt if it died of the case or timed out. REQUIRES: underWay() > 0.
  std::optional<Outcome> receive();
  /// TensorFlow's result for this case, after those submitted before.
  std::optional<Outcome> run(const Case& one);

 private:
  struct Asked {
    std::string request;
    bool answered = false;
    std::optional<Outcome> outcome;
  };
  bool start();
  void stop();
  void died();           ///< The process and, with it, the oldest case without an answer.
  Asked* settle();       ///< That case, marked as answered; null if there is none.
  void move(bool wait);  ///< Writes and reads without blocking; `wait`: blocks until something was possible or the oldest case timed out.
  void answer(const std::string& bytes);
  std::string python_, script_;
  int pid_ = -1, in_ = -1, out_ = -1;
  std::deque<Asked> asked_;
  std::string outgoing_, incoming_;
  std::chrono::steady_clock::time_point since_;  // when the process began with the oldest
};

/// Why TensorFlow cannot judge a case (it has an op whose results there are random, or known to be wrong: README.md); empty if it can.
std::string notForTensorFlow(const Case& one);

}  // namespace weft::generated
