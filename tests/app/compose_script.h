// Runs weft-studio with scripts that share a working and a recovery folder, and records their output.
#pragma once

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

struct Outcome {
  int status = -1;
  QList<QJsonDocument> lines;
  QString errors;
  QJsonObject object(int i) const { return lines.value(i).object(); }
  QJsonArray array(int i) const { return lines.value(i).array(); }
};

class StudioScript {
 public:
  bool isValid() const { return folder_.isValid(); }
  QString file(const QString& name) const { return folder_.filePath(name); }
  void write(const QString& name, const QByteArray& bytes) const {
    QFile f(file(name));
    QVERIFY(f.open(QIODevice::WriteOnly));
    f.write(bytes);
  }
  QByteArray read(const QString& name) const {
    QFile f(file(name));
    return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray();
  }
  QProcessEnvironment environment() const {
    QProcessEnvironment e = QProcessEnvironment::systemEnvironment();
    e.insert("XDG_DATA_HOME", folder_.path());
    e.insert("WEFT_RECOVERY", folder_.filePath("recovery"));
    return e;
  }
  Outcome run(const QString& script, const QStringList& options = {}) const {
    write("script.txt", script.toUtf8());
    QProcess studio;
    studio.setProcessEnvironment(environment());
    studio.start(WEFT_STUDIO, QStringList{"--size", "1200x800", "--script", file("script.txt")} + options);
    Outcome outcome;
    if (!studio.waitForFinished(180000)) {
      studio.kill();
      studio.waitForFinished();
      outcome.errors = "timed out";
      return outcome;
    }
    outcome.status = studio.exitStatus() == QProcess::NormalExit ? studio.exitCode() : -2;
    for (const QByteArray& line : studio.readAllStandardOutput().split('\n'))
      if (!line.isEmpty()) outcome.lines << QJsonDocument::fromJson(line);
    for (const QByteArray& line : studio.readAllStandardError().split('\n'))
      if (line.startsWith("weft-studio:") || studio.exitStatus() != QProcess::NormalExit) outcome.errors += QString::fromUtf8(line) + '\n';
    return outcome;
  }

 private:
  QTemporaryDir folder_;
};
