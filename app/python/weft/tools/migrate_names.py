"""What became of TensorFlow's names before 1.0. Sources: the release notes of TensorFlow 0.8 to 1.0. Names that 1.15 still has are changed nowhere."""

# Functions, classes and modules below tf that go by another name in 1.x.
NEW_NAMES = {
    "inv": "reciprocal", "mul": "multiply", "neg": "negative", "sub": "subtract", "listdiff": "setdiff1d", "list_diff": "setdiff1d", "select": "where", "complex_abs": "abs",
    "pack": "stack", "unpack": "unstack", "batch_matmul": "matmul", "concat_v2": "concat",
    "scalar_summary": "summary.scalar", "histogram_summary": "summary.histogram", "audio_summary": "summary.audio", "image_summary": "summary.image",
    "merge_summary": "summary.merge", "merge_all_summaries": "summary.merge_all", "train.SummaryWriter": "summary.FileWriter",
    "image.per_image_whitening": "image.per_image_standardization",
    "nn.rnn": "nn.static_rnn", "nn.bidirectional_rnn": "nn.static_bidirectional_rnn", "nn.state_saving_rnn": "nn.static_state_saving_rnn", "nn.seq2seq": "contrib.legacy_seq2seq",
    "contrib.ctc.ctc_loss": "nn.ctc_loss", "contrib.ctc.ctc_greedy_decoder": "nn.ctc_greedy_decoder", "contrib.ctc.ctc_beam_search_decoder": "nn.ctc_beam_search_decoder",
    "models.rnn.rnn_cell": "nn.rnn_cell", "models.rnn.seq2seq": "contrib.legacy_seq2seq",
    "batch_matrix_diag": "matrix_diag", "batch_matrix_diag_part": "matrix_diag_part", "batch_matrix_band_part": "matrix_band_part", "batch_matrix_set_diag": "matrix_set_diag",
    "batch_matrix_transpose": "matrix_transpose", "batch_matrix_determinant": "matrix_determinant", "batch_matrix_inverse": "matrix_inverse", "batch_cholesky": "cholesky",
    "batch_cholesky_solve": "cholesky_solve", "batch_matrix_solve": "matrix_solve", "batch_matrix_triangular_solve": "matrix_triangular_solve",
    "batch_matrix_solve_ls": "matrix_solve_ls", "batch_self_adjoint_eig": "self_adjoint_eig", "batch_self_adjoint_eigvals": "self_adjoint_eigvals", "batch_svd": "svd",
    "batch_fft": "fft", "batch_ifft": "ifft", "batch_fft2d": "fft2d", "batch_ifft2d": "ifft2d", "batch_fft3d": "fft3d", "batch_ifft3d": "ifft3d",
}

# The order that parameters had. A positional call gets keywords, so that it means the same.
OLD_ORDERS = {
    "concat": ["axis", "values", "name"],
    "split": ["axis", "num_or_size_splits", "value", "name"],
    "nn.softmax_cross_entropy_with_logits": ["logits", "labels", "dim", "name"],
    "nn.sparse_softmax_cross_entropy_with_logits": ["logits", "labels", "name"],
    "nn.sigmoid_cross_entropy_with_logits": ["logits", "labels", "name"],
}

NEW_KEYWORDS = {
    "batch_matmul": {"adj_x": "adjoint_a", "adj_y": "adjoint_b"},
    "split": {"split_dim": "axis", "num_split": "num_or_size_splits"},
    "concat": {"concat_dim": "axis"},
    "reverse": {"dims": "axis"},
    "image_summary": {"max_images": "max_outputs"},
}

# Parameters of these changed places without another trace in a call.
SWAPPED = {"nn.sampled_softmax_loss": "inputs and labels", "nn.nce_loss": "inputs and labels"}

# Modules that programs imported: `from MODULE import NAME` becomes an import from elsewhere.
NEW_MODULES = {"tensorflow.models.rnn": {"rnn_cell": "tensorflow.nn", "seq2seq": "tensorflow.contrib import legacy_seq2seq"},
               "tensorflow.python.ops": {"seq2seq": "tensorflow.contrib import legacy_seq2seq"}}
