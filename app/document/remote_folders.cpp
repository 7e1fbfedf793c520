#include "document/remote_folders.h"

#include <QDir>
#include <QLocale>
#include <QPointer>
#include <QStandardPaths>
#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "document/settings.h"
#include "document/workspace.h"
#include "support/remote_address.h"

namespace weft::app {
namespace {

constexpr int kMostRecent = 10;
const QString kRecentKey = QStringLiteral("panels/remote-folders");
constexpr auto kTaskPause = std::chrono::milliseconds(50);
constexpr double kTaskEnds = 2;

QString folderName(const weft::RemoteAddress& address) {
  const QString path = QDir::cleanPath(QString::fromStdString(address.path));
  const QString last = path.section(u'/', -1);
  return QString::fromStdString(address.host) + (last.isEmpty() || last == QLatin1String(".") ? QString() : u':' + last);
}

}  // namespace

RemoteFolders& RemoteFolders::of(Workspace& workspace) {
  auto* present = workspace.findChild<RemoteFolders*>({}, Qt::FindDirectChildrenOnly);
  return present ? *present : *new RemoteFolders(workspace);
}

RemoteFolders::RemoteFolders(Workspace& workspace) : QObject(&workspace), workspace_(workspace), posted_(std::make_shared<std::atomic<bool>>(false)) {
  seconds_.setInterval(1000);
  connect(&seconds_, &QTimer::timeout, this, &RemoteFolders::changed);
}

RemoteFolders::~RemoteFolders() = default;

QString RemoteFolders::errorOf(const QString& address) {
  const auto read = weft::readRemoteAddress(address.trimmed().toStdString());
  return read.ok() ? QString() : QString::fromStdString(read.error().message);
}

QString RemoteFolders::addressOf(const QString& host, const QString& user, const QString& path) {
  QString where = host.trimmed();
  if (weft::isRemoteAddress(where.toStdString())) return where;
  if (!user.trimmed().isEmpty()) where = user.trimmed() + u'@' + where.section(u'@', -1);
  const QString folder = path.trimmed();
  if (folder.startsWith(u'/')) return QStringLiteral("sftp://%1%2").arg(where, folder);
  return QStringLiteral("sftp://%1/~/%2")
      .arg(where, folder.startsWith(QLatin1String("~/")) ? folder.mid(2)
                  : folder == QLatin1String("~")         ? QString()
                                                         : folder);
}

QStringList RemoteFolders::recent(const Settings& settings) { return settings.value(kRecentKey).toStringList(); }

std::shared_ptr<RemoteConnection> RemoteFolders::connectionTo(const weft::RemoteAddress& address, QString* error) {
  const QString key = QString::fromStdString(address.hostText());
  for (const Host& host : hosts_)
    if (host.key == key) return host.connection;
  *error = questions_.start();
  if (!error->isEmpty()) return nullptr;
  const QString cache = QDir(QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation)).filePath(QStringLiteral("weft/remote"));
  // Many news are one event. This object outlives its connections.
  const auto news = [receiver = this, posted = posted_] {
    if (!posted->exchange(true)) QMetaObject::invokeMethod(receiver, &RemoteFolders::takeNews, Qt::QueuedConnection);
  };
  auto connection = std::make_shared<RemoteConnection>(address, cache, RemoteAsking{questions_.program(), questions_.socket(), key}, news);
  hosts_.push_back({key, connection});
  return connection;
}

void RemoteFolders::open(const QString& text, Done done) {
  const auto address = weft::readRemoteAddress(text.trimmed().toStdString());
  QString error = errorOf(text);
  const auto connection = error.isEmpty() ? connectionTo(*address, &error) : nullptr;
  if (!connection) {
    if (done) done(error);
    return;
  }
  const QString known = QString::fromStdString(address->text());
  QStringList recent = RemoteFolders::recent(workspace_.settings());
  recent.removeAll(known);
  recent.prepend(known);
  workspace_.settings().setValue(kRecentKey, recent.mid(0, kMostRecent));
  for (const auto& open : open_) {
    if (open->address != known) continue;
    if (open->connection->link().kind != RemoteLink::Kind::Connected) open->connection->connectNow();
    if (done) done({});
    return;
  }
  open_.push_back(std::make_unique<Open>());
  Open& open = *open_.back();
  open.address = known;
  open.host = QString::fromStdString(address->hostText());
  open.path = QString::fromStdString(address->path);
  open.name = folderName(*address);
  open.connection = connection;
  open.done = std::move(done);
  connection->follow(open.path, true);
  startTask(open);
  emit changed();
}

/// The status bar shows the first copying, and can cancel it.
void RemoteFolders::startTask(Open& open) {
  open.progress = std::make_shared<std::atomic<double>>(-1);
  const QPointer<RemoteFolders> guard(this);
  open.task = workspace_.tasks().start(
      tr("Reading events of %1").arg(open.name),
      [progress = open.progress](TaskState& state) {
        while (!state.cancelled && *progress < kTaskEnds) {
          state.progress = progress->load();
          std::this_thread::sleep_for(kTaskPause);
        }
      },
      [] {},
      [guard, address = open.address] {
        if (guard) guard->close(address);
      });
}

void RemoteFolders::end(Open& open, const QString& error) {
  *open.progress = kTaskEnds;
  if (std::exchange(open.told, true)) return;
  if (const Done done = std::exchange(open.done, {})) done(error);
}

void RemoteFolders::takeNews() {
  *posted_ = false;
  bool waiting = false;
  QStringList opened;
  for (size_t i = 0; i < open_.size(); ++i) {
    Open& open = *open_[i];
    const RemoteCopy copy = open.connection->copy(open.path);
    const RemoteLink link = open.connection->link();
    waiting |= link.kind == RemoteLink::Kind::Waiting;
    if (open.local.isEmpty() && !copy.local.isEmpty()) {
      open.local = copy.local;
      workspace_.summaries().followCopies(copy.local, open.name, open.address);
      opened << copy.local;
    }
    const QString error = link.kind == RemoteLink::Kind::Failed || link.kind == RemoteLink::Kind::Waiting ? link.error : copy.problem;
    if (error != open.problem) {
      open.problem = error;
      if (error.isEmpty()) workspace_.log().info(tr("%1: %2").arg(open.address, tr("connected")));
      else workspace_.log().warning(QStringLiteral("%1: %2").arg(open.address, error));
    }
    if (!open.told) *open.progress = copy.bytes > 0 ? double(copy.held) / double(copy.bytes) : -1;
    if (copy.complete) end(open, {});
    else if (!error.isEmpty()) end(open, error);
  }
  if (waiting != seconds_.isActive()) waiting ? seconds_.start() : seconds_.stop();
  for (const QString& path : std::as_const(opened)) emit workspace_.eventsOpened(path);
  emit changed();
}

bool RemoteFolders::close(const QString& address) {
  const auto it = std::find_if(open_.begin(), open_.end(), [&](const auto& open) { return open->address == address; });
  if (it == open_.end()) return false;
  const std::unique_ptr<Open> gone = std::move(*it);
  open_.erase(it);
  gone->connection->unfollow(gone->path);
  if (!gone->local.isEmpty()) workspace_.summaries().closeFolder(gone->local);
  end(*gone, tr("The folder was closed while it was being read."));
  emit changed();
  return true;
}

void RemoteFolders::closeAll() {
  while (!open_.empty()) close(open_.back()->address);
}

void RemoteFolders::connectNow(const QString& address) {
  for (const auto& open : open_)
    if (open->address == address) open->connection->connectNow();
}

QVector<RemoteFolder> RemoteFolders::folders() const {
  QVector<RemoteFolder> list;
  for (const auto& open : open_)
    list << RemoteFolder{open->address, open->host, open->name, open->path, open->connection->link(), open->connection->copy(open->path)};
  return list;
}

void RemoteFolders::list(const QString& text, QObject* context, std::function<void(const RemoteListing&)> done) {
  RemoteListing refused;
  refused.error = errorOf(text);
  const auto address = weft::readRemoteAddress(text.trimmed().toStdString());
  const auto connection = refused.error.isEmpty() ? connectionTo(*address, &refused.error) : nullptr;
  if (!connection) return done(refused);
  // `context` is only touched on this thread: the answer is carried by this object, which outlives the connections.
  const auto guard = std::make_shared<QPointer<QObject>>(context);
  connection->list(QString::fromStdString(address->path), [this, guard, done](const RemoteListing& listing) {
    QMetaObject::invokeMethod(
        this,
        [guard, done, listing] {
          if (*guard) done(listing);
        },
        Qt::QueuedConnection);
  });
}

QString RemoteFolders::stateText(const RemoteFolder& folder) {
  const QString files =
      tr("%n event file(s)", nullptr, folder.copy.files) + QStringLiteral(", ") + QLocale().formattedDataSize(folder.copy.held, 1, QLocale::DataSizeSIFormat);
  switch (folder.link.kind) {
    case RemoteLink::Kind::Idle: return tr("not connected");
    case RemoteLink::Kind::Connecting: return tr("connecting…");
    case RemoteLink::Kind::Connected:
      if (!folder.copy.problem.isEmpty()) return folder.copy.problem;
      if (!folder.copy.complete)
        return folder.copy.bytes > 0 ? tr("reading: %1 %").arg(int(100.0 * double(folder.copy.held) / double(folder.copy.bytes)))
                                     : tr("looking for event files…");
      return folder.copy.files == 0 ? tr("connected; no event files in this folder yet") : tr("connected · %1").arg(files);
    case RemoteLink::Kind::Waiting: {
      const auto left = std::chrono::ceil<std::chrono::seconds>(folder.link.retry - std::chrono::steady_clock::now()).count();
      return tr("reconnecting in %1 s. %2").arg(std::max<qint64>(left, 0)).arg(folder.link.error);
    }
    case RemoteLink::Kind::Failed: return folder.link.error;
  }
  return {};
}

}  // namespace weft::app
