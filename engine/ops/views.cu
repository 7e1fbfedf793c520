#include <vector>

#include "device/cuda/launch.cuh"

// Ops that pass buffers on, return shapes, hold variables, or fill and repeat.
namespace weft::cuda {
namespace {

struct Tiling {
  int rank = 0;
  int64_t out[8] = {}, in[8] = {};
};

__global__ void tile(const float* x, float* out, int64_t n, Tiling t) {
  WEFT_GRID_STRIDE(i, n) {
    int64_t rest = i, from = 0, stride = 1;
    for (int d = t.rank - 1; d >= 0; --d) {
      from += rest % t.out[d] % t.in[d] * stride;
      rest /= t.out[d];
      stride *= t.in[d];
    }
    out[i] = x[from];
  }
}

Status runTile(KernelContext& c) {
  const Tensor &x = c.input(0), &multiples = c.input(1);
  if (x.rank() > 8) return unimplemented("Tile on the GPU takes up to 8 dims, got ", x.rank());
  if (multiples.rank() != 1 || multiples.dim(0) != x.rank()) {
    return invalidArgument("Expected multiples argument to be a vector of length ", x.rank(), " but got length ", multiples.elements());
  }
  Tiling t;
  t.rank = x.rank();
  Shape shape = x.shape();
  for (int d = 0; d < t.rank; ++d) {
    t.in[d] = x.dim(d);
    t.out[d] = x.dim(d) * multiples.asInt(d);
    if (multiples.asInt(d) < 0) return invalidArgument("Expected multiples[", d, "] >= 0, but got ", multiples.asInt(d));
    shape.setDim(d, t.out[d]);
  }
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  const int64_t n = shape.elements();
  WEFT_LAUNCH(deviceOf(c), n, tile, x.data<float>(), out->mutableData<float>(), n, t);
  return {};
}

__global__ void fill(float* out, int64_t n, float value) { WEFT_GRID_STRIDE(i, n) out[i] = value; }

Status runFill(KernelContext& c) {
  const Tensor& dims = c.input(0);
  std::vector<int64_t> v;
  for (int64_t i = 0; i < dims.elements(); ++i) v.push_back(dims.asInt(i));
  WEFT_LET(Tensor * out, c.allocate(0, Shape(v)));
  const int64_t n = out->elements();
  WEFT_LAUNCH(deviceOf(c), n, fill, out->mutableData<float>(), n, float(c.input(1).asDouble(0)));
  return {};
}

}  // namespace

void registerViewsGpu(OpRegistry& ops) {
  for (const char* op : {"Identity", "StopGradient", "PreventGradient", "NoOp", "ControlTrigger", "VariableV2", "Assign", "Placeholder"}) shareWithCpu(ops, op);
  shareWithCpu(ops, "Reshape", {"shape"});
  shareWithCpu(ops, "ExpandDims", {"dim"});
  shareWithCpu(ops, "Squeeze");
  shareWithCpu(ops, "Shape", {"output"});
  shareWithCpu(ops, "ShapeN", {"output"});
  shareWithCpu(ops, "Size", {"output"});
  shareWithCpu(ops, "Rank", {"output"});
  addFloat(ops, "Tile", runTile, {"multiples"});
  addFloat(ops, "Fill", runFill, {"dims", "value"}, "type");
}

}  // namespace weft::cuda
