# The sources of libweft-cuda and of its host build. The kernels of an op family are engine/ops/<family>.cu.
set(WEFT_CUDA_SOURCES)
foreach(name cuda_device indexing late_errors plugin registration)
  list(APPEND WEFT_CUDA_SOURCES ${PROJECT_SOURCE_DIR}/engine/device/cuda/${name}.cpp)
endforeach()
foreach(family activations bias binary_math cast comparison generators matmul reductions softmax unary_math views)
  list(APPEND WEFT_CUDA_SOURCES ${PROJECT_SOURCE_DIR}/engine/ops/${family}.cu)
endforeach()
