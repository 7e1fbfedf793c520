#include <QBuffer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QToolButton>
#include <QWheelEvent>
#include <QtEndian>
#include <cmath>
#include <limits>

#include "common/card_export.h"
#include "common/card_grid.h"
#include "common/folding_bar.h"
#include "common/step_slider.h"
#include "common/theme.h"
#include "image_grid/frame_viewer.h"
#include "image_grid/image_card.h"
#include "image_grid/image_grid.h"
#include "media/media_list.h"
#include "media/text_page.h"
#include "media/waveform.h"
#include "plot/mean_and_spread.h"
#include "plot/run_list.h"
#include "plot/scalar_grid.h"
#include "plot/scalar_plot.h"
#include "plot/scalar_table.h"

using namespace weft::widgets;

namespace {

QByteArray png(const QImage& image) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return bytes;
}

QImage grey(int size, int value) {
  QImage image(size, size, QImage::Format_Grayscale8);
  image.fill(QColor(value, value, value));
  return image;
}

std::shared_ptr<PictureSeries> pictures(int steps, int size = 8) {
  auto s = std::make_shared<PictureSeries>();
  for (int i = 0; i < steps; ++i) s->append({i * 10.0, 100.0 + i, png(grey(size, 20 * i)), size, size, 1});
  return s;
}

template <typename T>
void put(QByteArray& bytes, T value) {
  char raw[sizeof(T)];
  qToLittleEndian(value, raw);
  bytes.append(raw, sizeof raw);
}

QByteArray wave(int channels, int bits, const std::vector<qint32>& samples) {
  QByteArray data;
  for (const qint32 v : samples) {
    if (bits == 8) data.append(char(v));
    if (bits == 16) put<qint16>(data, qint16(v));
    if (bits == 24) data.append(char(v)).append(char(v >> 8)).append(char(v >> 16));
    if (bits == 32) put<qint32>(data, v);
  }
  QByteArray out("RIFF");
  put<quint32>(out, quint32(36 + data.size()));
  out += "WAVEfmt ";
  put<quint32>(out, 16);
  put<quint16>(out, 1);
  put<quint16>(out, quint16(channels));
  put<quint32>(out, 8000);
  put<quint32>(out, quint32(8000 * channels * bits / 8));
  put<quint16>(out, quint16(channels * bits / 8));
  put<quint16>(out, quint16(bits));
  out += "data";
  put<quint32>(out, quint32(data.size()));
  return out + data;
}

SeriesStore store(std::initializer_list<std::pair<double, double>> points) {
  SeriesStore s;
  for (const auto& [step, value] : points) s.append({step, step, value});
  return s;
}

}  // namespace

/// The panels beside the curves: pictures, texts, sounds; and the additions of scalar panels to their curves.
class TestPanels : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { Theme::apply(*qApp, Theme::Kind::Light); }

  /// In a low panel cards are as high as it is: a whole chart, not the upper third of one.
  void aLowPanelHasWholeCards() {
    ScalarGrid grid;
    const int run = grid.addRun(QStringLiteral("run 1"));
    for (const char* tag : {"accuracy", "loss", "rate", "other/group"}) grid.append(run, QLatin1String(tag), Sample{1, 0, 1});
    grid.resize(1100, 190);
    grid.show();
    QVERIFY(QTest::qWaitForWindowExposed(&grid));
    grid.refreshNow();
    const auto seen = [&grid](const char* tag) {
      QWidget* card = grid.plot(QLatin1String(tag));
      return grid.rect().contains(QRect(card->mapTo(&grid, QPoint()), card->size())) && card->height() >= 112;
    };
    // As many abreast as fit.
    for (const char* tag : {"accuracy", "loss", "rate"}) QVERIFY2(seen(tag), tag);
    grid.resize(1100, 700);
    grid.refreshNow();
    QVERIFY(grid.plot(QStringLiteral("loss"))->height() > 240);
  }

  // ---- the bar

  void aNarrowPanelFoldsItsBar() {
    ScalarGrid grid;
    grid.resize(2000, 600);
    grid.setSeries(grid.addRun(QStringLiteral("run 1")), QStringLiteral("loss"), std::make_shared<SeriesStore>(store({{0, 1}, {1, 2}})));
    grid.show();
    QVERIFY(QTest::qWaitForWindowExposed(&grid));
    auto* bar = grid.findChild<FoldingBar*>();
    QVERIFY(bar && bar->isVisible());
    QCOMPARE(bar->folded(), 0);
    QVERIFY(!bar->moreButton()->isVisible());
    const int all = int(bar->findChildren<QToolButton*>().size());
    grid.resize(700, 600);  // one line, however high the panel is
    QTRY_VERIFY(bar->folded() > 0 && bar->moreButton()->isVisible());
    QVERIFY2(bar->height() <= 48, qPrintable(QString::number(bar->height())));
    int seen = 0;
    for (const QToolButton* button : bar->findChildren<QToolButton*>()) {
      if (!button->isVisible()) continue;
      ++seen;
      QVERIFY(bar->rect().contains(QRect(button->mapTo(bar, QPoint()), button->size())));
    }
    QVERIFY(seen > 1 && seen < all);
    // The others are one click away, and can be used there.
    QTest::mouseClick(bar->moreButton(), Qt::LeftButton);
    auto* folded = bar->findChild<QFrame*>(QStringLiteral("folded_controls"));
    QVERIFY(folded->isVisible());
    QVERIFY(!folded->findChildren<QToolButton*>().isEmpty());
    for (const QToolButton* button : folded->findChildren<QToolButton*>()) QVERIFY(button->isVisible());
    folded->close();
    grid.resize(2000, 600);
    QTRY_COMPARE(bar->folded(), 0);
    QVERIFY(!bar->moreButton()->isVisible());
    QVERIFY(folded->findChildren<QToolButton*>().isEmpty());
  }

  // ---- steps

  void theSliderFollowsUntilItIsMoved() {
    StepSlider slider;
    QVERIFY(!slider.step());
    slider.addSteps({10, 0, 20});
    QVERIFY(!slider.step());  // the newest
    slider.setStep(12);
    QCOMPARE(slider.step(), std::optional<double>(10));
    slider.addSteps({5, 30});
    QCOMPARE(slider.step(), std::optional<double>(10));  // stays
    QCOMPARE(slider.count(), 5);
    slider.setStep(std::nullopt);
    QVERIFY(!slider.step());
    slider.clear();
    QCOMPARE(slider.count(), 0);
  }

  // ---- pictures

  void tonesAndDifferences() {
    QCOMPARE(toned(grey(2, 100), {}).pixelColor(0, 0).red(), 100);
    QCOMPARE(toned(grey(2, 100), {0.2, 1}).pixelColor(0, 0).red(), 151);
    QCOMPARE(toned(grey(2, 100), {0, 2}).pixelColor(0, 0).red(), 73);  // (100 - 127.5) * 2 + 127.5, rounded
    QCOMPARE(toned(grey(2, 100), {1, 1}).pixelColor(0, 0).red(), 255);
    QCOMPARE(difference(grey(3, 90), grey(2, 100)).size(), QSize(2, 2));
    QCOMPARE(difference(grey(3, 90), grey(2, 100)).pixelColor(1, 1).red(), 10);
    QVERIFY(difference({}, grey(2, 1)).isNull());
    QCOMPARE(pixelText(grey(2, 42), 1, 1), QStringLiteral("42"));
    QImage colour(1, 1, QImage::Format_RGBA8888);
    colour.fill(QColor(1, 2, 3, 4));
    QCOMPARE(pixelText(colour, 0, 0), QStringLiteral("1 2 3 a4"));
  }

  void theViewerZoomsAndCompares() {
    ImageViewer viewer;
    viewer.resize(400, 300);
    viewer.setImages(grey(8, 10), grey(8, 200));
    QCOMPARE(viewer.zoom(), 35.0);  // whole pixels
    const QImage a = viewer.grab().toImage();
    viewer.setMode(ImageViewer::Mode::B);
    const QImage b = viewer.grab().toImage();
    viewer.setMode(ImageViewer::Mode::Wipe);
    const QImage both = viewer.grab().toImage();
    viewer.setMode(ImageViewer::Mode::Difference);
    const QImage apart = viewer.grab().toImage();
    QVERIFY(a != b && b != both && a != both && apart != both && apart != a);
    viewer.setMode(ImageViewer::Mode::Wipe);
    viewer.setWipe(2);
    QCOMPARE(viewer.wipe(), 1.0);
    viewer.setWipe(0.5);
    QTest::mousePress(&viewer, Qt::LeftButton, {}, QPoint(200, 150));
    QMouseEvent move(QEvent::MouseMove, QPointF(270, 150), viewer.mapToGlobal(QPointF(270, 150)), Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&viewer, &move);
    QCOMPARE(viewer.wipe(), 0.75);
    QTest::mouseRelease(&viewer, Qt::LeftButton, {}, QPoint(270, 150));
    viewer.setMode(ImageViewer::Mode::A);
    viewer.actualSize();
    QCOMPARE(viewer.zoom(), 1.0);
    QTest::keyClick(&viewer, Qt::Key_F);
    QCOMPARE(viewer.zoom(), 35.0);
    viewer.show();
    QVERIFY(QTest::qWaitForWindowExposed(&viewer));
    QSignalSpy hovered(&viewer, &ImageViewer::pixelHovered);
    QTest::mouseMove(&viewer, QPoint(200, 150));
    QTRY_VERIFY(!hovered.isEmpty());
    QCOMPARE(hovered.last()[0].toString(), QStringLiteral("x 4, y 4: 10 | 200"));
    viewer.setImages({}, {});
    viewer.grab();
  }

  void everyStepCanBeSeen() {
    ImageGrid grid;
    grid.resize(900, 600);
    grid.show();
    QVERIFY(QTest::qWaitForWindowExposed(&grid));
    auto s = pictures(5);
    grid.setSeries(QStringLiteral("run 1"), 0, QStringLiteral("input/image/0"), s);
    grid.setSeries(QStringLiteral("run 2"), 1, QStringLiteral("input/image/0"), pictures(2));
    grid.refreshNow();
    ImageCard* card = grid.card(QStringLiteral("run 1"), QStringLiteral("input/image/0"));
    QVERIFY(card);
    QVERIFY(card->isVisible() && !card->visibleRegion().isEmpty());
    QTRY_COMPARE(card->image().pixelColor(0, 0).red(), 80);  // the newest
    // Cards with the same tag identify their run, even narrow ones: its hue and name are above the picture.
    for (const int run : {1, 2}) {
      const QColor hue = Theme::current().categorical(run - 1);
      const QImage shown = grid.card(QStringLiteral("run %1").arg(run), QStringLiteral("input/image/0"))->body()->grab().toImage();
      int seen = 0;
      for (int x = 0; x < 30; ++x)
        for (int y = 0; y < 20; ++y) seen += shown.pixelColor(x, y).rgb() == hue.rgb();
      QVERIFY2(seen >= 40, qPrintable(QString::number(seen)));
    }
    grid.setStep(21);
    QTRY_COMPARE(card->image().pixelColor(0, 0).red(), 40);
    s->append({50, 200, png(grey(8, 250)), 8, 8, 1});
    grid.grown(QStringLiteral("run 1"), QStringLiteral("input/image/0"));
    QTest::qWait(150);
    QCOMPARE(card->image().pixelColor(0, 0).red(), 40);  // a chosen step stays
    grid.setStep(std::nullopt);
    QTRY_COMPARE(card->image().pixelColor(0, 0).red(), 250);
    QVERIFY(grid.look(QStringLiteral("run 1"), QStringLiteral("input/image/0"), QStringLiteral("run 2"), QStringLiteral("input/image/0")));
    QVERIFY(grid.viewer()->isVisible());
    QCOMPARE(grid.viewer()->mode(), ImageViewer::Mode::Wipe);
    QVERIFY(!grid.look(QStringLiteral("run 3"), QStringLiteral("input/image/0")));
    grid.setRunVisible(QStringLiteral("run 2"), false);
    grid.refreshNow();
    QCOMPARE(grid.shownCount(), 1);
    grid.setRunVisible(QStringLiteral("run 2"), true);
    grid.removeRun(QStringLiteral("run 1"));
    QVERIFY(!grid.viewer()->isVisible());
    QVERIFY(!grid.card(QStringLiteral("run 1"), QStringLiteral("input/image/0")));
  }

  void brokenPicturesSaySo() {
    ImageGrid grid;
    grid.resize(500, 400);
    grid.show();
    auto s = std::make_shared<PictureSeries>();
    s->append({0, 0, "no picture", 3, 3, 1});
    s->append({1, 0, QByteArray(100000, 'x'), 3, 3, 1});  // decoded on another thread
    grid.setSeries(QStringLiteral("r"), 0, QStringLiteral("t"), s);
    grid.refreshNow();
    ImageCard* card = grid.card(QStringLiteral("r"), QStringLiteral("t"));
    QTest::qWait(200);
    QVERIFY(card->image().isNull());
    grid.setStep(0);
    QVERIFY(card->image().isNull());
    grid.grab();
  }

  // ---- texts and sounds

  void wavesAreRead_data() {
    QTest::addColumn<int>("bits");
    QTest::addColumn<qint32>("half");
    QTest::newRow("8") << 8 << 192;
    QTest::newRow("16") << 16 << 16384;
    QTest::newRow("24") << 24 << 4194304;
    QTest::newRow("32") << 32 << 1073741824;
  }
  void wavesAreRead() {
    QFETCH(int, bits);
    QFETCH(qint32, half);
    const qint32 zero = bits == 8 ? 128 : 0;
    const WaveData data = readWave(wave(2, bits, {zero, half, half, zero}));
    QVERIFY2(data.error.isEmpty(), qPrintable(data.error));
    QCOMPARE(data.frames(), 2);
    QCOMPARE(data.channels, 2);
    QCOMPARE(data.sampleRate, 8000.0);
    QCOMPARE(std::vector<float>(data.samples.begin(), data.samples.end()), (std::vector<float>{0, 0.5f, 0.5f, 0}));
    Waveform view;
    view.resize(200, 80);
    view.setWave(data, Qt::red);
    view.grab();
  }

  void peaksAreThoseOfTheSamples() {
    auto samples = std::make_shared<std::vector<float>>();
    quint32 seed = 1;
    for (int i = 0; i < 2 * 3000; ++i) samples->push_back(float((seed = seed * 1664525u + 1013904223u) >> 8) / float(1 << 24) - 0.5f);
    (*samples)[777] = std::numeric_limits<float>::quiet_NaN();
    (*samples)[4001] = 3;  // louder than full scale
    WaveData data;
    data.channels = 2;
    data.sampleRate = 1000;
    data.samples = *samples;
    data.owner = samples;
    const WavePeaks peaks(data);
    QCOMPARE(peaks.loudest(), 3.0f);
    for (const auto& [first, last] :
         {std::pair(0, 3000), std::pair(5, 6), std::pair(255, 257), std::pair(256, 512), std::pair(100, 2999), std::pair(-5, 4000)}) {
      for (int c = 0; c < 2; ++c) {
        float low = 9, high = -9;
        for (int i = std::max(0, first); i < std::min(3000, last); ++i) {
          const float v = (*samples)[size_t(2 * i + c)];
          low = std::min(low, std::isfinite(v) ? v : 0.f);
          high = std::max(high, std::isfinite(v) ? v : 0.f);
        }
        QCOMPARE(peaks.of(c, first, last).low, low);
        QCOMPARE(peaks.of(c, first, last).high, high);
      }
    }
    QCOMPARE(WavePeaks().of(0, 0, 10).high, 0.0f);
  }

  void aWaveIsZoomedAndMoved() {
    Waveform view;
    view.resize(640, 200);
    view.setWave(readWave(wave(1, 16, std::vector<qint32>(1000, 8192))), Qt::red);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const auto turn = [&view](int by) {
      QWheelEvent wheel(QPointF(320, 50), view.mapToGlobal(QPointF(320, 50)), {}, {0, by}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
      QApplication::sendEvent(&view, &wheel);
      return wheel.isAccepted();
    };
    QVERIFY(!turn(120));  // in a card it scrolls the panel
    QCOMPARE(view.last(), 1000.0);
    view.setZoomable(true);
    QVERIFY(turn(120));
    const double first = view.first(), length = view.last() - first;
    QVERIFY(first > 0 && length < 1000);
    QTest::mousePress(&view, Qt::LeftButton, {}, {300, 50});
    QTest::mouseMove(&view, {400, 50});
    QTest::mouseRelease(&view, Qt::LeftButton, {}, {400, 50});
    QVERIFY(view.first() < first);
    QCOMPARE(view.last() - view.first(), length);
    for (int i = 0; i < 100; ++i) turn(1200);
    QCOMPARE(view.last() - view.first(), 16.0);
    view.grab();
    QVERIFY(view.textAt({320, 50}).contains("0.25"));
    QVERIFY(view.textAt({1, 50}).isEmpty());
    for (int i = 0; i < 20; ++i) QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY(view.last() <= 1000);
    QTest::keyClick(&view, Qt::Key_F);
    QCOMPARE(view.last() - view.first(), 1000.0);
    view.setWave({}, Qt::red);
    view.grab();
  }

  // ---- the pictures of one file

  void framesAreSteppedAndPlayed() {
    FrameViewer viewer;
    viewer.resize(600, 400);
    FrameList list;
    list.count = 30;
    list.image = [](int i) { return grey(8, 8 * i); };
    list.milliseconds = QVector<int>(30, 20);
    list.milliseconds[3] = 0;
    QCOMPARE(list.playMs(3), 100);  // as browsers do
    QCOMPARE(list.playMs(4), 20);
    viewer.setFrames(list);
    viewer.show();
    QVERIFY(QTest::qWaitForWindowExposed(&viewer));
    QTest::keyClick(&viewer, Qt::Key_Right);
    QCOMPARE(viewer.current(), 1);
    QTest::keyClick(viewer.viewer(), Qt::Key_Right);  // which has the focus
    QCOMPARE(viewer.current(), 2);
    QTest::keyClick(&viewer, Qt::Key_End);
    QCOMPARE(viewer.current(), 29);
    QVERIFY(viewer.strip()->rect().contains(viewer.strip()->rectOf(29)));
    QTest::keyClick(&viewer, Qt::Key_Right);
    QCOMPARE(viewer.current(), 29);
    QTest::mouseClick(viewer.strip(), Qt::LeftButton, {}, viewer.strip()->rectOf(27).center());
    QCOMPARE(viewer.current(), 27);
    QTest::keyClick(&viewer, Qt::Key_Space);
    QVERIFY(viewer.isPlaying());
    QTRY_VERIFY(viewer.current() < 27);  // it starts anew after the last
    viewer.hide();
    QVERIFY(!viewer.isPlaying());
    viewer.setFrames({});
    viewer.grab();
    list.count = 1;
    viewer.setFrames(list);
    QVERIFY(viewer.strip()->isHidden());
    viewer.setPlaying(true);
    QVERIFY(!viewer.isPlaying());
  }
  void manyFramesArePaintedOnlyWhereTheyAreSeen() {
    FrameViewer viewer;
    viewer.resize(600, 400);
    QSet<int> asked;
    FrameList list;
    list.count = 60000;
    list.image = [&asked](int i) {
      asked << i;
      return grey(28, i % 255);
    };
    viewer.setFrames(list);
    viewer.grab();
    viewer.setCurrent(59999);
    viewer.grab();
    QVERIFY2(asked.size() < 60, qPrintable(QString::number(asked.size())));
    QVERIFY(asked.contains(59998) && !asked.contains(30000));
  }
  void pixelsOf16BitsAreReadInFull() {
    QImage image(2, 1, QImage::Format_Grayscale16);
    reinterpret_cast<quint16*>(image.scanLine(0))[0] = 300;
    QCOMPARE(pixelText(image, 0, 0), QStringLiteral("300"));
    QImage colour(1, 1, QImage::Format_RGBA64);
    colour.setPixelColor(0, 0, QColor(qRgba64(1000, 2, 65535, 65535)));
    QCOMPARE(pixelText(colour, 0, 0), QStringLiteral("1000 2 65535"));
  }

  void oddWavesSayWhy() {
    QVERIFY(!readWave({}).error.isEmpty());
    QVERIFY(!readWave("RIFF....WAVE").error.isEmpty());
    QVERIFY(!readWave(wave(1, 12, {})).error.isEmpty());
    const QByteArray whole = wave(1, 16, {1, 2, 3, 4});
    for (qsizetype cut = 0; cut < whole.size(); ++cut) {
      const WaveData data = readWave(whole.left(cut));
      QVERIFY(!data.error.isEmpty() || data.frames() <= 4);
    }
    QCOMPARE(readWave(whole.left(whole.size() - 1)).frames(), 3);
  }

  void textsAndSoundsAreListed() {
    MediaList list;
    list.resize(900, 500);
    list.show();
    QVERIFY(QTest::qWaitForWindowExposed(&list));
    auto notes = std::make_shared<TextSeries>();
    notes->append({0, 0, QStringLiteral("first <b>")});
    notes->append({10, 0, QStringLiteral("a\tb\nc\td")});
    list.setTexts(QStringLiteral("run 1"), 0, QStringLiteral("note"), notes);
    auto sounds = std::make_shared<SoundSeries>();
    sounds->append({0, 0, 8000, 1, 2, QStringLiteral("audio/wav"), wave(1, 16, {0, 16384})});
    list.setSounds(QStringLiteral("run 1"), 0, QStringLiteral("tone/audio/0"), sounds);
    list.refreshNow();
    QCOMPARE(list.shownCount(), 2);
    const QString table = list.shownText(QStringLiteral("run 1"), QStringLiteral("note"));
    for (const char* cell : {"a", "b", "c", "d"}) QVERIFY(table.contains(QLatin1String(cell)));
    QVERIFY(!table.contains(u'\t'));
    list.setStep(0);
    QCOMPARE(list.shownText(QStringLiteral("run 1"), QStringLiteral("note")), QStringLiteral("first <b>"));
    list.setMarkdown(false);
    QCOMPARE(list.shownText(QStringLiteral("run 1"), QStringLiteral("note")), QStringLiteral("first <b>"));
    QVERIFY(list.shownText(QStringLiteral("run 2"), QStringLiteral("note")).isNull());
    list.grab();
    list.removeRun(QStringLiteral("run 1"));
    QCOMPARE(list.shownCount(), 0);
  }

  void textsAreMarkdownThatLoadsNothing() {
    QTemporaryDir folder;
    QImage(4, 4, QImage::Format_RGB32).save(folder.filePath(QStringLiteral("x.png")));
    TextPage page;
    page.show(
        QStringLiteral(
            "# Title\n\nA **bold** word, [a link](https://example.org), <b>no HTML</b>.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n![p](%1)\n![q](https://example.org/q.png)")
            .arg(QUrl::fromLocalFile(folder.filePath(QStringLiteral("x.png"))).toString()),
        true);
    TextPage shortRules;  // as people write them for TensorBoard
    shortRules.show(QStringLiteral("| a | b |\n|-|:-:|\n| 1 - 2 | x |"), true);
    QVERIFY2(!shortRules.toPlainText().contains(u'|') && shortRules.toPlainText().contains(QStringLiteral("1 - 2")), qPrintable(shortRules.toPlainText()));
    const QString text = page.toPlainText();
    QVERIFY2(text.startsWith(QStringLiteral("Title\nA bold word, a link, <b>no HTML</b>.")), qPrintable(text));
    QVERIFY(page.document()->firstBlock().blockFormat().headingLevel() == 1);
    QVERIFY(text.contains(u'1') && !text.contains(QStringLiteral("|---|")));
    page.resize(300, 300);
    page.grab();
    for (const QString& picture : {QUrl::fromLocalFile(folder.filePath(QStringLiteral("x.png"))).toString(), QStringLiteral("https://example.org/q.png")})
      QCOMPARE(page.document()->resource(QTextDocument::ImageResource, QUrl(picture)).value<QImage>().size(), QSize(1, 1));
    page.show(QStringLiteral("# Title"), false);
    QCOMPARE(page.toPlainText(), QStringLiteral("# Title"));
  }

  /// A page that lays itself out for each line that it gets takes a minute for some hundred rows.
  void aLongTableComesAsOneChange() {
    TextPage page;
    page.resize(600, 400);
    page.show(QStringLiteral("before"), true);
    page.grab();
    QSignalSpy changes(page.document(), &QTextDocument::contentsChanged);
    page.show(QStringLiteral("| a | b |\n|---|---|\n") + QStringLiteral("| 1 | 2 |\n").repeated(300), true);
    QCOMPARE(page.toPlainText().count(u'1'), 300);
    QVERIFY2(changes.size() <= 4, qPrintable(QString::number(changes.size())));
  }

  // ---- scalars

  void meanAndSpreadOfRuns() {
    const SeriesStore a = store({{0, 1}, {1, 3}, {2, 5}}), b = store({{0, 3}, {2, 9}}), c = store({{1, NAN}, {2, 1}});
    const RunCurve curves[] = {{&a}, {&b}, {&c}};
    const auto points = meanAndSpread(curves, 0, 2, SeriesStore::X::Step, 100);
    QCOMPARE(points.size(), size_t{3});
    QCOMPARE(points[0].runs, 2);
    QCOMPARE(points[0].mean, 2.0);
    QCOMPARE(points[0].deviation, std::sqrt(2.0));
    QCOMPARE(points[1].runs, 2);  // NaN is left out; b has no sample at 1: half way from 3 to 9
    QCOMPARE(points[1].mean, 4.5);
    QCOMPARE(points[2].runs, 3);
    QCOMPARE(points[2].mean, 5.0);
    QCOMPARE(points[2].deviation, 4.0);
    QVERIFY(meanAndSpread({}, 0, 1, SeriesStore::X::Step, 10).empty());
    SeriesStore lengthy;
    for (int i = 0; i < 10000; ++i) lengthy.append({double(i), double(i), 1e9 + i % 2});
    const RunCurve one[] = {{&lengthy}, {&lengthy}};
    const auto few = meanAndSpread(one, 0, 9999, SeriesStore::X::Step, 100);
    QVERIFY(few.size() <= 102 && few.size() > 90);
    QCOMPARE(few.back().x, 9999.0);
    for (const SpreadPoint& p : few) QCOMPARE(p.deviation, 0.0);
  }

  void cardsShowMeansAndLogarithms() {
    ScalarPlot plot;
    plot.resize(420, 300);
    auto shared = std::make_shared<SeriesStore>();
    const int a = plot.addSeries(QStringLiteral("a"), 0, shared);
    const int b = plot.addSeries(QStringLiteral("b"));
    for (int i = 0; i < 100; ++i) {
      shared->append({double(i), double(i), 1.0 + i});
      plot.append(b, Sample{double(i), double(i), 3.0 + i});
    }
    plot.changed();
    plot.show();
    plot.refreshNow();
    QCOMPARE(plot.samples(a).size(), size_t{100});
    const QImage curves = plot.grab().toImage();
    plot.setSpread(true);
    plot.refreshNow();
    const QImage spread = plot.grab().toImage();
    QVERIFY(curves != spread);
    plot.setSpread(false);
    plot.setLogX(true);
    plot.refreshNow();
    QVERIFY(plot.grab().toImage() != curves);
    plot.setLogX(false);
    plot.setYRange(std::pair{0.0, 10.0});
    plot.refreshNow();
    QVERIFY(plot.grab().toImage() != curves);
    plot.setYRange(std::nullopt);
    QVERIFY(!plot.yRange());
  }

  void cardsAreWrittenByTheirEnding() {
    QTemporaryDir folder;
    ScalarPlot plot;
    plot.resize(420, 300);
    plot.setTitle(QStringLiteral("loss"));
    const int a = plot.addSeries(QStringLiteral("a"));
    for (int i = 0; i < 10; ++i) plot.append(a, Sample{double(i), double(i), i == 3 ? NAN : 1.0 / (i + 1)});
    plot.refreshNow();
    const auto csv = [&] { return plot.toCsv().toUtf8(); };
    const auto json = [&] { return plot.toJson(); };
    for (const char* ending : {"png", "svg", "csv", "json"}) {
      const QString path = folder.filePath(QStringLiteral("loss.") + QLatin1String(ending));
      QCOMPARE(exportCard(&plot, path, csv, json), QString());
      QVERIFY(QFile(path).size() > 100);
    }
    QCOMPARE(QImage(folder.filePath(QStringLiteral("loss.png"))).width(), 840);
    QFile svg(folder.filePath(QStringLiteral("loss.svg")));
    QVERIFY(svg.open(QIODevice::ReadOnly));
    const QByteArray drawing = svg.readAll();
    QVERIFY(drawing.contains("<polyline") || drawing.contains("<path"));  // lines, not a picture of them
    const QJsonObject run = QJsonDocument::fromJson(plot.toJson()).array()[0].toObject();
    QCOMPARE(run[QStringLiteral("values")].toArray().size(), 10);
    QCOMPARE(run[QStringLiteral("values")].toArray()[3].toString(), QStringLiteral("nan"));
    QVERIFY(!exportCard(&plot, folder.filePath(QStringLiteral("loss.doc")), csv, json).isEmpty());
    QVERIFY(!exportCard(&plot, QStringLiteral("/nowhere/loss.csv"), csv, json).isEmpty());
  }

  void theTableKnowsTheExtremes() {
    ScalarTableModel model;
    auto s = std::make_shared<SeriesStore>(store({{0, 5}, {10, -2}, {20, NAN}, {30, 4}}));
    model.reset({{QStringLiteral("loss"), QStringLiteral("run 1"), s}});
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.number(0, ScalarTableModel::kMin), -2.0);
    QCOMPARE(model.number(0, ScalarTableModel::kMinStep), 10.0);
    QCOMPARE(model.number(0, ScalarTableModel::kMax), 5.0);
    QCOMPARE(model.number(0, ScalarTableModel::kLast), 4.0);
    QCOMPARE(model.number(0, ScalarTableModel::kCount), 4.0);
    s->append({40, 40, 100});
    QCOMPARE(model.number(0, ScalarTableModel::kMax), 100.0);
    QCOMPARE(model.data(model.index(0, ScalarTableModel::kMaxStep)).toString(), QStringLiteral("40"));
    auto none = std::make_shared<SeriesStore>();
    model.reset({{QStringLiteral("a"), QStringLiteral("b"), none}});
    QVERIFY(std::isnan(model.number(0, ScalarTableModel::kMin)));
  }

  void runsComeGoAndHide() {
    ScalarGrid grid;
    grid.resize(1200, 700);
    grid.show();
    QVERIFY(QTest::qWaitForWindowExposed(&grid));
    const int a = grid.addRun(QStringLiteral("run 1")), b = grid.addRun(QStringLiteral("run 2"));
    auto shared = std::make_shared<SeriesStore>(store({{0, 1}, {1, 2}}));
    grid.setSeries(a, QStringLiteral("loss"), shared);
    grid.append(b, QStringLiteral("loss"), Sample{0, 0, 1});
    grid.append(b, QStringLiteral("only/b"), Sample{0, 0, 1});
    QCOMPARE(grid.runList()->names(), (QStringList{"run 1", "run 2"}));
    QCOMPARE(grid.plot(QStringLiteral("loss"))->seriesCount(), 2);
    QCOMPARE(grid.samples(a, QStringLiteral("loss"))->size(), size_t{2});
    shared->append({2, 2, 3});
    grid.grown(a, QStringLiteral("loss"));
    QCOMPARE(grid.plot(QStringLiteral("loss"))->samples(0).size(), size_t{3});
    grid.setRunVisible(a, false);
    QCOMPARE(grid.plot(QStringLiteral("loss"))->readingAt(0, 0).size(), 1);
    grid.setTableShown(true);
    grid.refreshNow();
    grid.setTableShown(false);
    grid.clearRun(b);
    QCOMPARE(grid.tags(), QStringList{QStringLiteral("loss")});
    grid.removeRun(b);
    QCOMPARE(grid.runList()->names(), QStringList{QStringLiteral("run 1")});
    // A card scrolled far away is recreated with all its curves.
    grid.cards()->dropCard(QStringLiteral("loss"));
    QCOMPARE(grid.plot(QStringLiteral("loss"))->seriesCount(), 1);
    grid.setSeries(a, QStringLiteral("loss"), std::make_shared<SeriesStore>(store({{0, 9}})));
    QCOMPARE(grid.plot(QStringLiteral("loss"))->seriesCount(), 1);
  }
};

QTEST_MAIN(TestPanels)
#include "tst_panels.moc"
