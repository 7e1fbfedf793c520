// weft-studio as a whole, driven through --script as its users' scripts drive it.
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include "studio_script.h"

namespace {

const char* kGraph = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { dim { size: -1 } dim { size: 3 } } } } }
node { name: "a/w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 3 } dim { size: 2 } } float_val: 1 } } } device: "/device:CPU:0" }
node { name: "a/MatMul" op: "MatMul" input: "x" input: "a/w" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "b/Relu" op: "Relu" input: "a/MatMul" attr { key: "T" value { type: DT_FLOAT } } }
)";

}  // namespace

class StudioTest : public QObject, StudioScript {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(isValid());
    const Outcome o = run("print templates\n");
    QCOMPARE(o.status, 0);
    for (const QJsonValue& name : o.lines.value(0).array()) templates_ << name.toString();
  }

  void saysItsVersion() {
    const auto said = [](const QStringList& words) {
      QProcess process;
      process.start(QStringLiteral(WEFT_STUDIO), words);
      process.waitForFinished(30000);
      return process.exitCode() == 0 ? QString::fromUtf8(process.readAllStandardOutput()) : QStringLiteral("failed");
    };
    const QRegularExpression line(QStringLiteral("^weft-studio (\\d+\\.\\d+\\.\\d+)\n$"));
    const auto match = line.match(said({"--version"}));
    QVERIFY2(match.hasMatch(), qPrintable(said({"--version"})));
    const QJsonObject json = QJsonDocument::fromJson(said({"--version", "--json"}).toUtf8()).object();
    QCOMPARE(json["name"].toString(), QStringLiteral("weft-studio"));
    QCOMPARE(json["version"].toString(), match.captured(1));
    QVERIFY(said({"--help"}).contains(QStringLiteral("\n  --version ")));
  }
  void thereAreTemplates() { QVERIFY2(templates_.size() >= 4, qPrintable(templates_.join(' '))); }
  void everyTemplateOpensIsDrawnAndTrains() {
    for (const QString& name : templates_) {
      const QString shot = file(name + ".png");
      const Outcome o = run("file.new " + name + "\nwait idle\nprint document\nprint problems\nscreenshot " + shot +
                            " canvas\nrun.train --steps 30\nwait idle\nprint run\nprint series loss\n");
      QVERIFY2(o.status == 0, qPrintable(name + ": " + o.errors));
      QVERIFY(o.object(0)["nodes"].toInt() > 20);
      QVERIFY2(o.lines[1].array().isEmpty(), qPrintable(name));
      QVERIFY2(coloursIn(QImage(shot)) > 10, qPrintable(name));
      QCOMPARE(o.object(2)["state"].toString(), QStringLiteral("finished"));
      QCOMPARE(o.object(2)["step"].toInt(), 30);
      const QJsonArray losses = o.object(3)["values"].toArray();
      QCOMPARE(losses.size(), 30);
      double head = 0, tail = 0;
      for (int i = 0; i < 5; ++i) head += losses[i].toDouble(), tail += losses[25 + i].toDouble();
      QVERIFY2(tail < head, qPrintable(name + ": the loss did not fall"));
      QVERIFY(QDir(o.object(2)["folder"].toString()).exists("checkpoints"));
    }
  }
  void aRunPausesStepsGoesOnAndStops() {
    QVERIFY2(!templates_.isEmpty(), "the build makes the templates");
    // The convolutional one takes seconds: it still runs when the pause comes, however fast the machine.
    const int slow = int(templates_.indexOf(QRegularExpression(QStringLiteral("lenet"))));
    const Outcome o = run("file.new " + templates_[std::max(slow, 0)] +
                          "\nrun.step\nwait idle\nprint run\nrun.step\nwait idle\nprint run\nrun.train\nwait 0.2\nrun.pause\nwait idle\nprint run\nrun.stop\n"
                          "wait idle\nprint run\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.object(0)["state"].toString(), QStringLiteral("paused"));
    QCOMPARE(o.object(0)["step"].toInt(), 1);
    QCOMPARE(o.object(1)["step"].toInt(), 2);
    QCOMPARE(o.object(2)["state"].toString(), QStringLiteral("paused"));
    QVERIFY(o.object(2)["step"].toInt() > 2);
    QCOMPARE(o.object(3)["state"].toString(), QStringLiteral("stopped"));
  }

  void panelsShowTrainingsAndEventFiles() {
    const QString a = file("offset.png"), b = file("heat.png"), json = file("k.json"), svg = file("l.svg"), picture = file("i.png");
    const Outcome o =
        run("file.new mlp\nrun.train --steps 30\nwait idle\nprint summaries\nview.show histograms\nwait 0.3\nscreenshot " + a +
            "\npanels.option histograms heat-map\nwait 0.2\nscreenshot " + b + "\npanels.export histograms hidden1/kernel_1 " + json +
            "\npanels.export scalars loss " + svg + "\nview.show images\nwait 0.3\npanels.export images input/image/0 " + picture + "\npanels.open-logdir " +
            QStringLiteral(WEFT_GOLDEN_EVENTS) + "\nprint summaries\nview.show text\nwait 0.2\npanels.close-logdir\nprint summaries\nprint series loss\n" +
            "panels.open-logdir " + file("nowhere") + "\n");
    QCOMPARE(o.status, 1);  // the last command fails on purpose
    QVERIFY2(o.errors.contains("does not exist"), qPrintable(o.errors));
    const QJsonObject run = o.lines[0].array()[0].toObject();
    QCOMPARE(run["scalars"].toObject()["loss"].toInt(), 30);
    QCOMPARE(run["histograms"].toObject()["hidden1/kernel_1"].toInt(), 4);
    QCOMPARE(run["images"].toObject().size(), 4);
    QVERIFY(o.lines[1].array().size() > 5);
    QCOMPARE(o.lines[2].array().size(), 1);
    QCOMPARE(o.object(3)["values"].toArray().size(), 30);
    QVERIFY(coloursIn(QImage(a)) > 10 && QImage(a) != QImage(b));
    QCOMPARE(QJsonDocument::fromJson(read("k.json")).array().size(), 4);
    QVERIFY(read("l.svg").contains("<svg"));
    QCOMPARE(QImage(picture).size(), QSize(8, 8));
  }
  void scopesOpenAndColoursChange() {
    write("g.pbtxt", kGraph);
    const QString closed = file("closed.png"), open = file("open.png"), device = file("device.png");
    const Outcome o = run("file.open " + file("g.pbtxt") + "\nwait idle\nscreenshot " + closed + " canvas\ngraph.expand a\ngraph.fit\nwait 0.1\nscreenshot " +
                          open + " canvas\ngraph.color-by device\nwait 0.1\nscreenshot " + device +
                          " canvas\ngraph.select a/MatMul\nprint selection\nprint frame-times\nprint views\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    const QImage a(closed), b(open), c(device);
    QVERIFY(!a.isNull() && coloursIn(a) > 5);
    QVERIFY(a != b);
    QVERIFY(b != c);
    QCOMPARE(o.lines[0].array(), QJsonArray{"a/MatMul"});
    QVERIFY(o.object(1)["median_ms"].toDouble() > 0);
    QVERIFY(o.lines[2].array().size() >= 4);
  }
  void savingAnUntouchedFileKeepsItsBytes() {
    write("s.pbtxt", kGraph);
    const Outcome o = run("file.open " + file("s.pbtxt") + "\nfile.save " + file("t.pbtxt") + "\nfile.save " + file("t.pb") + "\nfile.open " + file("t.pb") +
                          "\nfile.save " + file("u.pb") + "\nprint document\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(read("t.pbtxt"), QByteArray(kGraph));
    QVERIFY(!read("t.pb").isEmpty());
    QCOMPARE(read("u.pb"), read("t.pb"));
  }
  void languageAndThemeChangeWhileItRuns() {
    write("l.pbtxt", kGraph);
    const QString first = file("en.png"), dark = file("dark.png"), chinese = file("zh.png"), again = file("again.png");
    const Outcome o = run("file.open " + file("l.pbtxt") + "\nwait 0.3\nscreenshot " + first + "\nview.theme-dark\nwait 0.3\nscreenshot " + dark +
                          "\nview.language-zh\nwait 0.3\nscreenshot " + chinese + "\nview.theme-light\nview.language-en\nwait 0.3\nscreenshot " + again +
                          "\ngraph.select nothing\n");
    QCOMPARE(o.status, 1);  // the last command fails on purpose: its words must be English again
    QVERIFY2(o.errors.contains("There is no node or scope nothing"), qPrintable(o.errors));
    QVERIFY(QImage(dark).pixelColor(5, 5).lightness() < 80);
    QVERIFY(QImage(first).pixelColor(5, 5).lightness() > 200);
    QVERIFY(QImage(chinese) != QImage(dark));
    QCOMPARE(QImage(again).size(), QImage(first).size());
  }
  void chineseFromTheStart() {
    const Outcome o = run("graph.fit\n", {"--lang", "zh_CN"});
    QCOMPARE(o.status, 1);
    QVERIFY2(o.errors.contains(QStringLiteral("没有显示图")), qPrintable(o.errors));
  }

  void badFilesGiveOneError_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("noise") << QByteArray("\x93\x00\xff\xfe garbage", 12);
    QTest::newRow("cut off") << QByteArray("node { name: \"x\" op: ");
    QTest::newRow("unknown field") << QByteArray("node { nam: \"x\" op: \"NoOp\" }\n");
  }
  void badFilesGiveOneError() {
    QFETCH(QByteArray, bytes);
    write("bad.pbtxt", bytes);
    const Outcome o = run("file.open " + file("bad.pbtxt") + "\n");
    QCOMPARE(o.status, 1);
    QVERIFY2(o.errors.contains("bad.pbtxt"), qPrintable(o.errors));
    QCOMPARE(o.errors.trimmed().count('\n'), 0);
  }
  void anUnknownOpIsListedAndTheFileSavedUnchanged() {
    const QByteArray graph = "node { name: \"odd\" op: \"NobodyKnowsThisOp\" }\n";
    write("odd.pbtxt", graph);
    const Outcome o = run("file.open " + file("odd.pbtxt") + "\nprint problems\nfile.save " + file("odd2.pbtxt") + "\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.lines[0].array().size(), 1);
    QCOMPARE(read("odd2.pbtxt"), graph);
  }
  void aGraphWithoutTrainingSaysSo() {
    write("n.pbtxt", kGraph);
    const Outcome o = run("file.open " + file("n.pbtxt") + "\nrun.train\n");
    QCOMPARE(o.status, 1);
    QVERIFY2(o.errors.contains("how it is trained"), qPrintable(o.errors));
  }
  void theFirstFailureEndsTheScript() {
    const Outcome o = run("no.such.command\nprint views\n");
    QCOMPARE(o.status, 1);
    QVERIFY(o.lines.isEmpty());
    QVERIFY2(o.errors.contains(":1: ") && o.errors.contains("no.such.command"), qPrintable(o.errors));
  }
  void wrongUsageIsStatus2_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("unknown option") << QStringList{"--frobnicate"};
    QTest::newRow("language") << QStringList{"--lang", "tlh"};
    QTest::newRow("size") << QStringList{"--size", "big"};
    QTest::newRow("missing value") << QStringList{"--script"};
  }
  void wrongUsageIsStatus2() {
    QFETCH(QStringList, arguments);
    QProcess studio;
    studio.start(WEFT_STUDIO, arguments);
    QVERIFY(studio.waitForFinished(60000));
    QCOMPARE(studio.exitCode(), 2);
  }
  void aSecondStartHandsItsFilesOver() {
    QTemporaryDir place;  // of the socket and the settings: no other window is meant
    write("handed.pbtxt", kGraph);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"}) environment.insert(QLatin1String(name), place.path());
    QProcess first, second;
    first.setProcessEnvironment(environment);
    second.setProcessEnvironment(environment);
    first.start(WEFT_STUDIO, QStringList());
    QTRY_VERIFY_WITH_TIMEOUT(!QDir(place.path()).entryList({"weft-studio-*"}, QDir::System | QDir::Files).isEmpty(), 60000);
    second.start(WEFT_STUDIO, {file("handed.pbtxt")});
    QVERIFY(second.waitForFinished(60000));
    QCOMPARE(second.exitCode(), 0);
    QCOMPARE(first.state(), QProcess::Running);
    const auto isOpen = [&] {  // it is a recent file of the first one
      for (const QFileInfo& entry : QDir(place.path()).entryInfoList({"*"}, QDir::Dirs | QDir::NoDotAndDotDot)) {
        for (const QFileInfo& config : QDir(entry.absoluteFilePath()).entryInfoList({"*.conf"})) {
          QFile f(config.absoluteFilePath());
          if (f.open(QIODevice::ReadOnly) && f.readAll().contains("handed.pbtxt")) return true;
        }
      }
      return false;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isOpen(), 30000);
    first.kill();
    QVERIFY(first.waitForFinished(30000));
    // Its socket is stale: the next start opens a new window.
    QProcess third;
    third.setProcessEnvironment(environment);
    third.start(WEFT_STUDIO, QStringList());
    QVERIFY(!third.waitForFinished(3000));
    third.kill();
    third.waitForFinished(30000);
  }
  void theCanvasBenchPrintsOneJsonLine() {
    QProcess studio;
    studio.start(WEFT_STUDIO, {"--bench", "canvas", "--items", "500", "--json"});
    QVERIFY(studio.waitForFinished(120000));
    QCOMPARE(studio.exitCode(), 0);
    const QJsonObject report = QJsonDocument::fromJson(studio.readAllStandardOutput()).object();
    QVERIFY(report["first_picture_ms"].toDouble() > 0);
    QVERIFY(report["pan"].toObject()["p99_ms"].toDouble() > 0);
  }

 private:
  QStringList templates_;
};

QTEST_GUILESS_MAIN(StudioTest)
#include "tst_studio.moc"
