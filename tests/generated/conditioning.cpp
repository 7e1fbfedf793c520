#include "conditioning.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_map>

#include "random.h"
#include "values.h"

namespace weft::generated {
namespace {

constexpr int kRuns = 3;
constexpr int kFurtherRuns = 6;
constexpr double kSafety = 4;  // margin between the spread of three random runs and the worst case

const std::unordered_map<std::string, Exactness>& table() {
  static const auto kTable = [] {
    std::unordered_map<std::string, Exactness> t;
    const auto set = [&](const Exactness& e, std::initializer_list<const char*> ops) {
      for (const char* op : ops) t[op] = e;
    };
    // Lists of words, which keep their lines:
    // clang-format off
    // What only moves values.
    set({}, {"Identity", "IdentityN", "Reshape", "Transpose", "Slice", "StridedSlice", "ConcatV2", "Concat", "Pack", "Unpack", "Split", "SplitV", "Pad", "PadV2", "MirrorPad", "Tile", "Gather",
             "GatherV2", "GatherNd", "ExpandDims", "Squeeze", "ReverseV2", "Reverse", "Roll", "BroadcastTo", "Fill", "Const", "Placeholder", "PlaceholderWithDefault", "Switch", "Merge", "Enter", "Exit",
             "NextIteration", "RefEnter", "RefExit", "RefMerge", "RefSwitch", "RefNextIteration", "Select", "SelectV2", "Where", "Max", "Min", "Maximum", "Minimum", "Relu", "Relu6", "ReluGrad", "Relu6Grad", "MaxPool", "MaxPoolV2", "MaxPool3D",
             "MaxPoolWithArgmax", "Neg", "Abs", "Floor", "Ceil", "Round", "Rint", "ZerosLike", "OnesLike", "StopGradient", "Snapshot", "PreventGradient", "CheckNumerics", "Diag", "DiagPart",
             "MatrixDiag", "MatrixDiagPart", "MatrixSetDiag", "MatrixBandPart", "DynamicPartition", "DynamicStitch", "ParallelDynamicStitch", "OneHot", "SpaceToDepth", "DepthToSpace", "SpaceToBatchND", "BatchToSpaceND",
             "SpaceToBatch", "BatchToSpace", "ReverseSequence", "Unique", "TopK", "TopKV2", "Bitcast", "Real", "Imag", "Complex", "Conj", "ConjugateTranspose", "Empty", "VariableV2", "ReadVariableOp", "Assign",
             "AssignVariableOp", "ExtractImagePatches", "InplaceUpdate", "BroadcastArgs", "TensorArrayReadV3", "TensorArrayGatherV3", "TensorArrayConcatV3", "QueueDequeueV2", "QueueDequeue",
             "QueueDequeueManyV2", "QueueDequeueMany", "SegmentMax", "SegmentMin", "UnsortedSegmentMax", "UnsortedSegmentMin", "RandomShuffle", "EnsureShape", "InvertPermutation", "ClipByValue",
             "ScatterUpdate", "ResourceScatterUpdate", "ScatterMax", "ScatterMin", "RefIdentity", "StackPopV2", "StackPop", "Unstage", "PlaceholderV2", 
             "TensorListGetItem", "TensorListStack", "IteratorGetNext", "NextAfter", "SparseReorder", "SparseToDense", "MaxPoolGrad"});
    // One rounding.
    set({1, 0, false}, {"Add", "AddV2", "Sub", "Mul", "RealDiv", "Div", "Sqrt", "Square", "Cast", "Reciprocal", "Inv", "DivNoNan", "MulNoNan", "Mod", "FloorMod", "FloorDiv", "TruncateMod", "BiasAdd", "BiasAddV1",
                        "AssignAdd", "AssignSub", "LeakyRelu", "SquaredDifference", "LinSpace", "Range", "RandomUniform", "StatelessRandomUniform"});
    // The gradient of something simple, or two or three roundings.
    set({4, 0, false}, {"Rsqrt", "Sign", "SigmoidGrad", "TanhGrad", "SqrtGrad", "RsqrtGrad", "ReciprocalGrad", "InvGrad", "SoftsignGrad", "Softsign", "SoftplusGrad", "Hypot", "Lerp",
                        "AdjustContrastv2", "ResizeBilinear", "ResizeNearestNeighbor"});
    // Approximations by polynomials and table; differences from one library to the next.
    set({12, 0, false}, {"Exp", "Expm1", "Log", "Log1p", "Tanh", "Sigmoid", "Sin", "Cos", "Tan", "Sinh", "Cosh", "Asin", "Acos", "Atan", "Asinh", "Acosh", "Atanh", "Atan2", "Pow", "Erf", "Erfc", "Softplus", "Xlogy", "Xdivy", "RandomStandardNormal", "TruncatedNormal", "StatelessRandomNormal", "StatelessTruncatedNormal"});
    // TensorFlow subtracts 1 from an exponential, and adds it, or Selu's 1.76, for the gradient: near 0 a unit of it is lost.
    set({12, 12, false}, {"Elu", "Selu", "EluGrad", "SeluGrad"});
    // Function calls: their bodies are not perturbed op by op.
    set({256, 64, false}, {"PartitionedCall", "StatefulPartitionedCall", "If", "StatelessIf", "While", "StatelessWhile", "SymbolicGradient", "Case", "For", "MapDefun"});
    // Ops with single precision weights, whatever the type of the values.
    set({6e8, 0, false}, {"ResizeBicubic", "ResizeBicubicGrad", "CTCLoss", "CTCBeamSearchDecoder", "CTCGreedyDecoder", "CropAndResizeGradImage", "CropAndResizeGradBoxes", "CropAndResize"});
    set({512, 0, false}, {"Lgamma", "Digamma", "Igamma", "Igammac", "IgammaGradA", "Zeta", "Polygamma", "Betainc", "BesselI0e", "BesselI1e", "RandomGammaGrad", "RandomGamma", "ParameterizedTruncatedNormal"});
    // Sums of products.
    set({2, 0, true}, {"Sum", "Mean", "AddN", "AccumulateNV2", "MatMul", "BatchMatMul", "BatchMatMulV2", "Conv2D", "Conv3D", "Conv3DV2", "DepthwiseConv2dNative", "Conv2DBackpropInput", "Conv2DBackpropFilter",
                       "Conv3DBackpropInput", "Conv3DBackpropInputV2", "Conv3DBackpropFilter", "Conv3DBackpropFilterV2", "DepthwiseConv2dNativeBackpropInput", "DepthwiseConv2dNativeBackpropFilter",
                       "AvgPool", "AvgPoolGrad", "AvgPool3D", "AvgPool3DGrad", "BiasAddGrad", "Cumsum", "SegmentSum", "SegmentMean", "UnsortedSegmentSum", "SparseSegmentSum", "SparseSegmentMean", "L2Loss",
                       "EuclideanNorm", "SparseMatMul", "SparseTensorDenseMatMul", "ScatterAdd", "ScatterSub", "ScatterNd", "ScatterNdAdd", "ScatterNdSub", "Einsum", "Dilation2D"});
    // clang-format on
    return t;
  }();
  return kTable;
}

double largest(const Tensor& t) {
  double m = 0;
  const bool complex = isComplex(t.dtype());
  for (int64_t i = 0; i < t.elements(); ++i) {
    const double v = complex ? std::hypot(partOf(t, i, false), partOf(t, i, true)) : std::fabs(t.asDouble(i));
    if (std::isfinite(v)) m = std::max(m, v);
  }
  return m;
}

double largestOf(DType type) {
  switch (type) {
    case DType::Half: return 65504;
    case DType::Double:
    case DType::Complex128: return std::numeric_limits<double>::max();
    default: return std::numeric_limits<float>::max() * 0.99;
  }
}

/// Moves every result of an op within its bound.
class Mover : public StepController {
 public:
  Mover(uint64_t seed, bool otherEngine, int run)
      : random_(seed),
        otherEngine_(otherEngine),
        negativeZeros_(run == 1),
        anything_(run == 0   ? NAN
                  : run == 1 ? 0.5
                             : -INFINITY),
        run_(run) {}
  void runBegins(const Graph&, std::span<const int>) override {}
  void fed(Output, const Tensor&) override {}
  StepVerdict before(StepPoint& point) override {
    if (isBackwardStable(point.node().op)) moveInputs(point);
    return StepVerdict::Go;
  }
  void dead(const Node&, const std::vector<LoopPlace>&) override {}
  void runEnds(const Status&) override {}

  StepVerdict after(StepPoint& point, const Status& status) override {
    if (!status.ok()) return StepVerdict::Go;
    const Node& node = point.node();
    if (otherEngine_ && leftToChance(point, node)) return StepVerdict::Go;
    const Exactness e = exactnessOf(node.op);
    if (e.ulps == 0 && e.normUlps == 0) return StepVerdict::Go;
    double terms = 0;
    if (e.sums) terms = termBound(point, node);
    moveVariables(point, node);
    for (size_t k = 0; k < node.outputTypes.size(); ++k) {
      const DType type = node.outputTypes[k];
      if (isRef(type) || (!isFloating(type) && !isComplex(type))) continue;
      const auto value = point.output(int(k));
      if (!value.ok() || !value->hasValue() || value->elements() == 0) continue;
      (void)point.setTensor({node.id, int(k)}, moved(*value, e, terms));
    }
    return StepVerdict::Go;
  }

 private:
  /// Matrix ops that are backward stable: the result is exact for a nearby matrix, even if the two results differ widely.
  static bool isBackwardStable(const std::string& op) {
    for (const char* family : {"MatrixLogarithm", "MatrixSquareRoot", "MatrixInverse", "MatrixSolve", "MatrixTriangularSolve", "MatrixDeterminant",
                               "LogMatrixDeterminant", "MatrixExponential", "Cholesky", "BatchCholesky", "BatchMatrix"})
      if (op.starts_with(family)) return true;
    return false;
  }
  void moveInputs(StepPoint& point) {
    const Node& node = point.node();
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const DType type = node.inputTypes[i];
      if (isRef(type) || (!isFloating(type) && !isComplex(type))) continue;
      if (const auto in = point.input(int(i)); in.ok() && in->hasValue() && in->elements() > 0)
        (void)point.setTensor(node.inputs[i], moved(*in, {1, 4, false}, 0));
    }
  }
  static bool hasOther(const Tensor& t) {
    if (!isFloating(t.dtype()) && !isComplex(t.dtype())) return false;
    for (int64_t i = 0; i < t.elements(); ++i)
      if (!std::isfinite(partOf(t, i, false)) || (isComplex(t.dtype()) && !std::isfinite(partOf(t, i, true)))) return true;
    return false;
  }

  /// The conversion of NaN to an integer depends on the processor, and differs in vectorized code.
  bool integersOfNaN(StepPoint& point, const Node& node, int output) {
    const auto in = point.input(0), value = point.output(output);
    if (!in.ok() || !in->hasValue() || !hasOther(*in) || !value.ok() || !value->hasValue() || value->elements() == 0) return false;
    Tensor any = value->clone().value();
    std::memset(any.mutableRaw(), 17 * run_ + 1, any.bytes());
    (void)point.setTensor({node.id, output}, any);
    return true;
  }

  /// Replaces results of which each implementation has its own, and says whether there were any.
  bool leftToChance(StepPoint& point, const Node& node) {
    if (node.op == "QuantizeV2" || node.op == "Quantize") return integersOfNaN(point, node, 0);
    if (node.op.starts_with("TopK") && integersOfNaN(point, node, 1)) return integersOfNaN(point, node, 0);  // position of NaN among numbers
    if (node.outputTypes.empty() || isRef(node.outputTypes[0]) || (!isFloating(node.outputTypes[0]) && !isComplex(node.outputTypes[0]))) return false;
    const auto value = point.output(0);
    if (!value.ok() || !value->hasValue() || value->elements() == 0) return false;
    if (node.op == "Sigmoid" && value->dtype() == DType::Float) {
      // TensorFlow's of single precision is a quotient of polynomials, near only to 1: small results are multiples of 2^-24 or so.
      (void)point.setTensor(
          {node.id, 0}, filled(value->dtype(), value->shape(), [&](int64_t i) { return std::max(value->asDouble(i) + (negativeZeros_ ? -1e-7 : 1e-7), 0.0); }));
      return true;
    }
    if (node.op == "Neg" && isFloating(value->dtype())) {
      (void)point.setTensor({node.id, 0}, filled(value->dtype(), value->shape(), [&](int64_t i) {
                              const double v = value->asDouble(i);
                              return v == 0 ? (negativeZeros_ ? -0.0 : 0.0) : v;
                            }));
      return true;
    }
    static const char* const kFamilies[] = {"Conv",
                                            "Depthwise",
                                            "Dilation",
                                            "LRN",
                                            "Max",
                                            "Min",
                                            "Segment",
                                            "UnsortedSegment",
                                            "AvgPool",
                                            "FFT",
                                            "IFFT",
                                            "RFFT",
                                            "IRFFT",
                                            "MatMul",
                                            "BatchMatMul",
                                            "Resize",
                                            "ScaleAndTranslate",
                                            "Cholesky",
                                            "Matrix",
                                            "CropAndResize",
                                            "Cumprod",
                                            "Cumsum",
                                            "Prod",
                                            "Mean",
                                            "Sum",
                                            "Softmax",
                                            "LogSoftmax",
                                            "SparseTensorDense",
                                            "SparseMatMul",
                                            "Sqrt",
                                            "Rsqrt",
                                            "Igamma",
                                            "Adjust",
                                            "FakeQuant",
                                            "QuantizeAndDequantize",
                                            "BatchCholesky",
                                            "BatchMatrix"};
    bool concerned = isComplex(value->dtype());
    for (const char* family : kFamilies) concerned |= node.op.starts_with(family);
    if (!concerned) return false;
    bool found = hasOther(*value);
    // TensorFlow leaves the gradients of filters as memory was where there is no gradient to add up.
    for (size_t i = 0; node.op.find("BackpropFilter") != std::string::npos && i < node.inputs.size(); ++i)
      if (const auto in = point.input(int(i)); in.ok() && in->hasValue()) found |= in->elements() == 0;
    for (size_t i = 0; !found && i < node.inputs.size(); ++i)
      if (const auto in = point.input(int(i)); in.ok() && in->hasValue()) found = hasOther(*in);
    if (!found) return false;
    for (size_t k = 0; k < node.outputTypes.size(); ++k) {
      const auto out = point.output(int(k));
      if (out.ok() && out->hasValue() && (isFloating(out->dtype()) || isComplex(out->dtype())))
        (void)point.setTensor({node.id, int(k)}, filled(out->dtype(), out->shape(), [&](int64_t) { return anything_; }));
    }
    return true;
  }

  /// The value that an update of a resource has written; the op has no output.
  void moveVariables(StepPoint& point, const Node& node) {
    const bool updates = node.op.find("Apply") != std::string::npos || node.op.find("Scatter") != std::string::npos || node.op.starts_with("AssignAdd") ||
                         node.op.starts_with("AssignSub");
    if (!updates) return;
    // TensorFlow's square roots of infinity are NaN where it computes eight at once with vectors, and infinite in the remainder.
    bool chance = false;
    for (size_t i = 0; otherEngine_ && i < node.inputs.size(); ++i)
      if (const auto in = point.input(int(i)); in.ok() && in->hasValue()) chance |= hasOther(*in);
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (baseType(node.inputTypes[i]) != DType::Resource && !isRef(node.inputTypes[i])) continue;
      const Node& holder = *point.graph().node(node.inputs[i].node);
      const std::string shared = holder.attrs.text("shared_name");
      for (const std::string& name : {holder.name, shared}) {
        const auto value = point.variable(name);
        if (!value.ok() || !value->hasValue() || epsilonOf(value->dtype()) == 0) continue;
        chance |= otherEngine_ && hasOther(*value);
        (void)point.setVariable(name, chance ? filled(value->dtype(), value->shape(), [&](int64_t) { return anything_; }) : moved(*value, {16, 16, false}, 0));
        break;
      }
    }
  }
  /// n · (largest term) of the terms that an op adds up.
  static double termBound(StepPoint& point, const Node& node) {
    double product = 1;
    int64_t most = 1;
    int floats = 0;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const DType type = baseType(node.inputTypes[i]);
      if (!isFloating(type) && !isComplex(type)) continue;
      const auto value = point.input(int(i));
      if (!value.ok() || !value->hasValue()) continue;
      const double m = largest(*value);
      const bool sum = node.op == "AddN" || node.op == "AccumulateNV2" || node.op.starts_with("Scatter");
      product = sum ? std::max(floats ? product : 0, m) : product * m;
      most = std::max(most, sum ? int64_t(node.inputs.size()) : value->elements());
      ++floats;
    }
    if (node.op == "L2Loss") product *= product;
    return product * double(std::min<int64_t>(most, 4096));
  }

  Tensor moved(const Tensor& value, const Exactness& e, double terms) {
    const double eps = epsilonOf(value.dtype()), norm = e.normUlps > 0 ? largest(value) : 0;
    Tensor out = value.clone().value();
    // Partial sums that go beyond the largest number are infinite in one order and not in another: then anything may come out.
    const bool overflows = e.sums && !(terms < largestOf(value.dtype()));
    const auto move = [&](double v) {
      const double by =
          eps * (e.ulps * std::fabs(v) + e.normUlps * norm + (e.sums ? terms : 0)) * (random_.chance(0.5) ? 1 : -1) * (0.5 + 0.5 * random_.uniform());
      if (overflows) return double(NAN);
      const double to = v + by;
      return std::isfinite(v) && std::isfinite(to) ? to : v;
    };
    const int64_t n = out.elements();
    switch (value.dtype()) {
      case DType::Complex64:
        for (int64_t i = 0; i < n; ++i) out.mutableData<std::complex<float>>()[i] = {float(move(partOf(value, i, false))), float(move(partOf(value, i, true)))};
        return out;
      case DType::Complex128:
        for (int64_t i = 0; i < n; ++i) out.mutableData<std::complex<double>>()[i] = {move(partOf(value, i, false)), move(partOf(value, i, true))};
        return out;
      default: return filled(value.dtype(), value.shape(), [&](int64_t i) { return move(value.asDouble(i)); });
    }
  }

  Random random_;
  const bool otherEngine_, negativeZeros_;
  const double anything_;  // different in each run, so that undefined values do not look stable
  const int run_;
};

}  // namespace

Exactness exactnessOf(const std::string& op) {
  const auto it = table().find(op);
  if (it != table().end()) return it->second;
  return {16, 16, false};  // everything else: composed of a few of the above
}

void Conditioning::measure(int runs) {
  while (int(moved_.size()) < runs) {
    const int k = int(moved_.size());
    Mover mover(case_.seed * 31 + uint64_t(k), otherEngine_, k % kRuns);
    Way way{"moved"};
    way.controller = &mover;
    moved_.push_back(runCase(case_, way));
  }
}

void Conditioning::lookCloser() { measure(kRuns + kFurtherRuns); }

bool Conditioning::unsteady() {
  measure(kRuns);
  for (const Outcome& m : moved_) {
    if (m.load.code != reference_.load.code || m.steps.size() != reference_.steps.size()) return true;
    for (size_t s = 0; s < m.steps.size(); ++s) {
      if (m.steps[s].code != reference_.steps[s].code || m.steps[s].values.size() != reference_.steps[s].values.size()) return true;
    }
  }
  return false;
}

bool Conditioning::unsteady(int step, int fetch) {
  if (unsteady()) return true;
  const Tensor& want = reference_.steps[size_t(step)].values[size_t(fetch)];
  for (const Outcome& m : moved_) {
    const Tensor& t = m.steps[size_t(step)].values[size_t(fetch)];
    if (!(t.shape() == want.shape())) return true;
    if (!isFloating(t.dtype()) && !isComplex(t.dtype()) && !t.identicalTo(want)) return true;
  }
  return false;
}

std::vector<double> Conditioning::allowed(int step, int fetch) {
  measure(kRuns);
  const Tensor& want = reference_.steps[size_t(step)].values[size_t(fetch)];
  std::vector<double> out(size_t(std::max<int64_t>(want.elements(), 0)), 0);
  if (!isFloating(want.dtype()) && !isComplex(want.dtype())) return out;
  const double eps = epsilonOf(want.dtype());
  for (const Outcome& m : moved_) {
    if (size_t(step) >= m.steps.size() || size_t(fetch) >= m.steps[size_t(step)].values.size()) {
      // Rounding decides whether it runs at all (a threshold that is 1 must not become more).
      std::fill(out.begin(), out.end(), INFINITY);
      continue;
    }
    const Tensor& t = m.steps[size_t(step)].values[size_t(fetch)];
    for (size_t i = 0; i < out.size(); ++i) {
      if (!(t.shape() == want.shape())) {
        out[i] = INFINITY;
        continue;
      }
      for (int part = 0; part <= int(isComplex(want.dtype())); ++part) {
        const double a = partOf(t, int64_t(i), part), b = partOf(want, int64_t(i), part);
        if (a == b || (std::isnan(a) && std::isnan(b))) continue;
        if (!std::isfinite(a) || !std::isfinite(b)) out[i] = INFINITY;
        else out[i] = std::max(out[i], kSafety * std::fabs(a - b) + eps * std::fabs(b));
      }
    }
  }
  // Neighbours in one tensor were moved by chance: none may be allowed nothing where the others move.
  double most = 0;
  for (const double a : out)
    if (std::isfinite(a)) most = std::max(most, a);
  for (size_t i = 0; i < out.size(); ++i) out[i] = std::max(out[i], std::min(most, most * 0.25 + 4 * eps * std::fabs(want.asDouble(int64_t(i)))));
  return out;
}

}  // namespace weft::generated
