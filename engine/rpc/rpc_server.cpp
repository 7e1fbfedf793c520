#include "rpc/rpc_server.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "rpc/connection.h"
#include "rpc/sockets.h"

namespace weft::rpc {
namespace {

constexpr int kFirstThreads = 2;
constexpr int kSpareThreads = 8;  // that stay when there is nothing to do

}  // namespace

class RpcServer::Call final : public RpcCall, public std::enable_shared_from_this<RpcServer::Call> {
 public:
  Call(std::shared_ptr<Link> link, const RpcMethod& method, int32_t stream, Bytes request)
      : method(method), stream(stream), link_(std::move(link)), request_(std::move(request)) {}

  const Bytes& request() const override { return request_; }
  const std::string& peer() const override;
  void reply(Bytes response) override;
  void fail(const Error& error) override;
  void whenCancelled(std::function<void()> f) override {
    {
      const MutexLock lock(mutex_);
      if (!gaveUp_) {
        onCancel_ = std::move(f);
        return;
      }
    }
    f();
  }
  void giveUp() {
    std::function<void()> f;
    {
      const MutexLock lock(mutex_);
      gaveUp_ = true;
      f = std::exchange(onCancel_, nullptr);
    }
    if (f && !replied_) f();
  }

  const RpcMethod& method;
  const int32_t stream;
  std::atomic<uint64_t> timer{0};

 private:
  const std::shared_ptr<Link> link_;
  const Bytes request_;
  std::atomic<bool> replied_{false};
  Mutex mutex_;
  bool gaveUp_ WEFT_GUARDED_BY(mutex_) = false;
  std::function<void()> onCancel_ WEFT_GUARDED_BY(mutex_);
};

/// A client's connection and its open calls.
class RpcServer::Link final : public Connection {
 public:
  Link(std::unique_ptr<Stream> stream, RpcServer& server)
      : Connection(std::move(stream), Http2Session::Side::Server, *server.poller_), server_(server), poller_(server.poller_) {}

  void reply(const Call& call, Bytes response) {
    forget(call);
    with([&](Http2Session& session) { session.respond(call.stream, std::move(response)); });
  }
  void fail(const Call& call, int code, const std::string& message) {
    forget(call);
    with([&](Http2Session& session) { session.fail(call.stream, code, message); });
  }

 protected:
  std::function<void()> take(std::vector<StreamEvent> events) override {
    std::vector<std::shared_ptr<Call>> calls;
    const auto self = std::static_pointer_cast<Link>(shared_from_this());
    for (StreamEvent& event : events) {
      if (event.kind == StreamEvent::Kind::GivenUp) {
        if (const auto call = forget(event.stream)) call->giveUp();
        continue;
      }
      const auto method = server_.methods_.find(event.path);
      if (method == server_.methods_.end()) {
        with([&](Http2Session& session) { session.fail(event.stream, int(Code::Unimplemented), "this server has no method " + event.path); });
        continue;
      }
      auto call = std::make_shared<Call>(self, method->second, event.stream, std::move(event.message));
      bool open = false;  // or its caller gave up in the same breath
      {
        const MutexLock lock(callsMutex_);
        open = calls_.emplace(event.stream, call).second && !lost_;
      }
      if (event.timeoutMicros > 0) limit(call, event.timeoutMicros);
      if (!open) call->giveUp();
      calls.push_back(std::move(call));
    }
    if (calls.empty()) return {};
    return [server = &server_, calls = std::move(calls)]() mutable { server->handle(std::move(calls)); };
  }
  void lost() override {
    std::map<int32_t, std::shared_ptr<Call>> calls;
    {
      const MutexLock lock(callsMutex_);
      calls.swap(calls_);
      lost_ = true;
    }
    for (const auto& [stream, call] : calls) call->giveUp();
    server_.forget(this);
  }

 private:
  std::shared_ptr<Call> forget(int32_t stream) {
    const MutexLock lock(callsMutex_);
    const auto it = calls_.find(stream);
    if (it == calls_.end()) return nullptr;
    auto call = std::move(it->second);
    calls_.erase(it);
    return call;
  }
  void forget(const Call& call) {
    if (forget(call.stream) && call.timer) poller_->forget(call.timer);
  }
  void limit(const std::shared_ptr<Call>& call, int64_t micros) {
    call->timer = poller_->at(Poller::Clock::now() + std::chrono::microseconds(micros), [weak = std::weak_ptr<Call>(call)] {
      const auto late = weak.lock();
      if (!late) return;
      late->giveUp();
      late->fail(Error{Code::DeadlineExceeded, "Deadline Exceeded", {}, {}, {}});
    });
  }

  RpcServer& server_;  ///< Used only while the connection is open.
  const std::shared_ptr<Poller> poller_;
  Mutex callsMutex_;
  std::map<int32_t, std::shared_ptr<Call>> calls_ WEFT_GUARDED_BY(callsMutex_);
  bool lost_ WEFT_GUARDED_BY(callsMutex_) = false;
};

const std::string& RpcServer::Call::peer() const { return link_->peer(); }
void RpcServer::Call::reply(Bytes response) {
  if (!replied_.exchange(true)) link_->reply(*this, std::move(response));
}
void RpcServer::Call::fail(const Error& error) {
  if (!replied_.exchange(true)) link_->fail(*this, int(error.code), error.message);
}

/// The listening socket.
class RpcServer::Door final : public Poller::Watched {
 public:
  explicit Door(RpcServer& server) : server_(server) {}
  void ready(uint32_t) override { server_.accept(); }

 private:
  RpcServer& server_;
};

Result<std::unique_ptr<RpcServer>> RpcServer::start(const std::string& address, std::vector<RpcMethod> methods) {
  WEFT_LET(const Listener listener, listenOn(address));
  std::unique_ptr<RpcServer> s(new RpcServer);
  try {
    s->poller_ = std::make_shared<Poller>();
  } catch (const std::system_error& e) {
    ::close(listener.socket);
    return unknownError("Could not start gRPC server: ", e.what());
  }
  for (RpcMethod& method : methods) {
    std::string name = method.name;
    s->methods_.emplace(std::move(name), std::move(method));
  }
  s->socket_ = listener.socket;
  s->port_ = listener.port;
  for (int i = 0; i < kFirstThreads; ++i) s->makeRoom();
  const MutexLock lock(s->mutex_);  // accept() waits for the number
  s->door_ = s->poller_->add(s->socket_, EPOLLIN, std::make_shared<Door>(*s));
  return s;
}

RpcServer::~RpcServer() {
  if (!poller_) return;
  std::map<const Link*, std::shared_ptr<Link>> links;
  {
    const MutexLock lock(mutex_);
    poller_->remove(door_, socket_);
    stopping_ = true;
    links = links_;
  }
  for (const auto& [key, link] : links) link->close();
  poller_->stop();
  const MutexLock lock(mutex_);
  while (threads_ > 0 || !links_.empty()) ended_.wait(mutex_);
  ::close(socket_);
}

void RpcServer::accept() {
  while (true) {
    const int socket = ::accept4(socket_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (socket < 0) break;
    std::shared_ptr<Link> link;
    try {
      link = std::make_shared<Link>(serverStream(socket), *this);
    } catch (const std::bad_alloc&) {
      ::close(socket);
      continue;
    }
    {
      const MutexLock lock(mutex_);
      if (stopping_) return;
      links_[link.get()] = link;
    }
    link->watch();
  }
  const bool tooMany = errno == EMFILE || errno == ENFILE;  // the door stays shut for a moment, instead of being tried without pause
  if (tooMany) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const MutexLock lock(mutex_);
  if (!stopping_) poller_->arm(door_, socket_, EPOLLIN);
}

void RpcServer::forget(const Link* link) {
  std::shared_ptr<Link> dropped;
  const MutexLock lock(mutex_);
  if (const auto it = links_.find(link); it != links_.end()) {
    dropped = std::move(it->second);
    links_.erase(it);
    ended_.notify_all();
  }
}

void RpcServer::handle(std::vector<std::shared_ptr<Call>> calls) {
  std::shared_ptr<Call> last;
  {
    const Cork together;
    for (auto& call : calls) {
      if (!call->method.blocks) {
        call->method.handle(call);
        continue;
      }
      if (last) poller_->post([this, other = std::move(last)] { handleBlocking(other); });
      last = std::move(call);
    }
  }
  if (last) handleBlocking(last);
}

void RpcServer::handleBlocking(const std::shared_ptr<Call>& call) {
  bool alone = false;
  {
    const MutexLock lock(mutex_);
    alone = --free_ == 0;
  }
  if (alone) makeRoom();
  call->method.handle(call);
  const MutexLock lock(mutex_);
  ++free_;
}

void RpcServer::makeRoom() {
  {
    const MutexLock lock(mutex_);
    if (free_ >= kFirstThreads) return;
    ++free_;
    ++threads_;
  }
  try {
    std::thread([this] { poll(); }).detach();  // the destructor waits for `threads_`
  } catch (const std::system_error&) {         // calls wait until a handler ends
    const MutexLock lock(mutex_);
    --free_;
    --threads_;
  }
}

void RpcServer::poll() {
  while (true) {
    Poller::Task task = poller_->next();
    if (!task.watched && !task.work) break;
    if (task.watched) task.watched->ready(task.events);
    else task.work();
    task = {};
    const MutexLock lock(mutex_);
    if (free_ > kSpareThreads) break;
  }
  const MutexLock lock(mutex_);
  --free_;
  if (--threads_ == 0) ended_.notify_all();
}

}  // namespace weft::rpc
