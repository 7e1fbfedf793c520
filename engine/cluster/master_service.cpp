#include "cluster/master.h"
#include "cluster/messages.h"
#include "cluster/proto/master.pb.h"
#include "proto/tensor_bytes.h"

// The methods of MasterService.
namespace weft::cluster {
namespace {

using CallPtr = std::shared_ptr<rpc::RpcCall>;

/// A method that may take long: (Request, Response*, cancellation) -> Status.
template <typename Request, typename Response, typename F>
rpc::RpcMethod method(const char* name, F f) {
  return {std::string("/tensorflow.MasterService/") + name, true, [name, f](const CallPtr& call) {
            Request request;
            Response response;
            const CancellationToken cancellation;
            Status status = parse(call->request(), name, &request);
            if (status.ok()) {
              call->whenCancelled([cancellation] { cancellation.cancel(); });
              status = f(request, &response, cancellation);
            }
            if (status.ok()) call->reply(bufferOf(response));
            else call->fail(Error{status.code(), messageOf(status.error()), {}, {}, {}});
          }};
}

std::string canonical(const std::string& name) { return name.find(':') == std::string::npos ? name + ":0" : name; }

template <typename Names>
std::vector<std::string> tensors(const Names& names) {
  std::vector<std::string> out;
  for (const std::string& name : names) out.push_back(canonical(name));
  return out;
}

Result<StepRequest> stepOf(const pb::RunStepRequest& request) {
  StepRequest step;
  for (const pb::NamedTensor& feed : request.feed()) {
    step.signature.feeds.push_back(canonical(feed.name()));
    WEFT_LET(Tensor value, tensorFromBytes(feed.tensor()));
    step.values.push_back(std::move(value));
  }
  step.signature.fetches = tensors(request.fetch());
  step.signature.targets.assign(request.target().begin(), request.target().end());
  WEFT_TRY(step.takeOptions(request.options()));
  return step;
}

Status runStep(Master& master, RecentRequests& recent, const pb::RunStepRequest& request, pb::RunStepResponse* response,
               const CancellationToken& cancellation) {
  WEFT_TRY(recent.track(request.request_id(), "RunStep (Master)"));
  WEFT_LET(const auto session, master.find(request.session_handle()));
  WEFT_LET(StepRequest step, stepOf(request));
  const auto over = std::shared_ptr<void>(nullptr, [&](void*) { master.steppedRuns().remove(request.stepped()); });
  if (request.stepped() != 0) {
    step.stepped = [&master, number = request.stepped()](int64_t id, const std::vector<std::shared_ptr<Peer>>& peers) {
      SteppedRuns::Run run{id, {}};
      for (const auto& peer : peers) run.peers[peer->task()] = peer;
      master.steppedRuns().add(number, std::move(run));
    };
  }
  WEFT_LET(StepResult result, request.partial_run_handle().empty() ? session->run(step, cancellation)
                                                                   : session->partialRun(request.partial_run_handle(), step, cancellation));
  for (size_t i = 0; i < result.fetches.size(); ++i) {
    pb::NamedTensor* out = response->add_tensor();
    out->set_name(request.fetch(int(i)));
    WEFT_LET(*out->mutable_tensor(), tensorToBytes(result.fetches[i]));
  }
  response->set_metadata(std::move(result.metadata));
  return {};
}

void addDevice(const ClusterDevice& device, pb::DeviceAttributes* out) {
  out->set_name(device.name);
  out->set_device_type(device.type);
  out->set_memory_limit(device.memoryLimit);
  out->set_incarnation(device.incarnation);
}

}  // namespace

std::vector<rpc::RpcMethod> Master::methods() {
  std::vector<rpc::RpcMethod> out;
  out.push_back(
      method<pb::CreateSessionRequest, pb::CreateSessionResponse>("CreateSession", [this](auto& request, auto* response, const auto& cancellation) -> Status {
        WEFT_LET(const auto session, createSession(std::move(*request.mutable_graph_def()), request.config(), cancellation));
        response->set_session_handle(session->handle());
        response->set_graph_version(session->version());
        return {};
      }));
  out.push_back(method<pb::ExtendSessionRequest, pb::ExtendSessionResponse>("ExtendSession", [this](auto& request, auto* response, const auto&) -> Status {
    WEFT_LET(const auto session, find(request.session_handle()));
    WEFT_TRY(session->extend(request.graph_def(), request.current_graph_version()));
    response->set_new_graph_version(session->version());
    return {};
  }));
  for (const char* name : {"/tensorflow.MasterService/RunStep", kSteppedRunStep})
    out.push_back({name, true, [this](const CallPtr& call) {
                     pb::RunStepRequest request;
                     pb::RunStepResponse response;
                     const CancellationToken cancellation;
                     Status status = parse(call->request(), "RunStepRequest", &request);
                     if (status.ok()) {
                       call->whenCancelled([cancellation] { cancellation.cancel(); });
                       status = runStep(*this, recent_, request, &response, cancellation);
                     }
                     if (!status.ok()) {
                       const Error error{status.code(), messageOf(status.error()), {}, {}, {}};
                       if (!request.store_errors_in_response_body()) return call->fail(error);
                       response.Clear();
                       response.set_status_code(int(error.code));
                       response.set_status_error_message(error.message);
                     }
                     call->reply(bufferOf(response));
                   }});
  out.push_back(method<pb::PartialRunSetupRequest, pb::PartialRunSetupResponse>(
      "PartialRunSetup", [this](auto& request, auto* response, const auto& cancellation) -> Status {
        WEFT_LET(const auto session, find(request.session_handle()));
        const Signature signature{tensors(request.feed()), tensors(request.fetch()), {request.target().begin(), request.target().end()}};
        WEFT_LET(std::string handle, session->partialSetup(signature, cancellation));
        response->set_partial_run_handle(std::move(handle));
        return {};
      }));
  out.push_back(method<pb::CloseSessionRequest, pb::CloseSessionResponse>(
      "CloseSession", [this](auto& request, auto*, const auto&) { return closeSession(request.session_handle()); }));
  out.push_back(
      method<pb::ListDevicesRequest, pb::ListDevicesResponse>("ListDevices", [this](auto& request, auto* response, const auto& cancellation) -> Status {
        std::vector<ClusterDevice> devices;
        if (request.session_handle().empty()) {  // of no session: every task of the cluster
          std::vector<std::string> tasks;
          for (const auto& [task, address] : addresses_) tasks.push_back(task);
          WEFT_LET(devices, findDevices(tasks, cancellation));
        } else {
          WEFT_LET(const auto session, find(request.session_handle()));
          devices = session->devices();
        }
        for (const ClusterDevice& device : devices)
          addDevice(device, taskOfDevice(device.name) == own_.name() ? response->add_local_device() : response->add_remote_device());
        return {};
      }));
  out.push_back(method<pb::ResetRequest, pb::ResetResponse>("Reset", [this](auto& request, auto*, const auto& cancellation) {
    return reset({request.container().begin(), request.container().end()}, cancellation);
  }));
  out.push_back(
      method<pb::MakeCallableRequest, pb::MakeCallableResponse>("MakeCallable", [this](auto& request, auto* response, const auto& cancellation) -> Status {
        WEFT_LET(const auto session, find(request.session_handle()));
        pb::CallableOptions options;
        if (!options.ParseFromString(request.options())) return invalidArgument("the CallableOptions cannot be parsed");
        Signature signature{tensors(options.feed()), tensors(options.fetch()), {options.target().begin(), options.target().end()}};
        WEFT_LET(const int64_t handle, session->makeCallable(std::move(signature), cancellation));
        response->set_handle(handle);
        return {};
      }));
  out.push_back(
      method<pb::RunCallableRequest, pb::RunCallableResponse>("RunCallable", [this](auto& request, auto* response, const auto& cancellation) -> Status {
        WEFT_TRY(recent_.track(request.request_id(), "RunCallable (Master)"));
        WEFT_LET(const auto session, find(request.session_handle()));
        StepRequest step;
        WEFT_LET(step.signature, session->callable(request.handle()));
        if (size_t(request.feed_size()) != step.signature.feeds.size())
          return invalidArgument("Expected ", step.signature.feeds.size(), " feed tensors, but got ", request.feed_size());
        for (const std::string& feed : request.feed()) {
          WEFT_LET(Tensor value, tensorFromBytes(feed));
          step.values.push_back(std::move(value));
        }
        WEFT_LET(const StepResult result, session->run(step, cancellation));
        for (const Tensor& value : result.fetches) {
          WEFT_LET(*response->add_fetch(), tensorToBytes(value));
        }
        return {};
      }));
  out.push_back(method<pb::ReleaseCallableRequest, pb::ReleaseCallableResponse>("ReleaseCallable", [this](auto& request, auto*, const auto&) -> Status {
    WEFT_LET(const auto session, find(request.session_handle()));
    session->releaseCallable(request.handle());
    return {};
  }));
  return out;
}

}  // namespace weft::cluster
