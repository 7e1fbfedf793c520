// An SSH server of the test's own on 127.0.0.1, with throwaway keys in a temporary folder, and a client configuration that knows only it.
#pragma once

#include <signal.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

class OwnSshd {
 public:
  /// Why there can be no server here; empty: there can.
  static QString missing() {
    if (!QFileInfo(program()).isExecutable()) return QStringLiteral("skipped: no sshd");
    if (getuid() == 0 && !QDir().mkpath(QStringLiteral("/run/sshd"))) return QStringLiteral("skipped: sshd has no folder /run/sshd");
    return {};
  }
  ~OwnSshd() { stop(); }

  /// Makes keys and configuration; the host is called "tower" in it. Sets WEFT_SSH to a client that uses it.
  QString prepare() {
    if (!folder_.isValid()) return folder_.errorString();
    for (const char* name : {"hostkey", "key", "otherkey"})
      if (!run(QStringLiteral("ssh-keygen"), {"-q", "-t", "ed25519", "-N", "", "-C", "", "-f", path(name)})) return QStringLiteral("ssh-keygen failed");
    QFile::copy(path("key.pub"), path("authorized"));
    QTcpServer free;
    if (!free.listen(QHostAddress::LocalHost)) return free.errorString();
    port_ = free.serverPort();
    write("sshd_config", QStringLiteral("Port %1\nListenAddress 127.0.0.1\nHostKey %2\nAuthorizedKeysFile %3\nPidFile none\nStrictModes no\nUsePAM no\n"
                                        "PasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin yes\nSubsystem sftp internal-sftp\n")
                             .arg(port_)
                             .arg(path("hostkey"), path("authorized")));
    trust();
    useKey("key");
    write("ssh", QStringLiteral("#!/bin/sh\nexec ssh -F '%1' \"$@\"\n").arg(path("config")));
    QFile::setPermissions(path("ssh"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    qputenv("WEFT_SSH", path("ssh").toUtf8());
    return start();
  }
  QString start() {
    server_ = std::make_unique<QProcess>();
    server_->setProcessChannelMode(QProcess::MergedChannels);
    server_->start(program(), {"-D", "-e", "-f", path("sshd_config")});
    for (int i = 0; i < 100; ++i) {
      QTcpSocket probe;
      probe.connectToHost(QHostAddress(QHostAddress::LocalHost), port_);
      if (probe.waitForConnected(200)) return {};
      if (server_->state() != QProcess::Running && i > 0) break;
      QTest::qWait(50);
    }
    return QStringLiteral("sshd did not start: ") + QString::fromUtf8(server_->readAll());
  }
  /// Ends the server and its connections.
  void stop() {
    if (!server_) return;
    const QList<pid_t> sessions = descendants(pid_t(server_->processId()));
    server_->kill();
    server_->waitForFinished();
    for (const pid_t session : sessions) ::kill(session, SIGKILL);
    server_.reset();
  }
  /// Ends only its connections.
  void cutConnections() {
    for (const pid_t session : descendants(pid_t(server_->processId()))) ::kill(session, SIGKILL);
  }
  int connections() const { return int(children(pid_t(server_->processId())).size()); }

  /// The client knows the server's host key, no host key, or another one.
  void trust(const QByteArray& keyFile = "hostkey.pub") {
    write("known_hosts", QStringLiteral("[127.0.0.1]:%1 %2").arg(port_).arg(QString::fromUtf8(read(keyFile))));
  }
  void trustNone() { write("known_hosts", {}); }
  QByteArray knownHosts() { return read("known_hosts"); }
  void useKey(const char* name) {
    write("config",
          QStringLiteral("Host tower\n  HostName 127.0.0.1\n  Port %1\n  IdentityFile %2\n  IdentitiesOnly yes\n  IdentityAgent none\n  UserKnownHostsFile %3\n"
                         "  GlobalKnownHostsFile /dev/null\n  PreferredAuthentications publickey\nHost *\n  GlobalKnownHostsFile /dev/null\n")
              .arg(port_)
              .arg(path(name), path("known_hosts")));
  }
  /// The client's key asks for this passphrase.
  bool protectKey(const QString& passphrase) { return run(QStringLiteral("ssh-keygen"), {"-q", "-p", "-P", "", "-N", passphrase, "-f", path("key")}); }
  QString path(const QString& name) const { return folder_.filePath(name); }
  int port() const { return port_; }

 private:
  static QString program() { return QStringLiteral("/usr/sbin/sshd"); }
  bool run(const QString& what, const QStringList& words) {
    QProcess process;
    process.start(what, words);
    return process.waitForFinished() && process.exitCode() == 0;
  }
  void write(const QString& name, const QString& text) {
    QFile file(path(name));
    if (file.open(QIODevice::WriteOnly)) file.write(text.toUtf8());
  }
  QByteArray read(const QString& name) {
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  static QList<pid_t> children(pid_t parent) {
    QFile file(QStringLiteral("/proc/%1/task/%1/children").arg(parent));
    QList<pid_t> list;
    if (!file.open(QIODevice::ReadOnly)) return list;
    for (const QByteArray& pid : file.readAll().split(' '))
      if (pid.trimmed().toInt() > 0) list << pid.trimmed().toInt();
    return list;
  }
  static QList<pid_t> descendants(pid_t parent) {
    QList<pid_t> all;
    for (const pid_t child : children(parent)) all << descendants(child) << child;
    return all;
  }

  QTemporaryDir folder_;
  std::unique_ptr<QProcess> server_;
  int port_ = 0;
};
