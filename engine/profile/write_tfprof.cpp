// A trace as tfprof keeps profiles, and what it reads beside a graph.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "profile/bounds.h"
#include "proto/text.h"
#include "proto/tfprof.pb.h"
#include "weft/profile.h"

namespace weft {
namespace {

namespace prof = ::tensorflow::tfprof;

/// Texts of program lines, each stored once under a number.
class ProfileWords {
 public:
  int64_t id(const std::string& text) { return ids_.try_emplace(text, int64_t(ids_.size()) + 1).first->second; }
  template <typename Map>
  void write(Map& into) const {
    for (const auto& [text, id] : ids_) into[id] = text;
  }

 private:
  std::map<std::string, int64_t> ids_;
};

void writeCode(const std::vector<CodeLine>& code, ProfileWords& words, prof::CodeDef& out) {
  for (const CodeLine& line : code) {
    auto* t = out.add_traces();
    t->set_file_id(words.id(line.file));
    t->set_lineno(line.number);
    t->set_function_id(words.id(line.function));
    t->set_line_id(words.id(line.text));
  }
}

/// Executions last whole microseconds, at least one, in tfprof.
int64_t profileMicros(int64_t ns) { return std::max<int64_t>(1, ns / 1000); }

int64_t floatOps(const TraceNode& facts) { return facts.flops > 0 ? int64_t(std::min(facts.flops, 9.2e18)) : 0; }

/// Nodes get numbers in order of first appearance.
class ProfileBuilder {
 public:
  explicit ProfileBuilder(const Trace& trace) : trace_(trace) {
    for (const TraceTensor& t : trace.tensors) outputs_.emplace(t.slice, &t);
  }

  std::string build() {
    for (const TraceStep& step : trace_.steps) profile_.add_steps(step.number);
    for (size_t i = 0; i < trace_.slices.size(); ++i) {
      const TraceSlice& s = trace_.slices[i];
      if (!trace_.tracks[size_t(s.track)].duplicate) addExecution(int32_t(i), s);
    }
    // Nodes that only others take as inputs are added on the way.
    for (size_t k = 0; k < names_.size(); ++k) describe(int64_t(k), std::string(names_[k]));
    words_.write(*profile_.mutable_id_to_string());
    return printWire(profile_);
  }

 private:
  int64_t idOf(const std::string& name) {
    const auto [it, made] = ids_.try_emplace(name, int64_t(ids_.size()));
    if (made) {
      names_.push_back(name);
      auto& node = (*profile_.mutable_nodes())[it->second];
      node.set_name(name);
      node.set_id(it->second);
    }
    return it->second;
  }

  void addExecution(int32_t slice, const TraceSlice& s) {
    auto& node = (*profile_.mutable_nodes())[idOf(trace_.nameOf(s))];
    const std::string& device = trace_.tracks[size_t(s.track)].device;
    if (node.op().empty()) node.set_op(trace_.opOf(s));
    if (node.canonical_device().empty()) node.set_canonical_device(device);
    auto& exec = (*node.mutable_execs())[trace_.steps[size_t(s.step)].number];
    const int64_t start = boundedSum(trace_.startUnixUs, s.startNs / 1000), micros = profileMicros(s.durationNs);
    exec.set_run_count(exec.run_count() + 1);
    exec.set_all_start_micros(exec.run_count() == 1 ? start : std::min(exec.all_start_micros(), start));
    exec.set_latest_end_micros(std::max(exec.latest_end_micros(), boundedSum(start, micros)));
    auto& times = device.find("/stream:") == device.npos ? *exec.mutable_cpu_execs() : *exec.mutable_accelerator_execs();
    auto* time = times[device].add_times();
    time->add_int64_values(start);
    time->add_int64_values(micros);
    if (std::find(exec.devices().begin(), exec.devices().end(), device) == exec.devices().end()) exec.add_devices(device);
    auto* memory = exec.add_memory_execs();
    memory->set_memory_micros(start);
    memory->set_output_bytes(std::max<int64_t>(0, s.bytes));
    const auto [first, last] = outputs_.equal_range(slice);
    for (auto it = first; it != last; ++it) {
      auto& output = (*memory->mutable_output_memory())[it->second->slot];
      output.set_bytes(it->second->bytes);
      output.set_ptr(it->second->buffer);
    }
  }

  void describe(int64_t id, const std::string& name) {
    const TraceNode* facts = trace_.node(name);
    if (!facts) return;
    std::vector<int64_t> inputs;
    for (const std::string& input : facts->inputs) inputs.push_back(idOf(input));
    auto& node = (*profile_.mutable_nodes())[id];
    for (size_t k = 0; k < inputs.size(); ++k) {
      (*node.mutable_inputs())[int32_t(k)] = inputs[k];
      auto& from = (*profile_.mutable_nodes())[inputs[k]];
      (*from.mutable_outputs())[int32_t(from.outputs_size())] = id;
      (*node.mutable_src_output_index())[inputs[k]] = 0;
    }
    node.set_float_ops(floatOps(*facts));
    // tfprof counts parameters by the shape; a trace knows only their number.
    if (facts->parameters > 0) node.add_shape(facts->parameters);
    if (!facts->dataFormat.empty()) (*node.mutable_attrs())["data_format"].set_s(facts->dataFormat);
    if (facts->code.empty()) return;
    writeCode(facts->code, words_, *node.mutable_trace());
    profile_.set_has_trace(true);
  }

  const Trace& trace_;
  std::unordered_multimap<int32_t, const TraceTensor*> outputs_;
  prof::ProfileProto profile_;
  ProfileWords words_;
  std::unordered_map<std::string, int64_t> ids_;
  std::vector<std::string> names_;
};

}  // namespace

std::string toTfprof(const Trace& trace) { return ProfileBuilder(trace).build(); }

std::string toOpLog(const Trace& trace) {
  prof::OpLogProto log;
  ProfileWords words;
  const std::map<std::string, const TraceNode*> sorted = [&] {
    std::map<std::string, const TraceNode*> nodes;
    for (const auto& [name, facts] : trace.nodes) nodes.emplace(name, &facts);
    return nodes;
  }();
  for (const auto& [name, facts] : sorted) {
    if (floatOps(*facts) == 0 && facts->code.empty()) continue;
    auto* entry = log.add_log_entries();
    entry->set_name(name);
    entry->set_float_ops(floatOps(*facts));
    if (!facts->code.empty()) writeCode(facts->code, words, *entry->mutable_code_def());
  }
  words.write(*log.mutable_id_to_string());
  return printWire(log);
}

}  // namespace weft
