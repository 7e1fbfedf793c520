#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rpc/bytes.h"
#include "rpc/poller.h"
#include "weft/cond_var.h"
#include "weft/error.h"
#include "weft/mutex.h"

namespace weft::rpc {

/// One call that a server received. Its handler replies once, at once or later, from any thread. Shared by the handler and the server.
class RpcCall {
 public:
  virtual ~RpcCall() = default;
  virtual const Bytes& request() const = 0;
  /// The caller's address, for messages: "ipv4:127.0.0.1:2222".
  virtual const std::string& peer() const = 0;
  virtual void reply(Bytes response) = 0;
  virtual void fail(const Error& error) = 0;
  /// `f` is called once if the caller gives up before the reply: at once if it already has. It must not block.
  virtual void whenCancelled(std::function<void()> f) = 0;
};

/// A method that a server answers.
struct RpcMethod {
  std::string name;     ///< "/tensorflow.WorkerService/RunGraph"
  bool blocks = false;  ///< Whether the handler may block its thread.
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
  class Call;
  class Link;
  class Door;
  RpcServer() = default;
  void accept();
  void forget(const Link* link);
  /// Handles calls that arrived together on this thread, the blocking ones last; but for one of those, other threads take them.
  void handle(std::vector<std::shared_ptr<Call>> calls);
  void handleBlocking(const std::shared_ptr<Call>& call);
  void poll();
  /// Makes another thread if none is left to receive calls.
  void makeRoom();

  std::map<std::string, RpcMethod, std::less<>> methods_;
  std::shared_ptr<Poller> poller_;  ///< Shared with connections, whose calls may outlive the server.
  int socket_ = -1, port_ = 0;
  Mutex mutex_;
  CondVar ended_;
  uint64_t door_ WEFT_GUARDED_BY(mutex_) = 0;  ///< The listening socket's number in the poller.
  std::map<const Link*, std::shared_ptr<Link>> links_ WEFT_GUARDED_BY(mutex_);
  int free_ WEFT_GUARDED_BY(mutex_) = 0;     ///< Threads that wait for calls.
  int threads_ WEFT_GUARDED_BY(mutex_) = 0;  ///< All that run.
  bool stopping_ WEFT_GUARDED_BY(mutex_) = false;
};

}  // namespace weft::rpc
