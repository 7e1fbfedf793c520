// Files that are no graphs, in weft-studio as a whole: opened, looked at and compared by scripts, as users do.
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include "studio_script.h"

namespace {

const QString kFiles = QStringLiteral(WEFT_SOURCE_DIR "/tests/golden/files/");

QJsonObject tensor(const QJsonObject& inspect, const QString& name) {
  for (const QJsonValue& t : inspect["tensors"].toArray())
    if (t.toObject()["name"].toString() == name) return t.toObject();
  return {};
}

QJsonObject difference(const QJsonObject& inspect, const QString& name) {
  for (const QJsonValue& t : inspect["comparison"].toObject()["differences"].toArray())
    if (t.toObject()["name"].toString() == name) return t.toObject();
  return {};
}

}  // namespace

class FilesTest : public QObject, StudioScript {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(isValid());
    QProcess examples;
    examples.start(WEFT_EXAMPLES, {file("examples")});
    QVERIFY(examples.waitForFinished(60000) && examples.exitCode() == 0);
    for (const char* steps : {"20", "40"}) {
      QProcess weft;
      weft.start(
          WEFT, {"train", file("examples/softmax.weft"), "--steps", steps, "--checkpoint", file(QStringLiteral("ckpt%1").arg(steps)), "--logdir", file("log")});
      QVERIFY(weft.waitForFinished(120000));
      QCOMPARE(weft.exitCode(), 0);
    }
  }

  /// A stranger's checkpoint and .meta beside it, then two checkpoints compared.
  void aStrangersCheckpointAndItsGraph() {
    const QString meta = kFiles + "metagraphs/collections_ref.meta", shot = file("stranger.png");
    const Outcome o =
        run("file.open " + meta + "\nfile.open " + kFiles +
            "metagraphs/collections_ref.index\nlayout.use inspect\ninspect.statistics\nwait idle\nprint inspect\nprint views\n" + "screenshot " + shot + "\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    const QJsonObject inspect = o.object(0);
    QCOMPARE(inspect["kind"].toString(), QStringLiteral("checkpoint"));
    QVERIFY(inspect["tensors"].toArray().size() > 3);
    QCOMPARE(inspect["statistics"].toInt(), inspect["tensors"].toArray().size());
    QVERIFY(inspect["problem"].toString().isEmpty());
    for (const QJsonValue& t : inspect["tensors"].toArray()) QVERIFY2(!t.toObject().contains("error"), qPrintable(t.toObject()["name"].toString()));
    for (const QJsonValue& v : o.lines[1].array())
      if (v.toObject()["dock"].toString() == QLatin1String("files")) QVERIFY(v.toObject()["visible"].toBool());
    QVERIFY(coloursIn(QImage(shot)) > 20);
  }
  void anyOfItsNamesIsTheSameTab_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("prefix") << "metagraphs/collections_ref";
    QTest::newRow("index") << "metagraphs/collections_ref.index";
    QTest::newRow("data") << "metagraphs/collections_ref.data-00000-of-00001";
    QTest::newRow("V1") << "checkpoints/v1_plain";
    QTest::newRow("V1 shard") << "checkpoints/v1_sharded-00001-of-00003";
    QTest::newRow("other bytes first") << "checkpoints/v2_big_endian.index";
    QTest::newRow("object based") << "checkpoints/object_based.index";
  }
  void anyOfItsNamesIsTheSameTab() {
    QFETCH(QString, name);
    const Outcome o = run("file.open " + kFiles + name + "\ninspect.statistics\nwait idle\nprint inspect\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QVERIFY(o.object(0)["tensors"].toArray().size() > 0);
    QCOMPARE(o.object(0)["problem"].toString(), QString());
    QVERIFY(!o.object(0)["file"].toString().endsWith(".index"));
  }
  void twoCheckpointsAreCompared() {
    const QString shot = file("compared.png"), out = file("kernel.npy"), csv = file("kernel.csv");
    const Outcome o = run("file.open " + file("examples/softmax.weft") + "\nfile.open " + file("ckpt20/checkpoint") +
                          "\nlayout.use inspect\nwait idle\nprint inspect\ninspect.compare " + file("ckpt40") + "\nprint inspect\ninspect.select " +
                          variable() + "\nwait idle\nprint inspect\nscreenshot " + shot + "\ninspect.export " + out + "\ninspect.export " + csv + " " +
                          variable() + "\ninspect.compare " + file("ckpt20/model.ckpt-20") + "\nprint inspect\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QVERIFY(!o.object(0).contains("comparison"));
    const QJsonObject compared = o.object(1);
    QVERIFY(compared["comparison"].toObject()["counts"].toObject()["changed"].toInt() >= 2);
    QCOMPARE(difference(compared, "global_step")["max_abs"].toDouble(), 20.0);
    QVERIFY(difference(compared, variable())["relative"].toDouble() > 0);
    QCOMPARE(o.object(2)["selected"].toString(), variable());
    QVERIFY(coloursIn(QImage(shot)) > 30);
    QVERIFY(QFile(out).size() > 80 && QFile(csv).size() > 80);
    // With itself: nothing differs.
    const QJsonObject counts = o.object(3)["comparison"].toObject()["counts"].toObject();
    QCOMPARE(counts["same"].toInt(), o.object(3)["tensors"].toArray().size());
    QVERIFY(o.object(3)["comparison"].toObject()["differences"].toArray().isEmpty());
  }
  /// A checkpoint with other names than the graph's: keys are mapped by hand, and a checkpoint that the graph restores is written.
  void aCheckpointUnderOtherNamesIsMapped() {
    const Outcome names = run("file.open " + file("ckpt20") + "\nfile.open " + file("examples/mlp.weft") + "\nfile.open " + file("ckpt20/checkpoint") +
                              "\nlayout.use inspect\nwait idle\ninspect.against mlp.weft\n" + "inspect.map hidden1/kernel logits/kernel\n");
    QCOMPARE(names.status, 1);
    QVERIFY2(names.errors.contains("float32"), qPrintable(names.errors));  // the shapes differ
    const QString renamed = file("renamed.weft"), out = file("mapped/model");
    const Outcome o = run("file.open " + file("examples/softmax.weft") + "\ngraph.rename logits scores\nwait idle\nfile.save " + renamed + "\nfile.open " +
                          file("ckpt20/checkpoint") + "\nlayout.use inspect\nwait idle\ninspect.against renamed.weft\nwait idle\nscreenshot " +
                          file("map1.png") + "\ninspect.map scores/kernel logits/kernel\nwait idle\nscreenshot " + file("map2.png") +
                          "\ninspect.write-mapped " + out + "\nfile.open " + out + ".index\ninspect.statistics\nwait idle\nprint inspect\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QVERIFY(!tensor(o.object(0), "scores/kernel").isEmpty());
    QVERIFY(!tensor(o.object(0), "scores/bias").isEmpty());  // it differs in the same way
    const Outcome bad = run("file.open " + renamed + "\nfile.open " + file("ckpt20/checkpoint") +
                            "\ninspect.against renamed.weft\ninspect.map scores/kernel logits/kernel\ninspect.map scores/bias none\ninspect.write-mapped " +
                            file("bad/model") + "\n");
    QCOMPARE(bad.status, 1);
    QVERIFY2(bad.errors.contains("scores/bias"), qPrintable(bad.errors));
    QVERIFY(!QFile::exists(file("bad/model.index")));
    const Outcome taken =
        run("file.open " + renamed + "\nfile.open " + file("ckpt20/checkpoint") +
            "\ninspect.against renamed.weft\ninspect.map scores/kernel logits/kernel\ninspect.map scores/kernel none\ninspect.map scores/kernel no_such\n");
    QCOMPARE(taken.status, 1);
    QVERIFY2(taken.errors.contains("no_such"), qPrintable(taken.errors));
  }
  void filtersOfAConvolutionAreShown() {
    const QString shot = file("filters.png");
    const Outcome o =
        run("file.open " + kFiles +
            "keras/functional.h5\ninspect.show-model\ninspect.select model_weights/conv/conv/kernel:0\nwait idle\ninspect.filters on\nscreenshot " + shot +
            " tensor_detail\ninspect.filters off\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QVERIFY(coloursIn(QImage(shot)) > 20);
    QCOMPARE(
        run("file.open " + kFiles + "keras/functional.h5\ninspect.show-model\ninspect.select model_weights/head/head/kernel:0\nwait idle\ninspect.filters on\n")
            .status,
        1);
  }
  void aVariableAndItsNodeAreSelectedTogether() {
    const Outcome o = run("file.open " + file("ckpt20") + "\nfile.open " + file("examples/softmax.weft") + "\ngraph.select " + variable() + "\nfile.open " +
                          file("ckpt20/checkpoint") + "\nprint inspect\ninspect.select " + bias() + "\nprint selection\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.object(0)["selected"].toString(), variable());
    QCOMPARE(o.lines[1].array(), QJsonArray{bias()});
  }
  void otherKindsOpenAsTabs_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<bool>("tensors");
    QTest::newRow("npy") << "arrays/float32.npy"
                         << "npy" << true;
    QTest::newRow("npz") << "arrays/packed.npz"
                         << "npz" << true;
    QTest::newRow("strings") << "arrays/unicode.npy"
                             << "npy" << true;
    QTest::newRow("idx") << "images/t10k-images-idx3-ubyte"
                         << "idx" << true;
    QTest::newRow("cifar") << "images/data_batch_1.bin"
                           << "cifar10" << true;
    QTest::newRow("model") << "savedmodels/functions_v2"
                           << "savedmodel" << false;
    QTest::newRow("records") << "tfrecord/examples.gz"
                             << "tfrecord" << false;
    QTest::newRow("events") << "events/hparams/trial_0/events.out.tfevents.1500000000.hostE0"
                            << "events" << false;
    QTest::newRow("keras") << "keras/superblock_3.h5"
                           << "keras_h5" << true;
    QTest::newRow("tflite") << "tflite/int8.tflite"
                            << "tflite" << false;
    QTest::newRow("run metadata") << "profiles/run_metadata.pb"
                                  << "run_metadata" << false;
    QTest::newRow("projector") << "projector/projector_config.pbtxt"
                               << "projector_config" << false;
    QTest::newRow("tfdbg") << "tfdbg/with_nan"
                           << "tfdbg_dump" << true;
    QTest::newRow("xplane") << "profiles/tf2.xplane.pb"
                            << "xplane" << false;
    QTest::newRow("pprof") << "profiles/go_heap.pb.gz"
                           << "pprof" << false;
  }
  void otherKindsOpenAsTabs() {
    QFETCH(QString, name);
    QFETCH(QString, kind);
    QFETCH(bool, tensors);
    const QString shot = file("kind.png");
    const Outcome o = run("file.open " + kFiles + name + "\nwait idle\nprint inspect\nscreenshot " + shot + "\nfile.close\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.object(0)["kind"].toString(), kind);
    QCOMPARE(o.object(0).contains("tensors"), tensors);
    QVERIFY(coloursIn(QImage(shot)) > 8);
  }
  void aWriterOfTheSameRecordsIsCopied() {
    const QString program = file("writer.py");
    const Outcome o = run("file.open " + kFiles + "tfrecord/examples.gz\nwait idle\ninspect.copy-writer " + program + "\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QFile f(program);
    QVERIFY(f.open(QIODevice::ReadOnly));
    const QByteArray text = f.readAll();
    for (const char* part : {"tf.train.Example(", "GZIP", "writer.write("}) QVERIFY2(text.contains(part), part);
    QCOMPARE(run("file.open " + kFiles + "arrays/float32.npy\nwait idle\ninspect.copy-writer " + program + "\n").status, 1);
  }
  void aModelsGraphAndVariablesOpen() {
    const Outcome o = run("file.open " + kFiles + "savedmodels/multi\ninspect.open-graph 1\nprint document\nfile.open " + kFiles +
                          "savedmodels/functions_v2\ninspect.open-variables\nprint inspect\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QVERIFY(o.object(0)["nodes"].toInt() > 2);
    QCOMPARE(o.object(1)["kind"].toString(), QStringLiteral("checkpoint"));
  }

  void damagedFilesSayOneSentence_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"broken/ckpt_data_cut.index", "broken/ckpt_data_flip.index", "broken/ckpt_index_cut_half.index", "broken/ckpt_index_flip.index",
                             "broken/ckpt_size_huge.index", "broken/v1_cut", "broken/npy_cut.npy", "broken/npz_flip.npz", "broken/record_flip.tfrecord",
                             "broken/record_length_huge.tfrecord", "broken/keras_cut.h5", "broken/tflite_cut.tflite", "broken/saved_model_cut",
                             "broken/state_bad/checkpoint", "broken/events_bad_proto/events.out.tfevents.1500000000.host", "broken/idx_overflow-idx3-ubyte",
                             "broken/lfs_pointer.pb", "broken/noise.pb", "no such file"})
      QTest::newRow(name) << name;
  }
  void damagedFilesSayOneSentence() {
    QFETCH(QString, name);
    const Outcome o = run("file.open \"" + kFiles + name + "\"\ninspect.statistics\nwait idle\nprint inspect\n");
    if (o.status == 0) {
      // Readable tensors are shown; the others say why not.
      const QJsonObject inspect = o.object(0);
      bool said = !inspect["problem"].toString().isEmpty() || !inspect["report"].toObject()["problems"].toArray().isEmpty();
      for (const QJsonValue& t : inspect["tensors"].toArray()) said = said || t.toObject().contains("error");
      QVERIFY2(said, "nothing is said of the damage");
      QVERIFY(!inspect["problem"].toString().contains('\n'));
    } else {
      QCOMPARE(o.status, 1);
      QCOMPARE(o.errors.trimmed().count('\n'), 0);
      QVERIFY2(!o.errors.isEmpty(), "it fails without a word");
    }
  }
  void aMissingShardLeavesNamesAndShapes() {
    QDir().mkpath(file("shards"));
    for (const char* name : {"v2_slices_3_shards.index", "v2_slices_3_shards.data-00000-of-00003", "v2_slices_3_shards.data-00002-of-00003"})
      QVERIFY(QFile::copy(kFiles + "checkpoints/" + name, file(QStringLiteral("shards/") + name)));
    const Outcome o = run("file.open " + file("shards/v2_slices_3_shards") + "\ninspect.statistics\nwait idle\nprint inspect\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QVERIFY2(o.object(0)["problem"].toString().contains("data-00001-of-00003"), qPrintable(o.object(0)["problem"].toString()));
    int whole = 0, lost = 0;
    for (const QJsonValue& t : o.object(0)["tensors"].toArray()) (t.toObject().contains("error") ? lost : whole) += 1;
    QVERIFY(lost > 0);
  }
  void aHugeDataFileIsNotReadWhole() {
    QDir().mkpath(file("huge"));
    const QString data = file("huge/model.data-00000-of-00001");
    QVERIFY(QFile::copy(file("ckpt20/model.ckpt-20.index"), file("huge/model.index")));
    QVERIFY(QFile::copy(file("ckpt20/model.ckpt-20.data-00000-of-00001"), data));
    QFile grown(data);
    QVERIFY(grown.setPermissions(QFile::ReadOwner | QFile::WriteOwner) && grown.resize(qint64(64) << 30));  // a hole: it takes no place
    QElapsedTimer clock;
    clock.start();
    const Outcome o = run("file.open " + file("huge/model.index") + "\ninspect.statistics\nwait idle\nprint inspect\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QVERIFY(o.object(0)["bytes"].toDouble() > 64e9);
    QCOMPARE(o.object(0)["statistics"].toInt(), o.object(0)["tensors"].toArray().size());
    QVERIFY2(clock.elapsed() < 60000, qPrintable(QString::number(clock.elapsed())));
    QVERIFY(QFile::remove(data));
  }
  void aWrongPrefixNamesWhatIsThere() {
    const Outcome o = run("file.open " + file("ckpt20/model.ckpt-21") + "\n");
    QCOMPARE(o.status, 1);
    QVERIFY2(o.errors.contains("model.ckpt-20"), qPrintable(o.errors));
  }
  void comparingWithWhatHasNoTensorsFails() {
    const Outcome o = run("file.open " + file("ckpt20") + "\ninspect.compare " + file("examples/softmax.weft") + "\n");
    QCOMPARE(o.status, 1);
    QVERIFY2(o.errors.contains("contains no variables"), qPrintable(o.errors));
    QCOMPARE(run("inspect.export x.npy\n").status, 1);
    QCOMPARE(run("file.open " + file("ckpt20") + "\ninspect.export " + file("x.txt") + " " + variable() + "\n").status, 1);
    QCOMPARE(run("file.open " + file("ckpt20") + "\ninspect.select nothing\n").status, 1);
  }
  void languageThemeAndScale() {
    for (const QStringList& how : {QStringList{"--lang", "zh_CN"}, QStringList{"--theme", "dark"}}) {
      const QString shot = file("look.png");
      const Outcome o = run("file.open " + file("ckpt20") + "\nlayout.use inspect\nwait idle\nscreenshot " + shot + "\n", how);
      QVERIFY2(o.status == 0, qPrintable(o.errors));
      QVERIFY(coloursIn(QImage(shot)) > 20);
    }
  }

 private:
  static QString variable() { return QStringLiteral("logits/kernel"); }
  static QString bias() { return QStringLiteral("logits/bias"); }
};

QTEST_GUILESS_MAIN(FilesTest)
#include "tst_file_tabs.moc"
