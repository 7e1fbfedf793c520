#include <google/protobuf/arena.h>

#include <algorithm>
#include <map>
#include <set>

#include "io/inspect/format.h"
#include "proto/config.pb.h"
#include "proto/text.h"
#include "proto/tfprof.pb.h"
#include "weft/records.h"

namespace weft::inspect {
namespace {

namespace tf = ::tensorflow;

constexpr size_t kMaxJsonDepth = 1000;

/// Reads a Chrome trace without storing it: counts phases, collects process names and the time span of complete events.
class TraceReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  using Text = std::string;

  bool null() override { return value({}, 0); }
  bool boolean(bool) override { return value({}, 0); }
  bool number_integer(int64_t v) override { return value({}, double(v)); }
  bool number_unsigned(uint64_t v) override { return value({}, double(v)); }
  bool number_float(double v, const Text&) override { return value({}, v); }
  bool string(Text& v) override { return value(v, 0); }
  bool binary(nlohmann::json::binary_t&) override { return true; }
  bool start_object(size_t) override { return open('{'); }
  bool start_array(size_t) override { return open('['); }
  bool end_object() override {
    if (stack_.size() == eventDepth()) endEvent();
    stack_.pop_back();
    keys_.pop_back();
    return true;
  }
  bool end_array() override {
    stack_.pop_back();
    keys_.pop_back();
    return true;
  }
  bool key(Text& k) override {
    keys_.back() = k;
    return true;
  }
  bool parse_error(size_t position, const Text&, const nlohmann::json::exception& e) override {
    failedAt = position;
    message = e.what();
    return false;
  }

  bool isTrace() const { return bare_ || found_; }

  int64_t events = 0;
  std::map<std::string, int64_t> phases;
  std::vector<std::string> processes;
  bool spans = false;
  double first = 0, last = 0;
  size_t failedAt = 0;
  std::string message;
  bool tooDeep = false;

 private:
  struct Event {
    std::string ph, name, argsName;
    double ts = 0, dur = 0;
  };

  /// Nesting depth of event objects, counting brackets.
  size_t eventDepth() const { return bare_ ? 2 : found_ && inEvents_ ? 3 : 0; }

  bool open(char bracket) {
    if (stack_.empty() && bracket == '[') bare_ = true;
    if (stack_.size() == 1 && !bare_) {
      inEvents_ = bracket == '[' && keys_.back() == "traceEvents";
      found_ = found_ || inEvents_;
    }
    stack_ += bracket;
    keys_.emplace_back();
    if (stack_.size() > kMaxJsonDepth) {
      tooDeep = true;
      return false;
    }
    if (bracket == '{' && stack_.size() == eventDepth()) event_ = {};
    return true;
  }

  bool value(const Text& text, double number) {
    const size_t depth = eventDepth();
    if (!depth || keys_.empty()) return true;
    const std::string& k = keys_.back();
    if (stack_.size() == depth) {
      if (k == "ph") event_.ph = text;
      if (k == "name") event_.name = text;
      if (k == "ts") event_.ts = number;
      if (k == "dur") event_.dur = number;
    } else if (stack_.size() == depth + 1 && k == "name" && keys_[depth - 1] == "args") {
      event_.argsName = text;
    }
    return true;
  }

  void endEvent() {
    ++events;
    ++phases[event_.ph];
    if (event_.ph == "M" && event_.name == "process_name") processes.push_back(event_.argsName);
    if (event_.ph != "X") return;
    first = spans ? std::min(first, event_.ts) : event_.ts;
    last = spans ? std::max(last, event_.ts + event_.dur) : event_.ts + event_.dur;
    spans = true;
  }

  std::string stack_;  // open brackets
  std::vector<std::string> keys_;
  bool bare_ = false, found_ = false, inEvents_ = false;
  Event event_;
};

Json integerIfExact(double v) { return v == double(int64_t(v)) ? Json(int64_t(v)) : numberJson(v); }

Status reportTrace(Report& r) {
  std::string inflated;
  std::string_view json;
  if (r.starts("\x1f\x8b")) {
    WEFT_LET(auto stream, ByteStream::open(r.path, Compression::Gzip, &r.files));
    WEFT_LET(inflated, stream->readAll(kMaxInflated));
    json = inflated;
  } else {
    WEFT_LET(json, r.content());
  }
  TraceReader reader;
  const bool ok = nlohmann::json::sax_parse(json.begin(), json.end(), &reader);
  if (reader.isTrace() || !ok) r.setKind("trace");
  if (reader.tooDeep) return bad("too_deep", "brackets are nested deeper than ", kMaxJsonDepth);
  if (!ok) {
    const size_t at = std::min(reader.failedAt ? reader.failedAt - 1 : 0, json.size());
    const std::string_view before = json.substr(0, at);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const size_t start = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
    // The library's message begins with its own description of the position, up to the first ": ".
    std::string why = reader.message;
    if (const size_t colon = why.find(": "); colon != why.npos) why = why.substr(colon + 2);
    std::replace(why.begin(), why.end(), '\n', ' ');
    return bad("bad_syntax", line, ":", at - start + 1, ": ", why);
  }
  if (!reader.isTrace()) return bad("unrecognized", "JSON, but no trace: neither an array of events nor an object with traceEvents");
  r.json["events"] = reader.events;
  r.json["phases"] = Json(reader.phases);
  std::sort(reader.processes.begin(), reader.processes.end());
  r.json["processes"] = reader.processes;
  r.json["span_us"] = integerIfExact(reader.last - reader.first);
  return {};
}

/// Begins the report of a message and parses it.
template <typename Message>
Result<const Message*> beginRecording(Report& r, const char* kind, google::protobuf::Arena* arena) {
  WEFT_LET(const std::string_view bytes, r.content());
  r.setKind(kind);
  auto* message = google::protobuf::Arena::CreateMessage<Message>(arena);
  WEFT_TRY(parseMessage(r.isText(), bytes, message));
  return message;
}

Status reportRunMetadata(Report& r) {
  r.json["encoding"] = r.isText() ? "text" : "binary";
  google::protobuf::Arena arena;
  WEFT_LET(const auto* run, beginRecording<tf::RunMetadata>(r, "run_metadata", &arena));
  r.json["devices"] = Json::array();
  for (const auto& device : run->step_stats().dev_stats()) {
    int64_t first = INT64_MAX, last = 0;
    for (const auto& node : device.node_stats()) {
      first = std::min(first, node.all_start_micros());
      last = std::max(last, node.all_start_micros() + node.all_end_rel_micros());
    }
    r.json["devices"].push_back({{"name", device.device()}, {"nodes", device.node_stats_size()}, {"span_us", device.node_stats_size() ? last - first : 0}});
  }
  r.json["partition_graphs"] = run->partition_graphs_size();
  r.json["partition_nodes"] = Json::array();
  for (const auto& g : run->partition_graphs()) r.json["partition_nodes"].push_back(g.node_size());
  r.json["function_graphs"] = run->function_graphs_size();
  r.json["cost_nodes"] = run->cost_graph().node_size();
  return {};
}

Status reportProfile(Report& r) {
  google::protobuf::Arena arena;
  WEFT_LET(const auto* profile, beginRecording<tf::tfprof::ProfileProto>(r, "tfprof", &arena));
  r.json["nodes"] = profile->nodes_size();
  std::vector<int64_t> steps(profile->steps().begin(), profile->steps().end());
  std::sort(steps.begin(), steps.end());
  r.json["steps"] = steps;
  r.json["has_trace"] = profile->has_trace();
  r.json["strings"] = profile->id_to_string_size();
  return {};
}

Status reportOpLog(Report& r) {
  google::protobuf::Arena arena;
  WEFT_LET(const auto* log, beginRecording<tf::tfprof::OpLogProto>(r, "tfprof_oplog", &arena));
  r.json["entries"] = log->log_entries_size();
  r.json["strings"] = log->id_to_string_size();
  return {};
}

}  // namespace

extern const Format kTraceFormat;
const Format kTraceFormat{
    {"trace", WEFT_TRANSLATED("FileKinds", "Trace"), WEFT_TRANSLATED("FileKinds", "When each op ran, in Chrome's trace format."), ".json"},
    [](Report& r) { return looksLikeJson(r.head()) || looksLikeJson(r.inflatedHead()); },
    reportTrace};

extern const Format kRunMetadataFormat;
const Format kRunMetadataFormat{
    {"run_metadata", WEFT_TRANSLATED("FileKinds", "RunMetadata"), WEFT_TRANSLATED("FileKinds", "Times and memory use of one step."), ""},
    [](Report& r) { return r.message() == ProtoKind::RunMetadata; },
    reportRunMetadata};

extern const Format kProfileFormat;
const Format kProfileFormat{{"tfprof", WEFT_TRANSLATED("FileKinds", "Profile"), WEFT_TRANSLATED("FileKinds", "A tf.profiler recording of several steps."), ""},
                            [](Report& r) { return r.message() == ProtoKind::Profile; },
                            reportProfile};

extern const Format kOpLogFormat;
const Format kOpLogFormat{
    {"tfprof_oplog", WEFT_TRANSLATED("FileKinds", "Op log"), WEFT_TRANSLATED("FileKinds", "Cost and source lines of ops, for tfprof."), ""},
    [](Report& r) { return r.message() == ProtoKind::OpLog; },
    reportOpLog};

}  // namespace weft::inspect
