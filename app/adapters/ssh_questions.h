// Questions of ssh to the user: passwords, passphrases, unknown host keys.
#pragma once

#include <QHash>
#include <QObject>
#include <QString>
#include <memory>

class QLocalServer;
class QLocalSocket;
class QTemporaryDir;

namespace weft::app {

struct SshQuestion {
  enum class Kind { Secret, YesNo, Notice };
  int id = 0;
  Kind kind = Kind::Secret;
  QString key;   ///< Of the connection, as given to ssh.
  QString text;  ///< In ssh's words.
};

/// Receives the questions that `weft-ask` passes on, through a socket in a folder of this user alone. Answers go to ssh and are kept nowhere. GUI thread.
class SshQuestions : public QObject {
  Q_OBJECT

 public:
  explicit SshQuestions(QObject* parent = nullptr);
  ~SshQuestions() override;
  /// Listens; returns an error, or empty.
  QString start();
  /// For SshOptions.
  QString program() const;
  QString socket() const;

  void answer(int id, const QString& text);
  void refuse(int id);

 signals:
  void asked(const weft::app::SshQuestion& question);
  /// ssh no longer waits for an answer.
  void withdrawn(int id);

 private:
  void take(QLocalSocket* socket);
  void reply(int id, const QByteArray& bytes);

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<QLocalServer> server_;
  QHash<int, QLocalSocket*> open_;
  int nextId_ = 1;
};

}  // namespace weft::app
