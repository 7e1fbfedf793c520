#include "cluster/step_rendezvous.h"

#include "cluster/messages.h"
#include "cluster/proto/worker.pb.h"
#include "cluster/request_ids.h"
#include "cluster/tensor_wire.h"
#include "runtime/cluster_placement.h"

namespace weft::cluster {

bool isDerived(const Error& error) { return error.message.starts_with(kDerived); }

void StepRendezvous::setChannels(std::shared_ptr<TaskChannels> tasks) {
  const MutexLock lock(mutex_);
  tasks_ = std::move(tasks);
}

Rendezvous::Cancel StepRendezvous::receive(const std::string& key, Done done) {
  const auto parsed = RendezvousKey::parse(key);
  if (!parsed.ok()) {
    done(parsed.error());
    return {};
  }
  const std::string_view task = taskOfDevice(parsed->sendDevice);
  if (task == task_) return local_.receive(key, std::move(done));
  return receiveFrom(std::string(task), key, std::move(done));
}

Rendezvous::Cancel StepRendezvous::receiveFrom(const std::string& task, const std::string& key, Done done) {
  std::shared_ptr<rpc::Channel> channel;
  Status ended;
  int64_t number = 0;
  {
    const MutexLock lock(mutex_);
    ended = ended_;
    if (ended.ok() && tasks_) channel = tasks_->to(task);
    number = ++made_;
    if (ended.ok() && channel) calls_[number].channel = channel;  // before the call, which may end at once
  }
  if (!ended.ok() || !channel) {
    done(ended.ok() ? internalError("No worker known as ", task) : std::move(ended.error()));
    return {};
  }
  pb::RecvTensorRequest request;
  request.set_step_id(step_);
  request.set_rendezvous_key(key);
  request.set_dma_ok(true);
  request.set_request_id(newRequestId());
  auto cancel = channel->start(
      "/tensorflow.WorkerService/RecvTensor", bufferOf(request), 0,
      [weak = weak_from_this(), number, done = std::move(done)](Result<rpc::Bytes> bytes) {
        Status ended;
        if (const auto self = weak.lock()) {
          const MutexLock lock(self->mutex_);
          self->calls_.erase(number);
          ended = self->ended_;
        }
        if (!bytes.ok()) return done(ended.ok() ? std::move(bytes.error()) : std::move(ended.error()));
        auto received = decodeReceived(*bytes);
        if (!received.ok()) return done(std::move(received.error()));
        done(Received{std::move(received->value), received->dead});
      },
      contentOffset);
  bool late = false;  // abort() came after the look above, and did not know of this call
  {
    const MutexLock lock(mutex_);
    if (const auto it = calls_.find(number); it != calls_.end()) it->second.cancel = cancel;
    late = !ended_.ok();
  }
  if (late) cancel();
  return cancel;
}

std::shared_ptr<void> StepRendezvous::together() {
  struct Together {
    ~Together() { rpc::Cork::end(); }
    rpc::Cork cork;
  };
  return std::make_shared<Together>();
}

bool StepRendezvous::help(int milliseconds, const std::atomic<bool>& finished) {
  std::shared_ptr<rpc::Channel> channel;
  {
    const MutexLock lock(mutex_);
    for (const auto& [number, call] : calls_) {
      if (channel && call.channel != channel) return false;  // several connections: nobody can wait for all of them
      channel = call.channel;
    }
  }
  if (!channel) return false;
  channel->drive(milliseconds, finished);
  return true;
}

void StepRendezvous::abort(Error why) {
  if (!isDerived(why)) why.message.insert(0, kDerived);
  std::map<int64_t, Call> calls;
  {
    const MutexLock lock(mutex_);
    if (ended_.ok()) ended_ = why;
    calls = calls_;
  }
  local_.abort(why);
  for (const auto& [number, call] : calls)
    if (call.cancel) call.cancel();
}

}  // namespace weft::cluster
