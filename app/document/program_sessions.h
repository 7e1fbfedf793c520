#pragma once

#include <QObject>
#include <QString>
#include <QVector>

namespace weft::app {

class Program;

/// A session of a Python program.
struct ProgramSession {
  enum class State { Open, Closed, Ended };  ///< Ended: the program ended without closing it.
  int number = 0;                            ///< From 1 on, in order of creation.
  QString kind;                              ///< "Session", "InteractiveSession"
  int graph = 0;                             ///< Its graph's number in ProgramGraphs.
  int nodesThen = 0;                         ///< Number of its graph's nodes when the session was made.
  QString file;                              ///< Where it was made; empty: not in a line of the program.
  int line = 0;
  QString target;  ///< The target it was given.
  qint64 steps = 0;
  bool isDefault = false;
  State state = State::Open;
};

/// The sessions of the present or last program. GUI thread.
class ProgramSessions : public QObject {
  Q_OBJECT

 public:
  explicit ProgramSessions(Program& program);

  const QVector<ProgramSession>& list() const { return list_; }

 signals:
  void changed();

 private:
  void handleMessage(const QString& event, const QByteArray& message);

  Program& program_;
  QVector<ProgramSession> list_;
};

}  // namespace weft::app
