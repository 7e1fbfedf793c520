// A trace as a profile of pprof: what ran how often and for how long, with the name scopes or the program's lines as the stack.
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "profile/bounds.h"
#include "proto/pprof.pb.h"
#include "proto/text.h"
#include "weft/profile.h"

namespace weft {
namespace {

namespace pprof = ::perftools::profiles;

/// Names with more scopes than this have the rest in one frame; a hostile name could have a million.
constexpr size_t kMostScopes = 64;

int64_t wholeNumber(double value) {
  constexpr double kLargest = 9.2e18;
  return value > 0 ? int64_t(std::min(std::round(value), kLargest)) : 0;
}

/// Texts, functions and locations of a profile, each stored once. Numbers are positions plus 1; text 0 is "".
class PprofBuilder {
 public:
  explicit PprofBuilder(pprof::Profile& profile) : profile_(profile) { word(""); }

  int64_t word(const std::string& text) {
    const auto [it, made] = words_.try_emplace(text, profile_.string_table_size());
    if (made) profile_.add_string_table(text);
    return it->second;
  }

  void addType(const char* type, const char* unit) {
    auto* added = profile_.add_sample_type();
    added->set_type(word(type));
    added->set_unit(word(unit));
  }

  uint64_t location(const std::string& function, const std::string& systemName, const std::string& file, int64_t line) {
    const int64_t name = word(function), source = word(file);
    const auto [f, newFunction] = functions_.try_emplace({name, source}, uint64_t(profile_.function_size()) + 1);
    if (newFunction) {
      auto* added = profile_.add_function();
      added->set_id(f->second);
      added->set_name(name);
      added->set_system_name(word(systemName));
      added->set_filename(source);
    }
    const auto [l, newLocation] = locations_.try_emplace({f->second, line}, uint64_t(profile_.location_size()) + 1);
    if (newLocation) {
      auto* added = profile_.add_location();
      added->set_id(l->second);
      added->set_mapping_id(1);
      auto* at = added->add_line();
      at->set_function_id(f->second);
      at->set_line(line);
    }
    return l->second;
  }

 private:
  pprof::Profile& profile_;
  std::unordered_map<std::string, int64_t> words_;
  std::map<std::pair<int64_t, int64_t>, uint64_t> functions_, locations_;
};

/// What the executions of a node on a device add up to.
struct PprofSums {
  int64_t count = 0, ns = 0, bytes = 0;
};

void addStack(PprofBuilder& builder, const std::string& name, const std::string& op, const TraceNode* facts, pprof::Sample& sample) {
  sample.add_location_id(builder.location(name, op.empty() ? name : op, "", 0));
  if (facts && !facts->code.empty()) {
    for (auto line = facts->code.rbegin(); line != facts->code.rend(); ++line)
      sample.add_location_id(builder.location(line->function.empty() ? line->file : line->function, line->function, line->file, std::max(0, line->number)));
    return;
  }
  std::vector<size_t> ends;
  for (size_t at = name.find('/', 1); at != name.npos && ends.size() < kMostScopes; at = name.find('/', at + 1)) ends.push_back(at);
  for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
    const std::string scope = name.substr(0, *end);
    sample.add_location_id(builder.location(scope + "/", scope, "", 0));
  }
}

Result<std::string> gzipped(const std::string& bytes) {
  z_stream z{};
  if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY) != Z_OK) return resourceExhausted("deflateInit() failed");
  std::string out(deflateBound(&z, uLong(bytes.size())), '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.avail_in = uInt(bytes.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = uInt(out.size());
  const int code = deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  if (code != Z_STREAM_END) return resourceExhausted("the profile of ", bytes.size(), " bytes is too large to be compressed");
  return out;
}

}  // namespace

Result<std::string> toPprof(const Trace& trace) {
  pprof::Profile profile;
  PprofBuilder builder(profile);
  builder.addType("count", "count");
  builder.addType("memory", "bytes");
  builder.addType("flops", "count");
  builder.addType("time", "nanoseconds");
  profile.set_default_sample_type(builder.word("time"));
  auto* mapping = profile.add_mapping();
  mapping->set_id(1);
  mapping->set_filename(builder.word(trace.title));
  mapping->set_has_functions(true);
  mapping->set_has_filenames(true);
  mapping->set_has_line_numbers(true);
  profile.set_time_nanos(nsOfMicros(trace.startUnixUs));
  profile.set_duration_nanos(trace.durationNs);
  profile.add_comment(builder.word(concat("totals of ", trace.steps.size(), trace.steps.size() == 1 ? " step" : " steps", "; memory is that of outputs")));

  std::map<std::tuple<int32_t, int32_t, int64_t>, PprofSums> sums;
  for (const TraceSlice& s : trace.slices) {
    const TraceTrack& track = trace.tracks[size_t(s.track)];
    if (!trace.counts(s)) continue;
    PprofSums& sum = sums[{s.name, s.op, builder.word(track.device)}];
    ++sum.count;
    sum.ns = boundedSum(sum.ns, s.selfNs);
    sum.bytes = boundedSum(sum.bytes, std::max<int64_t>(0, s.bytes));
  }
  for (const auto& [key, sum] : sums) {
    const auto& [nameId, opId, device] = key;
    const std::string &name = trace.text(nameId), &op = trace.text(opId);
    const TraceNode* facts = trace.node(name);
    auto* sample = profile.add_sample();
    addStack(builder, name, op, facts, *sample);
    for (const int64_t value : {sum.count, sum.bytes, wholeNumber(facts ? facts->flops * double(sum.count) : 0), sum.ns}) sample->add_value(value);
    const auto label = [&](const char* labelName, int64_t word) {
      auto* added = sample->add_label();
      added->set_key(builder.word(labelName));
      added->set_str(word);
    };
    if (!op.empty()) label("op", builder.word(op));
    label("device", device);
  }
  return gzipped(printWire(profile));
}

}  // namespace weft
