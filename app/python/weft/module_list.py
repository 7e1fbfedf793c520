"""The modules that export names to `tensorflow`. Add new modules here."""

import importlib

MODULES = [
    "messages.all",
    "errors", "dtypes", "tensor_shape", "ops", "eager.tensor", "eager.mode", "op_calls", "session", "variables", "variable_scope", "initializers", "control_flow_util", "control_flow", "records", "operators", "gradients", "eager.operators", "eager.tape", "eager.variables", "sparse_tensor", "basics",
    "tensor_util", "device", "device_lib", "importer", "public_names",
    "platform.app", "platform.flag_parsers", "platform.flags", "platform.flag_functions", "platform.gfile", "platform.records", "platform.tf_logging", "util.nest", "util.compat_dates", "util.deprecation",
    "data.queues", "data.accumulators", "data.file_readers", "data.staging", "data.parsing",
    "functions.func_graph", "functions.defun", "functions.py_func", "functions.custom_gradient", "functions.template", "functions.switch_case", "functions.flow_v2", "functions.py_function", "autograph.features", "autograph.api",
    "type_spec", "tensor_spec", "ragged.values", "ragged.segments", "ragged.tensor", "ragged.spec", "data.structure", "eager.function", "data.statistics", "data.options", "data.dataset_functions", "data.dataset", "data.padding", "data.iterators", "data.generators", "data.file_datasets", "data.experimental", "data.optional", "eager.iteration", "data.rewrites", "data.snapshots", "data.resampling", "data.sparse_functions", "data.csv_files",
    "summaries.ops", "summaries.writer", "summaries.recording", "summaries.summary_v2",
    "training.checkpoint_reader", "training.checkpoints", "training.cluster", "training.coordinator", "training.decays", "training.evaluation", "training.global_step", "training.hooks", "training.input",
    "training.meta_graph", "training.monitored_session", "training.moving_averages", "training.optimizer", "training.optimizers", "training.queue_runner", "training.run_hook",
    "training.loss_scales", "training.mixed_precision", "training.saver", "training.input_positions", "training.scaffold", "training.session_manager", "training.supervisor", "training.sync_replicas",
    "data.tables", "data.vocabularies", "data.session_tensors",
    "saved.graph_util", "saved.saved_model", "saved.signatures", "profiler.facts", "profiler.options", "profiler.profiler", "profiler.timeline", "profiler.views", "contrib.tfprof",
    "layers.base", "layers.core", "layers.convolutional", "layers.normalization", "layers.pooling", "layers.functions",
    "contrib.arg_scope", "contrib.variables", "contrib.regularizers", "contrib.layers", "contrib.normalization", "contrib.composed", "contrib.optimize_loss",
    "contrib.shape_checks", "seq2seq.attention", "seq2seq.attention_wrapper", "seq2seq.helpers", "seq2seq.decoder", "seq2seq.loss", "seq2seq.beam_search", "rnn.cells", "rnn.wrappers", "rnn.loops", "rnn.projections", "rnn.stacked", "rnn.legacy_seq2seq",
    "rnn.architecture_search", "contrib.crf", "losses", "contrib.slim", "contrib.old_losses", "feature_column.embedding", "feature_column.columns", "feature_column.sequences", "feature_column.inputs", "contrib.hparams", "contrib.text",
    "distributions.base", "distributions.continuous", "distributions.discrete", "distributions.concentrations", "distributions.counts", "distributions.softplus",
    "ordering", "repeats", "ragged.factory", "ragged.tiles", "ragged.functions", "ragged.reductions", "ragged.slices", "ragged.dispatch",
    "ragged.strings",
    "signal", "images", "matrix_functions", "build_facts", "printing", "examples.digits",
    "estimator.estimator", "estimator.export_outputs", "estimator.exporters", "estimator.train_and_evaluate", "estimator.canned", "estimator.inputs", "estimator.spec", "estimator.learn_config", "estimator.early_stopping",
    "lite.constants", "lite.converter", "lite.interpreter", "pools", "shape_asserts", "assertions", "critical_section", "composed_functions", "config", "parallel_for.loops", "linalg.base", "linalg.dense", "linalg.identities", "linalg.composed", "linalg.kronecker", "linalg.functions", "linalg.circulant",
    "platform.test", "platform.gradient_check", "debug.cli", "debug.watched_runs", "contrib.resampler", "contrib.projector", "estimator.tpu",
    "contrib.evaluation", "contrib.buckets", "contrib.sampling", "contrib.training", "contrib.slim_train", "contrib.slim_data", "contrib.tfexample_decoder",
    "contrib.slim_tools", "contrib.layer_tools", "contrib.nets.plain", "contrib.nets.resnet", "contrib.nets.inception", "contrib.metrics", "contrib.threshold_metrics",
    "contrib.accumulated_metrics", "contrib.summary", "contrib.testing", "rnn.gated", "rnn.independent", "rnn.convolutional", "rnn.frequencies", "rnn.fused", "contrib.more_layers", "contrib.group_normalization", "contrib.restoring", "contrib.state_saver", "contrib.clipping", "contrib.slim_names", "contrib.sequence_inputs", "contrib.old_columns", "contrib.old_number_columns", "contrib.old_column_ops", "estimator.contrib_heads", "estimator.extenders", "estimator.towers",
    "keras.backend", "keras.backend_functions", "keras.function", "keras.layers", "keras.lambda_layer", "keras.shapes", "keras.attention", "keras.merging", "keras.recurrent", "keras.recurrent_cudnn", "keras.recurrent_convolutional", "keras.wrappers", "keras.losses", "keras.metrics",
    "eager.keras_training", "eager.tfe", "keras.optimizer_base", "keras.optimizers", "keras.callbacks", "keras.progress", "keras.tensorboard", "keras.tensorboard_v2", "keras.saving", "keras.cell_wrappers", "keras.cloning", "keras.models", "keras.kernelized", "keras.premade", "keras.names", "keras.datasets", "keras.utility_names", "keras.preprocessing_arrays", "keras.preprocessing_generators", "keras.preprocessing_sequence", "keras.preprocessing_text",
    "keras.applications.densenet", "keras.applications.images", "keras.applications.inception", "keras.applications.mobilenet", "keras.applications.nasnet", "keras.applications.resnet",
    "keras.applications.vgg", "keras.applications.xception", "training.warm_start", "training.tracking.checkpoint", "keras.weight_files", "training.tracking.data_structures", "training.tracking.module", "training.tracking.python_state", "linalg.tridiagonal", "internals.copy_graph",
    "distribute.contexts", "distribute.reduce_op", "distribute.strategy", "distribute.default", "distribute.cross_device_ops", "distribute.mirrored", "distribute.one_device", "distribute.metrics", "internals.loss_scaling",
    "contrib.opt.adam_variants", "contrib.opt.shampoo", "contrib.opt.weight_decay", "contrib.opt.sign_updates", "contrib.opt.layer_rates", "contrib.opt.wrappers", "contrib.opt.external", "contrib.opt.averaging", "contrib.opt.ggt",
    "summaries.plugin_summaries", "platform.both_modes", "contrib.predictor", "keras.sklearn_wrappers", "keras.multi_gpu", "keras.pictures", "estimator.keras_models", "contrib.distribute", "v2.functions", "v2.classes", "platform.function_gradient_check",
]


def load():
    for name in MODULES:
        importlib.import_module("weft." + name)
