#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/temporary_file.h"
#include "io/debug_names.h"
#include "proto/debug_event.h"
#include "proto/graph.pb.h"
#include "proto/summary.pb.h"
#include "weft/debug_dump.h"

namespace weft {
namespace {

const std::string kFirstCpu = "/job:localhost/replica:0/task:0/device:CPU:0";

/// "/job:localhost/device:CPU:0" -> "_tfdbg_device_,job_localhost,device_CPU_0"
std::string dumpFolderOf(std::string device) {
  for (char& c : device) c = c == '/' ? ',' : c == ':' ? '_' : c;
  return std::string(kDumpDevicePrefix) + device;
}

std::string dumpEvent(int64_t micros, auto&& fill) {
  tensorflow::Event event;
  event.set_wall_time(double(micros));
  fill(event);
  return event.SerializeAsString();
}

std::string joinedNames(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

}  // namespace

DumpWriter::DumpWriter(std::string folder, const std::vector<Placement>& placements, FileSystem* files)
    : folder_(std::move(folder)), files_(files ? files : &posixFileSystem()) {
  for (const Placement& p : placements) devices_.emplace(p.node, p.device);
}

Status DumpWriter::begin() {
  WEFT_TRY(files_->makeFolders(folder_));
  WEFT_LET(const auto names, files_->list(folder_));
  if (std::any_of(names.begin(), names.end(), [](const std::string& n) { return n.starts_with("_tfdbg_"); }))
    return Error(alreadyExists("the folder holds a dump already; a dump is of one step").ofKind("exists")).inFile(folder_);
  return {};
}

const std::string& DumpWriter::deviceOf(const std::string& node) const {
  const auto it = devices_.find(node);
  return it == devices_.end() || it->second.empty() ? kFirstCpu : it->second;
}

/// The debugger orders dumps by their times, so no two get the same one.
int64_t DumpWriter::nextMicros() {
  const int64_t now = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  return lastMicros_ = std::max(now, lastMicros_ + 1);
}

Status DumpWriter::writeEvent(const std::string& path, const std::string& bytes) {
  if (madeFolders_.insert(folderOf(path)).second) WEFT_TRY(files_->makeFolders(folderOf(path)));
  // Readers look for tensors in the folders of devices alone, so a part that a killed process leaves here does not disturb them.
  TemporaryFile temporary(*files_, joinPath(folder_, "_tfdbg_unfinished"));
  WEFT_LET(auto file, temporary.create());
  WEFT_TRY(file->append(bytes));
  WEFT_TRY(file->close());
  return temporary.place(path);
}

void DumpWriter::runBegins(const Graph& graph, std::span<const int> nodes) {
  for (int id = 0; id < graph.size(); ++id)
    if (const Node* n = graph.node(id)) names_.emplace(id, n->name);
  for (const int id : nodes)
    if (const auto name = names_.find(id); name != names_.end()) nodes_[deviceOf(name->second)].insert(name->second);
  MetaGraph meta;
  meta.graph = graph;
  auto bytes = serializeGraph(meta, GraphFormat::GraphBinary);
  if (bytes.ok()) graph_ = std::move(*bytes);
  else if (status_.ok()) status_ = bytes.error();
}

void DumpWriter::fed(Output tensor, const Tensor& value) {
  const auto name = names_.find(tensor.node);
  if (name == names_.end()) return;
  nodes_[deviceOf(name->second)].insert(name->second);
  dump(name->second, tensor.index, value);
}

StepVerdict DumpWriter::after(StepPoint& point, const Status& status) {
  if (!status.ok()) return StepVerdict::Go;  // the run ends with it
  const Node& node = point.node();
  for (int k = 0; k < int(node.outputTypes.size()); ++k) {
    const auto value = point.output(k);
    if (value.ok()) dump(node.name, k, *value);
    else if (status_.ok()) status_ = value.error();
  }
  return status_.ok() ? StepVerdict::Go : StepVerdict::End;
}

void DumpWriter::dump(const std::string& node, int slot, const Tensor& value) {
  if (!status_.ok()) return;
  const std::string& device = deviceOf(node);
  const int64_t micros = nextMicros();
  std::string bytes;
  const Status made = debugEvent(device, node, slot, std::string(kWholeTensor), value, micros, &bytes);
  if (!made.ok() && made.error().code == Code::Unimplemented) {
    leftOut_.insert(concat(node, ":", slot));
    return;
  }
  status_ = made;
  if (status_.ok()) status_ = writeEvent(joinPath(joinPath(folder_, dumpFolderOf(device)), concat(node, "_", slot, "_", kWholeTensor, "_", micros)), bytes);
  if (status_.ok()) ++dumps_;
}

/// Each device gets the nodes of the run that are on it.
Status DumpWriter::writeGraphs() {
  tensorflow::GraphDef whole;
  if (!whole.ParseFromString(graph_)) return internalError("the graph of the step cannot be read back");
  for (const auto& [device, names] : nodes_) {
    tensorflow::GraphDef part;
    *part.mutable_versions() = whole.versions();
    if (whole.has_library()) *part.mutable_library() = whole.library();
    for (const auto& node : whole.node()) {
      if (!names.count(node.name())) continue;
      auto* added = part.add_node();
      *added = node;
      added->set_device(device);
    }
    const int64_t micros = nextMicros();
    const std::string path =
        joinPath(joinPath(folder_, dumpFolderOf(device)), concat("_tfdbg_graph_hash", std::hash<std::string>()(graph_ + device), "_", micros));
    WEFT_TRY(writeEvent(path, dumpEvent(micros, [&](auto& event) { event.set_graph_def(part.SerializeAsString()); })));
  }
  return {};
}

Status DumpWriter::finish(const std::vector<std::string>& feeds, const std::vector<std::string>& fetches, const std::vector<std::string>& targets) {
  if (status_.ok()) status_ = writeGraphs();
  const auto message = [&](const std::string& name, const std::string& text, int64_t micros) {
    if (!status_.ok()) return;
    status_ = writeEvent(joinPath(folder_, name), dumpEvent(micros, [&](auto& event) { event.mutable_log_message()->set_message(text); }));
  };
  const nlohmann::ordered_json core = {{"global_step", -1},    {"session_run_index", 0},  {"executor_step_index", 0},
                                       {"input_names", feeds}, {"output_names", fetches}, {"target_nodes", targets}};
  const int64_t micros = nextMicros();
  message(concat("_tfdbg_core_metadata_sessionrun00000000000000_", micros), core.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace),
          micros);
  message("_tfdbg_fetches_info_", joinedNames(fetches), micros);
  message("_tfdbg_feed_keys_info_", joinedNames(feeds), micros);
  return status_;
}

}  // namespace weft
