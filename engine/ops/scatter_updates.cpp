#include <algorithm>
#include <string>

#include "base/parallel.h"
#include "ops/index_vectors.h"
#include "ops/state_ops.h"
#include "tensor/element_types.h"

// ScatterAdd and similar ops: combine rows of a variable, selected by index, with rows of updates one after the other, so repeated indices count repeatedly.
// Rows before an invalid index are changed, as in TensorFlow.
namespace weft {

Status checkRowUpdate(bool resource, const Shape& params, const Shape& indices, const Shape& updates) {
  if (params.rank() < 1) return invalidArgument("params must be at least 1-D, got shape ", params.toString());
  if (updates.isScalar()) return {};
  Shape wanted = indices;
  wanted.append(params.slice(1));
  if (resource) {
    // As in TensorFlow 1.15, the number of updates only has to be a multiple of the number of indices.
    if (indices.elements() == 0 || updates.elements() % indices.elements() == 0) return {};
    return invalidArgument("shape of indices (", indices.toString(), ") is not compatible with the shape of updates (", updates.toString(), ")");
  }
  if (updates == wanted) return {};
  return invalidArgument("Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], got updates.shape ", updates.toString(),
                         ", indices.shape ", indices.toString(), ", params.shape ", params.toString());
}

namespace {

enum class RowUpdate { Update, Add, Sub, Mul, Div, Min, Max };

struct ScatterOp {
  RowUpdate combine;
  const char* suffix;
  const char* summary;
};
constexpr ScatterOp kScatterOps[] = {
    {RowUpdate::Update, "Update", "Replaces rows of a variable by index."},
    {RowUpdate::Add, "Add", "Adds updates to rows of a variable by index."},
    {RowUpdate::Sub, "Sub", "Subtracts updates from rows of a variable by index."},
    {RowUpdate::Mul, "Mul", "Multiplies rows of a variable by updates, by index."},
    {RowUpdate::Div, "Div", "Divides rows of a variable by updates, by index."},
    {RowUpdate::Min, "Min", "Sets rows of a variable to the element-wise minimum with updates, by index."},
    {RowUpdate::Max, "Max", "Sets rows of a variable to the element-wise maximum with updates, by index."},
};

template <typename T>
constexpr bool kOrdered = requires(T a, T b) {
  a < b;
};

template <RowUpdate kCombine, typename T>
inline T combined(T a, T b) {
  if constexpr (kCombine == RowUpdate::Add) return T(a + b);
  if constexpr (kCombine == RowUpdate::Sub) return T(a - b);
  if constexpr (kCombine == RowUpdate::Mul) return T(a * b);
  if constexpr (kCombine == RowUpdate::Div) return T(a / b);
  if constexpr (kCombine == RowUpdate::Min && kOrdered<T>) return b < a ? b : a;
  if constexpr (kCombine == RowUpdate::Max && kOrdered<T>) return a < b ? b : a;
  return b;
}

/// One scatter: `count` rows of `width` elements; `scalar`: one update for all elements.
struct Job {
  int64_t width = 0;
  int64_t rows = 0;
  int64_t stride = 0;  ///< elements of `updates` per index
  std::vector<int64_t> picks;
  bool scalar = false;
};

template <RowUpdate kCombine, typename T>
void scatterRows(T* params, const T* updates, const Job& job) {
  const int64_t count = int64_t(job.picks.size());
  // Each part owns a range of rows, so that equal indices are processed in one thread, in order.
  const int64_t work = count * job.width;
  const int64_t grain = work < (1 << 16) ? job.rows : std::max<int64_t>(1, job.rows / 16);
  parallelFor(job.rows, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t row = job.picks[size_t(i)];
      if (row < begin || row >= end) continue;
      T* p = params + row * job.width;
      if (job.scalar) {
        const T u = updates[0];
        for (int64_t k = 0; k < job.width; ++k) p[k] = combined<kCombine>(p[k], u);
      } else {
        const T* u = updates + i * job.stride;
        for (int64_t k = 0, n = std::min(job.width, job.stride); k < n; ++k) p[k] = combined<kCombine>(p[k], u[k]);
      }
    }
  });
}

/// The updates of each index replace elements from the beginning of its row on, within the variable.
void replaceRows(Tensor& value, const Tensor& updates, const Job& job) {
  for (size_t i = 0; i < job.picks.size(); ++i) {
    const int64_t begin = job.picks[i] * job.width;
    if (job.scalar)
      for (int64_t k = 0; k < job.width; ++k) copyElements(value, begin + k, updates, 0, 1);
    else copyElements(value, begin, updates, int64_t(i) * job.stride, std::min(job.stride, value.elements() - begin));
  }
}

template <typename T>
Status combineRows(RowUpdate combine, Tensor& value, const Tensor& updates, const Job& job) {
  T* p = elementsOf<T>(value);
  const T* u = elementsOf<T>(updates);
  switch (combine) {
    case RowUpdate::Update: break;
    case RowUpdate::Add: scatterRows<RowUpdate::Add>(p, u, job); break;
    case RowUpdate::Sub: scatterRows<RowUpdate::Sub>(p, u, job); break;
    case RowUpdate::Mul: scatterRows<RowUpdate::Mul>(p, u, job); break;
    case RowUpdate::Div:
      if constexpr (std::is_integral_v<T>) {
        const int64_t n = job.scalar ? 1 : int64_t(job.picks.size()) * job.stride;
        if (!job.picks.empty() && std::find(u, u + n, T(0)) != u + n) return invalidArgument("Integer division by zero");
      }
      scatterRows<RowUpdate::Div>(p, u, job);
      break;
    case RowUpdate::Min: scatterRows<RowUpdate::Min>(p, u, job); break;
    case RowUpdate::Max: scatterRows<RowUpdate::Max>(p, u, job); break;
  }
  return {};
}

class ScatterKernel final : public Kernel {
 public:
  ScatterKernel(RowUpdate combine, bool resource) : combine_(combine), resource_(resource) {}

  Status compute(KernelContext& c) override {
    const Tensor& indices = c.input(1);
    const Tensor& updates = c.input(2);
    if (resource_) WEFT_TRY(requireInitialized(c, {0}, updates.dtype(), noSuchVariable));
    WEFT_LET(auto locked, c.update({0}));
    Tensor& value = locked[0].value();
    WEFT_TRY(checkRowUpdate(resource_, value.shape(), indices.shape(), updates.shape()));
    Job job;
    job.rows = value.dim(0);
    job.width = value.shape().slice(1).elements();
    job.scalar = updates.shape().isScalar() && value.dtype() == updates.dtype() && !(indices.shape().isScalar() && value.rank() == 1);
    job.stride = indices.elements() > 0 ? updates.elements() / indices.elements() : 0;
    Status bad;
    for (int64_t i = 0; i < indices.elements(); ++i) {
      const int64_t row = indices.asInt(i);
      if (row < 0 || row >= job.rows) {
        bad = invalidArgument("indices", indexLabel(indices.shape(), i), " = ", row, " is not in [0, ", job.rows, ")");
        break;
      }
      job.picks.push_back(row);
    }
    if (combine_ == RowUpdate::Update) {
      replaceRows(value, updates, job);
    } else {
      Status done;
      withNumber(value.dtype(), [&]<typename T>(std::type_identity<T>) { done = combineRows<T>(combine_, value, updates, job); });
      WEFT_TRY(done);
    }
    WEFT_TRY(bad);
    if (!resource_) c.forwardRef(0, 0);
    return {};
  }

 private:
  RowUpdate combine_;
  bool resource_;
};

KernelFactory scatterKernel(RowUpdate combine, bool resource) {
  return [=](KernelInit&) -> Result<std::unique_ptr<Kernel>> { return std::unique_ptr<Kernel>(std::make_unique<ScatterKernel>(combine, resource)); };
}

Status checkStatic(ShapeContext& c, const Shape& variable) {
  WEFT_TRY(c.requireRankAtLeast(variable, 1));
  if (variable.hasRank() && c.input(1).hasRank() && c.input(2).rank() != 0) {
    Shape wanted = c.input(1);
    wanted.append(variable.slice(1));
    WEFT_TRY(c.merge(c.input(2), wanted));
  }
  return {};
}

Status referenceRowsShape(ShapeContext& c) {
  WEFT_TRY(checkStatic(c, c.input(0)));
  c.setOutput(0, c.input(0));
  return {};
}

Status resourceRowsShape(ShapeContext& c) { return checkStatic(c, handleShape(c, 0)); }

}  // namespace

void registerScatterUpdates(OpRegistry& ops) {
  for (const ScatterOp& s : kScatterOps) {
    const bool update = s.combine == RowUpdate::Update;
    const bool ordering = s.combine == RowUpdate::Min || s.combine == RowUpdate::Max;
    const std::vector<KernelConstraint> constraints =
        update ? std::vector<KernelConstraint>{} : std::vector<KernelConstraint>{{"T", ordering ? types::kCpuReal : types::kCpuNumber}};
    std::vector<KernelConstraint> resourceConstraints = constraints;
    for (auto& k : resourceConstraints) k.attr = "dtype";
    ops.add(std::string("Scatter") + s.suffix)
        .category("Variables")
        .summary(s.summary)
        .input("ref: Ref(T)", "The variable.")
        .input("indices: Tindices", "Row indices, in any shape.")
        .input("updates: T", "Update values, of shape indices.shape + variable.shape[1:], or a scalar.")
        .output("output_ref: Ref(T)", "The updated variable.")
        .attr(update     ? "T: type"
              : ordering ? "T: {half, bfloat16, float, double, int32, int64}"
                         : "T: numbertype")
        .attr("Tindices: {int32, int64}")
        .attr(update ? "use_locking: bool = true" : "use_locking: bool = false", "Hold the variable's lock during the update.")
        .shape(referenceRowsShape)
        .noGradient("Variable updates are not differentiable.")
        .cpu(constraints, scatterKernel(s.combine, false));
    ops.add(std::string("ResourceScatter") + s.suffix)
        .category("Variables")
        .summary(s.summary)
        .input("resource: resource", "Handle of the variable.")
        .input("indices: Tindices", "Row indices, in any shape.")
        .input("updates: dtype", "Update values, of shape indices.shape + variable.shape[1:], or a scalar.")
        .attr(update ? "dtype: type" : "dtype: numbertype")
        .attr("Tindices: {int32, int64}")
        .stateful()
        .shape(resourceRowsShape)
        .noGradient("Variable updates are not differentiable.")
        .cpu(resourceConstraints, scatterKernel(s.combine, true));
  }
  state(
      ops, OpRole::Update, Effect::Variable,
      "ResourceScatterAdd ResourceScatterDiv ResourceScatterMax ResourceScatterMin ResourceScatterMul ResourceScatterSub ResourceScatterUpdate ScatterAdd ScatterDiv ScatterMax ScatterMin ScatterMul ScatterSub ScatterUpdate");
}

}  // namespace weft
