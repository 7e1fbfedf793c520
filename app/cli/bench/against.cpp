#include "cli/bench/against.h"

#include <stdlib.h>  // mkdtemp

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "cli/bench/runner.h"
#include "cli/bench/timing.h"
#include "weft/arrays.h"
#include "weft/file_system.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double kSmallest = 1e-6;  // differences below it are no differences

double millisecondsSince(Clock::time_point start) { return std::chrono::duration<double, std::milli>(Clock::now() - start).count(); }

/// A folder that goes away with everything in it.
class JobFolder {
 public:
  static Result<std::unique_ptr<JobFolder>> make() {
    std::string pattern = (fs::temp_directory_path() / "weft-against-XXXXXX").string();
    if (!mkdtemp(pattern.data())) return unavailable("no temporary folder can be made").inFile(pattern);
    return std::unique_ptr<JobFolder>(new JobFolder(pattern));
  }
  ~JobFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  JobFolder(const JobFolder&) = delete;
  JobFolder& operator=(const JobFolder&) = delete;
  std::string file(const std::string& name) const { return joinPath(path_, name); }
  const std::string& path() const { return path_; }

 private:
  explicit JobFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

std::string processorName() {
  std::ifstream lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

bool isComparable(DType t) {
  switch (t) {
    case DType::Float:
    case DType::Double:
    case DType::Int32:
    case DType::Int64:
    case DType::UInt8:
    case DType::Int8:
    case DType::Int16:
    case DType::Bool:
    case DType::Half: return true;
    default: return false;
  }
}

/// The largest difference of two tensors, as a share of the largest value; infinite if one is not finite where the other is.
double differenceOf(const Tensor& a, const Tensor& b) {
  double most = 0, scale = 0;
  for (int64_t i = 0; i < a.elements(); ++i) {
    const double x = a.asDouble(i), y = b.asDouble(i);
    if (std::isfinite(x)) scale = std::max(scale, std::abs(x));
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    if (!std::isfinite(x) || !std::isfinite(y)) return INFINITY;
    most = std::max(most, std::abs(x - y));
  }
  return most <= kSmallest ? 0 : most / std::max(scale, kSmallest);
}

/// A workload on this engine, before its first step.
struct Ours {
  std::unique_ptr<Session> session;
  std::map<std::string, Tensor> variables;  // as they were before
  Callable step;
  double firstMs = 0;                      // until the first values are there
  std::vector<std::vector<Tensor>> first;  // the fetches of each of the first steps
};

Result<Ours> openOurs(const Workload& w, const SessionOptions& options) {
  Ours o;
  const auto start = Clock::now();
  WEFT_LET(o.session, openSession(w, options));
  o.firstMs = w.readMs + millisecondsSince(start);
  o.variables = o.session->variables();
  for (auto& [name, value] : o.variables) {  // copies: the step writes in place
    WEFT_LET(Tensor copy, Tensor::allocate(value.dtype(), value.shape()));
    if (isComparable(value.dtype())) std::memcpy(const_cast<void*>(copy.raw()), value.raw(), value.bytes());
    else return unimplemented("variables of ", dtypeName(value.dtype()), " are not carried over to other engines").atNode(name);
    value = std::move(copy);
  }
  WEFT_LET(o.step, o.session->prepare(w.feedNames(), w.fetches, w.targets));
  return o;
}

/// Takes the first steps and keeps their values; those of random ops are written for the other engine.
Status takeFirstSteps(Ours* o, const Workload& w, const std::vector<std::string>& draws, const JobFolder& folder) {
  std::vector<std::string> fetches = w.fetches;
  fetches.insert(fetches.end(), draws.begin(), draws.end());
  Callable step = o->step;
  if (!draws.empty()) {
    WEFT_LET(step, o->session->prepare(w.feedNames(), fetches, w.targets));
  }
  std::vector<std::pair<std::string, Tensor>> drawn;
  for (int i = 0; i < kFirstSteps; ++i) {
    const auto start = Clock::now();
    WEFT_LET(std::vector<Tensor> values, step.run(w.feedValues(), interruptible()));
    if (i == 0) o->firstMs += millisecondsSince(start);
    for (size_t k = 0; k < draws.size(); ++k) drawn.emplace_back(concat(i, "/", draws[k]), values[w.fetches.size() + k]);
    values.resize(w.fetches.size());
    o->first.push_back(std::move(values));
  }
  return draws.empty() ? Status() : saveNpz(folder.file("draws.npz"), drawn);
}

/// Compares the first steps' values; returns the largest difference.
Result<double> compareFirst(const std::vector<std::vector<Tensor>>& ours, const std::string& path, const OtherEngine& engine, const Workload& w,
                            double tolerance) {
  WEFT_LET(const auto arrays, loadNpz(path));
  std::map<std::string, Tensor> theirs(arrays.begin(), arrays.end());
  double most = 0;
  for (size_t i = 0; i < ours.size(); ++i) {
    for (size_t k = 0; k < w.fetches.size(); ++k) {
      const Tensor& a = ours[i][k];
      const auto found = theirs.find(concat(i, "/", k));
      if (found == theirs.end()) return internalError(engine.title, " gave no value of ", w.fetches[k]);
      const Tensor& b = found->second;
      if (!isComparable(a.dtype()) || !isComparable(b.dtype()))
        return unimplemented(w.fetches[k], " is ", dtypeName(a.dtype()), ", which is not compared; --fetch names other tensors");
      if (a.shape() != b.shape())
        return failedPrecondition("results differ: ", w.fetches[k], " has the shape ", a.shape().toString(), ", by ", engine.title, " ", b.shape().toString());
      const double difference = differenceOf(a, b);
      if (difference > tolerance) {
        const std::string values = a.elements() == 1 ? concat(": ", a.asDouble(0), ", by ", engine.title, " ", b.asDouble(0)) : "";
        return failedPrecondition("results differ: ", w.fetches[k], " of step ", i + 1, " by ", difference, " of its largest value, allowed are ", tolerance,
                                  values);
      }
      most = std::max(most, difference);
    }
  }
  return most;
}

Json side(const std::string& engine, const std::vector<StepTimes>& rounds, double firstMs, double peakMb) {
  std::vector<double> medians, p95;
  double least = INFINITY;
  size_t steps = 0;
  for (const StepTimes& t : rounds) {
    medians.push_back(t.median);
    p95.push_back(t.p95);
    least = std::min(least, t.minimum);
    steps += t.steps;
  }
  return {{"engine", engine},
          {"steps", steps},
          {"step_ms_min", least},
          {"step_ms_median", medianOf(medians)},
          {"step_ms_p95", medianOf(p95)},
          {"round_medians", medians},
          {"first_result_ms", firstMs},
          {"peak_rss_mb", peakMb}};
}

Error naming(Error error, const OtherEngine& engine) {
  error.message = concat(engine.title, ": ", error.message);
  return error;
}

/// Waits until the script has loaded the graph.
Result<Json> ready(Runner& runner, const OtherEngine& engine, const AgainstOptions& options) {
  auto hello = runner.answer();
  if (!hello.ok()) return naming(hello.error(), engine);
  if (const auto missing = hello->find("missing"); missing != hello->end() && missing->is_string()) {
    const std::string module = missing->get<std::string>();
    const std::string package(module == "numpy" ? std::string_view("numpy") : engine.package);
    return Error(notFound("it has no module ", module, ": ", options.python, " -m pip install ", package, " gives it one")).inFile(options.python);
  }
  return hello;
}

}  // namespace

Result<Json> measureAgainst(const OtherEngine& engine, const Workload& w, const AgainstOptions& options, const SessionOptions& session) {
  WEFT_LET(const std::string scripts, runnerFolder());
  WEFT_LET(const auto folder, JobFolder::make());
  WEFT_LET(Ours ours, openOurs(w, session));
  WEFT_TRY(writeJob(engine, w, ours.variables, session.threads, folder->path()));
  std::vector<std::string> draws;
  if (engine.form == GraphForm::Translated) {
    WEFT_LET(draws, drawsOf(w));
  }
  WEFT_TRY(takeFirstSteps(&ours, w, draws, *folder));
  ours.variables.clear();

  const auto start = Clock::now();
  WEFT_LET(const auto runner, Runner::start(options.python, joinPath(scripts, std::string(engine.script)), folder->path(), folder->file("messages")));
  WEFT_LET(const Json hello, ready(*runner, engine, options));
  const auto first = runner->ask(concat("first ", kFirstSteps));
  if (!first.ok()) return naming(first.error(), engine);
  const double theirFirst = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  WEFT_LET(const double difference, compareFirst(ours.first, folder->file("first.npz"), engine, w, options.tolerance));

  std::vector<StepTimes> our, their;
  double theirPeak = 0;
  // One round that does not count: both engines are warm after it.
  for (int round = -1; round < options.rounds; ++round) {
    const double seconds = round < 0 ? options.seconds / 4 : options.seconds;
    const auto answer = runner->ask(concat("time ", seconds));
    if (!answer.ok()) return naming(answer.error(), engine);
    auto milliseconds = timeSteps(ours.step, w.feedValues(), seconds);
    if (!milliseconds.ok()) return milliseconds.error();
    if (interrupted()) return cancelledError("interrupted");
    theirPeak = answer->value("peak_rss_mb", 0.0);
    if (round < 0) continue;
    their.push_back(
        {answer->value("steps", size_t(0)), answer->value("step_ms_min", 0.0), answer->value("step_ms_median", 0.0), answer->value("step_ms_p95", 0.0)});
    our.push_back(timesOf(std::move(*milliseconds)));
  }
  Json json{{"name", w.name}, {"against", engine.name}};
  json["weft"] = side("weft " WEFT_VERSION, our, ours.firstMs, peakMegabytes());
  json["other"] = side(hello.value("engine", std::string(engine.title)), their, theirFirst, theirPeak);
  json["other"]["python"] = hello.value("python", "");
  json["other"]["first_result_ms"] = first->value("first_ms", theirFirst);
  json["ratio"] = double(json["other"]["step_ms_median"]) / double(json["weft"]["step_ms_median"]);
  json["tolerance"] = options.tolerance;
  json["largest_difference"] = difference;
  json["rounds"] = options.rounds;
  json["seconds"] = options.seconds;
  json["processor"] = processorName();
  json["cores"] = std::thread::hardware_concurrency();
  json["threads"] = session.threads > 0 ? unsigned(session.threads) : std::thread::hardware_concurrency();
  json["notes"] = w.notes;
  if (hello.contains("notes"))
    for (const Json& note : hello["notes"]) json["notes"].push_back(note);
  return json;
}

std::string againstTable(const Json& json) {
  std::string out;
  char line[256];
  const Json *ours = &json["weft"], *theirs = &json["other"];
  std::snprintf(line, sizeof line, "%-28s %12s %12s %12s %14s %10s\n", "", "median ms", "fastest ms", "p95 ms", "first after ms", "peak MB");
  out += line;
  for (const Json* side : {theirs, ours}) {
    std::snprintf(line, sizeof line, "%-28s %12.4f %12.4f %12.4f %14.0f %10.0f\n", side->value("engine", "").c_str(), side->value("step_ms_median", 0.0),
                  side->value("step_ms_min", 0.0), side->value("step_ms_p95", 0.0), side->value("first_result_ms", 0.0), side->value("peak_rss_mb", 0.0));
    out += line;
  }
  std::snprintf(line, sizeof line, "%s / weft: %.2f\n", json.value("against", "").c_str(), json.value("ratio", 0.0));
  out += line;
  std::snprintf(line, sizeof line, "The first %d steps agree to %.1e (allowed: %.1e). %d rounds of %.3g s each, in turn, %d threads.\n", kFirstSteps,
                json.value("largest_difference", 0.0), json.value("tolerance", 0.0), json.value("rounds", 0), json.value("seconds", 0.0),
                json.value("threads", 0));
  out += line;
  out += concat(json.value("processor", ""), ", ", json.value("cores", 0), " cores, Python ", theirs->value("python", ""), "\n");
  for (const Json& note : json["notes"]) out += "note: " + note.get<std::string>() + "\n";
  return out;
}

}  // namespace weft::cli
