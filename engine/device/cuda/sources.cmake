# The sources of libweft-cuda and of its host build: devices, and kernels. The kernels of an op family are engine/ops/<family>.cu.
set(WEFT_CUDA_DEVICE_SOURCES)
foreach(family
    activations batch_norm bias binary_math cast comparison control_flow convolution depthwise function_calls generators host_objects matmul
    optimizers pooling pooling3d reductions softmax tensor_array_ops unary_math variables views)
  list(APPEND WEFT_CUDA_DEVICE_SOURCES ${PROJECT_SOURCE_DIR}/engine/device/cuda/${name})
endforeach()
set(WEFT_CUDA_KERNEL_SOURCES ${PROJECT_SOURCE_DIR}/engine/device/cuda/plugin.cpp)
foreach(family activations batch_norm bias binary_math block_rnn block_rnn_grad cast comparison control_flow convolution depthwise dilation2d function_calls generators host_objects local_response loss_ops matmul optimizers pooling pooling3d reductions softmax tensor_array_ops unary_math variables views)
  list(APPEND WEFT_CUDA_KERNEL_SOURCES ${PROJECT_SOURCE_DIR}/engine/ops/${family}.cu)
endforeach()
