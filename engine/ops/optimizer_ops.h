#pragma once

#include <span>
#include <string>
#include <vector>

#include "device/cpu/hot_optimizers.h"
#include "ops/state_ops.h"

// The update ops of optimizers as data, and the checks that their kernels on all devices share.
namespace weft {

struct OptimizerOp {
  cpu::Optimizer optimizer;
  const char* name;         ///< "Adam": the ops are ApplyAdam, SparseApplyAdam, ResourceApplyAdam, ResourceSparseApplyAdam
  const char* method;       ///< for the summary
  int slots;                ///< leading inputs that are variables
  const char* dense;        ///< inputs of the dense op
  const char* sparse;       ///< of the sparse one; empty: there is none
  const char* flag;         ///< attribute that changes the formula, with its default; or empty
  bool byReference = true;  ///< there are ops for reference variables
  bool sixteenBits = true;  ///< half and bfloat16 kernels
};
WEFT_API std::span<const OptimizerOp> optimizerOps();

/// The inputs of an op by role.
struct OptimizerRoles {
  std::vector<std::string> names;
  std::vector<int> scalars;  ///< positions, in order
  int gradient = -1, indices = -1;
};
WEFT_API OptimizerRoles rolesOf(const OptimizerOp& op, bool sparse);
/// The value of the op's flag at a node.
WEFT_API bool flagOf(const OptimizerOp& op, const AttrMap& attrs);

/// INVALID_ARGUMENT unless all scalars of the op are scalars.
WEFT_API Status requireScalars(const KernelContext& c, const OptimizerRoles& roles);
/// Locks the variable and its slots. Errors if one is not initialised.
WEFT_API Result<std::vector<VariableUpdate>> lockSlots(KernelContext& c, const OptimizerOp& op, const OptimizerRoles& roles);
/// INVALID_ARGUMENT unless the slots have the variable's shape and, in a dense op, the gradient too.
WEFT_API Status checkSlots(const OptimizerOp& op, const OptimizerRoles& roles, std::vector<VariableUpdate>& updates, const Tensor& gradient);

}  // namespace weft
