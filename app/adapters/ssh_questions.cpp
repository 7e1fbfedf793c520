#include "adapters/ssh_questions.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QLocalServer>
#include <QLocalSocket>
#include <QTemporaryDir>

namespace weft::app {
namespace {
constexpr qint64 kMostQuestion = 64 * 1024;
}

SshQuestions::SshQuestions(QObject* parent) : QObject(parent) {}
SshQuestions::~SshQuestions() {
  if (!server_) return;
  for (QLocalSocket* socket : server_->findChildren<QLocalSocket*>()) socket->disconnect(this);
}

QString SshQuestions::start() {
  if (server_) return {};
  auto folder = std::make_unique<QTemporaryDir>();  // mode 0700
  auto server = std::make_unique<QLocalServer>();
  server->setSocketOptions(QLocalServer::UserAccessOption);
  if (!folder->isValid()) return folder->errorString();
  if (!server->listen(folder->filePath(QStringLiteral("ask")))) return server->errorString();
  folder_ = std::move(folder);
  server_ = std::move(server);
  connect(server_.get(), &QLocalServer::newConnection, this, [this] {
    while (QLocalSocket* socket = server_->nextPendingConnection()) take(socket);
  });
  return {};
}

QString SshQuestions::program() const {
  const QString beside = QCoreApplication::applicationDirPath() + QStringLiteral("/weft-ask");
  if (QFileInfo(beside).isExecutable()) return beside;
  return QDir::cleanPath(QCoreApplication::applicationDirPath() + QStringLiteral("/../bin/weft-ask"));
}

QString SshQuestions::socket() const { return server_ ? server_->fullServerName() : QString(); }

void SshQuestions::take(QLocalSocket* socket) {
  const int id = nextId_++;
  open_.insert(id, socket);
  connect(socket, &QLocalSocket::disconnected, this, [this, id, socket] {
    if (open_.remove(id) > 0) emit withdrawn(id);
    socket->deleteLater();
  });
  const auto read = [this, id, socket] {
    const QByteArray all = socket->peek(kMostQuestion);
    if (!all.endsWith('\0')) {
      if (all.size() >= kMostQuestion) refuse(id);
      return;
    }
    socket->readAll();
    const qsizetype first = all.indexOf('\n'), second = all.indexOf('\n', first + 1);
    if (first < 0 || second < 0) return refuse(id);
    SshQuestion question;
    question.id = id;
    question.key = QString::fromUtf8(all.left(first));
    const QByteArray hint = all.mid(first + 1, second - first - 1);
    question.text = QString::fromUtf8(all.mid(second + 1, all.size() - second - 2)).trimmed();
    // ssh gives no hint with its question about host keys, but always the same words.
    const bool yesNo = hint == "confirm" || question.text.contains(QLatin1String("yes/no")) || question.text.contains(QLatin1String("type 'yes'"));
    question.kind = hint == "none" ? SshQuestion::Kind::Notice : yesNo ? SshQuestion::Kind::YesNo : SshQuestion::Kind::Secret;
    emit asked(question);
  };
  connect(socket, &QLocalSocket::readyRead, this, read);
  if (socket->bytesAvailable() > 0) read();
}

void SshQuestions::reply(int id, const QByteArray& bytes) {
  QLocalSocket* socket = open_.take(id);
  if (!socket) return;
  socket->write(bytes);
  socket->disconnectFromServer();
}

void SshQuestions::answer(int id, const QString& text) { reply(id, 'y' + text.toUtf8()); }
void SshQuestions::refuse(int id) { reply(id, QByteArrayLiteral("n")); }

}  // namespace weft::app
