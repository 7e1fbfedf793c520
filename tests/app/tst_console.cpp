#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "document/console.h"
#include "document/document.h"
#include "document/workspace.h"

using namespace weft::app;

/// The interactive Python on a document: statements, errors, continuation lines, taking over results, ending.
class TestConsole : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup();
  void statementsAndErrors();
  void severalLines();
  void graphAndVariablesOfTheDocument();
  void whatMayFollow();
  void takenOverAndUndone();
  void interruptedAndEnded();
  void otherOpsUnderTheSameNameAreRefused();

 private:
  bool ready() {
    return QTest::qWaitFor([&] { return workspace_->console().state() == Console::State::Ready; }, 120000);
  }
  /// The output of a statement.
  QString run(const QString& text) {
    printed_.clear();
    workspace_->console().run(text);
    if (!ready()) return QStringLiteral("not ready");
    return printed_;
  }
  std::unique_ptr<Workspace> workspace_;
  QString printed_, notes_;
};

void TestConsole::init() {
  workspace_ = std::make_unique<Workspace>(Settings::Kind::InMemory);
  printed_.clear();
  notes_.clear();
  connect(&workspace_->console(), &Console::printed, this, [this](Console::Kind kind, const QString& text) {
    if (kind == Console::Kind::Note) notes_ += text;
    else if (kind != Console::Kind::Input) printed_ += text;
  });
}

void TestConsole::cleanup() { workspace_.reset(); }

void TestConsole::statementsAndErrors() {
  QCOMPARE(run("1 + 1"), QString("2\n"));
  QCOMPARE(run("x = 3"), QString());
  QCOMPARE(run("x * x"), QString("9\n"));
  QVERIFY(run("1 / 0").contains("ZeroDivisionError: division by zero"));
  QVERIFY(run("a b").contains("SyntaxError"));
  QVERIFY(run("raise SystemExit(3)").isEmpty());
  QVERIFY(workspace_->console().isAlive());
  QCOMPARE(run("session.run(tf.constant(2) * 21)"), QString("42\n"));
  QVERIFY(run("session.run(tf.placeholder(tf.float32, name='p'))").contains("InvalidArgumentError"));
  QVERIFY(run("tf.nn.reluu").contains("AttributeError"));
  QVERIFY(workspace_->console().history().contains("x * x"));
}

void TestConsole::severalLines() {
  QSignalSpy more(&workspace_->console(), &Console::more);
  run("for i in range(3):");
  QCOMPARE(int(more.count()), 1);
  QCOMPARE(run("for i in range(3):\n    print(i)\n"), QString("0\n1\n2\n"));
  QCOMPARE(run("a = 1\nb = 2\na + b"), QString("3\n"));
}

void TestConsole::graphAndVariablesOfTheDocument() {
  bool done = false;
  workspace_->newFromTemplate("mlp", [&](const QString& error) { done = error.isEmpty(); });
  QTRY_VERIFY_WITH_TIMEOUT(done, 60000);
  const int nodes = workspace_->current()->summary().nodes;
  QCOMPARE(run("len(graph.get_operations())").trimmed().toInt(), nodes);
  QVERIFY2(notes_.contains("initialised"), qPrintable(notes_));
  QCOMPARE(run("tf.get_default_graph() is graph"), QString("True\n"));
  QCOMPARE(run("all(np.isfinite(v).all() for v in session.run(tf.global_variables()))"), QString("True\n"));
  QVERIFY(!workspace_->console().hasChanges());
}

void TestConsole::whatMayFollow() {
  run("value = tf.constant([1.0], name='numbers')");
  QStringList words;
  connect(&workspace_->console(), &Console::completions, this, [&](const Console::Completions& c) { words = c.words; });
  const auto ask = [&](const QString& text) {
    words = {"none came"};
    workspace_->console().complete(text, int(text.size()));
    return QTest::qWaitFor([&] { return words != QStringList{"none came"}; }, 30000);
  };
  QVERIFY(ask("tf.nn.conv2"));
  QVERIFY(words.contains("conv2d"));
  QVERIFY(ask("val"));
  QVERIFY(words.contains("value"));
  QVERIFY(ask("tf.matmul(value, tra"));
  QVERIFY2(words.contains("transpose_a="), qPrintable(words.join(' ')));
  QVERIFY(ask("tf.train.Feature("));  // fields of protocol messages
  QVERIFY2(words.contains("int64_list="), qPrintable(words.join(' ')));
  QVERIFY(ask("tf.train.Int64List(va"));
  QVERIFY2(words.contains("value="), qPrintable(words.join(' ')));
  QVERIFY(ask("graph.get_tensor_by_name('num"));
  QCOMPARE(words, QStringList("numbers"));
  QVERIFY(ask("no.such.thing"));
  QVERIFY(words.isEmpty());
  QString help;
  connect(&workspace_->console(), &Console::helpArrived, this, [&](const QString& text) { help = text; });
  workspace_->console().describe("tf.nn.relu", 9);
  QTRY_VERIFY_WITH_TIMEOUT(help.startsWith("tf.nn.relu("), 30000);
  workspace_->console().describe("tf.train.Feature(", 17);
  QTRY_VERIFY_WITH_TIMEOUT(help.contains("int64_list: Int64List"), 30000);
}

void TestConsole::takenOverAndUndone() {
  bool done = false;
  workspace_->newFromTemplate("mlp", [&](const QString& error) { done = error.isEmpty(); });
  QTRY_VERIFY_WITH_TIMEOUT(done, 60000);
  Document* document = workspace_->current();
  const int nodes = document->summary().nodes, variables = document->summary().variables;
  run("extra = tf.Variable(1.5, name='extra')");
  QVERIFY(workspace_->console().hasChanges());
  QString error = "none";
  workspace_->console().takeOver([&](const QString& e) { error = e; });
  QTRY_VERIFY_WITH_TIMEOUT(error != "none", 60000);
  QCOMPARE(error, QString());
  QVERIFY(document->hasNode("extra") && document->hasNode("extra/Assign"));
  QCOMPARE(document->summary().variables, variables + 1);
  QVERIFY(!workspace_->console().hasChanges());
  QCOMPARE(document->history().count(), 1);
  done = false;
  document->undo([&](const QString&) { done = true; });
  QTRY_VERIFY(done);
  QCOMPARE(document->summary().nodes, nodes);
}

void TestConsole::interruptedAndEnded() {
  run("pass");
  Console& console = workspace_->console();
  console.run("while True: pass");
  QTRY_COMPARE(int(console.state()), int(Console::State::Busy));
  QTest::qWait(300);
  printed_.clear();
  console.interrupt();
  QVERIFY(ready());
  QVERIFY2(printed_.contains("KeyboardInterrupt"), qPrintable(printed_));
  QCOMPARE(run("'still ' + 'here'"), QString("'still here'\n"));
  console.run("import os; os._exit(7)");
  QTRY_COMPARE_WITH_TIMEOUT(int(console.state()), int(Console::State::Ended), 30000);
  QVERIFY2(notes_.contains("7"), qPrintable(notes_));
  QCOMPARE(run("2 + 2"), QString("4\n"));  // another one
}

void TestConsole::otherOpsUnderTheSameNameAreRefused() {
  bool done = false;
  workspace_->newFromTemplate("empty", [&](const QString& error) { done = error.isEmpty(); });
  QTRY_VERIFY_WITH_TIMEOUT(done, 60000);
  Document* document = workspace_->current();
  run("c = tf.constant(1, name='same')");
  QString error = "none";
  const ParsedEdit edit = editFromWords("graph.add", {"Placeholder", "--name", "same"}, {}, {});
  QVERIFY2(edit.error.isEmpty(), qPrintable(edit.error));
  document->apply(edit.edit, [&](const QString& e) { error = e; });
  QTRY_COMPARE(error, QString());
  error = "none";
  workspace_->console().takeOver([&](const QString& e) { error = e; });
  QTRY_VERIFY_WITH_TIMEOUT(error != "none", 60000);
  QVERIFY2(error.contains("same"), qPrintable(error));
}

QTEST_MAIN(TestConsole)
#include "tst_console.moc"
