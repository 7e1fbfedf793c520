#include "device/cuda/products.cuh"
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

}  // namespace

void registerMatMulGpu(OpRegistry& ops) {
  addFor<Half, float, double, Complex64, Complex128>(ops, "MatMul", []<typename T>(KernelContext& c) { return runMatMul<T>(c); });
}

}  // namespace weft::cuda
