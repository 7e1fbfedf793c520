#include "support/debug_wire.h"

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace weft {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr int kLongestHeader = 4096;

Json loopsToJson(const std::vector<LoopPlace>& loops) {
  Json out = Json::array();
  for (const LoopPlace& l : loops) out.push_back(Json::array({l.frame, l.iteration}));
  return out;
}

std::vector<LoopPlace> loopsFromJson(const Json& json) {
  std::vector<LoopPlace> out;
  for (const Json& l : json) out.push_back({l.at(0).get<std::string>(), l.at(1).get<int64_t>()});
  return out;
}

// JSON has no infinities. Moments of finite values are finite, and only those are needed here.
double finite(double v) { return std::isfinite(v) ? v : 0; }

Json statisticsToJson(const TensorStatistics& s) {
  return {s.isNumeric, s.elements,    s.bytes,       s.nans,         s.positiveInfinities, s.negativeInfinities, s.zeros,
          s.negatives, finite(s.min), finite(s.max), finite(s.mean), finite(s.std),        finite(s.sum),        finite(s.norm)};
}

TensorStatistics statisticsFromJson(const Json& j) {
  TensorStatistics s;
  s.isNumeric = j.at(0).get<bool>();
  int64_t* const counts[] = {&s.elements, &s.bytes, &s.nans, &s.positiveInfinities, &s.negativeInfinities, &s.zeros, &s.negatives};
  for (size_t i = 0; i < std::size(counts); ++i) *counts[i] = j.at(1 + i).get<int64_t>();
  double* const values[] = {&s.min, &s.max, &s.mean, &s.std, &s.sum, &s.norm};
  for (size_t i = 0; i < std::size(values); ++i) *values[i] = j.at(8 + i).get<double>();
  return s;
}

Json reasonToJson(const NonFiniteReason& r) { return {{"kind", int(r.kind)}, {"formula", r.formula}, {"dtype", r.dtype}, {"position", r.position}}; }

NonFiniteReason reasonFromJson(const Json& j) {
  return {NonFiniteReason::Kind(j.at("kind").get<int>()), j.at("formula").get<std::string>(), j.at("dtype").get<std::string>(),
          j.at("position").get<std::string>()};
}

Json entryToJson(const AutopsyEntry& e) {
  return {{"tensor", e.tensor},
          {"op", e.op},
          {"loops", loopsToJson(e.loops)},
          {"statistics", statisticsToJson(e.statistics)},
          {"shape", e.shape},
          {"positions", e.positions},
          {"reason", reasonToJson(e.reason)}};
}

AutopsyEntry entryFromJson(const Json& j) {
  return {j.at("tensor").get<std::string>(),      j.at("op").get<std::string>(),    loopsFromJson(j.at("loops")),
          statisticsFromJson(j.at("statistics")), j.at("shape").get<std::string>(), j.at("positions").get<std::vector<std::string>>(),
          reasonFromJson(j.at("reason"))};
}

std::string newName() {
  static std::atomic<int64_t> next{0};
  return concat("value-", ++next, ".tensor");
}

Json answer(const Status& status) { return status.ok() ? Json::object() : errorToJson(status.error()); }

constexpr const char* kCommandWords[] = {"resume", "op", "into", "over", "out"};

Json serve(DebugControl& d, const Json& request, const std::string& folder) {
  const std::string ask = request.at("ask").get<std::string>();
  const auto word = [&](const char* key) { return request.at(key).get<std::string>(); };
  for (size_t i = 0; i < std::size(kCommandWords); ++i)
    if (ask == kCommandWords[i]) return answer(d.command(DebugCommand(i)));
  if (ask == "back") return answer(d.stepBack(request.at("count").get<int64_t>()));
  if (ask == "iteration") return answer(d.goToIteration(request.at("count").get<int64_t>()));
  if (ask == "to") return answer(d.runTo(word("place")));
  if (ask == "view") return viewToJson(d.view());
  if (ask == "value") return valueToJson(d.value(word("tensor")), folder);
  if (ask == "previous") return valueToJson(d.previousRunValue(word("tensor")), folder);
  if (ask == "past") {
    const DebugHistory history = d.history(word("tensor"));
    Json moments = Json::array();
    for (const DebugMoment& m : history.moments) moments.push_back(Json::array({m.iteration, finite(m.min), finite(m.mean), finite(m.max), m.finite}));
    return {{"earlier", valueToJson(history.earlier, folder)}, {"moments", std::move(moments)}};
  }
  if (ask == "evaluate") {
    const auto text = d.evaluate(word("expression"));
    return text.ok() ? Json{{"text", *text}} : errorToJson(text.error());
  }
  if (ask == "set") {
    const auto value = valueFromJson(request.at("value"), folder);
    return value.ok() ? answer(d.setValue(word("tensor"), value->tensor)) : errorToJson(value.error());
  }
  if (ask == "clear") return answer(d.clearValue(word("tensor")));
  if (ask == "autopsy") return autopsyToJson(d.autopsy(word("tensor")));
  return errorToJson(unimplemented("This program does not understand the request '", ask, "'."));
}

}  // namespace

Json breakpointToJson(const Breakpoint& b) {
  return {{"id", b.id}, {"place", b.place}, {"condition", b.condition}, {"log", b.log}, {"from", b.fromHit}, {"enabled", b.enabled}, {"hits", b.hits}};
}

Breakpoint breakpointFromJson(const Json& j) {
  Breakpoint b;
  b.id = j.at("id").get<int>();
  b.place = j.at("place").get<std::string>();
  b.condition = j.value("condition", "");
  b.log = j.value("log", "");
  b.fromHit = j.value("from", int64_t(1));
  b.enabled = j.value("enabled", true);
  b.hits = j.value("hits", int64_t(0));
  return b;
}

Json viewToJson(const DebugView& v) {
  std::string nodes;
  for (const NodeProgress p : v.nodes) nodes += char('0' + int(p));
  const DebugStop& s = v.stop;
  return {{"phase", int(v.phase)},
          {"reason", int(s.reason)},
          {"node", s.node},
          {"name", s.name},
          {"op", s.op},
          {"computed", s.computed},
          {"index", s.index},
          {"loops", loopsToJson(s.loops)},
          {"breakpoint", s.breakpoint},
          {"message", s.message},
          {"failure", v.error},
          {"nodes", nodes},
          {"step", v.step},
          {"ops", v.ops},
          {"kept", v.keptBytes},
          {"limit", v.keepLimit},
          {"whyNotBack", v.whyNotBack},
          {"byHand", v.setByHand},
          {"notReached", v.notReached},
          {"task", s.task},
          {"notStepped", v.notStepped}};
}

DebugView viewFromJson(const Json& j) {
  DebugView v;
  v.phase = DebugPhase(j.at("phase").get<int>());
  DebugStop& s = v.stop;
  s.reason = StopReason(j.at("reason").get<int>());
  s.node = j.at("node").get<int>();
  s.name = j.at("name").get<std::string>();
  s.op = j.at("op").get<std::string>();
  s.computed = j.at("computed").get<bool>();
  s.index = j.at("index").get<int64_t>();
  s.loops = loopsFromJson(j.at("loops"));
  s.breakpoint = j.at("breakpoint").get<int>();
  s.message = j.at("message").get<std::string>();
  v.error = j.at("failure").get<std::string>();
  for (const char c : j.at("nodes").get<std::string>()) v.nodes.push_back(c >= '0' && c <= '5' ? NodeProgress(c - '0') : NodeProgress::None);
  v.step = j.at("step").get<int64_t>();
  v.ops = j.at("ops").get<int64_t>();
  v.keptBytes = j.at("kept").get<int64_t>();
  v.keepLimit = j.at("limit").get<int64_t>();
  v.whyNotBack = j.at("whyNotBack").get<std::string>();
  v.setByHand = j.at("byHand").get<std::vector<std::string>>();
  v.notReached = j.at("notReached").get<std::string>();
  s.task = j.at("task").get<std::string>();
  v.notStepped = j.at("notStepped").get<std::vector<std::string>>();
  return v;
}

Json errorToJson(const Error& e) { return {{"error", e.message}, {"code", int(e.code)}, {"node", e.node}, {"kind", e.kind}}; }

Error errorFromJson(const Json& j) {
  const auto word = [&](const char* key) { return j.contains(key) && j[key].is_string() ? j[key].get<std::string>() : std::string(); };
  Error e;
  e.code = j.contains("code") && j["code"].is_number_integer() ? Code(j["code"].get<int>()) : Code::Unknown;
  e.message = word("error");
  e.node = word("node");
  e.kind = word("kind");
  return e;
}

Json autopsyToJson(const Autopsy& a) {
  const auto list = [](const std::vector<AutopsyEntry>& entries) {
    Json out = Json::array();
    for (const AutopsyEntry& e : entries) out.push_back(entryToJson(e));
    return out;
  };
  return {{"outcome", int(a.outcome)},  {"summary", a.summary}, {"origin", entryToJson(a.origin)}, {"inputs", list(a.inputs)}, {"path", list(a.path)},
          {"sources", list(a.sources)}, {"rows", a.rows}};
}

Autopsy autopsyFromJson(const Json& j) {
  const auto list = [](const Json& entries) {
    std::vector<AutopsyEntry> out;
    for (const Json& e : entries) out.push_back(entryFromJson(e));
    return out;
  };
  return {Autopsy::Outcome(j.at("outcome").get<int>()),
          j.at("summary").get<std::string>(),
          entryFromJson(j.at("origin")),
          list(j.at("inputs")),
          list(j.at("path")),
          list(j.at("sources")),
          j.at("rows").get<std::vector<int64_t>>()};
}

Status writeTensorFile(const std::string& path, const Tensor& tensor) {
  if (!tensor.hasValue()) return invalidArgument("There is no value to write.");
  if (tensor.dtype() != DType::String && sizeOf(tensor.dtype()) == 0) return invalidArgument("Values of ", dtypeName(tensor.dtype()), " cannot be shown.");
  std::ofstream out(path, std::ios::binary);
  std::vector<int64_t> dims;
  for (int i = 0; i < tensor.rank(); ++i) dims.push_back(tensor.dim(i));
  out << Json{{"dtype", dtypeName(tensor.dtype())}, {"dims", dims}}.dump() << '\n';
  if (tensor.dtype() == DType::String) {
    for (const std::string& s : tensor.flat<std::string>()) {
      const uint64_t size = s.size();
      out.write(reinterpret_cast<const char*>(&size), sizeof size);
      out.write(s.data(), std::streamsize(size));
    }
  } else if (tensor.bytes() > 0) {
    out.write(static_cast<const char*>(tensor.raw()), std::streamsize(tensor.bytes()));
  }
  out.close();
  if (!out) return unavailable(path, ": the value could not be written.");
  return {};
}

Result<Tensor> readTensorFile(const std::string& path, int64_t limit) {
  const auto broken = [&] { return dataLoss(path, ": this is no value."); };
  std::error_code failed;
  const auto size = int64_t(fs::file_size(path, failed));
  if (failed) return notFound(path, ": ", failed.message());
  if (size > limit) return resourceExhausted(path, ": ", size, " bytes are more than ", limit);
  std::ifstream in(path, std::ios::binary);
  std::string header(kLongestHeader, '\0');
  in.getline(header.data(), kLongestHeader);
  if (!in) return broken();
  header.resize(size_t(in.gcount()) - 1);
  const Json json = Json::parse(header, nullptr, false);
  if (!json.is_object() || !json.contains("dtype") || !json["dtype"].is_string() || !json.contains("dims") || !json["dims"].is_array()) return broken();
  std::vector<int64_t> dims;
  for (const Json& d : json["dims"]) {
    if (!d.is_number_integer() || d.get<int64_t>() < 0) return broken();
    dims.push_back(d.get<int64_t>());
  }
  const DType type = dtypeFromName(json["dtype"].get<std::string>());
  const auto left = [&] { return size - int64_t(in.tellg()); };
  if (type == DType::Invalid) return broken();
  if (type == DType::String) {
    int64_t count = 1;
    for (const int64_t d : dims) {
      if (d != 0 && count > size / d) return broken();  // each takes at least eight bytes
      count *= d;
    }
    if (count > size) return broken();
    WEFT_LET(Tensor t, Tensor::allocate(type, Shape(dims)));
    for (int64_t i = 0; i < t.elements(); ++i) {
      uint64_t length = 0;
      in.read(reinterpret_cast<char*>(&length), sizeof length);
      if (!in || int64_t(length) < 0 || int64_t(length) > left()) return broken();
      std::string s(size_t(length), '\0');
      in.read(s.data(), std::streamsize(length));
      t.mutableData<std::string>()[i] = std::move(s);
    }
    return t;
  }
  int64_t bytes = int64_t(sizeOf(type));
  for (const int64_t d : dims) {
    if (d != 0 && bytes > size / d) return broken();
    bytes *= d;
  }
  if (bytes == 0 && sizeOf(type) == 0) return broken();
  if (bytes != left()) return broken();
  WEFT_LET(Tensor t, Tensor::allocate(type, Shape(dims)));
  if (bytes > 0) in.read(static_cast<char*>(t.mutableRaw()), bytes);
  if (!in) return broken();
  return t;
}

Json valueToJson(const Result<DebugValue>& value, const std::string& folder) {
  if (!value.ok()) return errorToJson(value.error());
  Json out = {{"index", value->index}, {"loops", loopsToJson(value->loops)}};
  if (!value->tensor.hasValue()) return out;
  const std::string name = newName();
  if (Status s = writeTensorFile((fs::path(folder) / name).string(), value->tensor); !s.ok()) return errorToJson(s.error());
  out["file"] = name;
  return out;
}

Result<DebugValue> valueFromJson(const Json& json, const std::string& folder) {
  try {
    if (json.contains("error")) return errorFromJson(json);
    DebugValue out;
    out.index = json.at("index").get<int64_t>();
    out.loops = loopsFromJson(json.at("loops"));
    if (!json.contains("file")) return out;
    const fs::path path = fs::path(folder) / fs::path(json.at("file").get<std::string>()).filename();
    auto tensor = readTensorFile(path.string());
    std::error_code ignored;
    fs::remove(path, ignored);
    if (!tensor.ok()) return tensor.error();
    out.tensor = std::move(*tensor);
    return out;
  } catch (const Json::exception& e) {
    return dataLoss("The program's answer cannot be read: ", e.what());
  }
}

const char* commandWord(DebugCommand command) { return kCommandWords[size_t(command)]; }

Json serveDebugger(DebugControl& debugger, const Json& request, const std::string& folder) {
  try {
    return serve(debugger, request, folder);
  } catch (const std::exception& e) {
    return errorToJson(invalidArgument("The request cannot be read: ", e.what()));
  }
}

}  // namespace weft
