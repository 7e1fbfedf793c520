#include "cluster/peer.h"

#include "cluster/debug_service.h"
#include "cluster/graph_bytes.h"
#include "cluster/messages.h"
#include "cluster/proto/worker.pb.h"
#include "cluster/request_ids.h"
#include "cluster/ticker.h"
#include "proto/tensor_bytes.h"
#include "rpc/cork.h"

namespace weft::cluster {
namespace {

constexpr int64_t kGoodbyeMs = 5000;  // calls whose failure changes nothing must not hang on a task that is gone

rpc::CallLimits until(const CancellationToken& cancellation) {
  rpc::CallLimits limits;
  limits.stopped = [cancellation] { return cancellation.cancelled(); };
  return limits;
}

std::string methodName(const char* name) { return std::string("/tensorflow.WorkerService/") + name; }

Result<GraphResult> resultOf(const rpc::Bytes& bytes) {
  pb::RunGraphResponse response;
  WEFT_TRY(parse(bytes, "RunGraphResponse", &response));
  if (response.status_code() != 0) return Error{codeOf(response.status_code()), response.status_error_message(), {}, {}, {}};
  GraphResult result;
  for (const pb::NamedTensor& named : response.recv()) {
    WEFT_LET(Tensor value, tensorFromBytes(named.tensor()));
    result.fetches.emplace_back(named.name(), std::move(value));
  }
  result.stepStats = response.step_stats();
  return result;
}

/// Steps that a worker may forget. It is told with its next step, or at the next tick: a call of its own after each step would double the messages.
struct EndedSteps {
  Mutex mutex;
  std::vector<int64_t> steps WEFT_GUARDED_BY(mutex);
};

void cleanup(EndedSteps& ended, rpc::Channel& channel) {
  std::vector<int64_t> steps;
  {
    const MutexLock lock(ended.mutex);
    steps.swap(ended.steps);
  }
  for (const int64_t step : steps) {
    pb::CleanupGraphRequest request;
    request.set_step_id(step);
    channel.start(methodName("CleanupGraph"), bufferOf(request), kGoodbyeMs, [](const Result<rpc::Bytes>&) {});
  }
}

class RemotePeer final : public Peer {
 public:
  RemotePeer(std::string master, std::string task, std::shared_ptr<rpc::Channel> channel)
      : master_(std::move(master)), task_(std::move(task)), channel_(std::move(channel)) {}

  const std::string& task() const override { return task_; }

  Status createSession(const std::string& handle, bool isolated, FrameIds frameIds, const CancellationToken& cancellation) override {
    pb::CreateWorkerSessionRequest request;
    request.set_session_handle(handle);
    request.set_isolate_session_state(isolated);
    // Which tells the tasks that are Weft to number loops as TensorFlow 2 does.
    if (frameIds == FrameIds::OfParents) request.set_master_task(master_);
    return channel_->call(methodName("CreateWorkerSession"), bufferOf(request), until(cancellation)).status();
  }

  void deleteSession(const std::string& handle) override {
    pb::DeleteWorkerSessionRequest request;
    request.set_session_handle(handle);
    tell("DeleteWorkerSession", request);
  }

  Result<std::string> registerGraph(const std::string& session, const Graph& graph, bool hasControlFlow, ProductPrecision products,
                                    const CancellationToken& cancellation) override {
    pb::RegisterGraphRequest request;
    request.set_session_handle(session);
    request.set_create_worker_session_called(true);
    request.set_has_control_flow(hasControlFlow);
    if (products == ProductPrecision::BFloat16) request.mutable_graph_options()->mutable_rewrite_options()->set_auto_mixed_precision(1);
    WEFT_LET(*request.mutable_graph_def(), graphBytes(graph));
    WEFT_LET(const rpc::Bytes bytes, channel_->call(methodName("RegisterGraph"), bufferOf(request), until(cancellation)));
    pb::RegisterGraphResponse response;
    WEFT_TRY(parse(bytes, "RegisterGraphResponse", &response));
    return response.graph_handle();
  }

  void forgetGraph(const std::string& session, const std::string& graph) override {
    pb::DeregisterGraphRequest request;
    request.set_session_handle(session);
    request.set_create_worker_session_called(true);
    request.set_graph_handle(graph);
    tell("DeregisterGraph", request);
  }

  Stop start(const std::string& session, const GraphRun& run, const CancellationToken&, Ran ran) override {
    const rpc::Cork together;
    cleanup(*ended_, *channel_);
    pb::RunGraphRequest request;
    request.set_session_handle(session);
    request.set_create_worker_session_called(true);
    request.set_graph_handle(run.graph);
    request.set_step_id(run.step);
    request.mutable_exec_opts()->set_record_timeline(run.trace);
    request.set_stepped(run.stepped);
    request.set_is_partial(run.partial);
    request.set_is_last_partial_run(run.last);
    request.set_store_errors_in_response_body(true);
    request.set_request_id(newRequestId());
    for (const auto& [key, value] : run.feeds) {
      pb::NamedTensor* send = request.add_send();
      send->set_name(key);
      auto bytes = tensorToBytes(value);
      if (!bytes.ok()) {
        ran(bytes.error());
        return {};
      }
      send->set_tensor(std::move(*bytes));
    }
    for (const std::string& key : run.fetches) request.add_recv_key(key);
    return channel_->start(methodName("RunGraph"), bufferOf(request), run.timeoutMs, [ran = std::move(ran)](Result<rpc::Bytes> bytes) {
      if (bytes.ok()) ran(resultOf(*bytes));
      else ran(std::move(bytes.error()));
    });
  }

  bool help(int milliseconds, const std::atomic<bool>& finished) override {
    channel_->drive(milliseconds, finished);
    return true;
  }

  Result<rpc::Bytes> part(const std::string& request, const CancellationToken& cancellation) override {
    return channel_->call(kPart, bufferOf(request), until(cancellation));
  }

  void cleanupStep(int64_t step) override {
    bool first = false;  // since the last message
    {
      const MutexLock lock(ended_->mutex);
      first = ended_->steps.empty();
      ended_->steps.push_back(step);
    }
    if (first) Ticker::once([ended = ended_, channel = channel_] { cleanup(*ended, *channel); });
  }

  Status cleanupAll(const std::vector<std::string>& containers, const CancellationToken& cancellation) override {
    pb::CleanupAllRequest request;
    for (const std::string& container : containers) request.add_container(container);
    return channel_->call(methodName("CleanupAll"), bufferOf(request), until(cancellation)).status();
  }

 private:
  void tell(const char* method, const google::protobuf::MessageLite& request) {
    channel_->start(methodName(method), bufferOf(request), kGoodbyeMs, [](const Result<rpc::Bytes>&) {});
  }

  const std::string master_, task_;
  const std::shared_ptr<rpc::Channel> channel_;
  const std::shared_ptr<EndedSteps> ended_ = std::make_shared<EndedSteps>();
};

class LocalPeer final : public Peer {
 public:
  explicit LocalPeer(Worker& worker) : worker_(worker) {}
  const std::string& task() const override { return worker_.name(); }
  Status createSession(const std::string& handle, bool isolated, FrameIds frameIds, const CancellationToken&) override {
    return worker_.createSession(handle, isolated, frameIds, nullptr);
  }
  void deleteSession(const std::string& handle) override { worker_.deleteSession(handle); }
  Result<std::string> registerGraph(const std::string& session, const Graph& graph, bool, ProductPrecision products, const CancellationToken&) override {
    return worker_.registerGraph(session, graph, products);
  }
  void forgetGraph(const std::string&, const std::string& graph) override { (void)worker_.deregisterGraph(graph); }
  Stop start(const std::string&, const GraphRun& run, const CancellationToken& cancellation, Ran ran) override {
    auto result = worker_.run(run, cancellation);
    if (!result.ok()) result.error().message = messageOf(result.error());
    ran(std::move(result));
    return {};
  }
  Result<rpc::Bytes> part(const std::string& bytes, const CancellationToken& cancellation) override {
    pb::PartRequest request;
    if (!request.ParseFromString(bytes)) return invalidArgument("the PartRequest cannot be parsed");
    WEFT_LET(const pb::PartResponse response, worker_.part(request, cancellation));
    return bufferOf(response);
  }
  void cleanupStep(int64_t step) override { worker_.cleanupStep(step); }
  Status cleanupAll(const std::vector<std::string>& containers, const CancellationToken&) override {
    worker_.cleanupAll(containers);
    return {};
  }

 private:
  Worker& worker_;
};

}  // namespace

Result<std::vector<ClusterDevice>> devicesOf(rpc::Channel& channel, const CancellationToken& cancellation) {
  WEFT_LET(const rpc::Bytes bytes, channel.call(methodName("GetStatus"), bufferOf(pb::GetStatusRequest()), until(cancellation)));
  pb::GetStatusResponse response;
  WEFT_TRY(parse(bytes, "GetStatusResponse", &response));
  std::vector<ClusterDevice> out;
  for (const pb::DeviceAttributes& device : response.device_attributes())
    out.push_back({device.name(), device.device_type(), device.incarnation(), device.memory_limit(),
                   device.xla_global_id() == 0 ? FrameIds::OfNames : FrameIds::OfParents});
  return out;
}

std::unique_ptr<Peer> localPeer(Worker& worker) { return std::make_unique<LocalPeer>(worker); }
std::unique_ptr<Peer> remotePeer(std::string master, std::string task, std::shared_ptr<rpc::Channel> channel) {
  return std::make_unique<RemotePeer>(std::move(master), std::move(task), std::move(channel));
}

}  // namespace weft::cluster
