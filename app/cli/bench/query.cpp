#include "cli/bench/query.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/command.h"
#include "weft/query.h"

namespace weft::cli {
namespace {

constexpr int kTracks = 8, kNodes = 2000, kOps = 40;
constexpr int kRepeats = 3;

/// Slices of 2,000 nodes of 40 op types on 8 threads, with durations of a wide distribution. The same each time.
Trace madeUpTrace(int64_t slices) {
  Trace trace;
  trace.title = "bench";
  std::vector<int32_t> names, ops;
  for (int i = 0; i < kOps; ++i) ops.push_back(trace.intern("Op" + std::to_string(i)));
  for (int i = 0; i < kNodes; ++i)
    names.push_back(trace.intern("tower_" + std::to_string(i % 4) + "/layer" + std::to_string(i % 50) + "/node" + std::to_string(i)));
  for (int t = 0; t < kTracks; ++t) trace.track("/device:CPU:0", "thread " + std::to_string(t));
  trace.slices.resize(size_t(slices));
  uint64_t random = 88172645463325252ull;
  std::vector<int64_t> now(kTracks, 0);
  const int64_t perTrack = (slices + kTracks - 1) / kTracks;
  for (int64_t i = 0; i < slices; ++i) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    const auto track = size_t(i / perTrack);
    TraceSlice& s = trace.slices[size_t(i)];
    s.track = int32_t(track);
    s.name = names[random % kNodes];
    s.op = ops[random % kNodes % kOps];
    s.durationNs = int64_t(1000 * std::exp(double(random >> 40) / double(1 << 24) * 6));
    s.selfNs = s.durationNs;
    s.startNs = now[track];
    s.bytes = int64_t(random >> 44);
    now[track] += s.durationNs + 500;
  }
  trace.steps.push_back({1, 0, *std::max_element(now.begin(), now.end())});
  return trace;
}

constexpr std::pair<const char*, const char*> kQueries[] = {
    {"count", "SELECT count(*) FROM slices"},
    {"group_by_op", "SELECT op, count(*), sum(self_us), avg(duration_us), max(duration_us) FROM slices GROUP BY op ORDER BY 3 DESC LIMIT 20"},
    {"group_by_name", "SELECT name, op, count(*) AS n, sum(self_us) AS us FROM slices WHERE counted GROUP BY name ORDER BY us DESC LIMIT 20"},
    {"group_by_two", "SELECT device, scope, track, sum(duration_us) FROM slices GROUP BY device, scope, track ORDER BY 4 DESC"},
    {"histogram", "SELECT cast(log2(duration_us) AS integer) AS power, count(*) FROM slices GROUP BY power ORDER BY power"},
    {"order_limit", "SELECT name, op, start_us, duration_us FROM slices ORDER BY duration_us DESC LIMIT 20"},
    {"filter_name", "SELECT count(*), sum(duration_us) FROM slices WHERE name LIKE '%layer7/%' AND duration_us > 50"},
    {"filter_rows", "SELECT name, start_us, duration_us FROM slices WHERE op = 'Op7' AND start_us BETWEEN 1000000 AND 1100000 ORDER BY start_us"},
    {"filter_rare", "SELECT * FROM slices WHERE duration_us > 403.4"},
    {"median", "SELECT op, median(duration_us), percentile(duration_us, 99) FROM slices GROUP BY op"},
    {"subquery", "SELECT avg(us) FROM (SELECT name, sum(self_us) AS us FROM slices GROUP BY name)"},
};

}  // namespace

Result<nlohmann::ordered_json> measureQueries(int64_t slices, bool sqlite) {
  WEFT_LET(const auto database, QueryDatabase::create());
  database->addTrace("bench", std::make_shared<const Trace>(madeUpTrace(slices)));
  nlohmann::ordered_json out{{"slices", slices}};
  QueryOptions options;
  options.progress = [](int64_t) { return !interrupted(); };
  WEFT_LET(const QueryResult first, database->run("SELECT name FROM slices LIMIT 1", options));
  out["reading_ms"] = first.reading * 1e3;
  for (const auto& [name, sql] : kQueries) {
    double best = std::numeric_limits<double>::infinity();
    size_t rows = 0;
    for (int i = 0; i < kRepeats; ++i) {
      WEFT_LET(const QueryResult result, database->run(sql, options));
      best = std::min(best, result.seconds * 1e3);
      rows = result.rows.size();
    }
    out[std::string(name) + "_ms"] = best;
    out[std::string(name) + "_rows"] = rows;
    if (!sqlite) continue;
    QueryOptions plain = options;
    plain.columns = false;
    WEFT_LET(const QueryResult result, database->run(sql, plain));
    out[std::string(name) + "_sqlite_ms"] = result.seconds * 1e3;
  }
  return out;
}

}  // namespace weft::cli
