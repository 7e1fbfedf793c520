#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/profile_devices.h"
#include "cli/profile_plan.h"
#include "cli/profile_questions.h"
#include "cli/profile_source.h"
#include "cli/profile_transfers.h"
#include "weft/file_system.h"
#include "weft/profile_views.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kProfileUsage =
    "usage: weft profile GRAPH [--feed x:0=FILE.npy|VALUE]… [--fetch y:0]… [--target OP]… [--init OP] [--restore PREFIX]\n"
    "                    [--steps N] [--warmup N] [--threads N] [--precision P] [--device D]… [--without PASS]… [--memory-limit SIZE]\n"
    "                    [OPTIONS]\n"
    "       weft profile TRACE [--graph GRAPH] [OPTIONS]\n"
    "       weft profile EVENTS --run TAG [--graph GRAPH] [OPTIONS]\n\n"
    "Where a step's time and memory go. GRAPH is run with a trace: a document with training settings is trained for a few steps (nothing is\n"
    "saved), any other graph computes --fetch and --target. TRACE is RunMetadata, a profile of tfprof, an XPlane of TensorFlow 2's profiler, or\n"
    "a trace in Chrome's format.\n"
    "EVENTS is an event file, or a folder of them, with session runs: TAG names one of them.\n"
    "Times are per step; `self` leaves out what is nested, `total` has all below an entry, `critical` is the part that the step waited for.\n\n"
    "  --view V           op (types of ops, the default), scope, graph (by inputs), code (lines of a program) or timeline (every slice)\n"
    "  --explain          what the plan of a step became: rewrites, fused groups, memory over time, nodes beside their floors\n"
    "                     with the reason and what would help, and which calls run side by side\n"
    "  --simulate-threads N   with --explain: the step's time on 1, 2, 4, … N threads, predicted from the times of its calls\n"
    "  --precision bf16   the steps multiply bfloat16; --explain says which nodes did\n"
    "  --memory-limit SIZE  of a step's tensors with all variables, constants and fed values, such as 2G, 512M or 1000000 (bytes): a step that would\n"
    "                     need more computes values of its first half a second time instead of keeping them, with the same results; it is refused\n"
    "                     if even that is not enough. What single ops need while they compute, input pipelines and the program are not counted\n"
    "  --each-device      the same steps on each device of this machine, or on each --device D, and which one to choose\n"
    "  --order-by O       self, total, count, flops, bytes, params, critical, name\n"
    "  --max-depth N      of the trees; --top N: lines shown (default 40; 0: all)\n"
    "  --min-micros N, --min-bytes N, --min-float-ops N, --min-params N, --min-occurrence N\n"
    "  --start RE, --show RE, --hide RE, --trim RE   by name, as tfprof's *_name_regexes\n"
    "  --step N           only that one, counted from 0\n"
    "  --compare TRACE    what became slower and faster since TRACE, with 95 % intervals if both have several steps; by op, or as --view says\n"
    "  --gaps             why threads and streams were idle between two slices: which input, copy, queue or launch they waited for\n"
    "  --what-if CHANGE   what a step would take: OP=2x, NODE=2x or SCOPE/=2x (twice as fast), OP=gone, OP+OP=fused (the second computed with the\n"
    "                     first), OP@DEVICE=10x (moved there, with copies); several at once. Replays the trace's slices in their order\n"
    "  --out FILE         keep the trace: .json (Chrome's format), .pb (RunMetadata), .pb.gz or .pprof (for pprof: stacks with counts, times,\n"
    "                     memory and FLOPs), .profile (of tfprof) or .op_log (tfprof's FLOPs and program lines)\n"
    "  --json             one JSON object with everything\n";

std::string textOf(double v, const char* unit, double scale) {
  char out[48];
  const double x = v * scale;
  std::snprintf(out, sizeof out, x >= 99.95 ? "%.0f%s" : x >= 9.995 ? "%.1f%s" : "%.2f%s", x, unit);
  return out;
}

std::string timeText(double ns) {
  if (std::fabs(ns) >= 1e9) return textOf(ns, " s", 1e-9);
  if (std::fabs(ns) >= 1e6) return textOf(ns, " ms", 1e-6);
  return textOf(ns, " µs", 1e-3);
}

std::string byteText(double bytes) {
  if (bytes >= 1e9) return textOf(bytes, " GB", 1e-9);
  if (bytes >= 1e6) return textOf(bytes, " MB", 1e-6);
  if (bytes >= 1e3) return textOf(bytes, " kB", 1e-3);
  return textOf(bytes, " B", 1);
}

/// Columns on a terminal: µ and … take one column, but two or three bytes.
size_t widthOf(const std::string& s) {
  return size_t(std::count_if(s.begin(), s.end(), [](char c) { return (uint8_t(c) & 0xC0) != 0x80; }));
}

std::string cell(const std::string& s, size_t width, bool right) {
  const size_t w = widthOf(s);
  const std::string pad(w < width ? width - w : 0, ' ');
  return right ? pad + s : s + pad;
}

/// printf to the stream that the rest of this output goes to.
template <typename... Parts>
void say(const char* format, Parts... parts) {
  char line[2048];
  std::snprintf(line, sizeof line, format, parts...);
  std::cout << line;
}

/// Shortens a long name in its middle, because the ends tell most. Never splits a character.
std::string shortened(const std::string& s, size_t width) {
  if (widthOf(s) <= width) return s;
  const auto isStart = [&](size_t i) { return i >= s.size() || (uint8_t(s[i]) & 0xC0) != 0x80; };
  size_t head = width / 2, tail = s.size() - (width - width / 2 - 1);
  while (!isStart(head)) --head;
  while (!isStart(tail)) ++tail;
  return s.substr(0, head) + "…" + s.substr(tail);
}

struct Column {
  const char* title;
  size_t width;
};

void printTable(const Trace& trace, const ProfileTable& table, size_t top) {
  say("%s: %zu step%s of %s (median %s, slowest %s), %d nodes, %s FLOP/step\n", trace.title.c_str(), trace.steps.size(), trace.steps.size() == 1 ? "" : "s",
      timeText(table.stepNs).c_str(), timeText(table.p50StepNs).c_str(), timeText(table.p99StepNs).c_str(), table.all.nodes,
      textOf(table.all.flops, " G", 1e-9).c_str());
  for (const TraceProblem& p : trace.problems) std::cout << "note: " << p.message << "\n";
  if (!table.note.empty()) std::cout << table.note << "\n";
  if (table.rows.empty()) return;
  static constexpr std::array<Column, 8> kColumns = {
      {{"self", 10}, {"share", 7}, {"total", 10}, {"critical", 10}, {"count", 8}, {"p50", 10}, {"p99", 10}, {"GFLOP/s", 9}}};
  size_t widest = 16;
  const size_t shown = top == 0 ? table.rows.size() : std::min(top, table.rows.size());
  for (size_t i = 0; i < shown; ++i) widest = std::min<size_t>(60, std::max(widest, size_t(table.rows[i].depth) * 2 + widthOf(table.rows[i].name)));
  std::cout << "\n" << cell("", widest, false);
  for (const Column& c : kColumns) std::cout << " " << cell(c.title, c.width, true);
  std::cout << "\n";
  for (size_t i = 0; i < shown; ++i) {
    const ProfileRow& r = table.rows[i];
    const double share = table.all.selfNs > 0 ? r.total.selfNs / table.all.selfNs * 100 : 0;
    const std::string indent(std::min<size_t>(size_t(r.depth) * 2, widest / 2), ' ');
    std::cout << cell(indent + shortened(r.name, widest - indent.size()), widest, false);
    const std::string values[] = {
        timeText(r.self.selfNs),      textOf(share, " %", 1), timeText(r.total.selfNs), r.total.criticalNs > 0 ? timeText(r.total.criticalNs) : "-",
        textOf(r.total.count, "", 1), timeText(r.p50Ns),      timeText(r.p99Ns),        r.self.flops > 0 ? textOf(r.gflopsPerSecond(), "", 1) : "-"};
    for (size_t k = 0; k < kColumns.size(); ++k) std::cout << " " << cell(values[k], kColumns[k].width, true);
    std::cout << "\n";
  }
  if (shown < table.rows.size()) std::cout << "… " << table.rows.size() - shown << " more (--top 0 shows all)\n";
}

void printTimeline(const Trace& trace, size_t top) {
  size_t shown = 0;
  for (size_t t = 0; t < trace.tracks.size(); ++t) {
    std::cout << trace.tracks[t].device << " " << trace.tracks[t].name << (trace.tracks[t].duplicate ? " (repeats other tracks)" : "") << "\n";
    for (const TraceSlice& s : trace.slices) {
      if (s.track != int(t)) continue;
      if (top && ++shown > top) {
        std::cout << "… (--top 0 shows all, --out FILE.json keeps them)\n";
        return;
      }
      std::cout << "  " << cell(timeText(double(s.startNs)), 11, true) << cell(timeText(double(s.durationNs)), 11, true) << "  "
                << std::string(size_t(s.depth) * 2, ' ') << trace.nameOf(s) << (s.op ? " = " + trace.opOf(s) : std::string()) << "\n";
    }
  }
}

void printRest(const Trace& trace) {
  for (const MemoryTimeline& m : memoryTimelines(trace)) {
    say("\nmemory of %s: at most %s at %s, of which\n", m.device.c_str(), byteText(double(m.peakBytes)).c_str(), timeText(double(m.peakNs)).c_str());
    for (size_t i = 0; i < m.atPeak.size() && i < 5; ++i) {
      const MemoryOwner& o = m.atPeak[i];
      say("  %10s  %s:%d (%s)\n", byteText(double(o.bytes)).c_str(), o.node.c_str(), o.slot, o.op.c_str());
    }
  }
  for (const Advice& a : advise(trace)) {
    say("\n%s %s\n  %s\n", a.weight == Advice::Weight::Warning ? "!" : "-", a.titleText().c_str(), a.detailText().c_str());
    if (a.gainNs > 0) say("  up to %s of a step could be saved\n", timeText(a.gainNs).c_str());
  }
}

Json numbersJson(const ProfileNumbers& n) {
  return {{"self_us", n.selfNs / 1e3}, {"span_us", n.spanNs / 1e3}, {"wait_us", n.waitNs / 1e3},     {"critical_us", n.criticalNs / 1e3}, {"count", n.count},
          {"float_ops", n.flops},      {"moved_bytes", n.bytes},    {"output_bytes", n.outputBytes}, {"parameters", n.parameters},        {"nodes", n.nodes}};
}

Json allJson(const ProfileSource& source, const ProfileTable& table, const std::vector<ProfileChange>* changes, bool slices, bool explain) {
  const Trace& trace = source.trace;
  Json out = {{"profile_version", 1}, {"title", trace.title}, {"steps", Json::array()}};
  for (const TraceStep& s : trace.steps) out["steps"].push_back({{"number", s.number}, {"duration_us", double(s.endNs - s.startNs) / 1e3}});
  out["step_us"] = {{"mean", table.stepNs / 1e3}, {"p50", table.p50StepNs / 1e3}, {"p99", table.p99StepNs / 1e3}};
  out["slices"] = trace.slices.size();
  out["all"] = numbersJson(table.all);
  static constexpr const char* kViews[] = {"scope", "graph", "op", "code"};
  out["view"] = kViews[int(table.view)];
  if (!table.note.empty()) out["note"] = table.note;
  out["rows"] = Json::array();
  for (const ProfileRow& r : table.rows) {
    Json row = {{"name", r.name},
                {"op", r.op},
                {"device", r.device},
                {"depth", r.depth},
                {"parent", r.parent},
                {"self", numbersJson(r.self)},
                {"total", numbersJson(r.total)},
                {"p50_us", r.p50Ns / 1e3},
                {"p90_us", r.p90Ns / 1e3},
                {"p99_us", r.p99Ns / 1e3},
                {"max_us", r.maxNs / 1e3},
                {"gflops_per_second", r.gflopsPerSecond()},
                {"gigabytes_per_second", r.gigabytesPerSecond()},
                {"flops_per_byte", r.intensity()}};
    out["rows"].push_back(std::move(row));
  }
  out["memory"] = Json::array();
  for (const MemoryTimeline& m : memoryTimelines(trace)) {
    Json owners = Json::array();
    for (const MemoryOwner& o : m.atPeak)
      owners.push_back(
          {{"node", o.node}, {"op", o.op}, {"slot", o.slot}, {"bytes", o.bytes}, {"from_us", double(o.startNs) / 1e3}, {"to_us", double(o.endNs) / 1e3}});
    out["memory"].push_back({{"device", m.device}, {"peak_bytes", m.peakBytes}, {"peak_us", double(m.peakNs) / 1e3}, {"at_peak", std::move(owners)}});
  }
  out["advice"] = Json::array();
  for (const Advice& a : advise(trace)) {
    out["advice"].push_back({{"weight", a.weight == Advice::Weight::Warning ? "warning" : "note"},
                             {"title", a.titleText()},
                             {"detail", a.detailText()},
                             {"nodes", a.nodes},
                             {"gain_us", a.gainNs / 1e3}});
  }
  addTransfers(trace, &out);
  out["problems"] = Json::array();
  for (const TraceProblem& p : trace.problems) out["problems"].push_back({{"count", p.count}, {"message", p.message}});
  if (slices) {
    out["timeline"] = Json::array();
    for (const TraceSlice& s : trace.slices) {
      out["timeline"].push_back({{"track", s.track},
                                 {"step", s.step},
                                 {"name", trace.nameOf(s)},
                                 {"op", trace.opOf(s)},
                                 {"start_us", double(s.startNs) / 1e3},
                                 {"duration_us", double(s.durationNs) / 1e3},
                                 {"self_us", double(s.selfNs) / 1e3},
                                 {"depth", s.depth},
                                 {"bytes", s.bytes}});
    }
    out["tracks"] = Json::array();
    for (const TraceTrack& t : trace.tracks) out["tracks"].push_back({{"device", t.device}, {"name", t.name}, {"rows", t.rows}});
  }
  if (changes) {
    out["changes"] = Json::array();
    for (const ProfileChange& c : *changes)
      out["changes"].push_back(
          {{"name", c.name}, {"op", c.op}, {"before_us", c.beforeNs / 1e3}, {"after_us", c.afterNs / 1e3}, {"change_us", c.deltaNs() / 1e3}});
  }
  if (explain) {
    out["plan"] = source.explained;
    out["explained"] = planJson(source);
  }
  return out;
}

template <typename T, size_t N>
bool pick(const std::string& word, const std::array<std::pair<std::string_view, T>, N>& table, T* out) {
  for (const auto& [name, value] : table) {
    if (word == name) {
      *out = value;
      return true;
    }
  }
  return false;
}

constexpr int64_t kMostThreads = 1024;  // to simulate

int runProfile(std::span<const std::string> raw) {
  const auto parsed = Arguments::parse(raw, {{"--view", true},
                                             {"--explain"},
                                             {"--simulate-threads", true},
                                             {"--json"},
                                             {"--feed", true},
                                             {"--fetch", true},
                                             {"--target", true},
                                             {"--init", true},
                                             {"--restore", true},
                                             {"--steps", true},
                                             {"--warmup", true},
                                             {"--threads", true},
                                             {"--precision", true},
                                             {"--device", true},
                                             {"--each-device"},
                                             {"--without", true},
                                             {"--memory-limit", true},
                                             {"--graph", true},
                                             {"--run", true},
                                             {"--order-by", true},
                                             {"--max-depth", true},
                                             {"--top", true},
                                             {"--min-micros", true},
                                             {"--min-bytes", true},
                                             {"--min-float-ops", true},
                                             {"--min-params", true},
                                             {"--min-occurrence", true},
                                             {"--start", true},
                                             {"--show", true},
                                             {"--hide", true},
                                             {"--trim", true},
                                             {"--step", true},
                                             {"--compare", true},
                                             {"--gaps"},
                                             {"--what-if", true},
                                             {"--out", true}});
  if (!parsed.ok()) return usageError("profile", parsed.error().message);
  const Arguments& args = *parsed;
  if (args.positional().size() != 1) return usageError("profile", "one GRAPH or TRACE is needed");
  ProfileRun run;
  ProfileOptions options;
  run.path = args.positional()[0];
  run.graphPath = args.value("--graph").value_or("");
  run.eventRun = args.value("--run").value_or("");
  run.feeds = args.values("--feed");
  run.fetches = args.values("--fetch");
  run.targets = args.values("--target");
  run.init = args.value("--init").value_or("");
  run.restore = args.value("--restore").value_or("");
  for (const char* name : {"--feed", "--fetch", "--target", "--init", "--restore", "--steps", "--warmup", "--threads", "--precision", "--device",
                           "--each-device", "--without", "--memory-limit", "--explain", "--simulate-threads", "--graph"})
    if (args.has(name)) run.given.emplace_back(name);
  run.options.defaultDevice = args.value("--device").value_or("");
  run.options.disabledPasses = args.values("--without");
  const auto memoryLimit = args.memoryLimit();
  if (!memoryLimit.ok()) return usageError("profile", memoryLimit.error().message);
  run.options.memoryLimitBytes = *memoryLimit;
  const auto steps = args.integer("--steps", 5, 1), warmup = args.integer("--warmup", 3, 0), threads = args.integer("--threads", 0, 1),
             top = args.integer("--top", 40, 0), depth = args.integer("--max-depth", 100, 1), step = args.integer("--step", -1, 0),
             params = args.integer("--min-params", 0, 0, kMostSteps), occurrence = args.integer("--min-occurrence", 0, 0, kMostSteps);
  const auto simulated = args.integer("--simulate-threads", 0, 1, kMostThreads);
  for (const auto* r : {&steps, &warmup, &threads, &top, &depth, &step, &params, &occurrence, &simulated})
    if (!r->ok()) return usageError("profile", r->error().message);
  const auto micros = args.number("--min-micros", 0), bytes = args.number("--min-bytes", 0), flops = args.number("--min-float-ops", 0);
  for (const auto* r : {&micros, &bytes, &flops})
    if (!r->ok()) return usageError("profile", r->error().message);
  run.steps = *steps;
  run.warmup = *warmup;
  run.simulate = int(*simulated);
  run.explain = args.has("--explain");
  if (run.simulate > 0 && !run.explain) return usageError("profile", "--simulate-threads needs --explain, which shows what it finds");
  const auto precision = precisionOption(args);
  if (!precision.ok()) return usageError("profile", precision.error().message);
  run.options.threads = int(*threads);
  run.options.products = *precision;
  options.step = int(*step);
  options.maxDepth = int(*depth);
  options.minMicros = *micros;
  options.minBytes = *bytes;
  options.minFlops = *flops;
  options.minParameters = *params;
  options.minOccurrence = *occurrence;
  options.startNames = args.value("--start").value_or("");
  options.showNames = args.value("--show").value_or("");
  options.hideNames = args.value("--hide").value_or("");
  options.trimNames = args.value("--trim").value_or("");
  const std::string view = args.value("--view").value_or("op");
  static constexpr std::array<std::pair<std::string_view, ProfileView>, 5> kViews = {
      {{"scope", ProfileView::Scope}, {"graph", ProfileView::Graph}, {"op", ProfileView::Op}, {"code", ProfileView::Code}, {"timeline", ProfileView::Op}}};
  if (!pick(view, kViews, &options.view)) return usageError("profile", "--view takes scope, graph, op, code or timeline, not " + view);
  static constexpr std::array<std::pair<std::string_view, ProfileOrder>, 9> kOrders = {{{"self", ProfileOrder::Self},
                                                                                        {"total", ProfileOrder::Total},
                                                                                        {"micros", ProfileOrder::Total},
                                                                                        {"count", ProfileOrder::Count},
                                                                                        {"flops", ProfileOrder::Flops},
                                                                                        {"bytes", ProfileOrder::Bytes},
                                                                                        {"params", ProfileOrder::Parameters},
                                                                                        {"critical", ProfileOrder::CriticalPath},
                                                                                        {"name", ProfileOrder::Name}}};
  const std::string order = args.value("--order-by").value_or("total");
  if (!pick(order, kOrders, &options.order))
    return usageError("profile", "--order-by takes self, total, count, flops, bytes, params, critical or name, not " + order);

  const auto questions = profileQuestions(args, view);
  if (!questions.ok()) return usageError("profile", questions.error().message);
  catchInterrupts();
  if (const auto devices = args.values("--device"); args.has("--each-device") || devices.size() > 1)
    return compareDevices(run, args.has("--each-device") ? std::vector<std::string>() : devices, args.has("--json"));
  const auto source = profileSource(run);
  if (!source.ok()) return complain(source.error(), interrupted() ? kInterrupted : kFailed);
  const auto table = profileTable(source->trace, options);
  if (!table.ok()) return complain(table.error());
  std::vector<ProfileChange> changes;
  std::optional<Trace> before;
  const auto other = args.value("--compare");
  if (other) {
    auto read = readTrace(*other);
    if (!read.ok()) return complain(read.error());
    before = std::move(*read);
    changes = compareTraces(*before, source->trace, options.view == ProfileView::Op);
  }
  if (const auto out = args.value("--out")) {
    const Status written = saveTrace(source->trace, *out);
    if (!written.ok()) return complain(written.error());
  }
  if (args.has("--json")) {
    Json all = allJson(*source, *table, other ? &changes : nullptr, view == "timeline", args.has("--explain"));
    if (const Status added = addAnswers(*questions, source->trace, before ? &*before : nullptr, &all); !added.ok()) return complain(added.error());
    std::cout << all.dump() << std::endl;
    return interrupted() ? kInterrupted : kDone;
  }
  if (args.has("--explain")) {
    std::cout << planText(*source, size_t(*top)) << "\n";
  }
  if (view == "timeline") {
    printTimeline(source->trace, size_t(*top));
  } else {
    printTable(source->trace, *table, size_t(*top));
    std::cout << transfersText(source->trace, size_t(*top));
    printRest(source->trace);
  }
  const auto answers = answersText(*questions, source->trace, before ? &*before : nullptr, size_t(*top));
  if (!answers.ok()) return complain(Error(answers.error()).inFile(run.path));
  std::cout << *answers;
  std::cout.flush();
  return interrupted() ? kInterrupted : kDone;
}

}  // namespace

extern const Command kProfileCommand;
const Command kProfileCommand = {"profile", "say where a step's time and memory go", kProfileUsage, runProfile};

}  // namespace weft::cli
