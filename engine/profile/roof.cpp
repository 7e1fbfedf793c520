#include <algorithm>
#include <chrono>

#include "weft/builder.h"
#include "weft/profile_views.h"
#include "weft/session.h"

namespace weft {
namespace {

/// The shortest of several runs of one op, in nanoseconds.
Result<double> fastest(Session& session, const Output& result, const Graph& graph, int runs) {
  WEFT_LET(const Callable step, session.prepare({}, {}, {graph.node(result.node)->name}));
  double best = 1e18;
  for (int i = 0; i < runs; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    WEFT_TRY(step.run({}).status());
    best = std::min(best, std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

}  // namespace

// Peak rates of the engine's own kernels: a product of matrices that fit into the cache, and a sum of arrays that do not.
Result<MachineRoof> measureRoof(ProductPrecision precision) {
  constexpr int64_t kSize = 768, kLong = int64_t(8) << 20;
  MetaGraph meta;
  GraphBuilder b(meta);
  const auto variable = [&](const char* name, Shape shape) { return b.op("VariableV2", {}, {{"dtype", DType::Float}, {"shape", std::move(shape)}}, name); };
  const Output m = variable("m", {kSize, kSize}), v = variable("v", {kLong});
  const Output product = b.op("MatMul", {m, m}, {}, "product"), sum = b.op("Add", {v, v}, {}, "sum");
  WEFT_TRY(b.status());
  WEFT_LET(auto session, Session::create(meta.graph));
  WEFT_TRY(session->setVariable("m", Tensor::zeros(DType::Float, {kSize, kSize})));
  WEFT_TRY(session->setVariable("v", Tensor::zeros(DType::Float, {kLong})));
  WEFT_LET(const double productNs, fastest(*session, product, meta.graph, 8));
  WEFT_LET(const double sumNs, fastest(*session, sum, meta.graph, 4));
  constexpr double kFlops = 2.0 * kSize * kSize * kSize;
  MachineRoof roof{kFlops / productNs, 3.0 * 4 * kLong / sumNs, 0};
  if (precision == ProductPrecision::BFloat16) {
    SessionOptions options;
    options.products = precision;
    WEFT_LET(const auto rounding, Session::create(meta.graph, options));
    WEFT_TRY(rounding->setVariable("m", Tensor::zeros(DType::Float, {kSize, kSize})));
    WEFT_LET(const double roundedNs, fastest(*rounding, product, meta.graph, 8));
    roof.bfloat16GflopsPerSecond = kFlops / roundedNs;
  }
  return roof;
}

}  // namespace weft
