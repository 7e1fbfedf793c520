#include "ops/block_rnn.h"

#include <algorithm>

#include "base/parallel.h"
#include "device/cpu/elementwise.h"
#include "device/cpu/hot_nn.h"
#include "device/cpu/products.h"

namespace weft {
namespace {

constexpr double kRnnNanoseconds = 4;  // of one cell's five functions

/// Adds one row of values, multiplied by the cells, to one of the four gates.
void addPeep(float* gate, const float* cells, const float* weights, int64_t n) {
  for (int64_t k = 0; k < n; ++k) gate[k] += cells[k] * weights[k];
}

}  // namespace

void runFloatLstm(const FloatLstm& l) {
  const int64_t n = l.cells, width = 4 * n, size = l.batch * n;
  const auto* const sigmoid = cpu::findElementwise("Sigmoid", DType::Float);
  const auto* const tanh = cpu::findElementwise("Tanh", DType::Float);
  const auto apply = [n](const cpu::ElementwiseEntry* e, const float* in, float* out) {
    const void* const operand = in;
    const bool scalar = false;
    e->fn(&operand, &scalar, out, long(n));
  };
  // What the inputs add to the gates does not wait for the cells.
  const cpu::MatrixView x{l.x, l.inputs, 1, false}, fromInputs{l.weights, width, 1, false}, fromCells{l.weights + l.inputs * width, width, 1, false};
  cpu::product(cpu::ProductType::Float, l.steps * l.batch, l.inputs, width, x, fromInputs, l.gates, width, cpu::Update::Set);
  cpu::nnKernels().biasAdd(l.gates, l.gates, l.bias, l.steps * l.batch, width);
  enum { kIn, kCells, kForget, kOut, kNew, kBent, kHidden };
  for (int64_t t = 0; t < l.steps; ++t) {
    float* const gates = l.gates + t * l.batch * width;
    const float *csPrev = t > 0 ? l.out[kCells] + (t - 1) * size : l.cs, *hPrev = t > 0 ? l.out[kHidden] + (t - 1) * size : l.h;
    const cpu::MatrixView h{hPrev, n, 1, false};
    cpu::product(cpu::ProductType::Float, l.batch, n, width, h, fromCells, gates, width, cpu::Update::Add);
    const int64_t grain = std::max<int64_t>(1, cpu::grainFor(float(kRnnNanoseconds * double(n))));
    parallelFor(l.batch, grain, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        float *const in = gates + b * width, *const fresh = in + n, *const keep = fresh + n, *const out = keep + n;
        const float* const before = csPrev + b * n;
        float* to[7];
        for (int k = 0; k < 7; ++k) to[k] = l.out[k] + t * size + b * n;
        if (l.peepholes[0]) {
          addPeep(in, before, l.peepholes[0], n);
          addPeep(keep, before, l.peepholes[1], n);
        }
        for (int64_t k = 0; k < n; ++k) keep[k] += l.forgetBias;
        apply(sigmoid, in, to[kIn]);
        apply(tanh, fresh, to[kNew]);
        apply(sigmoid, keep, to[kForget]);
        float* const cs = to[kCells];
        for (int64_t k = 0; k < n; ++k) cs[k] = to[kNew][k] * to[kIn][k] + before[k] * to[kForget][k];
        if (l.clip > 0) {
          for (int64_t k = 0; k < n; ++k) cs[k] = cs[k] < -l.clip ? -l.clip : cs[k] > l.clip ? l.clip : cs[k];
        }
        if (l.peepholes[0]) addPeep(out, cs, l.peepholes[2], n);
        apply(sigmoid, out, to[kOut]);
        apply(tanh, cs, to[kBent]);
        for (int64_t k = 0; k < n; ++k) to[kHidden][k] = to[kBent][k] * to[kOut][k];
      }
    });
  }
}

}  // namespace weft
