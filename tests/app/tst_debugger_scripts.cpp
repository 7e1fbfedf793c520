// The debugger of weft-studio, driven through --script as its users' scripts drive it.
#include <QFile>
#include <QImage>
#include <QTest>

#include "studio_script.h"

namespace {

const QString kLoop = QStringLiteral(WEFT_DEBUG_DATA "/loop.pb");

/// Rows of x, their logarithms, a weighted sum: a row of zeros makes -inf, and 0 · -inf makes NaN.
const char* kPlanted = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { dim { size: 4 } dim { size: 2 } } } } }
node { name: "norm/axis" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
       attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 1 } } int_val: 1 } } } }
node { name: "norm/Sum" op: "Sum" input: "x" input: "norm/axis" attr { key: "T" value { type: DT_FLOAT } } attr { key: "Tidx" value { type: DT_INT32 } }
       attr { key: "keep_dims" value { b: true } } }
node { name: "norm/Log" op: "Log" input: "norm/Sum" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "mul" op: "Mul" input: "x" input: "norm/Log" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "loss/axis" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
       attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } } tensor_content: "\000\000\000\000\001\000\000\000" } } } }
node { name: "loss" op: "Sum" input: "mul" input: "loss/axis" attr { key: "T" value { type: DT_FLOAT } } attr { key: "Tidx" value { type: DT_INT32 } } }
node { name: "shape" op: "Placeholder" attr { key: "dtype" value { type: DT_INT32 } } }
node { name: "reshaped" op: "Reshape" input: "x" input: "shape" attr { key: "T" value { type: DT_FLOAT } } attr { key: "Tshape" value { type: DT_INT32 } } }
)";

}  // namespace

class DebuggerScripts : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    QFile f(file("planted.pbtxt"));
    QVERIFY(f.open(QIODevice::WriteOnly));
    f.write(kPlanted);
  }

  void theTensorDockTakesOptions() {
    const QString begin =
        "file.open " + kLoop +
        "\nwait idle\nlayout.use debug\ndebug.break rnn/cell/tanh --if 'iteration == 5'\ndebug.start --fetch loss:0 --feed x:0=[1,2,3]\nwait idle\n" +
        "debug.show rnn/Identity_1:0\nwait 0.5\n";
    const QString pictures[] = {file("curve.png"), file("change.png")};
    const Outcome o = run(begin + "panels.option tensor curve\nwait 0.2\nscreenshot " + pictures[0] +
                          " tensor\npanels.option tensor value 3\npanels.option tensor heat-map\nwait 0.5\nscreenshot " + pictures[1] +
                          " tensor\npanels.option tensor mark > 0.1\ndebug.stop\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QVERIFY(QImage(pictures[0]) != QImage(pictures[1]));
    const Outcome wrong = run(begin + "panels.option tensor value 9\n");
    QVERIFY(wrong.status != 0);
    QVERIFY2(wrong.errors.contains(QStringLiteral("value 9")), qPrintable(wrong.errors));
  }

  void stopsInIterationFiveAndGoesBackToFour() {
    const QString shot = file("loop.png");
    const Outcome o = run("file.open " + kLoop +
                          "\nwait idle\ndebug.break rnn/cell/tanh --if 'iteration == 5'\ndebug.watch rnn/Identity:0\ndebug.watch 'mean(rnn/Identity_1:0)'\n"
                          "debug.start --fetch rnn/Exit_1:0 --feed x:0=[1,2,3]\nwait idle\nprint debug\nprint tensor rnn/Identity:0\n"
                          "print tensor rnn/Identity_1:0\nprint watches\nprint breakpoints\nscreenshot " +
                          shot +
                          "\ndebug.to-iteration 4\nprint debug\nprint tensor rnn/Identity:0\nprint tensor rnn/Identity_1:0\n"
                          "debug.step-back\nprint debug\ndebug.step-op\nprint debug\ndebug.step-out\nprint debug\ndebug.continue\nwait idle\nprint debug\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.object(0)["state"].toString(), QStringLiteral("stopped"));
    QCOMPARE(o.object(0)["node"].toString(), QStringLiteral("rnn/cell/tanh"));
    QCOMPARE(o.object(0)["frame"].toString(), QStringLiteral("rnn/while_context"));
    QCOMPARE(o.object(0)["iteration"].toInt(), 5);
    QCOMPARE(data(o, 1)[0].toInt(), 5);
    QCOMPARE(o.lines[3].array()[0].toObject()["value"].toString(), QStringLiteral("5"));
    QVERIFY(!o.lines[3].array()[1].toObject()["value"].toString().isEmpty());
    QCOMPARE(o.lines[4].array()[0].toObject()["hits"].toInt(), 1);
    QCOMPARE(o.object(5)["iteration"].toInt(), 4);
    QCOMPARE(o.object(5)["node"].toString(), QStringLiteral("rnn/cell/tanh"));
    QCOMPARE(data(o, 6)[0].toInt(), 4);
    QVERIFY(data(o, 7)[0].toDouble() != data(o, 2)[0].toDouble());
    QVERIFY(o.object(8)["node"].toString() != QStringLiteral("rnn/cell/tanh"));
    QCOMPARE(o.object(9)["node"].toString(), QStringLiteral("rnn/cell/tanh"));
    QCOMPARE(o.object(9)["iteration"].toInt(), 4);
    // The way out leads over the breakpoint in iteration 5.
    QCOMPARE(o.object(10)["iteration"].toInt(), 5);
    QCOMPARE(o.object(11)["state"].toString(), QStringLiteral("ended"));
    QVERIFY(o.object(11)["error"].toString().isEmpty());
    QVERIFY(!QImage(shot).isNull());
  }

  void findsAPlantedNan() {
    const Outcome o = run("file.open " + file("planted.pbtxt") +
                          "\nwait idle\ndebug.break '*' --if 'has nan'\ndebug.start --fetch loss:0 --feed x:0=[[1,2],[3,4],[0,0],[5,6]]\nwait idle\n"
                          "print debug\ndebug.find-nan\nwait idle\nprint autopsy\nscreenshot " +
                          file("nan.png") + "\ndebug.continue\nwait idle\ndebug.continue\nwait idle\nprint debug\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.object(0)["node"].toString(), QStringLiteral("mul"));
    const QJsonObject autopsy = o.object(1), origin = autopsy["origin"].toObject();
    QVERIFY(autopsy["found"].toBool());
    QCOMPARE(origin["tensor"].toString(), QStringLiteral("norm/Log:0"));
    QCOMPARE(origin["reason"].toString(), QStringLiteral("log(0) = -inf at [2,0]"));
    QCOMPARE(autopsy["batch_rows"].toArray(), QJsonArray{2});
    QCOMPARE(autopsy["sources"].toArray()[0].toObject()["tensor"].toString(), QStringLiteral("x:0"));
    QCOMPARE(o.object(2)["state"].toString(), QStringLiteral("ended"));
  }

  void changesAVariableAndGoesOn() {
    const Outcome o =
        run("file.open " + kLoop +
            "\nwait idle\ndebug.start --fetch rnn/Exit_1:0 --feed x:0=[1,2,3]\nwait idle\nprint debug\nprint tensor w:0\ndebug.set w 0\nprint tensor w:0\n"
            "debug.run-to rnn/cell/h:0\nprint tensor rnn/cell/h:0\ndebug.set rnn/cell/h:0 [7,8,9]\nprint tensor rnn/cell/h:0\ndebug.continue\nwait idle\n"
            "print tensor rnn/Exit_1:0\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.object(0)["index"].toInt(), 0);
    QCOMPARE(data(o, 1), (QJsonArray{1.5, 2.0, 0.5}));
    QCOMPARE(data(o, 2), (QJsonArray{0.0, 0.0, 0.0}));
    QCOMPARE(data(o, 3), (QJsonArray{0.0, 0.0, 0.0}));
    QCOMPARE(data(o, 4), (QJsonArray{7.0, 8.0, 9.0}));
    QVERIFY(std::abs(data(o, 5)[0].toDouble() - 0.7) < 1e-6);  // tanh(0) + 7 · 0.1
  }

  void debugsAStepOfATraining() {
    const Outcome templates = run("print templates\n");
    QVERIFY(!templates.lines.value(0).array().isEmpty());
    const QString name = templates.lines[0].array()[0].toString();
    const Outcome o = run("file.new " + name +
                          "\nwait idle\ndebug.train\nwait idle\nprint debug\ndebug.step-op\nprint debug\ndebug.step-over\nprint debug\n"
                          "debug.continue\nwait idle\nprint debug\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.object(0)["state"].toString(), QStringLiteral("stopped"));
    QCOMPARE(o.object(0)["step"].toInt(), 1);
    QCOMPARE(o.object(1)["index"].toInt(), 1);
    QCOMPARE(o.object(2)["state"].toString(), QStringLiteral("stopped"));
    QCOMPARE(o.object(3)["state"].toString(), QStringLiteral("ended"));
    QVERIFY2(o.object(3)["error"].toString().isEmpty(), qPrintable(o.object(3)["error"].toString()));
  }

  void waitsForAStepOfATraining() {
    const Outcome templates = run("print templates\n");
    const QString name = templates.lines[0].array()[0].toString();
    const Outcome o = run("file.new " + name +
                          "\nwait idle\ndebug.break '*' --if 'step == 4'\ndebug.train --steps 6\nwait idle\nprint debug\ndebug.stop\nwait idle\nprint debug\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.object(0)["step"].toInt(), 4);
    QCOMPARE(o.object(1)["state"].toString(), QStringLiteral("ended"));
  }

  void aFailureStopsThereWithItsInputs() {
    const Outcome o = run("file.open " + file("planted.pbtxt") + "\nwait idle\ndebug.break nowhere_near --if 'has nan'\n");
    QCOMPARE(o.status, 1);
    QVERIFY2(o.errors.contains("nowhere_near"), qPrintable(o.errors));
    const Outcome p = run(
        "file.open " + file("planted.pbtxt") +
        "\nwait idle\ndebug.break reshaped\ndebug.start --fetch reshaped:0 --feed x:0=1 --feed shape:0=[3]\nwait idle\ndebug.continue\nwait idle\nprint debug\n"
        "print tensor shape:0\ndebug.step-back\nprint debug\ndebug.set shape:0 [8]\ndebug.continue\nwait idle\nprint debug\nprint tensor reshaped:0\n");
    QVERIFY2(p.status == 0, qPrintable(p.errors));
    QCOMPARE(p.object(0)["reason"].toString(), QStringLiteral("failure"));
    QCOMPARE(p.object(0)["node"].toString(), QStringLiteral("reshaped"));
    QVERIFY(p.object(0)["message"].toString().contains("8"));
    QCOMPARE(data(p, 1), QJsonArray{3});
    QCOMPARE(p.object(2)["reason"].toString(), QStringLiteral("step"));
    QCOMPARE(p.object(3)["state"].toString(), QStringLiteral("ended"));
    QVERIFY(p.object(3)["error"].toString().isEmpty());
    QCOMPARE(data(p, 4).size(), 8);
  }

  void whatCannotBeDoneSaysWhy_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("message");
    QTest::newRow("no graph") << "debug.start\n"
                              << "No graph is open";
    QTest::newRow("no run") << "file.open " + kLoop + "\nwait idle\ndebug.step-op\n"
                            << "No run is stopped";
    QTest::newRow("condition") << "file.open " + kLoop + "\nwait idle\ndebug.break loss --if 'max > many'\n"
                               << "expected a number";
    QTest::newRow("second start") << "file.open " + kLoop + "\nwait idle\ndebug.start --fetch loss:0 --feed x:0=1\nwait idle\ndebug.start\n"
                                  << "The debugger is running.";
    QTest::newRow("watch") << "run.watch-nan perhaps\n"
                           << "on or off";
    QTest::newRow("option") << "file.open " + kLoop + "\nwait idle\ndebug.start --fast\n"
                            << "--fast";
    QTest::newRow("no value") << "file.open " + kLoop + "\nwait idle\ndebug.start --fetch loss:0 --feed x:0=[1,2,3]\nwait idle\nprint tensor loss:0\n"
                              << "computed yet";
    QTest::newRow("first op") << "file.open " + kLoop + "\nwait idle\ndebug.start --fetch loss:0 --feed x:0=[1,2,3]\nwait idle\ndebug.step-back\n"
                              << "first op";
    QTest::newRow("shape") << "file.open " + kLoop + "\nwait idle\ndebug.start --fetch loss:0 --feed x:0=[1,2,3]\nwait idle\ndebug.set w [1,2]\n"
                           << "shape";
  }
  void whatCannotBeDoneSaysWhy() {
    QFETCH(QString, script);
    QFETCH(QString, message);
    const Outcome o = run(script);
    QCOMPARE(o.status, 1);
    QVERIFY2(o.errors.contains(message), qPrintable(o.errors));
  }

  void aFeedThatIsMissingIsNamed() {
    const Outcome o = run("file.open " + kLoop + "\nwait idle\ndebug.start --fetch loss:0\nwait idle\ndebug.continue\nwait idle\nprint debug\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.object(0)["reason"].toString(), QStringLiteral("failure"));
    QCOMPARE(o.object(0)["node"].toString(), QStringLiteral("x"));
  }

  void aTrainingIsWatchedForNan() {
    const QString shot = file("watched.png");
    const Outcome o =
        run("file.new mlp\nwait idle\nrun.watch-nan on\nrun.train --steps 60 --set learning_rate=1e20\nwait idle\nprint run\nprint debug\nprint autopsy\n"
            "wait 0.5\nscreenshot " +
            shot + "\ngraph.add Relu\nwait idle\nedit.undo\nwait idle\ndebug.stop\nprint debug\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.object(0)["state"].toString(), QStringLiteral("failed"));
    const QString error = o.object(0)["error"].toString();
    QVERIFY2(error.contains("NaN in step"), qPrintable(error));
    QCOMPARE(o.object(1)["state"].toString(), QStringLiteral("ended"));
    QVERIFY(!o.object(1)["error_node"].toString().isEmpty());
    QVERIFY(o.object(2)["found"].toBool());
    QVERIFY2(error.contains(o.object(2)["summary"].toString()), qPrintable(error));
    QCOMPARE(o.object(3)["state"].toString(), QStringLiteral("idle"));
    QVERIFY(!QImage(shot).isNull());
  }

  void aStepThatFailsLeavesItsValues() {
    const Outcome o = run(
        "file.new mlp\nwait idle\nrun.steps 2\nwait idle\nrun.stop\nwait idle\nrun.train --steps 20 --set logits/BiasAdd:0=[[1,2,3,4,5,6,7,8,9,0]]\nwait idle\nprint run\nprint debug\n"
        "print tensor logits/BiasAdd:0\nscreenshot " +
        file("failed.png") + "\ngraph.add Relu\nwait idle\nedit.undo\nwait idle\nrun.steps 1\nwait idle\nprint run\nprint debug\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.object(0)["state"].toString(), QStringLiteral("failed"));
    QVERIFY(!o.object(0)["error"].toString().isEmpty());
    QCOMPARE(o.object(1)["state"].toString(), QStringLiteral("ended"));
    QVERIFY2(o.object(1)["error_node"].toString().startsWith("cross_entropy"), qPrintable(o.object(1)["error_node"].toString()));
    QCOMPARE(data(o, 2)[0].toArray().isEmpty() ? data(o, 2).size() : data(o, 2)[0].toArray().size(), 10);
    // Another training takes the marks away.
    QCOMPARE(o.object(3)["state"].toString(), QStringLiteral("paused"));
    QCOMPARE(o.object(4)["state"].toString(), QStringLiteral("idle"));
  }

  void aPausedTrainingIsDebuggedWithItsVariables() {
    const Outcome o = run(
        "file.new mlp\nwait idle\nrun.steps 3\nwait idle\nprint run\ndebug.train\nwait idle\nprint debug\ndebug.step-op\nprint debug\n"
        "debug.continue\nwait idle\nprint run\nprint debug\ndebug.train\nwait idle\ndebug.stop\nwait idle\nprint run\nprint debug\nrun.stop\nwait idle\nprint run\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.object(0)["step"].toInt(), 3);
    QCOMPARE(o.object(1)["state"].toString(), QStringLiteral("stopped"));
    QCOMPARE(o.object(1)["step"].toInt(), 4);
    QVERIFY(o.object(1)["of_training"].toBool());
    QCOMPARE(o.object(2)["index"].toInt(), 1);
    QCOMPARE(o.object(3)["step"].toInt(), 4);
    QCOMPARE(o.object(3)["state"].toString(), QStringLiteral("paused"));
    QCOMPARE(o.object(4)["state"].toString(), QStringLiteral("ended"));
    // Stopped debugging lets the step go on to its end.
    QCOMPARE(o.object(5)["step"].toInt(), 5);
    QCOMPARE(o.object(5)["state"].toString(), QStringLiteral("paused"));
    QVERIFY(o.object(6)["error"].toString().isEmpty());
    QCOMPARE(o.object(7)["state"].toString(), QStringLiteral("stopped"));
  }

  void aDebuggedStepChangesNothing() {
    const QString begin = "file.new mlp\nwait idle\nrun.steps 4\nwait idle\n";
    const Outcome plain = run(begin + "run.steps 2\nwait idle\nprint run\nrun.stop\nwait idle\n");
    const Outcome debugged = run(
        begin +
        "debug.train\nwait idle\ndebug.step-op\ndebug.step-op\ndebug.step-back\ndebug.continue\nwait idle\nrun.step\nwait idle\nprint run\nrun.stop\nwait idle\n");
    QVERIFY2(plain.status == 0 && debugged.status == 0, qPrintable(plain.errors + debugged.errors));
    QCOMPARE(debugged.object(0)["step"].toInt(), 6);
    QVERIFY(std::abs(plain.object(0)["loss"].toDouble() - debugged.object(0)["loss"].toDouble()) < 1e-4);
  }

  void aStoppedRunKeepsNothingFromEnding_data() {
    QTest::addColumn<QString>("script");
    QTest::newRow("window") << "file.open " + kLoop + "\nwait idle\ndebug.start --fetch loss:0 --feed x:0=1\nwait idle\nquit\n";
    QTest::newRow("document") << "file.open " + kLoop + "\nwait idle\ndebug.start --fetch loss:0 --feed x:0=1\nwait idle\nfile.close\nwait idle\nprint debug\n";
    QTest::newRow("training, window") << "file.new mlp\nwait idle\nrun.steps 2\nwait idle\ndebug.train\nwait idle\nquit\n";
    QTest::newRow("training, stopped") << "file.new mlp\nwait idle\nrun.steps 2\nwait idle\ndebug.train\nwait idle\nrun.stop\nwait idle\nprint run\n";
    QTest::newRow("training, debugger stopped") << "file.new mlp\nwait idle\ndebug.train --steps 3\nwait idle\ndebug.stop\nwait idle\nprint debug\n";
  }
  void aStoppedRunKeepsNothingFromEnding() {
    QFETCH(QString, script);
    const Outcome o = run(script);
    QVERIFY2(o.status == 0, qPrintable(o.errors));
  }

  void breakpointsAndWatchesAreKeptWithTheFile() {
    const Outcome o = run("file.open " + kLoop +
                          "\nwait idle\ndebug.break rnn/cell/tanh --if 'iteration == 5' --hits 2\ndebug.break rnn/ --log 'here {mean}'\ndebug.watch loss:0\n"
                          "file.close\nwait idle\nfile.open " +
                          kLoop + "\nwait idle\nprint breakpoints\nprint watches\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    const QJsonArray points = o.lines[0].array();
    QCOMPARE(points.size(), 2);
    QCOMPARE(points[0].toObject()["condition"].toString(), QStringLiteral("iteration == 5"));
    QCOMPARE(points[0].toObject()["from_hit"].toInt(), 2);
    QCOMPARE(points[1].toObject()["log"].toString(), QStringLiteral("here {mean}"));
    QCOMPARE(o.lines[1].array().size(), 1);
  }

  void aBreakpointWhoseNodeIsGoneSaysSo() {
    const Outcome o = run("file.open " + file("planted.pbtxt") +
                          "\nwait idle\ndebug.break reshaped\ndebug.break norm/ \nprint breakpoints\ngraph.delete reshaped\nwait idle\nprint breakpoints\n"
                          "debug.start --fetch loss:0 --feed x:0=1\nwait idle\nprint debug\ndebug.stop\nwait idle\nedit.undo\nwait idle\nprint breakpoints\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    const auto problem = [&](int line) { return o.lines[line].array()[0].toObject()["problem"].toString(); };
    QCOMPARE(problem(0), QString());
    QVERIFY(problem(1).contains("reshaped"));
    QVERIFY(o.object(2)["node"].toString().startsWith("norm/"));
    QCOMPARE(problem(3), QString());
  }

  void feedsAreMade() {
    const Outcome o = run("file.open " + kLoop +
                          "\nwait idle\ndebug.start --fetch loss:0 --feed x:0=random[3]\nwait idle\nprint tensor x:0\ndebug.stop\nwait idle\n"
                          "debug.start --fetch loss:0 --feed x:0=zeros\nwait idle\nprint tensor x:0\ndebug.feeds\nwait 0.3\nscreenshot " +
                          file("feeds.png") + " feeds_dialog\n");
    QCOMPARE(o.status, 1);  // no dialog while a run is debugged
    QVERIFY2(o.errors.contains("The debugger is running."), qPrintable(o.errors));
    QCOMPARE(data(o, 0).size(), 3);
    QVERIFY(data(o, 0)[0].toDouble() > 0 && data(o, 0)[0].toDouble() < 1);
    QCOMPARE(data(o, 1), (QJsonArray{0.0, 0.0, 0.0}));
    const Outcome dialog = run("file.open " + kLoop + "\nwait idle\ndebug.feeds\nwait 0.3\nscreenshot " + file("feeds.png") + " feeds_dialog\n");
    QVERIFY2(dialog.status == 0, qPrintable(dialog.errors));
    QVERIFY(!QImage(file("feeds.png")).isNull());
  }

  void aFeedThatDoesNotFitEndsTheRun_data() {
    QTest::addColumn<QString>("feed");
    QTest::addColumn<QString>("message");
    QTest::newRow("shape") << "x:0=[1,2]"
                           << "shape";
    QTest::newRow("made shape") << "x:0=random[4]"
                                << "expected shape";
    QTest::newRow("dtype") << "x:0=text"
                           << "text";
    QTest::newRow("no file") << "x:0=nowhere.npy"
                             << "nowhere.npy";
    QTest::newRow("no data") << "x:0=sample"
                             << "x:0";
    QTest::newRow("no tensor") << "y:0=1"
                               << "y";
    QTest::newRow("no value") << "x:0"
                              << "TENSOR=VALUE";
  }
  void aFeedThatDoesNotFitEndsTheRun() {
    QFETCH(QString, feed);
    QFETCH(QString, message);
    const Outcome o = run("file.open " + kLoop + "\nwait idle\ndebug.start --fetch loss:0 --feed " + feed + "\nwait idle\nprint debug\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.object(0)["state"].toString(), QStringLiteral("ended"));
    QVERIFY2(o.object(0)["error"].toString().contains(message), qPrintable(o.object(0)["error"].toString()));
  }

 private:
  QString file(const QString& name) const { return folder_.filePath(name); }

  static QJsonArray data(const Outcome& o, int line) { return o.object(line)["data"].toArray(); }
  Outcome run(const QString& script, const QStringList& options = {}) {
    QFile f(file("script.txt"));
    if (!f.open(QIODevice::WriteOnly)) return {};
    f.write(script.toUtf8());
    f.close();
    QProcess p;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    environment.insert("HOME", folder_.path());
    environment.insert("XDG_CONFIG_HOME", file("config"));
    environment.insert("XDG_DATA_HOME", file("data"));
    environment.insert("XDG_RUNTIME_DIR", folder_.path());
    p.setProcessEnvironment(environment);
    p.start(WEFT_STUDIO, QStringList{"--lang", "en", "--theme", "light", "--size", "1600x1000", "--script", f.fileName()} + options);
    return outcomeOf(p);
  }

  QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(DebuggerScripts)
#include "tst_debugger_scripts.moc"
