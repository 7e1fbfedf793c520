// What stands on the screen after the language, or the theme, was changed while a graph is open.
#include <QLineEdit>
#include <QMenuBar>
#include <QStyle>
#include <QStyleOptionFrame>
#include <QToolButton>

#include "commands/action_registry.h"
#include "common/card_grid.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/run_controller.h"
#include "main_window/find_field.h"
#include "main_window/language_spread.h"
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
        QVERIFY2(head->width() >= head->sizeHint().width(), qPrintable(QStringLiteral("%1 %2: %3 is %4 wide, needs %5").arg(theme, language, head->text()).arg(head->width()).arg(head->sizeHint().width())));
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

 private:
  void setLanguage(const QString& language) {
    window_->setLanguage(language);
    QCoreApplication::sendPostedEvents();
    QTRY_VERIFY(!window_->findChild<LanguageSpread*>()->isBusy());
    QTest::qWait(30);  // what they changed is laid out
  }
  static constexpr std::pair<const char*, const char*> kChanges[] = {{"light", "en"}, {"dark", "zh_CN"}, {"dark", "en"}, {"light", "zh_CN"}};
  static QList<QToolButton*> heads(const QWidget* panel) {
    QList<QToolButton*> list;
    for (const CardGrid* grid : panel->findChildren<CardGrid*>())
      for (QToolButton* button : grid->findChildren<QToolButton*>())
        if (button->property("kind").toString() == "section" && button->isVisible()) list << button;
    return list;
  }
  /// The empty ones that can be seen: what they ask for stands in them.
  QList<QLineEdit*> fields() const {
    QList<QLineEdit*> list;
    for (QLineEdit* field : window_->findChildren<QLineEdit*>())
      if (field->isVisible() && field->isEnabled() && field->text().isEmpty() && !field->placeholderText().isEmpty() && !field->visibleRegion().isEmpty()) list << field;
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
