// Panels and profiler through weft-studio --script: three runs are followed and compared, a slow op is found, slow steps are caught, panel contents are
// exported.
#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include "studio_script.h"

namespace {

/// A network with a slow op, as the help's pictures show it.
const QByteArray kPlanted = "include " WEFT_SOURCE_DIR "/tests/app/planted_slow.script\n";

}  // namespace

class PanelsScriptsTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QVERIFY(folder_.isValid()); }

  void threeRunsAreWatchedAndCompared() {
    const Outcome o = run(R"(file.new mlp
wait idle
layout.train
run.train --steps 200 --set seed=1 --set summary_every_steps=5
wait idle
run.train --steps 200 --set seed=2 --set learning_rate=0.01
wait idle
run.train --steps 200000 --set seed=3 --set batch_size=10
wait 0.4
screenshot DIR/live.png
run.stop
wait idle
print summaries
panels.option scalars ema 0.9
panels.export scalars loss DIR/ema.csv
panels.option scalars average 0.9
panels.export scalars loss DIR/average.csv
panels.option scalars gaussian 0.9
panels.export scalars loss DIR/gaussian.json
panels.option scalars time-ema 0.9
panels.export scalars loss DIR/time.csv
panels.option scalars log-y
panels.option scalars log-x
screenshot DIR/logs.png
panels.option scalars linear
panels.option scalars relative
screenshot DIR/relative.png
panels.option scalars step
panels.option scalars cursor 100
screenshot DIR/cursor.png
panels.option scalars spread
panels.option scalars groups run (1|2|3)
panels.export scalars loss DIR/spread.svg
screenshot DIR/spread.png
panels.option scalars search ^(test)
panels.option scalars table
screenshot DIR/table.png
print stalls
)");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    const QJsonArray runs = o.array(0);
    QCOMPARE(runs.size(), 3);
    int points = 0;
    for (int i = 0; i < 3; ++i) {
      const QJsonObject scalars = runs[i].toObject()[QStringLiteral("scalars")].toObject();
      const int count = scalars[QStringLiteral("loss")].toInt();
      QVERIFY(i == 2 ? count > 10 : count == 200);
      points += count;
    }
    // Histograms come as often as the setting says: steps 1, 5, 10 … 200, and every tenth in the other run.
    const auto histograms = [&](int i) { return runs[i].toObject()[QStringLiteral("histograms")].toObject()[QStringLiteral("hidden1/kernel_1")].toInt(); };
    QCOMPARE(histograms(0), 41);
    QCOMPARE(histograms(1), 21);
    // Every point of every run is in the files, and each way of smoothing says something else.
    QList<QByteArray> files;
    for (const char* name : {"ema.csv", "average.csv", "time.csv"}) {
      files << contents(name);
      QCOMPARE(files.last().count('\n'), points + 1);
      QVERIFY(files.last().contains("run 1,1,") && files.last().contains("run 3,10,"));
    }
    QVERIFY(files[0] != files[1]);
    const QJsonArray json = QJsonDocument::fromJson(contents("gaussian.json")).array();
    QCOMPARE(json.size(), 3);
    QCOMPARE(json[1].toObject()[QStringLiteral("smoothed")].toArray().size(), 200);
    QVERIFY(json[1].toObject()[QStringLiteral("smoothed")].toArray() != json[1].toObject()[QStringLiteral("values")].toArray());
    QVERIFY(contents("spread.svg").contains("<polyline") || contents("spread.svg").contains("<path"));
    QStringList shots{QStringLiteral("live"),   QStringLiteral("logs"),   QStringLiteral("relative"),
                      QStringLiteral("cursor"), QStringLiteral("spread"), QStringLiteral("table")};
    QImage before;
    for (const QString& shot : shots) {
      const QImage image(file(shot + QStringLiteral(".png")));
      QCOMPARE(image.size(), QSize(1600, 1000));
      QVERIFY2(image != before, qPrintable(shot));
      before = image;
    }
  }

  void aPlantedSlowOpIsFound() {
    const Outcome o = run(kPlanted + R"(layout.profile
profile.trace --steps 4
wait idle
print view profile
print view advisor
profile.show-advice 1
print selection
graph.color-by time
screenshot DIR/slow.png
panels.option profile roofline
wait idle
wait 0.2
print view profile
screenshot DIR/roofline.png
panels.option profile memory
screenshot DIR/memory.png
profile.color-slices scope
wait idle
screenshot DIR/scopes.png
profile.color-slices type
wait idle
profile.save DIR/slow.json
profile.save DIR/slow.pb
wait idle
profile.compare DIR/slow.json
wait idle
print view profile
profile.compare DIR/slow.pb
wait idle
print view profile
)");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    const QJsonObject profile = o.object(0);
    QCOMPARE(profile[QStringLiteral("steps")].toArray().size(), 4);
    const QJsonArray nodes = profile[QStringLiteral("nodes")].toArray();
    QVERIFY2(nodes[0].toObject()[QStringLiteral("name")].toString().startsWith(QStringLiteral("planted/")),
             qPrintable(nodes[0].toObject()[QStringLiteral("name")].toString()));
    // The advisor names the very node, and showing it selects it on the canvas.
    const QJsonObject advice = o.array(1)[0].toObject();
    const QString named = advice[QStringLiteral("nodes")].toArray()[0].toString();
    QVERIFY2(named.startsWith(QStringLiteral("planted/")), qPrintable(named));
    QVERIFY2(advice[QStringLiteral("title")].toString().contains(named), qPrintable(advice[QStringLiteral("title")].toString()));
    QVERIFY(o.array(2).contains(named));
    // The product lies under a roof measured on this machine.
    const QJsonObject roof = o.object(3)[QStringLiteral("roof")].toObject();
    QVERIFY(roof[QStringLiteral("gflops")].toDouble() > 0.1 && roof[QStringLiteral("gigabytes")].toDouble() > 0.1);
    QVERIFY(roof[QStringLiteral("points")].toInt() > 2);
    // The peak is explained by its tensors: 1,400 × 1,400 floats.
    const QJsonObject peak = profile[QStringLiteral("peaks")].toArray()[0].toObject();
    QVERIFY(peak[QStringLiteral("bytes")].toDouble() >= 2 * 1400 * 1400 * 4);
    QCOMPARE(peak[QStringLiteral("owners")].toArray()[0].toObject()[QStringLiteral("bytes")].toDouble(), 1400.0 * 1400 * 4);
    // Compared with itself, read back from Chrome's format, nothing became slower; RunMetadata contains the median step, not all merged.
    const auto times = [&](int line, const char* key) {
      double sum = 0;
      for (const QJsonValue& c : o.object(line)[QStringLiteral("comparison")].toObject()[QStringLiteral("changes")].toArray())
        sum += c.toObject()[QLatin1String(key)].toDouble();
      return sum;
    };
    QVERIFY(times(4, "now_ns") > 0);
    QCOMPARE(times(4, "before_ns"), times(4, "now_ns"));
    QVERIFY2(times(5, "before_ns") > times(5, "now_ns") / 2 && times(5, "before_ns") < times(5, "now_ns") * 2,
             qPrintable(QString::number(times(5, "before_ns") / times(5, "now_ns"))));
    QVERIFY(QImage(file(QStringLiteral("roofline.png"))) != QImage(file(QStringLiteral("memory.png"))));
    QVERIFY(QImage(file(QStringLiteral("scopes.png"))) != QImage(file(QStringLiteral("memory.png"))));
  }

  void whatRanAtATimeIsLit() {
    const Outcome traced = run("file.new mlp\nwait idle\nprofile.trace --steps 3\nwait idle\nprofile.save DIR/lit.json\nwait idle\n");
    QVERIFY2(traced.status == 0, qPrintable(traced.errors));
    QFile file(folder_.filePath(QStringLiteral("lit.json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    // The middle of the longest op, from the first one's start on.
    double first = 1e300, longest = 0, middle = 0;
    for (const auto& event : QJsonDocument::fromJson(file.readAll()).object()["traceEvents"].toArray()) {
      const QJsonObject e = event.toObject();
      if (e["ph"].toString() != QLatin1String("X")) continue;
      const double ts = e["ts"].toDouble(), dur = e["dur"].toDouble();
      first = std::min(first, ts);
      if (dur > longest) longest = dur, middle = ts + dur / 2;
    }
    QVERIFY(longest > 0);
    const Outcome o =
        run("file.new mlp\nwait idle\nlayout.use profile\nprofile.open DIR/lit.json\nwait idle\nscreenshot DIR/unlit.png\nprofile.light-running " +
            QByteArray::number((middle - first) / 1e3, 'f', 6) +
            "\nwait 0.3\nscreenshot DIR/lit.png\nprofile.light-running on\nprofile.light-running off\nprofile.light-running 1e9\n");
    QCOMPARE(o.status, 1);
    QVERIFY2(o.errors.contains("Nothing ran at 1e9 ms"), qPrintable(o.errors));
    const QImage before(folder_.filePath(QStringLiteral("unlit.png"))), lit(folder_.filePath(QStringLiteral("lit.png")));
    QVERIFY(!lit.isNull());
    // The veil over nodes that did not run covers the whole canvas.
    const QRect canvas(200, 200, 500, 150);
    int changed = 0;
    for (int x = canvas.left(); x < canvas.right(); ++x)
      for (int y = canvas.top(); y < canvas.bottom(); ++y) changed += before.pixel(x, y) != lit.pixel(x, y);
    QVERIFY2(changed > 200, qPrintable(QString::number(changed)));
  }

  void cardsLeadToTheirOps() {
    const Outcome o = run(R"(file.new mlp
wait idle
graph.go-tag loss
print selection
graph.go-tag input/image/0
print selection
graph.go-tag nothing/of/that
)");
    QCOMPARE(o.status, 1);
    QVERIFY2(o.errors.contains("nothing/of/that"), qPrintable(o.errors));
    QCOMPARE(o.lines.size(), 2);
    for (int i = 0; i < 2; ++i) QCOMPARE(o.array(i).size(), 1);
    QVERIFY2(!o.array(1)[0].toString().contains(QLatin1String("ummary")), qPrintable(o.array(1)[0].toString()));
  }

  void aPausedRunDoesNotSwallowSettings() {
    const Outcome o = run("file.new softmax\nwait idle\nrun.step\nwait idle\nrun.train --epochs 3\n");
    QCOMPARE(o.status, 1);
    QVERIFY2(o.errors.contains("paused"), qPrintable(o.errors));
  }

  void aBadValueEndsOneRunOnly() {
    const Outcome o = run(
        "file.new softmax\nwait idle\nrun.train --steps 5 --set learning_rate=nan\nwait idle\nprint run\nrun.train --steps 5 --set learning_rate=fast\nwait idle\nprint run\n"
        "run.train --steps 5\nwait idle\nprint run\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.object(0)["state"].toString(), QStringLiteral("failed"));
    QCOMPARE(o.object(1)["state"].toString(), QStringLiteral("failed"));
    QCOMPARE(o.object(2)["state"].toString(), QStringLiteral("finished"));
    QCOMPARE(o.object(2)["step"].toInt(), 5);
  }

  void slowStepsAreCaught() {
    // A pause during a training does not make a step slow, but evaluations and other load make some slower than 1.05 times the median.
    const Outcome o = run(R"(file.new mlp
wait idle
profile.watch-slow 1.05
run.train --steps 400
wait idle
wait 0.3
print view profile
profile.watch-slow off
)");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    const QJsonObject profile = o.object(0);
    const qsizetype steps = profile[QStringLiteral("steps")].toArray().size();
    QVERIFY2(steps >= 1 && steps <= 8, qPrintable(QString::number(steps)));
    QVERIFY(profile[QStringLiteral("title")].toString().contains(QStringLiteral("slow")));
    QVERIFY(!profile[QStringLiteral("comparison")].toObject()[QStringLiteral("changes")].toArray().isEmpty());  // against a usual step
    for (const char* wrong : {"profile.watch-slow 0.5", "profile.watch-slow fast", "profile.watch-slow 2 3"})
      QVERIFY(run(QByteArray(wrong) + '\n').status != 0);
  }

  void tracesThatAreNotInOrderSaySo() {
    QFile bad(file(QStringLiteral("bad.json")));
    QVERIFY(bad.open(QIODevice::WriteOnly));
    bad.write(R"([{"ph":"X","name":"a","ts":0,"dur":100,"pid":1,"tid":1},{"ph":"X","name":"b","ts":50,"dur":100,"pid":1,"tid":1},)"
              R"({"ph":"X","name":"c","ts":300,"dur":-40,"pid":1,"tid":1},{"ph":"C","name":"queue","ts":10,"pid":1,"args":{"depth":3}},)"
              R"({"ph":"C","name":"queue","ts":200,"pid":1,"args":{"depth":1}}])");
    bad.close();
    const Outcome o = run("profile.open DIR/bad.json\nlayout.profile\nwait idle\nprint view profile\nscreenshot DIR/bad.png\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    const QString problems = QString::fromUtf8(QJsonDocument(o.object(0)[QStringLiteral("problems")].toArray()).toJson());
    QVERIFY2(problems.contains(QStringLiteral("ends before it begins")) && problems.contains(QStringLiteral("overlaps")), qPrintable(problems));
    QCOMPARE(o.object(0)[QStringLiteral("nodes")].toArray().size(), 3);
  }

  void panelsTellWhatTheyDoNotKnow() {
    for (const char* wrong :
         {"panels.option scalars sideways", "panels.option scalars median 0.5", "panels.option profile nothing", "panels.option images zoom -1",
          "panels.option text loud", "profile.show-advice 1", "profile.color-slices scope", "panels.export scalars nothing DIR/x.csv"}) {
      const Outcome o = run(QByteArray(wrong) + '\n');
      QVERIFY2(o.status != 0 && !o.errors.isEmpty(), wrong);
    }
  }

 private:
  Outcome run(QByteArray script) { return runStudio(folder_.path(), script.replace("DIR", folder_.path().toUtf8())); }
  QString file(const QString& name) const { return folder_.filePath(name); }
  QByteArray contents(const char* name) const {
    QFile f(file(QLatin1String(name)));
    return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray();
  }
  QTemporaryDir folder_;
};

QTEST_MAIN(PanelsScriptsTest)
#include "tst_panels_scripts.moc"
