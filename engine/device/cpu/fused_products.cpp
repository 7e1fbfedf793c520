#include "device/cpu/fused_products.h"

#include <algorithm>
#include <cstring>

#include "base/parallel.h"
#include "device/cpu/gemm.h"
#include "device/cpu/hot_nn.h"
#include "device/cpu/kernel_precision.h"

// Kernels introduced by rewrites of products (runtime/passes/product_slicing.cpp, product_sums.cpp).
namespace weft {
namespace {

Status checkMatrices(const Tensor& a, const Tensor& b, bool transposeA, bool transposeB) {
  if (a.rank() != 2 || b.rank() != 2) {
    const int wrong = a.rank() != 2 ? 0 : 1;
    return invalidArgument("In[", wrong, "] is not a matrix. Instead it has shape ", (wrong ? b : a).shape().toString());
  }
  if (a.dim(transposeA ? 0 : 1) != b.dim(transposeB ? 1 : 0)) {
    return invalidArgument("Matrix size-incompatible: In[0]: ", a.shape().toString(), ", In[1]: ", b.shape().toString());
  }
  return {};
}

class SlicedProduct final : public Kernel {
 public:
  SlicedProduct(const Shape& whole, int64_t begin, int64_t columns) : whole_(whole), begin_(begin), columns_(columns) {}

  Status compute(KernelContext& c) override {
    const Tensor &a = c.input(0), &b = c.input(1);
    WEFT_TRY(checkMatrices(a, b, false, true));
    if (a.dim(0) != whole_.dim(0) || b.dim(0) != whole_.dim(1)) {
      return internalError("a sliced product of ", a.shape().toString(), " and ", b.shape().toString(), "; its plan expects ", whole_.toString());
    }
    WEFT_LET(Tensor * out, c.allocate(0, {a.dim(0), columns_}));
    const cpu::GemmShape shape{a.dim(0), a.dim(1), columns_, false, true};
    cpu::gemm(shape, a.data<float>(), b.data<float>() + begin_ * b.dim(1), out->mutableData<float>(), precisionFor(c, shape));
    return {};
  }

  int64_t begin() const { return begin_; }
  int64_t columns() const { return columns_; }

 private:
  const Shape whole_;
  const int64_t begin_, columns_;
};

class PlainProduct final : public Kernel {
 public:
  Status compute(KernelContext& c) override {
    const Tensor &a = c.input(0), &b = c.input(1);
    WEFT_TRY(checkMatrices(a, b, false, false));
    WEFT_LET(Tensor * out, c.allocate(0, {a.dim(0), b.dim(1)}));
    const cpu::GemmShape shape{a.dim(0), a.dim(1), b.dim(1), false, false};
    cpu::gemm(shape, a.data<float>(), b.data<float>(), out->mutableData<float>(), precisionFor(c, shape));
    return {};
  }
};

class ProductSum final : public Kernel {
 public:
  ProductSum(int others, SumTerm term) : others_(others), term_(term) {}

  Status compute(KernelContext& c) override {
    const Tensor& first = c.input(0);
    const Tensor& right = c.input(c.inputCount() - 1);
    Shape shape;
    if (term_.isProduct) {
      const Tensor& left = c.input(others_);
      WEFT_TRY(checkMatrices(left, right, term_.transposeA, term_.transposeB));
      shape = Shape{left.dim(term_.transposeA ? 1 : 0), right.dim(term_.transposeB ? 0 : 1)};
    } else {
      if (right.rank() < 2) return invalidArgument("Input tensor must be at least 2D: ", right.shape().toString());
      shape = Shape{right.dim(right.rank() - 1)};
    }
    for (int i = 0; i < others_; ++i) {
      if (c.input(i).shape() == shape) continue;
      return invalidArgument("Inputs to operation ", c.node().name, " of type ", c.node().op,
                             " must have the same size and shape.  Input 0: ", shape.toString(), " != input ", i, ": ", c.input(i).shape().toString());
    }
    WEFT_LET(Tensor * out, c.allocateOrForward(0, shape, {0}));
    float* sum = out->mutableData<float>();
    const float* from = first.data<float>();
    if (others_ == 1) {
      if (sum != from) std::memcpy(sum, from, first.bytes());
    } else {
      parallelFor(out->elements(), 1 << 15, [&](int64_t begin, int64_t end) {
        for (int k = 1; k < others_; ++k) {
          const float *x = k == 1 ? from : sum, *y = c.input(k).data<float>();
          for (int64_t i = begin; i < end; ++i) sum[i] = x[i] + y[i];
        }
      });
    }
    if (term_.isProduct) {
      const Tensor& left = c.input(others_);
      const cpu::GemmShape product{shape.dim(0), left.dim(term_.transposeA ? 0 : 1), shape.dim(1), term_.transposeA, term_.transposeB};
      cpu::gemmAdd(product, left.data<float>(), right.data<float>(), sum, precisionFor(c, product));
    } else {
      addRows(right, sum);
    }
    return {};
  }

 private:
  /// Sums parts of fixed size and adds them in order: the same bits for any number of threads.
  static void addRows(const Tensor& t, float* sum) {
    const int64_t channels = t.dim(t.rank() - 1), rows = channels ? t.elements() / channels : 0;
    const int64_t parts = std::clamp<int64_t>(t.elements() / (1 << 16), 1, std::min<int64_t>(32, std::max<int64_t>(1, rows)));
    if (parts == 1) return cpu::nnKernels().columnSums(sum, t.data<float>(), rows, channels);
    std::vector<float> partial(size_t(parts * channels), 0.f);
    parallelFor(parts, 1, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) {
        const int64_t from = rows * p / parts, to = rows * (p + 1) / parts;
        cpu::nnKernels().columnSums(partial.data() + p * channels, t.data<float>() + from * channels, to - from, channels);
      }
    });
    for (int64_t p = 0; p < parts; ++p) {
      for (int64_t k = 0; k < channels; ++k) sum[k] += partial[size_t(p * channels + k)];
    }
  }

  const int others_;
  const SumTerm term_;
};

}  // namespace

std::shared_ptr<Kernel> makeSlicedProduct(const Shape& whole, int64_t begin, int64_t columns) { return std::make_shared<SlicedProduct>(whole, begin, columns); }

bool isSlicedProduct(const Kernel& kernel, int64_t& begin, int64_t& columns) {
  const auto* sliced = dynamic_cast<const SlicedProduct*>(&kernel);
  if (!sliced) return false;
  begin = sliced->begin();
  columns = sliced->columns();
  return true;
}

std::shared_ptr<Kernel> makePlainProduct() { return std::make_shared<PlainProduct>(); }

std::shared_ptr<Kernel> makeProductSum(int others, SumTerm term) { return std::make_shared<ProductSum>(others, term); }

}  // namespace weft
