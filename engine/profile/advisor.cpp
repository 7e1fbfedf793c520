// Suggestions to shorten a step, each with the numbers behind it.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "profile/aggregate.h"

namespace weft {
namespace {

struct Texts {
  const char *title, *detail;
};

enum Kind { kCostly, kSlowRate, kTiny, kIdle, kCopies, kNorm, kFormat, kInput, kUneven, kPeak, kConstant, kWaits, kKinds };

constexpr std::array<Texts, kKinds> kTexts = {{
    {"%1 takes %2 of the step", "%3 per step (%5, executed %4×); the next most expensive op takes %6."},
    {"%1 runs at %2 of the best rate in this trace", "It reaches %3 GFLOP/s with %4 MFLOP per step, while %5 reaches %6 GFLOP/s in the same trace."},
    {"%1 ops are shorter than %2", "Together they take %3, or %4 of the step: launching an op costs more here than the work it does."},
    {"%1 is idle for %2 of the step", "Nothing runs on it for %3; the longest gap is %4, between %5 and %6."},
    {"Copies take %1 of the step", "%2 copies between devices take %3 per step. Place ops that exchange much data on one device."},
    {"Batch normalization is computed by separate ops", "%1 ops under %2 take %3 per step; FusedBatchNorm does the same in one pass."},
    {"%1 runs in NHWC on a GPU", "%2 ops with data_format NHWC take %3 per step there; GPU kernels are optimized for NCHW."},
    {"The step waits for input data",
     "Reading and preparing data takes %1 of the step (%2); prefetching in a separate thread, or larger batches, would hide it."},
    {"Step times vary", "Half of the steps take at most %1, but the slowest takes %2; in it, %3 takes %4 more than usual."},
    {"One tensor accounts for %1 of peak memory", "%2 of %3 at the peak belong to output %4 of %5, which is kept for %6 after it was computed."},
    {"%1 ops compute the same value in every step", "Their inputs are constants. They take %2 per step and could be computed once."},
    {"%1 waits %2 before it starts", "It was ready, but no thread was free; ops wait %3 per step in total."},
}};

std::string percent(double share) {
  const double p = share * 100;
  if (p > 0 && p < 0.05) return "<0.1 %";
  return p >= 9.95 ? concat(int(std::lround(p)), " %") : concat(double(int(std::lround(p * 10))) / 10, " %");
}

std::string number(double v) {
  if (v >= 100) return std::to_string(int64_t(std::llround(v)));
  const double digits = v >= 10 ? 10 : v >= 1 ? 100 : 1000;
  return concat(std::round(v * digits) / digits);
}

std::string duration(double ns) {
  if (ns >= 1e9) return number(ns / 1e9) + " s";
  if (ns >= 1e6) return number(ns / 1e6) + " ms";
  if (ns >= 1e3) return number(ns / 1e3) + " µs";
  return number(ns) + " ns";
}

std::string byteText(double bytes) {
  if (bytes >= 1e9) return number(bytes / 1e9) + " GB";
  if (bytes >= 1e6) return number(bytes / 1e6) + " MB";
  if (bytes >= 1e3) return number(bytes / 1e3) + " kB";
  return number(bytes) + " B";
}

std::string filled(const char* text, const std::vector<std::string>& words) {
  std::string out;
  for (const char* c = text; *c; ++c) {
    if (*c == '%' && c[1] >= '1' && c[1] <= '9' && size_t(c[1] - '1') < words.size()) {
      out += words[size_t(*++c - '1')];
    } else {
      out += *c;
    }
  }
  return out;
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

class Advisor {
 public:
  explicit Advisor(const Trace& trace) : trace_(trace), nodes_(nodeTotals(trace, -1, false)) {
    for (const TraceStep& s : trace.steps) stepNs_ += double(s.endNs - s.startNs) / double(trace.steps.size());
    std::sort(nodes_.begin(), nodes_.end(), [](const NodeTotals& a, const NodeTotals& b) { return a.numbers.selfNs > b.numbers.selfNs; });
    for (const NodeTotals& n : nodes_) selfNs_ += n.numbers.selfNs;
  }

  std::vector<Advice> run() {
    if (stepNs_ <= 0 || nodes_.empty()) return {};
    costly();
    slowRate();
    uneven();
    input();
    copies();
    idle();
    norm();
    format();
    tiny();
    constants();
    waits();
    peak();
    std::stable_sort(out_.begin(), out_.end(), [](const Advice& a, const Advice& b) {
      if (a.weight != b.weight) return a.weight == Advice::Weight::Warning;
      return a.gainNs > b.gainNs;
    });
    return std::move(out_);
  }

 private:
  const std::string& name(const NodeTotals& n) const { return trace_.text(n.name); }
  const std::string& op(const NodeTotals& n) const { return trace_.text(n.op); }

  Advice& add(Kind kind, Advice::Weight weight, std::vector<std::string> titleWords, std::vector<std::string> words, std::vector<std::string> nodes,
              double gain) {
    Advice a;
    a.weight = weight;
    a.title = kTexts[kind].title;
    a.detail = kTexts[kind].detail;
    a.titleWords = std::move(titleWords);
    a.words = std::move(words);
    a.nodes = std::move(nodes);
    a.gainNs = gain;
    out_.push_back(std::move(a));
    return out_.back();
  }

  void costly() {
    const NodeTotals& n = nodes_.front();
    const double share = n.numbers.selfNs / stepNs_;
    if (share < 0.25 || nodes_.size() < 3) return;
    add(kCostly, share > 0.5 ? Advice::Weight::Warning : Advice::Weight::Note, {name(n), percent(share)},
        {name(n), percent(share), duration(n.numbers.selfNs), number(n.numbers.count), op(n).empty() ? name(n) : op(n), duration(nodes_[1].numbers.selfNs)},
        {name(n)}, n.numbers.selfNs - nodes_[1].numbers.selfNs);
  }

  void slowRate() {
    const NodeTotals* best = nullptr;
    const auto rate = [](const NodeTotals& n) { return n.numbers.selfNs > 0 ? n.numbers.flops / n.numbers.selfNs : 0; };
    const auto heavy = [&](const NodeTotals& n) { return n.facts && n.numbers.flops > 0 && (has(op(n), "MatMul") || has(op(n), "Conv")); };
    for (const NodeTotals& n : nodes_) {
      if (heavy(n) && n.numbers.selfNs > 20000 && (!best || rate(n) > rate(*best))) best = &n;
    }
    if (!best) return;
    for (const NodeTotals& n : nodes_) {
      if (&n == best || !heavy(n) || n.numbers.selfNs < 0.05 * stepNs_ || rate(n) > 0.25 * rate(*best)) continue;
      add(kSlowRate, Advice::Weight::Warning, {name(n), percent(rate(n) / rate(*best))},
          {name(n), "", number(rate(n)), number(n.numbers.flops / 1e6), name(*best), number(rate(*best))}, {name(n), name(*best)},
          n.numbers.selfNs - n.numbers.flops / rate(*best));
      return;
    }
  }

  void tiny() {
    constexpr double kShort = 5000;
    double count = 0, time = 0;
    std::vector<std::string> names;
    for (const NodeTotals& n : nodes_) {
      if (n.numbers.count <= 0 || n.numbers.selfNs / n.numbers.count >= kShort) continue;
      count += n.numbers.count;
      time += n.numbers.selfNs;
      if (names.size() < 50) names.push_back(name(n));
    }
    if (count < 50 || time < 0.1 * stepNs_) return;
    add(kTiny, Advice::Weight::Note, {number(count), duration(kShort)}, {"", "", duration(time), percent(time / stepNs_)}, names, time / 2);
  }

  void idle() {
    // The streams of a GPU count as one device. A CPU that waits for its GPU is not a problem.
    std::map<std::string, std::vector<const TraceSlice*>> devices;
    bool accelerated = false;
    for (const TraceSlice& s : trace_.slices) {
      const TraceTrack& t = trace_.tracks[size_t(s.track)];
      if (!trace_.counts(s) || t.transfers || (s.depth > 0 && !t.parallel)) continue;
      const std::string device(deviceOfTrack(t.device));
      accelerated = accelerated || device.size() < t.device.size();
      devices[device].push_back(&s);
    }
    if (accelerated) std::erase_if(devices, [](const auto& d) { return has(d.first, "cpu:") || has(d.first, "CPU:"); });
    for (auto& [device, list] : devices) {
      std::sort(list.begin(), list.end(), [](const TraceSlice* a, const TraceSlice* b) { return a->startNs < b->startNs; });
      double gaps = 0, longest = 0;
      const TraceSlice *before = nullptr, *from = nullptr, *to = nullptr;
      int64_t end = 0;
      for (const TraceSlice* s : list) {
        if (before && s->step == before->step && s->startNs > end) {
          gaps += double(s->startNs - end);
          if (double(s->startNs - end) > longest) longest = double(s->startNs - end), from = before, to = s;
        }
        if (!before || s->startNs + s->durationNs >= end || s->step != before->step) before = s;
        end = std::max(end, s->startNs + s->durationNs);
      }
      gaps /= double(trace_.steps.size());
      if (gaps < 0.3 * stepNs_ || !from) continue;
      add(kIdle, gaps > 0.6 * stepNs_ ? Advice::Weight::Warning : Advice::Weight::Note, {device, percent(gaps / stepNs_)},
          {"", "", duration(gaps), duration(longest), trace_.nameOf(*from), trace_.nameOf(*to)}, {trace_.nameOf(*from), trace_.nameOf(*to)}, gaps);
    }
  }

  void copies() {
    double count = 0, time = 0;
    std::vector<std::string> names;
    for (const NodeTotals& n : nodes_) {
      const bool edge = op(n) == "_Send" || op(n) == "_Recv" || op(n) == "_HostSend" || op(n) == "_HostRecv";
      const bool copy = isDeviceCopy(op(n));
      if ((!edge && !has(op(n), "Memcpy") && !copy) || (edge && !trace_.transfers.empty())) continue;
      count += n.numbers.count;
      time += n.numbers.selfNs;
      names.push_back(name(n));
    }
    // Between tasks, receives include the wait for the sender, which is no copying. Transfers overlap; the time in which there is any counts.
    std::vector<std::pair<int64_t, int64_t>> spans;
    for (const TraceTransfer& t : trace_.transfers) {
      if (t.latest || t.receivedNs == TraceTransfer::kUnknownTime) continue;
      count += 1 / double(trace_.steps.size());
      spans.emplace_back(t.receivedNs - std::max<int64_t>(0, t.transitNs()), t.receivedNs);
      if (std::find(names.begin(), names.end(), t.node) == names.end()) names.push_back(t.node);
    }
    std::sort(spans.begin(), spans.end());
    int64_t covered = std::numeric_limits<int64_t>::min();
    for (const auto& [from, to] : spans) {
      if (to > covered) time += double(to - std::max(from, covered)) / double(trace_.steps.size());
      covered = std::max(covered, to);
    }
    if (time < 0.1 * stepNs_) return;
    add(kCopies, Advice::Weight::Warning, {percent(time / stepNs_)}, {"", number(count), duration(time)}, names, time);
  }

  void norm() {
    double time = 0;
    std::vector<std::string> names;
    std::string scope;
    bool fused = false;
    for (const NodeTotals& n : nodes_) {
      fused = fused || has(op(n), "FusedBatchNorm");
      std::string lower = name(n);
      std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return char(c >= 'A' && c <= 'Z' ? c + 32 : c); });
      const size_t at = lower.find("batchnorm");
      if (at == lower.npos || has(op(n), "Variable") || op(n) == "Const") continue;
      if (scope.empty()) scope = name(n).substr(0, std::min(name(n).size(), at + 9));
      time += n.numbers.selfNs;
      names.push_back(name(n));
    }
    if (fused || names.size() < 4 || time < 0.02 * stepNs_) return;
    add(kNorm, Advice::Weight::Note, {}, {number(double(names.size())), scope, duration(time)}, names, time / 2);
  }

  void format() {
    double time = 0;
    std::vector<std::string> names;
    for (const NodeTotals& n : nodes_) {
      if (!n.facts || n.facts->dataFormat != "NHWC" || n.device < 0) continue;
      const std::string& device = trace_.tracks[size_t(n.device)].device;
      if (!has(device, "GPU") && !has(device, "gpu") && !has(device, "stream:")) continue;
      time += n.numbers.selfNs;
      names.push_back(name(n));
    }
    if (names.empty() || time < 0.05 * stepNs_) return;
    add(kFormat, Advice::Weight::Note, {names.front()}, {"", number(double(names.size())), duration(time)}, names, time / 4);
  }

  void input() {
    double time = 0;
    std::vector<std::string> names;
    for (const NodeTotals& n : nodes_) {
      const std::string& o = op(n);
      if (!has(o, "Dequeue") && !has(o, "IteratorGetNext") && !has(o, "Reader") && !has(o, "Decode") && !has(o, "ReadFile") && !has(o, "ParseExample"))
        continue;
      time += n.numbers.selfNs;
      names.push_back(name(n));
    }
    if (time < 0.2 * stepNs_) return;
    add(kInput, Advice::Weight::Warning, {}, {percent(time / stepNs_), duration(time)}, names, time);
  }

  void uneven() {
    if (trace_.steps.size() < 3) return;
    std::vector<double> lengths;
    size_t slowest = 0;
    for (size_t i = 0; i < trace_.steps.size(); ++i) {
      lengths.push_back(double(trace_.steps[i].endNs - trace_.steps[i].startNs));
      if (lengths[i] > lengths[slowest]) slowest = i;
    }
    const double longest = lengths[slowest], median = percentile(lengths, 0.5);
    if (longest < 1.5 * median) return;
    std::map<int32_t, double> there;
    for (const TraceSlice& s : trace_.slices) {
      if (size_t(s.step) == slowest) there[s.name] += double(s.selfNs);
    }
    const NodeTotals* most = nullptr;
    double excess = 0;
    for (const NodeTotals& n : nodes_) {
      const double more = there[n.name] - n.numbers.selfNs;
      if (more > excess) excess = more, most = &n;
    }
    if (!most) return;
    add(kUneven, Advice::Weight::Note, {}, {duration(median), duration(longest), name(*most), duration(excess)}, {name(*most)}, 0);
  }

  void constants() {
    double time = 0;
    std::vector<std::string> names;
    for (const NodeTotals& n : nodes_) {
      if (!n.facts || !n.facts->constant) continue;
      time += n.numbers.selfNs;
      names.push_back(name(n));
    }
    if (names.empty() || time < 0.01 * stepNs_) return;
    add(kConstant, Advice::Weight::Note, {number(double(names.size()))}, {"", duration(time)}, names, time);
  }

  void waits() {
    double all = 0;
    const NodeTotals* most = nullptr;
    for (const NodeTotals& n : nodes_) {
      all += n.numbers.waitNs;
      if (!most || n.numbers.waitNs > most->numbers.waitNs) most = &n;
    }
    if (!most || most->numbers.waitNs < 0.1 * stepNs_) return;
    add(kWaits, Advice::Weight::Note, {name(*most), duration(most->numbers.waitNs)}, {"", "", duration(all)}, {name(*most)}, most->numbers.waitNs);
  }

  void peak() {
    for (const MemoryTimeline& m : memoryTimelines(trace_)) {
      if (m.atPeak.size() < 3 || m.peakBytes < (int64_t(1) << 20)) continue;
      const MemoryOwner& o = m.atPeak.front();
      if (double(o.bytes) < 0.4 * double(m.peakBytes)) continue;
      add(kPeak, Advice::Weight::Note, {percent(double(o.bytes) / double(m.peakBytes))},
          {"", byteText(double(o.bytes)), byteText(double(m.peakBytes)), std::to_string(o.slot), o.node, duration(double(o.endNs - o.startNs))}, {o.node}, 0);
    }
  }

  const Trace& trace_;
  std::vector<NodeTotals> nodes_;
  double stepNs_ = 0, selfNs_ = 0;
  std::vector<Advice> out_;
};

}  // namespace

std::string Advice::titleText() const { return filled(title, titleWords); }
std::string Advice::detailText() const { return filled(detail, words); }

std::vector<Advice> advise(const Trace& trace) { return Advisor(trace).run(); }

std::vector<const char*> adviceTexts() {
  std::vector<const char*> out;
  for (const Texts& t : kTexts) {
    out.push_back(t.title);
    out.push_back(t.detail);
  }
  return out;
}

}  // namespace weft
