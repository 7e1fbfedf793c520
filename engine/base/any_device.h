#pragma once

/// Marks functions in shared headers that kernels of processors and of GPUs call. They use no functions of std.
#ifdef __CUDACC__
#define WEFT_ANY_DEVICE __host__ __device__
#else
#define WEFT_ANY_DEVICE
#endif
