// Python programs for tests.
#pragma once

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "document/program.h"

class ProgramFixture : public QObject {
 protected:
  static constexpr int kLong = 120000;  // an interpreter starts slowly where all processors are busy

  /// The path of a new program.
  QString write(const QString& name, const QByteArray& text) {
    QFile file(folder_.filePath(name));
    if (!file.open(QIODevice::WriteOnly)) qFatal("no file");
    file.write(text);
    return file.fileName();
  }
  /// What it has written.
  static QStringList texts(const weft::app::Program& program) {
    QStringList out;
    for (const weft::app::Program::Line& l : program.lines()) out << l.text;
    return out;
  }
  static bool over(const weft::app::Program& program) { return program.state() == weft::app::Program::State::Ended; }

  QTemporaryDir folder_;
};
