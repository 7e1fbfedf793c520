"""Names that TensorFlow 1.15 does not have in the same place: from older versions, or for internal use. dir() and `import *` omit them."""

HIDDEN = {
    "": {"IndexedSlicesValue", "PartitionedVariable", "VariableDef", "as_bytes", "as_str", "as_text", "batch_cholesky", "batch_cholesky_solve", "batch_fft", "batch_matmul",
         "batch_matrix_band_part", "batch_matrix_determinant", "batch_matrix_diag", "batch_matrix_diag_part", "batch_matrix_inverse", "batch_matrix_set_diag", "batch_matrix_solve",
         "batch_matrix_transpose", "batch_matrix_triangular_solve", "batch_self_adjoint_eig", "batch_self_adjoint_eigvals", "batch_svd", "complex_abs", "constant_v1", "constraints",
         "examples", "inv", "listdiff", "merge_all_summaries", "mul", "neg", "operators", "pack", "pi", "regularizers", "select", "string_length", "sub", "unpack", "v1"},
    "distributions": {"BetaWithSoftplusConcentration", "ExponentialWithSoftplusRate", "GammaWithSoftplusConcentrationRate", "LaplaceWithSoftplusScale", "NormalWithSoftplusScale",
                      "StudentTWithAbsDfSoftplusScale"}, "errors": {"OperatorNotAllowedInGraphError"}, "image": {"per_image_whitening"}, "keras": {"Layer"}, "keras.backend": {"logsumexp"},
    "keras.initializers": {"GlorotNormal", "GlorotUniform", "one", "variance_scaling", "zero"}, "keras.layers": {"PeepholeLSTMCell"}, "keras.losses": {"Reduction"},
    "keras.metrics": {"categorical_hinge", "cosine_similarity", "logcosh"},
    "layers": {"add", "attention", "average", "concatenate", "convolution1d", "convolution2d", "convolution3d", "embedding", "global_average_pooling", "global_max_pooling", "gru", "layer_norm",
               "lstm", "lstm_loop", "maximum", "minimum", "multiply", "separable_convolution2d", "subtract"},
    "metrics": {"accuracy_of_batch"}, "random": {"set_seed"}, "saved_model": {"EVAL"}, "saved_model.tag_constants": {"EVAL"}, "train": {"SummaryWriter", "add_collection_def"},
    "train.experimental": {"SaveableObject"},
}
