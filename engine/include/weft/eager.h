#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "weft/attr.h"
#include "weft/graph.h"
#include "weft/op.h"
#include "weft/tensor.h"

namespace weft {

/// An op with its attributes and input types, ready to be called. Its random stream, if it has one, lives as long as this object. Thread-safe.
class EagerOp;

/// Runs single ops on their kernels at once: no graph, no plan, no session. Tensor arrays and stacks belong to the thread that makes them. Thread-safe.
class WEFT_API EagerRuntime {
 public:
  EagerRuntime();
  ~EagerRuntime();

  /// The op with these attributes; missing ones get their defaults, those that begin with '_' do not matter. The same object for the same arguments, until many
  /// others were prepared. INVALID_ARGUMENT for wrong attributes and for types without a kernel, UNIMPLEMENTED for reference arguments.
  Result<std::shared_ptr<EagerOp>> prepare(const OpRecord& record, const AttrMap& attrs);
  static const Node& nodeOf(const EagerOp& op);
  /// Whether a call may wait for other threads, or call functions of the program on them.
  static bool mayWait(const EagerOp& op);
  /// Whether the op makes a resource with a name of its own (an iterator, a variable). No later call is like it, so it is not worth keeping: its kernel holds
  /// the resource.
  static bool namesResource(const EagerOp& op);

  /// Calls the op. `outputs` gets its results; one without a value is dead (Switch). `liveInput`: of a Merge, the input that has a value.
  Status run(EagerOp& op, std::span<const Tensor* const> inputs, std::vector<Tensor>& outputs, int liveInput = -1);

  /// The functions that attributes of ops prepared from now on name.
  void setFunctions(std::shared_ptr<const FunctionLibrary> functions);
  /// Forgets all prepared ops, with their random streams.
  void forget();
  /// Frees tensor arrays and stacks of the calling thread.
  void clearStep();
  /// For a handle of a stack: a handle of another stack with the same elements, to be emptied instead. Any other tensor as it is.
  static Tensor withOwnStack(const Tensor& handle);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft
