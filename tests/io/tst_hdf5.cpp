#include <QTest>
#include <cmath>
#include <random>

#include "weft/hdf5.h"

using namespace weft;

namespace {

std::string kerasFile(const char* name) { return std::string(WEFT_SOURCE_DIR "/tests/golden/files/keras/") + name; }

std::unique_ptr<Hdf5Reader> open(const char* name) {
  auto reader = Hdf5Reader::open(kerasFile(name));
  if (!reader.ok()) qFatal("%s", reader.error().toString().c_str());
  return std::move(*reader);
}

Result<Tensor> valuesOf(const Hdf5Reader& reader, const std::string& name) {
  for (size_t i = 0; i < reader.datasets().size(); ++i) {
    if (reader.datasets()[i].name == name) return reader.read(i);
  }
  return notFound("no dataset ", name);
}

}  // namespace

/// Values of HDF5 files; expectations were read by h5py.
class TstHdf5 : public QObject {
  Q_OBJECT

 private slots:
  void valuesAreThoseOfH5py_data() {
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<double>("sum");
    QTest::addColumn<QList<double>>("first");
    QTest::newRow("chunks, gzip") << QByteArray("compressed_chunks.h5") << QByteArray("layer/layer/kernel:0") << -0.08908319473266602
                                  << QList<double>{0.05774385, -0.03147884};
    QTest::newRow("half") << QByteArray("compressed_chunks.h5") << QByteArray("layer/layer/bias:0") << -0.73193359375 << QList<double>{0.7803, -2.7};
    QTest::newRow("contiguous") << QByteArray("functional.h5") << QByteArray("model_weights/head/head/kernel:0") << -1.9735383987426758
                                << QList<double>{-0.64742833, 0.01027155};
    QTest::newRow("four dimensions") << QByteArray("functional.h5") << QByteArray("model_weights/conv/conv/kernel:0") << -0.7827096581459045
                                     << QList<double>{0.0017845, -0.07631719};
    QTest::newRow("never written") << QByteArray("superblock_3.h5") << QByteArray("model_weights/layer_10/layer_10/kernel:0") << 0.0 << QList<double>{0, 0};
    QTest::newRow("weights alone") << QByteArray("weights_only.h5") << QByteArray("embed/embed/kernel:0") << 1.3207186460494995
                                   << QList<double>{0.15902802, -0.14950015};
  }
  void valuesAreThoseOfH5py() {
    QFETCH(QByteArray, file);
    QFETCH(QByteArray, name);
    QFETCH(double, sum);
    QFETCH(QList<double>, first);
    const auto reader = open(file);
    const auto tensor = valuesOf(*reader, name.toStdString());
    QVERIFY2(tensor.ok(), tensor.ok() ? "" : tensor.error().toString().c_str());
    double total = 0;
    for (int64_t i = 0; i < tensor->elements(); ++i) total += tensor->asDouble(i);
    QVERIFY2(std::abs(total - sum) < 1e-5, qPrintable(QString::number(total, 'g', 12)));
    for (int i = 0; i < first.size(); ++i) QVERIFY2(std::abs(tensor->asDouble(i) - first[i]) < 1e-3, qPrintable(QString::number(tensor->asDouble(i))));
  }
  void everyDatasetOfEveryFileIsRead() {
    for (const char* file : {"compressed_chunks.h5", "functional.h5", "sequential.h5", "superblock_2.h5", "superblock_3.h5", "weights_only.h5"}) {
      const auto reader = open(file);
      QVERIFY(!reader->datasets().empty());
      for (size_t i = 0; i < reader->datasets().size(); ++i) {
        const auto tensor = reader->read(i);
        QVERIFY2(tensor.ok(), tensor.ok() ? "" : (std::string(file) + " " + reader->datasets()[i].name + ": " + tensor.error().toString()).c_str());
        QCOMPARE(tensor->shape().toString(), reader->datasets()[i].shape.toString());
      }
    }
  }
  void damagedFilesGiveErrorsOnly() {
    QVERIFY(!Hdf5Reader::open(WEFT_SOURCE_DIR "/tests/golden/files/broken/keras_cut.h5").ok());
    QVERIFY(!Hdf5Reader::open(kerasFile("no such file")).ok());
    std::mt19937 random(5);
    for (const char* file : {"compressed_chunks.h5", "weights_only.h5", "superblock_3.h5"}) {
      const std::string whole = *posixFileSystem().readAll(kerasFile(file));
      for (int round = 0; round < 300; ++round) {
        std::string bytes = whole;
        for (int i = 0; i < 4; ++i) bytes[random() % bytes.size()] = char(random());
        if (round % 3 == 0) bytes.resize(random() % bytes.size());
        const auto reader = Hdf5Reader::fromBytes(std::make_shared<const std::string>(std::move(bytes)));
        for (size_t i = 0; reader.ok() && i < (*reader)->datasets().size(); ++i) (void)(*reader)->read(i).ok();
      }
    }
  }
};

QTEST_GUILESS_MAIN(TstHdf5)
#include "tst_hdf5.moc"
