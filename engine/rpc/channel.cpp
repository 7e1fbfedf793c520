#include "rpc/channel.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "rpc/connection.h"
#include "rpc/sockets.h"

namespace weft::rpc {
namespace {

using Clock = Poller::Clock;
using std::chrono::milliseconds;

constexpr int kPollMs = 10;                                   // a caller's flag cannot wake a waiting call, so it is polled
constexpr milliseconds kFirstPause{50}, kLongestPause{1000};  // between attempts to connect: a restarted task is found again within a second

/// The poller of all clients, with one thread, for as long as the process lives.
Poller& clients() {
  static Poller* poller = [] {
    auto* made = new Poller;
    std::thread([made] {
      while (true) {
        const Poller::Task task = made->next();
        if (task.watched) task.watched->ready(task.events);
        else if (task.work) task.work();
      }
    }).detach();
    return made;
  }();
  return *poller;
}

Error errorOf(const StreamEvent& event) {
  const bool known = event.code > 0 && event.code <= int(Code::Unauthenticated);
  return Error{known ? Code(event.code) : Code::Unknown, event.text, {}, {}, {}};
}

}  // namespace

struct Channel::Call {
  std::string method;
  Bytes request;
  AlignedPart part = nullptr;
  Clock::time_point deadline = Clock::time_point::max();
  std::function<void(Result<Bytes>)> done;  ///< Empty: somebody waits for `finished`.
  std::atomic<uint64_t> timer{0};

  std::atomic<bool> ended{false};     ///< Decides who finishes it.
  std::atomic<bool> finished{false};  ///< `result` may be read.
  Result<Bytes> result = cancelledError("The call was not made");

  Mutex mutex;
  std::shared_ptr<Link> link WEFT_GUARDED_BY(mutex);
  int32_t stream WEFT_GUARDED_BY(mutex) = 0;

  /// `here`: this thread may call `done`.
  void finish(Result<Bytes> outcome, bool here) {
    if (ended.exchange(true)) return;
    if (timer) clients().forget(timer);
    if (!done) {
      result = std::move(outcome);
      finished = true;
    } else if (here) {
      finished = true;
      done(std::move(outcome));
    } else {
      finished = true;
      clients().post([f = std::move(done), outcome = std::move(outcome)]() mutable { f(std::move(outcome)); });
    }
  }
  int64_t timeoutMs() const {
    if (deadline == Clock::time_point::max()) return 0;
    return std::max<int64_t>(1, std::chrono::ceil<milliseconds>(deadline - Clock::now()).count());
  }
};

/// A connection and the calls on it.
class Channel::Link final : public Connection {
 public:
  Link(std::unique_ptr<Stream> stream, std::weak_ptr<State> state)
      : Connection(std::move(stream), Http2Session::Side::Client, clients()), state_(std::move(state)) {}

  /// False if the connection takes no more calls.
  bool start(const std::string& authority, const std::shared_ptr<Call>& call) {
    int32_t stream = 0;
    const bool open = with([&](Http2Session& session) {
      stream = session.request(authority, call->method, call->request, call->timeoutMs(), call->part);
      if (stream <= 0) return;
      {
        const MutexLock lock(call->mutex);
        call->link = std::static_pointer_cast<Link>(shared_from_this());
        call->stream = stream;
      }
      const MutexLock lock(callsMutex_);
      calls_[stream] = call;
    });
    return open && stream > 0;
  }

  void giveUp(int32_t stream) {
    forget(stream);
    with([&](Http2Session& session) { session.giveUp(stream); });
  }

 protected:
  std::function<void()> take(std::vector<StreamEvent> events) override;
  void lost() override {
    std::map<int32_t, std::shared_ptr<Call>> calls;
    {
      const MutexLock lock(callsMutex_);
      calls.swap(calls_);
    }
    for (const auto& [stream, call] : calls) call->finish(unavailable("Socket closed"), false);
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

  const std::weak_ptr<State> state_;
  Mutex callsMutex_;
  std::map<int32_t, std::shared_ptr<Call>> calls_ WEFT_GUARDED_BY(callsMutex_);
};

class Channel::State : public std::enable_shared_from_this<Channel::State> {
 public:
  explicit State(std::string address) : address_(std::move(address)) {}
  const std::string& address() const { return address_; }

  void submit(const std::shared_ptr<Call>& call) {
    while (!call->ended) {
      std::shared_ptr<Link> link;
      std::string problem;
      {
        const MutexLock lock(mutex_);
        if (closed_) break;
        link = link_;
        if (!link) {
          waiting_.push_back(call);
          if (!connecting_) {
            connecting_ = true;
            try {
              std::thread([self = shared_from_this()] { self->connect(); }).detach();
            } catch (const std::system_error& e) {
              connecting_ = false;
              waiting_.pop_back();
              problem = e.what();
            }
          }
          if (problem.empty()) return;
        }
      }
      if (!problem.empty()) return call->finish(resourceExhausted("no thread can be made to connect to ", address_, ": ", problem), false);
      if (link->start(address_, call)) {
        if (call->ended) end(call, cancelledError("CANCELLED"));  // meanwhile; the server must hear of it
        return;
      }
      const MutexLock lock(mutex_);
      if (link_ == link) link_.reset();
    }
    call->finish(cancelledError("The connection to ", address_, " was given up"), false);
  }

  /// Ends a call early.
  static void end(const std::shared_ptr<Call>& call, Error why) {
    std::shared_ptr<Link> link;
    int32_t stream = 0;
    {
      const MutexLock lock(call->mutex);
      link = call->link;
      stream = call->stream;
    }
    call->finish(std::move(why), false);
    if (link) link->giveUp(stream);
  }

  /// Waits for a connection, for a while.
  void waitForLink(int forMs) {
    const MutexLock lock(mutex_);
    if (!link_) came_.wait_for(mutex_, milliseconds(forMs));
  }

  void drive(int forMs, const std::atomic<bool>& finished) {
    std::shared_ptr<Link> link;
    {
      const MutexLock lock(mutex_);
      link = link_;
      if (!link || link->closed()) {
        if (!finished) came_.wait_for(mutex_, milliseconds(forMs));
        return;
      }
    }
    link->drive(forMs, finished);
  }

  void close() {
    std::shared_ptr<Link> link;
    std::deque<std::shared_ptr<Call>> waiting;
    {
      const MutexLock lock(mutex_);
      closed_ = true;
      link.swap(link_);
      waiting.swap(waiting_);
      came_.notify_all();
    }
    for (const auto& call : waiting) call->finish(cancelledError("The connection to ", address_, " was given up"), false);
    if (link) link->close();
  }

 private:
  /// Tries until there is a connection, or nobody waits for one any more.
  void connect() {
    for (milliseconds pause = kFirstPause;; pause = std::min(pause * 8 / 5, kLongestPause)) {
      auto made = reach();
      const std::shared_ptr<Link> link = made.ok() ? std::move(*made) : nullptr;
      if (link) link->watch();
      const Status refused = !made.ok() && made.error().code == Code::Unauthenticated ? Status(made.error()) : Status();  // trying again would not help
      std::deque<std::shared_ptr<Call>> waiting;
      bool closed = false;
      {
        const MutexLock lock(mutex_);
        closed = closed_;
        if (link && !closed) link_ = link;
        if (!link && refused.ok() && anyoneWaits()) came_.wait_for(mutex_, pause);
        if (link || closed_ || !refused.ok() || !anyoneWaits()) {
          connecting_ = false;
          waiting.swap(waiting_);
          came_.notify_all();
        }
        if (connecting_) continue;
      }
      if (link && closed) link->close();
      for (const auto& call : waiting) {
        if (refused.ok()) submit(call);
        else call->finish(refused.error(), false);
      }
      return;
    }
  }

  /// One attempt.
  Result<std::shared_ptr<Link>> reach() {
    const auto stopped = [this] { return !wanted(); };
    const int socket = connectTo(address_, stopped);
    if (socket < 0) return unavailable("nobody listens at ", address_);
    auto stream = clientStream(socket, hostOf(address_), stopped);
    if (!stream.ok()) {
      ::close(socket);
      return std::move(stream.error());
    }
    try {
      return std::make_shared<Link>(std::move(*stream), weak_from_this());
    } catch (const std::bad_alloc&) {
      ::close(socket);
      return resourceExhausted("memory is short for a connection to ", address_);
    }
  }

  bool anyoneWaits() WEFT_REQUIRES(mutex_) {
    std::erase_if(waiting_, [](const std::shared_ptr<Call>& call) { return call->ended.load(); });
    return !waiting_.empty();
  }
  bool wanted() {
    const MutexLock lock(mutex_);
    return !closed_ && anyoneWaits();
  }

  const std::string address_;
  Mutex mutex_;
  CondVar came_;
  std::shared_ptr<Link> link_ WEFT_GUARDED_BY(mutex_);
  std::deque<std::shared_ptr<Call>> waiting_ WEFT_GUARDED_BY(mutex_);
  bool connecting_ WEFT_GUARDED_BY(mutex_) = false, closed_ WEFT_GUARDED_BY(mutex_) = false;
};

std::function<void()> Channel::Link::take(std::vector<StreamEvent> events) {
  struct Later {
    std::shared_ptr<Call> call;
    StreamEvent event;
  };
  std::vector<Later> later;
  const auto outcome = [](StreamEvent& event) -> Result<Bytes> {
    if (event.code != 0) return errorOf(event);
    return std::move(event.message);
  };
  for (StreamEvent& event : events) {
    auto call = forget(event.stream);
    if (!call) continue;
    if (event.kind == StreamEvent::Kind::Response && !call->done) call->finish(outcome(event), true);
    else later.push_back({std::move(call), std::move(event)});
  }
  if (later.empty()) return {};
  return [later = std::move(later), state = state_, outcome]() mutable {
    for (auto& [call, event] : later) {
      if (event.kind == StreamEvent::Kind::Response) {
        call->finish(outcome(event), true);
        continue;
      }
      const auto known = state.lock();
      if (known) known->submit(call);
      else call->finish(unavailable("Socket closed"), true);
    }
  };
}

std::shared_ptr<Channel> Channel::to(const std::string& address) {
  static Mutex mutex;
  static auto* channels = new std::map<std::string, std::weak_ptr<Channel>>;
  const MutexLock lock(mutex);
  std::weak_ptr<Channel>& known = (*channels)[address];
  std::shared_ptr<Channel> channel = known.lock();
  if (!channel) known = channel = std::make_shared<Channel>(address);
  return channel;
}

Channel::Channel(std::string address) : state_(std::make_shared<State>(std::move(address))) {}
Channel::~Channel() { state_->close(); }

const std::string& Channel::address() const { return state_->address(); }

void Channel::drive(int forMs, const std::atomic<bool>& finished) { state_->drive(forMs, finished); }

Result<Bytes> Channel::call(const std::string& method, Bytes request, const CallLimits& limits) {
  const auto call = std::make_shared<Call>();
  call->method = method;
  call->request = std::move(request);
  if (limits.timeoutMs > 0) call->deadline = Clock::now() + milliseconds(limits.timeoutMs);
  state_->submit(call);
  while (!call->finished) {
    std::shared_ptr<Link> link;
    {
      const MutexLock lock(call->mutex);
      link = call->link;
    }
    const int wait = int(std::min<int64_t>(kPollMs, limits.timeoutMs > 0 ? call->timeoutMs() : kPollMs));
    if (!link) state_->waitForLink(wait);
    else if (link->closed()) std::this_thread::yield();  // lost() is about to tell
    else link->drive(wait, call->finished);
    if (call->finished) break;
    if (Clock::now() >= call->deadline) State::end(call, Error{Code::DeadlineExceeded, "Deadline Exceeded", {}, {}, {}});
    else if (limits.stopped && limits.stopped()) State::end(call, cancelledError("The call to ", address(), " was cancelled"));
  }
  return std::move(call->result);
}

std::function<void()> Channel::start(const std::string& method, Bytes request, int64_t timeoutMs, std::function<void(Result<Bytes>)> done, AlignedPart part) {
  const auto call = std::make_shared<Call>();
  call->method = method;
  call->request = std::move(request);
  call->done = std::move(done);
  call->part = part;
  if (timeoutMs > 0) {
    call->deadline = Clock::now() + milliseconds(timeoutMs);
    call->timer = clients().at(call->deadline, [weak = std::weak_ptr<Call>(call)] {
      if (const auto late = weak.lock()) State::end(late, Error{Code::DeadlineExceeded, "Deadline Exceeded", {}, {}, {}});
    });
  }
  state_->submit(call);
  return [weak = std::weak_ptr<Call>(call)] {
    if (const auto running = weak.lock()) State::end(running, cancelledError("CANCELLED"));
  };
}

}  // namespace weft::rpc
