// Visible texts after a change of language or theme while a graph is open.
#include <QAbstractItemView>
#include <QLineEdit>
#include <QMenuBar>
#include <QStyle>
#include <QStyleOptionFrame>
#include <QToolButton>
#include <QUndoStack>
#include <algorithm>

#include "common/card_grid.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/run_controller.h"
#include "main_window/find_field.h"
#include "main_window/retranslator.h"
#include "shell/action_registry.h"
#include "window_fixture.h"

using namespace weft::app;
using weft::widgets::CardGrid;

class LanguageTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    keepToOwnFolder();
  }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  void headsOfThePanelsAreNotCut_data() {
    QTest::addColumn<QString>("view");
    for (const char* view : {"scalars", "histograms", "images"}) QTest::newRow(view) << QString::fromLatin1(view);
  }
  void headsOfThePanelsAreNotCut() {
    QFETCH(QString, view);
    window_->setTheme("light");
    setLanguage("zh_CN");  // its words are the shortest
    openTemplate();
    QVERIFY(run("run.train", {"--steps", "3"}));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().runs().isActive(), 60000);
    window_->useLayout("train");
    window_->showView(view);
    QWidget* panel = window_->viewWidget(view);
    QTRY_VERIFY_WITH_TIMEOUT(!heads(panel).isEmpty(), 10000);
    for (const auto& [theme, language] : kChanges) {
      window_->setTheme(QLatin1String(theme));
      setLanguage(QLatin1String(language));
      QVERIFY(!heads(panel).isEmpty());
      for (const QToolButton* head : heads(panel))
        QVERIFY2(
            head->width() >= head->sizeHint().width(),
            qPrintable(QStringLiteral("%1 %2: %3 is %4 wide, needs %5").arg(theme, language, head->text()).arg(head->width()).arg(head->sizeHint().width())));
    }
  }
  void fieldsShowAllOfWhatTheyAskFor_data() {
    QTest::addColumn<QString>("layout");
    for (const char* layout : {"compose", "train", "debug", "profile", "inspect"}) QTest::newRow(layout) << QString::fromLatin1(layout);
  }
  void fieldsShowAllOfWhatTheyAskFor() {
    QFETCH(QString, layout);
    window_->setTheme("light");
    setLanguage("zh_CN");
    openTemplate();
    QVERIFY(run("run.train", {"--steps", "3"}));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().runs().isActive(), 60000);
    window_->useLayout(layout);
    for (const auto& [theme, language] : kChanges) {
      window_->setTheme(QLatin1String(theme));
      setLanguage(QLatin1String(language));
      for (const QLineEdit* field : fields()) {
        const int needed = field->fontMetrics().horizontalAdvance(field->placeholderText()), room = roomOf(field);
        QVERIFY2(needed <= room, qPrintable(QStringLiteral("%1 %2: %3 needs %4 of %5").arg(theme, language, field->placeholderText()).arg(needed).arg(room)));
      }
      const auto* find = window_->findChild<FindField*>();
      QVERIFY(find && find->isVisible() && find->showsWholeHint());
      for (QAction* action : window_->menuBar()->actions())
        QVERIFY2(!action->isVisible() || window_->menuBar()->actionGeometry(action).right() < find->x(), qPrintable(action->text()));
    }
  }

  /// Texts created when the graph was read: on the canvas, in tooltips, in the list of problems.
  void textsOfAnOpenGraphChangeToo() {
    openTemplate();
    Document* document = window_->workspace().current();
    auto* model = document->model();
    const auto detailOf = [&](const char* scope) { return model->scopeDetail(document->scopeIndex(scope)).join(u' '); };
    QCOMPARE(detailOf("evaluation"), QStringLiteral("6 ops"));
    const QString english = detailOf("hidden1");
    QVERIFY(english.contains("parameters"));
    setLanguage("zh_CN");
    QTRY_VERIFY_WITH_TIMEOUT(isChinese(detailOf("evaluation")) && isChinese(detailOf("hidden1")), 10000);
    setLanguage("en");
    setLanguage("zh_CN");
    setLanguage("en");
    QTRY_COMPARE_WITH_TIMEOUT(detailOf("evaluation"), QStringLiteral("6 ops"), 10000);
    QCOMPARE(detailOf("hidden1"), english);
  }
  void problemsOfAnOpenGraphAreToldInTheNewLanguage() {
    open(write("wrong.pbtxt",
               QByteArray(kGraph) +
                   "node { name: \"v\" op: \"VariableV2\" attr { key: \"dtype\" value { type: DT_FLOAT } } attr { key: \"shape\" value { shape { } } } }\n"));
    Document* document = window_->workspace().current();
    QVERIFY(!document->problems().isEmpty());
    window_->showView("problems");
    QAbstractItemView* list = window_->viewWidget("problems")->findChild<QAbstractItemView*>();
    QVERIFY(list && !isChinese(wordsOf(list)));
    setLanguage("zh_CN");
    QTRY_VERIFY_WITH_TIMEOUT(isChinese(document->problems().first().message), 10000);
    QTRY_VERIFY2(wordsOf(list).contains(document->problems().first().message), qPrintable(wordsOf(list)));
  }
  /// Only the words are others.
  void anOpenGraphIsOtherwiseAsItWas_data() {
    QTest::addColumn<bool>("large");
    QTest::newRow("laid out at once") << false;
    QTest::newRow("laid out beside the window") << true;
  }
  void anOpenGraphIsOtherwiseAsItWas() {
    QFETCH(bool, large);
    if (large) open(write("large.pbtxt", largeGraph()));
    else openTemplate();
    Document* document = window_->workspace().current();
    QTRY_VERIFY_WITH_TIMEOUT(window_->isSettled(), 20000);
    const QString scope = large ? "part3" : "hidden1", moved = large ? "part5" : "evaluation";
    QVERIFY(run("graph.expand", {scope}));
    QVERIFY(run("graph.move", {moved, "700,900"}));
    QTRY_VERIFY_WITH_TIMEOUT(document->history().count() == 1 && window_->isSettled(), 20000);
    QVERIFY(run("debug.break", {document->model()->nodeName(0)}));
    QVERIFY(run("graph.select", {moved}));
    canvas()->setZoom(0.7);
    canvas()->panBy({30, 20});
    QTRY_VERIFY_WITH_TIMEOUT(window_->isSettled(), 20000);
    const QRectF before = rectOf(moved);
    const QStringList open = canvas()->expandedScopes();
    const QPointF held = canvas()->toWorld(canvas()->rect().center());
    const auto badges = document->model()->nodeStatus(0).badges;
    QVERIFY(open.contains(scope) && (badges & weft::widgets::BadgeBreakpoint));
    const GraphContentsPtr contents = document->contents();
    setLanguage("zh_CN");
    QTRY_VERIFY_WITH_TIMEOUT(document->contents() != contents && window_->isSettled(), 20000);
    QVERIFY(isChinese(document->model()->scopeDetail(document->scopeIndex(moved)).join(u' ')));
    QCOMPARE(canvas()->expandedScopes(), open);
    QCOMPARE(document->selection(), QStringList{moved});
    QCOMPARE(rectOf(moved).topLeft(), before.topLeft());
    QCOMPARE(canvas()->zoom(), 0.7);
    QVERIFY((canvas()->toWorld(canvas()->rect().center()) - held).manhattanLength() < 60);  // boxes around have other widths
    QCOMPARE(document->model()->nodeStatus(0).badges, badges);
    QCOMPARE(document->history().count(), 1);
    QVERIFY(run("edit.undo"));
    QTRY_VERIFY_WITH_TIMEOUT(document->history().index() == 0 && window_->isSettled(), 20000);
    QVERIFY(isChinese(document->model()->scopeDetail(document->scopeIndex(moved)).join(u' ')));
  }
  void theTrainingThatGoesOnIsStillThatOfTheGraph() {
    openTemplate();
    QVERIFY(run("run.train", {"--steps", "1000000"}));
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().runs().isActive() && window_->workspace().runs().run(lastRun()), 20000);
    Document* document = window_->workspace().current();
    const GraphContentsPtr contents = document->contents();
    setLanguage("zh_CN");
    QTRY_VERIFY_WITH_TIMEOUT(document->contents() != contents, 20000);
    QVERIFY(window_->workspace().runs().isActive());
    QCOMPARE(document->contents()->engine, window_->workspace().runs().contents()->engine);
    QVERIFY(run("run.stop"));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().runs().isActive(), 20000);
  }

 private:
  void setLanguage(const QString& language) {
    window_->setLanguage(language);
    QCoreApplication::sendPostedEvents();
    QTRY_VERIFY(!window_->findChild<Retranslator*>()->isBusy());
    QTest::qWait(30);  // let the layout settle
  }
  int lastRun() const {
    const auto& runs = window_->workspace().runs().runs();
    return runs.empty() ? 0 : runs.back()->number;
  }
  QRectF rectOf(const QString& scope) { return canvas()->itemRect(weft::widgets::Item::scope(window_->workspace().current()->scopeIndex(scope))); }
  static bool isChinese(const QString& text) {
    return std::any_of(text.begin(), text.end(), [](QChar c) { return c.script() == QChar::Script_Han; });
  }
  static QString wordsOf(const QAbstractItemView* list) {
    QStringList words;
    for (int row = 0; row < list->model()->rowCount(); ++row)
      for (int column = 0; column < list->model()->columnCount(); ++column) words << list->model()->index(row, column).data().toString();
    return words.join(u' ');
  }
  /// Ten scopes of chains, more than is laid out at once.
  static QByteArray largeGraph() {
    QByteArray text = "node { name: \"x\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_FLOAT } } }\n";
    QByteArray last = "x";
    for (int i = 0; i < 2400; ++i) {
      const QByteArray name = "part" + QByteArray::number(i / 240) + "/op" + QByteArray::number(i);
      text += "node { name: \"" + name + "\" op: \"Relu\" input: \"" + last + "\" attr { key: \"T\" value { type: DT_FLOAT } } }\n";
      last = name;
    }
    return text;
  }
  static constexpr std::pair<const char*, const char*> kChanges[] = {{"light", "en"}, {"dark", "zh_CN"}, {"dark", "en"}, {"light", "zh_CN"}};
  static QList<QToolButton*> heads(const QWidget* panel) {
    QList<QToolButton*> list;
    for (const CardGrid* grid : panel->findChildren<CardGrid*>())
      for (QToolButton* button : grid->findChildren<QToolButton*>())
        if (button->property("kind").toString() == "section" && button->isVisible()) list << button;
    return list;
  }
  /// The visible empty fields: their placeholder texts.
  QList<QLineEdit*> fields() const {
    QList<QLineEdit*> list;
    for (QLineEdit* field : window_->findChildren<QLineEdit*>())
      if (field->isVisible() && field->isEnabled() && field->text().isEmpty() && !field->placeholderText().isEmpty() && !field->visibleRegion().isEmpty())
        list << field;
    return list;
  }
  /// Between the icons; Qt leaves two pixels at each side.
  static int roomOf(const QLineEdit* field) {
    QStyleOptionFrame option;
    option.initFrom(field);
    option.rect = field->rect();
    option.lineWidth = field->style()->pixelMetric(QStyle::PM_DefaultFrameWidth, &option, field);
    int room = field->style()->subElementRect(QStyle::SE_LineEditContents, &option, field).width() - 4;
    for (const QToolButton* icon : field->findChildren<QToolButton*>())
      if (icon->isVisible()) room -= icon->width() + field->style()->pixelMetric(QStyle::PM_LineEditIconMargin, &option, field);
    return room;
  }
};

QTEST_MAIN(LanguageTest)
#include "tst_language.moc"
