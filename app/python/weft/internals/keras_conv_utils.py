"""tensorflow.python.keras.utils.conv_utils"""

from .layer_sizes import (conv_connected_inputs, conv_input_length, conv_kernel_idxs, conv_kernel_mask, conv_output_shape, convert_data_format, convert_kernel,  # noqa: F401
                          keras_conv_output_length as conv_output_length, keras_deconv_output_length as deconv_output_length,  # noqa: F401
                          keras_normalize_data_format as normalize_data_format, keras_normalize_padding as normalize_padding, normalize_tuple)  # noqa: F401
