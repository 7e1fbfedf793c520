// The start page's graphs, the row of a training above the canvas, and files of one's own as data, in the window.
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "adapters/graph_files.h"
#include "document/document.h"
#include "main_window/start_cards.h"
#include "main_window/start_page.h"
#include "main_window/template_sketch.h"
#include "main_window/train_strip.h"
#include "weft/templates.h"
#include "weft/train.h"
#include "window_fixture.h"

using namespace weft::app;
using State = RunController::State;

class TemplatesWindowTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() {
    keepToOwnFolder();
    qputenv("WEFT_RESOURCES", WEFT_SOURCE_DIR "/resources");
  }
  void init() { showWindow(); }
  void cleanup() { stopAndClose(); }

  void theStartPageHasEightCardsWithDrawings() {
    auto* page = window_->findChild<StartPage*>();
    QVERIFY(page);
    QTRY_VERIFY_WITH_TIMEOUT(page->isComplete(), 20000);
    int cards = 0;
    for (const TemplateInfo& info : templates()) {
      auto* card = page->findChild<Card*>(QStringLiteral("template_") + info.name);
      QCOMPARE(card != nullptr, info.shown);
      if (!card) continue;
      ++cards;
      QVERIFY2(TemplateSketch::has(info.name), qPrintable(info.name));
      QCOMPARE(card->accessibleName(), info.title);
      QVERIFY(!info.description.isEmpty());
    }
    QCOMPARE(cards, 8);
    QTest::mouseClick(page->findChild<Card*>(QStringLiteral("template_bikes-regression")), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(window_->canvas() && document() && document()->hasScope(QStringLiteral("hidden1")), 30000);
  }

  void aRowAboveTheCanvasShowsTheTraining() {
    openTemplate();
    QTRY_VERIFY(!window_->canvas()->isLayoutPending());
    auto* strip = window_->canvas()->findChild<TrainStrip*>();
    QVERIFY(strip && strip->isHidden());
    const QRect place = window_->canvas()->geometry();
    const double zoom = window_->canvas()->zoom();
    QVERIFY(run("run.train", {"--epochs", "100000"}));
    QTRY_VERIFY_WITH_TIMEOUT(strip->isVisible(), 10000);
    // Nothing beneath it moves.
    QCOMPARE(window_->canvas()->geometry(), place);
    QCOMPARE(window_->canvas()->zoom(), zoom);
    const auto said = [&](const QString& part) {
      for (const QString& text : strip->texts())
        if (text.startsWith(part)) return text;
      return QString();
    };
    QCOMPARE(said(QStringLiteral("images")), QStringLiteral("images · ?×64"));
    QTRY_VERIFY_WITH_TIMEOUT(said(QStringLiteral("hidden1")).contains(QRegularExpression(QStringLiteral("∇ [0-9.]+e-?[0-9]+"))), 20000);
    QTRY_VERIFY_WITH_TIMEOUT(said(QStringLiteral("loss")).contains(QRegularExpression(QStringLiteral("loss · [0-9.]+"))), 10000);
    QVERIFY(said(QStringLiteral("Adam")).contains(QStringLiteral("6 variable")));
    // A click on a layer selects it.
    const QImage before = strip->grab().toImage();
    QTest::mouseClick(strip, Qt::LeftButton, {}, strip->centreOf(QStringLiteral("hidden2")));
    QTRY_COMPARE(document()->selection(), QStringList{QStringLiteral("hidden2")});
    QTRY_VERIFY_WITH_TIMEOUT(strip->grab().toImage() != before, 10000);
    QVERIFY(run("run.stop"));
    QTRY_VERIFY_WITH_TIMEOUT(!strip->isVisible(), 20000);
    QCOMPARE(window_->canvas()->geometry(), place);
  }

  /// In the layout Train the row is there before the first run and keeps the values of the last one.
  void anEditedLayerKeepsItsPlaceInTheRow() {
    openTemplate();
    QVERIFY(run("graph.set", {QStringLiteral("hidden1"), QStringLiteral("activation=tanh")}));
    QTRY_VERIFY(window_->workspace().current()->hasNode(QStringLiteral("hidden1/Tanh")));
    QVERIFY(run("layout.use", {QStringLiteral("train")}));
    auto* strip = window_->canvas()->findChild<TrainStrip*>();
    QTRY_VERIFY_WITH_TIMEOUT(strip->isVisible(), 10000);
    const auto x = [&](const char* title) { return strip->centreOf(QString::fromLatin1(title)).x(); };
    QTRY_VERIFY(x("hidden1") > 0 && x("hidden1") < x("hidden2") && x("hidden2") < x("logits"));
  }

  void theLayoutTrainKeepsTheRow() {
    QVERIFY(run("layout.use", {"train"}));
    openTemplate();
    auto* strip = window_->canvas()->findChild<TrainStrip*>();
    QTRY_VERIFY_WITH_TIMEOUT(strip->isVisible(), 10000);
    const auto loss = [strip] { return strip->texts().filter(QStringLiteral("loss")).value(0); };
    QCOMPARE(loss(), QStringLiteral("loss · –"));
    QVERIFY(strip->texts().filter(QStringLiteral("hidden1")).value(0).endsWith(QStringLiteral("∇ –")));
    QVERIFY(run("run.train", {"--steps", "20"}));
    QTRY_VERIFY_WITH_TIMEOUT(!runs().isActive() && runs().state() == RunController::State::Finished, 60000);
    QVERIFY(strip->isVisible());
    QVERIFY2(loss().contains(QRegularExpression(QStringLiteral("^loss · [0-9.]+"))), qPrintable(loss()));
    const QString last = loss();
    // A run of another document does not change it.
    QVERIFY(run("file.new", {"lenet-digits"}));
    QTRY_VERIFY_WITH_TIMEOUT(document() && document()->hasScope(QStringLiteral("conv1")), 30000);
    auto* other = window_->canvas()->findChild<TrainStrip*>();
    QVERIFY(other != strip);
    QTRY_VERIFY_WITH_TIMEOUT(other->isVisible(), 10000);
    QCOMPARE(other->texts().filter(QStringLiteral("loss")).value(0), QStringLiteral("loss · –"));
    QVERIFY(run("run.train", {"--steps", "2"}));
    QTRY_VERIFY_WITH_TIMEOUT(!runs().isActive() && runs().state() == RunController::State::Finished, 60000);
    QCOMPARE(loss(), last);
    // Compose shows it while a run is active only.
    QVERIFY(run("layout.use", {"compose"}));
    QTRY_VERIFY(other->isHidden() && strip->isHidden());
    QVERIFY(run("layout.use", {"train"}));
    QTRY_VERIFY(other->isVisible());
    // Without a training there is nothing to show.
    QVERIFY(run("graph.strip-training"));
    QTRY_VERIFY_WITH_TIMEOUT(other->isHidden(), 10000);
    QVERIFY(run("edit.undo"));
    QTRY_VERIFY_WITH_TIMEOUT(other->isVisible(), 10000);
    QVERIFY(run("layout.use", {"compose"}));
  }

  void theRowFitsNarrowWindows() {
    QVERIFY(run("file.new", {"resnet-digits"}));
    QTRY_VERIFY_WITH_TIMEOUT(document() && document()->hasScope(QStringLiteral("block1")), 30000);
    QVERIFY(run("run.train", {"--epochs", "100000"}));
    auto* strip = window_->canvas()->findChild<TrainStrip*>();
    QTRY_VERIFY_WITH_TIMEOUT(strip->isVisible(), 20000);
    for (const int width : {3000, 1200, 700, 420}) {
      strip->resize(width, TrainStrip::kHeight);
      const QStringList texts = strip->texts();
      QVERIFY2(texts.filter(QStringLiteral("loss")).size() == 1, qPrintable(texts.join(u'|')));
      QVERIFY2(width < 700 || texts.last().startsWith(QStringLiteral("Adam")), qPrintable(texts.join(u'|')));
      QVERIFY2(strip->contentWidth() <= width, qPrintable(QString::number(width)));
    }
  }

  /// At 1280×800, and at 960×540: 1,920×1,080 pixels at 200 %. Each box is whole and no text is wider than its box.
  void theRowIsWholeOnSmallScreens_data() {
    QTest::addColumn<QSize>("window");
    QTest::addColumn<QString>("graph");
    for (const char* graph : {"lenet-digits", "resnet-digits", "gan-digits", "lstm-text"})
      for (const QSize size : {QSize(1280, 800), QSize(960, 540)}) QTest::addRow("%s at %dx%d", graph, size.width(), size.height()) << size << graph;
  }
  void theRowIsWholeOnSmallScreens() {
    QFETCH(QSize, window);
    QFETCH(QString, graph);
    window_->resize(window);
    QVERIFY(run("file.new", {graph}));
    QTRY_VERIFY_WITH_TIMEOUT(document() && window_->canvas(), 30000);
    for (const char* layout : {"compose", "train"}) {
      QVERIFY(run("layout.use", {layout}));
      auto* strip = window_->canvas()->findChild<TrainStrip*>();
      QVERIFY(window_->workspace().runs().isActive() || run("run.train", {"--epochs", "100000"}));
      QTRY_VERIFY_WITH_TIMEOUT(strip->isVisible() && strip->texts().filter(QStringLiteral("loss")).size() == 1, 20000);
      QCoreApplication::processEvents();
      QCOMPARE(strip->width(), window_->canvas()->width());
      QVERIFY2(strip->contentWidth() <= strip->width(), qPrintable(QStringLiteral("%1 in %2").arg(strip->contentWidth()).arg(strip->width())));
      QVERIFY2(strip->cutTexts().isEmpty(), qPrintable(strip->cutTexts().join(u'|')));
      QVERIFY2(strip->height() >= 60, qPrintable(QString::number(strip->height())));
    }
  }

  void theRowCanBeHidden() {
    openTemplate();
    auto* strip = window_->canvas()->findChild<TrainStrip*>();
    QVERIFY(run("run.train", {"--epochs", "100000"}));
    QTRY_VERIFY_WITH_TIMEOUT(strip->isVisible(), 20000);
    QVERIFY(run("settings.set", {"run/strip", "off"}));
    QTRY_VERIFY(!strip->isVisible());
    QVERIFY(run("settings.set", {"run/strip", "on"}));
    QTRY_VERIFY(strip->isVisible());
  }

  void theWindowAndTheEngineGiveTheSameNumbers_data() {
    QTest::addColumn<QString>("name");
    for (const TemplateInfo& info : templates())
      if (info.shown) QTest::newRow(qPrintable(info.name)) << info.name;
  }
  void theWindowAndTheEngineGiveTheSameNumbers() {
    QFETCH(QString, name);
    constexpr int kSteps = 6;
    std::vector<double> window, engine;
    connect(&runs(), &RunController::samplesArrived, this, [&](const RunRecord*, const QString& tag, std::span<const weft::widgets::Sample> samples) {
      for (const auto& s : samples)
        if (tag == QLatin1String("loss")) window.push_back(s.value);
    });
    QVERIFY(run("file.new", {name}));
    QTRY_VERIFY_WITH_TIMEOUT(document() && runs().whyNot(document()).isEmpty(), 30000);
    QVERIFY(run("run.train", {"--steps", QString::number(kSteps)}));
    QTRY_COMPARE_WITH_TIMEOUT(runs().state(), State::Finished, 120000);
    // As `weft train` does.
    auto meta = weft::api::buildTemplate(name.toStdString());
    QVERIFY(meta.ok());
    weft::TrainOptions options;
    options.steps = kSteps;
    options.callbacks.step = [&](const weft::TrainStep& s) { engine.push_back(s.loss); };
    auto trainer = weft::Trainer::create(std::move(*meta), std::move(options));
    QVERIFY2(trainer.ok(), trainer.ok() ? "" : trainer.error().toString().c_str());
    QVERIFY((*trainer)->run().ok());
    QCOMPARE(engine.size(), size_t(kSteps));
    QCOMPARE(window, engine);
  }

  void aTableOfOnesOwnIsBound() {
    QByteArray table = "size,colour,price\n";
    for (int i = 0; i < 40; ++i) table += QByteArray::number(i) + (i % 2 ? ",red," : ",blue,") + QByteArray::number(100 * i) + "\n";
    const QString path = write(QStringLiteral("own.csv"), table);
    QVERIFY(run("file.new", {"empty"}));
    QTRY_VERIFY_WITH_TIMEOUT(document(), 20000);
    const auto edit = [&](const char* id, const QStringList& words) {
      const bool ok = run(id, words);
      QTest::qWait(0);
      return ok;
    };
    QVERIFY(edit("graph.add", {"Placeholder", "--name", "sizes", "--set", "dtype=float32", "--set", "shape=[?,1]"}));
    QVERIFY(edit("graph.add", {"Placeholder", "--name", "colours", "--set", "dtype=int32", "--set", "shape=[?]"}));
    QTRY_VERIFY(document()->hasNode(QStringLiteral("colours")));
    QVERIFY(edit("graph.bind-data", {path, "sizes=features", "colours=colour_id", "--batch", "8", "--option", "standardize=true", "--option", "label=price"}));
    QTRY_COMPARE_WITH_TIMEOUT(document()->contents()->training.present || !document()->contents()->arrays.nodes.empty(), true, 10000);
    QTRY_VERIFY_WITH_TIMEOUT(document()->isModified(), 10000);
  }

 private:
  RunController& runs() { return window_->workspace().runs(); }
};

QTEST_MAIN(TemplatesWindowTest)
#include "tst_templates_window.moc"
