#include "runtime/loop_transposes.h"

#include <algorithm>

#include "base/parallel.h"
#include "device/cpu/fused_products.h"
#include "runtime/loop_registers.h"

namespace weft {
namespace {

constexpr int64_t kMostRows = 256;        // of the left operand; beyond that the orientation does not matter
constexpr int64_t kLeastElements = 4096;  // of the matrix

}  // namespace

// RULE native_loops.loop_transposes
//   pattern      MatMul(a, b, transpose_b) in a body, or some columns of one (product_slicing)
//   condition    float32 on the CPU, no control flow in the body; b is an invariant or hoisted; shapes known; at most 256 rows of a, at least 4096 elements of
//                b
//   replacement  MatMul(a, t) with t the transpose of b (or of those rows), made before the first iteration; rounding may differ
std::vector<LoopTranspose> turnMatrices(PlanGraph& body, std::vector<int>& feeds, const std::vector<uint8_t>& stays, int registers) {
  std::vector<LoopTranspose> found;
  if (body.hasControlFlow) return found;
  std::vector<int> nodes;  // feed nodes of the transposed matrices
  const int count = int(body.nodes.size());
  for (int i = 0; i < count; ++i) {
    const PlanNode& p = body.nodes[size_t(i)];
    if (!p.alive || !p.node || p.isConstant() || p.loop || p.inputs.size() != 2 || !p.device || p.device->type() != "CPU") continue;
    if (p.types.size() != 1 || p.types[0] != DType::Float) continue;
    int64_t begin = 0, rows = -1;
    const bool sliced = p.kernel && isSlicedProduct(*p.kernel, begin, rows);
    const bool product = !p.kernel && p.node->op == "MatMul" && p.node->attrs.flag("transpose_b") && !p.node->attrs.flag("transpose_a");
    if (!sliced && !product) continue;
    const PlanNode &left = body.nodes[size_t(p.inputs[0].node)], &right = body.nodes[size_t(p.inputs[1].node)];
    const Shape &a = left.shapes[size_t(p.inputs[0].index)], &b = right.shapes[size_t(p.inputs[1].index)];
    if (right.feed < 0 || !stays[size_t(right.feed)] || !a.isFullyKnown() || !b.isFullyKnown() || a.rank() != 2 || b.rank() != 2) continue;
    if (rows < 0) rows = b.dim(0);
    if (a.dim(0) > kMostRows || rows * b.dim(1) < kLeastElements || begin + rows > b.dim(0)) continue;
    const int source = feeds[size_t(right.feed)];
    const int64_t columns = b.dim(1);
    auto known = std::find_if(found.begin(), found.end(), [&](const LoopTranspose& t) { return t.source == source && t.begin == begin && t.rows == rows; });
    if (known == found.end()) {
      PlanNode feed;
      feed.origin = right.origin;
      feed.feed = int(feeds.size());
      feed.types = {DType::Float};
      feed.shapes = {Shape{columns, rows}};
      nodes.push_back(int(body.nodes.size()));
      body.feedNodes.push_back(int(body.nodes.size()));
      found.push_back({source, registers + int(found.size()), begin, rows, columns});
      feeds.push_back(found.back().to);
      known = found.end() - 1;
      body.nodes.push_back(std::move(feed));
    }
    PlanNode& to = body.nodes[size_t(i)];
    to.inputs[1] = {nodes[size_t(known - found.begin())], 0};
    to.kernel = makePlainProduct();
  }
  return found;
}

Status turn(const LoopTranspose& t, LoopRegisters& registers) {
  WEFT_LET(const Tensor* const source, registers.at(t.source));
  const Tensor& from = *source;
  if (from.dtype() != DType::Float || from.rank() != 2 || from.dim(1) != t.columns || from.dim(0) < t.begin + t.rows) {
    return internalError("a loop's matrix has shape ", from.shape().toString(), "; its plan expects ", t.columns, " columns");
  }
  WEFT_LET(Tensor out, Tensor::allocate(DType::Float, Shape{t.columns, t.rows}));
  const float* in = from.data<float>() + t.begin * t.columns;
  float* to = out.mutableData<float>();
  constexpr int64_t kBlock = 16;  // one cache line in source and destination
  parallelFor((t.columns + kBlock - 1) / kBlock, std::max<int64_t>(1, 2048 / std::max<int64_t>(1, t.rows)), [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      const int64_t first = block * kBlock, last = std::min(t.columns, first + kBlock);
      for (int64_t r = 0; r < t.rows; r += kBlock) {
        const int64_t stop = std::min(t.rows, r + kBlock);
        for (int64_t c = first; c < last; ++c) {
          for (int64_t k = r; k < stop; ++k) to[c * t.rows + k] = in[k * t.columns + c];
        }
      }
    }
  });
  return registers.set(t.to, std::move(out));
}

}  // namespace weft
