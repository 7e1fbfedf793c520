// Profiles of pprof and traces of TensorFlow 2's profiler.
#include <google/protobuf/arena.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "graph/wire.h"
#include "io/inspect/format.h"
#include "proto/pprof.pb.h"
#include "proto/recordings.h"
#include "proto/text.h"
#include "proto/xplane.pb.h"
#include "weft/records.h"

namespace weft::inspect {
namespace {

namespace pprof = ::perftools::profiles;

constexpr size_t kShownFunctions = 10;
/// A little file can expand to many messages of two bytes, each of which takes a hundred in memory.
constexpr uint64_t kMostPprofBytes = 64 << 20;
constexpr int64_t kMostPprofEntries = 4'000'000;

/// Counts the entries of a profile, and those in them.
int64_t pprofEntries(std::string_view bytes) {
  int64_t count = 0;
  WireReader all(bytes);
  while (const auto field = all.next()) {
    ++count;
    if (field->type != 2 || (field->number != 2 && field->number != 4)) continue;  // samples have labels, locations lines
    WireReader inside(field->bytes);
    while (inside.next()) ++count;
  }
  return count;
}

void addSaturated(int64_t& sum, int64_t value) {
  if (__builtin_add_overflow(sum, value, &sum)) sum = value < 0 ? INT64_MIN : INT64_MAX;
}

/// Functions of a profile with what their samples add up to.
class PprofTotals {
 public:
  explicit PprofTotals(const pprof::Profile& profile) : profile_(profile) {}

  /// Checks all references, as pprof does, and adds up the values.
  Status add() {
    const int types = profile_.sample_type_size();
    if (profile_.string_table_size() > 0 && !profile_.string_table(0).empty()) return bad("malformed", "the first text of a profile is not empty");
    for (const auto& type : profile_.sample_type())
      for (const int64_t word : {type.type(), type.unit()})
        if (!known(word)) return bad("malformed", "a type of values has text ", word, " of ", profile_.string_table_size());
    for (const auto& f : profile_.function()) {
      if (!known(f.name()) || !known(f.filename())) return bad("malformed", "function ", f.id(), " has a text that the profile does not hold");
      if (!functions_.try_emplace(f.id(), &f).second || f.id() == 0) return bad("malformed", "two functions, or none, have the number ", f.id());
    }
    for (const auto& l : profile_.location()) {
      if (!locations_.try_emplace(l.id(), &l).second || l.id() == 0) return bad("malformed", "two locations, or none, have the number ", l.id());
      for (const auto& line : l.line())
        if (!functions_.count(line.function_id()))
          return bad("malformed", "location ", l.id(), " is in function ", line.function_id(), ", which does not exist");
    }
    totals.assign(size_t(types), 0);
    const int main = mainType();
    for (const auto& sample : profile_.sample()) {
      if (sample.value_size() != types) return bad("malformed", "a sample has ", sample.value_size(), " values for ", types, " types");
      for (int k = 0; k < types; ++k) addSaturated(totals[size_t(k)], sample.value(k));
      if (Status s = addStack(sample, types ? sample.value(main) : 0); !s.ok()) return s;
    }
    return {};
  }

  /// The type of values that is shown unless another is asked for: the one that the file names, else the last.
  int mainType() const {
    for (int k = 0; k < profile_.sample_type_size(); ++k)
      if (profile_.default_sample_type() && profile_.sample_type(k).type() == profile_.default_sample_type()) return k;
    return std::max(0, profile_.sample_type_size() - 1);
  }

  Json top() const {
    std::vector<std::pair<const pprof::Function*, Sums>> order(sums_.begin(), sums_.end());
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
      return std::tuple(-a.second.flat / 2, -a.second.cumulative / 2, a.first->id()) < std::tuple(-b.second.flat / 2, -b.second.cumulative / 2, b.first->id());
    });
    Json out = Json::array();
    for (size_t i = 0; i < order.size() && i < kShownFunctions; ++i) {
      const auto& [function, sums] = order[i];
      out.push_back({{"name", word(function->name())}, {"file", word(function->filename())}, {"flat", sums.flat}, {"cumulative", sums.cumulative}});
    }
    return out;
  }

  const std::string& word(int64_t index) const {
    static const std::string kNone;
    return known(index) ? profile_.string_table(int(index)) : kNone;
  }

  std::vector<int64_t> totals;  ///< Per type.

 private:
  struct Sums {
    int64_t flat = 0, cumulative = 0;
  };

  bool known(int64_t index) const { return index == 0 || (index > 0 && index < profile_.string_table_size()); }

  Status addStack(const pprof::Sample& sample, int64_t value) {
    std::set<const pprof::Function*> seen;  // a recursive function counts once
    bool innermost = true;
    for (const uint64_t id : sample.location_id()) {
      const auto at = locations_.find(id);
      if (at == locations_.end()) return bad("malformed", "a sample is at location ", id, ", which does not exist");
      for (const auto& line : at->second->line()) {
        const pprof::Function* f = functions_.at(line.function_id());
        if (innermost) addSaturated(sums_[f].flat, value);
        innermost = false;
        if (seen.insert(f).second) addSaturated(sums_[f].cumulative, value);
      }
    }
    return {};
  }

  const pprof::Profile& profile_;
  std::unordered_map<uint64_t, const pprof::Function*> functions_;
  std::unordered_map<uint64_t, const pprof::Location*> locations_;
  std::unordered_map<const pprof::Function*, Sums> sums_;
};

Status reportPprof(Report& r) {
  r.setKind("pprof");
  std::string inflated;
  std::string_view bytes;
  const bool gzip = r.starts("\x1f\x8b");
  r.json["compression"] = gzip ? "gzip" : "none";
  if (gzip) {
    WEFT_LET(auto stream, ByteStream::open(r.path, Compression::Gzip, &r.files));
    WEFT_LET(inflated, stream->readAll(kMostPprofBytes));
    bytes = inflated;
  } else {
    WEFT_LET(bytes, r.content());
  }
  if (const int64_t entries = pprofEntries(bytes); entries > kMostPprofEntries)
    return bad("too_large", "the profile has ", entries, " entries; at most ", kMostPprofEntries, " are read");
  google::protobuf::Arena arena;
  auto* profile = google::protobuf::Arena::CreateMessage<pprof::Profile>(&arena);
  WEFT_TRY(parseWire(bytes, profile));
  r.json["samples"] = profile->sample_size();
  r.json["functions"] = profile->function_size();
  r.json["locations"] = profile->location_size();
  r.json["time_ns"] = profile->time_nanos();
  r.json["duration_ns"] = profile->duration_nanos();
  PprofTotals totals(*profile);
  WEFT_TRY(totals.add());
  r.json["sample_types"] = Json::array();
  for (int k = 0; k < profile->sample_type_size(); ++k) {
    const auto& type = profile->sample_type(k);
    r.json["sample_types"].push_back({{"type", totals.word(type.type())}, {"unit", totals.word(type.unit())}, {"total", totals.totals[size_t(k)]}});
  }
  if (profile->sample_type_size()) r.json["default_type"] = totals.word(profile->sample_type(totals.mainType()).type());
  r.json["comments"] = Json::array();
  for (const int64_t comment : profile->comment()) r.json["comments"].push_back(totals.word(comment));
  r.json["top_functions"] = totals.top();
  return {};
}

Status reportXplane(Report& r) {
  r.setKind("xplane");
  WEFT_LET(const std::string_view bytes, r.content());
  google::protobuf::Arena arena;
  auto* space = google::protobuf::Arena::CreateMessage<tensorflow::profiler::XSpace>(&arena);
  WEFT_TRY(parseWire(bytes, space));
  r.json["hosts"] = Json::array();
  for (const std::string& host : space->hostnames()) r.json["hosts"].push_back(host);
  int64_t lines = 0, events = 0;
  double first = 0, last = 0;
  bool any = false;
  r.json["planes"] = Json::array();
  for (const auto& plane : space->planes()) {
    int64_t inPlane = 0;
    for (const auto& line : plane.lines()) {
      inPlane += line.events_size();
      for (const auto& event : line.events()) {
        if (event.data_case() == tensorflow::profiler::XEvent::kNumOccurrences) continue;
        const double start = double(line.timestamp_ns()) * 1e-3 + double(event.offset_ps()) * 1e-6, end = start + double(event.duration_ps()) * 1e-6;
        first = any ? std::min(first, start) : start;
        last = any ? std::max(last, end) : end;
        any = true;
      }
    }
    lines += plane.lines_size();
    events += inPlane;
    r.json["planes"].push_back({{"name", plane.name()}, {"lines", plane.lines_size()}, {"events", inPlane}, {"names", plane.event_metadata_size()}});
  }
  r.json["lines"] = lines;
  r.json["events"] = events;
  r.json["span_us"] = numberJson(any ? last - first : 0);
  for (const std::string& error : space->errors()) r.problem("recording", error);
  for (const std::string& warning : space->warnings()) r.problem("recording", warning);
  return {};
}

}  // namespace

extern const Format kPprofFormat;
const Format kPprofFormat{{"pprof", WEFT_TRANSLATED("FileKinds", "pprof profile"),
                           WEFT_TRANSLATED("FileKinds", "Stacks with how often they ran and what they cost."), ".pprof .pb.gz"},
                          [](Report& r) { return r.isFile() && (beginsPprof(r.head()) || beginsPprof(r.inflatedHead())); },
                          reportPprof};

extern const Format kXplaneFormat;
const Format kXplaneFormat{
    {"xplane", WEFT_TRANSLATED("FileKinds", "XPlane trace"), WEFT_TRANSLATED("FileKinds", "When what ran, recorded by TensorFlow 2's profiler."), ".xplane.pb"},
    [](Report& r) { return r.isFile() && (r.ends(".xplane.pb") || beginsXSpace(r.head())); },
    reportXplane};

}  // namespace weft::inspect
