// The profiler through weft-studio --script: steps of a training are traced, the docks show them, traces are saved, opened and compared; bad files
// are answered with a sentence.
#include <QImage>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

class ProfileTest : public QObject {
  Q_OBJECT

 private slots:
  void traceSaveOpenCompare();
  void badFiles();
  void withoutATrace();
  void benchTimeline();

 private:
  struct Outcome {
    int status = -1;
    QByteArray output, errors;
  };
  Outcome run(const QByteArray& script) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    environment.insert("XDG_DATA_HOME", folder_.path());
    process.setProcessEnvironment(environment);
    process.start(WEFT_STUDIO, {"--script", "-", "--size", "1600x1000"});
    process.write(script);
    process.closeWriteChannel();
    process.waitForFinished(300000);
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
  }
  QString file(const QString& name) const { return folder_.filePath(name); }
  QTemporaryDir folder_;
};

void ProfileTest::traceSaveOpenCompare() {
  const Outcome o = run(
      "file.new softmax\nwait idle\nlayout.profile\nprofile.trace --steps 3\nwait idle\ngraph.color-by time\ngraph.color-by memory\nprofile.find MatMul\nprofile.range 0 1\nprofile.fit\nprofile.save " +
      file("a.json").toUtf8() + "\nprofile.save " + file("a.pb").toUtf8() + "\nprofile.open " + file("a.json").toUtf8() + "\nprofile.compare " +
      file("a.pb").toUtf8() + "\nscreenshot " + file("a.png").toUtf8() + "\n");
  QVERIFY2(o.status == 0, o.errors.constData());
  QFile json(file("a.json"));
  QVERIFY(json.open(QIODevice::ReadOnly));
  QVERIFY(QJsonDocument::fromJson(json.readAll()).object().contains("traceEvents"));
  QVERIFY(QFileInfo(file("a.pb")).size() > 1000);
  QVERIFY(!QImage(file("a.png")).isNull());
}

void ProfileTest::badFiles() {
  QFile cut(file("cut.json"));
  QVERIFY(cut.open(QIODevice::WriteOnly));
  cut.write(R"([{"ph":"X","name":"a","ts":1,"dur":-4,"pid":1,"tid":1},{"ph":"X","name":"b","ts":0,"dur":4,"pid":1,"tid":1},{"ph":"X","na)");
  cut.close();
  const Outcome fine = run("profile.open " + file("cut.json").toUtf8() + "\nlayout.profile\nscreenshot " + file("cut.png").toUtf8() + "\n");
  QVERIFY2(fine.status == 0, fine.errors.constData());
  QFile empty(file("empty.json"));
  QVERIFY(empty.open(QIODevice::WriteOnly));
  empty.close();
  for (const QString& path : {file("empty.json"), file("none.json")}) {
    const Outcome bad = run("profile.open " + path.toUtf8() + "\n");
    QVERIFY(bad.status != 0);
    QVERIFY2(bad.errors.contains(QFileInfo(path).fileName().toUtf8()), bad.errors.constData());
  }
}

void ProfileTest::withoutATrace() {
  for (const char* command : {"profile.save x.json", "profile.find a", "profile.range 0 1", "profile.trace", "graph.color-by time"}) {
    const Outcome o = run(QByteArray(command) + "\n");
    QVERIFY2(o.status != 0, command);
    QVERIFY2(!o.errors.isEmpty(), command);
  }
  const Outcome o = run("file.new softmax\nwait idle\nprofile.trace --steps 0\n");
  QVERIFY(o.status != 0);
}

void ProfileTest::benchTimeline() {
  QProcess process;
  process.start(WEFT_STUDIO, {"--bench", "timeline", "--items", "20000", "--json"});
  QVERIFY(process.waitForFinished(120000));
  const QJsonObject report = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
  QCOMPARE(report["slices"].toInt(), 20000);
  QVERIFY(report["all"].toObject()["count"].toInt() > 100);
}

QTEST_GUILESS_MAIN(ProfileTest)
#include "tst_profiler.moc"
