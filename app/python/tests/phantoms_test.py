"""Finds functions and classes without effect: weft py phantoms_test.py

Functions of the package with an empty body, or that return only a constant or their argument, must be listed here with a reason. All others must do
something, raise an error, or not exist. Superfluous entries fail, too."""

import ast
import os

import weft

_ROOT = os.path.dirname(os.path.abspath(weft.__file__))
_HOOK = "to be overridden; doing nothing is what TensorFlow's does, too"
_ABSTRACT = "abstract: its class cannot be made without a subclass's own"
_NO_WRITER = "the writer of create_file_writer(None), which writes nothing in TensorFlow either"
_PLAIN = "that is the whole answer"
_ALLOWED = {
    "autograph/api.py": {"set_loop_options": "TensorFlow's does nothing, too, outside of a converted loop"},
    "autograph/conversion.py": {"_Mangle.visit_ClassDef": "a class inside has private names of its own"},
    "autograph/lowering.py": {"_Leaves.visit_FunctionDef": "what is inside of another function leaves that one"},
    "autograph/names.py": {"_Names.visit_Global": "a declaration sets nothing"},
    "autograph/rewriter.py": {"Rewriter.visit_AsyncFunctionDef": "classes and coroutines inside stay as they are"},
    "build_facts.py": {"readahead_file_path": "files are not read ahead of their use, as outside of Google"},
    "console.py": {"_Printed.writable": _PLAIN, "_Printed.isatty": _PLAIN},
    "eager/iteration.py": {"EagerIterator.__iter__": _PLAIN},
    "eager/mode.py": {"EagerGraph.finalize": "its nodes run as they are added"},
    "eager/tensor.py": {"EagerTensor." + n: _PLAIN for n in ("__copy__", "__deepcopy__", "_copy", "cpu")},  # values do not change, and are on the CPU
    "eager/tfe.py": {"num_gpus": "eager execution uses none"},
    "eager/variables.py": {"EagerVariable._variable_def": _PLAIN},
    "training/loss_scales.py": {"LossScale.__call__": _ABSTRACT, "LossScale.get_config": _ABSTRACT, "LossScale.update": _ABSTRACT},
    "errors.py": {"raise_exception_on_not_ok_status.__exit__": "errors are exceptions already", "raise_exception_on_not_ok_status.__enter__": _PLAIN},
    "graph_elements.py": {"Tensor._as_graph_element": _PLAIN, "Tensor._is_initialized": _PLAIN, "Tensor.__copy__": _PLAIN, "Tensor.__deepcopy__": _PLAIN,
                          "_FlowContext.IsXLAContext": _PLAIN},
    "graph_object.py": {"Graph._add_new_tf_operations": "operations are made when they are asked for"},
    "initializers.py": {"Initializer.get_config": _HOOK},
    "namespace.py": {"_Loader.exec_module": "names are looked up when they are asked for"},
    "public_names.py": {"disable_v2_tensorshape": "that is how it is from the start"},
    "resource_variable.py": {"ResourceVariable.__copy__": _PLAIN},
    "variable_base.py": {"Variable._restored": _HOOK, "Variable._OverloadAllOperators": "operators are overloaded where the class is made"},
    "variable_scope.py": {"no_regularizer": _PLAIN},
    "contrib/old_columns.py": {"OldColumn.checkpoint": _PLAIN, "OneHotColumn.wide": _PLAIN, "SparseColumn.id_tensor": _PLAIN, "SparseColumn.weight_tensor": _PLAIN},
    "contrib/old_number_columns.py": {"CrossedColumn.id_tensor": _PLAIN, "CrossedColumn.weight_tensor": _PLAIN, "RealValuedColumn.wide": _PLAIN},
    "contrib/slim_data.py": {"DataDecoder.decode": _ABSTRACT, "DataDecoder.list_items": _ABSTRACT},
    "summaries/recording.py": {"NoopSummaryWriter.as_default": _NO_WRITER, "NoopSummaryWriter.init": _NO_WRITER, "NoopSummaryWriter.set_as_default": _NO_WRITER},
    "contrib/tfexample_decoder.py": {"ItemHandler.tensors_to_item": _ABSTRACT},
    "contrib/regularizers.py": {"_nothing": "the regularizer of scale 0"},
    "contrib/testing.py": {"FakeSummaryWriter." + n: "nothing is buffered, and there is no file" for n in ("close", "flush", "reopen")},
    "contrib/text.py": {"ByteProcessor.fit": "bytes need no vocabulary"},
    "data/structure.py": {"OwnTypeSpec._to_legacy_output_types": "it stands for itself"},
    "ragged/names.py": {"auto_cast_partition_dtype": "always false in TensorFlow"},
    "ragged/spec.py": {"RaggedTensorSpec._to_legacy_output_classes": "it stands for itself"},
    "tensor_spec.py": {"TensorSpec._from_components": "a tensor is its own component"},
    "data/dataset_functions.py": {"StructuredFunction._add_to_graph_def": "the engine's graph has it"},
    "estimator/estimator.py": {"Estimator._as_spec": _HOOK},
    "distribute/cross_device_ops.py": {"CrossDeviceOps.__init__": _HOOK},
    "distribute/strategy.py": {"OneReplicaExtended._broadcast_to": _PLAIN, "OneReplicaExtended._reduce_to": _PLAIN, "OneReplicaExtended.value_container": _PLAIN,
                               "StrategyExtended._configure": _HOOK},
    "distribute/default.py": {"_DefaultExtended._experimental_distribute_dataset": _PLAIN,
                              "_DefaultScope.__exit__": "the default strategy's scope changes nothing"},
    "functions/switch_case.py": {"_Branch._add_to_graph_def": "the engine's graph has it"},
    "internals/build_queries.py": {"IsGoogleCudaEnabled": _PLAIN, "IsMklEnabled": _PLAIN, "GpuSupportsHalfMatMulAndConv": _PLAIN, "is_xla_enabled": _PLAIN},
    "internals/eager_context.py": {"Context._clear_caches": "there are no caches of tensors", "Context.is_async": _PLAIN, "is_async": _PLAIN, "ensure_initialized": "there is nothing to set up", "Context.ensure_initialized": "there is nothing to set up"},
    "internals/framework.py": {"set_shape_and_handle_data_for_outputs": "TensorFlow's does nothing, too"},
    "internals/initializers_v2.py": {"Initializer.get_config": _HOOK},
    "internals/shapes.py": {"no_outputs": _PLAIN},
    "training/tracking/base.py": {n: _HOOK for n in ("CapturableResource._initialize", "Trackable._gather_saveables_for_checkpoint", "Trackable._list_extra_dependencies_for_serialization",
                                                     "Trackable._list_functions_for_serialization", "Trackable._no_dependency")},
    "training/tracking/data_structures.py": {"List._values": _PLAIN},
    "training/tracking/restoring.py": {"InitializationOnlyStatus.expect_partial": "nothing is loaded", "NameBasedSaverStatus.expect_partial": "what is missing is an error there"},
    "type_spec.py": dict([("CompositeTensor._type_spec", _HOOK)] + [("BatchableTypeSpec." + n, _HOOK) for n in ("_batch", "_unbatch")] +
                         [("TypeSpec." + n, _HOOK) for n in ("_component_specs", "_from_components", "_serialize", "_to_components", "value_type")]),
    "util/small_utils.py": {"IS_IN_GRAPH_MODE": _PLAIN},
    "util/tf_stack.py": {"StackTraceTransform.reset": _HOOK},
    "feature_column/column_base.py": dict([(c, _ABSTRACT) for c in (
        "CategoricalColumn.get_sparse_tensors", "CategoricalColumn.num_buckets", "DenseColumn.get_dense_tensor", "DenseColumn.variable_shape", "FeatureColumn._get_config",
        "FeatureColumn._is_v2_column", "FeatureColumn.parents", "FeatureColumn.parse_example_spec", "FeatureColumn.transform_feature",
        "SequenceDenseColumn.get_sequence_dense_tensor", "_CategoricalColumn._get_sparse_tensors", "_CategoricalColumn._num_buckets", "_DenseColumn._get_dense_tensor",
        "_DenseColumn._variable_shape", "_FeatureColumn._parse_example_spec", "_FeatureColumn._transform_feature", "_Named.name",
        "_SequenceDenseColumn._get_sequence_dense_tensor")] + [(c, _HOOK) for c in ("FeatureColumn._from_config", "FeatureColumn.create_state", "_FeatureColumn._reset_config")],
        **{"OldReader.keep": "the graph has the table"}),
    "estimator/heads.py": {"Head._label_width": _PLAIN, "Head._loss_width": _PLAIN},
    "rnn/fused.py": {"FusedRNNCell.__call__": _ABSTRACT},
    "functions/defun.py": {"_DefunGraph._name_of_capture": _PLAIN, "DefinedFunction._add_to_graph_def": "the engine's graph has it"},
    "keras/callbacks.py": {"Callback._nothing": _HOOK},
    "keras/cloning.py": {"share_weights": _PLAIN},
    "keras/preprocessing_layers.py": dict([("Combiner." + n, _ABSTRACT) for n in ("compute", "deserialize", "extract", "merge", "restore", "serialize")] +
                                          [("Normalization.compute_output_shape", _PLAIN), ("Normalization.compute_output_signature", _PLAIN)]),
    "keras/layers.py": {"ActivityRegularization.call": "what it adds is the loss"},
    "keras/merging.py": {"Dot.compute_mask": _PLAIN},
    "keras/data_adapter.py": {"TensorLikeDataAdapter.should_recreate_iterator": _PLAIN},
    "keras/network.py": {"Network.compute_mask": _PLAIN, "Network._training_state": "a network has no training"},
    "keras/utility_names.py": {"terminate_keras_multiprocessing_pools": "enqueuers have no processes", "v2_dtype_behavior_enabled": _PLAIN},
    "keras/optimizer_base.py": {"Optimizer._create_slots": _HOOK},
    "keras/names.py": {"Sequence.on_epoch_end": _HOOK},
    "keras/preprocessing_generators.py": {"Iterator.__iter__": _PLAIN},
    "layers/base.py": {"Layer._default_dtype": _HOOK, "Layer.call": _HOOK},
    "layers/lookups.py": {"linear": _PLAIN, "Regularizer.__call__": _HOOK, "Constraint.__call__": _HOOK, "Constraint.get_config": _HOOK},
    "platform/flag_functions.py": {"_Alias._parse_from_default": _PLAIN, "disclaim_key_flags": "the help lists the flags of all modules"},
    "platform/gfile.py": {"_Checked.__enter__": _PLAIN, "GFile.seekable": _PLAIN, "GFile.__enter__": _PLAIN, "GFile.__iter__": _PLAIN},
    "platform/records.py": {"TFRecordWriter.__enter__": _PLAIN},
    "ragged/dispatch.py": {"_nothing.__enter__": _PLAIN, "_nothing.__exit__": _PLAIN},
    "rnn/cells.py": {"RNNCell.build": _HOOK},
    "seq2seq/attention.py": {"_Luong._biased": _PLAIN},
    "seq2seq/decoder.py": {"Decoder.tracks_own_finished": _HOOK},
    "summaries/writer.py": {"FileWriter.__enter__": _PLAIN},
    "training/checkpoint_hooks.py": {"CheckpointSaverListener." + n: _HOOK for n in ("begin", "before_save", "after_save", "end")},
    "training/cluster.py": {"Server.start": "it serves from its making on"},
    "training/coordinator.py": {"LooperThread.start_loop": _HOOK, "LooperThread.stop_loop": _HOOK},
    "training/hooks.py": {"NanLossDuringTrainingError.__str__": _PLAIN},
    "training/monitored_session.py": {"_WrappedSession._check_stop": _HOOK, "_MonitoredSession.__enter__": _PLAIN},
    "training/optimizer.py": {"Optimizer._create_slots": _HOOK, "Optimizer._prepare": _HOOK},
    "training/run_hook.py": {"SessionRunHook." + n: _HOOK for n in ("begin", "after_create_session", "before_run", "after_run", "end")},
    "training/timers.py": {"NeverTriggerTimer.reset": _PLAIN, "NeverTriggerTimer.should_trigger_for_step": _PLAIN, "NeverTriggerTimer.last_triggered_step": _PLAIN},
    "util/nest.py": {"_Dot.__repr__": _PLAIN},
}


def does_nothing(function):
    body = [b for b in function.body if not (isinstance(b, ast.Expr) and isinstance(b.value, ast.Constant)) and not isinstance(b, ast.Pass)]
    if not body:
        return True
    if len(body) > 1:
        return False
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Yield):
        return body[0].value.value is None  # a context manager without effect
    if not isinstance(body[0], ast.Return):
        return False
    value = body[0].value
    if value is None or isinstance(value, ast.Constant):
        return True
    if isinstance(value, ast.Name):
        return value.id in [a.arg for a in function.args.args]
    return isinstance(value, (ast.List, ast.Tuple)) and not value.elts or isinstance(value, ast.Dict) and not value.keys


def functions(node, prefix=""):
    for child in node.body:
        if isinstance(child, ast.FunctionDef):
            yield prefix + child.name, child
        elif isinstance(child, ast.ClassDef):
            yield from functions(child, prefix + child.name + ".")


found, files = [], 0
for folder, folders, names in os.walk(_ROOT):
    if os.path.basename(folder) == "messages":
        del folders[:]
        continue
    for name in names:
        if name.endswith(".py"):
            path = os.path.join(folder, name)
            files += 1
            with open(path, encoding="utf-8") as f:
                tree = ast.parse(f.read(), path)
            found += [(os.path.relpath(path, _ROOT), n) for n, function in functions(tree) if does_nothing(function)]

assert does_nothing(ast.parse("def f(a):\n    'Text.'\n    return a").body[0]) and not does_nothing(ast.parse("def f(a): return a + 1").body[0])
assert files > 150, files
listed = {(file, n) for file, names in _ALLOWED.items() for n in names}
new, gone = sorted(set(found) - listed), sorted(listed - set(found) - {("training/cluster.py", "Server.start")})
assert not new, "these do nothing, and nobody says why: %s" % new
assert not gone, "these are listed and do something, or are gone: %s" % gone
print("phantoms: %d functions do nothing, each for a reason" % len(found))
