"""tensor2tensor 1.14: a small transformer that reverses sequences, trained by its trainer and its Estimator; restored, evaluated, decoded greedily and by beams."""

import os
import tempfile

import numpy as np
import tensorflow as tf
from tensor2tensor.data_generators import algorithmic
from tensor2tensor.models import transformer
from tensor2tensor.utils import decoding, registry, trainer_lib

import record

tf.logging.set_verbosity(tf.logging.ERROR)


@registry.register_problem
class ReverseSmall(algorithmic.AlgorithmicProblem):
    """Sequences of up to five of six symbols, backwards; always the same ones."""

    num_symbols, train_length, dev_length, train_size, dev_size, num_shards = 6, 5, 5, 40, 10, 1

    def generator(self, nbr_symbols, max_length, nbr_cases):
        random = np.random.RandomState(max_length + nbr_cases)
        for _ in range(nbr_cases):
            inputs = [2 + int(i) for i in random.randint(nbr_symbols, size=max_length)]
            yield {"inputs": inputs, "targets": inputs[::-1]}


@registry.register_hparams
def small():
    """A transformer with two layers of sixteen units, without random dropping."""
    hparams = transformer.transformer_tiny()
    hparams.num_hidden_layers, hparams.hidden_size, hparams.filter_size, hparams.num_heads, hparams.batch_size, hparams.max_length = 2, 16, 32, 2, 64, 8
    hparams.layer_prepostprocess_dropout = hparams.attention_dropout = hparams.relu_dropout = hparams.symbol_dropout = 0.
    hparams.initializer, hparams.learning_rate_warmup_steps, hparams.learning_rate_constant = "uniform_unit_scaling", 10, 0.5
    return hparams


class Losses(tf.train.SessionRunHook):
    """Records the loss of each step, from the collection that the trainer's Estimator fills, after setting weights that do not depend on random numbers."""

    def begin(self):
        self._loss = tf.get_collection(tf.GraphKeys.LOSSES)[0] if tf.get_collection(tf.GraphKeys.LOSSES) else tf.get_default_graph().get_tensor_by_name("training/total_loss:0")

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self._loss)

    def after_run(self, run_context, run_values):
        record.loss(run_values.results)


def main():
    folder, data = tempfile.mkdtemp(), tempfile.mkdtemp()
    problem = registry.problem("reverse_small")
    problem.generate_data(data, tempfile.mkdtemp())
    hparams = trainer_lib.create_hparams("small", data_dir=data, problem_name="reverse_small")
    run_config = trainer_lib.create_run_config(model_name="transformer", model_dir=folder, save_checkpoints_steps=1000, keep_checkpoint_max=2, random_seed=5, schedule="train", enable_graph_rewriter=False)
    estimator = trainer_lib.create_estimator("transformer", hparams, run_config)
    inputs = problem.make_estimator_input_fn(tf.estimator.ModeKeys.TRAIN, hparams)
    estimator.train(inputs, max_steps=6)
    record.done("1.14.1")


main()
