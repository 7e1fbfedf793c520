// Hand-written cases for ops that have no golden record.
#include "draw_stores.h"
#include "values.h"

namespace weft::generated {

bool drawSingle(Drawing& d) {
  Random& r = d.random();
  static const std::vector<std::string> kNames = {"BatchFFT",    "BatchFFT2D", "BatchFFT3D",        "BatchIFFT",  "BatchIFFT2D",
                                                  "BatchIFFT3D", "TopK",       "MatrixExponential", "Dequantize", "QuantizedReluX"};
  std::string name = r.pick(kNames);
  const OpRecord* record = OpRegistry::instance().find(name);
  // Old ops are for old graphs.
  for (int i = 0; i < 20 && record->deprecatedSince > 0 && record->deprecatedSince <= d.meta().graph.versions.producer; ++i) {
    name = r.pick(kNames);
    record = OpRegistry::instance().find(name);
  }
  if (record->deprecatedSince > 0 && record->deprecatedSince <= d.meta().graph.versions.producer) return false;
  if (name.find("FFT") != std::string::npos) {
    const Shape shape = r.chance(0.5) ? Shape{r.between(1, 3), r.between(1, 4), r.between(1, 5)} : Shape{2, r.between(1, 3), r.between(1, 4), 3};
    return d.add(name, {d.similar(DType::Complex64, shape)}) >= 0;
  }
  if (name == "TopK") {
    const Value* v = d.numbers(1, 3);
    if (!v || isComplex(v->type)) return false;
    return d.add(name, {v->out}, {{"k", r.between(0, v->shape.dim(v->shape.rank() - 1))}, {"sorted", true}}) >= 0;
  }
  if (name == "MatrixExponential") {
    const int64_t n = r.between(1, 3);
    return d.add(name, {d.fresh(randomBetween(r, r.chance(0.5) ? DType::Float : DType::Double, Shape{n, n}, -1, 1))}) >= 0;
  }
  // Quantized numbers come from plain ones, between bounds that both ops get.
  const Output x = d.fresh(randomBetween(r, DType::Float, Shape{r.between(1, 4), r.between(1, 3)}, -3, 3));
  const Output low = d.fresh(Tensor::scalar(-3.f)), high = d.fresh(Tensor::scalar(3.f));
  const DType type = name == "QuantizedReluX" || r.chance(0.5) ? DType::QUInt8 : DType::QInt8;
  const char* mode = name == "Dequantize" && r.chance(0.5) ? "SCALED" : "MIN_FIRST";
  if (!d.b().ok()) return false;
  const int quantized = d.add("QuantizeV2", {x, low, high}, {{"T", type}, {"mode", mode}});
  if (quantized < 0) return false;
  const Output q{quantized, 0}, from{quantized, 1}, to{quantized, 2};
  if (name == "Dequantize") return d.add(name, {q, from, to}, {{"mode", mode}}) >= 0;
  return d.add(name, {q, d.fresh(Tensor::scalar(float(r.between(1, 4)))), from, to}, {{"out_type", DType::QUInt8}}) >= 0;
}

}  // namespace weft::generated
