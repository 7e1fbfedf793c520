"""Keras' recurrent layers, node by node: gates, biases, both implementations, masks, sequences of known and unknown length."""
k = tf.keras.layers
kinds = [("rnn", k.SimpleRNN, [{}]),
         ("gru", k.GRU, [{}, {"implementation": 2}, {"reset_after": True}, {"reset_after": True, "implementation": 2}, {"use_bias": False}]),
         ("lstm", k.LSTM, [{}, {"implementation": 2}, {"use_bias": False}, {"unit_forget_bias": False}])]
tf.set_random_seed(7)
for word, kind, settings in kinds:
    for number, setting in enumerate(settings):
        for length in (4, None):
            with tf.name_scope("%s%d_%s" % (word, number, length)):
                layer = kind(3, name="layer", **setting)
                show(layer(tf.placeholder(tf.float32, [2, length, 5]), training=True).name)
    for number, setting in enumerate([{"return_sequences": True}, {"go_backwards": True}, {"return_state": True}, {"unroll": True}, {"stateful": True}]):
        with tf.name_scope("%s_more%d" % (word, number)):
            made = kind(3, name="layer", **setting)(tf.placeholder(tf.float32, [2, 4, 5]))
            show([x.name for x in made] if isinstance(made, list) else made.name)
    with tf.name_scope("%s_masked" % word):
        show(kind(3, name="layer")(k.Masking(name="mask")(tf.placeholder(tf.float32, [2, 4, 5]))).name)
    with tf.name_scope("%s_by_hand" % word):
        x = tf.placeholder(tf.float32, [2, 4, 5])
        show(kind(3, name="layer")(x, mask=tf.placeholder(tf.bool, [2, 4])).name)
