#pragma once

#include <QLocalServer>
#include <QObject>
#include <QStringList>

namespace weft::app {

/// Lets a second start of the program hand its files to the window that is open already.
class SingleInstance : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// Sends `files` (absolute paths) to a running program of this user. False if there is none.
  static bool handOver(const QStringList& files);
  /// Begins to listen.
  void listen();

 signals:
  void filesReceived(const QStringList& files);

 private:
  QLocalServer server_;
};

}  // namespace weft::app
