"""The behaviour of names in TensorFlow's own modules that programs of its time import. Passes in TensorFlow 1.15 as well."""

import importlib
import os
import tempfile
import unittest

import numpy as np
from graph_case import InGraph
import tensorflow as tf
from tensorflow.core.framework import node_def_pb2  # noqa: F401
from tensorflow.python.framework import common_shapes, meta_graph, ops, tensor_shape
from tensorflow.python.ops import (confusion_matrix, control_flow_ops, image_ops_impl, init_ops_v2, logging_ops, metrics_impl, rnn, rnn_cell_impl, script_ops, string_ops,
                                   variable_scope)


class Once(InGraph):
    def run_once(self, fetches, feed=None):
        with tf.Session() as s:
            s.run([tf.global_variables_initializer(), tf.local_variables_initializer(), tf.tables_initializer()])
            return s.run(fetches, feed)


class Framework(Once):
    def test_constants_of_saved_models(self):
        from tensorflow.python.saved_model import signature_constants, tag_constants

        self.assertEqual((signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY, signature_constants.PREDICT_METHOD_NAME, signature_constants.CLASSIFY_INPUTS,
                          signature_constants.CLASSIFY_METHOD_NAME, signature_constants.REGRESS_METHOD_NAME, tag_constants.SERVING, tag_constants.TRAINING, tag_constants.GPU),
                         ("serving_default", "tensorflow/serving/predict", "inputs", "tensorflow/serving/classify", "tensorflow/serving/regress", "serve", "train", "gpu"))

    def test_registrations(self):
        @ops.RegisterShape("NoSuchOpOfTheTest")
        def shape(op):
            return []

        self.assertEqual(shape(None), [])
        self.assertRaises(TypeError, ops.RegisterShape, 7)
        self.assertTrue(issubclass(tf.Tensor, ops._TensorLike) and issubclass(tf.IndexedSlices, ops._TensorLike) and issubclass(tf.SparseTensor, ops._TensorLike))

        class Like:
            name = property(lambda self: "n")
            dtype = property(lambda self: tf.float32)

        self.assertFalse(ops.is_dense_tensor_like(Like()))
        ops.register_dense_tensor_like_type(Like)
        self.assertTrue(ops.is_dense_tensor_like(Like()))
        self.assertRaises(TypeError, ops.register_dense_tensor_like_type, int)

    def test_collections_with_messages(self):
        class Item:
            def __init__(self, name):
                self.name = name

            def to_proto(self, export_scope=None):
                return tf.NodeDef(name=self.name)

        ops.register_proto_function("items_of_the_test", proto_type=tf.NodeDef, to_proto=Item.to_proto, from_proto=lambda d, import_scope=None: Item(d.name))
        tf.add_to_collection("items_of_the_test", Item("first"))
        tf.constant(1)
        meta = tf.train.export_meta_graph()
        self.assertEqual(tf.NodeDef.FromString(meta.collection_def["items_of_the_test"].bytes_list.value[0]).name, "first")
        with tf.Graph().as_default():
            tf.train.import_meta_graph(meta)
            self.assertEqual([type(x) for x in tf.get_collection("items_of_the_test")], [Item])
        self.assertIs(ops.get_collection_proto_type("items_of_the_test"), tf.NodeDef)
        self.assertRaises(KeyError, ops.register_proto_function, "items_of_the_test")

    def test_names_in_scopes(self):
        self.assertEqual([ops.strip_name_scope(n, "s") for n in ("s/a", "^s/a", "loc:@s/a", "t/a")], ["a", "^a", "loc:@a", "t/a"])
        self.assertEqual([ops.prepend_name_scope(n, "s/") for n in ("a", "^a", "loc:@a")], ["s/a", "^s/a", "loc:@s/a"])
        first = ops.uid()
        self.assertGreater(ops.uid(), first)

    def test_shapes(self):
        x = tf.placeholder(tf.float32, [None, 5, 6, 3])
        conv = tf.nn.conv2d(x, tf.ones([2, 3, 3, 4]), [1, 2, 1, 1], "VALID").op
        self.assertEqual([s.as_list() for s in common_shapes.conv2d_shape(conv)], [[None, 2, 4, 4]])
        self.assertEqual([s.as_list() for s in common_shapes.max_pool_shape(tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME").op)], [[None, 3, 3, 3]])
        self.assertEqual([s.as_list() for s in common_shapes.avg_pool_shape(tf.nn.avg_pool(x, [1, 2, 2, 1], [1, 1, 1, 1], "VALID").op)], [[None, 4, 5, 3]])
        self.assertEqual([s.as_list() for s in common_shapes.matmul_shape(tf.matmul(tf.ones([2, 3]), tf.ones([4, 2]), True, True).op)], [[3, 4]])
        self.assertEqual([s.ndims for s in common_shapes.unknown_shape(tf.unique(tf.constant([1]))[0].op)], [None, None])
        self.assertEqual(common_shapes.scalar_shape(None), [tensor_shape.scalar()])
        self.assertEqual(common_shapes.unchanged_shape_with_rank(4)(conv)[0].as_list(), [None, 5, 6, 3])
        self.assertRaises(ValueError, common_shapes.unchanged_shape_with_rank(3), conv)
        a, b = tf.TensorShape([None, 1, 3]), tf.TensorShape([2, 4, 1])
        self.assertEqual(common_shapes.broadcast_shape(a, b).as_list(), [2, 4, 3])
        self.assertFalse(common_shapes.is_broadcast_compatible(tf.TensorShape([2]), tf.TensorShape([3])))
        self.assertRaisesRegex(ValueError, "Incompatible shapes for broadcasting", common_shapes.broadcast_shape, tf.TensorShape([2]), tf.TensorShape([3]))
        self.assertEqual(common_shapes.rank(tf.ones([1, 2])), 2)

    def test_meta_graphs(self):
        with tf.name_scope("inside"):
            tf.constant(1, name="one")
        tf.constant(2, name="two")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "g.meta")
            meta, variables = meta_graph.export_scoped_meta_graph(filename=path, export_scope="inside")
            self.assertEqual(([n.name for n in meta.graph_def.node], variables), (["one"], {}))
            self.assertEqual([n.name for n in meta_graph.read_meta_graph_file(path).graph_def.node], ["one"])

    def test_op_libraries(self):
        from tensorflow.python.framework import op_def_library, op_def_registry

        library = op_def_library.OpDefLibrary()
        library.add_op(tf.constant(1.).op.op_def)
        library.add_op(tf.add(1., 2.).op.op_def)
        made = library.apply_op(tf.add(1., 2.).op.type, x=1., y=[2., 3.], name="sum")
        self.assertEqual((made.op.name, list(self.run_once(made))), ("sum", [3., 4.]))
        self.assertRaisesRegex(RuntimeError, "Unrecognized Op name NoSuch", library.apply_op, "NoSuch")
        self.assertTrue(op_def_registry)


class Operations(Once):
    def test_switch_and_merge(self):
        off, on = control_flow_ops.switch(tf.constant([1., 2.]), tf.constant(True))
        value, index = control_flow_ops.merge([off * 10, on * 100])
        self.assertEqual([list(self.run_once(value)), self.run_once(index)], [[100., 200.], 1])
        slices = tf.IndexedSlices(tf.constant([[1.], [2.]]), tf.constant([0, 3]), tf.constant([4, 1]))
        off, on = control_flow_ops.switch(slices, tf.constant(False))
        merged, index = control_flow_ops.merge([on, off])
        self.assertEqual(self.run_once([merged.values, merged.indices, index])[1].tolist(), [0, 3])
        self.assertRaisesRegex(ValueError, "At least one of the merge inputs is None", control_flow_ops.merge, [None, tf.constant(1)])

    def test_switch_case(self):
        i, x = tf.placeholder(tf.int32, []), tf.constant(3., name="x")
        v = tf.get_variable("v", [], initializer=tf.ones_initializer())
        r = tf.switch_case(i, [lambda: x * 2, lambda: x + v, lambda: tf.constant(5.)])
        nested = tf.switch_case(i, {1: lambda: (x, [x]), 0: lambda: (x + 1, [x * 3])}, default=lambda: (x - 1., [x]), name="foo")
        self.assertEqual((r.name, nested[1][0].name), ("switch_case/indexed_case/Identity:0", "foo/indexed_case/Identity_1:0"))
        gradients = tf.gradients(r, [x, v])
        with tf.Session() as s:
            s.run(v.initializer)
            found = {k: s.run([r, nested, gradients], {i: k}) for k in (-1, 0, 1, 2, 7)}
        self.assertEqual(found[0], [6., (4., [9.]), [2., 0.]])
        self.assertEqual(found[1], [4., (3., [3.]), [1., 1.]])
        for k in (-1, 2, 7):
            self.assertEqual(found[k], [5., (2., [3.]), [0., 0.]])

    def test_switch_case_refuses(self):
        i, x = tf.placeholder(tf.int32, []), tf.constant(3.)
        for kind, words, arguments in (
                (TypeError, "branch_index must a Tensor", (1, [lambda: x])), (ValueError, "Must provide at least one item", (i, [])), (TypeError, "must be a list, tuple, or dict", (i, 3)),
                (ValueError, r"contiguous range of \[0 to 1\) but found \{1\}", (i, {1: lambda: x})), (TypeError, "key must be a Python `int`", (i, [(0.5, lambda: x)])),
                (TypeError, "fn for key 0 must be callable", (i, [(0, 1)])), (TypeError, "must be a 2-tuple", (i, [0, 1])), (TypeError, "must an integer Tensor", (x, [lambda: x])),
                (TypeError, "must have the same number, type", (i, [lambda: x, lambda: tf.constant(1)]))):
            self.assertRaisesRegex(kind, words, tf.switch_case, *arguments)

    def test_images(self):
        known, unknown = tf.zeros([4, 5, 3]), tf.placeholder(tf.float32, [None, 5, 3])
        self.assertEqual(image_ops_impl._ImageDimensions(known, 3), [4, 5, 3])
        height, width, depth = image_ops_impl._ImageDimensions(unknown, rank=3)
        self.assertEqual((self.run_once(height, {unknown: np.zeros([7, 5, 3])}), width, depth), (7, 5, 3))
        self.assertEqual(image_ops_impl._Check3DImage(known), [])
        self.assertEqual(len(image_ops_impl._Check3DImage(unknown, require_static=False)), 1)
        self.assertRaisesRegex(ValueError, "must be fully defined", image_ops_impl._Check3DImage, unknown)
        self.assertRaisesRegex(ValueError, "must be three-dimensional", image_ops_impl._Check3DImage, tf.zeros([1, 2]))
        self.assertRaisesRegex(ValueError, "must be at least three-dimensional", image_ops_impl._CheckAtLeast3DImage, tf.zeros([1, 2]))
        self.assertEqual(image_ops_impl._CheckAtLeast3DImage(tf.zeros([2, 4, 5, 3])), [])
        self.assertRaisesRegex(ValueError, "must be > 0", image_ops_impl._CheckAtLeast3DImage, tf.zeros([0, 5, 3]))

    def test_recurrent_helpers(self):
        turned = rnn._transpose_batch_time(tf.placeholder(tf.float32, [2, 5, 3]))
        self.assertEqual(turned.shape.as_list(), [5, 2, 3])
        self.assertEqual(rnn_cell_impl._concat(4, [3, 2], static=True), [4, 3, 2])
        self.assertEqual(self.run_once(rnn_cell_impl._concat(4, 3)).tolist(), [4, 3])
        c, h = rnn_cell_impl._zero_state_tensors((3, tf.TensorShape([2, 2])), 5, tf.float32)
        self.assertEqual((c.shape.as_list(), h.shape.as_list()), ([5, 3], [5, 2, 2]))
        state = tf.ones([3, 2])
        output, new = rnn._rnn_step(time=tf.constant(1), sequence_length=tf.constant([1, 2, 3]), min_sequence_length=tf.constant(1), max_sequence_length=tf.constant(3),
                                    zero_output=tf.zeros([3, 2]), state=state, call_cell=lambda: (state * 5, state * 7), state_size=2, skip_conditionals=True)
        self.assertEqual([x.tolist() for x in self.run_once([output, new])], [[[0, 0], [5, 5], [5, 5]], [[1, 1], [7, 7], [7, 7]]])

    def test_pure_variable_scopes(self):
        with variable_scope._pure_variable_scope("only") as scope:
            v = tf.get_variable("v", [1])
            self.assertEqual((scope.name, v.op.name, tf.constant(1).op.name), ("only", "only/v", "Const"))

    def test_metrics(self):
        v = metrics_impl.metric_variable([2], tf.float32, name="counts")
        self.assertEqual([[x.op.name for x in tf.get_collection(k)] for k in ("local_variables", "metric_variables", "trainable_variables")], [["counts"], ["counts"], []])
        total, update = metrics_impl._streaming_confusion_matrix(tf.constant([[0], [1], [1]]), tf.constant([0, 1, 0]), 2)
        with tf.Session() as s:
            s.run(tf.local_variables_initializer())
            s.run(update)
            self.assertEqual(s.run(update).tolist(), [[2, 0], [2, 2]])
            self.assertEqual(s.run(total).tolist(), [[2, 0], [2, 2]])
        labels, predictions = confusion_matrix.remove_squeezable_dimensions(tf.zeros([3]), tf.zeros([3, 1]))
        self.assertEqual((labels.shape.as_list(), predictions.shape.as_list()), ([3], [3]))
        labels, predictions = confusion_matrix.remove_squeezable_dimensions(tf.zeros([3, 1]), tf.zeros([3, 1]), expected_rank_diff=1)
        self.assertEqual((labels.shape.as_list(), predictions.shape.as_list()), ([3], [3, 1]))
        unknown = tf.placeholder(tf.float32)
        labels, predictions = confusion_matrix.remove_squeezable_dimensions(tf.zeros([3]), unknown)
        self.assertEqual(self.run_once(predictions, {unknown: np.zeros([3, 1])}).shape, (3,))
        self.assertTrue(v is not None)

    def test_initializers_of_version_2(self):
        self.assertEqual(self.run_once(init_ops_v2.Zeros()([2])).tolist(), [0., 0.])
        self.assertEqual(self.run_once(init_ops_v2.Constant([1, 2])([2], tf.float32)).tolist(), [1., 2.])
        self.assertEqual(self.run_once(init_ops_v2.Identity(2.)([2, 2])).tolist(), [[2., 0.], [0., 2.]])
        np.testing.assert_allclose(self.run_once(init_ops_v2.GlorotUniform(seed=3)([2, 2])), [[-0.7448584, 1.0761718], [0.07905781, 0.83537734]], rtol=1e-5)
        np.testing.assert_allclose(self.run_once(init_ops_v2.RandomNormal(seed=1)([3])), [0.00633252, -0.02465083, 0.03155954], rtol=1e-5)
        self.assertEqual(init_ops_v2.GlorotUniform(seed=3).get_config(), {"seed": 3})
        self.assertRaisesRegex(ValueError, "Expected floating point type", init_ops_v2.RandomNormal(), [1], tf.int32)

    def test_old_summaries(self):
        made = logging_ops.scalar_summary(["a", "b"], [1., 2.])
        summary = tf.Summary.FromString(self.run_once(made))
        self.assertEqual([(v.tag, v.simple_value) for v in summary.value], [("a", 1.), ("b", 2.)])
        self.assertEqual(tf.get_collection("summaries"), [made])
        self.assertEqual(made.op.name, "ScalarSummary")
        self.assertEqual(logging_ops.histogram_summary("h", [1.], collections=["mine"]).op.name, "HistogramSummary")
        self.assertEqual(len(tf.get_collection("mine")), 1)
        merged = logging_ops.get_summary_op()
        self.assertIs(logging_ops.get_summary_op(), merged)

    def test_strings(self):
        split = string_ops.string_split(["a-b", "c"], delimiter="-")
        value = self.run_once(split)
        self.assertEqual((value.values.tolist(), value.indices.tolist()), ([b"a", b"b", b"c"], [[0, 0], [0, 1], [1, 0]]))
        self.assertRaisesRegex(ValueError, "Cannot specify both", string_ops.string_split, ["a"], "b", True, "c")
        self.assertEqual(self.run_once(string_ops.string_split_v2(["a  b c"], maxsplit=1)).values.tolist(), [b"a", b"b c"])

    def test_functions_of_the_program(self):
        self.assertEqual(self.run_once(script_ops._internal_py_func(lambda x: np.int32(x + 1), [tf.constant(1)], tf.int32, stateful=True)), 2)

    def test_generated_modules(self):
        from tensorflow.python.ops import gen_array_ops, gen_control_flow_ops, gen_image_ops, gen_math_ops, gen_nn_ops, gen_state_ops
        from tensorflow.python.training import training_ops

        self.assertEqual(self.run_once(gen_math_ops.mat_mul([[2.]], [[3.]])).tolist(), [[6.]])
        self.assertEqual(self.run_once(gen_math_ops._range(1, 4, 1)).tolist(), [1, 2, 3])
        self.assertEqual(self.run_once(gen_nn_ops.relu_grad([1., 1.], [-1., 1.])).tolist(), [0., 1.])
        self.assertEqual(self.run_once(gen_array_ops.reshape([1, 2], [2, 1])).tolist(), [[1], [2]])
        self.assertEqual(self.run_once(gen_image_ops.resize_bilinear(tf.ones([1, 1, 1, 1]), [2, 2])).shape, (1, 2, 2, 1))
        self.assertEqual(gen_control_flow_ops.switch(1, True)[0].op.type, "Switch")
        v, m = tf.get_variable("v", [1], initializer=tf.ones_initializer()), tf.get_variable("m", [1], initializer=tf.zeros_initializer())
        self.assertEqual(gen_state_ops.assign(v._ref(), [3.]).op.type, "Assign")
        with tf.Session() as s:
            s.run(tf.global_variables_initializer())
            self.assertEqual(s.run(training_ops.apply_momentum(v._ref(), m._ref(), 0.5, [1.], 0.9)).tolist(), [0.5])


class Training(Once):
    def test_moving_averages(self):
        from tensorflow.python.training import moving_averages

        v = tf.get_variable("v", [], initializer=tf.constant_initializer(10.))
        plain, z = moving_averages.assign_moving_average(v, 0., 0.5, zero_debias=False), tf.get_variable("z", [], initializer=tf.zeros_initializer())
        unbiased = moving_averages.assign_moving_average(z, 4., 0.9)
        weighted = moving_averages.weighted_moving_average(tf.constant(2.), 0.5, tf.constant(3.))
        self.assertEqual([x.op.name for x in tf.global_variables()], ["v", "z", "z/biased", "z/local_step", "WeightedMovingAvg/value_x_weight", "WeightedMovingAvg/weight"])
        with tf.Session() as s:
            s.run(tf.global_variables_initializer())
            self.assertEqual([float(s.run(plain)) for _ in range(2)], [5., 2.5])
            np.testing.assert_allclose([s.run(unbiased) for _ in range(2)], [4., 4.], rtol=1e-6)
            self.assertEqual(s.run(weighted), 2.)

    def test_optimizer_helpers(self):
        from tensorflow.python.training import optimizer

        v, r = tf.get_variable("v", [1]), tf.get_variable("r", [1], use_resource=True)
        self.assertEqual(optimizer._var_key(v), (tf.get_default_graph(), "v"))
        self.assertEqual([optimizer._get_processor(x).target() is t for x, t in ((v, v._ref()), (r, r))], [True, True])
        c = tf.constant(1.)
        self.assertIs(optimizer._get_processor(c).target(), c)
        self.assertRaises(NotImplementedError, optimizer._get_processor(c).update_op, None, c)

    def test_slots(self):
        from tensorflow.python.training import slot_creator

        v = tf.get_variable("v", [2], initializer=tf.constant_initializer([1., 2.]))
        copy, zeros = slot_creator.create_slot(v, v.initialized_value(), name="copy"), slot_creator.create_zeros_slot(v, name="zeros", dtype=tf.float64)
        self.assertEqual((copy.op.name, zeros.op.name, zeros.dtype.base_dtype), ("v/copy", "v/zeros", tf.float64))
        self.assertEqual(self.run_once(copy).tolist(), [1., 2.])

    def test_devices_in_turn(self):
        from tensorflow.python.training import device_setter

        turn = device_setter._RoundRobinStrategy(2)
        self.assertEqual([turn(None) for _ in range(3)], [0, 1, 0])

    def test_saver_builders(self):
        from tensorflow.python.training import saver

        v = tf.get_variable("v", [1])

        class Doubled(saver.BaseSaverBuilder.SaveableObject):
            def __init__(self, tensor, name):
                super(Doubled, self).__init__(tensor, [saver.BaseSaverBuilder.SaveSpec(tensor * 2, "", name)], name)

            def restore(self, restored_tensors, restored_shapes):
                return tf.assign(v, restored_tensors[0])

        with tempfile.TemporaryDirectory() as folder, tf.Session() as s:
            saver_object = saver.Saver([Doubled(v, "twice")])
            s.run(v.assign([4.]))
            path = saver_object.save(s, os.path.join(folder, "m"))
            self.assertEqual(tf.train.list_variables(path), [("twice", [1])])
            saver_object.restore(s, path)
            self.assertEqual(s.run(v).tolist(), [8.])

    def test_evaluation(self):
        from tensorflow.python.training import evaluation

        v = tf.get_variable("v", [], initializer=tf.constant_initializer(3.))
        count = tf.get_variable("count", [], initializer=tf.zeros_initializer(), collections=["local_variables"], trainable=False)
        with tempfile.TemporaryDirectory() as folder:
            tf.train.get_or_create_global_step()
            with tf.Session() as s:
                s.run(tf.global_variables_initializer())
                path = tf.train.Saver().save(s, os.path.join(folder, "m"))
            final = evaluation._evaluate_once(path, eval_ops=tf.assign_add(count, 2.),
                                              final_ops=[count, v], hooks=[evaluation._StopAfterNEvalsHook(4)])
        self.assertEqual(final, [8., 3.])
        self.assertEqual(evaluation._get_or_create_eval_step().op.name, "eval_step")

    def test_walks_over_graphs(self):
        from tensorflow.python.ops import op_selector

        a, b = tf.constant(1., name="a"), tf.constant(2., name="b")
        c = tf.add(a, b, name="c")
        with tf.control_dependencies([tf.no_op(name="first")]):
            d = tf.multiply(c, a, name="d")
        names = lambda found: sorted(op.name for op in found)
        self.assertEqual(names(op_selector.get_backward_walk_ops(d)), ["a", "b", "c", "d"])
        self.assertEqual(names(op_selector.get_backward_walk_ops([d.op], inclusive=False, control_inputs=True)), ["a", "b", "c", "first"])
        self.assertEqual(names(op_selector.get_backward_walk_ops([d], stop_at_ts=[c])), ["a", "d"])
        self.assertEqual(names(op_selector.get_backward_walk_ops([d], within_ops=[d.op, c.op])), ["c", "d"])
        self.assertEqual(names(op_selector.get_consuming_ops([a])), ["c", "d"])
        self.assertRaisesRegex(ValueError, "empty list", op_selector.get_unique_graph, [])

    def test_warm_start(self):
        with tempfile.TemporaryDirectory() as folder:
            with tf.Graph().as_default(), tf.Session() as s:
                tf.get_variable("deep/w", [2], initializer=tf.constant_initializer(3.))
                tf.get_variable("words", [3, 2], initializer=tf.constant_initializer([[1., 2.], [3., 4.], [5., 6.]]))
                s.run(tf.global_variables_initializer())
                path = tf.train.Saver().save(s, os.path.join(folder, "old"))
            for name, words in (("old.txt", "a\nb\nc\n"), ("new.txt", "c\nx\na\n")):
                with open(os.path.join(folder, name), "w") as f:
                    f.write(words)
            w, words = tf.get_variable("renamed/w", [2], initializer=tf.zeros_initializer()), tf.get_variable("words", [4, 2], initializer=tf.zeros_initializer())
            info = tf.train.VocabInfo(os.path.join(folder, "new.txt"), 3, 1, os.path.join(folder, "old.txt"), backup_initializer=tf.ones_initializer())
            tf.train.warm_start(path, ".*", {"words": info}, {"renamed/w": "deep/w"})
            self.assertEqual([x.tolist() for x in self.run_once([w, words])], [[3., 3.], [[5., 6.], [1., 1.], [1., 2.], [1., 1.]]])
            self.assertRaisesRegex(ValueError, "in var_name_to_prev_var_name that were not used: {'nowhere'}", tf.train.warm_start, path, "words", {"words": info}, {"nowhere": "deep/w"})
            self.assertRaisesRegex(ValueError, "`vars_to_warm_start must be a `list` or `str`", tf.train.warm_start, path, 3)
            self.assertRaisesRegex(ValueError, "axis argument are 0 and 1", tf.train.VocabInfo, "a", 1, 0, "b", axis=2)


class Sessions(Once):
    def test_tensors_that_stay(self):
        a, b = tf.constant(10.), tf.constant(5.)
        handle = tf.get_session_handle(tf.multiply(a, b))
        with tf.Session() as s:
            kept = s.run(handle)
            self.assertEqual(type(kept).__name__, "TensorHandle")
            self.assertEqual(kept.eval(), 50.)
            holder, tensor = tf.get_session_tensor(kept.handle, tf.float32)
            twice = tensor * 2
            self.assertEqual(s.run(twice, {holder: kept.handle}), 100.)
            x = tf.placeholder(tf.float32, [])
            self.assertEqual(s.run(x + 1, {x: kept}), 51.)
            holder, delete = tf.delete_session_tensor(kept.handle)
            name = kept.get_raw_handle()
            s.run(delete, {holder: name})
            holder, tensor = tf.get_session_tensor(name, tf.float32)
            self.assertRaises(tf.errors.InvalidArgumentError, s.run, tensor, {holder: name})
            self.assertRaisesRegex(TypeError, "may have already been deleted", kept.eval)
            again = s.run([handle, a])[0]
            again.delete()
        self.assertRaisesRegex(TypeError, "`data` must be of type Tensor", tf.get_session_handle, 3)


class PyFunction(Once):
    def test_values_at_run_time(self):
        def log_huber(x, m):
            if tf.abs(x) <= m:
                return x ** 2
            return m ** 2 * (1 - 2 * tf.math.log(m) + tf.math.log(x ** 2))

        x, m = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
        y = tf.py_function(func=log_huber, inp=[x, m], Tout=tf.float32)
        dy = tf.gradients(y, x)[0]
        with tf.Session() as s:
            self.assertEqual([float(v) for v in s.run([y, dy], {x: 1., m: 2.})], [1., 2.])
            np.testing.assert_allclose(s.run([y, dy], {x: 4., m: 2.}), [9.545177, 2.], rtol=1e-6)

    def test_what_the_function_gets(self):
        seen = []

        def look(a, b, text):
            seen.extend([a.numpy().tolist(), a.shape.as_list(), a.dtype, np.sum(b), int(b[0]), len(a), [float(r[0]) for r in a], text.numpy(), tf.executing_eagerly(), isinstance(a, tf.Tensor)])
            return np.array([1, 2], np.int32), a * 2, tf.strings.join([text, "!"])

        out = tf.py_function(look, [[[1., 2.], [3., 4.]], tf.constant([5, 6]), "hi"], [tf.int32, tf.float32, tf.string])
        values = self.run_once(out)
        self.assertEqual(seen, [[[1., 2.], [3., 4.]], [2, 2], tf.float32, 11, 5, 2, [1., 3.], b"hi", True, True])
        self.assertEqual([values[0].tolist(), values[1].tolist(), values[2]], [[1, 2], [[2., 4.], [6., 8.]], b"hi!"])
        self.assertFalse(tf.executing_eagerly())

    def test_control_flow_and_nothing(self):
        calls = []

        def loop(n):
            total = tf.constant(0)
            while total < n:
                total += 3
            calls.append(int(total))

        nothing = tf.py_function(loop, [7], [])
        self.assertEqual(nothing if not isinstance(nothing, tf.Operation) else [], [])
        op = [o for o in tf.get_default_graph().get_operations() if o.type.endswith("PyFunc")][0]
        self.assertEqual(op.name, "EagerPyFunc")
        with tf.Session() as s:
            s.run(op)
        self.assertEqual(calls, [9])

    def test_errors(self):
        self.assertRaisesRegex(ValueError, "Expected func to be callable", tf.py_function, 3, [], tf.float32)

        def fail(x):
            raise ValueError("no such luck")

        with tf.Session() as s:
            self.assertRaisesRegex(tf.errors.InvalidArgumentError, "no such luck", s.run, tf.py_function(fail, [1.], tf.float32))


class Layers(Once):
    def test_sizes(self):
        utils, conv_utils, tf_utils = (importlib.import_module("tensorflow.python." + m) for m in ("layers.utils", "keras.utils.conv_utils", "keras.utils.tf_utils"))
        self.assertEqual((utils.normalize_tuple(3, 2, "strides"), conv_utils.normalize_tuple([1, 2], 2, "x")), ((3, 3), (1, 2)))
        self.assertRaisesRegex(ValueError, "The `size` argument must be a tuple of 2 integers. Received: 1.5", utils.normalize_tuple, 1.5, 2, "size")
        self.assertEqual([utils.conv_output_length(10, 3, p, 2) for p in ("same", "valid", "full")], [5, 4, 6])
        self.assertEqual([utils.conv_input_length(5, 3, p, 2) for p in ("same", "valid", "full")], [9, 11, 7])
        self.assertEqual([utils.deconv_output_length(5, 3, p, 2) for p in ("same", "valid", "full")], [10, 11, 7])
        self.assertEqual(conv_utils.conv_output_length(10, 3, "causal", 2, dilation=2), 5)
        self.assertEqual([conv_utils.deconv_output_length(5, 3, "valid", output_padding=1, stride=2), conv_utils.deconv_output_length(5, 3, "same", stride=2)], [12, 10])
        self.assertEqual((utils.convert_data_format("channels_first", 4), utils.convert_data_format("channels_last", 5)), ("NCHW", "NDHWC"))
        self.assertEqual(conv_utils.conv_kernel_mask((4,), (2,), (1,), "valid").astype(int).tolist(), [[1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1]])
        self.assertEqual(sorted(conv_utils.conv_kernel_idxs((2, 2), (2, 1), (1, 1), "valid", 1, 1, "channels_last")), [(0, 0), (0, 2), (1, 1), (1, 3)])
        for module in (utils, tf_utils):
            self.assertEqual([module.constant_value(x) for x in (True, 0, tf.constant(True), tf.placeholder(tf.bool), tf.get_variable("b", [], tf.bool, use_resource=False, trainable=False)
                                                                if not tf.get_collection("variables") else tf.global_variables()[0])], [True, False, True, None, None])
            self.assertRaises(TypeError, module.constant_value, "x")

    def test_symbolic_tensors(self):
        tf_utils = importlib.import_module("tensorflow.python.keras.utils.tf_utils")

        class Wrapped:
            def __init__(self, tensor):
                self.tensor = tensor

        tf.register_tensor_conversion_function(Wrapped, lambda w, *args, **kwargs: w.tensor)
        x = tf.constant([[1., 2.]])
        self.assertFalse(tf_utils.is_symbolic_tensor(Wrapped(x)))
        tf_utils.register_symbolic_tensor_type(Wrapped)
        self.assertTrue(tf_utils.is_symbolic_tensor(Wrapped(x)))
        self.assertTrue(tf_utils.are_all_symbolic_tensors([x, tf.get_variable("v", [1])]))
        self.assertFalse(tf_utils.is_symbolic_tensor(3))
        a = tf.constant(1.)
        b = a * 2
        self.assertIn(b.op, tf_utils.get_reachable_from_inputs([a]))
        self.assertEqual(tf_utils.convert_shapes([tf.TensorShape([1, 2]), (3, None)]), [(1, 2), (3, None)])
        self.assertTrue(tf_utils.is_tensor_or_tensor_list([a]))
        self.assertRaisesRegex(TypeError, "legacy tf.layers.Layers", tf_utils.assert_no_legacy_layers, [tf.layers.Dense(1)])

    def test_nests_of_data_sets(self):
        from tensorflow.python.data.util import nest

        self.assertEqual(nest.flatten(({"b": 1, "a": (2, [3, 4])}, 5)), [2, [3, 4], 1, 5])
        self.assertEqual(nest.map_structure(lambda x: x * 2, (1, {"a": 2})), (2, {"a": 4}))
        self.assertEqual(nest.pack_sequence_as((1, (2, 3)), [4, 5, 6]), (4, (5, 6)))
        self.assertFalse(nest.is_sequence([1]))
        self.assertRaises(ValueError, nest.pack_sequence_as, (1, 2), [1])

    def test_eager_context(self):
        from tensorflow.python.eager import context

        self.assertFalse(context.executing_eagerly() or context.context().executing_eagerly())
        with context.graph_mode():
            self.assertEqual(tf.constant(1).op.name, "Const")

    def test_attention_base_class(self):
        from tensorflow.contrib.seq2seq.python.ops import attention_wrapper

        self.assertTrue(issubclass(tf.contrib.seq2seq.LuongAttention, attention_wrapper._BaseAttentionMechanism))

    def test_files_of_numbers(self):
        from tensorflow.contrib.learn.python.learn.datasets import base

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "d.csv")
            with open(path, "w") as f:
                f.write("2,2,x,y\n1.5,2,0\n3,4.5,1\n")
            found = base.load_csv_with_header(path, np.int32, np.float32)
            self.assertEqual((found.data.tolist(), found.target.tolist()), ([[1.5, 2.], [3., 4.5]], [0, 1]))
            with open(path, "w") as f:
                f.write("7,1,2\n8,3,4\n")
            found = base.load_csv_without_header(path, np.int32, np.float32, target_column=0)
            self.assertEqual((found.data.tolist(), found.target.tolist()), ([[1., 2.], [3., 4.]], [7, 8]))

    def test_copies_of_graphs(self):
        from tensorflow.contrib.copy_graph.python.util import copy_elements

        a = tf.constant(2., name="a")
        b = tf.multiply(a, 3., name="b")
        tf.add_to_collection("outs", b)
        other = tf.Graph()
        made = copy_elements.copy_op_to_graph(b, other, [], scope="there")
        self.assertEqual(made.name, "there/b:0")
        self.assertEqual(other.get_collection("there/outs"), [made])
        self.assertIs(copy_elements.get_copied_op(b.op, other, "there"), made.op)
        with tf.Session(graph=other) as s:
            self.assertEqual(s.run(made), 6.)


class Tools(Once):
    def _model(self, folder):
        x = tf.placeholder(tf.float32, [None, 4, 4, 2], name="x")
        kernel = tf.get_variable("kernel", [2, 2, 2, 3], initializer=tf.random_normal_initializer(seed=1))
        conv = tf.nn.conv2d(x, kernel, [1, 1, 1, 1], "VALID", name="conv")
        y, _, _ = tf.nn.fused_batch_norm(conv, tf.constant([1., 2., 3.]), tf.constant([.1, .2, .3]), tf.constant([.5, .6, .7]), tf.constant([1., 2., 3.]), is_training=False, name="bn")
        out = tf.identity(tf.nn.relu(y, name="relu"), name="out")
        with tf.Session() as s:
            s.run(tf.global_variables_initializer())
            path = tf.train.Saver().save(s, os.path.join(folder, "m"))
            tf.train.write_graph(tf.get_default_graph(), folder, "g.pbtxt")
            return path, s.run(out, {x: _picture()})

    def test_freeze_and_optimize(self):
        from tensorflow.python.tools import freeze_graph, optimize_for_inference_lib, strip_unused_lib

        with tempfile.TemporaryDirectory() as folder:
            path, expected = self._model(folder)
            frozen_file = os.path.join(folder, "frozen.pb")
            with tf.Graph().as_default():
                frozen = freeze_graph.freeze_graph(os.path.join(folder, "g.pbtxt"), "", False, path, "out", "save/restore_all", "save/Const:0", frozen_file, True, "")
            self.assertTrue(os.path.exists(frozen_file))
            self.assertEqual({n.op for n in frozen.node if n.name == "kernel"}, {"Const"})
            self.assertRaisesRegex(ValueError, "doesn't exist!", freeze_graph.freeze_graph, "", "", False, os.path.join(folder, "none"), "out", "", "", "", True, "")
            fast = optimize_for_inference_lib.optimize_for_inference(frozen, ["x"], ["out"], tf.float32.as_datatype_enum)
        self.assertEqual([n.op for n in fast.node if n.op.startswith("FusedBatchNorm")], [] if any(n.op == "FusedBatchNorm" for n in frozen.node) else ["FusedBatchNormV3"])
        with tf.Graph().as_default(), tf.Session() as s:
            tf.import_graph_def(fast, name="")
            np.testing.assert_allclose(s.run("out:0", {"x:0": _picture()}), expected, rtol=1e-4, atol=1e-5)
        stripped = strip_unused_lib.strip_unused(frozen, ["conv"], ["out"], tf.float32.as_datatype_enum)
        self.assertEqual({n.op for n in stripped.node if n.name == "conv"}, {"Placeholder"})
        self.assertFalse(any(n.name == "kernel" for n in stripped.node))
        self.assertRaisesRegex(ValueError, "appears to refer to a Tensor", strip_unused_lib.strip_unused, frozen, ["x:0"], ["out"], 1)
        self.assertRaisesRegex(KeyError, "not found", strip_unused_lib.strip_unused, frozen, ["nothing"], ["out"], 1)

    def test_folds_batch_norms(self):
        from tensorflow.python.tools import optimize_for_inference_lib as lib

        x = tf.placeholder(tf.float32, [1, 4, 4, 2], name="x")
        conv = tf.nn.conv2d(x, tf.constant(np.arange(24).reshape(2, 2, 2, 3) / 10., tf.float32, name="w"), [1, 1, 1, 1], "VALID", name="conv")
        tf.raw_ops.FusedBatchNorm(x=conv, scale=[1., 2., 3.], offset=[.1, .2, .3], mean=[.5, .6, .7], variance=[1., 2., 3.], epsilon=.001, is_training=False, name="bn")
        folded = lib.fold_batch_norms(tf.get_default_graph().as_graph_def())
        self.assertEqual([n.op for n in folded.node], ["Placeholder", "Const", "Conv2D", "Const", "BiasAdd"])
        offset = tf.make_ndarray([n for n in folded.node if n.name == "conv_bn_offset"][0].attr["value"].tensor)
        np.testing.assert_allclose(offset, [-0.39975023, -0.648316, -0.912234], rtol=1e-5)

    def test_fuses_padding(self):
        from tensorflow.python.tools import optimize_for_inference_lib as lib

        x = tf.placeholder(tf.float32, [1, 4, 4, 1], name="x")
        big = tf.image.resize_bilinear(x, [6, 6], name="big")
        padded = tf.pad(big, [[0, 0], [1, 1], [1, 1], [0, 0]], mode="REFLECT", name="padded")
        out = tf.nn.conv2d(padded, tf.ones([2, 2, 1, 1]), [1, 1, 1, 1], "VALID", name="out")
        fused = lib.fuse_resize_and_conv(tf.get_default_graph().as_graph_def(), ["out"])
        self.assertEqual([n.op for n in fused.node if n.name == "out"], ["FusedResizeAndPadConv2D"])
        value = np.arange(16, dtype=np.float32).reshape(1, 4, 4, 1)
        expected = self.run_once(out, {x: value})
        with tf.Graph().as_default(), tf.Session() as s:
            tf.import_graph_def(fused, name="")
            np.testing.assert_allclose(s.run("out:0", {"x:0": value}), expected, rtol=1e-5)
        self.assertRaises(ValueError, lib.ensure_graph_is_valid, tf.GraphDef(node=[tf.NodeDef(name="a", op="NoOp"), tf.NodeDef(name="a", op="NoOp")]))

    def test_saved_models(self):
        from tensorflow.python.tools import saved_model_utils

        x = tf.placeholder(tf.float32, name="x")
        with tempfile.TemporaryDirectory() as folder, tf.Session() as s:
            tf.saved_model.simple_save(s, os.path.join(folder, "m"), {"x": x}, {"y": x * 2})
            self.assertEqual(saved_model_utils.get_saved_model_tag_sets(os.path.join(folder, "m")), [["serve"]])
            self.assertEqual(list(saved_model_utils.get_meta_graph_def(os.path.join(folder, "m"), "serve").signature_def), ["serving_default"])
            self.assertRaisesRegex(RuntimeError, "could not be found in SavedModel", saved_model_utils.get_meta_graph_def, os.path.join(folder, "m"), "a,b")
            self.assertRaises(IOError, saved_model_utils.read_saved_model, folder)


def _picture():
    return np.random.RandomState(0).rand(2, 4, 4, 2).astype(np.float32)


if __name__ == "__main__":
    unittest.main()
