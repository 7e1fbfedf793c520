"""Finds parameters that a public function never reads, or that a class stores but nothing reads, and lists those that are justified."""

import ast
import os

# Signatures prescribed by an interface: method -> parameters that may be ignored.
_PROTOCOLS = {"__exit__": None, "before_run": {"run_context"}, "after_run": {"run_context", "run_values"}, "after_create_session": {"session", "coord"},
              "end": {"session", "global_step_value"}, "after_save": {"session", "global_step_value"}, "before_save": {"session", "global_step_value"},
              "on_train_begin": {"logs"}, "on_train_end": {"logs"}, "on_epoch_begin": {"logs", "epoch"}, "on_epoch_end": {"logs", "epoch"},
              "on_batch_begin": {"batch", "logs"}, "on_batch_end": {"batch", "logs"}, "compute_mask": {"inputs", "mask"}, "build": {"input_shape"}}


def _says_nothing(function):
    """Whether a function is meant to be overridden, or only raises."""
    body = [x for x in function.body if not (isinstance(x, ast.Expr) and isinstance(x.value, ast.Constant))]
    return all(isinstance(x, (ast.Pass, ast.Raise)) for x in body)


def _ignored(function):
    a = function.args
    names = [x.arg for x in a.posonlyargs + a.args + a.kwonlyargs] + [x.arg for x in (a.vararg, a.kwarg) if x]
    read = set()
    for node in (n for statement in function.body for n in ast.walk(statement)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Load, ast.Del)):
            read.add(node.id)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("locals", "vars") and not node.args:
            read.update(names)
    return [n for n in names if n not in read and n not in ("self", "cls") and not n.startswith("_")]


def _visit(node, path, file, found):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            private = child.name.startswith("_") and not child.name.startswith("__")
            protocol = _PROTOCOLS.get(child.name, ())
            if not private and protocol is not None and not _says_nothing(child):
                names = [n for n in _ignored(child) if n not in protocol]
                if names:
                    found["%s:%s" % (file, ".".join(path + [child.name]))] = names
        else:  # nested functions are not an interface
            _visit(child, path + [child.name] if isinstance(child, ast.ClassDef) else path, file, found)


def _sources(folder):
    for parent, folders, files in os.walk(folder):
        folders[:] = [f for f in folders if f != "messages"]
        for name in files:
            if name.endswith(".py"):
                path = os.path.join(parent, name)
                with open(path) as f:
                    yield os.path.relpath(path, folder), ast.parse(f.read())


def _kept_by(function):
    """(attribute, parameter) pairs that a constructor stores unchanged."""
    names = {a.arg for a in function.args.args + function.args.kwonlyargs} - {"self"}
    for node in (n for n in ast.walk(function) if isinstance(n, ast.Assign)):
        pairs = []
        for target in node.targets:
            both = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple) and len(target.elts) == len(node.value.elts)
            pairs += zip(target.elts, node.value.elts) if both else [(target, node.value)]
        for target, value in pairs:
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self" and isinstance(value, ast.Name) and value.id in names:
                yield target.attr, value.id


def kept(folder):
    """ "FILE:CLASS" -> constructor parameters stored in attributes that nothing below `folder` reads."""
    read, found = set(), {}
    trees = list(_sources(folder))
    for node in (n for _, tree in trees for n in ast.walk(tree)):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            read.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            read.add(node.value)
    for file, tree in trees:
        for node in (n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)):
            for function in (f for f in node.body if isinstance(f, ast.FunctionDef) and f.name == "__init__"):
                names = [name for attribute, name in _kept_by(function) if attribute not in read and attribute.lstrip("_") not in read]
                if names:
                    found["%s:%s" % (file, node.name)] = names
    return found


def unread(folder):
    """ "FILE:FUNCTION" -> parameters of public functions below `folder` that their bodies never read."""
    found = {}
    for file, tree in _sources(folder):
        _visit(tree, [], file, found)
    return found


_SLICE = "partition_info tells which slice of a variable it is; the value of each element does not depend on it"
_LOCKS = "updates of a resource variable are atomic in any case"
_SPEED = "they ask for speed or for progress on the screen; batches are made in order, one after another"
_NAME = "how it would call a scope; nothing else depends on it"
_CALLED = "the signature is that of the call; this class needs less"
_COLUMN = "the signature is that of columns; this one makes no variables"
_TEXT_DEBUGGER = "how the terminal would look, or what is logged of its use"
_FLAGS = "which module a flag is said to belong to; help lists all"

_EACH_DEVICE = "the answer is the same for all variables"
ALLOWED = {
    "eager/mode.py:EagerGraph.colocate_with": "all ops run on the same device", "eager/iteration.py:EagerIterator.get_next": "the result has no node that could have a name",
    "eager/tensor.py:EagerTensor.__deepcopy__": "the tensor is its own copy", "eager/variables.py:EagerVariable.load": "the value is not in a session",
    "eager/function.py:Function.__get__": "Python's protocol of descriptors",
    "distribute/inputs.py:DistributedIterator.get_next": "TensorFlow's iterators drop it, too", "distribute/mirrored.py:MirroredExtended.non_slot_devices": _EACH_DEVICE,
    "distribute/one_device.py:OneDeviceExtended.non_slot_devices": _EACH_DEVICE,
    "internals/shapes.py:call_cpp_shape_fn": "shapes are there already", "internals/shapes.py:no_outputs": "as its name says", "internals/shapes.py:scalar_shape": "as its name says",
    "internals/training.py:_RoundRobinStrategy.__call__": "the next one comes whatever the operation is", "tools/freeze_graph.py:main": "as its name says", "tools/inspect_checkpoint.py:main": "as its name says",
    "tools/freeze_graph.py:freeze_graph_with_def_protos": "TensorFlow's reads them no more, either",
    "training/tracking/object_graph.py:NoRestoreSaveable.restore": "as the class's name says",
    "training/tracking/python_state.py:PythonState.__new__": "for the derived class's __init__",
    "training/tracking/object_graph.py:PythonStringStateSaveable.restore": "the value goes to the program, not to a session",
    "util/decorator_utils.py:classproperty.__get__": "it is the class's", "util/dispatch.py:OpDispatcher.handle": "to be overridden",
    "contrib/old_columns.py:SparseColumn.weight_tensor": "it has no weights", "contrib/old_columns.py:OneHotColumn.dense": _COLUMN, "contrib/old_columns.py:OneHotColumn.wide": _COLUMN,
    "contrib/old_columns.py:OneHotColumn.deep": _COLUMN, "contrib/old_number_columns.py:RealValuedColumn.wide": _COLUMN, "contrib/old_number_columns.py:RealValuedColumn.deep": _COLUMN,
    "contrib/old_number_columns.py:BucketizedColumn.dense": _COLUMN, "contrib/old_number_columns.py:BucketizedColumn.deep": _COLUMN,
    "contrib/old_number_columns.py:CrossedColumn.weight_tensor": "it has no weights",
    "platform/both_modes.py:run_in_graph_and_eager_modes": "what a test leaves is not counted", "pools.py:ctc_loss_dense": "unique labels make a sum faster that is not computed here",
    "contrib/opt/averaging.py:AGNOptimizer.apply_gradients": _NAME, "contrib/opt/averaging.py:AGNOptimizer.get_init_op": "TensorFlow's does not read it, either",
    "contrib/opt/averaging.py:ElasticAverageOptimizer.apply_gradients": _NAME, "contrib/opt/averaging.py:ModelAverageOptimizer.apply_gradients": _NAME,
    "contrib/opt/weight_decay.py:ShampooWOptimizer.__init__": "TensorFlow's does not read it, either",
    "contrib/restoring.py:VariableDeviceChooser.__call__": "the parameter servers take turns, whatever the op is",
    "rnn/convolutional.py:ConvLSTMCell.call": "the scope is that of __call__(), in TensorFlow too",
    "build_facts.py:readahead_file_path": "TensorFlow gives the path back, too",
    "conversion.py:internal_convert_to_tensor": "there is no eager context, and tensors of all kinds are taken",
    "conversion.py:internal_convert_n_to_tensor": "there is no eager context",
    "constant_values.py:constant_value": "a value that is known in part only is given as None: less, nothing wrong",
    "device_lib.py:is_gpu_available": "all GPUs that the engine uses are CUDA's",
    "dtypes.py:DType.__new__": "read by __init__",
    "gradients.py:hessians": _NAME, "keras/sklearn_wrappers.py:BaseWrapper.get_params": "the protocol of scikit-learn; there are no estimators inside",
    "graph_elements.py:Operation.__init__": "types and definition are those of the op that the NodeDef names",
    "graph_elements.py:Tensor.__init__": "the type is the node's",
    "graph_elements.py:Tensor.__deepcopy__": "a tensor is a name for a node, of which there is one",
    "graph_elements.py:_FlowContext.to_proto": "contexts are kept as they were read",
    "graph_object.py:Graph.create_op": "what they say is inferred from the op",
    "initializers.py:Zeros.__call__": _SLICE, "initializers.py:Ones.__call__": _SLICE, "initializers.py:Constant.__call__": _SLICE,
    "initializers.py:RandomUniform.__call__": _SLICE, "initializers.py:RandomNormal.__call__": _SLICE, "initializers.py:TruncatedNormal.__call__": _SLICE,
    "initializers.py:Orthogonal.__call__": _SLICE,
    "internals/orthogonal_kernels.py:ConvolutionDeltaOrthogonal.__call__": _SLICE, "internals/orthogonal_kernels.py:ConvolutionOrthogonal.__call__": _SLICE,
    "matrix_functions.py:swish": _NAME,
    "namespace.py:_Finder.find_spec": "the signature is that of importlib",
    "platform/old_packages.py:_Finder.find_spec": "the signature is that of importlib",
    "ordering.py:argsort": "TensorFlow does not read it either: sorting is stable",
    "partitioned_variable.py:PartitionedVariable.assign": _NAME,
    "ref_variable.py:RefVariable.__init__": "deprecated: TensorFlow does not read it either",
    "resource_variable.py:ResourceVariable.__init__": "validate_shape and expected_shape: TensorFlow does not read them either; there is one replica",
    "resource_variable.py:ResourceVariable.assign": _LOCKS, "resource_variable.py:ResourceVariable.assign_add": _LOCKS,
    "resource_variable.py:ResourceVariable.assign_sub": _LOCKS, "resource_variable.py:ResourceVariable.scatter_sub": _LOCKS,
    "resource_variable.py:ResourceVariable.scatter_add": _LOCKS, "resource_variable.py:ResourceVariable.scatter_update": _LOCKS,
    "resource_variable.py:ResourceVariable.scatter_max": _LOCKS, "resource_variable.py:ResourceVariable.scatter_min": _LOCKS,
    "resource_variable.py:ResourceVariable.scatter_mul": _LOCKS, "resource_variable.py:ResourceVariable.scatter_div": _LOCKS,
    "session.py:register_session_run_conversion_functions": "partial runs take the parts apart as runs do",
    "session.py:BaseSession.make_callable": "options are taken in any case",
    "tensor_util.py:make_tensor_proto": "a value fills its shape in any case, as TensorFlow's protos do",
    "variable_scope.py:get_local_variable": "a local variable is not trained; TensorFlow overrides it, too",
    "contrib/crf.py:CrfForwardRnnCell.__call__": _CALLED, "contrib/crf.py:_Best.__call__": _CALLED, "contrib/crf.py:_Back.__call__": _CALLED,
    "contrib/text.py:VocabularyProcessor.fit": _CALLED, "contrib/text.py:VocabularyProcessor.fit_transform": _CALLED, "contrib/text.py:ByteProcessor.fit": _CALLED,
    "data/tables.py:_TableSaveable.restore": _CALLED, "data/iterators.py:IteratorSaveable.restore": _CALLED,
    "debug/debug_data.py:has_inf_or_nan": _CALLED, "training/loss_scales.py:FixedLossScale.update": _CALLED,
    "debug/cli.py:BaseDebugWrapperSession.__init__": _TEXT_DEBUGGER, "debug/cli.py:BaseDebugWrapperSession.make_callable": _TEXT_DEBUGGER,
    "debug/cli.py:LocalCLIDebugWrapperSession.__init__": _TEXT_DEBUGGER, "debug/cli.py:LocalCLIDebugWrapperSession.run": _TEXT_DEBUGGER,
    "debug/dumping.py:DumpingDebugWrapperSession.__init__": _TEXT_DEBUGGER, "debug/dumping.py:DumpingDebugWrapperSession.run": _TEXT_DEBUGGER,
    "debug/dumping.py:DumpingDebugHook.__init__": _TEXT_DEBUGGER,
    "debug/cli.py:LocalCLIDebugHook.__init__": _TEXT_DEBUGGER,
    "estimator/exporters.py:BestExporter.export": "each evaluation that is better is exported, the last one too",
    "estimator/exporters.py:LatestExporter.export": "each evaluation is exported, the last one too",
    "estimator/exporters.py:FinalExporter.export": "what the evaluation says does not matter to it",
    "examples/digits.py:read_data_sets": "data sets are files of the user's", "examples/digits.py:load_dataset": "data sets are files of the user's",
    "feature_column/column_base.py:DenseColumn.dense": _COLUMN, "feature_column/columns.py:BucketizedColumn.dense": _COLUMN,
    "feature_column/learned_columns.py:IndicatorColumn.dense": _COLUMN, "feature_column/sequences.py:SequenceNumericColumn.steps": _COLUMN,
    "functions/defun.py:_DefunGraph.getvar": "the signature is that of custom getters",
    "layers/values.py:get_session": "there is one session",
    "keras/backend.py:function": _NAME,
    "keras/backend_sequences.py:rnn": "the number of steps is the input's",
    "keras/aggregators.py:ConcatAggregator.aggregate": "the values are joined in their order",
    "keras/data_adapter.py:DataAdapter.__init__": "settings of other kinds of data", "keras/data_adapter.py:DatasetAdapter.can_handle": "targets are refused by the constructor",
    "keras/data_adapter.py:GeneratorDataAdapter.can_handle": "targets are refused by the constructor",
    "keras/data_adapter.py:KerasSequenceAdapter.can_handle": "targets are refused by the constructor",
    "keras/metrics.py:Metric.add_weight": "there is one replica", "keras/metrics.py:Metric.__new__": "they are __init__'s",
    "keras/network.py:Network.call": "masks go with the tensors", "keras/models.py:Sequential.call": "masks go with the tensors",
    "keras/training.py:Trainable.fit": _SPEED, "keras/training.py:Trainable.fit_generator": _SPEED, "keras/training.py:Trainable.evaluate": _SPEED,
    "keras/training.py:Trainable.evaluate_generator": _SPEED, "keras/training.py:Trainable.predict": _SPEED, "keras/training.py:Trainable.predict_generator": _SPEED,
    "keras/models.py:Sequential.predict_classes": _SPEED, "keras/models.py:Sequential.predict_proba": _SPEED,
    "keras/names.py:OrderedEnqueuer.__init__": _SPEED, "keras/names.py:OrderedEnqueuer.start": _SPEED, "keras/names.py:OrderedEnqueuer.stop": _SPEED,
    "keras/utility_names.py:terminate_keras_multiprocessing_pools": "enqueuers have no processes", "rnn/wrappers.py:_Wrapper.from_config": "the cell is given as an object",
    "keras/names.py:get_source_inputs": "they are found from the tensor", "keras/names.py:get_file": "an archive's format is seen from its contents",
    "keras/operation_layer.py:TensorFlowOpLayer.__init__": "the type is the op's",
    "keras/optimizers.py:Optimizer.from_config": "an optimizer's configuration holds numbers only", "keras/optimizers.py:Adagrad.from_config": "as for the others",
    "keras/optimizers.py:TFOptimizer.apply_gradients": _NAME,
    "keras/saving.py:export_saved_model": "custom objects are needed to read a model, not to write it",
    "keras/applications/images.py:decode_predictions": "Keras's choice between implementations of itself",
    "layers/base.py:Layer.call": _CALLED,
    "layers/additions.py:Additions.add_update": "TensorFlow infers them, too",
    "layers/lookups.py:Regularizer.__call__": _CALLED,
    "linalg/kronecker.py:LinearOperatorZeros.add_to_tensor": _NAME,
    "platform/flag_functions.py:DEFINE_alias": _FLAGS, "platform/flag_functions.py:declare_key_flag": _FLAGS,
    "platform/flag_functions.py:adopt_module_key_flags": _FLAGS, "platform/flags.py:FlagValues.get_help": _FLAGS, "platform/flags.py:DEFINE_flag": _FLAGS,
    "platform/tf_logging.py:google2_log_prefix": "it says where from by itself",
    "ragged/functions.py:gather": "deprecated: indices are checked in any case",
    "seq2seq/beam_search.py:BeamSearchDecoder.initialize": _NAME, "seq2seq/beam_search.py:BeamSearchDecoder.finalize": _CALLED,
    "seq2seq/decoder.py:BasicDecoder.initialize": _NAME, "seq2seq/helpers.py:TrainingHelper.sample": _CALLED, "seq2seq/helpers.py:TrainingHelper.next_inputs": _CALLED,
    "seq2seq/helpers.py:GreedyEmbeddingHelper.initialize": _NAME, "seq2seq/helpers.py:GreedyEmbeddingHelper.sample": _CALLED,
    "seq2seq/helpers.py:GreedyEmbeddingHelper.next_inputs": _CALLED, "seq2seq/helpers.py:SampleEmbeddingHelper.sample": _CALLED,
    "seq2seq/helpers.py:InferenceHelper.initialize": _NAME, "seq2seq/helpers.py:InferenceHelper.sample": _CALLED, "seq2seq/helpers.py:InferenceHelper.next_inputs": _CALLED,
    "summaries/writer.py:EventFile.__init__": "events are written as they come, at the latest when they are to be flushed",
    "summaries/writer.py:FileWriter.__init__": "events are written by this object, in graphs and beside them",
    "training/monitored_session.py:_RecoverableSession.run_step_fn": _CALLED,
    "training/saver.py:saver_from_object_based_checkpoint": "TensorFlow does not read it either",
    "training/saver_builder.py:SaverBuilder.bulk_restore": "TensorFlow does not read it either",
    "training/saver_builder.py:SaverBuilder.build": "restoring one after another would save memory only; one RestoreV2 reads them all",
    "training/sync_replicas.py:SyncReplicasOptimizer.apply_gradients": _NAME,
    "training/timers.py:NeverTriggerTimer.should_trigger_for_step": _CALLED, "training/timers.py:NeverTriggerTimer.update_last_triggered_step": _CALLED,
}

_FACT = "a fact for the program to read"
ALLOWED_KEPT = {
    "rnn/fused.py:CompiledWrapper": "which ops XLA would compile; there is no XLA, as its constructor says",
    "lite/constants.py:RepresentativeDataset": "models are written as floats; the converter refuses samples",
    "session.py:InteractiveSession": "that it was given; the graph itself is used",
    "platform/records.py:TFRecordOptions": "named when they are given; the sizes of buffers ask for speed only",
    "platform/gfile.py:FileStatistics": _FACT, "platform/flag_kinds.py:UnrecognizedFlagError": _FACT,
    "linalg/composed.py:LinearOperatorLowRankUpdate": "asks for speed only: a hint how to solve",
    "distributions/base.py:Distribution": _FACT,
    "keras/metrics.py:SensitivityAtSpecificity": _FACT, "keras/metrics.py:SpecificityAtSensitivity": _FACT,
    "keras/preprocessing_generators.py:DirectoryIterator": _FACT, "debug/debug_gradients.py:GradientsDebugger": _FACT, "debug/profiling.py:ProfileDatum": _FACT,
}
