#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "rpc/bytes.h"
#include "weft/error.h"

namespace weft::rpc {

/// How long a call may take, and what ends it earlier.
struct CallLimits {
  int64_t timeoutMs = 0;          ///< 0: none.
  std::function<bool()> stopped;  ///< Polled every 10 ms while waiting; may be empty. True ends the call with CANCELLED.
};

/// A connection to a server ("host:port"). It connects on first use and again after the server has gone and come back. Not encrypted. Thread-safe.
class Channel {
 public:
  /// All users of an address share one connection.
  static std::shared_ptr<Channel> to(const std::string& address);
  explicit Channel(std::string address);
  /// Ends the calls that are open.
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  const std::string& address() const;
  /// Calls a method ("/tensorflow.MasterService/RunStep") on the calling thread and waits for its answer. Waits for a server that is not there yet, as
  /// TensorFlow's client does. DEADLINE_EXCEEDED, CANCELLED, UNAVAILABLE if the connection breaks, or the server's error.
  Result<Bytes> call(const std::string& method, Bytes request, const CallLimits& limits);
  /// The same without waiting: `done` is called once, on a thread of this library, and must not block. Returns what ends the call early, at any time. `part` is
  /// what should be aligned in the answer's memory; may be null.
  std::function<void()> start(const std::string& method, Bytes request, int64_t timeoutMs, std::function<void(Result<Bytes>)> done, AlignedPart part = nullptr);
  /// Reads answers on this thread, as call() does while it waits, for up to `milliseconds` or until one of them sets `finished`.
  void drive(int milliseconds, const std::atomic<bool>& finished);

 private:
  struct Call;
  class Link;
  class State;
  const std::shared_ptr<State> state_;
};

}  // namespace weft::rpc
