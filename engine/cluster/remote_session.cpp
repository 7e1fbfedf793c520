#include "cluster/remote_session.h"

#include <set>

#include "weft/op_traits.h"

namespace weft::cluster {
namespace {

constexpr std::string_view kScheme = "grpc://";

/// The tensor that holds the value of variable `node`: the variable itself, or an op that reads its handle; invalid if there is none.
Output readerOf(const Graph& graph, const Node& node, const std::vector<std::vector<int>>& consumers) {
  if (isRef(node.outputTypes[0])) return {node.id, 0};
  for (int reader : consumers[size_t(node.id)])
    if (roleOf(*graph.node(reader)) == OpRole::ReadVariable) return {reader, 0};
  return {};
}

}  // namespace

Result<std::unique_ptr<Session>> RemoteSession::connect(Graph graph, SessionOptions options) {
  if (!options.defaultDevice.empty())
    return invalidArgument("A server places the nodes of its sessions; the default device ", options.defaultDevice, " has no effect on ", options.target);
  if (!options.disabledPasses.empty())
    return invalidArgument("A server rewrites graphs by its own rules; the pass ", options.disabledPasses[0], " cannot be left out on ", options.target);
  auto channel = rpc::Channel::to(options.target.substr(kScheme.size()));
  std::unique_ptr<RemoteSession> session(new RemoteSession(std::make_shared<MasterLink>(std::move(channel), std::move(options))));
  WEFT_TRY(session->link_->create(std::move(graph)));
  return std::unique_ptr<Session>(std::move(session));
}

RemoteSession::~RemoteSession() { close(); }

Result<std::vector<Tensor>> RemoteSession::run(const std::vector<std::pair<std::string, Tensor>>& feeds, const std::vector<std::string>& fetches,
                                               const std::vector<std::string>& targets, const RunOptions& options, RunReport* report) {
  std::vector<std::string> names;
  std::vector<Tensor> values;
  for (const auto& [name, value] : feeds) {
    names.push_back(name);
    values.push_back(value);
  }
  return link_->step(names, values, fetches, targets, options, report);
}

Result<Callable> RemoteSession::prepare(const std::vector<std::string>& feeds, const std::vector<std::string>& fetches,
                                        const std::vector<std::string>& targets) {
  // What the graph lacks is said now, as by a session of this process, and not at the first run.
  const auto known = graph();
  for (const auto* names : {&feeds, &fetches})
    for (const std::string& name : *names) WEFT_TRY(known->findOutput(name).status());
  for (const std::string& target : targets)
    if (!known->find(target)) return notFound("FetchOutputs node ", target, ": not found");
  return Callable(std::make_shared<RemoteCallable>(link_, feeds, fetches, targets));
}

Result<std::string> RemoteSession::partialRunSetup(const std::vector<std::string>& feeds, const std::vector<std::string>& fetches,
                                                   const std::vector<std::string>& targets) {
  if (link_->closed()) return cancelledError("Session has been closed.");
  pb::PartialRunSetupRequest request;
  request.set_session_handle(link_->handle());
  for (const std::string& name : feeds) request.add_feed(name);
  for (const std::string& name : fetches) request.add_fetch(name);
  for (const std::string& name : targets) request.add_target(name);
  pb::PartialRunSetupResponse response;
  WEFT_TRY(link_->call("PartialRunSetup", request, &response));
  return response.partial_run_handle();
}

Result<std::vector<Tensor>> RemoteSession::partialRun(const std::string& handle, const std::vector<std::pair<std::string, Tensor>>& feeds,
                                                      const std::vector<std::string>& fetches) {
  std::vector<std::string> names;
  std::vector<Tensor> values;
  for (const auto& [name, value] : feeds) {
    names.push_back(name);
    values.push_back(value);
  }
  return link_->step(names, values, fetches, {}, {}, nullptr, handle);
}

std::shared_ptr<const Graph> RemoteSession::graph() const { return link_->graph(); }
Status RemoteSession::extend(Graph graph) { return link_->extend(std::move(graph)); }
void RemoteSession::close() { link_->close(); }

std::map<std::string, Tensor> RemoteSession::variables() const {
  std::map<std::string, Tensor> out;
  const auto known = graph();
  const auto consumers = known->consumers();
  std::vector<std::string> names, tensors;
  for (int id = 0; id < known->size(); ++id) {
    const Node* node = known->node(id);
    if (!node || roleOf(*node) != OpRole::Variable) continue;
    const Output value = readerOf(*known, *node, consumers);
    if (!value.valid()) continue;
    names.push_back(node->name);
    tensors.push_back(known->tensorName(value));
  }
  if (tensors.empty()) return out;
  if (auto all = link_->step({}, {}, tensors, {}, {}, nullptr); all.ok()) {
    for (size_t i = 0; i < names.size(); ++i) out[names[i]] = std::move((*all)[i]);
    return out;
  }
  // One that is not initialised fails the whole step, so each is asked for alone.
  for (size_t i = 0; i < names.size() && !link_->closed(); ++i)
    if (auto one = link_->step({}, {}, {tensors[i]}, {}, {}, nullptr); one.ok()) out[names[i]] = std::move(one->front());
  return out;
}

Status RemoteSession::setVariable(const std::string& name, const Tensor& value) {
  const auto known = graph();
  const Node* variable = known->find(name);
  if (!variable || roleOf(*variable) != OpRole::Variable) return notFound("No variable ", name, " in this session");
  const auto consumers = known->consumers();
  for (int reader : consumers[size_t(variable->id)]) {
    const Node& node = *known->node(reader);
    if (roleOf(node) != OpRole::Assign || node.inputs.size() < 2 || node.inputs[0].node != variable->id) continue;
    return link_->step({known->tensorName(node.inputs[1])}, std::span(&value, 1), {}, {node.name}, {}, nullptr).status();
  }
  return unimplemented("Variable ", name, " cannot be set on ", link_->options().target, ": the graph has no op that assigns it");
}

std::vector<std::string> RemoteSession::devices() const {
  pb::ListDevicesRequest request;
  request.set_session_handle(link_->handle());
  pb::ListDevicesResponse response;
  if (!link_->call("ListDevices", request, &response).ok()) return {};
  std::vector<std::string> out;
  std::set<std::string> seen;
  for (const auto* devices : {&response.local_device(), &response.remote_device()})
    for (const pb::DeviceAttributes& device : *devices)
      if (seen.insert(device.name()).second) out.push_back(device.name());
  return out;
}

Result<std::vector<Placement>> RemoteSession::placements() const {
  return unimplemented("The devices of a session on ", link_->options().target, " are chosen by the server at each run");
}

}  // namespace weft::cluster
