#include <algorithm>
#include <map>
#include <optional>

#include "base/table.h"
#include "io/inspect/format.h"
#include "io/tflite/model_generated.h"
#include "weft/tflite.h"

// A TensorFlow Lite model is a FlatBuffer: tables refer to a list of field offsets (vtable) before them; everything else is reached through forward offsets.
// Every position is checked before it is read.

namespace weft::inspect {
namespace {

constexpr const char* kTypes[] = {"float32",    "float16", "int32",    "uint8",   "int64",  "string", "bool", "int16",    "complex64", "int8", "float64",
                                  "complex128", "uint64",  "resource", "variant", "uint32", "uint16", "int4", "bfloat16", "int2",      "uint4"};

/// Signals a position outside the file; reportTflite turns it into an error.
struct OutOfRange {
  const char* what;
  uint64_t at;
};

class Buffer {
 public:
  explicit Buffer(std::string_view bytes) : bytes_(bytes) {}
  template <typename T>
  T at(uint64_t position, const char* what) const {
    if (position > bytes_.size() || bytes_.size() - position < sizeof(T)) throw OutOfRange{what, position};
    T value;
    std::copy_n(bytes_.data() + position, sizeof(T), reinterpret_cast<char*>(&value));
    return value;
  }
  std::string_view range(uint64_t position, uint64_t count, const char* what) const {
    if (position > bytes_.size() || count > bytes_.size() - position) throw OutOfRange{what, position};
    return bytes_.substr(position, count);
  }

 private:
  std::string_view bytes_;
};

struct Vector {
  uint64_t begin = 0;
  uint32_t size = 0;
};

class Table {
 public:
  Table(const Buffer& in, uint64_t position) : in_(in), at_(position) {
    const int64_t vtable = int64_t(position) - in.at<int32_t>(position, "a table");
    if (vtable < 0) throw OutOfRange{"a table's list of fields", position};
    vtable_ = uint64_t(vtable);
    fields_ = in.at<uint16_t>(vtable_, "a table's list of fields");
  }
  /// Position of a field, 0 if it is absent.
  uint64_t field(int slot) const {
    const uint64_t entry = 4 + 2 * uint64_t(slot);
    if (entry + 2 > fields_) return 0;
    const uint16_t offset = in_.at<uint16_t>(vtable_ + entry, "a field");
    return offset ? at_ + offset : 0;
  }
  template <typename T>
  T number(int slot, T otherwise) const {
    const uint64_t p = field(slot);
    return p ? in_.at<T>(p, "a number") : otherwise;
  }
  std::string text(int slot) const {
    const uint64_t p = field(slot);
    if (!p) return {};
    const uint64_t at = p + in_.at<uint32_t>(p, "a string");
    return std::string(in_.range(at + 4, in_.at<uint32_t>(at, "a string"), "a string"));
  }
  Vector vector(int slot, uint64_t width) const {
    const uint64_t p = field(slot);
    if (!p) return {};
    const uint64_t at = p + in_.at<uint32_t>(p, "a list");
    const Vector v{at + 4, in_.at<uint32_t>(at, "a list")};
    in_.range(v.begin, v.size * width, "a list");
    return v;
  }
  std::vector<Table> tables(int slot) const {
    const Vector v = vector(slot, 4);
    std::vector<Table> out;
    for (uint32_t i = 0; i < v.size; ++i) {
      const uint64_t p = v.begin + 4 * uint64_t(i);
      out.emplace_back(in_, p + in_.at<uint32_t>(p, "a table"));
    }
    return out;
  }
  std::vector<int32_t> integers(int slot) const {
    const Vector v = vector(slot, 4);
    std::vector<int32_t> out;
    for (uint32_t i = 0; i < v.size; ++i) out.push_back(in_.at<int32_t>(v.begin + 4 * uint64_t(i), "a number"));
    return out;
  }

 private:
  const Buffer& in_;
  uint64_t at_, vtable_, fields_;
};

std::string opName(const Table& code) {
  const int old = uint8_t(code.number<int8_t>(0, 0)), builtin = std::max(old, code.number<int32_t>(3, 0));
  const auto op = tfl::BuiltinOperator(builtin);
  if (op == tfl::BuiltinOperator::CUSTOM) return code.text(1);
  const std::string name = tfl::EnumNameBuiltinOperator(op);
  return name.empty() ? concat("unknown_", builtin) : name;
}

Status read(Report& r, std::string_view bytes) {
  const Buffer in(bytes);
  const Table model(in, in.at<uint32_t>(0, "the root"));
  r.json["version"] = model.number<uint32_t>(0, 0);
  r.json["description"] = model.text(3);
  const auto codes = model.tables(1), buffers = model.tables(4);
  for (const Table& b : buffers) b.vector(0, 1);
  std::map<std::string, int64_t> ops;
  r.json["subgraphs"] = Json::array();
  int index = 0;
  for (const Table& graph : model.tables(2)) {
    const auto tensors = graph.tables(0);
    const auto operators = graph.tables(3);
    std::vector<Json> infos;
    for (size_t t = 0; t < tensors.size(); ++t) {
      const auto buffer = tensors[t].number<uint32_t>(2, 0);
      if (buffer >= std::max<size_t>(1, buffers.size()))
        return bad("out_of_range", "tensor ", t, " of subgraph ", index, " lies in buffer ", buffer, ", but there are ", buffers.size());
      const int type = tensors[t].number<int8_t>(1, 0);
      infos.push_back({{"name", tensors[t].text(3)},
                       {"dtype", type >= 0 && type < int(std::size(kTypes)) ? kTypes[type] : concat("unknown_", type)},
                       {"shape", tensors[t].integers(0)}});
    }
    const auto check = [&](const std::vector<int32_t>& indices, const std::string& who) -> Status {
      for (const int32_t i : indices)
        if (i < -1 || i >= int64_t(tensors.size()))
          return bad("out_of_range", who, " of subgraph ", index, " names tensor ", i, ", but there are ", tensors.size());
      return {};
    };
    for (size_t o = 0; o < operators.size(); ++o) {
      const auto code = operators[o].number<uint32_t>(0, 0);
      if (code >= codes.size()) return bad("out_of_range", "operator ", o, " of subgraph ", index, " is of code ", code, ", but there are ", codes.size());
      ++ops[opName(codes[code])];
      WEFT_TRY(check(operators[o].integers(1), concat("operator ", o)));
      WEFT_TRY(check(operators[o].integers(2), concat("operator ", o)));
    }
    Json ends[2] = {Json::array(), Json::array()};
    for (const int side : {0, 1}) {
      const auto indices = graph.integers(1 + side);
      WEFT_TRY(check(indices, side ? "an output" : "an input"));
      for (const int32_t i : indices)
        if (i >= 0) ends[side].push_back(infos[size_t(i)]);
    }
    r.json["subgraphs"].push_back(
        {{"name", graph.text(4)}, {"tensors", tensors.size()}, {"operators", operators.size()}, {"inputs", ends[0]}, {"outputs", ends[1]}});
    ++index;
  }
  r.json["ops"] = Json(ops);
  r.json["buffers"] = buffers.size();
  std::vector<std::string> metadata, signatures;
  for (const Table& m : model.tables(6)) metadata.push_back(m.text(0));
  for (const Table& s : model.tables(7)) signatures.push_back(s.text(2));
  std::sort(metadata.begin(), metadata.end());
  std::sort(signatures.begin(), signatures.end());
  r.json["metadata"] = metadata;
  r.json["signatures"] = signatures;
  return {};
}

Status reportTflite(Report& r) {
  r.setKind("tflite");
  WEFT_LET(const std::string_view bytes, r.content());
  try {
    return read(r, bytes);
  } catch (const OutOfRange& e) {
    return bad(e.at >= bytes.size() ? "out_of_range" : "truncated", e.what, " at byte ", e.at, " lies outside the file of ", bytes.size(), " bytes");
  }
}

}  // namespace

extern const Format kTfliteFormat;
const Format kTfliteFormat{{"tflite", WEFT_TRANSLATED("FileKinds", "TensorFlow Lite model"),
                            WEFT_TRANSLATED("FileKinds", "A model for phones and small devices."), ".tflite .lite", "application/x-tflite", false, true, true},
                           [](Report& r) { return r.head().size() >= 8 && r.head().substr(4, 4) == "TFL3"; },
                           reportTflite,
                           [](Report& r, std::vector<std::string>* warnings) -> Result<LoadedGraph> {
                             WEFT_LET(const std::string_view bytes, r.content());
                             return graphOfImport(r, tfliteToGraph(bytes), warnings);
                           },
                           graphToTflite};

}  // namespace weft::inspect
