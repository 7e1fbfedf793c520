#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "doctor/network.h"

namespace weft::doctor {

/// The single numbers that a measured step fetches: the parts of its loss, and the learning rate if the graph computes it. Not synchronized.
class LossParts {
 public:
  explicit LossParts(const Network& net) : net_(net) {}
  using Report = std::function<void(DoctorFinding)>;
  /// What to fetch, of the nodes that can be. Call it once.
  std::vector<std::string> tensors(const std::function<bool(int node)>& fetches);
  /// The values in a measured step, by tensors(); no value where it does not compute one.
  void values(int64_t step, const std::vector<Tensor>& t, const Report& report);

 private:
  struct Part {
    std::string name;
    enum class Kind { Penalty, Classes, Distance, Other } kind = Kind::Other;
  };
  Part::Kind kindOfPart(int node) const;
  /// Whether a part without data has something beside variables and single numbers: random numbers, a constant table, a cross entropy.
  bool drawn(int node) const;
  void rate(int64_t step, double now, const Report& report);

  const Network& net_;
  std::vector<Part> parts_;
  bool hasRate_ = false;
  std::string rateName_;
  double mostRate_ = 0, firstRate_ = -1, lastRate_ = 0;
  std::set<double> rates_;  // the first few of those that were seen
  int64_t changedAt_ = 0;   // step in which the rate was first seen as it is
  int64_t fellAt_ = 0;      // step in which the rate was a thousandth of its largest value
  int outweighed_ = 0, unequal_ = 0;
};

}  // namespace weft::doctor
