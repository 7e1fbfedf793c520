// Pages of files with data: the parse program of record files, embeddings of the projector.
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>

#include "window_fixture.h"

using namespace weft::app;

namespace {

/// The serialised form of one field, `number` below 16.
QByteArray field(int number, const QByteArray& bytes) {
  QByteArray length;
  for (size_t n = size_t(bytes.size());; n >>= 7) {
    length += char((n & 127) | (n > 127 ? 128 : 0));
    if (n < 128) break;
  }
  return char(number << 3 | 2) + length + bytes;
}

quint32 maskedChecksum(const QByteArray& bytes) {
  quint32 crc = ~0u;
  for (const char c : bytes) {
    crc ^= uchar(c);
    for (int i = 0; i < 8; ++i) crc = (crc >> 1) ^ (crc & 1 ? 0x82f63b78u : 0);
  }
  crc = ~crc;
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

QByteArray littleEndian(quint64 value, int bytes) {
  QByteArray out;
  for (int i = 0; i < bytes; ++i) out += char(value >> (8 * i));
  return out;
}

QByteArray framed(const QByteArray& record) {
  const QByteArray length = littleEndian(quint64(record.size()), 8);
  return length + littleEndian(maskedChecksum(length), 4) + record + littleEndian(maskedChecksum(record), 4);
}

}  // namespace

class DataPagesTest : public WindowFixture {
  Q_OBJECT

  /// The visible widget of that name on the page of the file in front.
  template <typename T>
  T* shown(const char* name) {
    for (T* w : window_->findChildren<T*>(QLatin1String(name)))
      if (w->isVisible()) return w;
    return nullptr;
  }
  void openFile(const QString& path) {
    window_->workspace().open(path);
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().files().size(), 1, 60000);
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().isBusy() && window_->workspace().tasks().isEmpty(), 60000);
  }

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  void theParseProgramIsCopied() {
    openFile(QStringLiteral(WEFT_SOURCE_DIR "/tests/golden/files/tfrecord/examples.gz"));
    QTRY_VERIFY(shown<QPlainTextEdit>("parse_program"));
    const QString program = shown<QPlainTextEdit>("parse_program")->toPlainText();
    QVERIFY2(program.contains("'encoder/label': tf.FixedLenFeature([], tf.int64),"), qPrintable(program));
    QVERIFY2(program.contains("/examples.gz', compression_type='GZIP').map(parse)"), qPrintable(program));
    QApplication::clipboard()->clear();
    QTest::mouseClick(shown<QPushButton>("copy_parse_program"), Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text(), program);
  }
  void manyFeaturesAreListedInPart() {
    QByteArray features;
    for (int i = 0; i < 100000; ++i) features += field(1, field(1, "f" + QByteArray::number(i)) + field(2, field(3, field(1, QByteArray(1, char(i % 100))))));
    const QByteArray record = framed(field(1, features));
    openFile(write("many.tfrecord", record + record));
    QTRY_VERIFY_WITH_TIMEOUT(shown<QTableWidget>("parse_specs"), 20000);
    QCOMPARE(shown<QTableWidget>("parse_specs")->rowCount(), 1000);
    QVERIFY(shown<QPlainTextEdit>("parse_program")->blockCount() > 100000);
    QTRY_COMPARE_WITH_TIMEOUT(shown<QTableWidget>("record_features")->rowCount(), 1000, 20000);
  }
  void embeddingsAreShownWithLabelsAndPictures() {
    openFile(QStringLiteral(WEFT_SOURCE_DIR "/tests/golden/files/projector/projector_config.pbtxt"));
    QTRY_VERIFY(shown<QTableWidget>("projector_tensors"));
    auto* tensors = shown<QTableWidget>("projector_tensors");
    QCOMPARE(tensors->rowCount(), 3);
    QCOMPARE(tensors->item(0, 1)->text(), QStringLiteral("15×4"));
    auto* labels = shown<QTableView>("projector_labels");
    QCOMPARE(labels->model()->rowCount(), 15);
    QCOMPARE(labels->model()->index(1, 1).data().toString(), QStringLiteral("decoder"));
    const auto picture = labels->model()->index(14, 0).data(Qt::DecorationRole).value<QPixmap>();
    QCOMPARE(picture.size(), QSize(24, 24));  // of 8×8: tiny ones are enlarged
    tensors->selectRow(1);
    QCOMPARE(labels->model()->columnCount(), 2);
    QVERIFY(labels->model()->index(0, 0).data(Qt::DecorationRole).isNull());
    tensors->selectRow(2);
    QCOMPARE(labels->model()->rowCount(), 0);
    QVERIFY(shown<QToolButton>("file_action_file.open"));
  }
  void problemsOfEmbeddingsAreShown() {
    openFile(write("projector_config.pbtxt", "embeddings { tensor_name: \"a\" metadata_path: \"none.tsv\" }\n"));
    QTRY_VERIFY(shown<QTableWidget>("projector_tensors"));
    QVERIFY(shown<QTableWidget>("projector_tensors")->item(0, 5)->text().contains("none.tsv are not there"));
    QVERIFY(shown<QLabel>("projector_problems")->text().contains("no checkpoint"));
  }
};

QTEST_MAIN(DataPagesTest)
#include "tst_data_pages.moc"
