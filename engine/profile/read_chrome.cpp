// Chrome's Trace Event Format as written by TensorFlow and most other tools. Events come in any order; times are in microseconds; processes and threads are
// identified by numbers or names.
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "profile/bounds.h"
#include "profile/read_trace.h"

namespace weft {
namespace {

namespace sj = simdjson;
using sj::ondemand::json_type;

/// The relevant fields of an event. Strings live as long as the parser's buffer.
struct Event {
  char phase = 0;
  std::string_view name, category;
  std::string_view node, op, label;  // of `args`
  std::vector<std::string_view> inputs;
  std::vector<std::pair<std::string_view, double>> values;  // numbers in `args`
  int64_t startNs = 0, durationNs = 0, bytes = 0;
  bool hasStart = false, hasDuration = false, hasStep = false;
  int64_t step = 0;
  std::string pid, tid;
};

/// Microseconds to nanoseconds, digit by digit: a double cannot hold the time of day in nanoseconds.
bool nanoseconds(sj::ondemand::value v, int64_t* out) {
  std::string_view token = sj::trim(v.raw_json_token());
  const bool negative = token.starts_with('-');
  if (negative) token.remove_prefix(1);
  int64_t whole = 0, part = 0;
  const auto r = std::from_chars(token.data(), token.data() + token.size(), whole);
  size_t at = size_t(r.ptr - token.data());
  if (r.ec == std::errc() && whole <= int64_t(9'000'000'000'000'000)) {
    int digits = 0;
    if (at < token.size() && token[at] == '.') {
      for (++at; at < token.size() && token[at] >= '0' && token[at] <= '9'; ++at, ++digits) {
        if (digits < 3) part = part * 10 + (token[at] - '0');
      }
      for (; digits < 3; ++digits) part *= 10;
    }
    if (at == token.size()) {
      *out = boundedNs((whole * 1000 + part) * (negative ? -1 : 1));
      return true;
    }
  }
  double micros;
  if (v.get_double().get(micros) != sj::SUCCESS || !(micros > -9e15 && micros < 9e15)) return false;
  *out = boundedNs(int64_t(micros * 1000));
  return true;
}

/// A number or string, as text.
std::string idText(sj::ondemand::value v) {
  std::string_view text;
  if (v.get_string().get(text) == sj::SUCCESS) return std::string(text);
  text = sj::trim(v.raw_json_token());
  return std::string(text);
}

void readArguments(sj::ondemand::object args, Event& e) {
  for (auto field : args) {
    std::string_view key;
    sj::ondemand::value value;
    if (field.unescaped_key().get(key) != sj::SUCCESS || field.value().get(value) != sj::SUCCESS) return;
    json_type type;
    if (value.type().get(type) != sj::SUCCESS) return;
    if (type == json_type::string) {
      std::string_view text;
      if (value.get_string().get(text) != sj::SUCCESS) return;
      if (key == "name") e.node = text;
      else if (key == "op") e.op = text;
      else if (key == "labels") e.label = text;
      else if (key.starts_with("input")) e.inputs.push_back(text);
      else if (double number; e.phase == 'C' && std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc())
        e.values.emplace_back(key, number);
    } else if (type == json_type::number) {
      double number;
      if (value.get_double().get(number) != sj::SUCCESS) continue;
      if (key == "bytes") e.bytes = int64_t(std::clamp(number, 0.0, 9e18));
      if (key == "step") {
        e.hasStep = true;
        e.step = int64_t(number);
      }
      e.values.emplace_back(key, number);
    }
  }
}

bool readEvent(sj::ondemand::object object, Event& e) {
  for (auto field : object) {
    std::string_view key;
    sj::ondemand::value value;
    if (field.unescaped_key().get(key) != sj::SUCCESS || field.value().get(value) != sj::SUCCESS) return false;
    std::string_view text;
    if (key == "ph") {
      if (value.get_string().get(text) == sj::SUCCESS && !text.empty()) e.phase = text[0];
    } else if (key == "name") {
      if (value.get_string().get(text) == sj::SUCCESS) e.name = text;
    } else if (key == "cat") {
      if (value.get_string().get(text) == sj::SUCCESS) e.category = text;
    } else if (key == "ts") {
      e.hasStart = nanoseconds(value, &e.startNs);
    } else if (key == "dur") {
      e.hasDuration = nanoseconds(value, &e.durationNs);
    } else if (key == "pid") {
      e.pid = idText(value);
    } else if (key == "tid") {
      e.tid = idText(value);
    } else if (key == "args") {
      sj::ondemand::object args;
      if (value.get_object().get(args) == sj::SUCCESS) readArguments(args, e);
    }
  }
  return true;
}

/// Collects events; names of processes and threads may come after their slices.
class ChromeReader {
 public:
  explicit ChromeReader(Trace& trace) : trace_(trace) {}

  void add(const Event& e) {
    ++events_;
    switch (e.phase) {
      case 'M': {
        const std::string_view given = e.node.empty() ? e.label : e.node;
        if (e.name == "process_name") processes_[e.pid] = given;
        else if (e.name == "thread_name") threads_[{e.pid, e.tid}] = given;
        return;
      }
      case 'X':
        if (!e.hasStart) return skip();
        if (!e.hasDuration) ++withoutDuration_;
        slice(e, e.startNs, e.durationNs);
        return;
      case 'i':
      case 'I':
        if (!e.hasStart) return skip();
        slice(e, e.startNs, 0);
        return;
      case 'B':
        if (!e.hasStart) return skip();
        slice(e, e.startNs, 0);
        open_[laneOf(e)].push_back(trace_.slices.size() - 1);
        return;
      case 'E': {
        auto& stack = open_[laneOf(e)];
        if (stack.empty() || !e.hasStart) {
          ++unmatched_;
          return;
        }
        TraceSlice& s = trace_.slices[stack.back()];
        s.durationNs = e.startNs - s.startNs;
        stack.pop_back();
        return;
      }
      case 'C':
        if (!e.hasStart) return skip();
        for (const auto& [key, value] : e.values) counter(e, key, value);
        return;
      case 's':
      case 't':
      case 'f':
      case 'N':
      case 'O':
      case 'D': return;  // flow arrows and tensors: both follow from the graph
      default: return skip();
    }
  }

  Result<Trace> take() {
    int64_t last = 0;
    for (const TraceSlice& s : trace_.slices) last = std::max(last, s.startNs + std::max<int64_t>(0, s.durationNs));
    for (const auto& [lane, stack] : open_) {
      for (const size_t i : stack) {
        trace_.slices[i].durationNs = last - trace_.slices[i].startNs;
        ++unmatched_;
      }
    }
    if (unmatched_ > 0)
      note(TraceProblem::Kind::Unmatched, unmatched_, "begin or end events have no partner; slices without an end last to the end of the trace");
    if (skipped_ > 0) note(TraceProblem::Kind::Skipped, skipped_, "events without a time or of an unknown kind were left out");
    if (withoutDuration_ > 0) note(TraceProblem::Kind::Skipped, withoutDuration_, "slices without a duration are shown as instants");
    for (size_t i = 0; i < trace_.tracks.size(); ++i) {
      TraceTrack& t = trace_.tracks[i];
      const auto& [pid, tid] = lanes_[i];
      const auto process = processes_.find(pid);
      const auto thread = threads_.find({pid, tid});
      std::string device = process == processes_.end() ? (pid.empty() ? std::string("process") : "process " + pid) : process->second;
      if (device.ends_with(" Compute")) device.resize(device.size() - 8);
      t.name = thread != threads_.end() && !thread->second.empty() ? thread->second : tid.empty() ? std::string() : "lane " + tid;
      t.device = std::move(device);
    }
    markRepeats(trace_);
    for (TraceCounter& c : trace_.counters) {
      const auto process = processes_.find(c.device);
      c.device = process == processes_.end() ? std::string() : process->second;
    }
    if (trace_.slices.empty() && trace_.counters.empty()) {
      return invalidArgument(events_ == 0 ? "the trace holds no events" : concat("none of the trace's ", events_, " events is a slice or a counter"))
          .ofKind("no_slices");
    }
    if (!steps_.empty()) {
      for (auto& [number, place] : steps_) {
        place = int32_t(trace_.steps.size());
        trace_.steps.push_back({number, 0, 0});
      }
      for (TraceSlice& s : trace_.slices) {
        const auto it = steps_.find(s.step);
        s.step = it == steps_.end() ? 0 : it->second;
      }
    } else {
      for (TraceSlice& s : trace_.slices) s.step = 0;
    }
    int64_t first = trace_.slices.empty() ? 0 : trace_.slices.front().startNs;
    for (const TraceSlice& s : trace_.slices) first = std::min(first, s.startNs);
    if (first > 946684800000000000) trace_.startUnixUs = first / 1000;  // later than 2000: it is a time of day
    trace_.finish();
    return std::move(trace_);
  }

 private:
  using Lane = std::pair<std::string, std::string>;
  Lane laneOf(const Event& e) const { return {e.pid, e.tid}; }
  void skip() { ++skipped_; }
  void note(TraceProblem::Kind kind, int64_t count, std::string_view what) { trace_.problems.push_back({kind, count, concat(count, " ", what)}); }

  int track(const Event& e) {
    if (last_ && lastLane_.first == e.pid && lastLane_.second == e.tid) return *last_;
    const int index = trace_.track("pid " + e.pid, e.tid);
    if (size_t(index) >= lanes_.size()) lanes_.push_back(laneOf(e));
    last_ = index;
    lastLane_ = laneOf(e);
    return index;
  }

  void slice(const Event& e, int64_t start, int64_t duration) {
    TraceSlice s;
    s.startNs = start;
    s.durationNs = duration;
    s.track = track(e);
    s.bytes = e.bytes;
    // TensorFlow names the event after the op type and gives the node in the arguments.
    const bool isOp = !e.node.empty() && (e.category == "Op" || !e.op.empty());
    s.name = trace_.intern(isOp ? e.node : e.name.empty() ? std::string_view("(no name)") : e.name);
    s.op = trace_.intern(isOp ? (!e.op.empty() ? e.op : e.name) : std::string_view());
    if (e.hasStep) {
      s.step = int32_t(e.step);
      steps_.emplace(s.step, 0);
    }
    if (isOp && !e.inputs.empty()) {
      TraceNode& node = trace_.nodes[std::string(e.node)];
      if (node.inputs.empty()) {
        for (std::string_view input : e.inputs) {
          if (input.starts_with('^')) continue;
          const size_t colon = input.rfind(':');
          node.inputs.emplace_back(colon != input.npos && colon + 1 < input.size() && input.find_first_not_of("0123456789", colon + 1) == input.npos
                                       ? input.substr(0, colon)
                                       : input);
        }
      }
    }
    if (e.bytes > 0) trace_.tensors.push_back({int32_t(trace_.slices.size()), 0, e.bytes, 0});
    trace_.slices.push_back(s);
  }

  void counter(const Event& e, std::string_view key, double value) {
    const auto [it, made] = counters_.try_emplace({e.pid, std::string(e.name) + '\n' + std::string(key)}, trace_.counters.size());
    if (made) {
      TraceCounter c;
      c.device = e.pid;
      c.name = key == e.name || key == "value" || e.name.empty() ? std::string(e.name.empty() ? key : e.name) : concat(e.name, " ", key);
      c.bytes = c.name.find("emory") != std::string::npos || c.name.find("bytes") != std::string::npos;
      trace_.counters.push_back(std::move(c));
    }
    trace_.counters[it->second].points.emplace_back(e.startNs, value);
  }

  Trace& trace_;
  std::map<std::string, std::string> processes_;
  std::map<Lane, std::string> threads_;
  std::map<Lane, std::vector<size_t>> open_;
  std::map<std::pair<std::string, std::string>, size_t> counters_;
  std::map<int64_t, int32_t> steps_;
  std::vector<Lane> lanes_;  // by track
  std::optional<int> last_;
  Lane lastLane_;
  int64_t events_ = 0, skipped_ = 0, unmatched_ = 0, withoutDuration_ = 0;
};

/// The list of events up to its last complete one, closed; empty if there is none.
std::optional<std::string> repaired(std::string_view json) {
  const size_t list = json.find('[');
  if (list == json.npos) return std::nullopt;
  size_t lastEnd = 0;
  int depth = 0;
  bool inString = false;
  for (size_t i = list + 1; i < json.size(); ++i) {
    const char c = json[i];
    if (inString) {
      if (c == '\\') ++i;
      else if (c == '"') inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (--depth < 0) break;
      if (depth == 0) lastEnd = i + 1;
    }
  }
  if (lastEnd == 0) return std::nullopt;
  return std::string(json.substr(list, lastEnd - list)) + "]";
}

/// False if the document is not valid JSON to its end; the complete events before the error have been taken.
Result<bool> readDocument(std::string_view json, ChromeReader& reader, int64_t* taken) {
  sj::ondemand::parser parser;
  const sj::padded_string padded(json);
  sj::ondemand::document document;
  if (parser.iterate(padded).get(document) != sj::SUCCESS) return false;
  json_type type;
  if (document.type().get(type) != sj::SUCCESS) return false;
  sj::ondemand::array list;
  if (type == json_type::array) {
    if (document.get_array().get(list) != sj::SUCCESS) return false;
  } else {
    sj::ondemand::object object;
    if (document.get_object().get(object) != sj::SUCCESS) return false;
    const auto error = object.find_field_unordered("traceEvents").get_array().get(list);
    if (error == sj::NO_SUCH_FIELD) return invalidArgument("the JSON has no \"traceEvents\": it is no trace in Chrome's format").ofKind("unrecognized");
    if (error) return false;
  }
  for (auto item : list) {
    sj::ondemand::object object;
    const auto error = item.get_object().get(object);
    if (error == sj::INCORRECT_TYPE) continue;
    if (error) return false;
    Event e;
    if (!readEvent(object, e)) return false;
    reader.add(e);
    ++*taken;
  }
  return true;
}

}  // namespace

Result<Trace> readChromeTrace(std::string_view json) {
  if (json.starts_with("\xEF\xBB\xBF")) json.remove_prefix(3);
  int64_t taken = 0;
  {
    Trace trace;
    ChromeReader reader(trace);
    WEFT_LET(const bool whole, readDocument(json, reader, &taken));
    if (whole) return reader.take();
  }
  const auto closed = repaired(json);
  if (!closed) return dataLoss("the JSON breaks off before its first event").ofKind("truncated");
  Trace trace;
  ChromeReader reader(trace);
  taken = 0;
  WEFT_LET(const bool whole, readDocument(*closed, reader, &taken));
  if (!whole) return dataLoss("the JSON is broken after its event ", taken).ofKind("malformed");
  trace.problems.push_back({TraceProblem::Kind::Truncated, 1, concat("the file breaks off; the ", taken, " events before that are shown")});
  return reader.take();
}

}  // namespace weft
