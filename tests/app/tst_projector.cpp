// The projector through weft-studio --script: files, trainings, methods, selection, and what it refuses; and by mouse in a window.
#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include "studio_script.h"

namespace {

constexpr int kRows = 90;

}  // namespace

class ProjectorTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    // Three clusters in six columns, with labels and a picture for each row.
    QByteArray values, labels = "kind\tsize\n";
    for (int i = 0; i < kRows; ++i) {
      for (int c = 0; c < 6; ++c) values += QByteArray::number(10 * (c % 3 == i % 3) + ((i * 7 + c * 13) % 10) / 10.0) + (c < 5 ? "\t" : "\n");
      labels += QByteArray("abc").mid(i % 3, 1) + '\t' + QByteArray::number(i) + '\n';
    }
    write("values.tsv", values);
    write("labels.tsv", labels);
    QImage sprite(40, 40, QImage::Format_RGB32);
    sprite.fill(Qt::darkGreen);
    QVERIFY(sprite.save(path("sprite.png")));
    write(
        "projector_config.pbtxt",
        "embeddings { tensor_name: 'kinds' tensor_path: 'values.tsv' metadata_path: 'labels.tsv' sprite { image_path: 'sprite.png' single_image_dim: 4 single_image_dim: 4 } }");
    write("bad.tsv", "1\t2\n3\tnan\n5\t6\n");
  }

  void anEmbeddingIsProjectedSelectedAndExported() {
    const Outcome o = run(R"(file.open DIR/projector_config.pbtxt
wait idle
projector.open
print view projector
projector.method tsne
projector.set perplexity 10
projector.run
print view projector
projector.method umap 3
projector.set neighbors 8
projector.run
print view projector
projector.search b
print view projector
projector.color size
print view projector
projector.select 4
print view projector
projector.select 1,2,88
projector.export DIR/points.csv
print view projector
)");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.object(0)["method"].toString(), QStringLiteral("pca"));
    QCOMPARE(o.object(0)["rows"].toInt(), kRows);
    QCOMPARE(o.object(0)["columns"].toInt(), 6);
    QCOMPARE(o.object(0)["pictures"].toBool(), true);
    QVERIFY(o.object(0)["variance"].toArray().at(0).toDouble() > 0.4);
    QCOMPARE(o.object(1)["method"].toString(), QStringLiteral("tsne"));
    QVERIFY(o.object(1)["divergence"].toDouble() > 0);
    QCOMPARE(o.object(2)["dimensions"].toInt(), 3);
    QCOMPARE(o.object(2)["positions"].toInt(), 3 * kRows);
    QCOMPARE(o.object(3)["selected"].toInt(), kRows / 3);
    QCOMPARE(o.object(3)["selection"].toArray().at(0).toInt(), 1);
    QCOMPARE(o.object(4)["color"].toInt(), 1);
    QCOMPARE(o.object(5)["current"].toInt(), 4);
    QCOMPARE(o.object(6)["selected"].toInt(), 3);
    QFile file(path("points.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().split('\n');
    QCOMPARE(lines[0], QByteArray("row,x,y,z,\"kind\",\"size\""));
    QCOMPARE(lines.size(), kRows + 2);
    QVERIFY(lines[5].startsWith("4,") && lines[5].endsWith(",\"b\",\"4\""));
  }

  void aTrainingIsProjectedAndItsCellsAreSelected() {
    const Outcome o = run(R"(file.new mlp
wait idle
run.train --steps 200 --set seed=1
wait idle
projector.open-trained hidden1/Relu
print view projector
projector.select-cell 4 4
print view projector
run.show-cell 7 7
wait idle
print view projector
projector.open-trained hidden1/kernel
print view projector
)");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.object(0)["labels"].toArray(), (QJsonArray{"Actual", "Predicted", "Correct"}));
    QCOMPARE(o.object(0)["step"].toInt(), 200);
    QVERIFY(o.object(0)["pictures"].toBool());
    QVERIFY(o.object(1)["selected"].toInt() > 10);
    QVERIFY(o.object(2)["selected"].toInt() > 10);
    QVERIFY(o.object(2)["selection"] != o.object(1)["selection"]);  // the cell of the confusion matrix selects its samples
    QCOMPARE(o.object(3)["rows"].toInt(), 64);
    QCOMPARE(o.object(3)["selected"].toInt(), 0);
  }

  void itFollowsATraining() {
    const Outcome o = run(R"(file.new mlp
wait idle
run.train --steps 1000000 --set seed=1
wait 2
projector.open-trained hidden1/Relu
projector.follow on
wait 3
print view projector
run.stop
wait idle
print view projector
)");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QVERIFY(o.object(1)["step"].toInt() > 0);
    QVERIFY(o.object(1)["positions"].toInt() > 0);
  }

  void whatCannotBeShownIsRefused_data() {
    QTest::addColumn<QString>("commands");
    QTest::addColumn<QString>("message");
    const QString open = QStringLiteral("projector.open DIR/projector_config.pbtxt\n");
    QTest::newRow("no training") << "projector.open-trained x"
                                 << "Nothing has been trained yet.";
    QTest::newRow("no file in front") << "projector.open"
                                      << "The current tab has no matrix that could be shown as points.";
    QTest::newRow("no such file") << "projector.open DIR/none.npy"
                                  << "none.npy";
    QTest::newRow("no such embedding") << "projector.open DIR/projector_config.pbtxt other"
                                       << "has no embedding other.";
    QTest::newRow("NaN") << "projector.open DIR/bad.tsv"
                         << "Row 1 holds NaN in column 1; all numbers must be finite.";
    QTest::newRow("method") << "projector.method lda"
                            << "There is no method lda; there are pca, tsne and umap.";
    QTest::newRow("dimensions") << "projector.method pca 4"
                                << "4 dimensions cannot be shown; 2 or 3 can.";
    QTest::newRow("option") << "projector.set perplexity 0"
                            << "perplexity is 0; a number from 1 to 1000 is expected.";
    QTest::newRow("no points") << "projector.select 1"
                               << "No points are shown.";
    QTest::newRow("row") << open + "projector.select 90"
                         << "90 is no row; rows go from 0 to 89.";
    QTest::newRow("column") << open + "projector.color weight"
                            << "There is no column weight; there are kind, size.";
    QTest::newRow("label") << open + "projector.search zebra"
                           << "No point has the label zebra.";
    QTest::newRow("samples") << open + "projector.select-cell 1 2"
                             << "The points are no test samples of a classifier.";
    QTest::newRow("file to write") << open + "projector.export DIR/none/points.csv"
                                   << "cannot be written";
  }
  void whatCannotBeShownIsRefused() {
    QFETCH(QString, commands);
    QFETCH(QString, message);
    const Outcome o = run(commands.toUtf8() + '\n');
    QVERIFY(o.status != 0);
    QVERIFY2(o.errors.contains(message), qPrintable(o.errors));
  }

 private:
  QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }
  void write(const char* name, const QByteArray& bytes) {
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
  }
  Outcome run(QByteArray script) { return runStudio(folder_.filePath(QStringLiteral("home")), script.replace("DIR", folder_.path().toUtf8())); }

  QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(ProjectorTest)
#include "tst_projector.moc"
