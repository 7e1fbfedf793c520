// Expressions in the window: typed in the Inspector with completion, kept and shown there, names and fields in the dock Parameters, undo and redo.
#include <QCheckBox>
#include <QComboBox>
#include <QMenu>
#include <QPushButton>
#include <QTreeWidget>

#include "adapters/expression_facts.h"
#include "adapters/sweep_job.h"
#include "layers_fixture.h"
#include "shell/action_registry.h"
#include "views/parameters/expression_table.h"
#include "weft/expressions.h"

using namespace weft::app;

class ExpressionsTest : public LayersFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  void aFieldOfALayerFollowsWhatIsTyped() {
    chain();
    ok("parameter.set", {"width=24"});
    QLineEdit* field = fieldOf(QStringLiteral("first"), QStringLiteral("units"));
    QVERIFY(field);
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("=2*wid"));
    // The names that fit are offered; Return takes the first one.
    auto* list = field->findChild<QAbstractItemView*>(QStringLiteral("expression_words"));
    if (!list) list = popup();
    QVERIFY(list);
    QTRY_VERIFY(list->isVisible());
    QTest::keyClick(list, Qt::Key_Return);
    QTRY_COMPARE(field->text(), QStringLiteral("=2*width"));
    // What it gives stands beneath before the edit.
    QTRY_COMPARE(noteUnder(QStringLiteral("units")), QStringLiteral("= 48"));
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(shape(QStringLiteral("first/kernel")), QStringLiteral("[16,48]"));
    QCOMPARE(document()->history().undoText(), QStringLiteral("Change first"));
    // It stays an expression, with a mark.
    QTRY_VERIFY(fieldOf(QStringLiteral("first"), QStringLiteral("units")) &&
                fieldOf(QStringLiteral("first"), QStringLiteral("units"))->text() == QLatin1String("=2*width"));
    QTRY_VERIFY(mark(QStringLiteral("units")));
    QCOMPARE(noteUnder(QStringLiteral("units")), QStringLiteral("= 48"));
    ok("parameter.set", {"width=10"});
    QCOMPARE(shape(QStringLiteral("first/kernel")), QStringLiteral("[16,20]"));
    QVERIFY(run("edit.undo"));
    QTRY_COMPARE(shape(QStringLiteral("first/kernel")), QStringLiteral("[16,48]"));
    QVERIFY(run("edit.undo"));
    QTRY_COMPARE(shape(QStringLiteral("first/kernel")), QStringLiteral("[16,32]"));
    QVERIFY(followedFacts(*document()->contents()).isEmpty());
    QVERIFY(run("edit.redo"));
    QTRY_COMPARE(shape(QStringLiteral("first/kernel")), QStringLiteral("[16,48]"));
  }

  void whatCannotBeStandsAtTheField() {
    chain();
    ok("parameter.set", {"width=5"});
    const int steps = document()->history().count();
    for (const auto& [typed, problem] : {std::pair("=width/2", "first.units = width/2 is 2.5, expected a whole number"),
                                         std::pair("=2*widht", "first.units = 2*widht: there is no name widht; did you mean width?"),
                                         std::pair("=width/(width-5)", "first.units = width/(width-5): 5 / 0 is a division by zero"),
                                         std::pair("=first.units", "first.units = first.units: a circle: first.units → first.units")}) {
      QLineEdit* field = fieldOf(QStringLiteral("first"), QStringLiteral("units"));
      QVERIFY(field);
      field->setFocus();
      field->setText(QString());
      QTest::keyClicks(field, QLatin1String(typed));
      if (popup()) popup()->hide();
      QTRY_VERIFY2(editor(QStringLiteral("units"))->problem().contains(QString::fromUtf8(problem)), qPrintable(editor(QStringLiteral("units"))->problem()));
      QTest::keyClick(field, Qt::Key_Return);
      QTest::qWait(50);
      QCOMPARE(document()->history().count(), steps);
    }
    // Below 1 is found when the layer is set.
    QLineEdit* field = fieldOf(QStringLiteral("first"), QStringLiteral("units"));
    field->setFocus();
    field->setText(QString());
    QTest::keyClicks(field, QStringLiteral("=width-9"));
    if (popup()) popup()->hide();
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_VERIFY2(editor(QStringLiteral("units"))->problem().contains(QLatin1String("units is -4, expected 1 to 2147483647")),
                 qPrintable(editor(QStringLiteral("units"))->problem()));
    QCOMPARE(document()->history().count(), steps);
    // Esc brings the value back.
    QTest::keyClick(field, Qt::Key_Escape);
    QTRY_COMPARE(editor(QStringLiteral("units"))->findChild<QLineEdit*>()->text(), QStringLiteral("32"));
  }

  void aTypedValueEndsAnExpression() {
    chain();
    ok("graph.set", {"first", "units==4*4"});
    QLineEdit* field = fieldOf(QStringLiteral("first"), QStringLiteral("units"));
    QVERIFY(field);
    QTRY_COMPARE(field->text(), QStringLiteral("=4*4"));
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("16"));  // the value that it has
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_VERIFY(followedFacts(*document()->contents()).isEmpty());
    QCOMPARE(shape(QStringLiteral("first/kernel")), QStringLiteral("[16,16]"));
  }

  void listsSwitchesAndChoicesTakeExpressions() {
    QVERIFY(run("file.new-empty"));
    QTRY_VERIFY(document() && window_->canvas());
    ok("graph.add", {"Placeholder", "--name", "x", "--set", "dtype=float32", "--set", "shape=[?,28,28,1]"});
    ok("graph.add", {"layers.conv2d", "--name", "conv", "--from", "x:0", "--set", "filters=4", "--set", "kernel_size=[3,3]"});
    ok("parameter.set", {"k=5", "tight=true"});
    // A list has a field for each element: = makes one of them.
    QLineEdit* field = fieldOf(QStringLiteral("conv"), QStringLiteral("kernel_size"));
    QVERIFY(field);
    QCOMPARE(editor(QStringLiteral("kernel_size"))->findChildren<QLineEdit*>().size(), 2);
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("="));
    QLineEdit* whole = nullptr;
    for (QLineEdit* f : editor(QStringLiteral("kernel_size"))->findChildren<QLineEdit*>())
      if (!f->isHidden()) whole = f;
    QVERIFY(whole && whole->text() == QLatin1String("="));
    QTest::keyClicks(whole, QStringLiteral("[k, k - 2]"));
    if (popup()) popup()->hide();
    QTest::keyClick(whole, Qt::Key_Return);
    QTRY_COMPARE(shape(QStringLiteral("conv/kernel")), QStringLiteral("[5,3,1,4]"));
    // The key = on a choice and on a switch.
    QTRY_VERIFY(select({"conv"}) && editor(QStringLiteral("padding")) && editor(QStringLiteral("padding"))->findChild<QComboBox*>());
    QTest::qWait(300);
    auto* choice = editor(QStringLiteral("padding"))->findChild<QComboBox*>();
    choice->setFocus();
    QTest::keyClick(choice, Qt::Key_Equal);
    QTRY_VERIFY(visibleField(QStringLiteral("padding")));
    QTest::keyClicks(visibleField(QStringLiteral("padding")), QStringLiteral("'same' if tight else 'valid'"));
    if (popup()) popup()->hide();
    QTest::keyClick(visibleField(QStringLiteral("padding")), Qt::Key_Return);
    QTRY_COMPARE(followedFacts(*document()->contents()).size(), 2);
    QCOMPARE(followedFacts(*document()->contents())[1].value, QStringLiteral("same"));
    ok("parameter.set", {"tight=false"});
    QCOMPARE(followedFacts(*document()->contents())[1].value, QStringLiteral("valid"));
  }

  void theDockAddsRenamesAndChangesNames() {
    chain();
    QVERIFY(run("view.show", {QStringLiteral("parameters")}));
    auto* names = window_->findChild<ExpressionTable*>(QStringLiteral("parameter_names"));
    QTRY_VERIFY(names && names->isVisible());
    addRow(QStringLiteral("parameter_name"), QStringLiteral("width"), QStringLiteral("8"));
    QTRY_COMPARE(names->topLevelItemCount(), 1);
    addRow(QStringLiteral("parameter_name"), QStringLiteral("double"), QStringLiteral("2*width"));
    QTRY_COMPARE(names->topLevelItemCount(), 2);
    QCOMPARE(names->topLevelItem(1)->text(2), QStringLiteral("16"));
    addRow(QStringLiteral("parameter_field"), QStringLiteral("first.units"), QStringLiteral("double"));
    QTRY_COMPARE(shape(QStringLiteral("first/kernel")), QStringLiteral("[16,16]"));
    auto* fields = window_->findChild<ExpressionTable*>(QStringLiteral("parameter_fields"));
    QTRY_COMPARE(fields->topLevelItemCount(), 1);
    // In place: F2 on the expression.
    const int steps = document()->history().count();
    names->setCurrentItem(names->topLevelItem(0), 1);
    names->setFocus();
    QTest::keyClick(names, Qt::Key_F2);
    auto* cell = names->findChild<QLineEdit*>(QStringLiteral("parameter_expression_cell"));
    QTRY_VERIFY(cell);
    cell->selectAll();
    QTest::keyClicks(cell, QStringLiteral("12"));
    QTest::keyClick(cell, Qt::Key_Return);
    QTRY_COMPARE(shape(QStringLiteral("first/kernel")), QStringLiteral("[16,24]"));
    QCOMPARE(document()->history().count(), steps + 1);
    QCOMPARE(document()->history().undoText(), QStringLiteral("Set width"));
    QTRY_COMPARE(names->topLevelItem(1)->text(2), QStringLiteral("24"));
    // Renamed, with all that use it.
    names->editItem(names->topLevelItem(0), 0);
    cell = names->findChild<QLineEdit*>(QStringLiteral("parameter_name_cell"));
    QTRY_VERIFY(cell);
    cell->selectAll();
    QTest::keyClicks(cell, QStringLiteral("size"));
    QTest::keyClick(cell, Qt::Key_Return);
    QTRY_COMPARE(names->topLevelItem(0)->text(0), QStringLiteral("size"));
    QTRY_COMPARE(names->topLevelItem(1)->text(1), QStringLiteral("2*size"));
    // What is used stays, and the dock says by what.
    names->setCurrentItem(names->topLevelItem(0), 0);
    names->setFocus();
    QTest::keyClick(names, Qt::Key_Delete);
    auto* message = window_->findChild<QLabel*>(QStringLiteral("parameter_message"));
    QTRY_COMPARE(message->text(), QStringLiteral("size is used by double: change those first"));
    // The field is released; its value stays.
    fields->setCurrentItem(fields->topLevelItem(0));
    QTest::mouseClick(named(QStringLiteral("Release")), Qt::LeftButton);
    QTRY_COMPARE(fields->topLevelItemCount(), 0);
    QCOMPARE(shape(QStringLiteral("first/kernel")), QStringLiteral("[16,24]"));
  }

  void theDockSaysWhatIsWrong() {
    chain();
    QVERIFY(run("view.show", {QStringLiteral("parameters")}));
    auto* message = window_->findChild<QLabel*>(QStringLiteral("parameter_message"));
    addRow(QStringLiteral("parameter_name"), QStringLiteral("2x"), QStringLiteral("8"));
    QTRY_COMPARE(message->text(), QStringLiteral("'2x' cannot be a name: expected a letter or _, then letters, digits and _"));
    addRow(QStringLiteral("parameter_field"), QStringLiteral("first.unit"), QStringLiteral("8"));
    QTRY_COMPARE(message->text(), QStringLiteral("first: layers.dense has no parameter unit; it has units, activation, use_bias"));
    // While it is typed, the dock says what would be.
    auto* left = window_->findChild<QLineEdit*>(QStringLiteral("parameter_field"));
    auto* right = window_->findChild<QLineEdit*>(QStringLiteral("parameter_field_expression"));
    left->setText(QStringLiteral("first.units"));
    right->clear();
    QTest::keyClicks(right, QStringLiteral("second.units*2"));
    if (popup()) popup()->hide();
    QTRY_COMPARE(message->text(), QStringLiteral("first.units would be 32"));
  }

  void trainingSettingsFollow() {
    openTemplate();
    ok("parameter.set", {"scale=2"});
    ok("parameter.follow", {"batch_size=16*scale", "learning_rate=0.001*batch_size/32"});
    const auto facts = followedFacts(*document()->contents());
    QCOMPARE(facts.size(), 2);
    QCOMPARE(facts[0].value, QStringLiteral("32"));
    QCOMPARE(facts[1].value, QStringLiteral("0.001"));
    ok("parameter.set", {"scale=4"});
    QCOMPARE(followedFacts(*document()->contents())[0].value, QStringLiteral("64"));
    QCOMPARE(followedFacts(*document()->contents())[1].value, QStringLiteral("0.002"));
    // A batch size typed in the run bar holds; the rate still follows it.
    ok("graph.set-training", {"--batch", "8"});
    const auto now = followedFacts(*document()->contents());
    QCOMPARE(now.size(), 1);
    QCOMPARE(now[0].value, QStringLiteral("0.00025"));
    // The dock Experiments can vary the name.
    const auto offered = sweepParameters(*document()->contents());
    QVERIFY(std::any_of(offered.begin(), offered.end(), [](const SweepParameterInfo& p) { return p.name == QLatin1String("scale"); }));
  }

  void aFileWithACircleOpensAndCanBeMended() {
    chain();
    ok("parameter.follow", {"first.units=second.units*2"});
    const QString path = folder_.filePath(QStringLiteral("circle.weft"));
    ok("file.save", {path});
    // As a damaged file has it: both fields follow each other.
    auto loaded = weft::loadGraphFile(path.toStdString());
    QVERIFY(loaded.ok());
    setFollowedFields(loaded->meta, {{"first.units", "second.units", {}}, {"second.units", "first.units", {}}});
    setNamedValues(loaded->meta, {{"width", "8", {}, {}}});
    QVERIFY(saveGraphFile(loaded->meta, weft::GraphFormat::MetaBinary, folder_.filePath(QStringLiteral("damaged.weft")).toStdString()).ok());
    open(folder_.filePath(QStringLiteral("damaged.weft")));
    const auto circles = [this] {
      int count = 0;
      for (const Problem& p : document()->contents()->problems)
        count += p.message.contains(QStringLiteral("a circle: first.units → second.units → first.units"));
      return count;
    };
    QCOMPARE(circles(), 1);
    ok("graph.set", {"first", "activation=tanh"});
    QCOMPARE(circles(), 1);
    ok("parameter.follow", {"second.units=width"});
    QCOMPARE(circles(), 0);
    QCOMPARE(shape(QStringLiteral("first/kernel")), QStringLiteral("[16,8]"));
  }

  void theMenusStayLow() {
    chain();
    for (QMenu* menu : window_->findChildren<QMenu*>())
      if (!menu->title().isEmpty()) QVERIFY2(menu->sizeHint().height() <= 760, qPrintable(menu->title() + QString::number(menu->sizeHint().height())));
  }

  void inChinese() {
    chain();
    QVERIFY(run("view.show", {QStringLiteral("parameters")}));
    window_->setLanguage("zh_CN");
    QTRY_VERIFY(named(QStringLiteral("解除")));
  }

 private:
  QString noteUnder(const QString& name) { return editor(name) ? editor(name)->result() : QString(); }
  /// Types a row into the line beneath a table.
  void addRow(const QString& line, const QString& left, const QString& expression) {
    auto* name = window_->findChild<QLineEdit*>(line);
    auto* field = window_->findChild<QLineEdit*>(line + QStringLiteral("_expression"));
    QVERIFY(name && field);
    name->setText(left);
    field->clear();
    field->setFocus();
    QTest::keyClicks(field, expression);
    if (popup()) popup()->hide();
    QTest::mouseClick(window_->findChild<QPushButton*>(line + QStringLiteral("_add")), Qt::LeftButton);
  }
};

QTEST_MAIN(ExpressionsTest)
#include "tst_app_expressions.moc"
