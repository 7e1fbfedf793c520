#include "device/cuda/indexing.cuh"
#include "device/cuda/products.cuh"
#include "ops/batch_product.h"
#include "ops/operand_checks.h"

// Matrix products by cuBLAS.
namespace weft::cuda {
namespace {

template <typename T>
Status runMatMul(KernelContext& c) {
  const Tensor &a = c.input(0), &b = c.input(1);
  WEFT_TRY(checkMatrices(a, b));
  const bool ta = c.node().attrs.flag("transpose_a"), tb = c.node().attrs.flag("transpose_b");
  const int64_t m = a.dim(ta ? 1 : 0), k = a.dim(ta ? 0 : 1), n = b.dim(tb ? 0 : 1);
  if (k != b.dim(tb ? 1 : 0)) {
    return invalidArgument("Matrix size-incompatible: In[0]: ", a.shape().toString(), ", In[1]: ", b.shape().toString());
  }
  WEFT_LET(Tensor * out, c.allocate(0, Shape{m, n}));
  return product<T>(deviceOf(c), {.m = m, .k = k, .n = n, .transposeA = ta, .transposeB = tb}, dataOf<T>(a), dataOf<T>(b), mutableDataOf<T>(*out));
}

/// Matrices that lie at equal distances in both operands are multiplied by one call: all, or those of the innermost broadcast dim.
template <typename T>
Status runBatchMatMul(KernelContext& c) {
  WEFT_LET(const BatchProduct p, batchProductOf(c));
  WEFT_LET(Tensor * out, c.allocate(0, p.out));
  if (out->elements() == 0) return {};
  WEFT_LET(const Broadcast r, broadcastOf(p.batch, p.batchX, p.batchY));
  ProductShape s{.m = p.m, .k = p.k, .n = p.n, .transposeA = c.node().attrs.flag("adj_x"), .transposeB = c.node().attrs.flag("adj_y"), .conjugate = true};
  const int64_t sizeX = p.m * p.k, sizeY = p.k * p.n, sizeOut = p.m * p.n;
  const int last = r.a.rank - 1;
  s.batch = last < 0 ? 1 : r.a.dims[last];
  s.strideA = last < 0 ? 0 : r.a.stride[last] * sizeX;
  s.strideB = last < 0 ? 0 : r.b.stride[last] * sizeY;
  s.strideC = sizeOut;
  const T *x = input<T>(c, 0), *y = input<T>(c, 1);
  T* to = mutableDataOf<T>(*out);
  const int64_t count = p.batch.elements();
  for (int64_t first = 0; first < count; first += s.batch) {
    int64_t rest = first / s.batch, atX = 0, atY = 0;
    for (int d = last - 1; d >= 0; --d) {
      atX += rest % r.a.dims[d] * r.a.stride[d];
      atY += rest % r.a.dims[d] * r.b.stride[d];
      rest /= r.a.dims[d];
    }
    WEFT_TRY(product<T>(deviceOf(c), s, x + atX * sizeX, y + atY * sizeY, to + first * sizeOut));
  }
  return {};
}

}  // namespace

void registerMatMulGpu(OpRegistry& ops) {
  addFor<Half, float, double, Complex64, Complex128>(ops, "MatMul", []<typename T>(KernelContext& c) { return runMatMul<T>(c); });
  addFor<Half, float, double, Complex64, Complex128>(ops, "BatchMatMul", []<typename T>(KernelContext& c) { return runBatchMatMul<T>(c); });
  addFor<Half, float, double, Complex64, Complex128>(ops, "BatchMatMulV2", []<typename T>(KernelContext& c) { return runBatchMatMul<T>(c); });
}

}  // namespace weft::cuda
