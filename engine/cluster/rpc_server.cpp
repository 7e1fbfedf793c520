#include "cluster/rpc_server.h"

#include <grpcpp/impl/codegen/service_type.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server_builder.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/async_unary_call.h>

#include <atomic>
#include <limits>

#include "cluster/messages.h"

namespace weft::cluster {
namespace {

constexpr int kSpareThreads = 2;     // that stay when there is nothing to do
constexpr int kCallsPerMethod = 32;  // requests posted in advance, so that a burst is not answered one after another

grpc::Status statusOf(const Error& error) {
  constexpr size_t kMost = 6000;  // a status travels in a header, which is limited to 8 KB
  const std::string& m = error.message;
  return {grpc::StatusCode(int(error.code)), m.size() > kMost ? m.substr(0, kMost) + "..." : m};
}

}  // namespace

/// The methods as gRPC wants them.
class RpcServer::Service final : public grpc::Service {
 public:
  explicit Service(const std::vector<RpcMethod>& methods) {
    for (size_t i = 0; i < methods.size(); ++i) {
      AddMethod(new grpc::internal::RpcServiceMethod(methods[i].name.c_str(), grpc::internal::RpcMethod::NORMAL_RPC, nullptr));
      MarkMethodAsync(int(i));
    }
  }
  using grpc::Service::RequestAsyncUnary;
};

/// Shut when the server ends: nothing may be sent once its queue is closed. Handlers may keep calls longer than the server lives.
struct RpcServer::Gate {
  Mutex mutex;
  bool shut WEFT_GUARDED_BY(mutex) = false;
};

/// A call, from the moment that it is waited for. Its events arrive on the server's threads. It keeps itself alive until the last one.
class RpcServer::Call final : public RpcCall, public std::enable_shared_from_this<RpcServer::Call> {
 public:
  enum class Kind : uint8_t { Arrived, Replied, Done };
  /// What the completion queue returns.
  struct Event {
    Call* call;
    Kind kind;
  };

  Call(RpcServer& server, size_t method) : server_(server), gate_(server.gate_), method_(method), writer_(&context_) {}

  /// Waits for the next call of a method.
  static void await(RpcServer& server, size_t method) {
    const auto call = std::make_shared<Call>(server, method);
    call->self_ = call;
    call->pending_ = 1;
    if (server.methods_[method].waits) {
      call->pending_ = 2;
      call->context_.AsyncNotifyWhenDone(&call->done_);
    }
    server.service_->RequestAsyncUnary(int(method), &call->context_, &call->request_, &call->writer_, server.queue_.get(), server.queue_.get(),
                                       &call->arrived_);
  }

  const grpc::ByteBuffer& request() const override { return request_; }
  std::string peer() const override { return context_.peer(); }
  void reply(grpc::ByteBuffer response) override {
    const MutexLock lock(gate_->mutex);
    if (replied_.exchange(true) || gate_->shut) return;
    pending_.fetch_add(1);
    writer_.Finish(response, grpc::Status::OK, &answer_);
  }
  void fail(const Error& error) override {
    const MutexLock lock(gate_->mutex);
    if (replied_.exchange(true) || gate_->shut) return;
    pending_.fetch_add(1);
    writer_.FinishWithError(statusOf(error), &answer_);
  }
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

  void handle(Kind kind, bool ok) {
    if (kind == Kind::Arrived) {
      if (!ok) {  // the server stops; the notice of the end never comes for a call that never began
        release();
        if (server_.methods_[method_].waits) release();
        return;
      }
      {
        const MutexLock lock(gate_->mutex);
        if (!gate_->shut) await(server_, method_);
      }
      const auto keep = shared_from_this();
      server_.methods_[method_].handle(keep);
    } else if (kind == Kind::Done) {
      std::function<void()> f;
      const bool cancelled = context_.IsCancelled();
      {
        const MutexLock lock(mutex_);
        gaveUp_ = cancelled;
        f = std::exchange(onCancel_, nullptr);
      }
      if (cancelled && f) f();
    }
    release();
  }

 private:
  /// One event less to come; after the last one the server lets go of the call.
  void release() {
    if (pending_.fetch_sub(1) == 1) self_.reset();
  }

  RpcServer& server_;  ///< Used while events arrive only.
  const std::shared_ptr<Gate> gate_;
  const size_t method_;
  grpc::ServerContext context_;
  grpc::ByteBuffer request_;
  grpc::ServerAsyncResponseWriter<grpc::ByteBuffer> writer_;
  Event arrived_{this, Kind::Arrived}, answer_{this, Kind::Replied}, done_{this, Kind::Done};
  std::shared_ptr<Call> self_;
  std::atomic<int> pending_{0};
  std::atomic<bool> replied_{false};
  Mutex mutex_;
  bool gaveUp_ WEFT_GUARDED_BY(mutex_) = false;
  std::function<void()> onCancel_ WEFT_GUARDED_BY(mutex_);
};

RpcServer::RpcServer() : gate_(std::make_shared<Gate>()) {}

Result<std::unique_ptr<RpcServer>> RpcServer::start(const std::string& address, std::vector<RpcMethod> methods) {
  std::unique_ptr<RpcServer> s(new RpcServer);
  s->methods_ = std::move(methods);
  s->service_ = std::make_unique<Service>(s->methods_);
  grpc::ServerBuilder builder;
  builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &s->port_);
  builder.SetMaxReceiveMessageSize(std::numeric_limits<int>::max());
  builder.SetMaxSendMessageSize(std::numeric_limits<int>::max());
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);  // two servers on one port would share its calls at random
  builder.RegisterService(s->service_.get());
  s->queue_ = builder.AddCompletionQueue();
  s->server_ = builder.BuildAndStart();
  if (!s->server_ || s->port_ == 0) {
    if (!s->server_) {
      s->queue_->Shutdown();  // it must be empty before it is destroyed
      void* tag = nullptr;
      for (bool ok = false; s->queue_->Next(&tag, &ok);) continue;
    }
    return unknownError("Could not start gRPC server: ", address, " cannot be listened on; is another program using the port?");
  }
  for (size_t i = 0; i < s->methods_.size(); ++i)
    for (int k = 0; k < kCallsPerMethod; ++k) Call::await(*s, i);
  for (int i = 0; i < kSpareThreads; ++i) s->makeRoom();
  return s;
}

RpcServer::~RpcServer() {
  if (!server_ || port_ == 0) return;
  server_->Shutdown(std::chrono::system_clock::now());
  {
    const MutexLock lock(gate_->mutex);
    gate_->shut = true;
    queue_->Shutdown();
  }
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  const MutexLock lock(mutex_);
  while (threads_ > 0) ended_.wait(mutex_);
}

void RpcServer::makeRoom() {
  {
    const MutexLock lock(mutex_);
    if (free_ >= kSpareThreads) return;
    ++free_;
    ++threads_;
  }
  std::thread([this] { poll(); }).detach();  // the destructor waits for `threads_`
}

void RpcServer::poll() {
  void* tag = nullptr;
  bool ok = false;
  while (queue_->Next(&tag, &ok)) {
    const auto event = *static_cast<Call::Event*>(tag);
    const bool mayBlock = event.kind == Call::Kind::Arrived;
    bool alone = false;
    if (mayBlock) {
      const MutexLock lock(mutex_);
      alone = --free_ == 0;
    }
    if (alone) makeRoom();
    event.call->handle(event.kind, ok);
    if (!mayBlock) continue;
    const MutexLock lock(mutex_);
    if (free_ >= kSpareThreads && !stopping_) {
      if (--threads_ == 0) ended_.notify_all();
      return;
    }
    ++free_;
  }
  const MutexLock lock(mutex_);
  --free_;
  if (--threads_ == 0) ended_.notify_all();
}

}  // namespace weft::cluster
