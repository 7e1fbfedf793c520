#pragma once

#include <QLocalServer>
#include <QObject>
#include <QStringList>

namespace weft::app {

/// Lets a second start of the program pass its files to the open window.
class SingleInstance : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// Sends `files` (absolute paths) to a running program of this user. False if there is none.
  static bool sendToRunning(const QStringList& files);
  /// Starts listening.
  void listen();

 signals:
  void filesReceived(const QStringList& files);

 private:
  QLocalServer server_;
};

}  // namespace weft::app
