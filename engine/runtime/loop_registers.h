#pragma once

#include <string_view>
#include <vector>

#include "weft/error.h"
#include "weft/tensor.h"

namespace weft {

class MovedReads;

/// The registers of a running loop (runtime/native_loop.h). Each is present, was never computed, or was given away. Only present ones can be read; any
/// other read is INTERNAL, naming the register and its state. So a skipped part, a dead output or a moved value is never mistaken for a result.
class LoopRegisters {
 public:
  enum class State : uint8_t { NeverComputed, Here, GivenAway };

  /// `frame` outlives this.
  LoopRegisters(std::string_view frame, size_t count) : frame_(frame), values_(count), states_(count, State::NeverComputed) {}

  State state(int r) const { return states_[size_t(r)]; }
  /// INTERNAL if `value` is dead (has no value).
  [[nodiscard]] Status set(int r, Tensor value);
  Result<const Tensor*> at(int r) const;
  Result<Tensor> share(int r) const;
  /// Moves the value out; the register then counts as given away.
  Result<Tensor> take(int r);
  /// Releases a register that is not read again.
  void drop(int r);
  void follow(const MovedReads& moved);

 private:
  Error missing(int r) const;

  std::string_view frame_;
  std::vector<Tensor> values_;
  std::vector<State> states_;
};

}  // namespace weft
