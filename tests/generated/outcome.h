#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "case.h"
#include "weft/debug.h"
#include "weft/session.h"

namespace weft::generated {

/// The result of one step: a value per fetch, or the error.
struct StepOutcome {
  Code code = Code::Ok;
  std::string message, node;
  std::vector<Tensor> values;
};

/// The results of a case by step. Nothing runs after a failed step, because its partial writes are undefined.
struct Outcome {
  StepOutcome load;                       ///< Ok unless the graph itself was refused.
  std::vector<StepOutcome> steps;         ///< If none failed, the last one has the final variables, by name.
  std::map<std::string, int64_t> passes;  ///< How many plans a pass changed.
  std::shared_ptr<const Outcome> beside;  ///< The outcome of a second session that ran concurrently; checked in the same way.
};

/// A working directory with a case's files, removed by the destructor; no effect for a case without files.
class WorkingDirectory {
 public:
  explicit WorkingDirectory(const std::map<std::string, std::string>& files);
  ~WorkingDirectory();
  WorkingDirectory(const WorkingDirectory&) = delete;
  WorkingDirectory& operator=(const WorkingDirectory&) = delete;

 private:
  std::filesystem::path here_, before_;
};

/// How long a step may take, in milliseconds, for as long as an object lives; 20 seconds without one.
class Patience {
 public:
  explicit Patience(int64_t ms) : before_(now_) { now_ = ms; }
  ~Patience() { now_ = before_; }
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;
  static int64_t ms() { return now_; }

 private:
  inline static int64_t now_ = 20000;
  int64_t before_;
};

/// How a case is run.
struct Way {
  std::string name;
  std::vector<std::string> without = {};  ///< Passes.
  int threads = 1;
  StepController* controller = nullptr;
  int64_t timeoutMs = Patience::ms();
};

/// Runs all steps in a new session.
Outcome runCase(const Case& one, const Way& way);

/// The first difference of two outcomes. Empty `what`: none.
struct Difference {
  std::string what;         ///< One readable line.
  int step = -1;            ///< -1: loading, or the final variables.
  int fetch = -1;           ///< -1: the step's error.
  bool isRounding = false;  ///< Values of floating-point type only, of the same shape: to be judged by how well the graph is conditioned.
};

/// Allowed deviation of a fetch's values per element; empty: none.
using Allowance = std::function<std::vector<double>(int step, int fetch)>;

/// Bits must be the same (NaN counts as NaN, 0 as -0), unless `allowance` is given. Infinite allowance: that element is not compared.
Difference compare(const Outcome& got, const Outcome& want, const Allowance& allowance = {});

/// An element as a double and the imaginary part after it.
double partOf(const Tensor& t, int64_t i, bool imaginary);

}  // namespace weft::generated
