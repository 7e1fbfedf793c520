"""bert-tensorflow 1.0.4: a small BERT classifies sentences: its tokenizer, features, model, optimizer and TPUEstimator; restored by a second estimator and by init_checkpoint."""

import os
import tempfile

import tensorflow as tf
from bert import modeling, run_classifier, tokenization

import record

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "good", "bad", "film", "a", "very", "##ly", "sad", "the", "end", "play", "##ed", ".", "un", "##happy"]
SENTENCES = [("A good film.", "1"), ("The end played sadly.", "0"), ("Very very good!", "1"), ("unhappy film", "0"), ("a bad, bad play", "0"), ("the good end", "1"), ("A very good play.", "1"), ("sad", "0")]
CONFIG = modeling.BertConfig(vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24, max_position_embeddings=16, hidden_dropout_prob=0.,
                             attention_probs_dropout_prob=0.)
LENGTH, BATCH, STEPS = 10, 4, 8


class Losses(tf.train.SessionRunHook):
    def before_run(self, run_context):
        return tf.train.SessionRunArgs(run_context.session.graph.get_tensor_by_name("loss/Mean:0"))

    def after_run(self, run_context, run_values):
        record.loss(run_values.results)


def estimator(folder, init=None):
    model_fn = run_classifier.model_fn_builder(CONFIG, 2, init, 3e-4, 1000, 0, use_tpu=False, use_one_hot_embeddings=False)
    run_config = tf.contrib.tpu.RunConfig(model_dir=folder, tf_random_seed=13, save_checkpoints_steps=100, tpu_config=tf.contrib.tpu.TPUConfig(iterations_per_loop=10))
    return tf.contrib.tpu.TPUEstimator(use_tpu=False, model_fn=model_fn, config=run_config, train_batch_size=BATCH, eval_batch_size=BATCH, predict_batch_size=BATCH)


def main(_):
    tf.enable_resource_variables()  # the optimizer assigns to variables while gradients may still read them
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "vocab.txt")
    with open(path, "w") as f:
        f.write("\n".join(WORDS) + "\n")
    tokenizer = tokenization.FullTokenizer(path, do_lower_case=True)
    examples = [run_classifier.InputExample(str(i), text, None, label) for i, (text, label) in enumerate(SENTENCES)]
    features = run_classifier.convert_examples_to_features(examples, ["0", "1"], LENGTH, tokenizer)
    record.result("tokens", [f.input_ids for f in features])
    records = os.path.join(folder, "train.tf_record")
    run_classifier.file_based_convert_examples_to_features(examples, ["0", "1"], LENGTH, tokenizer, records)

    plain = run_classifier.input_fn_builder(features, LENGTH, is_training=False, drop_remainder=False)

    def training(params):
        return plain(params).repeat()

    trained = estimator(os.path.join(folder, "model"))
    trained.train(training, max_steps=STEPS, hooks=[Losses()])
    found = trained.evaluate(run_classifier.file_based_input_fn_builder(records, LENGTH, False, False), steps=2)
    record.result("evaluated", [found["eval_accuracy"], found["eval_loss"]])
    before = [p["probabilities"] for p in trained.predict(plain)]
    record.same("predicted again", before, [p["probabilities"] for p in estimator(os.path.join(folder, "model")).predict(plain)])
    checkpoint = tf.train.latest_checkpoint(os.path.join(folder, "model"))
    tuned = estimator(os.path.join(folder, "tuned"), checkpoint)
    tuned.train(training, max_steps=4, hooks=[Losses()])
    record.result("tuned", [p["probabilities"] for p in tuned.predict(plain)])

    tf.reset_default_graph()
    with tf.Session() as s:
        model = modeling.BertModel(CONFIG, False, tf.constant([f.input_ids for f in features]), tf.constant([f.input_mask for f in features]))
        variables = [v for v in tf.trainable_variables() if not v.name.startswith("output")]
        assignment, _ = modeling.get_assignment_map_from_checkpoint(variables, checkpoint)
        tf.train.init_from_checkpoint(checkpoint, assignment)
        s.run(tf.global_variables_initializer())
        record.result("pooled", s.run(model.get_pooled_output()))
        record.result("sequence", s.run(model.get_sequence_output())[0])
    record.done("1.0.4")


tf.app.run(main)
