#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "doctor/network.h"

namespace weft::doctor {

/// Some rows that a program's steps were fed, and their labels: whether a row that comes again has the same label. Not synchronized.
class RowMemory {
 public:
  explicit RowMemory(const Network& net);
  /// Whether more rows are wanted.
  bool wants() const { return wants_; }
  /// The rows of a step. A finding once a good part of the rows that came again had another label.
  std::optional<DoctorFinding> step(const std::vector<std::string>& names, const std::vector<Tensor>& values);

 private:
  const Network& net_;
  bool wants_ = false;
  std::string labels_, output_;  // tensors
  size_t bytes_ = 0;
  std::unordered_map<uint64_t, uint64_t> known_;
  int64_t again_ = 0, changed_ = 0, seen_ = 0;
};

}  // namespace weft::doctor
