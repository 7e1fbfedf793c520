#include "adapters/remote_connection.h"

#include <QCoreApplication>
#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <thread>
#include <utility>

#include "adapters/event_follower.h"
#include "support/remote_cache.h"
#include "support/remote_mirror.h"
#include "support/ssh_channel.h"
#include "weft/cond_var.h"

namespace weft::app {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::seconds;

constexpr auto kBetweenPasses = std::chrono::milliseconds(1000);
constexpr auto kIdle = seconds(30), kLongestWait = seconds(60);
constexpr uint64_t kCacheBytes = uint64_t(4) << 30;

struct RemoteWords {
  Q_DECLARE_TR_FUNCTIONS(RemoteConnection)
};

QString textOf(const std::string& text) { return QString::fromStdString(text); }

QString failureText(SshFailure failure, const RemoteAddress& address, const QString& message) {
  const QString host = textOf(address.hostText()), name = textOf(address.host);
  const QString why = message.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(message);
  switch (failure) {
    case SshFailure::NoProgram: return RemoteWords::tr("ssh was not found. Install OpenSSH's client (package openssh-client).");
    case SshFailure::UnknownName: return RemoteWords::tr("There is no host %1%2. Check its spelling.").arg(name, why);
    case SshFailure::Unreachable: return RemoteWords::tr("%1 cannot be reached%2.").arg(host, why);
    case SshFailure::NotAllowed: return RemoteWords::tr("%1 does not let you in%2. Check the user, and that your key is known there.").arg(host, why);
    case SshFailure::UnknownKey: return RemoteWords::tr("The host key of %1 was not accepted, so nothing was connected.").arg(name);
    case SshFailure::ChangedKey:
      return RemoteWords::
          tr("The host key of %1 has changed since the last connection: it may be another machine. Ask who runs it, then remove the old key with: ssh-keygen -R %1")
              .arg(name);
    case SshFailure::NoSftp: return RemoteWords::tr("%1 does not offer SFTP%2.").arg(host, why);
    case SshFailure::Lost:
    case SshFailure::None: break;
  }
  return RemoteWords::tr("The connection to %1 was lost%2.").arg(host, why);
}

/// Whether trying again may help without the user.
bool mayPass(SshFailure failure) {
  return failure == SshFailure::Unreachable || failure == SshFailure::Lost || failure == SshFailure::None || failure == SshFailure::UnknownName;
}

struct FollowedFolder {
  std::string path;
  std::unique_ptr<CachePlace> place;     // connection's thread
  std::unique_ptr<RemoteMirror> mirror;  // connection's thread
  std::atomic<bool> dropped{false};
  RemoteCopy copy;  // guarded by the connection's mutex
};

struct ListRequest {
  std::string path;
  std::function<void(const RemoteListing&)> done;
};

}  // namespace

struct RemoteConnection::Impl {
  RemoteAddress host;
  std::string cache;
  RemoteAsking asking;
  std::function<void()> news;
  std::thread thread;

  mutable Mutex mutex;
  CondVar wake;
  bool stop WEFT_GUARDED_BY(mutex) = false;
  bool wanted WEFT_GUARDED_BY(mutex) = false;  // the user did something: connect now
  bool mayAsk WEFT_GUARDED_BY(mutex) = false;  // at the next attempt
  RemoteLink link WEFT_GUARDED_BY(mutex);
  ByteChannel* channel WEFT_GUARDED_BY(mutex) = nullptr;
  std::map<QString, std::shared_ptr<FollowedFolder>> folders WEFT_GUARDED_BY(mutex);
  std::deque<ListRequest> requests WEFT_GUARDED_BY(mutex);
  std::atomic<bool> hurry{false};  // stop, or a request: a copy in progress pauses
  bool trimmed = false;            // connection's thread

  /// The user wants the connection now: an earlier failure no longer counts.
  void want(bool asks) WEFT_REQUIRES(mutex) {
    wanted = true;
    mayAsk |= asks;
    if (link.kind != RemoteLink::Kind::Connected) link = {RemoteLink::Kind::Connecting, {}, {}};
    wake.notify_all();
  }
  void run();
  void prepareFolders();
  SshFailure attempt(bool asks, QString* message, bool* connected, bool* idle);
  Status serve(Sftp& sftp, bool* idle);
  Status pass(Sftp& sftp, FollowedFolder& folder);
  void answer(Sftp& sftp, const ListRequest& request, Status* status);
  void setLink(RemoteLink::Kind kind, const QString& error = {}, Clock::time_point retry = {});
  void failRequests(const QString& error);
  std::vector<std::shared_ptr<FollowedFolder>> present() const {
    const MutexLock lock(mutex);
    std::vector<std::shared_ptr<FollowedFolder>> list;
    for (const auto& [path, folder] : folders) list.push_back(folder);
    return list;
  }
};

RemoteConnection::RemoteConnection(const RemoteAddress& host, QString cache, RemoteAsking asking, std::function<void()> news)
    : impl_(std::make_unique<Impl>()) {
  impl_->host = host;
  impl_->host.path.clear();
  impl_->cache = cache.toStdString();
  impl_->asking = std::move(asking);
  impl_->news = std::move(news);
  impl_->thread = std::thread([impl = impl_.get()] { impl->run(); });
}

RemoteConnection::~RemoteConnection() {
  {
    const MutexLock lock(impl_->mutex);
    impl_->stop = true;
    impl_->hurry = true;
    if (impl_->channel) impl_->channel->interrupt();
  }
  impl_->wake.notify_all();
  impl_->thread.join();
}

RemoteLink RemoteConnection::link() const {
  const MutexLock lock(impl_->mutex);
  return impl_->link;
}

void RemoteConnection::follow(const QString& path, bool mayAsk) {
  const MutexLock lock(impl_->mutex);
  auto& folder = impl_->folders[path];
  if (folder) return;
  folder = std::make_shared<FollowedFolder>();
  folder->path = path.toStdString();
  impl_->want(mayAsk);
}

void RemoteConnection::unfollow(const QString& path) {
  const MutexLock lock(impl_->mutex);
  const auto it = impl_->folders.find(path);
  if (it == impl_->folders.end()) return;
  it->second->dropped = true;
  impl_->folders.erase(it);
  // Nothing is left to connect for: an attempt in progress, which may be asking, ends.
  if (impl_->folders.empty() && impl_->requests.empty() && impl_->link.kind == RemoteLink::Kind::Connecting && impl_->channel) impl_->channel->interrupt();
  impl_->wake.notify_all();
}

RemoteCopy RemoteConnection::copy(const QString& path) const {
  const MutexLock lock(impl_->mutex);
  const auto it = impl_->folders.find(path);
  return it == impl_->folders.end() ? RemoteCopy() : it->second->copy;
}

void RemoteConnection::list(const QString& path, std::function<void(const RemoteListing&)> done) {
  const MutexLock lock(impl_->mutex);
  impl_->requests.push_back({path.toStdString(), std::move(done)});
  impl_->hurry = true;
  impl_->want(true);
}

void RemoteConnection::connectNow() {
  const MutexLock lock(impl_->mutex);
  impl_->want(true);
}

void RemoteConnection::Impl::setLink(RemoteLink::Kind kind, const QString& error, Clock::time_point retry) {
  {
    const MutexLock lock(mutex);
    link = {kind, error, retry};
  }
  news();
}

void RemoteConnection::Impl::failRequests(const QString& error) {
  std::deque<ListRequest> failed;
  {
    const MutexLock lock(mutex);
    failed.swap(requests);
    hurry = stop;
  }
  for (const ListRequest& request : failed) {
    RemoteListing listing;
    listing.path = textOf(request.path);
    listing.error = error;
    request.done(listing);
  }
}

/// Finds the copies of an earlier session, which are shown even before the connection stands.
void RemoteConnection::Impl::prepareFolders() {
  for (const auto& folder : present()) {
    if (folder->place) continue;
    if (!std::exchange(trimmed, true)) trimCache(cache, kCacheBytes);
    RemoteAddress address = host;
    address.path = folder->path;
    auto place = CachePlace::take(cache, address);
    {
      const MutexLock lock(mutex);
      if (place.ok()) folder->copy.local = textOf((*place)->files());
      else folder->copy.problem = textOf(place.error().message);
    }
    if (place.ok()) folder->place = std::move(*place);
    news();
  }
}

void RemoteConnection::Impl::answer(Sftp& sftp, const ListRequest& request, Status* status) {
  RemoteListing listing;
  listing.path = textOf(request.path);
  const auto path = sftp.realPath(request.path);
  const auto entries = path.ok() ? sftp.list(*path) : Result<std::vector<RemoteEntry>>(path.error());
  if (!entries.ok()) {
    listing.error = textOf(entries.error().message);
    if (entries.error().code == Code::Unavailable || entries.error().code == Code::DataLoss) *status = entries.error();
  } else {
    listing.path = textOf(*path);
    std::vector<std::string> links, names;
    const auto add = [&listing](const QString& name, RemoteEntry::Kind kind) {
      if (kind == RemoteEntry::Kind::Folder) listing.folders << name;
      else if (kind == RemoteEntry::Kind::File) ++listing.files;
      if (kind == RemoteEntry::Kind::File && EventFollower::isEventFile(name)) ++listing.eventFiles;
    };
    for (const RemoteEntry& entry : *entries) {
      add(textOf(entry.name), entry.kind);
      if (entry.kind != RemoteEntry::Kind::Link) continue;
      names.push_back(entry.name);
      links.push_back(*path + '/' + entry.name);
    }
    const auto targets = sftp.stat(links);
    for (size_t i = 0; i < targets.size(); ++i)
      if (targets[i].ok()) add(textOf(names[i]), targets[i]->kind);
    listing.folders.sort(Qt::CaseInsensitive);
  }
  request.done(listing);
}

Status RemoteConnection::Impl::pass(Sftp& sftp, FollowedFolder& folder) {
  const auto tell = [this, &folder](const MirrorState& state, bool complete, const std::string& problem) {
    {
      const MutexLock lock(mutex);
      RemoteCopy& copy = folder.copy;
      copy.files = int(state.files);
      copy.bytes = qint64(state.bytes);
      copy.held = qint64(state.held);
      copy.transferred = qint64(state.transferred);
      copy.complete |= complete;
      copy.problem = textOf(problem);
    }
    news();
  };
  if (!folder.mirror) {
    WEFT_LET(const std::string path, sftp.realPath(folder.path));
    MirrorOptions options;
    options.wants = [](const std::string& name) { return EventFollower::isEventFile(textOf(name)); };
    options.mostBytes = kCacheBytes;
    options.stop = [this, &folder] { return hurry || folder.dropped; };
    options.progress = [tell](const MirrorState& state) { tell(state, false, {}); };
    folder.mirror = std::make_unique<RemoteMirror>(path, folder.place->files(), std::move(options));
  }
  const uint64_t before = folder.mirror->state().transferred;
  const Status done = folder.mirror->sync(sftp);
  const MirrorState& state = folder.mirror->state();
  if (done.code() == Code::Cancelled) return {};
  const std::string problem = done.ok() ? state.problem : done.code() == Code::Unavailable ? std::string() : done.error().message;
  bool changed = false;
  {
    const MutexLock lock(mutex);
    changed = state.transferred != before || !folder.copy.complete || textOf(problem) != folder.copy.problem || size_t(folder.copy.files) != state.files;
  }
  if (changed) tell(state, done.ok(), problem);
  return done.code() == Code::Unavailable || done.code() == Code::DataLoss ? done : Status();
}

Status RemoteConnection::Impl::serve(Sftp& sftp, bool* idle) {
  Clock::time_point used = Clock::now();
  while (true) {
    ListRequest request;
    {
      const MutexLock lock(mutex);
      if (stop) return {};
      if (!requests.empty()) {
        request = std::move(requests.front());
        requests.pop_front();
      }
      hurry = !requests.empty();
    }
    Status status;
    if (request.done) {
      answer(sftp, request, &status);
      if (!status.ok()) return status;
      used = Clock::now();
      continue;
    }
    prepareFolders();
    const auto list = present();
    for (const auto& folder : list) {
      if (folder->place && !hurry && !folder->dropped) status = pass(sftp, *folder);
      if (!status.ok()) return status;
    }
    if (!list.empty()) used = Clock::now();
    const MutexLock lock(mutex);
    wanted = mayAsk = false;
    *idle = folders.empty() && requests.empty() && Clock::now() - used > kIdle;
    if (stop || *idle) return {};
    wake.wait_for(mutex, kBetweenPasses, [this]() WEFT_REQUIRES(mutex) { return stop || wanted || !requests.empty(); });
  }
}

/// One connection, from its beginning to its end.
SshFailure RemoteConnection::Impl::attempt(bool asks, QString* message, bool* connected, bool* idle) {
  SshOptions options;
  options.mayAsk = asks;
  options.askProgram = asking.program.toStdString();
  options.askSocket = asking.socket.toStdString();
  options.askKey = asking.key.toStdString();
  auto started = SshChannel::start(host, options);
  if (!started.ok()) {
    *message = textOf(started.error().message);
    return started.error().code == Code::NotFound ? SshFailure::NoProgram : SshFailure::Lost;
  }
  SshChannel& channel = **started;
  {
    const MutexLock lock(mutex);
    this->channel = &channel;
    if (stop) channel.interrupt();
  }
  Sftp sftp(channel);
  Status status = sftp.start();
  *connected = status.ok();
  if (status.ok()) {
    setLink(RemoteLink::Kind::Connected);
    status = serve(sftp, idle);
  }
  const MutexLock lock(mutex);
  this->channel = nullptr;
  const SshFailure failure = sshFailureOf(channel.messages());
  *message = textOf(sshMessageOf(channel.messages()));
  if (status.code() == Code::DataLoss && message->isEmpty()) *message = textOf(status.error().message);
  if (status.code() == Code::DataLoss) return SshFailure::NoSftp;
  return *connected ? SshFailure::Lost : failure;
}

void RemoteConnection::Impl::run() {
  int failures = 0;
  bool known = false;  // it was connected before, or was opened without the user
  while (true) {
    bool asks = false;
    {
      const MutexLock lock(mutex);
      wake.wait(mutex, [this]() WEFT_REQUIRES(mutex) { return stop || wanted; });
      if (stop) return;
      asks = mayAsk;
      wanted = mayAsk = false;
      link = {RemoteLink::Kind::Connecting, {}, {}};
    }
    known |= !asks;
    news();
    prepareFolders();
    QString message;
    bool connected = false, idle = false;
    const SshFailure failure = attempt(asks, &message, &connected, &idle);
    if (connected) {
      known = true;
      failures = 0;
    }
    {
      const MutexLock lock(mutex);
      if (stop) return;
      idle |= folders.empty() && requests.empty();
    }
    if (idle) {
      setLink(RemoteLink::Kind::Idle);
      continue;
    }
    QString error = failureText(failure, host, message);
    if (failure == SshFailure::NotAllowed && !asks)
      error = RemoteWords::tr("%1 asks for a password, or refuses your key. Click Connect.").arg(textOf(host.hostText()));
    failRequests(error);
    if (!known || !mayPass(failure)) {
      setLink(RemoteLink::Kind::Failed, error);
      continue;
    }
    const auto wait = std::min<Clock::duration>(kLongestWait, seconds(1 << std::min(failures++, 6)));
    const auto until = Clock::now() + wait;
    setLink(RemoteLink::Kind::Waiting, error, until);
    const MutexLock lock(mutex);
    wake.wait_until(mutex, until, [this]() WEFT_REQUIRES(mutex) { return stop || wanted || folders.empty(); });
    if (stop) return;
    wanted = wanted || !folders.empty();
    if (!wanted) link = {RemoteLink::Kind::Idle, {}, {}};
  }
}

}  // namespace weft::app
