# The sources of libweft-cuda and of its host build: devices, and kernels. The kernels of an op family are engine/ops/<family>.cu.
set(WEFT_CUDA_DEVICE_SOURCES)
foreach(name convolution_plan.cpp cuda_device.cpp event_timer.cpp indexing.cpp late_errors.cpp moves.cu registration.cpp tensor_sum.cu)
  list(APPEND WEFT_CUDA_DEVICE_SOURCES ${PROJECT_SOURCE_DIR}/engine/device/cuda/${name})
endforeach()
set(WEFT_CUDA_KERNEL_SOURCES ${PROJECT_SOURCE_DIR}/engine/device/cuda/plugin.cpp)
foreach(family
    activations add_n arg_extreme arranging batch_norm bias binary_math bits block_rnn block_rnn_grad box_selection cast comparison complex_parts
    control_flow convolution data_formats depthwise diagonals dilation2d fake_quant fourier function_calls gathering generators histograms
    host_objects image_colors image_crops image_resize inplace_ops joining linear_algebra local_response loss_ops matmul optimizers ordering padding
    passing patches pooling pooling3d quantize random random_choice rearranging reductions scans scatter_nd scatter_updates segments sets slicing
    softmax space_batch sparse_math special_functions splitting tensor_array_ops tensor_diagonals tridiagonal unary_math variables views)
  list(APPEND WEFT_CUDA_KERNEL_SOURCES ${PROJECT_SOURCE_DIR}/engine/ops/${family}.cu)
endforeach()
