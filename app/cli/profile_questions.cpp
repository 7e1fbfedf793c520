#include "cli/profile_questions.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string us(double ns) {
  char out[48];
  const double v = std::fabs(ns);
  std::snprintf(out, sizeof out, v >= 1e9 ? "%.3g s" : v >= 1e6 ? "%.3g ms" : "%.3g µs", v >= 1e9 ? ns / 1e9 : v >= 1e6 ? ns / 1e6 : ns / 1e3);
  return out;
}

std::string right(const std::string& s, size_t width) {
  const auto w = size_t(std::count_if(s.begin(), s.end(), [](char c) { return (uint8_t(c) & 0xC0) != 0x80; }));
  return std::string(w < width ? width - w : 0, ' ') + s;
}

std::string differenceText(const std::vector<TraceDifference>& all, size_t top) {
  std::string out = "\nsince the trace compared with, per step, with 95 % intervals over the steps:\n" + right("before", 12) + right("after", 12) +
                    right("change", 12) + "   interval\n";
  for (size_t i = 0; i < all.size() && (top == 0 || i <= top); ++i) {
    const TraceDifference& d = all[i];
    out += right(us(d.beforeNs), 12) + right(us(d.afterNs), 12) + right(us(d.deltaNs()), 12) + "   ";
    out += std::isnan(d.lowNs) ? right("one step only", 28) : right(concat(us(d.lowNs), " … ", us(d.highNs)), 28);
    out += concat(std::isnan(d.lowNs) || d.isCertain() ? "  " : "~ ", d.name.empty() ? "the step" : d.name, "\n");
  }
  return out + "(~: the interval includes 0)\n";
}

struct GapSum {
  int64_t ns = 0, count = 0;
};

std::string gapsText(const Trace& trace, size_t top) {
  const std::vector<IdleGap> gaps = idleGaps(trace);
  const double steps = double(trace.steps.size());
  std::map<std::pair<int32_t, IdleGap::Reason>, GapSum> byReason;
  std::map<std::string, GapSum> byCause;
  for (const IdleGap& g : gaps) {
    GapSum& sum = byReason[{g.track, g.reason}];
    sum.ns += g.durationNs;
    ++sum.count;
    if (g.cause < 0) continue;
    GapSum& cause = byCause[concat(nameOf(g.reason), ": ", trace.nameOf(trace.slices[size_t(g.cause)]))];
    cause.ns += g.durationNs;
    ++cause.count;
  }
  std::string out = "\nidle time between slices of 1 µs or more, per step:\n";
  for (const auto& [key, sum] : byReason)
    out += right(us(double(sum.ns) / steps), 12) +
           concat("  ", trace.tracks[size_t(key.first)].device, " ", trace.tracks[size_t(key.first)].name, ": ", nameOf(key.second), " (", sum.count, ")\n");
  if (gaps.empty()) return out + "none\n";
  std::vector<std::pair<std::string, GapSum>> causes(byCause.begin(), byCause.end());
  std::stable_sort(causes.begin(), causes.end(), [](const auto& a, const auto& b) { return a.second.ns > b.second.ns; });
  if (!causes.empty()) out += "what was waited for most:\n";
  for (size_t i = 0; i < causes.size() && (top == 0 || i < top); ++i)
    out += right(us(double(causes[i].second.ns) / steps), 12) + concat("  ", causes[i].first, " (", causes[i].second.count, ")\n");
  return out;
}

/// The time that the slices of a path compute.
double computedNs(const std::vector<PathSlice>& path) {
  double ns = 0;
  for (const PathSlice& s : path) ns += s.durationNs;
  return ns;
}

std::string predictionText(const Prediction& p) {
  char line[400];
  std::snprintf(line, sizeof line,
                "\nwhat if: %lld slice%s of a step, %s, would change\n%s measured, %s predicted: %.3g times as fast (the replay without changes takes %s)\n",
                (long long)p.changed, p.changed == 1 ? "" : "s", us(p.changedNs).c_str(), us(p.measuredNs).c_str(), us(p.predictedNs).c_str(),
                p.predictedNs > 0 ? p.measuredNs / p.predictedNs : 0, us(p.replayedNs).c_str());
  return concat(line, "critical path: ", p.pathBefore.size(), " ops of ", us(computedNs(p.pathBefore)), ", then ", p.pathAfter.size(), " of ",
                us(computedNs(p.pathAfter)), "\n");
}

Json pathJson(const Trace& trace, const std::vector<PathSlice>& path) {
  Json out = Json::array();
  for (const PathSlice& s : path)
    out.push_back({{"name", trace.nameOf(trace.slices[size_t(s.slice)])}, {"start_us", s.startNs / 1e3}, {"duration_us", s.durationNs / 1e3}});
  return out;
}

Json numberOrNull(double v) { return std::isnan(v) ? Json() : Json(v); }

}  // namespace

Result<ProfileQuestions> profileQuestions(const Arguments& args, const std::string& view) {
  ProfileQuestions out;
  out.gaps = args.has("--gaps");
  out.key = view == "scope" ? TraceKey::Scope : view == "op" ? TraceKey::Op : TraceKey::Node;
  for (const std::string& word : args.values("--what-if")) {
    auto change = whatIfOf(word);
    if (!change.ok()) return invalidArgument("--what-if ", change.error().message);
    out.changes.push_back(std::move(*change));
  }
  return out;
}

Result<std::string> answersText(const ProfileQuestions& questions, const Trace& trace, const Trace* before, size_t top) {
  std::string out;
  if (before) out += differenceText(differenceOfTraces(*before, trace, questions.key), top);
  if (questions.gaps) out += gapsText(trace, top);
  if (!questions.changes.empty()) {
    WEFT_LET(const Prediction p, predictStep(trace, questions.changes));
    out += predictionText(p);
  }
  return out;
}

Status addAnswers(const ProfileQuestions& questions, const Trace& trace, const Trace* before, Json* out) {
  if (before) {
    Json& list = (*out)["differences"] = Json::array();
    for (const TraceDifference& d : differenceOfTraces(*before, trace, questions.key))
      list.push_back({{"name", d.name},
                      {"before_us", d.beforeNs / 1e3},
                      {"after_us", d.afterNs / 1e3},
                      {"change_us", d.deltaNs() / 1e3},
                      {"low_us", numberOrNull(d.lowNs / 1e3)},
                      {"high_us", numberOrNull(d.highNs / 1e3)},
                      {"before_count", d.beforeCount},
                      {"after_count", d.afterCount}});
  }
  if (questions.gaps) {
    Json& list = (*out)["gaps"] = Json::array();
    const auto name = [&](int32_t slice) { return slice < 0 ? Json() : Json(trace.nameOf(trace.slices[size_t(slice)])); };
    for (const IdleGap& g : idleGaps(trace))
      list.push_back({{"track", g.track},
                      {"step", g.step},
                      {"start_us", double(g.startNs) / 1e3},
                      {"duration_us", double(g.durationNs) / 1e3},
                      {"reason", nameOf(g.reason)},
                      {"before", name(g.before)},
                      {"after", name(g.after)},
                      {"cause", name(g.cause)}});
  }
  if (!questions.changes.empty()) {
    WEFT_LET(const Prediction p, predictStep(trace, questions.changes));
    (*out)["what_if"] = {{"measured_us", p.measuredNs / 1e3},         {"replayed_us", p.replayedNs / 1e3},
                         {"predicted_us", p.predictedNs / 1e3},       {"changed_slices", p.changed},
                         {"changed_us", p.changedNs / 1e3},           {"path_before", pathJson(trace, p.pathBefore)},
                         {"path_after", pathJson(trace, p.pathAfter)}};
  }
  return {};
}

}  // namespace weft::cli
