"""Maps modules of TensorFlow's tree to the modules here that define their names. Names with a public path need no entry: deep_modules.py finds them."""

SOURCES = {
    # Graphs.
    "python.framework.ops": ["weft.ops", "weft.internals.framework", "weft.eager.tensor", "weft.internals.registries"], "python.framework.registry": ["weft.internals.registries"],
    "python.framework.traceable_stack": ["weft.internals.registries"], "python.framework.composite_tensor_utils": ["weft.internals.composite_tensors"], "python.framework.dtypes": ["weft.dtypes"], "python.framework.tensor_shape": ["weft.tensor_shape"],
    "python.framework.errors": ["weft.errors"], "python.framework.errors_impl": ["weft.errors"], "python.framework.constant_op": ["weft.ops"],
    "python.framework.tensor_util": ["weft.tensor_util", "weft.ops", "weft.internals.framework"], "python.framework.random_seed": ["weft.ops"], "python.framework.function": ["weft.functions.defun"],
    "python.framework.op_def_registry": ["weft.op_def_registry"], "python.framework.op_def_library": ["weft.internals.framework"], "python.framework.sparse_tensor": ["weft.sparse_tensor"],
    "python.framework.common_shapes": ["weft.internals.shapes"], "python.framework.meta_graph": ["weft.training.meta_graph"], "python.framework.tensor_like": ["weft.internals.framework"],
    "python.framework.device": ["weft.device"], "python.framework.smart_cond": ["weft.control_flow"], "python.framework.graph_util_impl": ["weft.saved.graph_util"],
    "python.framework.composite_tensor": ["weft.type_spec"], "python.framework.type_spec": ["weft.type_spec"], "python.framework.tensor_spec": ["weft.tensor_spec"],
    "python.tf2": ["weft.internals.version_switch"],
    "python.client.session": ["weft.session"], "python.client.device_lib": ["weft.device_lib"], "python.eager.context": ["weft.internals.eager_context"],
    "python.autograph.operators.control_flow": ["weft.autograph.named_operators"], "python.autograph.operators.logical": ["weft.autograph.named_operators", "weft.autograph.builtin_functions", "weft.autograph.flow"],
    "python.autograph.operators.exceptions": ["weft.autograph.builtin_functions"], "python.autograph.operators.py_builtins": ["weft.autograph.builtin_functions", "weft.autograph.named_operators"],
    "python.autograph.operators.special_values": ["weft.autograph.values"], "python.autograph.impl.api": ["weft.autograph.api"], "python.autograph.core.converter": ["weft.autograph.features"],
    "python.autograph.lang.directives": ["weft.autograph.api"],
    "python.eager.backprop": ["weft.eager.tape", "weft.eager.tfe"], "python.eager.def_function": ["weft.eager.function"], "python.eager.function": ["weft.eager.function"],
    "python.distribute.distribute_lib": ["weft.distribute.strategy", "weft.distribute.default", "weft.distribute.contexts", "weft.distribute.inputs"], "python.distribute.reduce_util": ["weft.distribute.reduce_op"],
    # Operations.
    "python.ops.variables": ["weft.variables"], "python.ops.variable_scope": ["weft.variable_scope", "weft.partitioned_variable"], "python.ops.init_ops": ["weft.initializers", "weft.internals.orthogonal_kernels"], "python.ops.distributions.special_math": ["weft.distributions.special_math"], "python.ops.distributions.kullback_leibler": ["weft.distributions.base"],
    "python.ops.distributions.util": ["weft.distributions.util", "weft.distributions.matrices"],
    "python.autograph.pyct.transformer": ["weft.internals.transformer"],
    "python.ops.init_ops_v2": ["weft.internals.initializers_v2"], "python.ops.resource_variable_ops": ["weft.variables"],
    "python.ops.control_flow_ops": ["weft.control_flow", "weft.internals.flow", "weft.functions.switch_case", "weft.graph_elements"], "python.ops.math_ops": ["weft.operators", "weft.internals.arrays"],
    "python.ops.gradients_impl": ["weft.gradients"], "python.ops.rnn_cell_impl": ["weft.rnn.cells", "weft.rnn.wrappers", "weft.internals.rnn"],
    "python.ops.rnn_cell": ["weft.rnn.cells", "weft.rnn.wrappers"], "python.ops.rnn": ["weft.rnn.loops", "weft.internals.rnn"], "python.ops.image_ops_impl": ["weft.internals.images"],
    "python.ops.script_ops": ["weft.functions.py_func", "weft.functions.py_function"], "python.ops.logging_ops": ["weft.internals.summaries"], "python.ops.string_ops": ["weft.internals.strings"],
    "python.ops.metrics_impl": ["weft.internals.metrics"], "python.ops.confusion_matrix": ["weft.internals.metrics"], "python.ops.op_selector": ["weft.internals.op_selector"],
    "python.ops.session_ops": ["weft.data.session_tensors"], "python.ops.array_ops": ["weft.internals.arrays", "weft.operators"], "python.ops.list_ops": ["weft.internals.list_ops"],
    "python.ops.critical_section_ops": ["weft.critical_section"], "python.ops.data_flow_ops": ["weft.data.barriers"], "python.ops.state_ops": ["weft.internals.states"],
    "python.ops.inplace_ops": ["weft.internals.states"], "python.pywrap_tensorflow": ["weft.internals.build_queries"], "python.framework.is_xla_test_true": ["weft.internals.build_queries"],
    "python.ops.embedding_ops": ["weft.internals.lookups_v2"], "python.ops.nn_ops": ["weft.internals.lookups_v2"],
    "python.ops.linalg.linear_operator_util": ["weft.linalg.names"], "python.ops.linalg.linear_operator_algebra": ["weft.linalg.names"],
    "python.ops.linalg.linear_operator_addition": ["weft.linalg.addition"], "python.ops.linalg.linear_operator_circulant": ["weft.linalg.circulant"],
    "python.ops.weights_broadcast_ops": ["weft.internals.weights"],
    "python.ops.check_ops": ["weft.assertions"], "python.ops.functional_ops": ["weft.functions.functional_ops"],
    "python.ops.cond_v2": ["weft.functions.flow_v2"], "python.ops.while_v2": ["weft.functions.flow_v2"], "python.ops.control_flow_util_v2": ["weft.functions.flow_v2"],
    # Training.
    "python.training.saver": ["weft.training.saver", "weft.internals.training", "weft.training.warm_start"], "python.training.queue_runner": ["weft.training.queue_runner"],
    "python.training.input": ["weft.training.input"], "python.training.training_util": ["weft.training.global_step"], "python.training.coordinator": ["weft.training.coordinator"], "python.training.optimizer": ["weft.training.optimizer", "weft.internals.training"], "python.training.moving_averages": ["weft.training.moving_averages"],
    "python.training.slot_creator": ["weft.training.slots"], "python.training.device_setter": ["weft.training.cluster", "weft.internals.training"], "python.training.evaluation": ["weft.training.evaluation"],
    "python.training.monitored_session": ["weft.training.monitored_session"], "python.training.basic_session_run_hooks": ["weft.training.hooks", "weft.training.evaluation"],
    "python.training.warm_starting_util": ["weft.training.warm_start"], "python.training.checkpoint_ops": ["weft.training.warm_start"],
    "python.training.checkpoint_management": ["weft.training.checkpoints", "weft.training.tracking.checkpoint"], "python.training.saving.saveable_object": ["weft.training.saveables"],
    "python.training.saving.saveable_object_util": ["weft.training.saveables"],
    "python.training.tracking.base": ["weft.training.tracking.base", "weft.training.tracking.object_graph"], "python.training.tracking.tracking": ["weft.training.tracking.base"],
    "python.training.tracking.util": ["weft.training.tracking.checkpoint", "weft.training.tracking.restoring"], "python.training.tracking.graph_view": ["weft.training.tracking.object_graph"],
    "python.training.tracking.data_structures": ["weft.training.tracking.data_structures"], "python.module.module": ["weft.training.tracking.module"],
    "python.summary.writer.writer": ["weft.summaries.writer"], "python.summary.writer.writer_cache": ["weft.summaries.writer"],
    # Layers, data, files.
    "python.layers.base": ["weft.layers.graph_layer", "weft.layers.base"], "python.layers.utils": ["weft.internals.layer_sizes"], "python.keras.utils.tf_utils": ["weft.internals.keras_tensors"],
    "python.keras.utils.conv_utils": ["weft.internals.keras_conv_utils"], "python.data.util.nest": ["weft.data.nest_names"], "python.data.util.structure": ["weft.data.structure"],
    "python.data.ops.dataset_ops": ["weft.data.dataset_classes"], "python.data.ops.optional_ops": ["weft.data.optional"], "python.data.ops.readers": ["weft.data.file_datasets"],
    "python.data.util.options": ["weft.data.option_base"], "python.data.experimental.ops.cardinality": ["weft.data.experimental"], "python.data.experimental.ops.interleave_ops": ["weft.data.experimental"],
    "python.data.experimental.ops.optimization_options": ["weft.data.options"], "python.data.experimental.ops.readers": ["weft.data.csv_files"],
    "python.keras.utils.losses_utils": ["weft.keras.weighting"],
    "python.ops.losses.loss_reduction": ["weft.keras.weighting"], "python.keras.losses": ["weft.keras.losses"], "python.keras.layers.normalization_v2": ["weft.layers.normalization_v2"], "python.keras.layers.recurrent_v2": ["weft.keras.recurrent_v2"], "python.keras.models": ["weft.keras.cloning"],
    "python.keras.backend": ["weft.keras.utility_names", "weft.keras.backend"],
    "python.keras.engine.base_preprocessing_layer": ["weft.keras.preprocessing_layers"], "python.keras.engine.base_preprocessing_layer_v1": ["weft.keras.preprocessing_layers"],
    "python.keras.layers.preprocessing.normalization": ["weft.keras.preprocessing_layers"], "python.keras.layers.preprocessing.normalization_v1": ["weft.keras.preprocessing_layers"],
    "python.keras.utils.generic_utils": ["weft.keras.utility_names"], "python.keras.utils.io_utils": ["weft.keras.utility_names"],
    "python.keras.utils.data_utils": ["weft.keras.utility_names"], "python.keras.utils.metrics_utils": ["weft.keras.metric_values"], "python.keras.utils.mode_keys": ["weft.keras.utility_names"],
    "python.keras.callbacks": ["weft.keras.progress", "weft.keras.callbacks"], "python.keras.layers.dense_attention": ["weft.keras.attention"],
    "python.keras.utils.kernelized_utils": ["weft.keras.kernelized"],
    "python.lib.io.file_io": ["weft.platform.gfile"], "python.platform.gfile": ["weft.platform.gfile"], "python.platform.tf_logging": ["weft.platform.tf_logging"],
    "python.platform.flags": ["weft.platform.flags"], "python.platform.app": ["weft.platform.app"],
    # tf.contrib.
    "contrib.testing.python.framework.fake_summary_writer": ["weft.contrib.testing"], "contrib.testing.python.framework.util_test": ["weft.contrib.testing"],
    "contrib.seq2seq.python.ops.attention_wrapper": ["weft.seq2seq.attention"],
    "python.feature_column.feature_column": ["weft.feature_column.inputs", "weft.feature_column.old_columns", "weft.feature_column.column_base", "weft.feature_column.learned_columns"],
    "python.feature_column.feature_column_v2": ["weft.feature_column.columns", "weft.feature_column.learned_columns", "weft.feature_column.dense_features",
                                                "weft.feature_column.column_base"],
    "python.feature_column.dense_features": ["weft.feature_column.dense_features"], "python.feature_column.dense_features_v2": ["weft.feature_column.dense_features_v2"],
    "python.feature_column.sequence_feature_column": ["weft.feature_column.sequences"],
    "python.feature_column.serialization": ["weft.feature_column.serialization"],
    # Tools.
    "python.tools.freeze_graph": ["weft.tools.freeze_graph"], "python.tools.optimize_for_inference_lib": ["weft.tools.optimize_for_inference"],
    "python.tools.strip_unused_lib": ["weft.tools.strip_unused"], "python.tools.import_pb_to_tensorboard": ["weft.tools.strip_unused"],
    "python.tools.saved_model_utils": ["weft.tools.saved_models"], "python.tools.inspect_checkpoint": ["weft.tools.inspect_checkpoint"],
    "python.tools.saved_model_cli": ["weft.tools.saved_model_cli"], "tools.graph_transforms": ["weft.tools.transform_graph"],
    "python.framework.auto_control_deps": ["weft.auto_control_deps"], "python.framework.subscribe": ["weft.internals.subscribe"],
    "python.framework.device_spec": ["weft.device"], "python.training.tensorboard_logging": ["weft.training.tensorboard_logging"],
    # Mixed precision.
    "python.training.experimental.loss_scale": ["weft.training.loss_scales"], "python.training.experimental.loss_scale_optimizer": ["weft.training.loss_scales"],
    "python.training.experimental.mixed_precision": ["weft.training.mixed_precision"],
    "python.training.experimental.mixed_precision_global_state": ["weft.training.mixed_precision_global_state"],
    "python.distribute.mirrored_strategy": ["weft.distribute.mirrored"],
    # SavedModels.
    "python.saved_model.builder": ["weft.saved.saved_model"], "python.saved_model.builder_impl": ["weft.saved.saved_model"], "python.saved_model.loader_impl": ["weft.saved.saved_model"],
    "python.saved_model.constants": ["weft.saved.signatures"], "python.saved_model.signature_constants": ["weft.saved.signatures"],
    "python.saved_model.tag_constants": ["weft.saved.signatures"], "python.saved_model.utils": ["weft.saved.signatures"], "python.saved_model.utils_impl": ["weft.saved.signatures"],
    "python.saved_model.signature_def_utils": ["weft.saved.signatures"], "python.saved_model.signature_def_utils_impl": ["weft.saved.signatures"],
    "python.saved_model.nested_structure_coder": ["weft.saved.structure_coder"], "python.saved_model.revived_types": ["weft.saved.revived_types"],
    "python.saved_model.model_utils": ["weft.saved.export_modes", "weft.estimator.export_outputs"], "python.saved_model.model_utils.export_utils": ["weft.saved.export_modes"],
    "python.saved_model.model_utils.export_output": ["weft.estimator.export_outputs"], "python.saved_model.model_utils.mode_keys": ["weft.saved.export_modes"],
    "python.estimator.export.export_output": ["weft.estimator.export_outputs"],
    # The debugger.
    "python.debug": ["weft.debug.dumping", "weft.debug.debug_data", "weft.debug.dump_dir", "weft.debug.watches", "weft.debug.debug_graphs", "weft.debug.debug_gradients"],
    "python.debug.wrappers.framework": ["weft.debug.dumping", "weft.debug.cli"], "python.debug.wrappers.dumping_wrapper": ["weft.debug.dumping"],
    "python.debug.wrappers.hooks": ["weft.debug.dumping", "weft.debug.cli"], "python.debug.wrappers.local_cli_wrapper": ["weft.debug.cli"],
    "python.debug.lib.common": ["weft.debug.common"], "python.debug.lib.debug_data": ["weft.debug.debug_data", "weft.debug.dump_dir"],
    "python.debug.lib.debug_gradients": ["weft.debug.debug_gradients"], "python.debug.lib.debug_graphs": ["weft.debug.debug_graphs"],
    "python.debug.lib.debug_utils": ["weft.debug.watches"], "python.debug.lib.profiling": ["weft.debug.profiling"], "python.debug.lib.source_utils": ["weft.debug.source_utils"],
    # Utilities.
    "python.util.nest": ["weft.util.nest"], "python.util.protobuf.compare": ["weft.util.proto_compare"], "python.util.example_parser_configuration": ["weft.util.small_utils"],
    "python.util.lock_util": ["weft.util.small_utils"], "python.util.serialization": ["weft.util.small_utils"], "python.util.memory": ["weft.util.small_utils"],
    "python.compat.compat": ["weft.util.compat_dates"], "python.summary.plugin_asset": ["weft.summaries.plugin_asset"],
    "python.platform.build_info": ["weft.device_lib"], "python.util.compat": ["weft.util.small_utils"],
    "python.util.is_in_graph_mode": ["weft.util.small_utils"],
}
for _name in ("all_util", "decorator_utils", "deprecation", "dispatch", "function_utils", "keyword_args", "lazy_loader", "object_identity", "tf_contextlib", "tf_decorator", "tf_export", "tf_inspect",
              "tf_should_use", "tf_stack"):
    SOURCES["python.util." + _name] = ["weft.util." + _name]
for _name in ("convert", "random_seed", "sparse", "traverse"):
    SOURCES["python.data.util." + _name] = ["weft.data.conversions", "weft.ops"]
for _name in ("distribute", "map_defun", "matching_files", "optimization", "sleep", "stats_ops", "threadpool", "writers"):
    SOURCES["python.data.experimental.ops." + _name] = ["weft.data.rewrites"]
for _name in ("array_ops", "batch_gather_ops", "batch_gather_with_default_op", "concat_ops", "config", "conversion_ops", "gather_ops", "factory_ops", "getitem", "map_ops", "math_ops", "squeeze_op", "string_ops", "tensor", "tensor_shape", "util", "where_op"):
    SOURCES["python.ops.ragged.ragged_" + _name] = ["weft.ragged.names"]
# Generated modules whose functions another module re-exports: the functions are op functions.
GENERATED = {"python.training.training_ops": "training_ops", "python.training.gen_training_ops": "training_ops"}
