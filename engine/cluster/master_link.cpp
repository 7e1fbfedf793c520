#include "cluster/master_link.h"
#include "cluster/local_masters.h"
#include "cluster/master.h"

#include "cluster/graph_bytes.h"
#include "cluster/messages.h"
#include "cluster/proto/config.pb.h"
#include "cluster/request_ids.h"
#include "cluster/stepped_step.h"
#include "proto/tensor_bytes.h"

namespace weft::cluster {
namespace {

constexpr int kFullTrace = 3;

std::string canonicalTensor(const std::string& name) { return name.find(':') == std::string::npos ? name + ":0" : name; }

/// The server's configuration: as given, or made of the options that concern it.
std::string configOf(const SessionOptions& options) {
  if (!options.config.empty()) return options.config;
  pb::ConfigProto config;
  for (const auto& [type, count] : options.deviceCount) (*config.mutable_device_count())[type] = count;
  config.set_intra_op_parallelism_threads(options.threads);
  config.set_allow_soft_placement(options.allowSoftPlacement);
  config.set_log_device_placement(options.logDevicePlacement);
  config.set_operation_timeout_in_ms(options.operationTimeoutMs);
  if (options.products == ProductPrecision::BFloat16) config.mutable_graph_options()->mutable_rewrite_options()->set_auto_mixed_precision(1);
  return config.SerializeAsString();
}

/// The node that a server's message names, as in "[[{{node a/b}}]]"; empty if none.
std::string namedNode(const std::string& message) {
  constexpr std::string_view kBegin = "{{node ";
  const size_t begin = message.find(kBegin);
  if (begin == std::string::npos) return {};
  const size_t end = message.find("}}", begin);
  return end == std::string::npos ? std::string() : message.substr(begin + kBegin.size(), end - begin - kBegin.size());
}

Error serverError(int code, const std::string& message) {
  Error error{codeOf(code), message, {}, {}, {}};
  error.node = namedNode(message);
  return error;
}

/// The values of the fetches, which a server may send in any order.
Result<std::vector<Tensor>> valuesOf(const pb::RunStepResponse& response, const std::vector<std::string>& fetches) {
  std::vector<Tensor> values(fetches.size());
  for (const pb::NamedTensor& named : response.tensor()) {
    bool asked = false;
    Tensor value;
    for (size_t i = 0; i < fetches.size(); ++i) {
      if (fetches[i] != named.name()) continue;
      if (!asked) {
        WEFT_LET(value, tensorFromBytes(named.tensor()));
      }
      asked = true;
      values[i] = value;
    }
    if (!asked) return internalError("Received response for unrequested fetch: ", named.name());
  }
  for (size_t i = 0; i < fetches.size(); ++i)
    if (!values[i].hasValue()) return internalError("The server did not send ", fetches[i]);
  return values;
}

}  // namespace

Status MasterLink::call(const char* method, const google::protobuf::MessageLite& request, google::protobuf::MessageLite* response, int64_t timeoutMs,
                        const std::atomic<bool>* stopped) const {
  rpc::CallLimits limits;
  limits.timeoutMs = timeoutMs > 0 ? timeoutMs : options_.operationTimeoutMs;
  limits.stopped = [this, stopped] { return closed() || (stopped && stopped->load(std::memory_order_relaxed)); };
  auto bytes = channel_->call(std::string("/tensorflow.MasterService/") + method, bufferOf(request), limits);
  if (!bytes.ok()) {
    if (bytes.error().code == Code::Cancelled && closed()) return cancelledError("Session has been closed.");
    Error error = bytes.error();
    error.node = namedNode(error.message);
    return error;
  }
  return parse(*bytes, method, response);
}

Status MasterLink::create(Graph graph) {
  pb::CreateSessionRequest request;
  WEFT_LET(*request.mutable_graph_def(), graphBytes(graph));
  request.set_config(configOf(options_));
  request.set_target(options_.target);
  pb::CreateSessionResponse response;
  WEFT_TRY(call("CreateSession", request, &response, 0, options_.connecting.flag()));
  const MutexLock lock(mutex_);
  handle_ = response.session_handle();
  version_ = response.graph_version();
  graph_ = std::make_shared<const Graph>(std::move(graph));
  return {};
}

Status MasterLink::extend(Graph graph) {
  const MutexLock lock(mutex_);  // held during the call: versions follow one another
  const int known = graph_->size();
  if (graph.size() < known) return invalidArgument("The graph has ", graph.size(), " nodes, fewer than the session's ", known);
  for (int i = 0; i < known; ++i) {
    const Node *a = graph_->node(i), *b = graph.node(i);
    if (a && (!b || a->name != b->name)) return invalidArgument("Node ", a->name, " of the session is not in the new graph");
  }
  if (graph.size() == known && graph.functions == graph_->functions) return {};
  pb::ExtendSessionRequest request;
  WEFT_LET(*request.mutable_graph_def(), graphBytes(graph, known));
  request.set_session_handle(handle_);
  request.set_current_graph_version(version_);
  pb::ExtendSessionResponse response;
  WEFT_TRY(call("ExtendSession", request, &response));
  version_ = response.new_graph_version();
  graph_ = std::make_shared<const Graph>(std::move(graph));
  return {};
}

std::shared_ptr<const Graph> MasterLink::graph() const {
  const MutexLock lock(mutex_);
  return graph_;
}

std::string MasterLink::handle() const {
  const MutexLock lock(mutex_);
  return handle_;
}

void MasterLink::close() {
  if (closed_.exchange(true)) return;
  pb::CloseSessionRequest request;
  request.set_session_handle(handle());
  if (request.session_handle().empty()) return;
  rpc::CallLimits limits;
  limits.timeoutMs = 2000;  // a server that is gone has forgotten the session anyway
  (void)channel_->call("/tensorflow.MasterService/CloseSession", bufferOf(request), limits);
}

Status MasterLink::checkFeeds(const std::vector<std::string>& feeds, std::span<const Tensor> values) const {
  if (feeds.size() != values.size()) return invalidArgument("Expected ", feeds.size(), " feeds, but got ", values.size());
  const auto known = graph();
  for (size_t i = 0; i < feeds.size(); ++i) {
    const auto output = known->findOutput(feeds[i]);
    if (!output.ok()) continue;  // the server says so in its own words
    const DType expected = baseType(known->dtype(*output));
    const Shape& shape = known->shape(*output);
    if (values[i].dtype() != expected) {
      return invalidArgument("The ", i, "th value provided for the placeholder `", feeds[i], "` has type ", dtypeName(values[i].dtype()), ". Expected type ",
                             dtypeName(expected))
          .atNode(known->node(output->node)->name);
    }
    if (!shape.compatibleWith(values[i].shape())) {
      return invalidArgument("Cannot feed value of shape ", values[i].shape().toPythonString(), " for Tensor '", feeds[i], "', which has shape '",
                             shape.toPythonString(), "'")
          .atNode(known->node(output->node)->name);
    }
  }
  return {};
}

bool MasterLink::isFirstTrace(const std::vector<std::string>& feeds, const std::vector<std::string>& fetches, const std::vector<std::string>& targets) const {
  std::string key;
  for (const auto* names : {&feeds, &fetches, &targets}) {
    for (const std::string& name : *names) (key += name) += '\n';
    key += '|';
  }
  const MutexLock lock(mutex_);
  return traced_.insert(std::move(key)).second;
}

Result<rpc::Bytes> MasterLink::stepped(pb::RunStepRequest step, const std::vector<std::string>& feeds, std::span<const Tensor> values,
                                       const RunOptions& run) const {
  SteppedRequest request;
  request.channel = channel_;
  request.target = options_.target;
  request.graph = graph();
  for (size_t i = 0; i < feeds.size(); ++i)
    if (const auto output = request.graph->findOutput(canonicalTensor(feeds[i])); output.ok()) request.feeds.emplace_back(*output, values[i]);
  request.step = std::move(step);
  request.stopped = [this, flag = run.cancellation] { return closed() || flag.cancelled(); };
  return runStepped(std::move(request), *run.controller);
}

Result<std::vector<Tensor>> MasterLink::step(const std::vector<std::string>& feeds, std::span<const Tensor> values, const std::vector<std::string>& fetches,
                                             const std::vector<std::string>& targets, const RunOptions& run, RunReport* report,
                                             const std::string& partial) const {
  if (closed()) return cancelledError("Session has been closed.");
  if (run.controller && !partial.empty()) return unimplemented("Ops of partial runs on ", options_.target, " cannot be stepped through");
  if (!run.observers.empty()) return unimplemented("Values of a session on ", options_.target, " cannot be watched: the server runs whole steps");
  WEFT_TRY(checkFeeds(feeds, values));
  std::vector<std::string> names;
  for (const std::string& fetch : fetches) names.push_back(canonicalTensor(fetch));
  const int64_t timeout = run.timeoutMs > 0 ? run.timeoutMs : options_.operationTimeoutMs;
  pb::RunOptions options;
  options.set_timeout_in_ms(timeout);
  if (run.trace && run.message.empty()) {
    options.set_trace_level(kFullTrace);
    options.set_output_partition_graphs(isFirstTrace(feeds, fetches, targets));  // they say where the server placed the nodes, the same in every step
  }
  const std::string optionBytes = run.message + options.SerializeAsString();  // of a field that is given twice, the last counts
  std::string metadata;
  std::vector<Tensor> out;
  if (const auto master = run.controller ? nullptr : LocalMasters::find(channel_->address())) {
    WEFT_LET(const auto session, master->find(handle()));
    StepRequest step;
    for (const std::string& feed : feeds) step.signature.feeds.push_back(canonicalTensor(feed));
    step.signature.fetches = names;
    step.signature.targets = targets;
    step.values.assign(values.begin(), values.end());
    WEFT_TRY(step.takeOptions(optionBytes));
    const CancellationToken ending;  // the step's own: it is cancelled when a part of the step fails, too
    const CancellationRelay relay(run.cancellation, ending, timeout);
    auto result = partial.empty() ? session->run(step, ending) : session->partialRun(partial, step, ending);
    if (!result.ok() && result.error().code == Code::Cancelled && relay.late() && !run.cancellation.cancelled() && !closed())
      return Error{Code::DeadlineExceeded, "Deadline Exceeded", {}, {}, {}};
    if (!result.ok()) return serverError(int(result.error().code), messageOf(result.error()));
    out = std::move(result->fetches);
    metadata = std::move(result->metadata);
  } else {
    pb::RunStepRequest request;
    request.set_session_handle(handle());
    for (size_t i = 0; i < feeds.size(); ++i) {
      pb::NamedTensor* feed = request.add_feed();
      feed->set_name(canonicalTensor(feeds[i]));
      WEFT_LET(*feed->mutable_tensor(), tensorToBytes(values[i]));
    }
    for (const std::string& name : names) request.add_fetch(name);
    for (const std::string& target : targets) request.add_target(target);
    request.set_options(optionBytes);
    request.set_partial_run_handle(partial);
    request.set_store_errors_in_response_body(true);  // a status of the call itself would be cut at some thousand characters
    request.set_request_id(newRequestId());
    pb::RunStepResponse response;
    if (run.controller) {
      WEFT_LET(const rpc::Bytes bytes, stepped(std::move(request), feeds, values, run));
      WEFT_TRY(parse(bytes, "RunStepResponse", &response));
    } else {
      WEFT_TRY(call("RunStep", request, &response, timeout, run.cancellation.flag()));
    }
    if (response.status_code() != 0) return serverError(response.status_code(), response.status_error_message());
    WEFT_LET(out, valuesOf(response, names));
    metadata = std::move(*response.mutable_metadata());
  }
  if (report && !metadata.empty()) {
    WEFT_LET(StepTrace trace, StepTrace::ofRunMetadata(metadata, *graph()));
    report->trace = std::make_shared<StepTrace>(std::move(trace));
  }
  return out;
}

}  // namespace weft::cluster
