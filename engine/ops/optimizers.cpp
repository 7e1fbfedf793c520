#include <sstream>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "ops/optimizer_ops.h"
#include "tensor/element_types.h"

// The update ops of optimizers: Apply*, SparseApply*, and both for resource variables. Each table row defines an optimizer; its formula is in
// device/cpu/optimizer_steps.h. The dense and the sparse op of an optimizer differ only in the order of inputs.
namespace weft {
namespace {

using cpu::Optimizer;

const OptimizerOp kOptimizers[] = {
    {Optimizer::GradientDescent, "GradientDescent", "gradient descent", 1, "var alpha delta", "", ""},
    {Optimizer::ProximalGradientDescent, "ProximalGradientDescent", "proximal gradient descent (L1 and L2 regularization)", 1, "var alpha l1 l2 delta",
     "var alpha l1 l2 grad indices", "", true, false},
    {Optimizer::Momentum, "Momentum", "gradient descent with momentum", 2, "var accum lr grad momentum", "var accum lr grad indices momentum",
     "use_nesterov: bool = false"},
    {Optimizer::KerasMomentum, "KerasMomentum", "gradient descent with momentum, with the learning rate applied inside the momentum", 2,
     "var accum lr grad momentum", "var accum lr grad indices momentum", "use_nesterov: bool = false", false},
    {Optimizer::Adagrad, "Adagrad", "Adagrad", 2, "var accum lr grad", "var accum lr grad indices", "update_slots: bool = true"},
    {Optimizer::AdagradV2, "AdagradV2", "Adagrad with an epsilon in the denominator", 2, "var accum lr epsilon grad", "var accum lr epsilon grad indices",
     "update_slots: bool = true"},
    {Optimizer::AdagradDA, "AdagradDA", "Adagrad dual averaging", 3, "var gradient_accumulator gradient_squared_accumulator grad lr l1 l2 global_step",
     "var gradient_accumulator gradient_squared_accumulator grad indices lr l1 l2 global_step", "", true, false},
    {Optimizer::ProximalAdagrad, "ProximalAdagrad", "proximal Adagrad (L1 and L2 regularization)", 2, "var accum lr l1 l2 grad",
     "var accum lr l1 l2 grad indices", "", true, false},
    {Optimizer::Adadelta, "Adadelta", "Adadelta", 3, "var accum accum_update lr rho epsilon grad", "var accum accum_update lr rho epsilon grad indices", ""},
    {Optimizer::Adam, "Adam", "Adam", 3, "var m v beta1_power beta2_power lr beta1 beta2 epsilon grad", "", "use_nesterov: bool = false"},
    {Optimizer::AdamWithAmsgrad, "AdamWithAmsgrad", "Adam with AMSGrad", 4, "var m v vhat beta1_power beta2_power lr beta1 beta2 epsilon grad", "", "", false},
    {Optimizer::AdaMax, "AdaMax", "AdaMax", 3, "var m v beta1_power lr beta1 beta2 epsilon grad", "", ""},
    {Optimizer::RMSProp, "RMSProp", "RMSProp", 3, "var ms mom lr rho momentum epsilon grad", "var ms mom lr rho momentum epsilon grad indices", ""},
    {Optimizer::CenteredRMSProp, "CenteredRMSProp", "centered RMSProp", 4, "var mg ms mom lr rho momentum epsilon grad",
     "var mg ms mom lr rho momentum epsilon grad indices", ""},
    {Optimizer::AddSign, "AddSign", "AddSign", 2, "var m lr alpha sign_decay beta grad", "", ""},
    {Optimizer::PowerSign, "PowerSign", "PowerSign", 2, "var m lr logbase sign_decay beta grad", "", ""},
    {Optimizer::Ftrl, "Ftrl", "FTRL-proximal", 3, "var accum linear grad lr l1 l2 lr_power", "var accum linear grad indices lr l1 l2 lr_power", ""},
    {Optimizer::FtrlV2, "FtrlV2", "FTRL-proximal with L2 shrinkage", 3, "var accum linear grad lr l1 l2 l2_shrinkage lr_power",
     "var accum linear grad indices lr l1 l2 l2_shrinkage lr_power", ""},
};

}  // namespace

std::span<const OptimizerOp> optimizerOps() { return kOptimizers; }

OptimizerRoles rolesOf(const OptimizerOp& op, bool sparse) {
  OptimizerRoles roles;
  std::istringstream in(sparse ? op.sparse : op.dense);
  for (std::string name; in >> name;) {
    const int i = int(roles.names.size());
    if (name == "grad" || name == "delta") roles.gradient = i;
    else if (name == "indices") roles.indices = i;
    else if (i >= op.slots) roles.scalars.push_back(i);
    roles.names.push_back(std::move(name));
  }
  return roles;
}

bool flagOf(const OptimizerOp& op, const AttrMap& attrs) {
  const std::string_view flag = op.flag;
  return !flag.empty() && attrs.flag(flag.substr(0, flag.find(':')), flag.ends_with("true"));
}

Status requireScalars(const KernelContext& c, const OptimizerRoles& roles) {
  for (const int i : roles.scalars) {
    const Shape& shape = c.input(i).shape();
    if (!shape.isScalar()) return invalidArgument(roles.names[size_t(i)], " is not a scalar: ", shape.toString());
  }
  return {};
}

Result<std::vector<VariableUpdate>> lockSlots(KernelContext& c, const OptimizerOp& op, const OptimizerRoles& roles) {
  const auto locked = [&](std::initializer_list<int> inputs) -> Result<std::vector<VariableUpdate>> {
    WEFT_TRY(requireInitialized(c, inputs, c.input(roles.gradient).dtype(), invalidVariableReference));
    return c.update(inputs);
  };
  switch (op.slots) {
    case 1: return locked({0});
    case 2: return locked({0, 1});
    case 3: return locked({0, 1, 2});
    default: return locked({0, 1, 2, 3});
  }
}

Status checkSlots(const OptimizerOp& op, const OptimizerRoles& roles, std::vector<VariableUpdate>& updates, const Tensor& gradient) {
  const Shape& var = updates[0].shape();
  const auto differs = [&](int input, const Shape& shape) {
    return invalidArgument("var and ", roles.names[size_t(input)], " do not have the same shape", var.toString(), " ", shape.toString());
  };
  for (int k = 1; k < op.slots; ++k)
    if (!(updates[size_t(k)].shape() == var)) return differs(k, updates[size_t(k)].shape());
  if (roles.indices < 0 && !(gradient.shape() == var)) return differs(roles.gradient, gradient.shape());
  return {};
}

namespace {

constexpr int kMaxSlots = 4, kMaxScalars = 8;
constexpr int64_t kOptimizerGrain = 1 << 14;

class OptimizerKernel final : public Kernel {
 public:
  OptimizerKernel(const OptimizerOp& op, bool sparse, bool resource, KernelInit& init) : op_(op), roles_(rolesOf(op, sparse)), resource_(resource) {
    flag_ = flagOf(op, init.attrs());
  }

  Status compute(KernelContext& c) override {
    WEFT_TRY(requireScalars(c, roles_));
    double values[kMaxScalars];
    for (size_t k = 0; k < roles_.scalars.size(); ++k) values[k] = c.input(roles_.scalars[k]).asDouble(0);
    WEFT_LET(auto updates, lockSlots(c, op_, roles_));
    const Tensor& gradient = c.input(roles_.gradient);
    std::vector<int64_t> rows;
    WEFT_TRY(checkShapes(c, updates, gradient, rows));
    WEFT_TRY(checkParameters(values));
    withFloat(gradient.dtype(), [&]<typename T>(std::type_identity<T>) {
      T scalars[kMaxScalars];
      for (size_t k = 0; k < roles_.scalars.size(); ++k) scalars[k] = T(values[k]);
      const cpu::OptimizerStep<T> step = cpu::optimizerStep<T>(op_.optimizer);
      run<T>(updates, gradient, rows, [&](T* const* s, const T* g, int64_t n) { step(s, g, scalars, flag_, long(n)); });
    });
    if (!resource_) c.forwardRef(0, 0);
    return {};
  }

 private:
  /// The proximal methods divide by rates and take roots. Parameters that TensorFlow refuses would write NaN into the variable.
  Status checkParameters(const double* values) const {
    if (op_.optimizer != Optimizer::Ftrl && op_.optimizer != Optimizer::FtrlV2 && op_.optimizer != Optimizer::ProximalAdagrad) return {};
    for (size_t k = 0; k < roles_.scalars.size(); ++k) {
      const std::string& name = roles_.names[size_t(roles_.scalars[k])];
      const double v = values[k];
      if (name == "lr" && !(v > 0)) return invalidArgument("lr is not a positive scalar: [] of ", v);
      if (name == "lr_power" && !(v <= 0)) return invalidArgument("lr_power is not a non-positive scalar: [] of ", v);
      const bool shrinkage = name == "l2_shrinkage";
      if ((name == "l1" || name == "l2" || shrinkage) && !(v >= 0))
        return invalidArgument(shrinkage ? "l2 shrinkage" : name, " regularization strength is not a non-negative scalar: [] of ", v);
    }
    return {};
  }

  /// `rows` gets the indices of a sparse op.
  Status checkShapes(KernelContext& c, std::vector<VariableUpdate>& updates, const Tensor& gradient, std::vector<int64_t>& rows) const {
    WEFT_TRY(checkSlots(op_, roles_, updates, gradient));
    if (roles_.indices < 0) return {};
    const Shape& var = updates[0].shape();
    if (var.rank() < 1) return invalidArgument("var must be at least 1 dimensional");
    const Tensor& indices = c.input(roles_.indices);
    if (indices.rank() != 1) return invalidArgument("indices must be one-dimensional");
    for (int d = 1; d < var.rank(); ++d)
      if (d >= gradient.rank() || var.dim(d) != gradient.dim(d)) return invalidArgument("var and grad must match in dimension ", d);
    if (gradient.rank() != var.rank() || gradient.dim(0) != indices.dim(0))
      return invalidArgument("grad must be the same size as indices in the first dimension.");
    rows.resize(size_t(indices.elements()));
    for (size_t i = 0; i < rows.size(); ++i) {
      rows[i] = indices.asInt(int64_t(i));
      if (rows[i] < 0 || rows[i] >= var.dim(0)) return invalidArgument("Index ", rows[i], " at offset ", i, " in indices is out of range");
    }
    return {};
  }

  /// Calls step(slots, gradient, n) for spans that cover all elements, or all rows with their indices in order.
  template <typename T, typename Step>
  void run(std::vector<VariableUpdate>& updates, const Tensor& gradient, const std::vector<int64_t>& rows, Step&& step) const {
    T* slots[kMaxSlots] = {};
    for (int k = 0; k < op_.slots; ++k) slots[k] = elementsOf<T>(updates[size_t(k)].value());
    const T* g = elementsOf<T>(gradient);
    if (roles_.indices < 0) {
      parallelFor(gradient.elements(), kOptimizerGrain, [&](int64_t begin, int64_t end) {
        T* part[kMaxSlots];
        for (int k = 0; k < op_.slots; ++k) part[k] = slots[k] + begin;
        step(part, g + begin, end - begin);
      });
      return;
    }
    const Shape& shape = updates[0].shape();
    const int64_t count = shape.dim(0), width = shape.slice(1).elements();
    // Each part owns a range of rows: equal indices are processed in one thread, in order.
    const int64_t grain = int64_t(rows.size()) * width < kOptimizerGrain ? count : std::max<int64_t>(1, count / 16);
    parallelFor(count, grain, [&](int64_t begin, int64_t end) {
      T* part[kMaxSlots];
      for (size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] < begin || rows[i] >= end) continue;
        for (int k = 0; k < op_.slots; ++k) part[k] = slots[k] + rows[i] * width;
        step(part, g + int64_t(i) * width, width);
      }
    });
  }

  const OptimizerOp& op_;
  const OptimizerRoles roles_;
  const bool resource_;
  bool flag_ = false;
};

/// All variables and the gradient have the same shape; scalars are scalars; a sparse gradient has the variable's rows.
Status optimizerShape(ShapeContext& c, const OptimizerOp& op, bool sparse, bool resource) {
  const OptimizerRoles roles = rolesOf(op, sparse);
  const auto variable = [&](int i) { return resource ? handleShape(c, i) : c.input(i); };
  Shape shape = variable(0);
  for (int k = 1; k < op.slots; ++k) {
    WEFT_LET(shape, c.merge(shape, variable(k)));
  }
  for (const int i : roles.scalars) WEFT_TRY(c.requireRank(c.input(i), 0));
  const Shape& gradient = c.input(roles.gradient);
  if (!sparse) {
    WEFT_LET(shape, c.merge(shape, gradient));
  } else {
    WEFT_TRY(c.requireRank(c.input(roles.indices), 1));
    if (gradient.hasRank()) {
      WEFT_TRY(c.requireRankAtLeast(gradient, 1));
      if (c.input(roles.indices).hasRank()) WEFT_TRY(c.mergeDims(c.input(roles.indices).dim(0), gradient.dim(0)));
      if (shape.hasRank()) {
        Shape wanted{Shape::kUnknownDim};
        wanted.append(shape.slice(1));
        WEFT_TRY(c.merge(wanted, gradient));
      }
    }
  }
  if (!resource) c.setOutput(0, shape);
  return {};
}

std::string documentation(const std::string& name, bool variable) {
  if (variable) return name == "var" ? "The variable." : "Slot that goes with the variable: " + name + ".";
  if (name == "grad" || name == "delta") return "The gradient.";
  if (name == "indices") return "Row indices into the variable, one per row of the gradient; a vector.";
  if (name == "lr" || name == "alpha") return "Learning rate; a scalar.";
  return "Parameter " + name + "; a scalar.";
}

void addOp(OpRegistry& ops, const OptimizerOp& op, bool sparse, bool resource) {
  const OptimizerRoles roles = rolesOf(op, sparse);
  OpRecord& record = ops.add(std::string(resource ? "Resource" : "") + (sparse ? "Sparse" : "") + "Apply" + op.name)
                         .category("Optimizers")
                         .summary(std::string("Updates ") + (sparse ? "rows of a variable" : "a variable") + " by one step of " + op.method + ".");
  for (int i = 0; i < int(roles.names.size()); ++i) {
    const std::string& name = roles.names[size_t(i)];
    const bool variable = i < op.slots;
    const char* type = variable ? (resource ? "resource" : "Ref(T)") : name == "indices" ? "Tindices" : name == "global_step" ? "int64" : "T";
    record.input(name + ": " + type, documentation(name, variable));
  }
  if (!resource) record.output("out: Ref(T)", "The updated variable.");
  record.attr("T: numbertype");
  if (sparse) record.attr("Tindices: {int32, int64}");
  record.attr("use_locking: bool = false", "Hold the variables' locks during the update.");
  if (*op.flag) record.attr(op.flag);
  if (resource) record.stateful();
  record.role(OpRole::ApplyGradient).effects(Effect::Variable);
  record.shape([&op, sparse, resource](ShapeContext& c) { return optimizerShape(c, op, sparse, resource); })
      .noGradient("Variable updates are not differentiable.")
      .cpu({{"T", op.sixteenBits ? types::kCpuFloats : std::vector<DType>{DType::Float, DType::Double}}},
           [&op, sparse, resource](KernelInit& init) -> Result<std::unique_ptr<Kernel>> {
             return std::unique_ptr<Kernel>(std::make_unique<OptimizerKernel>(op, sparse, resource, init));
           });
}

}  // namespace

void registerOptimizers(OpRegistry& ops) {
  for (const OptimizerOp& op : kOptimizers)
    for (const bool resource : {false, true})
      for (const bool sparse : {false, true})
        if ((resource || op.byReference) && (!sparse || *op.sparse)) addOp(ops, op, sparse, resource);
  countFlops(ops, 2, "ApplyGradientDescent");
  countFlops(ops, 4, "ApplyMomentum");
  countFlops(ops, 12, "ApplyAdam");
  countFlops(ops, 10, "ApplyRMSProp");
}

}  // namespace weft
