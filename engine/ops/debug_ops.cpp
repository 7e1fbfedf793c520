#include <cmath>
#include <limits>

#include "device/cpu/dtypes.h"
#include "ops/debug_dump.h"
#include "ops/registry.h"

// Ops that TensorFlow's debugger inserts into graphs: identity, NaN counts, and statistics of a tensor.
namespace weft {
namespace {

/// The tensor that the op watches; DebugGradientIdentity and similar ops watch none.
Status watchOf(KernelContext& c, DebugWatch* watch) {
  const AttrMap& attrs = c.node().attrs;
  if (!attrs.find("debug_urls")) return {};
  watch->device = attrs.text("device_name");
  watch->op = c.node().op;
  return watch->parse(attrs.text("tensor_name"));
}

Status publish(KernelContext& c, const DebugWatch& watch, const Tensor& tensor) {
  const auto urls = c.node().attrs.list<std::string>("debug_urls");
  return urls.empty() ? Status() : publishDebugTensor(watch, tensor, urls);
}

Status runIdentity(KernelContext& c) {
  DebugWatch watch;
  WEFT_TRY(watchOf(c, &watch));
  if (c.isRefInput(0) && baseType(c.node().outputTypes[0]) != c.node().outputTypes[0]) {
    c.forwardRef(0, 0);
    return {};
  }
  WEFT_TRY(publish(c, watch, c.input(0)));
  c.setOutput(0, c.input(0));
  return {};
}

/// Calls f with each element as a double; false for types that cannot be converted.
template <typename F>
bool forNumbers(const Tensor& t, F&& f) {
  const int64_t n = t.elements();
  if (t.dtype() == DType::Bool) {
    for (int64_t i = 0; i < n; ++i) f(double(t.at<bool>(i)));
    return true;
  }
  return !isComplex(t.dtype()) && cpu::withNumber(t.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (!cpu::kIsComplex<T>) {
      const T* x = static_cast<const T*>(t.raw());
      for (int64_t i = 0; i < n; ++i) f(double(x[i]));
    }
  });
}

Status runNanCount(KernelContext& c) {
  DebugWatch watch;
  WEFT_TRY(watchOf(c, &watch));
  int64_t count = 0;
  forNumbers(c.input(0), [&](double x) { count += std::isnan(x); });
  WEFT_LET(Tensor* out, c.allocate(0, {1}));
  out->mutableData<int64_t>()[0] = count;
  return publish(c, watch, *out);
}

Status runSummary(KernelContext& c) {
  DebugWatch watch;
  WEFT_TRY(watchOf(c, &watch));
  const Tensor& in = c.input(0);
  const AttrMap& attrs = c.node().attrs;
  const double infinity = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
  const double lower = double(attrs.number("lower_bound", -std::numeric_limits<float>::infinity()));
  const double upper = double(attrs.number("upper_bound", std::numeric_limits<float>::infinity()));
  const bool known = in.hasValue();
  double nan = 0, low = 0, negative = 0, zero = 0, positive = 0, high = 0, least = infinity, greatest = -infinity, sum = 0, finite = 0;
  if (known) {
    forNumbers(in, [&](double x) {
      if (std::isnan(x)) {
        ++nan;
        return;
      }
      if (x <= lower) ++low;
      else if (x >= upper) ++high;
      else if (x < 0) ++negative;
      else if (x == 0) ++zero;
      else ++positive;
      if (std::isinf(x)) return;
      least = std::min(least, x), greatest = std::max(greatest, x);
      sum += x;
      ++finite;
    });
  }
  if (attrs.flag("mute_if_healthy") && nan == 0 && low == 0 && high == 0) {
    WEFT_LET(Tensor* empty, c.allocate(0, {0}));
    (void)empty;
    return {};
  }
  const double mean = finite > 0 ? sum / finite : none;
  double squares = 0;
  if (known) {
    forNumbers(in, [&](double x) {
      if (std::isfinite(x)) squares += (x - mean) * (x - mean);
    });
  }
  std::vector<double> values = {known ? 1.0 : 0.0,
                                known ? double(in.elements()) : 0.0,
                                nan,
                                low,
                                negative,
                                zero,
                                positive,
                                high,
                                least,
                                greatest,
                                mean,
                                finite > 0 ? squares / finite : none,
                                double(int(baseType(c.node().inputTypes[0]))),
                                known ? double(in.rank()) : 0.0};
  if (known) {
    for (int64_t d : in.shape().dims()) values.push_back(double(d));
  }
  WEFT_LET(Tensor* out, c.allocate(0, {int64_t(values.size())}));
  std::copy(values.begin(), values.end(), out->mutableData<double>());
  return publish(c, watch, *out);
}

OpRecord& addDebug(OpRegistry& ops, const char* name, const char* summary) {
  OpRecord& r = ops.add(name).category("Debugging").keywords("tfdbg watch").summary(summary);
  r.uninitializedInput().noGradient("It only observes a tensor.").gradientIsError = true;
  return r;
}
OpRecord& addWatchAttrs(OpRecord& r) {
  return r.attr("T: type", "Type of the elements.")
      .attr("device_name: string = ''", "Device of the watched tensor.")
      .attr("tensor_name: string = ''", "Name of the watched tensor, NODE:OUTPUT.")
      .attr("debug_urls: list(string) = []", "Where to send the tensor: file://FOLDER (one event file per tensor); grpc:// servers are not supported.");
}

}  // namespace

void registerDebugOps(OpRegistry& ops) {
  const std::vector<DType> numbers = {DType::Float, DType::Double, DType::Half,   DType::BFloat16, DType::Int8,   DType::Int16, DType::Int32,
                                      DType::Int64, DType::UInt8,  DType::UInt16, DType::Bool,     DType::UInt32, DType::UInt64};
  addDebug(ops, "DebugGradientIdentity", "Passes its input through; marks a gradient for the debugger.")
      .input("input: T", "Any tensor.")
      .output("output: T", "The input, unchanged.")
      .attr("T: type", "Type of the elements.")
      .shape(shapes::unchanged)
      .cpu({}, simpleKernel(runIdentity));
  addDebug(ops, "DebugGradientRefIdentity", "Passes a variable through; marks a gradient for the debugger.")
      .input("input: Ref(T)", "Any variable.")
      .output("output: Ref(T)", "The input, unchanged.")
      .attr("T: type", "Type of the elements.")
      .shape(shapes::unchanged)
      .cpu({}, simpleKernel(runIdentity));
  OpRecord& identity = addDebug(ops, "DebugIdentity", "Passes its input through, after sending it to the debugger.")
                           .input("input: T", "Any tensor.")
                           .output("output: T", "The input, unchanged.");
  addWatchAttrs(identity)
      .attr("gated_grpc: bool = false", "Whether a remote debugger may disable the op.")
      .shape(shapes::unchanged)
      .cpu({}, simpleKernel(runIdentity));
  OpRecord& nan = addDebug(ops, "DebugNanCount", "Number of NaN elements of a tensor.")
                      .input("input: T", "Any numbers.")
                      .output("output: int64", "The count; a vector with one element.");
  addWatchAttrs(nan)
      .attr("gated_grpc: bool = false", "Whether a remote debugger may disable the op.")
      .shape(shapes::scalar)  // TensorFlow's shape, although the result is a vector with one element
      .cpu({{"T", numbers}}, simpleKernel(runNanCount));
  OpRecord& summary =
      addDebug(ops, "DebugNumericSummary", "Summary statistics of a tensor for the debugger.")
          .description(
              "In this order: whether it is initialized (1); number of elements; counts of NaN, of elements at or below the lower bound, negative, zero, "
              "positive, at or above the upper bound; minimum, maximum, mean and variance of the finite elements; dtype; rank; dimensions.")
          .input("input: T", "Any numbers.")
          .output("output: double", "The statistics.");
  addWatchAttrs(summary).attr("lower_bound: float", "Elements at or below it count as -inf.");
  summary.attrs.back().defaultValue = Attr(-std::numeric_limits<float>::infinity());
  summary.attr("upper_bound: float", "Elements at or above it count as +inf.");
  summary.attrs.back().defaultValue = Attr(std::numeric_limits<float>::infinity());
  summary.attr("mute_if_healthy: bool = false", "Output nothing if no element is NaN or out of bounds.")
      .attr("gated_grpc: bool = false", "Whether a remote debugger may disable the op.")
      .shape(shapes::unknown)
      .cpu({{"T", numbers}}, simpleKernel(runSummary));
  misstateShapes(ops, 0, "DebugNanCount");
}

}  // namespace weft
