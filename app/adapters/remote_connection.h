// The connection to one other machine, on its own thread: copies of followed folders, and lists of folders.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <chrono>
#include <functional>
#include <memory>

namespace weft {
struct RemoteAddress;
}

namespace weft::app {

/// How the connection stands.
struct RemoteLink {
  enum class Kind { Idle, Connecting, Connected, Waiting, Failed };
  Kind kind = Kind::Idle;
  QString error;                                ///< Waiting, Failed: why, in words.
  std::chrono::steady_clock::time_point retry;  ///< Waiting: when it tries again.
};

/// How the copy of a folder stands.
struct RemoteCopy {
  QString local;  ///< The folder of the copies; empty: not known yet.
  int files = 0;
  qint64 bytes = 0;  ///< On the other machine.
  qint64 held = 0;   ///< Of them here.
  qint64 transferred = 0;
  bool complete = false;  ///< It was complete at least once.
  QString problem;        ///< Why it, or one of its files, cannot be read.
};

/// The contents of a folder.
struct RemoteListing {
  QString path;  ///< Absolute.
  QStringList folders;
  int eventFiles = 0, files = 0;
  QString error;
};

/// How ssh asks; see SshQuestions.
struct RemoteAsking {
  QString program, socket, key;
};

/// All calls return at once. `news` is called on the connection's thread when link() or a copy has changed. A connection that nobody needs ends after half a minute. When the
/// network is lost, it tries again after 1, 2, 4 … 60 seconds, without asking the user anything.
class RemoteConnection {
 public:
  /// `host`: its path is ignored. `cache`: the folder for copies.
  RemoteConnection(const RemoteAddress& host, QString cache, RemoteAsking asking, std::function<void()> news);
  /// Ends ssh and waits for the thread.
  ~RemoteConnection();
  RemoteConnection(const RemoteConnection&) = delete;
  RemoteConnection& operator=(const RemoteConnection&) = delete;

  RemoteLink link() const;
  /// Starts copying the event files below a folder, again and again. `mayAsk`: whether ssh may ask the user in order to connect now.
  void follow(const QString& path, bool mayAsk);
  void unfollow(const QString& path);
  RemoteCopy copy(const QString& path) const;
  /// Lists a folder; `done` is called on the connection's thread. ssh may ask.
  void list(const QString& path, std::function<void(const RemoteListing&)> done);
  /// Connects now, if it is not connected; ssh may ask.
  void connectNow();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::app
