#pragma once

#include <QMap>
#include <QObject>
#include <QPointer>
#include <QSet>
#include <QStringList>
#include <QVector>
#include <memory>

namespace weft::app {

class Document;
class Program;
class ProgramGraphs;
class ProgramLink;
class Workspace;

/// The position of a Python program that is paused at a line.
struct ProgramStop {
  struct Frame {
    QString file;
    int line = 0;  ///< From 1 on.
    QString function;
  };
  struct Name {
    QString name, type, text;
  };
  QString why;           ///< "breakpoint", "step", "break", or the error in a breakpoint's condition.
  QVector<Frame> stack;  ///< Innermost first; empty: not paused at a line.
  QVector<Name> names;   ///< Variables of the innermost frame.
};

/// A breakpoint on a line of a program's text.
struct LinePoint {
  int line = 0;
  QString condition;  ///< A Python expression; empty: always.
  bool operator==(const LinePoint&) const = default;
};

/// Pauses of the Python program: at lines of its text, whose breakpoints are kept per file, and within its steps, which it passes to the DebugController with
/// the graph's document. GUI thread.
class ProgramDebug : public QObject {
  Q_OBJECT

 public:
  ProgramDebug(Workspace& workspace, Program& program, ProgramGraphs& graphs);
  ~ProgramDebug() override;

  QVector<LinePoint> points(const QString& file) const;
  QStringList files() const;
  /// Adds a breakpoint, or changes its condition.
  void setPoint(const QString& file, int line, const QString& condition = {});
  void removePoint(const QString& file, int line);

  bool isAtLine() const { return !stop_.stack.isEmpty(); }
  const ProgramStop& stop() const { return stop_; }
  /// A step of the program is paused, but the debugger is busy with another run.
  bool isWaiting() const;
  /// Resumes with "go", "over", "into" or "out". Returns an error, or empty.
  QString goOn(const QString& how);
  /// Stops before the next line or op, whichever comes first.
  void breakSoon();
  /// Makes the next start pause at the first line.
  void setBreakAtStart(bool on) { breakAtStart_ = on; }
  /// Makes the next start build its graphs and end before the first step.
  void setBuildOnly(bool on) { buildOnly_ = on; }

 signals:
  void pointsChanged();
  /// The program paused at a line, or resumed.
  void stopChanged();
  /// A step of the program is paused, and the debugger shows it.
  void stepStopped();

 private:
  void handleMessage(const QString& event, const QByteArray& message);
  void connectDebugger(const QString& socket);
  void sendLines();
  void sendPoints();
  void attach();
  void endAll();
  void keep();

  Workspace& workspace_;
  Program& program_;
  ProgramGraphs& graphs_;
  std::unique_ptr<ProgramLink> link_;
  QMap<QString, QVector<LinePoint>> points_;
  QMap<int, QByteArray> sent_;  ///< Breakpoints of graphs, as last sent to the program.
  ProgramStop stop_;
  int pending_ = 0, followed_ = 0;  ///< Graph numbers: of the paused step that is to be shown, and of the one that is shown.
  qint64 run_ = 0;                  ///< The shown step of that graph.
  bool breakAtStart_ = false, buildOnly_ = false;
};

}  // namespace weft::app
