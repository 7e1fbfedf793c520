#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "io/debug_names.h"
#include "io/inspect/format.h"
#include "proto/convert.h"
#include "proto/summary.pb.h"
#include "proto/text.h"
#include "weft/debug_dump.h"
#include "weft/records.h"

namespace weft::inspect {
namespace {

constexpr int64_t kMaxElements = 1 << 26;  // a message may declare many more than it holds

bool holds(const Tensor& t, bool (*test)(double)) {
  if (!isFloating(t.dtype()) && !isComplex(t.dtype())) return false;
  for (int64_t i = 0; i < t.elements(); ++i)
    if (test(t.asDouble(i))) return true;
  return false;
}

class DumpReader {
 public:
  explicit DumpReader(Report& r) : r_(r) {}

  Status walk(const std::string& folder, const std::string& scope, int depth) {
    if (depth > 64) return {};
    WEFT_LET(const auto names, r_.files.list(folder));
    for (const std::string& name : names) {
      const std::string path = joinPath(folder, name), node = scope.empty() ? name : scope + "/" + name;
      const auto info = r_.files.stat(path);
      if (!info.ok() || name.compare(0, 7, "_tfdbg_") == 0) continue;
      if (info->isFolder) {
        WEFT_TRY(walk(path, node, depth + 1));
      } else {
        bytes_ += info->bytes;
        WEFT_TRY(readDump(path, node));
      }
    }
    return {};
  }

  void print() {
    r_.json["dumps"] = dumps_;
    r_.json["tensors"] = Json::array();
    for (auto& [key, json] : tensors_) r_.json["tensors"].push_back(std::move(json));
    r_.json["with_nan"] = nan_;
    r_.json["with_inf"] = inf_;
    r_.json["bytes"] = bytes_;
  }

 private:
  Status readDump(const std::string& path, const std::string& relative) {
    DumpFileName name;
    if (!parseDumpName(relative, &name)) return {};
    WEFT_LET(const std::string bytes, r_.files.readAll(path));
    tensorflow::Event event;
    Status status = parseWire(bytes, &event);
    if (!status.ok() || event.summary().value_size() != 1)
      return bad(status.ok() ? "malformed" : status.error().kind, path, ": a dump holds one Event with one value");
    ++dumps_;
    const auto& proto = event.summary().value(0).tensor();
    Json json{{"node", name.node}, {"slot", name.slot}, {"op", name.op}, {"dtype", dtypeText(proto.dtype())}};
    const auto shape = shapeFromProto(proto.tensor_shape());
    json["shape"] = shape.ok() ? shapeJson(*shape) : Json(nullptr);
    tensors_.emplace(std::make_tuple(name.node, name.slot, name.op), std::move(json));
    if (name.op != kWholeTensor) return {};
    // Without content, the tensor was not initialized; resources have no numeric content.
    const auto elements = checkTensorProto(proto);
    if (!elements.ok() || *elements > kMaxElements) return {};
    const auto tensor = tensorFromProto(proto);
    if (!tensor.ok()) return {};
    if (holds(*tensor, [](double v) { return std::isnan(v); })) nan_.insert(concat(name.node, ":", name.slot));
    if (holds(*tensor, [](double v) { return std::isinf(v); })) inf_.insert(concat(name.node, ":", name.slot));
    return {};
  }

  Report& r_;
  int64_t dumps_ = 0;
  uint64_t bytes_ = 0;
  std::multimap<std::tuple<std::string, int, std::string>, Json> tensors_;
  std::set<std::string> nan_, inf_;
};

Status reportDebugDump(Report& r) {
  r.setKind("tfdbg_dump");
  DumpReader reader(r);
  Status status;
  r.json["devices"] = Json::array();
  WEFT_LET(const auto names, r.files.list(r.path));
  for (const std::string& name : names) {
    if (name.compare(0, kDumpDevicePrefix.size(), kDumpDevicePrefix) != 0) continue;
    r.json["devices"].push_back(dumpDevice(name));
    if (status.ok()) status = reader.walk(joinPath(r.path, name), "", 0);
  }
  reader.print();
  return status;
}

constexpr int64_t kMostDumpBytes = int64_t(4) << 30;

Result<std::vector<NamedTensor>> arraysOfDump(Report& r) {
  WEFT_LET(const DebugDump dump, DebugDump::open(r.path, &r.files));
  int64_t bytes = 0;
  for (const DumpedTensor& t : dump.tensors()) bytes += t.hasValue ? t.bytes : 0;
  if (bytes > kMostDumpBytes) return bad("too_large", "the dumped tensors have ", bytes, " bytes; at most ", kMostDumpBytes, " are read at once");
  std::vector<NamedTensor> arrays;
  for (size_t i = 0; i < dump.tensors().size(); ++i) {
    if (!dump.tensors()[i].hasValue) continue;
    WEFT_LET(Tensor tensor, dump.read(i));
    arrays.emplace_back(dump.tensors()[i].name, std::move(tensor));
  }
  return arrays;
}

Status reportDebuggerV2(Report& r) {
  r.setKind("debugger_v2");
  std::map<std::string, int64_t> counts;
  uint64_t bytes = 0;
  Status status;
  WEFT_LET(const auto names, r.files.list(r.path));
  for (const std::string& name : names) {
    const size_t dot = name.rfind('.');
    const std::string path = joinPath(r.path, name);
    const auto info = r.files.stat(path);
    if (dot == name.npos || !info.ok() || info->isFolder) continue;
    const std::string kind = name.substr(dot + 1);
    static const std::set<std::string> kKinds = {"metadata", "source_files", "stack_frames", "graphs", "execution", "graph_execution_traces"};
    if (!kKinds.count(kind)) continue;
    bytes += info->bytes;
    WEFT_LET(auto reader, RecordReader::open(path, Compression::None, &r.files));
    std::string record;
    int64_t& n = counts[kind];
    for (;;) {
      auto got = reader->next(&record);
      if (!got.ok()) {
        r.problem(got.error().kind, concat(name, ": ", got.error().message));
        break;
      }
      if (!*got) break;
      ++n;
    }
  }
  r.json["files"] = Json(counts);
  r.json["executions"] = counts["execution"];
  r.json["graph_execution_traces"] = counts["graph_execution_traces"];
  r.json["bytes"] = bytes;
  return status;
}

bool anyEntry(Report& r, auto&& is) {
  if (!r.isFolder()) return false;
  const auto& names = r.entries();
  return std::any_of(names.begin(), names.end(), is);
}

}  // namespace

extern const Format kDebugDumpFormat;
const Format kDebugDumpFormat{
    {"tfdbg_dump", WEFT_TRANSLATED("FileKinds", "Debugger dump"), WEFT_TRANSLATED("FileKinds", "Tensors dumped by tfdbg."), "", "", true, false, false, true},
    [](Report& r) { return anyEntry(r, [](const std::string& n) { return n.rfind("_tfdbg_", 0) == 0; }); },
    reportDebugDump,
    nullptr,
    nullptr,
    arraysOfDump};

extern const Format kDebuggerV2Format;
const Format kDebuggerV2Format{
    {"debugger_v2", WEFT_TRANSLATED("FileKinds", "Debugger V2 log"), WEFT_TRANSLATED("FileKinds", "A log of tf.debugging.experimental."), "", "", true, false},
    [](Report& r) { return anyEntry(r, [](const std::string& n) { return n.size() > 9 && n.substr(n.size() - 9) == ".metadata"; }); },
    reportDebuggerV2};

}  // namespace weft::inspect
