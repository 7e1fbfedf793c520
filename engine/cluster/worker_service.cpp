#include "cluster/worker_service.h"

#include <chrono>

#include "cluster/messages.h"
#include "cluster/proto/worker.pb.h"
#include "cluster/request_ids.h"
#include "cluster/tensor_wire.h"
#include "proto/tensor_bytes.h"

namespace weft::cluster {
namespace {

using CallPtr = std::shared_ptr<rpc::RpcCall>;

/// A method whose answer is there when its handler returns: Request -> Status, filling in the response. `blocks`: computing it may take long.
template <typename Request, typename Response, typename F>
rpc::RpcMethod direct(const char* name, F f, bool blocks = false) {
  return {std::string("/tensorflow.WorkerService/") + name, blocks, [name, f](const CallPtr& call) {
            Request request;
            Response response;
            Status status = parse(call->request(), name, &request);
            if (status.ok()) status = f(request, &response);
            if (status.ok()) call->reply(bufferOf(response));
            else call->fail(status.error());
          }};
}

template <typename F>
rpc::RpcMethod method(const char* name, bool blocks, F f) {
  return {std::string("/tensorflow.WorkerService/") + name, blocks, std::move(f)};
}

Status getStatus(Worker& worker, pb::GetStatusResponse* response) {
  for (const TaskDevice& device : worker.devices()) {
    pb::DeviceAttributes* out = response->add_device_attributes();
    out->set_name(device.name);
    out->set_device_type(device.type);
    out->set_memory_limit(int64_t(device.memoryBytes));
    out->set_incarnation(device.incarnation);
  }
  return {};
}

Status createSession(Worker& worker, const pb::CreateWorkerSessionRequest& request) {
  std::shared_ptr<TaskChannels> tasks;
  if (request.server_def().cluster().job_size() > 0) {
    Addresses addresses;
    for (const pb::JobDef& job : request.server_def().cluster().job())
      for (const auto& [task, address] : job.tasks()) addresses[taskName(job.name(), task)] = address;
    tasks = std::make_shared<TaskChannels>(std::move(addresses));
  }
  // Masters of TensorFlow 2 say who they are.
  const FrameIds frameIds = request.master_task().empty() ? FrameIds::OfNames : FrameIds::OfParents;
  return worker.createSession(request.session_handle(), request.isolate_session_state(), frameIds, std::move(tasks));
}

Status registerGraph(Worker& worker, pb::RegisterGraphRequest& request, pb::RegisterGraphResponse* response) {
  if (!request.debug_options().empty()) return unimplemented("Watched tensors (RunOptions.debug_options) are not supported by this worker");
  auto bytes = std::make_shared<std::string>(std::move(*request.mutable_graph_def()));
  auto loaded = loadGraphBytes(std::move(bytes), "the registered graph");
  if (!loaded.ok()) return Status(Error{loaded.error()});
  WEFT_LET(std::string handle, worker.registerGraph(request.session_handle(), std::move(loaded->meta.graph), productsOf(request.graph_options()),
                                                       request.create_worker_session_called()));
  response->set_graph_handle(std::move(handle));
  return {};
}

Result<GraphRun> graphRunOf(pb::RunGraphRequest& request) {
  GraphRun run;
  if (request.create_worker_session_called()) run.session = request.session_handle();
  run.graph = request.graph_handle();
  run.step = request.step_id();
  run.trace = request.exec_opts().record_timeline();
  run.partial = request.is_partial();
  run.last = request.is_last_partial_run();
  run.stepped = request.stepped();
  for (const pb::NamedTensor& send : request.send()) {
    WEFT_LET(Tensor value, tensorFromBytes(send.tensor()));
    run.feeds.emplace_back(send.name(), std::move(value));
  }
  run.fetches.assign(request.recv_key().begin(), request.recv_key().end());
  return run;
}

Status runGraph(Worker& worker, RecentRequests& recent, const CallPtr& call, pb::RunGraphRequest& request, pb::RunGraphResponse* response) {
  WEFT_TRY(recent.track(request.request_id(), "RunGraph (Worker)"));
  WEFT_LET(const GraphRun run, graphRunOf(request));
  const CancellationToken cancellation;
  call->whenCancelled([cancellation] { cancellation.cancel(); });
  WEFT_LET(const GraphResult result, worker.run(run, cancellation));
  for (const auto& [key, value] : result.fetches) {
    pb::NamedTensor* out = response->add_recv();
    out->set_name(key);
    WEFT_LET(*out->mutable_tensor(), tensorToBytes(value));
  }
  response->set_step_stats(result.stepStats);
  if (request.exec_opts().record_partition_graphs()) {
    WEFT_LET(*response->add_partition_graph(), worker.graphDef(run.graph));
  }
  return {};
}

void handleRunGraph(Worker& worker, RecentRequests& recent, const CallPtr& call) {
  pb::RunGraphRequest request;
  pb::RunGraphResponse response;
  Status status = parse(call->request(), "RunGraphRequest", &request);
  if (status.ok()) status = runGraph(worker, recent, call, request, &response);
  if (!status.ok()) {
    status.error().message = messageOf(status.error());
    if (!request.store_errors_in_response_body()) return call->fail(status.error());
    response.Clear();
    response.set_status_code(int(status.code()));
    response.set_status_error_message(status.error().message);
  }
  call->reply(bufferOf(response));
}

void handleRecvTensor(Worker& worker, RecentRequests& recent, const CallPtr& call) {
  pb::RecvTensorRequest request;
  Status status = parse(call->request(), "RecvTensorRequest", &request);
  if (status.ok()) status = recent.track(request.request_id(), "RecvTensor (GrpcWorker)");
  if (!status.ok()) return call->fail(status.error());
  auto cancel = worker.receive(request.step_id(), request.rendezvous_key(), [call](Result<Received> received) {
    if (!received.ok()) return call->fail(received.error());
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto bytes = encodeReceived({std::move(received->value), received->dead, std::chrono::duration_cast<std::chrono::microseconds>(now).count()});
    if (bytes.ok()) call->reply(*bytes);
    else call->fail(bytes.error());
  });
  if (cancel) call->whenCancelled(std::move(cancel));
}

}  // namespace

std::vector<rpc::RpcMethod> workerMethods(Worker& worker) {
  const auto recent = std::make_shared<RecentRequests>();
  Worker* w = &worker;
  return {
      direct<pb::GetStatusRequest, pb::GetStatusResponse>("GetStatus", [w](auto&, auto* response) { return getStatus(*w, response); }),
      direct<pb::CreateWorkerSessionRequest, pb::CreateWorkerSessionResponse>("CreateWorkerSession",
                                                                              [w](auto& request, auto*) { return createSession(*w, request); }),
      direct<pb::DeleteWorkerSessionRequest, pb::DeleteWorkerSessionResponse>("DeleteWorkerSession",
                                                                              [w](auto& request, auto*) {
                                                                                w->deleteSession(request.session_handle());
                                                                                return Status();
                                                                              }),
      direct<pb::RegisterGraphRequest, pb::RegisterGraphResponse>(
          "RegisterGraph", [w](auto& request, auto* response) { return registerGraph(*w, request, response); }, true),
      direct<pb::DeregisterGraphRequest, pb::DeregisterGraphResponse>("DeregisterGraph",
                                                                      [w](auto& request, auto*) { return w->deregisterGraph(request.graph_handle()); }),
      method("RunGraph", true, [w, recent](const CallPtr& call) { handleRunGraph(*w, *recent, call); }),
      method("RecvTensor", false, [w, recent](const CallPtr& call) { handleRecvTensor(*w, *recent, call); }),
      direct<pb::CleanupGraphRequest, pb::CleanupGraphResponse>("CleanupGraph",
                                                                [w](auto& request, auto*) {
                                                                  w->cleanupStep(request.step_id());
                                                                  return Status();
                                                                }),
      direct<pb::CleanupAllRequest, pb::CleanupAllResponse>("CleanupAll",
                                                            [w](auto& request, auto*) {
                                                              w->cleanupAll({request.container().begin(), request.container().end()});
                                                              return Status();
                                                            }),
      // Transfers are in the steps' own traces, so there is nothing to switch on.
      direct<pb::LoggingRequest, pb::LoggingResponse>("Logging", [](auto&, auto*) { return Status(); }),
      direct<pb::TracingRequest, pb::TracingResponse>("Tracing", [](auto&, auto*) { return Status(); }),
  };
}

}  // namespace weft::cluster
