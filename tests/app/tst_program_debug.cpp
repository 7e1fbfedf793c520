#include <QFileInfo>
#include <QSignalSpy>

#include "document/document.h"
#include "document/program_debug.h"
#include "document/program_graphs.h"
#include "document/workspace.h"
#include "program_fixture.h"

using namespace weft::app;

/// Python programs that stop: before lines, and within their steps, where the debugger shows and changes values.
class TestProgramDebug : public ProgramFixture {
  Q_OBJECT

 private slots:
  void init() { workspace_ = std::make_unique<Workspace>(Settings::Kind::InMemory); }
  void cleanup() { workspace_.reset(); }
  void stopsBeforeLines();
  void goesFromLineToLine();
  void conditionsOfLines();
  void endlessLoopsAreStoppedAndWatched();
  void stepsStopAtNodes();
  void tensorsAndConditions();
  void valuesAreSetAndTheStepGoesOn();
  void stepsAreLetGo();
  void failuresStop();
  void programsThatEndWhileTheyStand();
  void linesAreKept();

 private:
  Program& program() { return workspace_->program(); }
  QStringList texts() { return ProgramFixture::texts(program()); }
  ProgramDebug& debug() { return workspace_->programDebug(); }
  DebugController& steps() { return workspace_->debugger(); }
  bool over() { return ProgramFixture::over(program()); }
  int line() { return debug().isAtLine() ? debug().stop().stack.first().line : 0; }
  QString valueOf(const QString& name) {
    for (const ProgramStop::Name& n : debug().stop().names)
      if (n.name == name) return n.text;
    return {};
  }
  /// Runs it to its end, so that its graphs are there and can get breakpoints.
  bool runOnce(const QString& script) {
    if (!program().start(script, {}).isEmpty()) return false;
    return QTest::qWaitFor([&] { return over() && workspace_->tasks().isEmpty() && !workspace_->programGraphs().documents().isEmpty(); }, kLong);
  }
  QString setBreakpoint(const QString& place, const QString& condition = {}) {
    weft::Breakpoint b;
    b.place = place.toStdString();
    b.condition = condition.toStdString();
    return steps().setBreakpoint(workspace_->programGraphs().documents().first(), b);
  }
  QString evaluate(const QString& expression) {
    bool ok = false;
    return steps().evaluate(expression, &ok);
  }
  std::unique_ptr<Workspace> workspace_;
};

static const QByteArray kLines =
    "def twice(n):\n"
    "  m = n * 2\n"
    "  return m\n"
    "total = 0\n"
    "for i in range(5):\n"
    "  total += twice(i)\n"
    "print('total', total)\n";

static const QByteArray kSteps =
    "import tensorflow as tf\n"
    "x = tf.placeholder(tf.float32, [2], name='x')\n"
    "w = tf.Variable(3.0, name='w')\n"
    "y = tf.multiply(x, w, name='y')\n"
    "z = tf.add(y, 1.0, name='z')\n"
    "s = tf.Session()\n"
    "s.run(tf.global_variables_initializer())\n"
    "for i in range(4):\n"
    "  print('z', i, s.run(z, {x: [i, 1]}))\n";

void TestProgramDebug::stopsBeforeLines() {
  const QString script = write("lines.py", kLines);
  debug().setPoint(script, 6);
  QCOMPARE(program().start(script, {}), QString());
  for (int i = 0; i < 2; ++i) {
    QTRY_COMPARE_WITH_TIMEOUT(line(), 6, kLong);
    QCOMPARE(debug().stop().why, QString("breakpoint"));
    QCOMPARE(valueOf("i"), QString::number(i));
    QCOMPARE(debug().goOn("go"), QString());
    QTRY_VERIFY_WITH_TIMEOUT(line() == 0 || valueOf("i") != QString::number(i), kLong);
  }
  QTRY_COMPARE_WITH_TIMEOUT(line(), 6, kLong);
  debug().removePoint(script, 6);
  QCOMPARE(debug().goOn("go"), QString());
  QTRY_VERIFY_WITH_TIMEOUT(over(), kLong);
  QCOMPARE(texts(), QStringList("total 20"));
  QVERIFY(!debug().goOn("go").isEmpty());
}

void TestProgramDebug::goesFromLineToLine() {
  const QString script = write("lines.py", kLines);
  debug().setBreakAtStart(true);
  QCOMPARE(program().start(script, {}), QString());
  QTRY_COMPARE_WITH_TIMEOUT(line(), 1, kLong);
  const auto go = [&](const QString& how, int to) {
    QSignalSpy changed(&debug(), &ProgramDebug::stopChanged);
    debug().goOn(how);
    return QTest::qWaitFor([&] { return changed.count() >= 2 && line() == to; }, kLong);
  };
  QVERIFY(go("over", 4));
  QVERIFY(go("over", 5));
  QVERIFY(go("over", 6));
  QVERIFY(go("into", 2) || line() == 1);
  QCOMPARE(debug().stop().stack.first().function, QString("twice"));
  QCOMPARE(debug().stop().stack.last().line, 6);
  QVERIFY(go("over", 3));
  QCOMPARE(valueOf("m"), QString("0"));
  QVERIFY(go("out", 5) || line() == 6);
  debug().goOn("go");
  QTRY_VERIFY_WITH_TIMEOUT(over(), kLong);
}

void TestProgramDebug::conditionsOfLines() {
  const QString script = write("lines.py", kLines);
  debug().setPoint(script, 6, "i == 3");
  debug().setPoint(script, 7, "no_such_name > 1");
  QCOMPARE(program().start(script, {}), QString());
  QTRY_COMPARE_WITH_TIMEOUT(line(), 6, kLong);
  QCOMPARE(valueOf("i"), QString("3"));
  debug().goOn("go");
  QTRY_COMPARE_WITH_TIMEOUT(line(), 7, kLong);  // one that cannot be computed stops and says why
  QVERIFY2(debug().stop().why.contains("NameError"), qPrintable(debug().stop().why));
  debug().goOn("go");
  QTRY_VERIFY_WITH_TIMEOUT(over(), kLong);
}

void TestProgramDebug::endlessLoopsAreStoppedAndWatched() {
  const QString script = write("loop.py", "n = 0\nwhile True:\n  n += 1\n");
  QCOMPARE(program().start(script, {}), QString());
  QTRY_VERIFY_WITH_TIMEOUT(debug().isAtLine() || (debug().breakSoon(), QTest::qWait(200), debug().isAtLine()), kLong);
  QVERIFY(line() == 2 || line() == 3 || line() == 1);
  debug().goOn("go");
  QTRY_VERIFY_WITH_TIMEOUT(!debug().isAtLine(), kLong);
  debug().setPoint(script, 3);  // while it runs
  QTRY_COMPARE_WITH_TIMEOUT(line(), 3, kLong);
  program().stop();
  QTRY_VERIFY_WITH_TIMEOUT(over(), kLong);
  QVERIFY(!debug().isAtLine());
  QCOMPARE(program().ending(), QString("stopped"));
}

void TestProgramDebug::stepsStopAtNodes() {
  const QString script = write("steps.py", kSteps);
  QVERIFY(runOnce(script));
  QCOMPARE(setBreakpoint("z"), QString());
  QCOMPARE(program().start(script, {}), QString());
  QTRY_VERIFY_WITH_TIMEOUT(steps().isStopped(), kLong);
  QVERIFY(steps().state().ofProgram);
  QCOMPARE(steps().state().node(), QString("z"));
  QCOMPARE(steps().document(), workspace_->programGraphs().documents().first());
  QCOMPARE(workspace_->current(), steps().document());
  QCOMPARE(evaluate("y:0"), QString("[0 3]"));
  DebugTensor tensor;
  steps().readTensor("y:0", DebugController::Which::Present, [&](const DebugTensor& t) { tensor = t; });
  QTRY_VERIFY_WITH_TIMEOUT(tensor.source != nullptr, kLong);
  QCOMPARE(tensor.error, QString());
  DebugPorts ports;
  steps().readPorts([&](const DebugPorts& p) { ports = p; });
  QTRY_COMPARE_WITH_TIMEOUT(int(ports.inputs.size()), 2, kLong);
  QCOMPARE(ports.inputs.first().tensor, QString("y:0"));
  const int at = steps().document()->nodeIndex("y");
  QCOMPARE(int(steps().state().tints[at]), int(weft::widgets::NodeTint::Done));
  QCOMPARE(steps().command(weft::DebugCommand::StepOp), QString());
  QTRY_VERIFY_WITH_TIMEOUT(!steps().isBusy() && steps().state().node() != QString(), kLong);
  QCOMPARE(steps().command(weft::DebugCommand::Continue), QString());
  QTRY_VERIFY_WITH_TIMEOUT(steps().isStopped() && evaluate("y:0") == "[3 3]", kLong);  // the next step
  for (const weft::Breakpoint& b : steps().breakpoints(steps().document())) {
    QVERIFY(b.hits >= 1);
    steps().removeBreakpoint(steps().document(), b.id);
  }
  steps().command(weft::DebugCommand::Continue);
  QTRY_VERIFY_WITH_TIMEOUT(over(), kLong);
  QCOMPARE(texts().last(), QString("z 3 [10.  4.]"));
  QTRY_VERIFY(!steps().isActive());
}

void TestProgramDebug::tensorsAndConditions() {
  const QString script = write("steps.py", kSteps);
  QVERIFY(runOnce(script));
  QCOMPARE(setBreakpoint("y:0", "max > 5"), QString());
  QCOMPARE(program().start(script, {}), QString());
  QTRY_VERIFY_WITH_TIMEOUT(steps().isStopped(), kLong);
  QCOMPARE(steps().state().node(), QString("y"));
  QVERIFY(steps().state().stop.computed);
  QCOMPARE(evaluate("y:0"), QString("[6 3]"));
  steps().command(weft::DebugCommand::Continue);
  QTRY_VERIFY_WITH_TIMEOUT(steps().isStopped() && evaluate("y:0") == "[9 3]", kLong);
  steps().command(weft::DebugCommand::Continue);
  QTRY_VERIFY_WITH_TIMEOUT(over(), kLong);
}

void TestProgramDebug::valuesAreSetAndTheStepGoesOn() {
  const QString script = write("steps.py", kSteps);
  QVERIFY(runOnce(script));
  QCOMPARE(setBreakpoint("z", "step == 2"), QString());
  QCOMPARE(program().start(script, {}), QString());
  QTRY_VERIFY_WITH_TIMEOUT(steps().isStopped(), kLong);
  QCOMPARE(steps().setValue("y:0", "[100,200]"), QString());
  QVERIFY(!steps().setValue("y:0", "[1,2,3]").isEmpty());
  QCOMPARE(evaluate("y:0"), QString("[100 200]"));
  QVERIFY(steps().state().changed().contains("y:0"));
  steps().command(weft::DebugCommand::Continue);
  QTRY_VERIFY_WITH_TIMEOUT(over(), kLong);
  QVERIFY2(texts().contains("z 0 [101. 201.]"), qPrintable(texts().join('\n')));
}

void TestProgramDebug::stepsAreLetGo() {
  const QString script = write("steps.py", kSteps);
  QVERIFY(runOnce(script));
  QCOMPARE(setBreakpoint("z"), QString());
  QCOMPARE(program().start(script, {}), QString());
  QTRY_VERIFY_WITH_TIMEOUT(steps().isStopped(), kLong);
  steps().stop();  // and no step after it stops
  QTRY_VERIFY_WITH_TIMEOUT(over(), kLong);
  QCOMPARE(texts().last(), QString("z 3 [10.  4.]"));
}

void TestProgramDebug::failuresStop() {
  const QString script = write("bad.py",
                               "import tensorflow as tf\n"
                               "p = tf.placeholder(tf.float32, [None], name='p')\n"
                               "a = tf.reshape(p, [2, 2], name='a')\n"
                               "s = tf.Session()\n"
                               "s.run(a, {p: [1, 2, 3, 4]})\n"
                               "s.run(a, {p: [1, 2, 3]})\n");
  QVERIFY(program().start(script, {}).isEmpty());
  QTRY_VERIFY_WITH_TIMEOUT(over() && workspace_->tasks().isEmpty(), kLong);
  QCOMPARE(setBreakpoint("a", "step == 99"), QString());  // steps are watched, and stop where they fail
  setBreakpoint("p");
  QCOMPARE(program().start(script, {}), QString());
  QTRY_VERIFY_WITH_TIMEOUT(steps().isStopped() || over(), kLong);
  while (!over()) {
    if (steps().isStopped() && steps().state().stop.reason == weft::StopReason::Failure) break;
    if (steps().isStopped()) steps().command(weft::DebugCommand::Continue);
    QTest::qWait(50);
  }
  if (!over()) {
    QCOMPARE(steps().state().node(), QString("a"));
    steps().command(weft::DebugCommand::Continue);
  }
  QTRY_VERIFY_WITH_TIMEOUT(over(), kLong);
  QVERIFY(texts().join('\n').contains("InvalidArgumentError"));
}

void TestProgramDebug::programsThatEndWhileTheyStand() {
  const QString script = write("steps.py", kSteps);
  QVERIFY(runOnce(script));
  QCOMPARE(setBreakpoint("z"), QString());
  const int documents = int(workspace_->documents().size());
  QCOMPARE(program().start(script, {}), QString());
  QTRY_VERIFY_WITH_TIMEOUT(steps().isStopped(), kLong);
  program().setPaused(true);  // held as a whole: it is not asked, nothing waits
  bool ok = true;
  steps().evaluate("y:0", &ok);
  QVERIFY(!ok);
  program().stop();
  QTRY_VERIFY_WITH_TIMEOUT(over(), kLong);
  QTRY_VERIFY_WITH_TIMEOUT(!steps().isActive(), kLong);
  QCOMPARE(int(workspace_->documents().size()), documents);
  QVERIFY(!steps().evaluate("y:0", &ok).isEmpty() && !ok);
  QCOMPARE(program().start(script, {}), QString());  // and again
  QTRY_VERIFY_WITH_TIMEOUT(steps().isStopped(), kLong);
}

void TestProgramDebug::linesAreKept() {
  const QString script = write("lines.py", kLines);
  debug().setPoint(script, 7);
  debug().setPoint(script, 2, "n > 1");
  QCOMPARE(debug().points(script), (QVector<LinePoint>{{2, "n > 1"}, {7, ""}}));
  debug().setPoint(script, 2);
  debug().removePoint(script, 7);
  QCOMPARE(debug().points(script), (QVector<LinePoint>{{2, ""}}));
  debug().removePoint(script, 2);
  QVERIFY(debug().files().isEmpty());
  debug().setPoint(folder_.filePath("missing.py"), 3);
  QVERIFY(debug().files().isEmpty());
}

QTEST_MAIN(TestProgramDebug)
#include "tst_program_debug.moc"
