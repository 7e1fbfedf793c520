#pragma once

#include <string_view>
#include <vector>

#include "weft/error.h"
#include "weft/tensor.h"

namespace weft {

class MovedReads;

/// The registers of a loop's run (runtime/native_loop.h). Each has come, was never computed, or was given away; only what has come can be read, all
/// else is INTERNAL with the register's number and what became of it. So a part that was left out, an output that is dead, and a value
/// that moved on cannot be taken for a result, nor an empty tensor for a value.
class LoopRegisters {
 public:
  enum class State : uint8_t { NeverComputed, Here, GivenAway };

  /// `frame` outlives this.
  LoopRegisters(std::string_view frame, size_t count) : frame_(frame), values_(count), states_(count, State::NeverComputed) {}

  State state(int r) const { return states_[size_t(r)]; }
  /// What is handed in must be a value: INTERNAL for what is dead.
  [[nodiscard]] Status set(int r, Tensor value);
  Result<const Tensor*> at(int r) const;
  Result<Tensor> share(int r) const;
  /// The register is empty then.
  Result<Tensor> take(int r);
  /// Nobody reads it any more.
  void drop(int r);
  void follow(const MovedReads& moved);

 private:
  Error missing(int r) const;

  std::string_view frame_;
  std::vector<Tensor> values_;
  std::vector<State> states_;
};

}  // namespace weft
