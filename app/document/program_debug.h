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

/// Where a Python program stands before one of its lines.
struct ProgramStop {
  struct Frame {
    QString file;
    int line = 0;  ///< From 1 on.
    QString function;
  };
  struct Name {
    QString name, type, text;
  };
  QString why;           ///< "breakpoint", "step", "break", or what was wrong with a breakpoint's condition.
  QVector<Frame> stack;  ///< Innermost first; empty: it does not stand before a line.
  QVector<Name> names;   ///< Of the innermost frame.
};

/// A breakpoint on a line of a program's text.
struct LinePoint {
  int line = 0;
  QString condition;  ///< A Python expression; empty: always.
  bool operator==(const LinePoint&) const = default;
};

/// Stops of the Python program: before lines of its text, which are kept per file, and within its steps, which it hands to the DebugController with the
/// document of the graph. GUI thread.
class ProgramDebug : public QObject {
  Q_OBJECT

 public:
  ProgramDebug(Workspace& workspace, Program& program, ProgramGraphs& graphs);
  ~ProgramDebug() override;

  QVector<LinePoint> points(const QString& file) const;
  QStringList files() const;
  /// Sets one, or changes its condition.
  void setPoint(const QString& file, int line, const QString& condition = {});
  void removePoint(const QString& file, int line);

  bool isAtLine() const { return !stop_.stack.isEmpty(); }
  const ProgramStop& stop() const { return stop_; }
  /// A step of the program stands still, and somebody else's run has the debugger.
  bool isWaiting() const;
  /// "go", "over", "into" or "out". Why not, or empty.
  QString goOn(const QString& how);
  /// Stops before the next line or op, whichever comes first.
  void breakSoon();
  /// The next start stops before the first line.
  void setBreakAtStart(bool on) { breakAtStart_ = on; }
  /// The next start builds its graphs, and ends before its first step.
  void setBuildOnly(bool on) { buildOnly_ = on; }

 signals:
  void pointsChanged();
  /// It stands before a line, or does not do so any more.
  void stopChanged();
  /// A step of the program stands still, and the debugger shows it.
  void stepStopped();

 private:
  void hear(const QString& event, const QByteArray& message);
  void greet(const QString& socket);
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
  QMap<int, QByteArray> sent_;  ///< Breakpoints of graphs, as the program knows them.
  ProgramStop stop_;
  int pending_ = 0, followed_ = 0;  ///< Numbers of graphs: whose step stands still and is to be shown, whose is shown.
  qint64 run_ = 0;                  ///< Which step of that graph.
  bool breakAtStart_ = false, buildOnly_ = false;
};

}  // namespace weft::app
