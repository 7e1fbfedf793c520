#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <deque>
#include <memory>

class QJsonObject;
class QLocalServer;
class QLocalSocket;
class QProcess;
class QTemporaryDir;

namespace weft::app {

/// The program `weft` beside this one, else the one in the search path.
QString weftProgram();

/// A Python program for TensorFlow 1.x that runs on Weft's engine in a separate process (`weft py`). Starts, suspends and ends it, and reports its lines,
/// graphs and folders of event files. A crash or an endless loop affects only the process. GUI thread.
class Program : public QObject {
  Q_OBJECT

 public:
  enum class State { None, Running, Paused, Ended };
  struct Line {
    bool isError;  ///< written to standard error
    QString text;
  };

  explicit Program(QObject* parent = nullptr);
  /// Ends the program.
  ~Program() override;

  /// Starts a script in its folder, after ending one that still runs. Returns an error, or empty.
  QString start(const QString& script, const QStringList& arguments);
  /// Starts a module of Weft's own Python package ("console") in `folder` in the same way.
  QString startPart(const QString& part, const QString& folder);
  /// Whether the doctor watches the trainings of later programs; said() tells what it finds, as "doctor".
  void setDoctor(bool watches) { doctor_ = watches; }
  /// Ctrl-C: ends the computation, not the process.
  void interrupt();
  /// Sends a message; dropped while there is no connection.
  void send(const QJsonObject& message);
  /// Folder of its graphs and values; empty: not started yet.
  QString folder() const;
  /// Asks it to end; kills it after two seconds.
  void stop();
  /// Suspends or resumes the process.
  void setPaused(bool paused);

  State state() const { return state_; }
  bool isAlive() const { return state_ == State::Running || state_ == State::Paused; }
  const QString& script() const { return script_; }
  const QStringList& arguments() const { return arguments_; }
  /// How it ended, translated; empty until then.
  QString ending() const;
  double seconds() const;

  /// The newest lines, at most kMaxLines; dropped lines are counted.
  const std::deque<Line>& lines() const { return lines_; }
  qint64 droppedLines() const { return dropped_; }

  static constexpr size_t kMaxLines = 5000;

 signals:
  /// A new program is about to start; the previous one has ended.
  void aboutToStart();
  void stateChanged();
  /// `count` lines were appended (older ones may have been dropped).
  void linesAdded(int count);
  /// New contents of the program's n-th graph: a meta graph, and a JSON file with the lines that made its nodes. Both are deleted at the next start().
  void graphArrived(int number, const QString& file, const QString& lines, int nodes);
  /// The program writes event files there.
  void eventsArrived(const QString& folder);
  /// Any other message: the event's name, and the message as JSON.
  void said(const QString& event, const QByteArray& message);

 private:
  struct Stream {
    QByteArray rest;
    bool isError;
  };
  QString launch(const QString& script, const QStringList& arguments, const QString& folder);
  void take(Stream& stream, const QByteArray& bytes);
  void drain();
  void ended();
  void message(const QByteArray& line);
  void signalGroup(int number) const;

  QString script_;
  QStringList arguments_;
  State state_ = State::None;
  std::unique_ptr<QProcess> process_;
  std::unique_ptr<QLocalServer> server_;
  QLocalSocket* socket_ = nullptr;  ///< Owned by the server; the connection to the program.
  std::unique_ptr<QTemporaryDir> folder_;
  QByteArray reports_;
  Stream out_{{}, false}, error_{{}, true};
  std::deque<Line> lines_;
  qint64 dropped_ = 0, pid_ = 0;
  bool wasStopped_ = false, doctor_ = false;
  QTimer drain_, kill_;
  QElapsedTimer clock_;
  double seconds_ = 0;
};

}  // namespace weft::app
