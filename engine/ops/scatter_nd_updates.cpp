#include <string>

#include "ops/index_vectors.h"
#include "ops/state_ops.h"
#include "tensor/element_types.h"

// ScatterNdUpdate and similar ops: combine slices of a variable, selected by index vectors, with slices of updates one after the other.
namespace weft {

Status checkScatterUpdate(const Shape& params, const Shape& indices, const Shape& updates) {
  if (indices.rank() < 1) return invalidArgument("Indices shape must have rank at least one. Found:", indices.toString());
  if (updates.rank() < 1) return invalidArgument("Updates shape must have rank at least one. Found:", updates.toString());
  if (indices.dim(0) != updates.dim(0))
    return invalidArgument("The outermost dimension of updates and indices must match. Got indices.shape ", indices.toString(), ", updates.shape ",
                           updates.toString());
  const int64_t depth = indices.rank() > 1 ? indices.dim(indices.rank() - 1) : 1;
  Shape wanted = indices.rank() > 1 ? indices.slice(0, indices.rank() - 1) : indices;
  if (depth <= params.rank()) wanted.append(params.slice(int(depth)));
  if (depth > params.rank() || !(wanted == updates) || indices.rank() < 2)
    return invalidArgument("Must have updates.shape = indices.shape[:batch_dim] + params_shape[slice_dim:], got updates.shape: ", updates.toString(),
                           ", indices.shape: ", indices.toString(), ", params_shape: ", params.toString(), ", slice_dim: ", depth,
                           ", and batch_dim: ", std::max(1, indices.rank() - 1));
  return {};
}

namespace {

enum class SliceUpdate { Update, Add, Sub };

struct ScatterNdOp {
  SliceUpdate combine;
  const char* suffix;
  const char* summary;
};
constexpr ScatterNdOp kScatterNdOps[] = {
    {SliceUpdate::Update, "Update", "Replaces the slices of a variable selected by index vectors."},
    {SliceUpdate::Add, "Add", "Adds updates to the slices of a variable selected by index vectors."},
    {SliceUpdate::Sub, "Sub", "Subtracts updates from the slices of a variable selected by index vectors."},
};

class ScatterNdKernel final : public Kernel {
 public:
  ScatterNdKernel(SliceUpdate combine, bool resource) : combine_(combine), resource_(resource) {}

  Status compute(KernelContext& c) override {
    const Tensor& indices = c.input(1);
    const Tensor& updates = c.input(2);
    if (resource_) WEFT_TRY(requireInitialized(c, {0}, updates.dtype(), noSuchVariable));
    WEFT_LET(auto locked, c.update({0}));
    Tensor& value = locked[0].value();
    WEFT_TRY(checkScatterUpdate(value.shape(), indices.shape(), updates.shape()));
    const int64_t depth = indices.dim(indices.rank() - 1);
    const int64_t width = value.shape().slice(int(depth)).elements();
    const int64_t count = indices.shape().slice(0, indices.rank() - 1).elements();
    std::vector<int64_t> begins;
    Status bad;
    for (int64_t i = 0; i < count && bad.ok(); ++i) {
      int64_t at = 0;
      bool inside = true;
      for (int64_t d = 0; d < depth; ++d) {
        const int64_t k = indices.asInt(i * depth + d);
        inside = inside && k >= 0 && k < value.dim(int(d));
        at = at * value.dim(int(d)) + k;
      }
      if (inside) begins.push_back(at * width);
      else bad = outsideOf(indices, i, "shape", value.shape());
    }
    for (size_t i = 0; i < begins.size(); ++i) combine(value, begins[i], updates, int64_t(i) * width, width);
    WEFT_TRY(bad);
    if (!resource_) c.forwardRef(0, 0);
    return {};
  }

 private:
  void combine(Tensor& value, int64_t to, const Tensor& updates, int64_t from, int64_t count) const {
    if (combine_ == SliceUpdate::Update) return copyElements(value, to, updates, from, count);
    withNumber(value.dtype(), [&]<typename T>(std::type_identity<T>) {
      T* v = elementsOf<T>(value) + to;
      const T* u = elementsOf<T>(updates) + from;
      for (int64_t k = 0; k < count; ++k) v[k] = combine_ == SliceUpdate::Add ? T(v[k] + u[k]) : T(v[k] - u[k]);
    });
  }

  SliceUpdate combine_;
  bool resource_;
};

KernelFactory scatterNdKernel(SliceUpdate combine, bool resource) {
  return [=](KernelInit&) -> Result<std::unique_ptr<Kernel>> { return std::unique_ptr<Kernel>(std::make_unique<ScatterNdKernel>(combine, resource)); };
}

Status referenceSlicesShape(ShapeContext& c) {
  WEFT_TRY(c.requireRankAtLeast(c.input(1), 1));
  WEFT_TRY(c.requireRankAtLeast(c.input(2), 1));
  c.setOutput(0, c.input(0));
  return {};
}

Status resourceSlicesShape(ShapeContext& c) {
  WEFT_TRY(c.requireRankAtLeast(c.input(1), 1));
  return c.requireRankAtLeast(c.input(2), 1);
}

}  // namespace

void registerScatterNdUpdates(OpRegistry& ops) {
  for (const ScatterNdOp& s : kScatterNdOps)
    for (const bool resource : {false, true}) {
      OpRecord& op = ops.add(std::string(resource ? "ResourceScatterNd" : "ScatterNd") + s.suffix)
                         .category("Variables")
                         .summary(s.summary)
                         .input(resource ? "ref: resource" : "ref: Ref(T)", "The variable.")
                         .input("indices: Tindices", "Index vectors, along the last dimension.")
                         .input("updates: T", "Update values, of shape indices.shape[:-1] + variable.shape[indices.shape[-1]:].");
      if (!resource) op.output("output_ref: Ref(T)", "The updated variable.");
      const bool update = s.combine == SliceUpdate::Update;
      op.attr(resource || update ? "T: type" : "T: numbertype")
          .attr("Tindices: {int32, int64}")
          .attr(resource || update ? "use_locking: bool = true" : "use_locking: bool = false", "Hold the variable's lock during the update.")
          .shape(resource ? resourceSlicesShape : referenceSlicesShape)
          .noGradient("Variable updates are not differentiable.")
          .cpu(update ? std::vector<KernelConstraint>{} : std::vector<KernelConstraint>{{"T", types::kCpuNumber}}, scatterNdKernel(s.combine, resource));
      if (resource) op.stateful();
    }
  state(ops, OpRole::Update, Effect::Variable, "ResourceScatterNdAdd ResourceScatterNdSub ResourceScatterNdUpdate ScatterNdAdd ScatterNdSub ScatterNdUpdate");
}

}  // namespace weft
