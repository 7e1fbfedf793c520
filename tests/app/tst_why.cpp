// The dock Why: a number is followed back to the data by mouse and keys, rows and steps are compared, and what cannot be asked says why.
#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QTreeWidget>

#include "document/document.h"
#include "document/why_store.h"
#include "shell/action_registry.h"
#include "window_fixture.h"

using namespace weft::app;

class WhyTest : public WindowFixture {
  Q_OBJECT

  WhyStore& store() { return WhyStore::of(window_->workspace()); }
  QWidget* dock() { return window_->viewWidget(QStringLiteral("why")); }
  QJsonObject report() { return QJsonDocument::fromJson(dock()->property("report").toString().toUtf8()).object(); }
  QTreeWidget* table(const QString& name) {
    for (QTreeWidget* t : dock()->findChildren<QTreeWidget*>())
      if (t->accessibleName() == name) return t;
    return nullptr;
  }
  QLineEdit* field() {
    for (QLineEdit* e : dock()->findChildren<QLineEdit*>())
      if (e->accessibleName() == QLatin1String("Element")) return e;
    return nullptr;
  }
  QSpinBox* box(const QString& name) {
    for (QSpinBox* b : dock()->findChildren<QSpinBox*>())
      if (b->accessibleName() == name) return b;
    return nullptr;
  }
  void train(int steps) {
    openTemplate();
    QVERIFY(run("run.train", {QStringLiteral("--steps"), QString::number(steps)}));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().runs().isActive(), 60000);
    QVERIFY(run("view.show", {QStringLiteral("why")}));
    QTRY_VERIFY(dock()->isVisible());
  }
  void answered() { QTRY_VERIFY_WITH_TIMEOUT(!store().isBusy(), 60000); }
  static void clickRow(QTreeWidget* t, int row, bool twice = false) {
    t->scrollToItem(t->topLevelItem(row));
    const QPoint at = t->visualItemRect(t->topLevelItem(row)).center();
    QTest::mouseClick(t->viewport(), Qt::LeftButton, {}, at);
    if (twice) QTest::qWait(20);
    if (twice) QTest::mouseDClick(t->viewport(), Qt::LeftButton, {}, at);
  }

  /// The page that compares, with `what` chosen in its list by keys.
  void chooseOther(const QString& what) {
    QTabBar* kinds = nullptr;
    for (QTabBar* tabs : dock()->findChildren<QTabBar*>())
      if (tabs->count() == 2) kinds = tabs;
    QVERIFY(kinds);
    QTest::mouseClick(kinds, Qt::LeftButton, {}, kinds->tabRect(1).center());
    auto* with = dock()->findChild<QComboBox*>(QStringLiteral("why_with"));
    QTRY_VERIFY(with->isVisible());
    with->setFocus();
    for (int i = 0; i < with->count() && with->currentText() != what; ++i) QTest::keyClick(with, i == 0 ? Qt::Key_Home : Qt::Key_Down);
    QCOMPARE(with->currentText(), what);
  }

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  void nothingTrained() {
    openTemplate();
    QVERIFY(run("view.show", {QStringLiteral("why")}));
    QCOMPARE(store().whyNot(), QStringLiteral("Nothing has been trained yet."));
    QVERIFY(!run("why.ask", {QStringLiteral("loss")}));
    QVERIFY(named(QStringLiteral("Train")));
  }

  void aNumberIsFollowedBackToTheData() {
    train(30);
    QTest::mouseClick(field(), Qt::LeftButton);
    QTest::keyClicks(field(), QStringLiteral("logits/MatMul:0[3,7]"));
    QTest::keyClick(field(), Qt::Key_Escape);  // closes the completion
    QTest::mouseClick(named(QStringLiteral("Ask")), Qt::LeftButton);
    answered();
    const QVector<WhyLink> links = store().path().links;
    QVERIFY2(links.size() > 4, qPrintable(store().error()));
    QCOMPARE(links.first().self.text(), QStringLiteral("logits/MatMul:0[3,7]"));
    QCOMPARE(links.first().self.step, 30);
    QCOMPARE(links.last().self.node(), QStringLiteral("images"));
    QVERIFY(links.last().dataRow >= 0);
    QTreeWidget *path = table(QStringLiteral("Path")), *parts = table(QStringLiteral("Parts"));
    QCOMPARE(path->topLevelItemCount(), int(links.size()));
    QCOMPARE(parts->topLevelItemCount(), int(links.first().parts.size()) + 1);  // and how many more there are
    // A click on a link shows its parts and selects its node; a double-click on a part follows that one instead.
    clickRow(path, 1);
    QTRY_COMPARE(window_->workspace().current()->selection(), QStringList{links[1].self.node()});
    clickRow(path, 0);
    const WhyPart third = links.first().parts[2];
    clickRow(parts, 2, true);
    answered();
    QCOMPARE(store().path().links[1].self.text(), third.text());
    QCOMPARE(store().path().links[0].self.text(), links[0].self.text());
  }

  void anUpdateOfAVariable() {
    train(30);
    QVERIFY(run("why.ask", {QStringLiteral("hidden1/kernel[20,7]"), QStringLiteral("12")}));
    answered();
    QCOMPARE(int(store().path().links.first().rule), int(WhyLink::Rule::Update));
    QVERIFY(!store().path().history.isEmpty());
    QCOMPARE(field()->text(), QStringLiteral("hidden1/kernel[20,7]"));
    QCOMPARE(box(QStringLiteral("Step"))->value(), 12);
    // The rows are computed when their tab is shown.
    QVERIFY(store().rows().rows.isEmpty());
    for (QTabBar* tabs : dock()->findChildren<QTabBar*>())
      if (tabs->count() == 3) QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
    QTRY_VERIFY_WITH_TIMEOUT(!store().rows().rows.isEmpty(), 60000);
    QCOMPARE(int(store().rows().kind), int(WhyRows::Kind::Mean));
    QTRY_COMPARE(table(QStringLiteral("Rows of data"))->topLevelItemCount(), int(store().rows().rows.size()));
  }

  void twoStepsAreCompared() {
    train(30);
    QTabBar* kinds = nullptr;
    for (QTabBar* tabs : dock()->findChildren<QTabBar*>())
      if (tabs->count() == 2) kinds = tabs;
    QVERIFY(kinds);
    QTest::mouseClick(kinds, Qt::LeftButton, {}, kinds->tabRect(1).center());
    QTRY_VERIFY(box(QStringLiteral("First step"))->isVisible());
    box(QStringLiteral("First step"))->setValue(7);
    box(QStringLiteral("Second step"))->setValue(8);
    QTest::mouseClick(named(QStringLiteral("Compare")), Qt::LeftButton);
    answered();
    QVERIFY(store().difference().differing > 10);
    QVERIFY(report().value(QLatin1String("causes")).toArray().contains(QStringLiteral("images:0")));
    QTreeWidget* t = table(QStringLiteral("Differences"));
    QTRY_COMPARE(t->topLevelItemCount(), int(store().difference().tensors.size()));
    QVERIFY(run("why.compare", {QStringLiteral("8"), QStringLiteral("8")}));
    answered();
    QCOMPARE(store().difference().differing, 0);
  }

  void whatCannotBeAskedSaysWhy() {
    train(10);
    QVERIFY(run("why.ask", {QStringLiteral("kernel[1,1]")}));
    answered();
    QCOMPARE(store().error(), QStringLiteral("There is no tensor or variable kernel; did you mean hidden1/kernel?"));
    QVERIFY(says(QRegularExpression(QStringLiteral("did you mean hidden1/kernel"))));
    QVERIFY(run("why.ask", {QStringLiteral("hidden1/kernel[1,1]"), QStringLiteral("11")}));
    answered();
    QVERIFY(store().error().contains(QLatin1String("steps 1 to 10 are")));
    QVERIFY(!run("why.follow", {QStringLiteral("1"), QStringLiteral("1")}));
    QVERIFY(!run("why.compare", {QStringLiteral("1")}));
    QVERIFY(!run("why.ask", {QStringLiteral("x"), QStringLiteral("many")}));
  }

  void stepsAreNotRecordedIfTheSettingSaysSo() {
    window_->workspace().settings().setValue(QStringLiteral("run/record-megabytes"), 0);
    train(10);
    QVERIFY(store().whyNot().contains(QLatin1String("not recorded")));
    window_->workspace().settings().setValue(QStringLiteral("run/record-megabytes"), 1024);
  }

  void thePathIsLitOnlyWhileItIsShown() {
    train(10);
    QVERIFY(run("why.ask", {QStringLiteral("logits/MatMul:0[0,0]")}));
    answered();
    const auto lit = [&] { return window_->canvas()->highlight().size(); };
    QTRY_VERIFY(lit() > 4);
    window_->showView(QStringLiteral("why"), false);
    QTRY_VERIFY(!dock()->isVisible());
    QCOMPARE(lit(), 0);
    QVERIFY(run("view.show", {QStringLiteral("why")}));
    QTRY_VERIFY(dock()->isVisible());
    QTRY_VERIFY(lit() > 4);
  }

  void anotherTrainingEndsTheAnswers() {
    train(10);
    QVERIFY(run("why.ask", {QStringLiteral("logits/MatMul:0[0,0]")}));
    QVERIFY(run("run.train", {QStringLiteral("--steps"), QStringLiteral("5")}));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().runs().isActive(), 60000);
    answered();
    QVERIFY(store().path().links.isEmpty());
    QCOMPARE(store().range().last, 5);
  }

  void theTrainingBeforeIsCompared() {
    train(12);
    QVERIFY(!run("why.compare-training"));  // there is none yet
    QVERIFY(run("run.train", {QStringLiteral("--steps"), QStringLiteral("12"), QStringLiteral("--set"), QStringLiteral("learning_rate=0.5")}));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().runs().isActive(), 60000);
    QTRY_COMPARE(store().others().size(), 1);
    chooseOther(store().others().first().title);
    QVERIFY(!box(QStringLiteral("Second step"))->isVisible());
    QTest::mouseClick(named(QStringLiteral("Compare")), Qt::LeftButton);
    answered();
    QVERIFY2(store().error().isEmpty(), qPrintable(store().error()));
    // The rate is fed, so it differs in the first step and is the cause.
    QCOMPARE(store().difference().firstStep, 1);
    QVERIFY2(report().value(QLatin1String("causes")).toArray().contains(QStringLiteral("learning_rate:0")), qPrintable(dock()->property("report").toString()));
    QVERIFY(says(QRegularExpression(QStringLiteral("^Step 1 of .+ and of "))));
    QTRY_COMPARE(window_->canvas()->highlight().size(), 1);
    QTreeWidget* t = table(QStringLiteral("Differences"));
    QCOMPARE(t->headerItem()->text(5), QStringLiteral("Other training"));
    clickRow(t, 0);
    QTRY_COMPARE(window_->workspace().current()->selection(), QStringList{store().difference().tensors.first().tensor.section(u':', 0, 0)});
    // Another step, then two steps of this one again.
    QVERIFY(run("why.compare-training", {QStringLiteral("1"), QStringLiteral("7")}));
    answered();
    QCOMPARE(store().difference().firstStep, 7);
    QVERIFY(run("why.compare", {QStringLiteral("3"), QStringLiteral("4")}));
    answered();
    QVERIFY(store().otherTitle().isEmpty());
    QCOMPARE(t->headerItem()->text(5), QStringLiteral("Second step"));
  }

  void theSameTrainingAgainDiffersNowhere() {
    train(8);
    QVERIFY(run("run.train", {QStringLiteral("--steps"), QStringLiteral("8")}));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().runs().isActive(), 60000);
    QTRY_COMPARE(store().others().size(), 1);
    QVERIFY(run("why.compare-training"));
    answered();
    QVERIFY2(store().difference().same, qPrintable(store().error()));
    QVERIFY(says(QRegularExpression(QStringLiteral("No step that is recorded of both trainings differs"))));
  }

  void anotherSettingIsTried() {
    train(10);
    chooseOther(QStringLiteral("this training with another setting…"));
    auto* setting = dock()->findChild<QComboBox*>(QStringLiteral("why_setting"));
    auto* value = dock()->findChild<QLineEdit*>(QStringLiteral("why_value"));
    QTRY_VERIFY(setting->isVisible() && value->isVisible());
    QVERIFY(setting->count() > 2 && setting->findText(QStringLiteral("seed")) >= 0);
    QTest::mouseClick(named(QStringLiteral("Compare")), Qt::LeftButton);  // without a value it asks for one
    QTRY_VERIFY(value->hasFocus());
    setting->setCurrentText(QStringLiteral("learning_rate"));
    QTest::keyClicks(value, QStringLiteral("0.001"));
    QTest::keyClick(value, Qt::Key_Return);
    answered();
    QVERIFY2(store().error().isEmpty(), qPrintable(store().error()));
    QVERIFY(store().otherTitle().endsWith(QLatin1String(" with learning_rate=0.001")));
    QVERIFY(store().difference().differing > 0);
    QCOMPARE(store().others().size(), 1);  // it can be compared again without training
    QCOMPARE(store().range().last, 10);    // the training itself is what it was
    // What cannot be trained says why.
    QVERIFY(run("why.compare-setting", {QStringLiteral("no_such_setting=1")}));
    answered();
    QVERIFY2(store().error().contains(QLatin1String("no_such_setting")), qPrintable(store().error()));
    QVERIFY(!run("why.compare-setting", {QStringLiteral("learning_rate")}));
    QVERIFY(!run("why.compare-document", {QStringLiteral("nothing")}));
    QVERIFY(!run("why.compare-training", {QStringLiteral("9")}));
  }

  void aComparisonIsCancelled() {
    train(200);
    QVERIFY(run("why.compare-setting", {QStringLiteral("learning_rate=0.001")}));
    QTRY_VERIFY(store().isBusy());
    const auto running = window_->workspace().tasks().running();
    QVERIFY(!running.isEmpty());
    for (const Tasks::Info& task : running) window_->workspace().tasks().cancel(task.id);
    answered();
    QCOMPARE(store().error(), QStringLiteral("Cancelled."));
    QVERIFY(store().others().isEmpty());
    QVERIFY(run("why.ask", {QStringLiteral("logits/MatMul:0[0,0]")}));
    answered();
    QVERIFY2(store().error().isEmpty(), qPrintable(store().error()));
  }

  void anotherDocumentIsTrained() {
    openTemplate();
    const QString first = window_->workspace().current()->title();
    train(8);
    QVERIFY(window_->workspace().current()->title() != first);
    QVERIFY(run("why.compare-document", {first}));
    answered();
    QVERIFY2(store().error().isEmpty(), qPrintable(store().error()));
    QVERIFY(store().difference().same);  // the same template
    QCOMPARE(store().otherTitle(), first);
  }
};

QTEST_MAIN(WhyTest)
#include "tst_why.moc"
