// Runs weft-studio with a script, offscreen, as a test sees it.
#pragma once

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

/// A script's output, line by line, and its error messages.
struct StudioOutcome {
  int status = -1;
  QList<QJsonDocument> lines;
  QByteArray errors;
  QJsonObject object(qsizetype i) const { return lines.value(i).object(); }
  QJsonArray array(qsizetype i) const { return lines.value(i).array(); }
};

/// `home`: where settings and runs of the program go. `arguments`: more of them.
inline StudioOutcome runStudio(const QString& studio, const QString& home, const QByteArray& script, const QStringList& arguments = {}) {
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
  for (const char* folder : {"XDG_DATA_HOME", "XDG_CONFIG_HOME"}) environment.insert(QLatin1String(folder), home);
  process.setProcessEnvironment(environment);
  process.start(studio, QStringList{QStringLiteral("--script"), QStringLiteral("-"), QStringLiteral("--size"), QStringLiteral("1600x1000")} + arguments);
  process.write(script);
  process.closeWriteChannel();
  process.waitForFinished(300000);
  StudioOutcome outcome;
  outcome.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
  outcome.errors = process.readAllStandardError();
  for (const QByteArray& line : process.readAllStandardOutput().split('\n')) {
    if (!line.isEmpty()) outcome.lines << QJsonDocument::fromJson(line);
  }
  return outcome;
}
