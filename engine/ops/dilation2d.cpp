// Grey-scale dilation (the maximum of image plus filter over each window) and its gradients.
#include "ops/dilation2d.h"

#include "base/parallel.h"
#include "graph/window.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

namespace weft {
namespace {

Status dilationShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 4));
  WEFT_TRY(c.requireRank(c.input(1), 3));
  WEFT_LET(const std::vector<int64_t> strides, smallIntegers(c.attrs(), "strides"));
  WEFT_LET(const std::vector<int64_t> rates, smallIntegers(c.attrs(), "rates"));
  if (strides.size() != 4) return invalidArgument("Dilation2D requires the stride attribute to contain 4 values, but got: ", strides.size());
  if (rates.size() != 4) return invalidArgument("Dilation2D requires the rates attribute to contain 4 values, but got: ", rates.size());
  const Shape in = c.input(0).hasRank() ? c.input(0) : Shape::unknownOfRank(4), filter = c.input(1).hasRank() ? c.input(1) : Shape::unknownOfRank(3);
  WEFT_LET(const int64_t depth, c.mergeDims(in.dim(3), filter.dim(2)));
  Shape out{in.dim(0), Shape::kUnknownDim, Shape::kUnknownDim, depth};
  if (in.dim(1) >= 0 && in.dim(2) >= 0 && filter.dim(0) >= 0 && filter.dim(1) >= 0) {
    for (int i : {1, 2}) {
      WEFT_LET(const WindowAxis axis, windowAxis(in.dim(i), filter.dim(i - 1), rates[size_t(i)], strides[size_t(i)], c.attrs().text("padding")));
      out.setDim(i, axis.output);
    }
  }
  c.setOutput(0, std::move(out));
  return {};
}

template <int i>
Status likeInput(ShapeContext& c) {
  c.setOutput(0, c.input(i));
  return {};
}

Result<std::vector<Output>> dilationGradient(GradContext& c) {
  AttrMap attrs;
  for (const char* name : {"strides", "rates", "padding"}) {
    if (const Attr* a = c.attrs().find(name)) attrs.set(name, *a);
  }
  const Output dx = c.b().op("Dilation2DBackpropInput", {c.input(0), c.input(1), c.grad()}, attrs);
  return std::vector<Output>{dx, c.b().op("Dilation2DBackpropFilter", {c.input(0), c.input(1), c.grad()}, attrs)};
}

using Geometry = DilationGeometry;

}  // namespace

Result<DilationGeometry> dilationGeometry(const KernelContext& c) {
  const AttrMap& attrs = c.node().attrs;
  WEFT_LET(const std::vector<int64_t> strides, smallIntegers(attrs, "strides"));
  WEFT_LET(const std::vector<int64_t> rates, smallIntegers(attrs, "rates"));
  if (strides.size() != 4) return invalidArgument("Sliding window stride field must specify 4 dimensions");
  if (strides[0] != 1 || strides[3] != 1) return unimplemented("Stride is only supported across spatial dimensions.");
  if (rates.size() != 4) return invalidArgument("Input stride (atrous rate) field must specify 4 dimensions");
  if (rates[0] != 1 || rates[3] != 1) return unimplemented("Rate is only supported across spatial dimensions.");
  const Tensor &in = c.input(0), &filter = c.input(1);
  if (in.rank() != 4) return invalidArgument("input must be 4-dimensional", in.shape().toString());
  if (filter.rank() != 3) return invalidArgument("filter must be 3-dimensional: ", filter.shape().toString());
  if (in.dim(3) != filter.dim(2)) return invalidArgument("input and filter must have the same depth: ", in.dim(3), " vs ", filter.dim(2));
  DilationGeometry g{};
  g.batch = in.dim(0);
  g.depth = in.dim(3);
  for (size_t i = 0; i < 2; ++i) {
    g.in[i] = in.dim(int(i) + 1);
    g.filter[i] = filter.dim(int(i));
    g.stride[i] = strides[i + 1];
    g.rate[i] = rates[i + 1];
    WEFT_LET(g.axis[i], windowAxis(g.in[i], g.filter[i], g.rate[i], g.stride[i], attrs.text("padding")));
  }
  return g;
}

namespace {

/// Calls f(result index, largest sum, and the elements of image and filter that give it) for images [from, to). If a window lies completely outside, or no sum
/// exceeds the lowest number, the elements are the first ones, as in TensorFlow.
template <typename T, typename F>
void overWindows(const Geometry& g, const T* in, const T* filter, int64_t from, int64_t to, F&& f) {
  int64_t at = from * g.axis[0].output * g.axis[1].output * g.depth;
  for (int64_t n = from; n < to; ++n) {
    for (int64_t y = 0; y < g.axis[0].output; ++y) {
      const int64_t top = y * g.stride[0] - g.axis[0].before;
      for (int64_t x = 0; x < g.axis[1].output; ++x) {
        const int64_t left = x * g.stride[1] - g.axis[1].before;
        for (int64_t k = 0; k < g.depth; ++k, ++at) {
          T best = Eigen::NumTraits<T>::lowest();
          int64_t picture = ((n * g.in[0] + std::max<int64_t>(0, top)) * g.in[1] + std::max<int64_t>(0, left)) * g.depth + k, cell = k;
          for (int64_t i = 0; i < g.filter[0]; ++i) {
            const int64_t h = top + i * g.rate[0];
            if (h < 0 || h >= g.in[0]) continue;
            for (int64_t j = 0; j < g.filter[1]; ++j) {
              const int64_t w = left + j * g.rate[1];
              if (w < 0 || w >= g.in[1]) continue;
              const int64_t p = ((n * g.in[0] + h) * g.in[1] + w) * g.depth + k, q = (i * g.filter[1] + j) * g.depth + k;
              const T sum = T(in[p] + filter[q]);
              if (sum > best) best = sum, picture = p, cell = q;
            }
          }
          f(at, best, picture, cell);
        }
      }
    }
  }
}

Status runDilation(KernelContext& c) {
  WEFT_LET(const Geometry g, dilationGeometry(c));
  WEFT_LET(Tensor * out, c.allocate(0, g.outShape()));
  if (out->elements() == 0) return {};
  withReal(out->dtype(), [&]<typename T>(std::type_identity<T>) {
    T* to = elementsOf<T>(*out);
    parallelFor(g.batch, 1, [&](int64_t begin, int64_t end) {
      overWindows(g, elementsOf<T>(c.input(0)), elementsOf<T>(c.input(1)), begin, end, [&](int64_t at, T best, int64_t, int64_t) { to[at] = best; });
    });
  });
  return {};
}

template <bool ofFilter>
Status runBackprop(KernelContext& c) {
  WEFT_LET(const Geometry g, dilationGeometry(c));
  const Tensor& grad = c.input(2);
  if (grad.shape() != g.outShape()) return invalidArgument("out_backprop has incompatible size.");
  WEFT_LET(Tensor * out, c.allocate(0, c.input(ofFilter ? 1 : 0).shape()));
  const int64_t size = out->elements();
  withReal(out->dtype(), [&]<typename T>(std::type_identity<T>) {
    T* to = elementsOf<T>(*out);
    const T* dy = elementsOf<T>(grad);
    std::fill_n(to, size, T(0));
    if (size == 0) return;
    overWindows(g, elementsOf<T>(c.input(0)), elementsOf<T>(c.input(1)), 0, g.batch, [&](int64_t at, T, int64_t picture, int64_t cell) {
      T& place = to[std::min(ofFilter ? cell : picture, size - 1)];
      place = T(place + dy[at]);
    });
  });
  return {};
}

OpRecord& add(OpRegistry& ops, const char* name, const char* summary) {
  return ops.add(name)
      .category("Neural network")
      .keywords("morphology erosion maximum atrous")
      .summary(summary)
      .input("input: T", "Images [batch, height, width, channels].")
      .input("filter: T", "Structuring element, [height, width, channels].")
      .attr("T: realnumbertype", "Type of the elements.")
      .attr("strides: list(int) >= 4", "Stride of the window along each dimension of the input.")
      .attr("rates: list(int) >= 4", "Dilation of the filter along each dimension of the input.")
      .attr("padding: {'SAME', 'VALID'}", "SAME: padded so that the output has size ceil(input / stride). VALID: no padding.");
}

}  // namespace

void registerDilation2D(OpRegistry& ops) {
  add(ops, "Dilation2D", "Grey-scale morphological dilation: the maximum of image plus filter over each window.")
      .output("output: T", "The dilated images.")
      .shape(dilationShape)
      .gradient(dilationGradient)
      .cpu({{"T", types::kCpuReal}}, simpleKernel(runDilation));
  const char* const none = "TensorFlow defines no second derivative for Dilation2D.";
  add(ops, "Dilation2DBackpropInput", "Gradient of Dilation2D with respect to its input.")
      .category("Gradients")
      .input("out_backprop: T", "Gradient with respect to the output of Dilation2D.")
      .output("in_backprop: T", "Gradient with respect to the images.")
      .shape(likeInput<0>)
      .noGradient(none)
      .cpu({{"T", types::kCpuReal}}, simpleKernel(runBackprop<false>))
      .gradientIsError = true;
  add(ops, "Dilation2DBackpropFilter", "Gradient of Dilation2D with respect to its filter.")
      .category("Gradients")
      .input("out_backprop: T", "Gradient with respect to the output of Dilation2D.")
      .output("filter_backprop: T", "Gradient with respect to the filter.")
      .shape(likeInput<1>)
      .noGradient(none)
      .cpu({{"T", types::kCpuReal}}, simpleKernel(runBackprop<true>))
      .gradientIsError = true;
}

}  // namespace weft
