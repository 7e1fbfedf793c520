#pragma once

#include <grpcpp/server.h>
#include <grpcpp/support/byte_buffer.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "weft/cond_var.h"
#include "weft/error.h"
#include "weft/mutex.h"

namespace weft::cluster {

/// One call that a server received. Its handler replies once, at once or later, from any thread. Shared by the handler and the server.
class RpcCall {
 public:
  virtual ~RpcCall() = default;
  virtual const grpc::ByteBuffer& request() const = 0;
  /// The caller's address, for messages.
  virtual std::string peer() const = 0;
  virtual void reply(grpc::ByteBuffer response) = 0;
  virtual void fail(const Error& error) = 0;
  /// `f` is called once if the caller gives up before the reply: at once if it already has. Only for methods that are declared to wait.
  virtual void whenCancelled(std::function<void()> f) = 0;
};

/// A method that a server answers.
struct RpcMethod {
  std::string name;  ///< "/tensorflow.WorkerService/RunGraph"
  /// Whether a reply may take long: the handler then may block its thread, and learns whether the caller gives up.
  bool waits = false;
  std::function<void(const std::shared_ptr<RpcCall>&)> handle;
};

/// A gRPC server for methods whose messages are handled as bytes. Handlers run on the threads that receive calls: for short ones that saves a thread switch. When all
/// threads are busy, more are made, so a handler may block.
class RpcServer {
 public:
  /// Listens on `address` ("127.0.0.1:2222"; port 0: any free one). UNKNOWN "Could not start gRPC server" if the port cannot be had.
  static Result<std::unique_ptr<RpcServer>> start(const std::string& address, std::vector<RpcMethod> methods);
  /// Ends all calls and waits for the handlers that still run. Later replies have no effect.
  ~RpcServer();

  int port() const { return port_; }

 private:
  class Service;
  class Call;
  struct Gate;
  RpcServer();
  void poll();
  /// Makes another thread if none is left to receive calls.
  void makeRoom();

  const std::shared_ptr<Gate> gate_;
  std::vector<RpcMethod> methods_;
  std::unique_ptr<Service> service_;
  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  std::unique_ptr<grpc::Server> server_;
  int port_ = 0;
  Mutex mutex_;
  CondVar ended_;
  int free_ WEFT_GUARDED_BY(mutex_) = 0;     ///< Threads that wait for calls.
  int threads_ WEFT_GUARDED_BY(mutex_) = 0;  ///< All that run.
  bool stopping_ WEFT_GUARDED_BY(mutex_) = false;
};

}  // namespace weft::cluster
