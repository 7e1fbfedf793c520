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

/// A TensorFlow 1.x program in Python that runs on Weft's engine in a process of its own (`weft py`): started, held, ended, and what it says: lines, graphs,
/// folders of event files. Whatever it does, crash or loop, it does to itself alone. GUI thread.
class Program : public QObject {
  Q_OBJECT

 public:
  enum class State { None, Running, Paused, Ended };
  struct Line {
    bool isError;  ///< It was written to standard error.
    QString text;
  };

  explicit Program(QObject* parent = nullptr);
  /// Ends the program.
  ~Program() override;

  /// Starts a script in its folder; one that still runs is ended first. Why it cannot be started, or empty.
  QString start(const QString& script, const QStringList& arguments);
  /// Starts a part of Weft's own Python package ("console") in `folder` likewise.
  QString startPart(const QString& part, const QString& folder);
  /// Ctrl-C: ends what it computes, not itself.
  void interrupt();
  /// Sends a message; one that cannot be sent yet, or any more, is dropped.
  void send(const QJsonObject& message);
  /// Where its graphs and values lie; empty: it has not been started.
  QString folder() const;
  /// Asks it to end; after two seconds it is ended.
  void stop();
  /// Holds the process where it is, and lets it go on.
  void setPaused(bool paused);

  State state() const { return state_; }
  bool isAlive() const { return state_ == State::Running || state_ == State::Paused; }
  const QString& script() const { return script_; }
  const QStringList& arguments() const { return arguments_; }
  /// How it ended, translated; empty while it has not.
  QString ending() const;
  double seconds() const;

  /// The newest lines, at most kMaxLines; lines that were dropped are counted.
  const std::deque<Line>& lines() const { return lines_; }
  qint64 droppedLines() const { return dropped_; }

  static constexpr size_t kMaxLines = 5000;

 signals:
  /// Another one is going to be started; the one before is no more.
  void aboutToStart();
  void stateChanged();
  /// So many lines were added at the end (lines before them may have been dropped).
  void linesAdded(int count);
  /// The program's n-th graph has other contents: a meta graph, and a JSON file with the lines that made its nodes. Both are gone with the next start().
  void graphArrived(int number, const QString& file, const QString& lines, int nodes);
  /// The program writes event files there.
  void eventsArrived(const QString& folder);
  /// Any other message: the name of the event, and the message in JSON.
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
  QLocalSocket* socket_ = nullptr;  ///< Of the server; the program's.
  std::unique_ptr<QTemporaryDir> folder_;
  QByteArray reports_;
  Stream out_{{}, false}, error_{{}, true};
  std::deque<Line> lines_;
  qint64 dropped_ = 0, pid_ = 0;
  bool wasStopped_ = false;
  QTimer drain_, kill_;
  QElapsedTimer clock_;
  double seconds_ = 0;
};

}  // namespace weft::app
