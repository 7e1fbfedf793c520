#include "studio/single_instance.h"

#include <unistd.h>

#include <QDataStream>
#include <QIODevice>
#include <QLocalSocket>

namespace weft::app {
namespace {
constexpr int kTimeoutMs = 1000;
QString serverName() { return QStringLiteral("weft-studio-%1").arg(getuid()); }
}  // namespace

bool SingleInstance::sendToRunning(const QStringList& files) {
  QLocalSocket socket;
  socket.connectToServer(serverName());
  if (!socket.waitForConnected(kTimeoutMs)) return false;
  QByteArray message;
  QDataStream stream(&message, QIODevice::WriteOnly);
  stream << files;
  socket.write(message);
  const bool sent = socket.waitForBytesWritten(kTimeoutMs);
  socket.disconnectFromServer();
  return sent;
}

void SingleInstance::listen() {
  server_.setSocketOptions(QLocalServer::UserAccessOption);
  if (!server_.listen(serverName())) {
    QLocalServer::removeServer(serverName());  // left behind by a program that was killed
    server_.listen(serverName());
  }
  connect(&server_, &QLocalServer::newConnection, this, [this] {
    QLocalSocket* socket = server_.nextPendingConnection();
    connect(socket, &QLocalSocket::disconnected, this, [this, socket] {
      QStringList files;
      QDataStream stream(socket->readAll());
      stream >> files;
      emit filesReceived(files);
      socket->deleteLater();
    });
  });
}

}  // namespace weft::app
