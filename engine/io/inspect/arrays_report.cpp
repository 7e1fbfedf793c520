#include <algorithm>
#include <map>

#include "io/inspect/report.h"
#include "weft/arrays.h"

namespace weft::inspect {
namespace {

Json arrayJson(const std::string& name, const ArrayInfo& info) {
  return {{"name", name}, {"dtype", info.dtype}, {"shape", shapeJson(info.shape)}, {"fortran_order", info.fortranOrder}};
}

}  // namespace

Status reportNpy(Report& r, std::string_view bytes) {
  r.setKind("npy");
  WEFT_LET(const ArrayInfo info, npyInfo(bytes));
  r.json["arrays"] = Json::array({arrayJson("", info)});
  return {};
}

Status reportNpz(Report& r, std::string_view bytes) {
  r.setKind("npz");
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

Status reportIdx(Report& r, std::string_view bytes, bool gzip) {
  r.setKind("idx");
  r.json["compression"] = gzip ? "gzip" : "none";
  WEFT_LET(const ArrayInfo info, idxInfo(bytes));
  r.json["dtype"] = info.dtype;
  r.json["shape"] = shapeJson(info.shape);
  return {};
}

Status reportCifar10(Report& r, std::string_view bytes) {
  r.setKind("cifar10");
  std::map<std::string, int64_t> labels;
  for (size_t at = 0; at < bytes.size(); at += 3073) ++labels[std::to_string(int(uint8_t(bytes[at])))];
  r.json["records"] = bytes.size() / 3073;
  r.json["labels"] = Json(labels);
  return {};
}

}  // namespace weft::inspect
