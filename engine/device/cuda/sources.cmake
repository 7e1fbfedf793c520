# The sources of libweft-cuda and of its host build: devices, and kernels. The kernels of an op family are engine/ops/<family>.cu.
set(WEFT_CUDA_DEVICE_SOURCES)
foreach(name cuda_device.cpp event_timer.cpp indexing.cpp late_errors.cpp registration.cpp tensor_sum.cu)
  list(APPEND WEFT_CUDA_DEVICE_SOURCES ${PROJECT_SOURCE_DIR}/engine/device/cuda/${name})
endforeach()
set(WEFT_CUDA_KERNEL_SOURCES ${PROJECT_SOURCE_DIR}/engine/device/cuda/plugin.cpp)
foreach(family
    activations add_n arranging batch_norm bias binary_math block_rnn block_rnn_grad cast comparison control_flow convolution data_formats depthwise
    diagonals dilation2d function_calls gathering generators host_objects inplace_ops joining local_response loss_ops matmul optimizers padding
    passing patches pooling pooling3d rearranging reductions scans sets slicing softmax space_batch splitting tensor_array_ops tensor_diagonals
    unary_math variables views)
  list(APPEND WEFT_CUDA_KERNEL_SOURCES ${PROJECT_SOURCE_DIR}/engine/ops/${family}.cu)
endforeach()
