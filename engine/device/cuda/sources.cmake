# The sources of libweft-cuda and of its host build. The kernels of an op family are engine/ops/<family>.cu.
set(WEFT_CUDA_SOURCES)
foreach(name cuda_device indexing late_errors plugin registration)
  list(APPEND WEFT_CUDA_SOURCES ${PROJECT_SOURCE_DIR}/engine/device/cuda/${name}.cpp)
endforeach()
list(APPEND WEFT_CUDA_SOURCES ${PROJECT_SOURCE_DIR}/engine/device/cuda/tensor_sum.cu)
foreach(family activations bias binary_math cast comparison control_flow generators matmul reductions softmax tensor_array_ops unary_math views)
  list(APPEND WEFT_CUDA_SOURCES ${PROJECT_SOURCE_DIR}/engine/ops/${family}.cu)
endforeach()
