#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>
#include <QVector>
#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "adapters/remote_connection.h"
#include "adapters/ssh_questions.h"

namespace weft {
struct RemoteAddress;
}

namespace weft::app {

class Settings;
class Workspace;

/// A followed folder on another machine.
struct RemoteFolder {
  QString address;  ///< sftp://user@host/path
  QString host;     ///< user@host:port
  QString name;     ///< Of its runs: host:folder.
  QString path;
  RemoteLink link;
  RemoteCopy copy;
};

/// Folders of event files on other machines. Their files are copied into the cache over SSH, and the panels follow the copies. One connection per user and host. GUI thread;
/// nothing here waits for the network.
class RemoteFolders : public QObject {
  Q_OBJECT

 public:
  static RemoteFolders& of(Workspace& workspace);
  ~RemoteFolders() override;

  /// Called once: with the reason if the folder cannot be read, or empty after its first complete copy.
  using Done = std::function<void(const QString& error)>;
  /// Follows the folder; ssh may ask. One that is already followed is only connected again.
  void open(const QString& address, Done done = {});
  /// False if it is not followed.
  bool close(const QString& address);
  void closeAll();
  /// Connects again, after an error or instead of waiting.
  void connectNow(const QString& address);
  QVector<RemoteFolder> folders() const;
  /// Why the address cannot be used; empty: it can.
  static QString errorOf(const QString& address);
  /// `host` may be "host", "user@host" or "host:port", `user` empty.
  static QString addressOf(const QString& host, const QString& user, const QString& path);

  /// Lists the folder at `address`; `done` is called on the GUI thread, unless this or `context` has gone.
  void list(const QString& address, QObject* context, std::function<void(const RemoteListing&)> done);
  /// Questions of ssh; answers go there. SshQuestion::key is RemoteFolder::host.
  SshQuestions& questions() { return questions_; }

  /// How the connection and the copy stand, in words.
  static QString stateText(const RemoteFolder& folder);
  /// Addresses opened last, newest first, at most ten.
  static QStringList recent(const Settings& settings);

 signals:
  void changed();

 private:
  explicit RemoteFolders(Workspace& workspace);
  struct Host {
    QString key;  // user@host:port
    std::shared_ptr<RemoteConnection> connection;
  };
  struct Open {
    QString address, host, name, path;
    std::shared_ptr<RemoteConnection> connection;
    QString local;  // followed there
    Done done;
    int task = 0;
    std::shared_ptr<std::atomic<double>> progress;  // 2: the task ends
    bool told = false;
    QString problem;
  };
  std::shared_ptr<RemoteConnection> connectionTo(const weft::RemoteAddress& address, QString* error);
  void takeNews();
  void startTask(Open& open);
  void end(Open& open, const QString& error);

  Workspace& workspace_;
  SshQuestions questions_;
  std::shared_ptr<std::atomic<bool>> posted_;
  std::vector<std::unique_ptr<Open>> open_;
  std::vector<Host> hosts_;
  QTimer seconds_;  // while a connection waits
};

}  // namespace weft::app
