// Checkpoints under other names, edited copies of checkpoints, and graphs compared by structure: the dialogs and commands in a window.
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTableWidget>
#include <QTimer>
#include <QToolButton>

#include "document/checkpoint_graph.h"
#include "document/file_tab.h"
#include "document/name_mapping.h"
#include "main_window/checkpoint_copy_dialog.h"
#include "main_window/difference_marks.h"
#include "main_window/name_proposals_dialog.h"
#include "shell/action_registry.h"
#include "weft/checkpoint.h"
#include "window_fixture.h"

using namespace weft;
using namespace weft::app;

namespace {

QByteArray variable(const QByteArray& name, const QList<int>& shape) {
  QByteArray dims;
  for (const int d : shape) dims += " dim { size: " + QByteArray::number(d) + " }";
  return "node { name: \"" + name + "\" op: \"VariableV2\" attr { key: \"dtype\" value { type: DT_FLOAT } } attr { key: \"shape\" value { shape {" + dims +
         " } } } }\n";
}

/// x -> SCOPE/first (Relu) -> SCOPE/second (Relu or another op).
QByteArray chain(const QByteArray& scope, const QByteArray& last) {
  const QByteArray type = " attr { key: \"T\" value { type: DT_FLOAT } } }\n";
  return "node { name: \"x\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_FLOAT } } }\nnode { name: \"" + scope +
         "/first\" op: \"Relu\" input: \"x\"" + type + "node { name: \"" + scope + "/second\" op: \"" + last + "\" input: \"" + scope + "/first\"" + type;
}

Tensor filled(std::initializer_list<int64_t> dims, float value) {
  Tensor out = Tensor::zeros(DType::Float, Shape(dims));
  for (int64_t i = 0; i < out.elements(); ++i) out.mutableData<float>()[i] = value + float(i);
  return out;
}

}  // namespace

class CheckpointSurgeryTest : public WindowFixture {
  Q_OBJECT

  QString graph_, checkpoint_;

  Workspace& workspace() { return window_->workspace(); }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!workspace().isBusy() && workspace().tasks().isEmpty(), 60000); }
  CommandResult give(const QString& id, const QStringList& words = {}) {
    CommandResult result = window_->actionRegistry().run(id, words);
    if (!result.later) return result;
    std::optional<CommandResult> later;
    if (!QTest::qWaitFor([&] { return (later = result.later()).has_value(); }, 60000)) return CommandResult::failed(QStringLiteral("timed out"));
    return *later;
  }
  void openBoth() {
    open(graph_);
    workspace().open(checkpoint_);
    QTRY_VERIFY_WITH_TIMEOUT(workspace().currentFile(), 30000);
    settle();
    window_->useLayout(QStringLiteral("inspect"));
    settle();
  }
  NameMapping& mapping() { return NameMapping::of(*workspace().currentFile()); }
  template <typename T>
  T* shown(const char* name) {
    for (T* w : window_->findChildren<T*>(QLatin1String(name)))
      if (w->isVisible()) return w;
    return nullptr;
  }
  /// Answers the next dialog for a file name.
  void answerSave(const QString& path) {
    auto* timer = new QTimer(this);
    connect(timer, &QTimer::timeout, this, [this, path, timer] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (!dialog) return;
      timer->deleteLater();
      dialog->selectFile(path);
      dialog->findChild<QLineEdit*>()->setText(path);
      QMetaObject::invokeMethod(dialog, "accept", Qt::QueuedConnection);
    });
    timer->start(20);
  }
  std::vector<std::string> namesIn(const QString& prefix) {
    std::vector<std::string> out;
    const auto reader = CheckpointReader::open(prefix.toStdString());
    if (!reader.ok()) return {reader.error().message};
    for (const CheckpointEntry& e : (*reader)->tensors()) out.push_back(e.name);
    return out;
  }
  using Names = std::vector<std::string>;

 private slots:
  void initTestCase() {
    keepToOwnFolder();
    graph_ = write("net.pbtxt", variable("model/w", {2, 3}) + variable("model/b", {3}) + variable("model/u", {3, 4}) + variable("scale", {5}));
    checkpoint_ = folder_.filePath("trained");
    auto writer = CheckpointWriter::create(checkpoint_.toStdString());
    QVERIFY(writer.ok());
    // Sorted: the writer takes names in order.
    QVERIFY((*writer)->add("factor", filled({5}, 9)).ok());
    QVERIFY((*writer)->add("old/b", filled({3}, 1)).ok());
    QVERIFY((*writer)->add("old/u", filled({3, 4}, 2)).ok());
    QVERIFY((*writer)->add("old/w", filled({2, 3}, 70000)).ok());
    QVERIFY((*writer)->finish().ok());
  }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  void proposalsAreTakenAndUndone() {
    openBoth();
    QTRY_VERIFY(shown<QPushButton>("propose_names"));
    QTest::mouseClick(shown<QPushButton>("propose_names"), Qt::LeftButton);
    QTRY_VERIFY(shown<QDialog>("name_proposals_dialog"));
    auto* dialog = qobject_cast<NameProposalsDialog*>(shown<QDialog>("name_proposals_dialog"));
    auto* table = dialog->findChild<QTableWidget*>("name_proposals");
    QCOMPARE(table->rowCount(), 4);
    QCOMPARE(table->item(0, 0)->text(), QStringLiteral("model/w"));
    QCOMPARE(table->item(0, 1)->text(), QStringLiteral("old/w"));
    QCOMPARE(table->item(0, 2)->text(), QStringLiteral("95 %"));
    QVERIFY2(table->item(0, 3)->text().contains("old/"), qPrintable(table->item(0, 3)->text()));
    QVERIFY(table->item(3, 3)->text().contains("only"));
    QCOMPARE(dialog->mapping().size(), 4);
    dialog->findChild<QSpinBox*>("take_percent")->setValue(90);
    QTest::mouseClick(dialog->findChild<QPushButton*>("take_above"), Qt::LeftButton);
    QCOMPARE(dialog->mapping().size(), 3);
    QVERIFY(!dialog->mapping().contains("scale"));
    // By keyboard: Space toggles the row, whichever column is current.
    table->setCurrentCell(3, 3);
    QTest::keyClick(table, Qt::Key_Space);
    QCOMPARE(dialog->mapping().value("scale"), QStringLiteral("factor"));
    QTest::keyClick(table, Qt::Key_Space);
    QTest::keyClick(table, Qt::Key_Return);
    QTRY_VERIFY(!shown<QDialog>("name_proposals_dialog"));
    QCOMPARE(mapping().keys().size(), 3);
    QTRY_VERIFY(shown<QPushButton>("undo_mapping"));
    QTest::mouseClick(shown<QPushButton>("undo_mapping"), Qt::LeftButton);
    QTRY_VERIFY(mapping().keys().isEmpty());
    QVERIFY(!window_->actionRegistry().disabledReason("inspect.undo-map").isEmpty());
  }
  void noneCanBeUsedWithoutAChoice() {
    openBoth();
    QVERIFY(give("inspect.propose-names").ok);
    auto* dialog = window_->findChild<NameProposalsDialog*>();
    QTest::mouseClick(dialog->findChild<QPushButton*>("take_none"), Qt::LeftButton);
    QVERIFY(!dialog->findChild<QPushButton*>("use_names")->isEnabled());
    QVERIFY(!dialog->findChild<QPushButton*>("write_renamed")->isEnabled());
    // Closing the checkpoint closes the dialog.
    QVERIFY(give("file.close").ok);
    QTRY_VERIFY(!window_->findChild<NameProposalsDialog*>());
  }
  void aRenamedCheckpointIsWritten() {
    openBoth();
    QVERIFY(give("inspect.propose-names").ok);
    auto* dialog = window_->findChild<NameProposalsDialog*>();
    const QString out = folder_.filePath("renamed");
    answerSave(out);
    QTest::mouseClick(dialog->findChild<QPushButton*>("write_renamed"), Qt::LeftButton);
    settle();
    QCOMPARE(namesIn(out), (Names{"model/b", "model/u", "model/w", "scale"}));
    QTRY_VERIFY(!window_->findChild<NameProposalsDialog*>());
    // It fits without a mapping.
    workspace().open(out + ".index");
    QTRY_COMPARE_WITH_TIMEOUT(workspace().files().size(), 2, 30000);
    settle();
    const CommandResult again = give("inspect.propose-names");
    QVERIFY(!again.ok);
    QVERIFY2(again.message.contains("nothing to propose"), qPrintable(again.message));
  }
  void scriptsTakeProposalsByConfidence() {
    openBoth();
    QVERIFY2(give("inspect.propose-names", {"90"}).ok, "90");
    QCOMPARE(mapping().keys().size(), 3);
    QVERIFY(!give("inspect.propose-names", {"90"}).ok);  // the rest is less certain
    QVERIFY(give("inspect.propose-names", {"50"}).ok);
    QCOMPARE(mapping().keys().size(), 4);
    QVERIFY(give("inspect.undo-map").ok);
    QCOMPARE(mapping().keys().size(), 3);
    for (const char* wrong : {"101", "-1", "much"}) {
      const CommandResult r = give("inspect.propose-names", {wrong});
      QVERIFY(!r.ok);
      QVERIFY2(r.message.contains(wrong), qPrintable(r.message));
    }
  }

  void aCopyIsChosenPreviewedAndWritten() {
    openBoth();
    QTRY_VERIFY(shown<QToolButton>("file_action_inspect.save-copy"));
    QTest::mouseClick(shown<QToolButton>("file_action_inspect.save-copy"), Qt::LeftButton);
    auto* dialog = window_->findChild<CheckpointCopyDialog*>();
    QVERIFY(dialog);
    auto* save = dialog->findChild<QPushButton*>("save_copy");
    auto* table = dialog->findChild<QTableView*>("copy_table");
    auto* summary = dialog->findChild<QLabel*>("copy_summary");
    QTRY_VERIFY(save->isEnabled());
    QVERIFY2(summary->text().contains("4 variables"), qPrintable(summary->text()));
    dialog->findChild<QLineEdit*>("copy_filter")->setText("FACTOR");
    QCOMPARE(table->model()->rowCount(), 1);
    QTest::mouseClick(dialog->findChild<QPushButton*>("uncheck_shown"), Qt::LeftButton);
    dialog->findChild<QLineEdit*>("copy_filter")->clear();
    dialog->findChild<QLineEdit*>("copy_pattern")->setText("^old/(.)$");
    dialog->findChild<QLineEdit*>("copy_replacement")->setText("new/$1");
    dialog->findChild<QComboBox*>("copy_type")->setCurrentText("float16");
    dialog->findChild<QSpinBox*>("copy_shards")->setValue(2);
    QVERIFY(!save->isEnabled());
    QTRY_VERIFY(save->isEnabled());
    QVERIFY2(summary->text().contains("3 renamed") && summary->text().contains("3 converted"), qPrintable(summary->text()));
    QCOMPARE(table->model()->index(1, 1).data().toString(), QStringLiteral("new/b"));
    QVERIFY(table->model()->index(1, 2).data().toString().contains("float16"));
    QVERIFY(table->model()->index(0, 1).data().toString().isEmpty());
    const QString out = folder_.filePath("copied");
    answerSave(out);
    QTest::mouseClick(save, Qt::LeftButton);
    settle();
    QCOMPARE(namesIn(out), (Names{"new/b", "new/u", "new/w"}));
    QVERIFY(QFile::exists(out + ".data-00001-of-00002"));
    // 70000 does not fit into float16.
    const QString said = window_->shownMessages().join(u'\n');
    QVERIFY2(said.contains("copied") && said.contains("/w"), qPrintable(said));
  }
  void mistakesInACopyAreExplained() {
    openBoth();
    QVERIFY(give("inspect.save-copy").ok);
    auto* dialog = window_->findChild<CheckpointCopyDialog*>();
    auto* save = dialog->findChild<QPushButton*>("save_copy");
    auto* summary = dialog->findChild<QLabel*>("copy_summary");
    auto* pattern = dialog->findChild<QLineEdit*>("copy_pattern");
    QTRY_VERIFY(save->isEnabled());
    for (const auto& [typed, said] : {std::pair("(", "regular expression"), std::pair("nothing", "matches no tensor"), std::pair("old/.", "would be named")}) {
      pattern->setText(typed);
      dialog->findChild<QLineEdit*>("copy_replacement")->setText("one");
      QTRY_VERIFY2(summary->text().contains(said), qPrintable(summary->text()));
      QVERIFY(!save->isEnabled());
    }
    pattern->clear();
    dialog->findChild<QSpinBox*>("copy_shards")->setValue(9);
    QTRY_VERIFY2(summary->text().contains("9 data files"), qPrintable(summary->text()));
    dialog->findChild<QSpinBox*>("copy_shards")->setValue(1);
    dialog->findChild<QComboBox*>("copy_type")->setCurrentText("bfloat16");
    dialog->findChild<QComboBox*>("copy_version")->setCurrentIndex(1);
    QTRY_VERIFY2(summary->text().contains("version 1"), qPrintable(summary->text()));
    QTRY_VERIFY(!save->isEnabled());
    // By keyboard: Space in the table unchecks all selected rows.
    dialog->findChild<QComboBox*>("copy_version")->setCurrentIndex(0);
    auto* table = dialog->findChild<QTableView*>("copy_table");
    table->setFocus();
    table->selectAll();
    QTest::keyClick(table, Qt::Key_Space);
    QTRY_VERIFY2(summary->text().contains("No variable is left"), qPrintable(summary->text()));
  }
  void scriptsWriteCopies() {
    openBoth();
    const QString out = folder_.filePath("script/v1");
    QVERIFY(QDir().mkpath(folder_.filePath("script")));
    const CommandResult done = give("inspect.save-copy", {out, "keep=^old", "drop=/u$", "rename=old=>net", "version=1"});
    QVERIFY2(done.ok, qPrintable(done.message));
    QCOMPARE(namesIn(out), (Names{"net/b", "net/w"}));
    QVERIFY(!QFile::exists(out + ".index"));
    const std::pair<QStringList, const char*> wrong[] = {
        {{checkpoint_}, "being read"},         {{folder_.path()}, "folder"},        {{out, "shards=0"}, "shards"}, {{out, "type=int32"}, "int32"},
        {{out, "rename=old"}, "PATTERN=>NEW"}, {{out, "colour=red"}, "colour=red"}, {{graph_ + "/x"}, "net.pbtxt"}};
    for (const auto& [words, said] : wrong) {
      const CommandResult r = give("inspect.save-copy", words);
      QVERIFY(!r.ok);
      QVERIFY2(r.message.contains(said), qPrintable(r.message));
    }
  }
  void onlyCheckpointsHaveCopies() {
    openTemplate();
    for (const char* id : {"inspect.save-copy", "inspect.propose-names", "inspect.undo-map"})
      QVERIFY2(window_->actionRegistry().disabledReason(id).contains("checkpoint"), id);
  }

  void renamedNodesMatchByStructure() {
    const QString other = write("other.pbtxt", chain("tower", "Relu")), mine = write("mine.pbtxt", chain("net", "Relu"));
    open(mine);
    QVERIFY(give("file.compare-with", {other}).ok);
    settle();
    DifferenceMarks* marks = DifferenceMarks::of(workspace().current());
    QCOMPARE(marks->difference().removed, (QStringList{"net/first", "net/second"}));
    QVERIFY(give("file.compare-structure", {"on"}).ok);
    settle();
    QVERIFY(marks->difference().removed.isEmpty() && marks->difference().added.isEmpty() && marks->difference().changed.isEmpty());
    QCOMPARE(marks->difference().renamed, (QVector<QPair<QString, QString>>{{"net/first", "tower/first"}, {"net/second", "tower/second"}}));
    QVERIFY(window_->actionRegistry().action("file.compare-structure")->isChecked());
    // A message's button switches back.
    QVERIFY(give("message.press", {"Match by names"}).ok);
    settle();
    QTRY_COMPARE(marks->difference().removed.size(), 2);
    QVERIFY(!give("file.compare-structure", {"perhaps"}).ok);
  }
  void realDifferencesRemainByStructure() {
    const QString other = write("changed.pbtxt", chain("tower", "Tanh")), mine = write("mine.pbtxt", chain("net", "Relu"));
    open(mine);
    QVERIFY(give("file.compare-structure", {"on"}).ok);
    QVERIFY(give("file.compare-with", {other}).ok);
    settle();
    const GraphDifference& d = DifferenceMarks::of(workspace().current())->difference();
    QCOMPARE(d.removed, QStringList{"net/second"});
    QCOMPARE(d.added, QStringList{"tower/second"});
    QCOMPARE(d.renamed.size(), 1);
    QCOMPARE(d.missing.size(), 1);
  }
};

QTEST_MAIN(CheckpointSurgeryTest)
#include "tst_checkpoint_surgery.moc"
