"""tensor2tensor 1.14: a small Transformer on a problem of its own: data generated into records, trained by T2TModel's estimator, evaluated, restored and decoded."""

import os
import random
import tempfile

import numpy as np
import tensorflow as tf
from tensor2tensor.data_generators import problem, text_encoder, text_problems
from tensor2tensor.models import transformer
from tensor2tensor.utils import registry, trainer_lib

import record


@registry.register_problem
class ReversedDigits(text_problems.Text2TextProblem):
    """Lines of digits and the same backwards."""

    dataset_splits = [{"split": problem.DatasetSplit.TRAIN, "shards": 1}, {"split": problem.DatasetSplit.EVAL, "shards": 1}]
    is_generate_per_split = True
    vocab_type = text_problems.VocabType.CHARACTER

    def generate_samples(self, data_dir, tmp_dir, dataset_split):
        digits = random.Random(dataset_split)
        for _ in range(64):
            text = "".join(digits.choice("0123456789") for _ in range(6))
            yield {"inputs": text, "targets": text[::-1]}


@registry.register_hparams
def transformer_reversed():
    hparams = transformer.transformer_tiny()
    hparams.num_hidden_layers, hparams.hidden_size, hparams.filter_size, hparams.num_heads = 2, 32, 64, 2
    for name in ("layer_prepostprocess_dropout", "attention_dropout", "relu_dropout", "symbol_dropout"):
        setattr(hparams, name, 0.0)
    hparams.batch_size, hparams.learning_rate_warmup_steps, hparams.min_length_bucket, hparams.max_length = 128, 4, 8, 8
    hparams.shared_embedding_and_softmax_weights, hparams.learning_rate_constant = False, 0.1
    hparams.optimizer, hparams.optimizer_adam_epsilon = "adam", 1e-3  # LazyAdam; small gradients would be mostly noise
    hparams.initializer, hparams.initializer_gain = "uniform_unit_scaling", 0.5
    return hparams


class Losses(tf.train.SessionRunHook):
    def before_run(self, run_context):
        return tf.train.SessionRunArgs(tf.get_collection("losses_seen")[0])

    def after_run(self, run_context, run_values):
        record.loss(run_values.results)


class Fixed(tf.train.SessionRunHook):
    """Sets the variables to numbers that do not depend on random initializers."""

    def begin(self):
        self._places = [(v, tf.placeholder(v.dtype.base_dtype, v.shape)) for v in tf.trainable_variables()]
        self._set = [tf.assign(v, p) for v, p in self._places]

    def after_create_session(self, session, coord):
        feeds = {}
        for v, p in self._places:
            size = v.shape.num_elements()
            feeds[p] = (0.2 * np.sin(np.arange(size) * 0.7 + len(v.op.name)) + (1.0 if "scale" in v.op.name else 0.0)).reshape(v.shape.as_list())
        session.run(self._set, feeds)


def input_fn(features, labels=None):
    return lambda: tf.data.Dataset.from_tensors((features, features["targets"])).repeat()


def main():
    tf.logging.set_verbosity(tf.logging.ERROR)
    folder, data = tempfile.mkdtemp(), tempfile.mkdtemp()
    digits = registry.problem("reversed_digits")
    digits.generate_data(data, folder)
    record.result("files", sorted(len(list(tf.python_io.tf_record_iterator(os.path.join(data, name)))) for name in os.listdir(data)))
    hparams = trainer_lib.create_hparams("transformer_reversed", data_dir=data, problem_name="reversed_digits")
    for name, value in (("warm_start_from", None), ("model_dir", os.path.join(folder, "model")), ("data_dir_of_run", data)):
        hparams.add_hparam(name, value)
    encoder = digits.feature_encoders(data)["inputs"]
    texts = ["%06d" % (i * 76543 % 1000000) for i in range(8)]
    rows = lambda lines: np.array([encoder.encode(line) + [text_encoder.EOS_ID] for line in lines], np.int32)[:, :, None, None]
    features = {"inputs": rows(texts), "targets": rows([t[::-1] for t in texts])}

    config = tf.estimator.RunConfig(model_dir=os.path.join(folder, "model"), tf_random_seed=3, save_checkpoints_steps=20, save_summary_steps=1000)
    config.data_parallelism, config.use_tpu, config.warm_start_from, config.t2t_device_info = None, False, None, {"num_async_replicas": 1}
    from tensor2tensor.utils import t2t_model

    class Seen(transformer.Transformer):
        def estimator_spec_train(self, loss, num_async_replicas=1, use_tpu=False):
            tf.add_to_collection("losses_seen", loss)
            return super(Seen, self).estimator_spec_train(loss, num_async_replicas, use_tpu)

    def model_fn(features, labels, mode, params, config):
        return Seen.estimator_model_fn(hparams, features, labels, mode, config=config, params=params)

    estimator = tf.estimator.Estimator(model_fn, config=config, params={"batch_size": 8})
    estimator.train(input_fn(features), steps=4, hooks=[Fixed(), Losses()])
    found = estimator.evaluate(input_fn(features), steps=2)
    record.result("evaluated", [found[k] for k in sorted(found) if k != "global_step"])

    with tf.Graph().as_default(), tf.Session() as session:
        model = transformer.Transformer(hparams, tf.estimator.ModeKeys.PREDICT, problem_hparams=hparams.problem_hparams)
        with tf.variable_scope("transformer"):
            with tf.variable_scope(tf.get_variable_scope()):
                logits, _ = transformer.Transformer(hparams, tf.estimator.ModeKeys.EVAL, problem_hparams=hparams.problem_hparams)({k: tf.constant(v) for k, v in dict(features, target_space_id=np.int32(0)).items()})
        del model, t2t_model
        names = {name for name, _ in tf.train.list_variables(estimator.model_dir)}
        kept = {v.op.name if v.op.name in names else v.op.name.replace("transformer/transformer", "transformer"): v for v in tf.trainable_variables()}
        tf.train.Saver(kept).restore(session, tf.train.latest_checkpoint(estimator.model_dir))
        record.result("logits", session.run(logits))


main()
record.done("1.14.1")
