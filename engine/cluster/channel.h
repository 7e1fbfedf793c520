#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/completion_queue.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/byte_buffer.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weft/error.h"
#include "weft/mutex.h"

namespace weft::cluster {

/// How long a call may take, and what ends it earlier.
struct CallLimits {
  int64_t timeoutMs = 0;          ///< 0: none.
  std::function<bool()> stopped;  ///< Polled every 10 ms while waiting; may be empty. True ends the call with CANCELLED.
};

/// A connection to one task of a cluster ("host:port"). It connects on first use and again after the task has gone and come back. Not encrypted, as TensorFlow's. Thread-safe.
class Channel {
 public:
  /// All users of an address share one connection.
  static std::shared_ptr<Channel> to(const std::string& address);
  explicit Channel(std::string address);
  ~Channel();

  const std::string& address() const { return address_; }
  /// Calls a method ("/tensorflow.MasterService/RunStep") on the calling thread and waits for its answer. Waits for a server that is not there yet, as
  /// TensorFlow's client does. DEADLINE_EXCEEDED, CANCELLED, UNAVAILABLE if the connection breaks, or the server's error.
  Result<grpc::ByteBuffer> call(const std::string& method, const grpc::ByteBuffer& request, const CallLimits& limits);
  /// The same without waiting: `done` is called once, on a thread of this library, and must not block. Returns what ends the call early, at any time.
  std::function<void()> start(const std::string& method, const grpc::ByteBuffer& request, int64_t timeoutMs,
                              std::function<void(Result<grpc::ByteBuffer>)> done);

 private:
  std::unique_ptr<grpc::CompletionQueue> takeQueue();
  void giveBack(std::unique_ptr<grpc::CompletionQueue> queue);

  const std::string address_;
  const std::shared_ptr<grpc::Channel> channel_;
  grpc::GenericStub stub_;
  Mutex mutex_;
  std::vector<std::unique_ptr<grpc::CompletionQueue>> idle_ WEFT_GUARDED_BY(mutex_);  ///< Making one costs as much as a call.
};

}  // namespace weft::cluster
