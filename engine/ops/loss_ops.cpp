// L2Loss and InTopK: measures of a model's quality.
#include <cmath>

#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/hot_nn.h"
#include "ops/grad_ops.h"
#include "ops/operand_checks.h"
#include "ops/registry.h"

namespace weft {
namespace {

// ---- L2Loss

Result<std::vector<Output>> l2LossGradient(GradContext& c) { return std::vector<Output>{py::mul(c.b(), c.input(0), c.grad())}; }

Status l2LossKernel(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor * out, c.allocate(0, {}));
  const int64_t n = in.elements();
  cpu::withNumber(in.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (cpu::kIsFloat<T>) {
      using C = cpu::Compute<T>;
      const T* x = static_cast<const T*>(in.raw());
      // Blocks of a fixed size, summed in order: the result does not depend on the number of threads.
      constexpr int64_t kBlock = 16384;
      const int64_t blocks = (n + kBlock - 1) / kBlock;
      std::vector<C> sums(size_t(blocks), C(0));
      parallelFor(blocks, 4, [&](int64_t begin, int64_t end) {
        for (int64_t b = begin; b < end; ++b) {
          const int64_t from = b * kBlock, count = std::min(n - from, kBlock);
          if constexpr (std::is_same_v<T, float>) {
            sums[size_t(b)] = cpu::nnKernels().sumOfSquares(x + from, count);
          } else {
            C s = 0;
            for (int64_t i = from; i < from + count; ++i) s += C(x[i]) * C(x[i]);
            sums[size_t(b)] = s;
          }
        }
      });
      C total = 0;
      for (C s : sums) total += s;
      *static_cast<T*>(out->mutableRaw()) = T(total / C(2));
    }
  });
  return {};
}

// ---- InTopK

Status inTopKShape(ShapeContext& c) {
  const Shape &predictions = c.input(0), &targets = c.input(1);
  WEFT_TRY(c.requireRank(predictions, 2));
  WEFT_TRY(c.requireRank(targets, 1));
  if (c.inputCount() > 2) WEFT_TRY(c.requireRank(c.input(2), 0));
  WEFT_LET(const int64_t rows, c.mergeDims(predictions.hasRank() ? predictions.dim(0) : -1, targets.hasRank() ? targets.dim(0) : -1));
  c.setOutput(0, Shape{rows});
  return {};
}

}  // namespace

Status checkInTopK(const KernelContext& c) {
  const Tensor &predictions = c.input(0), &targets = c.input(1);
  if (predictions.rank() != 2) return invalidArgument("predictions must be 2-dimensional");
  if (targets.rank() != 1) return invalidArgument("targets must be 1-dimensional");
  if (predictions.dim(0) != targets.dim(0)) {
    return invalidArgument("First dimension of predictions ", predictions.dim(0), " must match length of targets ", targets.dim(0));
  }
  if (c.inputCount() > 2 && c.input(2).rank() != 0) return invalidArgument("k must be 0-D, got shape ", c.input(2).shape().toString());
  return {};
}

namespace {

Status inTopKKernel(KernelContext& c) {
  const Tensor &predictions = c.input(0), &targets = c.input(1);
  WEFT_TRY(checkInTopK(c));
  const int64_t k = c.inputCount() > 2 ? c.input(2).asInt(0) : c.node().attrs.integer("k");
  const int64_t rows = predictions.dim(0), classes = predictions.dim(1);
  WEFT_LET(Tensor * out, c.allocate(0, {rows}));
  const float* p = predictions.data<float>();
  bool* hit = out->mutableData<bool>();
  for (int64_t r = 0; r < rows; ++r, p += classes) {
    const int64_t target = targets.asInt(r);
    // A target out of range or with a non-finite score is not in the top k; ties are.
    bool impossible = target < 0 || target >= classes || !std::isfinite(p[target]);
    int64_t better = 0;
    for (int64_t i = 0; i < classes && !impossible; ++i) {
      if (!std::isfinite(p[i])) {
        impossible = true;
      } else if (p[i] > p[target] && ++better > k) {
        break;
      }
    }
    hit[r] = !impossible && better < k;
  }
  return {};
}

}  // namespace

void registerLossOps(OpRegistry& ops) {
  ops.add("L2Loss")
      .category("Losses")
      .keywords("regularization weight decay norm")
      .summary("Half the sum of squares: sum(t²) / 2.")
      .input("t: T", "Any tensor.")
      .output("output: T", "A scalar.")
      .attr("T: {half, bfloat16, float, double}", "Type of the elements.")
      .shape(shapes::scalar)
      .gradient(l2LossGradient)
      .cpu({{"T", types::kFloats}}, simpleKernel(l2LossKernel));
  for (const bool v2 : {false, true}) {
    OpRecord& r = ops.add(v2 ? "InTopKV2" : "InTopK")
                      .category("Metrics")
                      .keywords("accuracy precision recall")
                      .summary("For each example, whether the target class is among the k highest scores.")
                      .input("predictions: float", "Scores, [batch, classes].")
                      .input("targets: T", "Target class of each example, [batch].");
    if (v2) r.input("k: T", "Number of top classes to consider.");
    r.output("precision: bool", "[batch]: whether the target is in the top k.");
    if (!v2) r.attr("k: int", "Number of top classes to consider.");
    r.attr("T: {int32, int64} = DT_INT32", "Type of the targets.")
        .shape(inTopKShape)
        .noGradient("The result is boolean.")
        .cpu({{"T", types::kIndex}}, simpleKernel(inTopKKernel));
  }
  makeFresh(ops, "L2Loss");
  countFlops(ops, 3, "L2Loss");
}

}  // namespace weft
