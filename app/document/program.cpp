#include "document/program.h"

#include <signal.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocalServer>
#include <QLocalSocket>
#include <QMetaMethod>
#include <QProcess>
#include <QTemporaryDir>
#include <QUuid>
#include <algorithm>

namespace weft::app {
namespace {

constexpr int kDrainMs = 80;              // lines appear at most twelve times a second
constexpr qint64 kBytesAtOnce = 1 << 18;  // per stream, so that a read stays short, however much is printed
constexpr qint64 kMostWaiting = 1 << 22;  // unread bytes of a stream; older ones are dropped, and their lines counted
constexpr int kPatienceMs = 2000;
constexpr int kLongestLine = 4000;

}  // namespace

QString weftProgram() {
  const QString beside = QCoreApplication::applicationDirPath() + QStringLiteral("/weft");
  if (QFileInfo(beside).isExecutable()) return beside;
  const QString built = QCoreApplication::applicationDirPath() + QStringLiteral("/../bin/weft");
  return QFileInfo(built).isExecutable() ? QDir::cleanPath(built) : QStringLiteral("weft");
}

Program::Program(QObject* parent) : QObject(parent) {
  drain_.setInterval(kDrainMs);
  connect(&drain_, &QTimer::timeout, this, &Program::drain);
  kill_.setSingleShot(true);
  kill_.setInterval(kPatienceMs);
  connect(&kill_, &QTimer::timeout, this, [this] { signalGroup(SIGKILL); });
}

Program::~Program() {
  if (!process_) return;
  process_->disconnect(this);
  signalGroup(SIGKILL);
  process_->waitForFinished(kPatienceMs);
}

void Program::signalGroup(int number) const {
  if (pid_ > 0 && process_ && process_->state() != QProcess::NotRunning) ::kill(-pid_t(pid_), number);  // including the processes it started
}

QString Program::start(const QString& script, const QStringList& arguments) {
  const QFileInfo info(script);
  if (!info.isFile() || !info.isReadable()) return tr("%1 cannot be read.").arg(script);
  return launch(info.absoluteFilePath(), arguments, info.absolutePath());
}

QString Program::startPart(const QString& part, const QString& folder) { return launch(QStringLiteral("weft:") + part, {}, folder); }

QString Program::launch(const QString& script, const QStringList& arguments, const QString& folder) {
  if (process_) {
    process_->disconnect(this);
    signalGroup(SIGKILL);
    process_->waitForFinished(kPatienceMs);
  }
  emit aboutToStart();
  script_ = script;
  arguments_ = arguments;
  lines_.clear();
  dropped_ = 0;
  out_.rest.clear();
  error_.rest.clear();
  reports_.clear();
  wasStopped_ = false;
  seconds_ = 0;
  socket_ = nullptr;
  folder_ = std::make_unique<QTemporaryDir>();
  server_ = std::make_unique<QLocalServer>();
  server_->setSocketOptions(QLocalServer::UserAccessOption);
  if (!folder_->isValid() || !server_->listen(QStringLiteral("weft-program-") + QUuid::createUuid().toString(QUuid::Id128))) {
    return tr("Cannot listen to the program: %1").arg(folder_->isValid() ? server_->errorString() : folder_->errorString());
  }
  connect(server_.get(), &QLocalServer::newConnection, this, [this] {
    QLocalSocket* socket = server_->nextPendingConnection();
    socket_ = socket;
    connect(socket, &QLocalSocket::readyRead, this, [this, socket] {
      reports_ += socket->readAll();
      for (qsizetype end; (end = reports_.indexOf('\n')) >= 0; reports_.remove(0, end + 1)) message(reports_.left(end));
    });
    connect(socket, &QLocalSocket::disconnected, this, [this, socket] {
      if (socket_ == socket) socket_ = nullptr;
      socket->deleteLater();
    });
  });

  process_ = std::make_unique<QProcess>();
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("PYTHONUNBUFFERED"), QStringLiteral("1"));
  environment.insert(QStringLiteral("WEFT_STUDIO_SOCKET"), server_->fullServerName());
  environment.insert(QStringLiteral("WEFT_STUDIO_FOLDER"), folder_->path());
  process_->setProcessEnvironment(environment);
  process_->setWorkingDirectory(folder);
  process_->setStandardInputFile(QProcess::nullDevice());
  process_->setChildProcessModifier([] { ::setpgid(0, 0); });
  process_->setReadChannel(QProcess::StandardOutput);
  connect(process_.get(), &QProcess::finished, this, &Program::ended);
  connect(process_.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) ended();
  });
  clock_.start();
  state_ = State::Running;
  QStringList words{QStringLiteral("py")};
  if (doctor_ && !script_.startsWith(QLatin1String("weft:"))) words << QStringLiteral("--doctor");
  process_->start(weftProgram(), words + QStringList{script_} + arguments_);
  pid_ = process_->processId();
  drain_.start();
  emit linesAdded(0);
  emit stateChanged();
  return {};
}

void Program::stop() {
  if (!isAlive()) return;
  wasStopped_ = true;
  if (state_ == State::Paused) setPaused(false);
  signalGroup(SIGTERM);
  kill_.start();
}

void Program::interrupt() {
  if (isAlive() && pid_ > 0) ::kill(pid_t(pid_), SIGINT);
}

void Program::send(const QJsonObject& message) {
  if (socket_) socket_->write(QJsonDocument(message).toJson(QJsonDocument::Compact) + '\n');
}

QString Program::folder() const { return folder_ ? folder_->path() : QString(); }

void Program::setPaused(bool paused) {
  if (!isAlive() || paused == (state_ == State::Paused)) return;
  signalGroup(paused ? SIGSTOP : SIGCONT);
  state_ = paused ? State::Paused : State::Running;
  emit stateChanged();
}

double Program::seconds() const { return isAlive() ? double(clock_.elapsed()) * 1e-3 : seconds_; }

QString Program::ending() const {
  if (state_ != State::Ended || !process_) return {};
  if (process_->error() == QProcess::FailedToStart) return tr("could not be started: %1").arg(process_->errorString());
  if (wasStopped_) return tr("stopped");
  if (process_->exitStatus() == QProcess::CrashExit) return tr("crashed");
  return process_->exitCode() == 0 ? tr("finished") : tr("ended with status %1").arg(process_->exitCode());
}

void Program::message(const QByteArray& line) {
  const QJsonObject m = QJsonDocument::fromJson(line).object();
  const QString event = m[QStringLiteral("event")].toString();
  if (event == QLatin1String("graph")) {
    // Only file names are used: a program cannot make us read elsewhere.
    const auto inFolder = [&](const char* key) { return folder_->filePath(QFileInfo(m[QLatin1String(key)].toString()).fileName()); };
    emit graphArrived(m[QStringLiteral("number")].toInt(), inFolder("file"), inFolder("lines"), m[QStringLiteral("nodes")].toInt());
  } else if (event == QLatin1String("events")) {
    emit eventsArrived(m[QStringLiteral("folder")].toString());
  } else if (event == QLatin1String("hello") && !isSignalConnected(QMetaMethod::fromSignal(&Program::said))) {
    send({{QStringLiteral("do"), QStringLiteral("start")}});  // there is no debugger that wants it to stop first, so it starts at once
  } else if (!event.isEmpty()) {
    emit said(event, line);
  }
}

void Program::take(Stream& stream, const QByteArray& bytes) {
  stream.rest += bytes;
  qsizetype begin = 0;
  for (qsizetype end; (end = stream.rest.indexOf('\n', begin)) >= 0; begin = end + 1) {
    QByteArray line = stream.rest.mid(begin, end - begin);
    if (line.endsWith('\r')) line.chop(1);
    if (const qsizetype back = line.lastIndexOf('\r'); back >= 0) line.remove(0, back + 1);  // a progress bar: keep its last state
    lines_.push_back({stream.isError, QString::fromUtf8(line.left(kLongestLine))});
  }
  stream.rest.remove(0, begin);
  if (stream.rest.size() > 16 * kLongestLine) stream.rest.clear();  // not a line at all
}

void Program::drain() {
  const size_t before = lines_.size();
  const qint64 droppedBefore = dropped_;
  for (Stream* stream : {&out_, &error_}) {
    process_->setReadChannel(stream->isError ? QProcess::StandardError : QProcess::StandardOutput);
    if (process_->bytesAvailable() > kMostWaiting) dropped_ += process_->read(process_->bytesAvailable() - kBytesAtOnce).count('\n');
    take(*stream, process_->read(kBytesAtOnce));
  }
  const size_t added = lines_.size() - before;
  while (lines_.size() > kMaxLines) {
    lines_.pop_front();
    ++dropped_;
  }
  if (added > 0 || dropped_ != droppedBefore) emit linesAdded(int(std::min(added, kMaxLines)));
}

void Program::ended() {
  if (state_ == State::Ended) return;
  kill_.stop();
  drain_.stop();
  seconds_ = double(clock_.elapsed()) * 1e-3;
  for (size_t before = size_t(-1); lines_.size() + size_t(dropped_) != before;) {
    before = lines_.size() + size_t(dropped_);
    drain();
  }
  for (Stream* s : {&out_, &error_}) {
    if (!s->rest.isEmpty()) take(*s, "\n");
  }
  emit linesAdded(0);
  state_ = State::Ended;
  emit stateChanged();
}

}  // namespace weft::app
