#include "device/cuda/launch.cuh"

// Matrix products by cuBLAS. Row-major C = A·B is column-major Cᵀ = Bᵀ·Aᵀ, so the operands are swapped.
namespace weft::cuda {
namespace {

Status runMatMul(KernelContext& c) {
  const Tensor &a = c.input(0), &b = c.input(1);
  if (a.rank() != 2 || b.rank() != 2) return invalidArgument("In[0] and In[1] must be matrices, got ", a.shape().toString(), " and ", b.shape().toString());
  const bool ta = c.node().attrs.flag("transpose_a"), tb = c.node().attrs.flag("transpose_b");
  const int64_t m = a.dim(ta ? 1 : 0), k = a.dim(ta ? 0 : 1), n = b.dim(tb ? 0 : 1);
  if (k != b.dim(tb ? 1 : 0)) {
    return invalidArgument("Matrix size-incompatible: In[0]: ", a.shape().toString(), ", In[1]: ", b.shape().toString());
  }
  WEFT_LET(Tensor * out, c.allocate(0, Shape{m, n}));
  CudaDevice& d = deviceOf(c);
  if (m == 0 || n == 0) return {};
  if (k == 0) {
    WEFT_CUDA_TRY(cudaMemsetAsync(out->mutableRaw(), 0, out->bytes(), d.stream()));
    return {};
  }
  const float one = 1, zero = 0;
  const MutexLock lock(d.mutex());
  WEFT_CUDA_TRY(cublasSgemm(d.blas(), tb ? CUBLAS_OP_T : CUBLAS_OP_N, ta ? CUBLAS_OP_T : CUBLAS_OP_N, int(n), int(m), int(k), &one, b.data<float>(),
                            int(b.dim(1)), a.data<float>(), int(a.dim(1)), &zero, out->mutableData<float>(), int(n)));
  return {};
}

}  // namespace

void registerMatMulGpu(OpRegistry& ops) { addFloat(ops, "MatMul", runMatMul); }

}  // namespace weft::cuda
