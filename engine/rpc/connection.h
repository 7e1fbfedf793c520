#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rpc/cork.h"
#include "rpc/http2_session.h"
#include "rpc/poller.h"
#include "rpc/stream.h"
#include "weft/cond_var.h"
#include "weft/mutex.h"

namespace weft::rpc {

/// A socket that speaks gRPC over HTTP/2, watched by a poller. Any thread may send. One thread at a time reads: one of the poller's, or a caller that waits for
/// its answer and so saves a thread switch. What happened is told to take() without a lock. Thread-safe.
class Connection : public Poller::Watched, public std::enable_shared_from_this<Connection> {
 public:
  /// Takes the stream's socket. Call watch() once it is in a shared_ptr. The poller outlives the connection, or close() is called before.
  Connection(std::unique_ptr<Stream> stream, Http2Session::Side side, Poller& poller);
  ~Connection() override;

  void watch();
  void ready(uint32_t events) override;
  /// Ends it; lost() is called, unless it had ended before.
  void close();
  bool closed() const;
  /// Sends what was gathered under a Cork.
  void send();
  /// "ipv4:127.0.0.1:2222"
  const std::string& peer() const { return peer_; }

  /// Reads on this thread, or waits while another one reads, until something has happened, `finished` is set by take() or lost(), or the time is over.
  void drive(int milliseconds, const std::atomic<bool>& finished);

 protected:
  /// Takes note of what happened, in order and quickly. What it returns may be empty; it is called when other threads may read, and may take long.
  virtual std::function<void()> take(std::vector<StreamEvent> events) = 0;
  /// It has ended. Called once.
  virtual void lost() = 0;

  /// Calls f(session), under the lock, and sends what it wants sent. False if the connection has ended.
  template <typename F>
  bool with(F f) {
    const bool later = Cork::active();
    bool failed = false;
    {
      const MutexLock lock(mutex_);
      if (closed_) return false;
      f(session_);
      failed = !later && !flush();
    }
    if (later) Cork::remember(shared_from_this());
    if (failed) close();
    return true;
  }

 private:
  /// Reads what has arrived. False if the connection is to be closed.
  bool receive(std::vector<StreamEvent>* events);
  /// Sends as much as the socket takes. False if it takes nothing any more.
  bool flush() WEFT_REQUIRES(mutex_);
  void arm() WEFT_REQUIRES(mutex_);
  /// Reads, lets the next thread read, and then tells what happened.
  void readAndTell();

  const std::unique_ptr<Stream> stream_;
  const int socket_;
  Poller& poller_;
  std::string peer_;
  mutable Mutex mutex_;
  CondVar changed_;
  Http2Session session_ WEFT_GUARDED_BY(mutex_);
  uint64_t id_ WEFT_GUARDED_BY(mutex_) = 0;
  bool closed_ WEFT_GUARDED_BY(mutex_) = false;
  bool reading_ WEFT_GUARDED_BY(mutex_) = false;
  bool full_ WEFT_GUARDED_BY(mutex_) = false;  ///< The socket took less than was to be sent.
  int waiting_ WEFT_GUARDED_BY(mutex_) = 0;    ///< Threads in drive() that do not read.
};

}  // namespace weft::rpc
