#pragma once

#include <memory>
#include <optional>
#include <string>

#include "outcome.h"

namespace weft::generated {

/// TensorFlow 1.15 in a process of its own, which takes graph after graph and is started again when it dies.
class TensorFlow {
 public:
  /// `python` has TensorFlow 1.15; `script` is tensorflow_worker.py.
  TensorFlow(std::string python, std::string script) : python_(std::move(python)), script_(std::move(script)) {}
  ~TensorFlow() { stop(); }
  TensorFlow(const TensorFlow&) = delete;

  /// What TensorFlow gives; nothing if it died of the case or did not answer in time.
  std::optional<Outcome> run(const Case& one);
  int64_t deaths() const { return deaths_; }

 private:
  bool start();
  void stop();
  bool read(void* into, size_t bytes);
  std::string python_, script_;
  int pid_ = -1, in_ = -1, out_ = -1;
  int64_t deaths_ = 0, served_ = 0;
};

/// Why a case is not for TensorFlow to judge (an op whose results there are chance, or known to be wrong: README.md); empty if it is.
std::string notForTensorFlow(const Case& one);

}  // namespace weft::generated
