// Pooling with windows of two sizes in random order (Graham, "Fractional max-pooling", 2014).
#include <cmath>
#include <random>

#include "device/cpu/philox.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

namespace weft {
namespace {

// ---- shapes

Status poolShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 4));
  const std::vector<float> ratio = c.attrs().list<float>("pooling_ratio");
  if (ratio.size() != 4) return invalidArgument("pooling_ratio field must specify 4 dimensions");
  Shape out = c.input(0).hasRank() ? c.input(0) : Shape::unknownOfRank(4);
  for (int i = 0; i < 4; ++i) {
    if (out.dim(i) < 0) continue;
    const double size = std::floor(float(out.dim(i)) / ratio[size_t(i)]);
    if (!(size >= 0)) return invalidArgument("Size computed for dim ", i, " is negative: ", size);
    if (size > 0x7fffffff) return invalidArgument("Size computed for dim ", i, " is too large: ", size);
    out.setDim(i, int64_t(size));
  }
  c.setOutput(0, std::move(out));
  for (int i : {1, 2}) c.setOutput(i, Shape{Shape::kUnknownDim});
  return {};
}

Status maxGradShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 4));
  c.setOutput(0, c.input(0).hasRank() ? c.input(0) : Shape::unknownOfRank(4));
  return {};
}

Status averageGradShape(ShapeContext& c) {
  WEFT_LET(const Shape s, c.constantAsShape(0));
  c.setOutput(0, s.hasRank() ? s : Shape::unknownOfRank(4));
  return {};
}

// ---- gradients

Result<std::vector<Output>> maxGradient(GradContext& c) {
  return std::vector<Output>{
      c.b().op("FractionalMaxPoolGrad", {c.input(0), c.output(0), c.grad(0), c.output(1), c.output(2)}, {{"overlapping", c.attrs().flag("overlapping")}})};
}

Result<std::vector<Output>> averageGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Shape s = b.shape(c.input(0));
  if (!s.isFullyKnown()) return invalidArgument("Cannot convert a partially known TensorShape to a Tensor: ", s.toPythonString());
  const Output shape = b.constant(Tensor::vector(s.toVector()), "FractionalAvgPoolGrad/orig_input_tensor_shape");
  return std::vector<Output>{b.op("FractionalAvgPoolGrad", {shape, c.grad(0), c.output(1), c.output(2)}, {{"overlapping", c.attrs().flag("overlapping")}})};
}

// ---- where windows begin

/// Borders of `out` windows over `in` positions, beginning with 0. Windows have size in / out or one more, in an order drawn from `gen`, which advances.
std::vector<int64_t> windowBorders(int64_t in, int64_t out, bool pseudoRandom, cpu::Philox& gen) {
  std::vector<int64_t> sizes(static_cast<size_t>(out));
  cpu::Philox own = gen;
  cpu::PhiloxSingles singles(own);
  if (pseudoRandom) {
    // Borders are at ceil(alpha * (u + i)); u is limited so that the first and the last window have one of the two sizes.
    gen.skip(1);
    const double alpha = double(in) / double(out);
    const int64_t k = in / out;
    const double most = std::min(double(k + 2) / alpha - 1, double(in + 1 - k) / alpha - double(out - 1));
    const uint32_t high = singles.next32(), low = singles.next32();
    const double u = cpu::uniformDouble(high, low) * most;
    int64_t before = 1;
    for (int64_t i = 1; i <= out; ++i) {
      const int64_t border = i == out ? in + 1 : int64_t(std::ceil(alpha * (double(i) + u)));
      sizes[size_t(i - 1)] = border - before;
      before = border;
    }
  } else {
    gen.skip(uint64_t(out + 3) / 4);
    for (int64_t i = 0; i < out; ++i) sizes[size_t(i)] = in / out + (i < in % out ? 1 : 0);
    for (int64_t i = 0; i + 1 < out; ++i) std::swap(sizes[size_t(i)], sizes[size_t(i + int64_t(singles.next32() % uint32_t(out - i)))]);
  }
  std::vector<int64_t> borders{0};
  for (const int64_t size : sizes) borders.push_back(borders.back() + size);
  return borders;
}

/// Calls f(window index in the image, first pixel, rows, columns) for all windows; a pixel counts as one position of `width` per row.
template <typename F>
void overWindows(const int64_t* rows, int64_t rowCount, const int64_t* cols, int64_t colCount, int64_t height, int64_t width, bool overlapping, F&& f) {
  const auto end = [&](int64_t border, int64_t size) { return std::min(border + (overlapping ? 1 : 0), size); };
  for (int64_t y = 0; y < rowCount; ++y) {
    const int64_t top = rows[y], bottom = end(rows[y + 1], height);
    for (int64_t x = 0; x < colCount; ++x) f(y * colCount + x, top, bottom, cols[x], end(cols[x + 1], width));
  }
}

// ---- kernels

class FractionalPoolKernel final : public Kernel {
 public:
  FractionalPoolKernel(KernelInit& init, bool maximum) : attrs_(init.attrs()), maximum_(maximum) {
    seed_ = uint64_t(attrs_.integer("seed"));
    seed2_ = uint64_t(attrs_.integer("seed2"));
    if (seed_ == 0 && seed2_ == 0 && attrs_.flag("deterministic")) drawSeeds(seed_, seed2_);
  }

  Status compute(KernelContext& c) override {
    const std::vector<float> ratio = attrs_.list<float>("pooling_ratio");
    const Tensor& in = c.input(0);
    if (ratio.size() != 4) return invalidArgument("pooling_ratio field must specify 4 dimensions");
    const char* const kind = maximum_ ? "max" : "average";
    if (ratio[0] != 1 && ratio[3] != 1) return unimplemented("Fractional ", kind, " pooling is not yet supported on the batch nor channel dimension.");
    if (!attrs_.flag("deterministic") && (seed_ || seed2_)) return invalidArgument("Both seed and seed2 should be 0 if deterministic is false.");
    if (in.rank() != 4) return invalidArgument("tensor_in must be 4-dimensional");
    int64_t size[4];
    for (int i = 0; i < 4; ++i) {
      const double out = std::floor(float(in.dim(i)) / ratio[size_t(i)]);
      if (!(out >= 0) || out > 0x7fffffff) return invalidArgument("Size computed for dim ", i, " is negative or too large: ", out);
      size[i] = int64_t(out);
    }
    if (size[0] != in.dim(0) || size[3] != in.dim(3)) {
      return unimplemented("Fractional ", kind, " pooling is not yet supported on the batch nor channel dimension.");
    }
    if (size[1] == 0 || size[2] == 0) return invalidArgument("pooling_ratio leaves no window: ", in.shape().toString());
    uint64_t seed = seed_, seed2 = seed2_;
    if (seed == 0 && seed2 == 0) drawSeeds(seed, seed2);
    cpu::Philox gen(seed, seed2);
    const bool pseudo = attrs_.flag("pseudo_random"), overlapping = attrs_.flag("overlapping");
    const std::vector<int64_t> rows = windowBorders(in.dim(1), size[1], pseudo, gen), cols = windowBorders(in.dim(2), size[2], pseudo, gen);
    WEFT_LET(Tensor * out, c.allocate(0, Shape{size[0], size[1], size[2], size[3]}));
    c.setOutput(1, Tensor::vector(rows));
    c.setOutput(2, Tensor::vector(cols));
    const int64_t depth = size[3], image = in.dim(1) * in.dim(2) * depth;
    withReal(in.dtype(), [&]<typename T>(std::type_identity<T>) {
      for (int64_t n = 0; n < size[0]; ++n) {
        const T* x = elementsOf<T>(in) + n * image;
        T* y = elementsOf<T>(*out) + n * size[1] * size[2] * depth;
        overWindows(rows.data(), size[1], cols.data(), size[2], in.dim(1), in.dim(2), overlapping,
                    [&](int64_t window, int64_t top, int64_t bottom, int64_t left, int64_t right) {
                      T* to = y + window * depth;
                      std::fill_n(to, depth, maximum_ ? Eigen::NumTraits<T>::lowest() : T(0));
                      for (int64_t i = top; i < bottom; ++i) {
                        for (int64_t j = left; j < right; ++j) {
                          const T* from = x + (i * in.dim(2) + j) * depth;
                          for (int64_t k = 0; k < depth; ++k) to[k] = !maximum_ ? T(to[k] + from[k]) : to[k] < from[k] ? from[k] : to[k];
                        }
                      }
                      const int64_t count = std::max<int64_t>(0, bottom - top) * std::max<int64_t>(0, right - left);
                      for (int64_t k = 0; k < depth && !maximum_ && count > 0; ++k) to[k] = T(to[k] / T(count));
                    });
      }
    });
    return {};
  }

 private:
  static void drawSeeds(uint64_t& seed, uint64_t& seed2) {
    std::random_device device;
    seed = uint64_t(device()) << 32 | device();
    seed2 = uint64_t(device()) << 32 | device();
  }

  AttrMap attrs_;
  bool maximum_;
  uint64_t seed_, seed2_;
};

/// Window borders from an input must increase and stay inside.
Status checkBorders(const Tensor& borders, int64_t windows, int64_t size, const char* name) {
  if (borders.rank() != 1 || borders.dim(0) != windows + 1) {
    return invalidArgument(name, " must be a vector of ", windows + 1, " elements, but has shape ", borders.shape().toString());
  }
  for (int64_t i = 0; i <= windows; ++i) {
    const int64_t v = borders.at<int64_t>(i);
    if (v < 0 || v > size || (i > 0 && v < borders.at<int64_t>(i - 1))) return invalidArgument(name, " must rise from 0 to ", size, ", but has ", v, " at ", i);
  }
  return {};
}

template <bool maximum>
Status runGrad(KernelContext& c) {
  const int at = maximum ? 2 : 1;
  const Tensor &first = c.input(0), &grad = c.input(at), &rows = c.input(at + 1), &cols = c.input(at + 2);
  Shape in = first.shape();
  if (!maximum) {
    if (first.rank() != 1 || first.elements() != 4) return invalidArgument("original input tensor shape must be 1-dimensional and 4 elements");
    in = Shape();
    for (int i = 0; i < 4; ++i) {
      if (first.asInt(i) < 0) return invalidArgument("Dimension ", first.asInt(i), " must be >= 0");
      in.append(first.asInt(i));
    }
  }
  if (in.rank() != 4) return invalidArgument("orig_input must be 4-dimensional");
  if (grad.rank() != 4) return invalidArgument("out_backprop must be 4-dimensional");
  if (grad.dim(0) != in.dim(0) || grad.dim(3) != in.dim(3)) {
    return invalidArgument("out_backprop of shape ", grad.shape().toString(), " does not fit images of shape ", in.toString());
  }
  if (maximum && c.input(1).shape() != grad.shape()) {
    return invalidArgument("orig_output and out_backprop must have the same shape: ", c.input(1).shape().toString(), " vs ", grad.shape().toString());
  }
  WEFT_TRY(checkBorders(rows, grad.dim(1), in.dim(1), "row_pooling_sequence"));
  WEFT_TRY(checkBorders(cols, grad.dim(2), in.dim(2), "col_pooling_sequence"));
  WEFT_LET(Tensor * out, c.allocate(0, in));
  const bool overlapping = c.node().attrs.flag("overlapping");
  const int64_t depth = in.dim(3), image = in.dim(1) * in.dim(2) * depth, gradImage = grad.dim(1) * grad.dim(2) * depth;
  withReal(out->dtype(), [&]<typename T>(std::type_identity<T>) {
    std::vector<double> sums(maximum ? 0 : size_t(image));
    for (int64_t n = 0; n < in.dim(0); ++n) {
      T* dx = elementsOf<T>(*out) + n * image;
      const T* dy = elementsOf<T>(grad) + n * gradImage;
      std::fill_n(dx, image, T(0));
      std::fill(sums.begin(), sums.end(), 0.0);
      overWindows(rows.data<int64_t>(), grad.dim(1), cols.data<int64_t>(), grad.dim(2), in.dim(1), in.dim(2), overlapping,
                  [&](int64_t window, int64_t top, int64_t bottom, int64_t left, int64_t right) {
                    for (int64_t k = 0; k < depth; ++k) {
                      int64_t best = -1;
                      const double share = double(dy[window * depth + k]) / double(std::max<int64_t>(1, (bottom - top) * (right - left)));
                      for (int64_t i = top; i < bottom; ++i) {
                        for (int64_t j = left; j < right; ++j) {
                          const int64_t here = (i * in.dim(2) + j) * depth + k;
                          if constexpr (maximum) {
                            const T* x = elementsOf<T>(first) + n * image;
                            if (best < 0 || x[best] < x[here]) best = here;
                          } else {
                            sums[size_t(here)] += share;
                          }
                        }
                      }
                      if (maximum && best >= 0) dx[best] = T(dx[best] + dy[window * depth + k]);
                    }
                  });
      if (!maximum) std::transform(sums.begin(), sums.end(), dx, [](double v) { return T(v); });
    }
  });
  return {};
}

}  // namespace

void registerFractionalPooling(OpRegistry& ops) {
  const std::vector<DType> numbers = {DType::Float, DType::Double, DType::Int32, DType::Int64};
  const char* const type = "T: {float, double, int32, int64}";
  for (const bool maximum : {true, false}) {
    ops.add(maximum ? "FractionalMaxPool" : "FractionalAvgPool")
        .category("Neural network")
        .keywords("downsample random window stochastic")
        .summary(maximum ? "Max pooling over windows of random size, so that images shrink by a fractional ratio."
                         : "Average pooling over windows of random size, so that images shrink by a fractional ratio.")
        .input("value: T", "Images [batch, height, width, channels].")
        .output("output: T", maximum ? "The maxima." : "The means.")
        .output("row_pooling_sequence: int64", "Window boundaries along the height, starting with 0.")
        .output("col_pooling_sequence: int64", "Window boundaries along the width, starting with 0.")
        .attr("pooling_ratio: list(float) >= 4", "Ratio by which each dimension shrinks; 1 for batch and channels.")
        .attr("pseudo_random: bool = false",
              "Space the boundaries pseudorandomly (evenly, from a random start) instead of drawing the window sizes in random order.")
        .attr("overlapping: bool = false", "Whether neighbouring windows share the pixels at their boundary.")
        .attr("deterministic: bool = false", "Use the same windows in every run.")
        .attr("seed: int = 0", "Random seed; must be 0 unless `deterministic` is set.")
        .attr("seed2: int = 0", "Second seed.")
        .attr(type, "Type of the elements.")
        .shape(poolShape)
        .gradient(maximum ? maxGradient : averageGradient)
        .cpu({{"T", numbers}}, [maximum](KernelInit& init) -> Result<std::unique_ptr<Kernel>> {
          return std::unique_ptr<Kernel>(std::make_unique<FractionalPoolKernel>(init, maximum));
        });
  }
  const char *const none = "TensorFlow defines no second derivative for it.", *const rows = "Window boundaries along the height.",
                    *const cols = "Window boundaries along the width.";
  ops.add("FractionalMaxPoolGrad")
      .category("Gradients")
      .summary("Gradient of FractionalMaxPool: each window's gradient goes to its first maximum.")
      .input("orig_input: T", "Input of the pooling.")
      .input("orig_output: T", "Output of the pooling.")
      .input("out_backprop: T", "Gradient with respect to the output.")
      .input("row_pooling_sequence: int64", rows)
      .input("col_pooling_sequence: int64", cols)
      .output("output: T", "Gradient with respect to the images.")
      .attr("overlapping: bool = false", "Whether neighbouring windows share the pixels at their boundary.")
      .attr(type, "Type of the elements.")
      .shape(maxGradShape)
      .noGradient(none)
      .cpu({{"T", numbers}}, simpleKernel(runGrad<true>))
      .gradientIsError = true;
  ops.add("FractionalAvgPoolGrad")
      .category("Gradients")
      .summary("Gradient of FractionalAvgPool: each window's gradient is spread evenly over the window.")
      .input("orig_input_tensor_shape: int64", "Shape of the pooling's input.")
      .input("out_backprop: T", "Gradient with respect to the output.")
      .input("row_pooling_sequence: int64", rows)
      .input("col_pooling_sequence: int64", cols)
      .output("output: T", "Gradient with respect to the images.")
      .attr("overlapping: bool = false", "Whether neighbouring windows share the pixels at their boundary.")
      .attr(type, "Type of the elements.")
      .shape(averageGradShape)
      .noGradient(none)
      .cpu({{"T", numbers}}, simpleKernel(runGrad<false>))
      .gradientIsError = true;
}

}  // namespace weft
