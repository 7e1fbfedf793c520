#pragma once

#include <QObject>
#include <QString>
#include <QVector>

namespace weft::app {

class Program;

/// A session of a Python program.
struct ProgramSession {
  enum class State { Open, Closed, Ended };  ///< Ended: with the program, which did not close it.
  int number = 0;                            ///< From 1 on, in the order in which they were made.
  QString kind;                              ///< "Session", "InteractiveSession"
  int graph = 0;                             ///< Number of its graph, as ProgramGraphs counts.
  int nodesThen = 0;                         ///< Of its graph when the session was made.
  QString file;                              ///< Where it was made; empty: not by a line of the program.
  int line = 0;
  QString target;  ///< What it asked to connect to.
  qint64 steps = 0;
  bool isDefault = false;
  State state = State::Open;
};

/// The sessions of the program that runs, or ran last. GUI thread.
class ProgramSessions : public QObject {
  Q_OBJECT

 public:
  explicit ProgramSessions(Program& program);

  const QVector<ProgramSession>& list() const { return list_; }

 signals:
  void changed();

 private:
  void hear(const QString& event, const QByteArray& message);

  Program& program_;
  QVector<ProgramSession> list_;
};

}  // namespace weft::app
