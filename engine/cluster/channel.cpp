#include "cluster/channel.h"

#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <chrono>
#include <limits>
#include <map>
#include <thread>

#include "cluster/messages.h"

namespace weft::cluster {
namespace {

constexpr std::chrono::milliseconds kPoll{10};  // a caller's flag cannot wake a waiting call, so it is polled

std::shared_ptr<grpc::Channel> connect(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(std::numeric_limits<int>::max());  // gRPC's default of 4 MB is less than many graphs and tensors
  arguments.SetMaxSendMessageSize(std::numeric_limits<int>::max());
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);  // a restarted task is found again within a second
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);            // a cluster's addresses are meant as they are
  arguments.SetInt(GRPC_ARG_OPTIMIZATION_TARGET, 1);
  return grpc::CreateCustomChannel("dns:///" + address, grpc::InsecureChannelCredentials(), arguments);
}

Error errorOf(const grpc::Status& status) { return Error{codeOf(int(status.error_code())), status.error_message(), {}, {}, {}}; }

/// A call that nobody waits for.
struct StartedCall {
  grpc::ClientContext context;
  std::unique_ptr<grpc::ClientAsyncResponseReader<grpc::ByteBuffer>> reader;
  grpc::ByteBuffer response;
  grpc::Status status;
  std::function<void(Result<grpc::ByteBuffer>)> done;
  std::shared_ptr<StartedCall> self;  ///< Until it is done.
};

/// The queue in which started calls end, with the thread that takes them out. It lives as long as the process.
grpc::CompletionQueue& startedCalls() {
  static auto* queue = [] {
    auto* made = new grpc::CompletionQueue;
    std::thread([made] {
      void* tag = nullptr;
      for (bool ok = false; made->Next(&tag, &ok);) {
        const auto call = std::move(static_cast<StartedCall*>(tag)->self);
        if (call->status.ok()) call->done(std::move(call->response));
        else call->done(errorOf(call->status));
      }
    }).detach();
    return made;
  }();
  return *queue;
}

}  // namespace

std::shared_ptr<Channel> Channel::to(const std::string& address) {
  static Mutex mutex;
  static auto* channels = new std::map<std::string, std::weak_ptr<Channel>>;
  const MutexLock lock(mutex);
  std::weak_ptr<Channel>& known = (*channels)[address];
  std::shared_ptr<Channel> channel = known.lock();
  if (!channel) known = channel = std::make_shared<Channel>(address);
  return channel;
}

Channel::Channel(std::string address) : address_(std::move(address)), channel_(connect(address_)), stub_(channel_) {}

Channel::~Channel() {
  const MutexLock lock(mutex_);
  for (const auto& queue : idle_) queue->Shutdown();
}

std::unique_ptr<grpc::CompletionQueue> Channel::takeQueue() {
  const MutexLock lock(mutex_);
  if (idle_.empty()) return std::make_unique<grpc::CompletionQueue>();
  auto queue = std::move(idle_.back());
  idle_.pop_back();
  return queue;
}

void Channel::giveBack(std::unique_ptr<grpc::CompletionQueue> queue) {
  const MutexLock lock(mutex_);
  idle_.push_back(std::move(queue));
}

Result<grpc::ByteBuffer> Channel::call(const std::string& method, const grpc::ByteBuffer& request, const CallLimits& limits) {
  grpc::ClientContext context;
  context.set_wait_for_ready(true);
  if (limits.timeoutMs > 0) context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(limits.timeoutMs));
  auto queue = takeQueue();
  grpc::ByteBuffer response;
  grpc::Status status;
  const auto reader = stub_.PrepareUnaryCall(&context, method, request, queue.get());
  reader->StartCall();
  reader->Finish(&response, &status, this);
  void* tag = nullptr;
  bool ok = false, cancelled = false;
  while (queue->AsyncNext(&tag, &ok, std::chrono::system_clock::now() + kPoll) == grpc::CompletionQueue::TIMEOUT) {
    if (cancelled || !limits.stopped || !limits.stopped()) continue;
    context.TryCancel();
    cancelled = true;
  }
  giveBack(std::move(queue));
  if (status.ok()) return response;
  if (status.error_code() == grpc::StatusCode::CANCELLED && cancelled) return cancelledError("The call to ", address_, " was cancelled");
  return errorOf(status);
}

std::function<void()> Channel::start(const std::string& method, const grpc::ByteBuffer& request, int64_t timeoutMs,
                                     std::function<void(Result<grpc::ByteBuffer>)> done) {
  const auto call = std::make_shared<StartedCall>();
  call->self = call;
  call->done = std::move(done);
  call->context.set_wait_for_ready(true);
  if (timeoutMs > 0) call->context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(timeoutMs));
  call->reader = stub_.PrepareUnaryCall(&call->context, method, request, &startedCalls());
  call->reader->StartCall();
  call->reader->Finish(&call->response, &call->status, call.get());
  return [weak = std::weak_ptr<StartedCall>(call)] {
    if (const auto running = weak.lock()) running->context.TryCancel();
  };
}

}  // namespace weft::cluster
