#include "weft/debug_dump.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "io/debug_names.h"
#include "proto/convert.h"
#include "proto/summary.pb.h"
#include "proto/text.h"

namespace weft {
namespace {

constexpr int kDeepestScope = 64;
constexpr uint64_t kLargestDump = uint64_t(2) << 30;  // what a message may have

Status dumpError(std::string_view kind, const std::string& path, const auto&... parts) {
  return Error{Code::DataLoss, concat(path, ": ", parts...), {}, {}, std::string(kind)};
}

/// Reads the Event in a dump's file.
Result<tensorflow::TensorProto> readDumpFile(FileSystem& files, const std::string& path) {
  WEFT_LET(const std::string bytes, files.readAll(path, kLargestDump));
  tensorflow::Event event;
  const Status status = parseWire(bytes, &event);
  if (!status.ok() || event.summary().value_size() != 1)
    return dumpError(status.ok() ? "malformed" : status.error().kind, path, "a dump holds one Event with one value").error();
  return std::move(*event.mutable_summary()->mutable_value(0)->mutable_tensor());
}

/// Without content, the tensor was not initialized; an empty one needs none.
bool holdsValue(const tensorflow::TensorProto& proto, const Shape& shape) {
  if (!proto.tensor_content().empty() || proto.string_val_size() > 0) return true;
  if (shape.hasRank() && shape.rank() > 0 && shape.elements() == 0) return true;
  return proto.float_val_size() || proto.double_val_size() || proto.int_val_size() || proto.int64_val_size() || proto.bool_val_size() ||
         proto.half_val_size() || proto.scomplex_val_size() || proto.dcomplex_val_size() || proto.uint32_val_size() || proto.uint64_val_size();
}

class DumpWalker {
 public:
  DumpWalker(FileSystem& files, std::vector<DumpedTensor>& out) : files_(files), out_(out) {}

  Status walk(const std::string& device, const std::string& folder, const std::string& scope, int depth) {
    if (depth > kDeepestScope) return {};
    WEFT_LET(const auto names, files_.list(folder));
    for (const std::string& name : names) {
      const std::string path = joinPath(folder, name), node = scope.empty() ? name : scope + "/" + name;
      const auto info = files_.stat(path);
      if (!info.ok() || info->isDevice || name.starts_with("_tfdbg_")) continue;
      if (info->isFolder) WEFT_TRY(walk(device, path, node, depth + 1));
      else WEFT_TRY(add(device, path, node, int64_t(info->bytes)));
    }
    return {};
  }

 private:
  Status add(const std::string& device, const std::string& path, const std::string& relative, int64_t bytes) {
    DumpFileName name;
    if (!parseDumpName(relative, &name)) return {};
    WEFT_LET(const auto proto, readDumpFile(files_, path));
    DumpedTensor t;
    t.device = device;
    t.node = name.node;
    t.op = name.op;
    t.slot = name.slot;
    t.micros = name.micros;
    if (const int type = proto.dtype() > 100 ? proto.dtype() - 100 : proto.dtype(); isKnown(DType(type))) t.dtype = DType(type);
    const auto shape = shapeFromProto(proto.tensor_shape());
    if (!shape.ok()) return dumpError("invalid_tensor", path, shape.error().message);
    t.shape = *shape;
    t.hasValue = holdsValue(proto, *shape);
    if (t.hasValue) {
      if (const auto checked = checkTensorProto(proto); !checked.ok()) return dumpError("invalid_tensor", path, checked.error().message);
    }
    t.bytes = bytes;
    t.path = path;
    out_.push_back(std::move(t));
    return {};
  }

  FileSystem& files_;
  std::vector<DumpedTensor>& out_;
};

/// Tells tensors of the same name apart: first by their devices, then by their order.
void nameDumps(std::vector<DumpedTensor>& tensors) {
  std::map<std::string, std::string> devices;  // a name and the only device that has it; empty if several do
  for (DumpedTensor& t : tensors) {
    t.name = concat(t.node, ":", t.slot, t.op == kWholeTensor ? "" : ":" + t.op);
    const auto [it, made] = devices.try_emplace(t.name, t.device);
    if (!made && it->second != t.device) it->second.clear();
  }
  std::map<std::string, int> times;
  for (DumpedTensor& t : tensors) {
    if (devices[t.name].empty()) t.name += " " + t.device;
    if (const int n = ++times[t.name]; n > 1) t.name += concat(" #", n);
  }
}

}  // namespace

std::string dumpDevice(std::string_view folder) {
  std::string out;
  folder.remove_prefix(kDumpDevicePrefix.size());
  while (!folder.empty()) {
    const size_t comma = std::min(folder.find(',', 1), folder.size());
    std::string part(folder.substr(0, comma));
    folder.remove_prefix(comma);
    if (part[0] == ',') part[0] = '/';
    const bool device = part.compare(0, 8, "/device_") == 0;
    for (size_t at = part.find('_'); at != part.npos; at = part.find('_', at + 1)) {
      part[at] = ':';
      if (!device) break;
    }
    out += part;
  }
  return out;
}

bool parseDumpName(const std::string& path, DumpFileName* out) {
  const size_t time = path.rfind('_');
  if (time == path.npos || time == 0) return false;
  const size_t op = path.rfind('_', time - 1);
  if (op == path.npos || op == 0) return false;
  const size_t slot = path.rfind('_', op - 1);
  if (slot == path.npos || slot == 0) return false;
  const std::string number = path.substr(slot + 1, op - slot - 1);
  if (number.empty() || number.size() > 6 || number.find_first_not_of("0123456789") != number.npos) return false;
  *out = {path.substr(0, slot), path.substr(op + 1, time - op - 1), std::atoi(number.c_str()), 0};
  std::from_chars(path.data() + time + 1, path.data() + path.size(), out->micros);
  return true;
}

Result<DebugDump> DebugDump::open(const std::string& folder, FileSystem* files) {
  DebugDump dump;
  dump.files_ = files ? files : &posixFileSystem();
  DumpWalker walker(*dump.files_, dump.tensors_);
  WEFT_LET(auto names, dump.files_->list(folder));
  std::sort(names.begin(), names.end());
  for (const std::string& name : names)
    if (name.starts_with(kDumpDevicePrefix)) WEFT_TRY(walker.walk(dumpDevice(name), joinPath(folder, name), "", 0));
  // The "-1" of a path comes after the others of its microsecond.
  std::sort(dump.tensors_.begin(), dump.tensors_.end(), [](const DumpedTensor& a, const DumpedTensor& b) {
    const size_t lengthA = a.path.size(), lengthB = b.path.size();
    return std::tie(a.micros, lengthA, a.path) < std::tie(b.micros, lengthB, b.path);
  });
  nameDumps(dump.tensors_);
  return dump;
}

Result<Tensor> DebugDump::read(size_t index) const {
  const DumpedTensor& t = tensors_[index];
  if (!t.hasValue) return failedPrecondition(t.name, " had no value when it was dumped").inFile(t.path);
  WEFT_LET(const auto proto, readDumpFile(*files_, t.path));
  auto tensor = tensorFromProto(proto);
  if (!tensor.ok()) return Error(tensor.error()).inFile(t.path);
  return tensor;
}

}  // namespace weft
