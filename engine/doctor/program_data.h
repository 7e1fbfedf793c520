#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "doctor/network.h"
#include "doctor/row_memory.h"
#include "weft/session.h"

namespace weft::doctor {

/// What the steps of a program are fed, or take from its input pipeline, and the rules on that and on what comes before the first step. Not synchronized.
class ProgramData {
 public:
  explicit ProgramData(const Network& net) : net_(net), memory_(net) {}

  using Report = std::function<void(DoctorFinding)>;
  /// Chooses what steps have to fetch for data that are not fed. `computes`: whether a step computes a node anyway.
  void choose(const std::function<bool(int node)>& computes);
  const std::vector<std::string>& tensors() const { return tensors_; }

  /// Before the first step: the graph, the initial weights, the first rows, and what the session makes of them if running it changes nothing. Runs of the session stop
  /// after one that takes longer than `most` seconds.
  void examine(Session& session, const std::vector<std::string>& names, std::span<const Tensor> values, double most, const Report& report);
  /// Whether more rows are wanted.
  bool wantsRows() const { return wants_; }
  /// The rows of a step; copied.
  void collect(Session& session, const std::vector<std::string>& names, const std::vector<Tensor>& values, const Report& report);
  /// Whether rows that were fed are to be remembered, and the rows of a step.
  bool remembers() const { return memory_.wants(); }
  /// What a step was fed with: a test on it says little.
  void trainedOn(const std::vector<std::string>& names, std::span<const Tensor> values);
  void remember(const std::vector<std::string>& names, std::span<const Tensor> values, const Report& report);
  /// The rules on the rows so far, if they were not judged yet.
  void finish(const Report& report);

  /// A number for the rows of a run; 0: it has none. Looks at a part of the values.
  uint64_t fingerprint(const std::vector<std::string>& names, std::span<const Tensor> values) const;
  /// Another run than a training step was fed: rows of the same tensors, if they are tests.
  void tested(const std::vector<std::string>& names, std::span<const Tensor> values);
  /// Whether one of the last training steps had these rows.
  bool wasTrainedOn(uint64_t print) const;

 private:
  struct Column {
    std::vector<Tensor> parts;
    bool fits = true;  // all parts have rows of one shape
  };
  void judge(const Report& report);
  void forward(Session& session, const std::vector<std::string>& names, std::span<const Tensor> values, const Report& report);

  const Network& net_;
  RowMemory memory_;
  bool alike_ = false;  // the weights of a layer
  std::vector<std::string> tensors_;
  std::map<std::string, Column> columns_;
  int64_t rows_ = 0, steps_ = 0;
  size_t bytes_ = 0;
  bool wants_ = true, tried_ = false;
  double mostSeconds_ = 0;
  /// The values of a tensor that is fed, in some training batches or tests.
  struct Spread {
    int64_t batches = 0;
    double lowest = INFINITY, highest = -INFINITY;      // mean of a batch
    double narrowest = INFINITY, widest = 0, mean = 0;  // deviation of a batch; of the last one
    void add(const Tensor& t);
  };
  void readSpreads(const Report& report) const;
  std::map<std::string, std::pair<Spread, Spread>> spreads_;  // training, tests
  /// Steps with one number of rows.
  struct Size {
    int64_t steps = 0;
    uint64_t first = 0;  // fingerprint
    bool again = false;  // the same rows came twice
  };
  void readSizes(const Report& report) const;
  std::map<int64_t, Size> sizes_;
  int64_t sameRows_ = 0, otherRows_ = 0;  // of all steps so far, while these are the same; of the largest test
  int64_t sameSteps_ = 0;
  std::vector<std::string> fed_;
  std::vector<uint64_t> trained_;  // fingerprints of the last steps
};

}  // namespace weft::doctor
