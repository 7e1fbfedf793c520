"""parse_call.py WEFT: the program of `weft inspect FILE --parse-call` reads every record of FILE.

Runs under `weft py` and under TensorFlow 1.15. Writes record files with features of all kinds, executes the program that Weft
prints for each, and compares what it parses with what was written.
"""
import os
import subprocess
import sys
import tempfile

import numpy as np
import tensorflow as tf

TRAIN = tf.train
WEFT = sys.argv[1]


def ints(*values):
    return TRAIN.Feature(int64_list=TRAIN.Int64List(value=values))


def floats(*values):
    return TRAIN.Feature(float_list=TRAIN.FloatList(value=values))


def strings(*values):
    return TRAIN.Feature(bytes_list=TRAIN.BytesList(value=values))


def example(**features):
    return TRAIN.Example(features=TRAIN.Features(feature=features)).SerializeToString()


def sequence(context, lists):
    lists = {name: TRAIN.FeatureList(feature=steps) for name, steps in lists.items()}
    record = TRAIN.SequenceExample(
        context=TRAIN.Features(feature=context), feature_lists=TRAIN.FeatureLists(feature_list=lists)
    )
    return record.SerializeToString()


def write(path, records, compression=""):
    with tf.io.TFRecordWriter(path, options=compression) as writer:
        for record in records:
            writer.write(record)


def parse_call(path, status=0):
    """Standard output of `weft inspect PATH --parse-call`, and its complaint."""
    process = subprocess.Popen(
        [WEFT, "inspect", path, "--parse-call"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True
    )
    program, complaint = process.communicate()
    assert process.returncode == status, (path, process.returncode, complaint)
    return program, complaint


def parsed(path, count):
    """The records of `path` as the printed program parses them."""
    program, _ = parse_call(path)
    with tf.Graph().as_default(), tf.Session() as session:
        names = {}
        exec(compile(program, path + ".py", "exec"), names)
        record = names["dataset"].make_one_shot_iterator().get_next()
        out = [session.run(record) for _ in range(count)]
        try:
            session.run(record)
            raise AssertionError("more than %d records in %s" % (count, path))
        except tf.errors.OutOfRangeError:
            return out


def equal(got, want):
    assert np.array_equal(np.asarray(got), np.asarray(want)), (got, want)


def examples(folder):
    records = [
        example(
            label=ints(3),
            box=floats(1, 2, 3, 4),
            tags=strings(b"a"),
            rare=ints(7),
            rare_pair=floats(5, 6),
            x_indices=ints(5, 2),
            x_values=floats(0.5, 0.25),
            odd=ints(1),
            nothing=TRAIN.Feature(),
            **{"it's \\ \u00e9": ints(9)}
        ),
        example(
            label=ints(4),
            box=floats(5, 6, 7, 8),
            tags=strings(b"b", b"c"),
            x_indices=ints(0),
            x_values=floats(1),
            odd=strings(b"1"),
            rare=TRAIN.Feature(),
            **{"it's \\ \u00e9": ints(8)}
        ),
    ]
    for compression in "", "GZIP", "ZLIB":
        path = os.path.join(folder, "it's.%s" % (compression or "tfrecord"))
        write(path, records, compression)
        first, second = parsed(path, 2)
        assert "odd" not in first and "'odd' is left out" in parse_call(path)[0]
        equal(first["label"], 3)
        equal(first["box"], [1, 2, 3, 4])
        equal(first["rare"], 7)
        equal(second["rare"], 0)
        equal(first["rare_pair"], [5, 6])
        equal(second["rare_pair"], [0, 0])
        equal(second["tags"].values, [b"b", b"c"])
        equal(first["x_values"].indices, [[2], [5]])
        equal(first["x_values"].values, [0.25, 0.5])
        equal(second["x_values"].dense_shape, [6])
        equal(second["it's \\ \u00e9"], 8)
        equal(first["nothing"].values, [])


def sequences(folder):
    records = [
        sequence(
            {"id": ints(1), "rare": strings(b"r"), "both": ints(1), "unstated": ints(4)},
            {
                "frames": [floats(1, 2), floats(3, 4)],
                "words": [ints(1), ints(2, 3)],
                "both": [ints(5)],
                "some": [ints(6), ints(7)],
                "odd": [ints(1), floats(2)],
            },
        ),
        sequence({"id": ints(2), "both": ints(2), "unstated": TRAIN.Feature()}, {"frames": [], "words": [], "both": [ints(6)]}),
    ]
    for compression in "", "GZIP":
        path = os.path.join(folder, "sequences%s" % compression)
        write(path, records, compression)
        (context, lists), (context2, lists2) = parsed(path, 2)
        assert "odd" not in lists and "'odd' is left out" in parse_call(path)[0]
        equal(context["id"], 1)
        equal(context["rare"], b"r")
        equal(context2["rare"], b"")
        equal(context2["unstated"].values, [])
        equal(lists["frames"], [[1, 2], [3, 4]])
        equal(lists2["frames"], np.zeros([0, 2]))
        equal(lists["words"].values, [1, 2, 3])
        equal(lists2["both"], [6])
        equal(lists["some"], [6, 7])
        equal(lists2["some"], [])


def context_without_a_kind(folder):
    """Why the schema gives such a feature of a context no fixed length: the call refuses it, default or not."""
    record = sequence({"a": TRAIN.Feature()}, {})
    features = {"a": tf.FixedLenFeature([], tf.int64, default_value=0)}
    with tf.Graph().as_default(), tf.Session() as session:
        parsed_context, _ = tf.io.parse_single_sequence_example(record, context_features=features)
        try:
            session.run(parsed_context)
            raise AssertionError("a feature without a kind was parsed")
        except tf.errors.InvalidArgumentError as error:
            assert "Context feature: a.  Data types don't match. Expected type: int64" in str(error), error


def one_sided_sequences(folder):
    path = os.path.join(folder, "lists_only")
    write(path, [sequence({}, {"l": [ints(1)]})])
    equal(parsed(path, 1)[0][1]["l"], [1])


def failures(folder):
    path = os.path.join(folder, "whole")
    write(path, [example(a=ints(1)), example(a=ints(2))])
    with open(path, "rb") as file:
        content = file.read()
    with open(path, "wb") as file:
        file.write(content[:-3])
    program, complaint = parse_call(path, status=1)
    assert "'a': tf.FixedLenFeature([], tf.int64)" in program and "truncated" in complaint, (program, complaint)
    write(path, [b"bytes", b"and more"])
    program, complaint = parse_call(path, status=1)
    assert not program and "neither tf.train.Example nor" in complaint, complaint
    write(path, [example(a=ints(1)), example(a=floats(2))])
    program, complaint = parse_call(path, status=1)
    assert not program and "no feature has one type in all records" in complaint, complaint
    np.save(path + ".npy", np.zeros(3))
    program, complaint = parse_call(path + ".npy", status=1)
    assert not program and "--parse-call needs a record file" in complaint, complaint


with tempfile.TemporaryDirectory() as place:
    for check in examples, sequences, context_without_a_kind, one_sided_sequences, failures:
        check(place)
        print(check.__name__, "ok")
