#include <QDir>
#include <QFileInfo>
#include <QSignalSpy>

#include "document/document.h"
#include "document/program_graphs.h"
#include "document/program_sessions.h"
#include "document/workspace.h"
#include "program_fixture.h"

using namespace weft::app;

/// Python programs in separate processes: their output, exit and graphs.
class TestProgram : public ProgramFixture {
  Q_OBJECT

 private slots:
  void printsAndEnds();
  void endings_data();
  void endings();
  void endlessOnesAreStoppedAndHeld();
  void floodsAreCut();
  void progressBarsShowTheirLastState();
  void graphsOpenAndTheirLinesAreKnown();
  void sessionsAreListed();
  void graphsOfTheNextRunTakeTheirPlaces();
  void openedProgramsDoNotRun();
  void whatCannotBeReadIsSaid();
};

void TestProgram::printsAndEnds() {
  Program program;
  QCOMPARE(program.start(
               write("hello.py", "import os, sys\nprint('one')\nsys.stderr.write('two\\n')\nprint(sys.argv[1:], os.getcwd())\nsys.stdout.write('no end')\n"),
               {"a", "b c"}),
           QString());
  QVERIFY(program.isAlive());
  QTRY_VERIFY_WITH_TIMEOUT(over(program), kLong);
  QCOMPARE(program.ending(), QString("finished"));
  const QStringList lines = texts(program);
  QVERIFY(lines.contains("one") && lines.contains("two") && lines.contains("no end"));
  QVERIFY2(lines.contains(QString("['a', 'b c'] %1").arg(QFileInfo(folder_.path()).canonicalFilePath())), qPrintable(lines.join('|')));
  for (const Program::Line& l : program.lines()) QCOMPARE(l.isError, l.text == "two");
  QVERIFY(program.seconds() > 0);
}

void TestProgram::endings_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QString>("ending");
  QTest::newRow("exit 3") << QByteArray("raise SystemExit(3)") << "ended with status 3";
  QTest::newRow("exception") << QByteArray("1/0") << "ended with status 1";
  QTest::newRow("crash") << QByteArray("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)") << "crashed";
  QTest::newRow("wrong syntax") << QByteArray("def\n") << "ended with status 1";
}

void TestProgram::endings() {
  QFETCH(QByteArray, text);
  QFETCH(QString, ending);
  Program program;
  QCOMPARE(program.start(write("ends.py", text), {}), QString());
  QTRY_VERIFY_WITH_TIMEOUT(over(program), kLong);
  QCOMPARE(program.ending(), ending);
}

void TestProgram::endlessOnesAreStoppedAndHeld() {
  Program program;
  // It takes no notice of being asked, and has a child.
  QCOMPARE(program.start(write("loop.py", "import os, signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nos.fork()\nprint('in')\nwhile True: pass\n"), {}),
           QString());
  QTRY_VERIFY_WITH_TIMEOUT(texts(program).count("in") == 2, kLong);
  program.setPaused(true);
  QCOMPARE(int(program.state()), int(Program::State::Paused));
  program.setPaused(false);
  QCOMPARE(int(program.state()), int(Program::State::Running));
  program.setPaused(true);
  program.stop();
  QTRY_VERIFY_WITH_TIMEOUT(over(program), kLong);
  QCOMPARE(program.ending(), QString("stopped"));
}

void TestProgram::floodsAreCut() {
  Program program;
  QCOMPARE(program.start(write("flood.py", "for i in range(300000): print(i)\nprint('end')\n"), {}), QString());
  QTRY_VERIFY_WITH_TIMEOUT(over(program), kLong);
  QCOMPARE(program.lines().size(), Program::kMaxLines);
  QCOMPARE(program.lines().back().text, QString("end"));
  QCOMPARE(qint64(program.lines().size()) + program.droppedLines(), qint64(300001));
}

void TestProgram::progressBarsShowTheirLastState() {
  Program program;
  QCOMPARE(program.start(write("bar.py", "print('1%\\r50%\\r100%')\n"), {}), QString());
  QTRY_VERIFY_WITH_TIMEOUT(over(program), kLong);
  QCOMPARE(texts(program), QStringList("100%"));
}

static const QByteArray kModel =
    "import tensorflow as tf\n"
    "x = tf.placeholder(tf.float32, [None], name='x')\n"
    "w = tf.Variable(2.0, name='w')\n"
    "y = tf.multiply(x, w, name='y')\n"
    "s = tf.Session()\n"
    "s.run(tf.global_variables_initializer())\n"
    "print(s.run(y, {x: [1, 2]}))\n"
    "with tf.Graph().as_default():\n"
    "  tf.constant(1, name='alone')\n"
    "  tf.Session().run('alone:0')\n";

void TestProgram::graphsOpenAndTheirLinesAreKnown() {
  Workspace workspace(Settings::Kind::InMemory);
  const QString script = write("model.py", kModel);
  QCOMPARE(workspace.program().start(script, {}), QString());
  QTRY_VERIFY_WITH_TIMEOUT(over(workspace.program()), kLong);
  QVERIFY2(texts(workspace.program()).contains("[2. 4.]"), qPrintable(texts(workspace.program()).join('\n')));
  const ProgramGraphs& graphs = workspace.programGraphs();
  QTRY_COMPARE_WITH_TIMEOUT(int(graphs.documents().size()), 2, kLong);
  QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy() && workspace.tasks().isEmpty(), kLong);
  const Document* first = graphs.documents()[0];
  QVERIFY(first->hasNode("y") && first->hasNode("init"));
  QCOMPARE(first->summary().variables, 1);
  QCOMPARE(first->title(), QString("model.py"));
  QVERIFY(!first->isModified());
  QVERIFY(graphs.documents()[1]->hasNode("alone"));
  const auto place = graphs.placeOf(first, "y");
  QVERIFY(place.has_value());
  QCOMPARE(QFileInfo(place->file).fileName(), QString("model.py"));
  QCOMPARE(place->line, 4);
  QVERIFY(graphs.nodesMadeAt(first, place->file, 3).contains("w/Assign"));
  QCOMPARE(graphs.nodesMadeAt(first, place->file, 4), QStringList("y"));
}

void TestProgram::sessionsAreListed() {
  Workspace workspace(Settings::Kind::InMemory);
  const QString script = write("sessions.py",
                               "import tensorflow as tf\n"
                               "for i in range(2):\n"
                               "  c = tf.constant(1.0, name='c')\n"
                               "  with tf.Session() as s:\n"
                               "    for k in range(5): s.run(c)\n"
                               "other = tf.Graph()\n"
                               "with other.as_default(): d = tf.constant(2.0)\n"
                               "server = tf.train.Server.create_local_server()\n"
                               "left = tf.Session(server.target, graph=other)\n"
                               "print(left.run(d))\n"
                               "inter = tf.InteractiveSession()\n");
  QCOMPARE(workspace.program().start(script, {}), QString());
  QTRY_VERIFY_WITH_TIMEOUT(over(workspace.program()), kLong);
  const QVector<ProgramSession>& list = workspace.programGraphs().sessions().list();
  QVERIFY2(list.size() == 4, qPrintable(texts(workspace.program()).join('\n')));
  for (int i = 0; i < 4; ++i) QCOMPARE(list[i].number, i + 1);
  for (int i = 0; i < 2; ++i) {
    QCOMPARE(list[i].kind, QString("Session"));
    QCOMPARE(list[i].nodesThen, i + 1);  // the second one finds the first one's node
    QCOMPARE(list[i].line, 4);
    QCOMPARE(int(list[i].steps), 5);
    QCOMPARE(int(list[i].state), int(ProgramSession::State::Closed));
  }
  QCOMPARE(list[0].graph, list[1].graph);
  QVERIFY(list[2].graph != list[0].graph);
  QVERIFY2(list[2].target.startsWith("grpc://localhost:"), qPrintable(list[2].target));
  QCOMPARE(int(list[2].steps), 1);
  QVERIFY(list[2].file.endsWith("sessions.py"));
  QCOMPARE(list[3].kind, QString("InteractiveSession"));
  for (int i = 2; i < 4; ++i) QCOMPARE(int(list[i].state), int(ProgramSession::State::Ended));  // the program has closed neither
  // The next start is a fresh one.
  QCOMPARE(workspace.program().start(write("none.py", "print(1)\n"), {}), QString());
  QVERIFY(list.isEmpty());
  QTRY_VERIFY_WITH_TIMEOUT(over(workspace.program()), kLong);
}

void TestProgram::graphsOfTheNextRunTakeTheirPlaces() {
  Workspace workspace(Settings::Kind::InMemory);
  const QString script = write("model.py", kModel);
  for (int round = 0; round < 2; ++round) {
    QCOMPARE(workspace.program().start(script, {}), QString());
    QTRY_VERIFY_WITH_TIMEOUT(over(workspace.program()), kLong);
    QTRY_COMPARE_WITH_TIMEOUT(int(workspace.programGraphs().documents().size()), 2, kLong);
    QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy() && workspace.tasks().isEmpty(), kLong);
    QCOMPARE(int(workspace.documents().size()), 2);  // the second round's graphs took the places of the first one's
  }
}

void TestProgram::openedProgramsDoNotRun() {
  Workspace workspace(Settings::Kind::InMemory);
  const QString script = write("touch.py", "open('touched', 'w')\n");
  QSignalSpy offered(&workspace, &Workspace::programOffered);
  bool done = false;
  workspace.open(script, [&](const QString& error) { done = error.isEmpty(); });
  QTRY_VERIFY(done);
  QCOMPARE(int(offered.count()), 1);
  QTest::qWait(300);
  QVERIFY(!QFileInfo::exists(folder_.filePath("touched")));
  QCOMPARE(int(workspace.program().state()), int(Program::State::None));
}

void TestProgram::whatCannotBeReadIsSaid() {
  Program program;
  QVERIFY(program.start(folder_.filePath("missing.py"), {}).contains("missing.py"));
  QCOMPARE(int(program.state()), int(Program::State::None));
}

QTEST_MAIN(TestProgram)
#include "tst_program.moc"
