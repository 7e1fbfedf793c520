with open("a.csv", "w") as f:
    f.write("x,y,name,big\n1,1.5,a,5000000000\n2,2.5,b,1\n3,,c,2\n4,4.5,d,3\n")
with open("b.csv", "w") as f:
    f.write("x,y,name,big\n5,1.5,e,5\n6,2.5,f,1\n")
E_ = tf.data.experimental
d = E_.make_csv_dataset("*.csv", 2, label_name="y", shuffle=False, num_epochs=1)
e = E_.make_csv_dataset(["a.csv", "b.csv"], 3, select_columns=["name", "x"], shuffle=True, shuffle_seed=3)
h = E_.make_csv_dataset("b.csv", 2, column_defaults=[tf.int64, tf.float64, tf.string, tf.int64], shuffle=False, num_parallel_reads=E_.AUTOTUNE)
show([tf.data.get_output_types(x) for x in (d, e, h)], [str(tf.data.get_output_shapes(x)) for x in (d, h)])
with tf.python_io.TFRecordWriter("r.tfrecord") as w:
    for i in range(5):
        w.write(tf.train.Example(features=tf.train.Features(feature={"v": tf.train.Feature(int64_list=tf.train.Int64List(value=[i])),
                                                                     "l": tf.train.Feature(int64_list=tf.train.Int64List(value=[i % 2]))})).SerializeToString())
features = {"v": tf.FixedLenFeature([], tf.int64), "l": tf.FixedLenFeature([], tf.int64)}
b = E_.make_batched_features_dataset("*.tfrecord", 2, features, label_key="l", shuffle=False, num_epochs=1)
its = [tf.data.make_one_shot_iterator(x).get_next() for x in (d, h, b)]
show(raises(lambda: E_.make_csv_dataset("none*", 2)), raises(lambda: E_.make_csv_dataset("a.csv", 2, header=False)), raises(lambda: E_.make_csv_dataset("a.csv", 2, label_name="q")),
     raises(lambda: E_.make_csv_dataset("a.csv", 2, select_columns=["q"])), raises(lambda: E_.make_csv_dataset("a.csv", 2, select_columns=[0, 0])), raises(lambda: E_.make_batched_features_dataset("r*", 2, features, label_key="q")))
with tf.Session() as s:
    for n, it in zip((3, 2, 3), its):
        for _ in range(n):
            show(str(sorted([(k, v.tolist()) for k, v in s.run(it)[0].items()] if isinstance(it, tuple) else [(k, v.tolist()) for k, v in s.run(it).items()])))
