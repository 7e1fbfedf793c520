// TensorFlow servers that trainings can run on.
#pragma once

#include <QString>
#include <QStringList>
#include <memory>

namespace weft::app {

/// "grpc://host:port" of an address with or without "grpc://"; empty: it is not an address.
QString serverTarget(const QString& address);
/// "host:port" of a target; empty if `device` is a device of this machine.
QString serverAddress(const QString& device);

/// Connects to a server once, to see whether it answers and which devices its cluster has.
class ServerCheck {
 public:
  static constexpr int kPatienceSeconds = 5;

  explicit ServerCheck(const QString& target);
  ~ServerCheck();
  /// Waits for the answer. Any thread; once.
  void run();
  /// Ends the wait. Any thread.
  void cancel();
  // After run():
  const QStringList& devices() const { return devices_; }  ///< "/job:worker/replica:0/task:0/device:CPU:0", …
  const QString& error() const { return error_; }          ///< One sentence; empty if the server answered.

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
  QStringList devices_;
  QString error_;
};

}  // namespace weft::app
