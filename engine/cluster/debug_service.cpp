#include "cluster/debug_service.h"

#include <thread>

#include "cluster/messages.h"
#include "cluster/proto/debug.pb.h"

namespace weft::cluster {
namespace {

using CallPtr = std::shared_ptr<rpc::RpcCall>;

constexpr auto kRunLook = std::chrono::milliseconds(5);

/// A method that may wait: (Request, cancellation) -> Result<Bytes>.
template <typename Request, typename F>
rpc::RpcMethod waiting(const char* name, F f) {
  return {name, true, [name, f](const CallPtr& call) {
            Request request;
            if (Status parsed = parse(call->request(), name, &request); !parsed.ok()) return call->fail(parsed.error());
            const CancellationToken cancellation;
            call->whenCancelled([cancellation] { cancellation.cancel(); });
            auto answer = f(request, cancellation);
            if (answer.ok()) call->reply(std::move(*answer));
            else call->fail(answer.error());
          }};
}

}  // namespace

void SteppedRuns::add(int64_t number, Run run) {
  const MutexLock lock(mutex_);
  runs_[number] = std::move(run);
}

void SteppedRuns::remove(int64_t number) {
  const MutexLock lock(mutex_);
  runs_.erase(number);
}

Result<SteppedRuns::Run> SteppedRuns::find(int64_t number, const CancellationToken& cancellation) {
  while (!cancellation.cancelled()) {
    {
      const MutexLock lock(mutex_);
      if (const auto it = runs_.find(number); it != runs_.end()) return it->second;
    }
    std::this_thread::sleep_for(kRunLook);
  }
  return cancelledError("Nobody waits for the step to begin any more");
}

std::vector<rpc::RpcMethod> debugMethods(Worker& worker, SteppedRuns& runs) {
  std::vector<rpc::RpcMethod> out;
  out.push_back({kCanStep, false, [](const CallPtr& call) { call->reply({}); }});
  out.push_back(waiting<pb::StepTasksRequest>(kSteppedTasks, [&runs](const auto& request, const auto& cancellation) -> Result<rpc::Bytes> {
    WEFT_LET(const SteppedRuns::Run run, runs.find(request.run(), cancellation));
    pb::StepTasksResponse response;
    response.set_step(run.step);
    for (const auto& [task, peer] : run.peers) response.add_task(task);
    return bufferOf(response);
  }));
  out.push_back(waiting<pb::TaskPartRequest>(kTaskPart, [&runs](const auto& request, const auto& cancellation) -> Result<rpc::Bytes> {
    WEFT_LET(const SteppedRuns::Run run, runs.find(request.run(), cancellation));
    const auto it = run.peers.find(request.task());
    if (it == run.peers.end()) return notFound("The step has no part on ", request.task());
    return it->second->part(request.request(), cancellation);
  }));
  out.push_back(waiting<pb::PartRequest>(kPart, [&worker](const auto& request, const auto& cancellation) -> Result<rpc::Bytes> {
    WEFT_LET(const pb::PartResponse response, worker.part(request, cancellation));
    return bufferOf(response);
  }));
  return out;
}

}  // namespace weft::cluster
