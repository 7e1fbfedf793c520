#include <algorithm>
#include <map>

#include "io/inspect/format.h"
#include "weft/arrays.h"
#include "weft/records.h"

namespace weft::inspect {
namespace {

Json arrayJson(const std::string& name, const ArrayInfo& info) {
  return {{"name", name}, {"dtype", info.dtype}, {"shape", shapeJson(info.shape)}, {"fortran_order", info.fortranOrder}};
}

Status reportNpy(Report& r) {
  r.setKind("npy");
  WEFT_LET(const std::string_view bytes, r.content());
  WEFT_LET(const ArrayInfo info, npyInfo(bytes));
  r.json["arrays"] = Json::array({arrayJson("", info)});
  return {};
}

Status reportNpz(Report& r) {
  r.setKind("npz");
  WEFT_LET(const std::string_view bytes, r.content());
  WEFT_LET(auto members, readZip(bytes, kMaxInflated));
  std::map<std::string, Json> arrays;
  for (const auto& [name, content] : members) {
    if (name.size() < 4 || name.compare(name.size() - 4, 4, ".npy") != 0) {
      r.problem("unsupported", concat("member ", name, " is no array"));
      continue;
    }
    auto info = npyInfo(content);
    if (!info.ok()) {
      info.error().message = name + ": " + info.error().message;
      return info.error();
    }
    const std::string key = name.substr(0, name.size() - 4);
    arrays.emplace(key, arrayJson(key, *info));
  }
  if (arrays.empty()) return bad("unrecognized", "a ZIP archive without arrays");
  r.json["arrays"] = Json::array();
  for (auto& [name, json] : arrays) r.json["arrays"].push_back(std::move(json));
  return {};
}

bool looksLikeIdx(const std::string& name, std::string_view head) {
  if (head.size() < 4 || head[0] != 0 || head[1] != 0) return false;
  const int code = uint8_t(head[2]), rank = uint8_t(head[3]);
  return ((code == 8 || code == 9 || (code >= 11 && code <= 14)) && rank >= 1 && rank <= 8) || name.find("-idx") != name.npos;
}

Status reportIdx(Report& r) {
  const bool gzip = !looksLikeIdx(r.name, r.head());
  std::string bytes;
  if (gzip) {
    WEFT_LET(auto stream, ByteStream::open(r.path, Compression::Gzip, &r.files));
    WEFT_LET(bytes, stream->readAll(kMaxInflated));
  } else {
    WEFT_LET(const std::string_view content, r.content());
    bytes = content;
  }
  r.setKind("idx");
  r.json["compression"] = gzip ? "gzip" : "none";
  WEFT_LET(const ArrayInfo info, idxInfo(bytes));
  r.json["dtype"] = info.dtype;
  r.json["shape"] = shapeJson(info.shape);
  return {};
}

bool isCifar10(Report& r) {
  if (!r.isFile() || !r.ends(".bin") || r.size % 3073 != 0) return false;
  const std::string_view bytes = r.bytes();
  for (size_t at = 0; at < bytes.size(); at += 3073)
    if (uint8_t(bytes[at]) >= 10) return false;
  return !bytes.empty();
}

Status reportCifar10(Report& r) {
  r.setKind("cifar10");
  WEFT_LET(const std::string_view bytes, r.content());
  std::map<std::string, int64_t> labels;
  for (size_t at = 0; at < bytes.size(); at += 3073) ++labels[std::to_string(int(uint8_t(bytes[at])))];
  r.json["records"] = bytes.size() / 3073;
  r.json["labels"] = Json(labels);
  return {};
}

Status reportCsv(Report& r) {
  r.setKind("csv");
  WEFT_LET(const std::string_view text, r.content());
  WEFT_LET(const CsvTable table, decodeCsv(text));
  r.json["rows"] = table.columns.empty() ? 0 : table.columns[0].shape().dim(0);
  r.json["columns"] = Json::array();
  for (size_t i = 0; i < table.columns.size(); ++i)
    r.json["columns"].push_back({{"name", table.names[i]}, {"dtype", dtypeText(int(table.columns[i].dtype()))}});
  return {};
}

/// The only array of a file.
Result<std::vector<NamedTensor>> one(Result<Tensor> tensor) {
  WEFT_TRY(tensor.status());
  return std::vector<NamedTensor>{{"", std::move(*tensor)}};
}

}  // namespace

Json arraysJson(const std::vector<NamedTensor>& arrays) {
  Json out = Json::array();
  for (const auto& [name, value] : arrays) out.push_back({{"name", name}, {"dtype", dtypeText(int(value.dtype()))}, {"shape", shapeJson(value.shape())}});
  return out;
}

extern const Format kNpyFormat;
const Format kNpyFormat{arraysKind("npy", WEFT_TRANSLATED("FileKinds", "NumPy array"), WEFT_TRANSLATED("FileKinds", "One array."), ".npy"),
                        [](Report& r) { return r.starts("\x93NUMPY"); },
                        reportNpy,
                        nullptr,
                        nullptr,
                        [](Report& r) { return one(loadNpy(r.path, &r.files)); }};

extern const Format kNpzFormat;
const Format kNpzFormat{arraysKind("npz", WEFT_TRANSLATED("FileKinds", "NumPy arrays"), WEFT_TRANSLATED("FileKinds", "Several arrays in one archive."), ".npz"),
                        [](Report& r) { return r.starts("PK\x03\x04") || r.starts("PK\x05\x06"); },
                        reportNpz,
                        nullptr,
                        nullptr,
                        [](Report& r) { return loadNpz(r.path, &r.files); }};

extern const Format kIdxFormat;
const Format kIdxFormat{arraysKind("idx", WEFT_TRANSLATED("FileKinds", "IDX array"), WEFT_TRANSLATED("FileKinds", "Images or labels in the format of MNIST."),
                                   "-idx1-ubyte -idx3-ubyte", ArrayLook::Pictures),
                        [](Report& r) { return looksLikeIdx(r.name, r.head()) || looksLikeIdx(r.name, r.inflatedHead()); },
                        reportIdx,
                        nullptr,
                        nullptr,
                        [](Report& r) { return one(loadIdx(r.path, &r.files)); }};

extern const Format kCifar10Format;
const Format kCifar10Format{arraysKind("cifar10", WEFT_TRANSLATED("FileKinds", "CIFAR-10 batch"),
                                       WEFT_TRANSLATED("FileKinds", "32×32 pixel images with a label each."), ".bin", ArrayLook::Pictures),
                            isCifar10,
                            reportCifar10,
                            nullptr,
                            nullptr,
                            [](Report& r) -> Result<std::vector<NamedTensor>> {
                              WEFT_LET(LabeledImages all, loadCifar10({r.path}, &r.files));
                              return std::vector<NamedTensor>{{"images", std::move(all.images)}, {"labels", std::move(all.labels)}};
                            }};

extern const Format kCsvFormat;
const Format kCsvFormat{
    arraysKind("csv", WEFT_TRANSLATED("FileKinds", "CSV table"), WEFT_TRANSLATED("FileKinds", "One array per column."), ".csv", "text/csv"),
    [](Report& r) { return (r.ends(".csv") || r.ends(".CSV")) && hasNoControls(r.head()) && !(r.isText() && r.message() != ProtoKind::Unknown); },
    reportCsv,
    nullptr,
    nullptr,
    [](Report& r) -> Result<std::vector<NamedTensor>> {
      WEFT_LET(CsvTable table, loadCsv(r.path, {}, &r.files));
      std::vector<NamedTensor> out;
      for (size_t i = 0; i < table.columns.size(); ++i) out.emplace_back(table.names[i], std::move(table.columns[i]));
      return out;
    }};

}  // namespace weft::inspect
