// Pictures and sounds on the pages of files: shown as such, as the records of their kinds say.
#include <QLabel>
#include <QSplitter>
#include <QToolButton>

#include "adapters/array_media.h"
#include "adapters/file_kinds.h"
#include "document/file_tab.h"
#include "image_grid/image_viewer.h"
#include "shell/action_registry.h"
#include "views/files/tensor_detail.h"
#include "views/files/tensor_media.h"
#include "window_fixture.h"

using namespace weft::app;
using weft::widgets::FrameList;

class FileMediaTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  void anAnimationIsShownAsFrames_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("gif") << "moving.gif";
    QTest::newRow("webp") << "moving.webp";
  }
  void anAnimationIsShownAsFrames() {
    QFETCH(QString, name);
    openFile(kFiles + name);
    const FrameList& frames = media()->pictures()->frames();
    const QVector<qint64> shape = file()->tensors()->entries()[0].shape;
    QVERIFY(media()->isVisible());
    QCOMPARE(frames.count, int(shape[0]));
    QCOMPARE(frames.milliseconds.size(), frames.count);
    QCOMPARE(frames.image(0).size(), QSize(int(shape[2]), int(shape[1])));
    media()->pictures()->viewer()->setFocus();
    QTest::keyClick(media()->pictures()->viewer(), Qt::Key_Right);
    QCOMPARE(media()->pictures()->current(), 1);
    // Its numbers are one click away, and it is back as it was.
    QTest::mouseClick(button(), Qt::LeftButton);
    QVERIFY(!media()->isVisible());
    QTest::mouseClick(button(), Qt::LeftButton);
    QVERIFY(media()->isVisible());
  }

  void pixelsAreThoseOfTheFile() {
    openFile(kFiles + "rgb.webp");
    const QImage image = media()->pictures()->frames().image(0);
    const TensorSourcePtr& values = file()->values();
    for (const auto& [x, y] : {std::pair(0, 0), std::pair(image.width() - 1, image.height() - 1)}) {
      const qint64 at = (qint64(y) * image.width() + x) * 3;
      QCOMPARE(image.pixelColor(x, y), QColor(int(values->number(at)), int(values->number(at + 1)), int(values->number(at + 2))));
    }
  }

  void aSoundIsShownAsAWaveform_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"s16.wav", "f64.wav", "rf64.wav"}) QTest::newRow(name) << name;
  }
  void aSoundIsShownAsAWaveform() {
    QFETCH(QString, name);
    openFile(kFiles + name);
    const QVector<qint64> shape = file()->tensors()->entries()[0].shape;
    QTRY_COMPARE(media()->sound()->wave().frames(), shape[0]);
    QCOMPARE(media()->sound()->wave().channels, int(shape[1]));
    QVERIFY(media()->sound()->isVisible() && media()->sound()->wave().sampleRate > 0);
    QVERIFY(media()->sound()->wave().owner);  // the samples are not copied
  }

  /// Grey pictures [n, height, width], and bytes that are no pixels.
  void pixelsInArraysAreRecognised() {
    QByteArray idx("\0\0\x08\x03\0\0\0\x02\0\0\0\x05\0\0\0\x07", 16);
    idx.append(QByteArray(70, '\x40'));
    openFile(write(QStringLiteral("two-idx3-ubyte"), idx));
    QCOMPARE(media()->pictures()->frames().count, 2);
    QCOMPARE(media()->pictures()->frames().image(1).size(), QSize(7, 5));
    QByteArray labels("\0\0\x08\x01\0\0\0\x04", 8);
    labels.append("\1\2\3\4");
    openFile(write(QStringLiteral("four-idx1-ubyte"), labels));
    QVERIFY(!media()->isVisible() && button()->isHidden());
    FileContents any;
    any.kind = QStringLiteral("npy");
    const auto entry = [](const QString& dtype, const QVector<qint64>& shape) {
      TensorEntry e;
      e.dtype = dtype;
      e.shape = shape;
      e.elements = 1;
      for (const qint64 d : shape) e.elements *= d;
      return e;
    };
    QCOMPARE(mediaLookOf(any, entry("uint8", {9, 32, 32, 3})), MediaLook::Pictures);
    QCOMPARE(mediaLookOf(any, entry("uint8", {9, 32, 32})), MediaLook::None);
    QCOMPARE(mediaLookOf(any, entry("float32", {5, 5, 3, 4})), MediaLook::None);
    QCOMPARE(mediaLookOf(any, entry("uint8", {0, 32, 32, 3})), MediaLook::None);
    any.kind = QStringLiteral("graphdef");
    QCOMPARE(mediaLookOf(any, entry("uint8", {9, 32, 32, 3})), MediaLook::None);
    any.kind = QStringLiteral("png");
    QCOMPARE(mediaLookOf(any, entry("uint16", {9, 32, 2})), MediaLook::Pictures);
  }

  /// What the start page says of files to drop, from the records.
  void endingsOfKinds() {
    const QStringList models = endingsOf(FileGroup::OtherModels), arrays = endingsOf(FileGroup::Arrays), media = endingsOf(FileGroup::Media);
    for (const char* ending : {".tflite", ".onnx", ".keras", ".h5"}) QVERIFY2(models.contains(QLatin1String(ending)), ending);
    for (const char* ending : {".npy", ".npz", ".csv", ".mat"}) QVERIFY2(arrays.contains(QLatin1String(ending)), ending);
    for (const char* ending : {".png", ".gif", ".wav"}) QVERIFY2(media.contains(QLatin1String(ending)), ending);
    for (const QString& ending : models + arrays + media)
      QVERIFY2(ending != QLatin1String(".index") && ending != QLatin1String(".pb") && ending != QLatin1String(".bin"), qPrintable(ending));
    QTRY_VERIFY(window_->findChild<QWidget*>(QStringLiteral("start_drop")));
    QStringList texts;
    for (const QLabel* label : window_->findChild<QWidget*>(QStringLiteral("start_drop"))->findChildren<QLabel*>()) texts << label->text();
    QVERIFY2(texts.contains(models.join(u' ')), qPrintable(texts.join(u'|')));
  }

  /// Of two pictures compared, both are shown as pictures, and their difference as numbers.
  void comparedPictures() {
    openFile(kFiles + "moving.gif");
    QVERIFY(run("inspect.compare", {kFiles + "moving.gif"}));
    settle();
    auto* detail = window_->findChild<TensorDetail*>();
    detail->show(TensorDetail::Which::There);
    QVERIFY(media()->isVisible());
    detail->show(TensorDetail::Which::Difference);
    QVERIFY(!media()->isVisible());
    detail->show(TensorDetail::Which::Here);
    QVERIFY(media()->isVisible());
  }

 private:
  const QString kFiles = QStringLiteral(WEFT_GOLDEN_FILES "/data_files/");

  FileTab* file() { return window_->workspace().currentFile(); }
  /// Those of the page in front.
  TensorMedia* media() { return front<TensorMedia>(QStringLiteral("tensor_media")); }
  QToolButton* button() { return front<QToolButton>(QStringLiteral("show_media")); }
  template <class W>
  W* front(const QString& name) {
    for (QWidget* detail : window_->findChildren<QWidget*>(QStringLiteral("tensor_detail")))
      if (detail->isVisible()) return detail->findChild<W*>(name);
    return nullptr;
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().tasks().isEmpty() && window_->isSettled(), 30000); }
  void openFile(const QString& path) {
    window_->workspace().open(path);
    settle();
    QTRY_VERIFY_WITH_TIMEOUT(file() && file()->path() == path && media() && file()->values(), 30000);
  }
};

QTEST_MAIN(FileMediaTest)
#include "tst_file_media.moc"
