// Runs weft-studio with scripts, as tests see it. REQUIRES: WEFT_STUDIO is the program's path.
#pragma once

#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

/// A script's output, line by line, and its error messages.
struct Outcome {
  int status = -1;  ///< -2: it crashed.
  QList<QJsonDocument> lines;
  QString errors;
  QJsonObject object(qsizetype i) const { return lines.value(i).object(); }
  QJsonArray array(qsizetype i) const { return lines.value(i).array(); }
};

/// How many different colours a picture has, counted up to a hundred.
inline int coloursIn(const QImage& image) {
  QSet<QRgb> seen;
  for (int y = 0; y < image.height() && seen.size() < 100; y += 2)
    for (int x = 0; x < image.width(); x += 2) seen.insert(image.pixel(x, y));
  return int(seen.size());
}

/// Waits for the end of a started program. It is killed after five minutes.
inline Outcome outcomeOf(QProcess& studio) {
  Outcome outcome;
  if (!studio.waitForFinished(300000)) {
    studio.kill();
    studio.waitForFinished();
    outcome.errors = QStringLiteral("timed out");
    return outcome;
  }
  outcome.status = studio.exitStatus() == QProcess::NormalExit ? studio.exitCode() : -2;
  for (const QByteArray& line : studio.readAllStandardOutput().split('\n'))
    if (!line.isEmpty()) outcome.lines << QJsonDocument::fromJson(line);
  outcome.errors = QString::fromUtf8(studio.readAllStandardError());
  return outcome;
}

/// `home`: where settings and runs of the program go. `arguments`: more of them.
inline Outcome runStudio(const QString& home, const QByteArray& script, const QStringList& arguments = {}) {
  QProcess studio;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
  for (const char* folder : {"XDG_DATA_HOME", "XDG_CONFIG_HOME"}) environment.insert(QLatin1String(folder), home);
  studio.setProcessEnvironment(environment);
  studio.start(QStringLiteral(WEFT_STUDIO),
               QStringList{QStringLiteral("--script"), QStringLiteral("-"), QStringLiteral("--size"), QStringLiteral("1600x1000")} + arguments);
  studio.write(script);
  studio.closeWriteChannel();
  return outcomeOf(studio);
}

/// Runs scripts that share a working and a recovery folder.
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
  /// Of the errors, only the program's own messages are kept, unless it crashed.
  Outcome run(const QString& script, const QStringList& options = {}) const {
    write("script.txt", script.toUtf8());
    QProcess studio;
    studio.setProcessEnvironment(environment());
    studio.start(WEFT_STUDIO, QStringList{"--size", "1200x800", "--script", file("script.txt")} + options);
    Outcome outcome = outcomeOf(studio);
    if (outcome.status < 0) return outcome;
    QString messages;
    for (const QString& line : outcome.errors.split(u'\n'))
      if (line.startsWith(QLatin1String("weft-studio:"))) messages += line + u'\n';
    outcome.errors = messages;
    return outcome;
  }

 private:
  QTemporaryDir folder_;
};
