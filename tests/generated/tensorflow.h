#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "outcome.h"

namespace weft::generated {

/// TensorFlow 1.15 in a process of its own, which takes graph after graph while this one goes on, and is started again when it dies.
class TensorFlow {
 public:
  /// `python` has TensorFlow 1.15; `script` is tensorflow_worker.py.
  TensorFlow(std::string python, std::string script) : python_(std::move(python)), script_(std::move(script)) {}
  ~TensorFlow() { stop(); }
  TensorFlow(const TensorFlow&) = delete;

  /// Hands a case over.
  void send(const Case& one);
  /// Cases that were handed over and not taken back.
  size_t underWay() const { return asked_.size(); }
  /// Whether the oldest of them has its answer.
  bool answered();
  /// What TensorFlow gives for the oldest; nothing if it died of the case or did not answer in time. REQUIRES: underWay() > 0.
  std::optional<Outcome> receive();
  /// What it gives for this one, others before it.
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
  void move(bool wait);  ///< Writes and reads what can be; `wait`: until something could, or the oldest has had its time.
  void answer(const std::string& bytes);
  std::string python_, script_;
  int pid_ = -1, in_ = -1, out_ = -1;
  std::deque<Asked> asked_;
  std::string outgoing_, incoming_;
  std::chrono::steady_clock::time_point since_;  // when the process began with the oldest
};

/// Why a case is not for TensorFlow to judge (an op whose results there are chance, or known to be wrong: README.md); empty if it is.
std::string notForTensorFlow(const Case& one);

}  // namespace weft::generated
