#include "rpc/connection.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

namespace weft::rpc {
namespace {

constexpr size_t kReadSize = 64 << 10;
constexpr size_t kMostParts = 64;

std::string peerOf(int socket) {
  sockaddr_storage address{};
  socklen_t length = sizeof(address);
  char text[INET6_ADDRSTRLEN] = {};
  if (::getpeername(socket, reinterpret_cast<sockaddr*>(&address), &length) != 0) return {};
  if (address.ss_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
    ::inet_ntop(AF_INET6, &v6.sin6_addr, text, sizeof(text));
    return "ipv6:[" + std::string(text) + "]:" + std::to_string(ntohs(v6.sin6_port));
  }
  const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
  ::inet_ntop(AF_INET, &v4.sin_addr, text, sizeof(text));
  return "ipv4:" + std::string(text) + ":" + std::to_string(ntohs(v4.sin_port));
}

/// What this thread reads into.
thread_local std::vector<char> readBuffer;

/// Of this thread.
struct Corked {
  int depth = 0;
  unsigned generation = 0;  ///< Of those that have not been ended.
  std::vector<std::shared_ptr<Connection>> connections;
};
thread_local Corked corked;

}  // namespace

Cork::Cork() : generation_(corked.generation) { ++corked.depth; }
Cork::~Cork() {
  if (generation_ == corked.generation && --corked.depth == 0) end();
}
void Cork::end() {
  corked.depth = 0;
  ++corked.generation;
  for (const auto& connection : std::exchange(corked.connections, {})) connection->send();
}
bool Cork::active() { return corked.depth > 0; }
void Cork::remember(std::shared_ptr<Connection> connection) {
  if (std::find(corked.connections.begin(), corked.connections.end(), connection) == corked.connections.end())
    corked.connections.push_back(std::move(connection));
}

Connection::Connection(std::unique_ptr<Stream> stream, Http2Session::Side side, Poller& poller)
    : stream_(std::move(stream)), socket_(stream_->socket()), poller_(poller), peer_(peerOf(socket_)), session_(side) {
  const int one = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
}

Connection::~Connection() { ::close(socket_); }

void Connection::watch() {
  bool failed = false;
  {
    const MutexLock lock(mutex_);
    if (closed_) return;
    id_ = poller_.add(socket_, EPOLLIN, shared_from_this());
    failed = !flush();  // the settings
  }
  if (failed) close();
}

bool Connection::closed() const {
  const MutexLock lock(mutex_);
  return closed_;
}

void Connection::arm() { poller_.arm(id_, socket_, (reading_ ? 0u : uint32_t(EPOLLIN)) | (full_ ? uint32_t(EPOLLOUT) : 0u)); }

bool Connection::flush() {
  iovec parts[kMostParts];
  const bool wasFull = full_;
  for (size_t count = session_.toSend(parts, kMostParts);; count = session_.toSend(parts, kMostParts)) {
    const ssize_t n = stream_->write(parts, count);
    if (n > 0) session_.sent(size_t(n));
    else if (n < 0 && errno == EAGAIN) break;
    else if (n < 0 && errno != EINTR) return false;
    if (count == 0) break;
  }
  if (session_.isBroken()) return false;
  full_ = stream_->waits();
  if (full_ && !wasFull) arm();
  return true;
}

bool Connection::receive(std::vector<StreamEvent>* events) {
  while (true) {
    Http2Session::Target target;
    {
      const MutexLock lock(mutex_);
      target = session_.target();
    }
    const bool large = target.data && target.size >= kReadSize;  // straight to where it belongs
    readBuffer.resize(kReadSize);
    char* to = large ? target.data : readBuffer.data();
    const ssize_t n = stream_->read(to, large ? target.size : kReadSize);
    if (n < 0 && errno == EINTR) continue;
    const bool none = n < 0 && errno == EAGAIN;
    if (n <= 0 && !none) return false;
    const MutexLock lock(mutex_);
    if (none) return !session_.hasToSend() || flush();  // an encrypted stream may take more after it has read
    const bool good = session_.receive(to, size_t(n)).ok();
    for (StreamEvent& event : session_.takeEvents()) events->push_back(std::move(event));
    if (!flush() || !good) return false;
    if (stream_->hasMore()) continue;
    if (!events->empty() || (!large && size_t(n) < kReadSize)) return true;
  }
}

void Connection::readAndTell() {
  std::vector<StreamEvent> events;
  const bool good = receive(&events);
  std::function<void()> then;
  if (!events.empty()) then = take(std::move(events));
  {
    const MutexLock lock(mutex_);
    reading_ = false;
    if (!closed_ && good) arm();
    if (waiting_ > 0) changed_.notify_all();  // one of them reads on; for others, their calls may have ended
  }
  if (!good) close();
  if (then) then();
}

void Connection::ready(uint32_t events) {
  bool read = false, failed = false;
  {
    const MutexLock lock(mutex_);
    if (closed_) return;
    if (events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) failed = !flush();
    read = !reading_ && !failed;
    if (read) reading_ = true;
    else if (!failed) arm();
  }
  if (failed) close();
  else if (read) readAndTell();
}

void Connection::drive(int milliseconds, const std::atomic<bool>& finished) {
  {
    const MutexLock lock(mutex_);
    if (closed_ || finished) return;
    if (reading_) {
      ++waiting_;
      changed_.wait_for(mutex_, std::chrono::milliseconds(milliseconds));
      --waiting_;
      return;
    }
    reading_ = true;
    arm();
    if (Cork::active()) (void)flush();  // a failure shows when it is read
  }
  pollfd watched{socket_, POLLIN, 0};
  if (::poll(&watched, 1, milliseconds) > 0) return readAndTell();
  const MutexLock lock(mutex_);
  reading_ = false;
  if (!closed_) arm();
  if (waiting_ > 0) changed_.notify_one();
}

void Connection::send() {
  with([](Http2Session&) {});
}

void Connection::close() {
  {
    const MutexLock lock(mutex_);
    if (closed_) return;
    closed_ = true;
    changed_.notify_all();
    if (id_) poller_.remove(id_, socket_);
  }
  ::shutdown(socket_, SHUT_RDWR);
  lost();
}

}  // namespace weft::rpc
