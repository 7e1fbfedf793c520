// TFRecord files of tf.train.Examples as columns.
#include <algorithm>
#include <cstring>
#include <map>

#include "data/dataset_kinds.h"
#include "weft/arrays.h"
#include "weft/examples.h"

namespace weft::data {
namespace {

using Kind = ExampleFeature::Kind;

/// A feature's values over all records.
struct Gathered {
  Kind kind = Kind::Empty;
  int64_t width = 0, records = 0;
  std::vector<std::string> bytes;
  std::vector<float> floats;
  std::vector<int64_t> ints;
  std::string problem;  ///< why it cannot be used as a column
};

void gather(Gathered& all, ExampleFeature feature, int64_t record) {
  if (!all.problem.empty()) return;
  if (feature.isSequence) {
    all.problem = "it is a sequence";
  } else if (all.records != record) {
    all.problem = concat("record ", all.records, " does not have it");
  } else if (record > 0 && feature.kind != all.kind) {
    all.problem = concat("record ", record, " has another type in it");
  } else if (record > 0 && feature.size() != all.width) {
    all.problem = concat("record ", record, " has ", feature.size(), " values, record 0 has ", all.width);
  } else {
    all.kind = feature.kind;
    all.width = feature.size();
    std::move(feature.bytes.begin(), feature.bytes.end(), std::back_inserter(all.bytes));
    all.floats.insert(all.floats.end(), feature.floats.begin(), feature.floats.end());
    all.ints.insert(all.ints.end(), feature.ints.begin(), feature.ints.end());
  }
  ++all.records;
}

bool isPicture(const std::string& bytes) { return bytes.starts_with("\x89PNG") || bytes.starts_with("\xff\xd8\xff"); }

/// PNG and JPEG files of one size as uint8 [n, height, width, channels].
Result<Tensor> pictures(const std::vector<std::string>& files) {
  Tensor all;
  for (size_t i = 0; i < files.size(); ++i) {
    auto one = decodeImage(files[i]);
    if (!one.ok()) return invalidArgument("the picture of record ", i, " cannot be read: ", one.error().message);
    if (i == 0) {
      WEFT_LET(all, Tensor::allocate(DType::UInt8, Shape{int64_t(files.size()), one->dim(0), one->dim(1), one->dim(2)}));
    } else if (one->dim(0) != all.dim(1) || one->dim(1) != all.dim(2) || one->dim(2) != all.dim(3)) {
      return invalidArgument("the picture of record ", i, " is ", one->shape().toString(), ", that of record 0 ", all.shape().slice(1).toString());
    }
    std::memcpy(static_cast<char*>(all.mutableRaw()) + i * one->bytes(), one->raw(), one->bytes());
  }
  return all;
}

Result<Tensor> columnOf(Gathered& f, int64_t records) {
  const Shape shape = f.width == 1 ? Shape{records} : Shape{records, f.width};
  if (f.kind == Kind::Int64) {
    WEFT_LET(Tensor out, Tensor::allocate(DType::Int64, shape));
    std::copy(f.ints.begin(), f.ints.end(), out.mutableData<int64_t>());
    return out;
  }
  if (f.kind == Kind::Float) {
    WEFT_LET(Tensor out, Tensor::allocate(DType::Float, shape));
    std::copy(f.floats.begin(), f.floats.end(), out.mutableData<float>());
    return out;
  }
  if (f.kind != Kind::Bytes) return invalidArgument("it is empty");
  if (f.width == 1 && std::all_of(f.bytes.begin(), f.bytes.end(), isPicture)) return pictures(f.bytes);
  WEFT_LET(Tensor out, Tensor::allocate(DType::String, shape));
  std::move(f.bytes.begin(), f.bytes.end(), out.mutableData<std::string>());
  return out;
}

/// Bytes as numbers from 0 to 255, as raw images are stored.
Result<Tensor> rawBytes(const std::string& name, const Gathered& f) {
  if (f.kind != Kind::Bytes || f.width != 1) return invalidArgument("the feature ", name, " does not hold one text of bytes in each record");
  const size_t size = f.bytes[0].size();
  WEFT_LET(Tensor out, Tensor::allocate(DType::UInt8, Shape{int64_t(f.bytes.size()), int64_t(size)}));
  for (size_t i = 0; i < f.bytes.size(); ++i) {
    if (f.bytes[i].size() != size)
      return invalidArgument("the feature ", name, " of record ", i, " has ", f.bytes[i].size(), " bytes, that of record 0 has ", size);
    std::memcpy(out.mutableData<uint8_t>() + i * size, f.bytes[i].data(), size);
  }
  return out;
}

}  // namespace

Result<Dataset> loadRecords(const DatasetBinding& binding, const std::string& path) {
  WEFT_LET(const auto file, RecordFile::open(path));
  if (!file->damage().ok()) return Error(file->damage().error()).inFile(path);
  std::map<std::string, Gathered> features;
  for (int64_t i = 0; i < file->count(); ++i) {
    WEFT_LET(const std::string record, file->read(i));
    auto parsed = parseExample(record);
    if (!parsed.ok()) return invalidArgument("record ", i, " is no tf.train.Example").inFile(path);
    for (ExampleFeature& f : *parsed) {
      Gathered& all = features[f.name];
      gather(all, std::move(f), i);
    }
  }
  Dataset data;
  const std::vector<std::string> raw = listOf(optionOf(binding, "raw", ""));
  for (auto& [name, feature] : features) {
    if (feature.problem.empty() && feature.records != file->count()) feature.problem = concat("record ", feature.records, " does not have it");
    if (!feature.problem.empty()) {
      data.unusable[name] = feature.problem;
      continue;
    }
    const bool asBytes = std::find(raw.begin(), raw.end(), name) != raw.end();
    auto column = asBytes ? rawBytes(name, feature) : columnOf(feature, file->count());
    if (!column.ok() && asBytes) return Error(column.error()).inFile(path);
    if (!column.ok()) data.unusable[name] = column.error().message;
    else data.columns.emplace_back(name, std::move(*column));
  }
  // Adds the common names to the file's own.
  for (const auto& [option, usual] : {std::pair("label", "labels"), std::pair("image", "images")}) {
    const std::string name = optionOf(binding, option, "");
    if (name.empty()) continue;
    const Tensor* column = data.find(name);
    if (!column) {
      const auto why = data.unusable.find(name);
      return notFound("has no feature ", name, " that can be a column", why == data.unusable.end() ? std::string() : ": " + why->second).inFile(path);
    }
    if (data.find(usual)) continue;
    const bool label = std::string_view(usual) == "labels";
    data.columns.emplace_back(usual, label && column->dtype() == DType::Int64 && column->rank() == 1 ? asLabels(*column) : *column);
  }
  if (data.columns.empty()) {
    std::string why;
    for (const auto& [name, problem] : data.unusable) why += (why.empty() ? ": " : "; ") + name + ": " + problem;
    return invalidArgument("has no feature that can be a column", why).inFile(path);
  }
  return data;
}

}  // namespace weft::data
