#include <dlfcn.h>

#include <charconv>
#include <cstdlib>
#include <sstream>

#include "weft/arrays.h"
#include "weft/dataset.h"
#include "weft/file_system.h"

namespace weft {
namespace {

std::vector<std::string> pathsOf(const DatasetBinding& binding, const std::string& folder) {
  std::vector<std::string> paths;
  std::istringstream in(binding.path);
  for (std::string part; std::getline(in, part, ';');)
    if (!part.empty()) paths.push_back(joinPath(folder, part));
  return paths;
}

std::string optionOf(const DatasetBinding& binding, const std::string& name, const std::string& otherwise) {
  const auto it = binding.options.find(name);
  return it == binding.options.end() ? otherwise : it->second;
}

constexpr int kLargestSide = 65536;  // pixels

Result<int> sizeOption(const DatasetBinding& binding, const std::string& name, const std::string& otherwise, int most) {
  const std::string text = optionOf(binding, name, otherwise);
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || value < 1 || value > most)
    return outOfRange("the option ", name, " of the data is ", text.empty() ? "\"\"" : text, ", expected a whole number from 1 to ", most);
  return value;
}

/// Number columns side by side as float32 [rows, columns], times `scale`.
Tensor stacked(const std::vector<const Tensor*>& columns, double scale) {
  const int64_t rows = columns.empty() ? 0 : columns[0]->dim(0), width = int64_t(columns.size());
  Tensor out = Tensor::zeros(DType::Float, {rows, width});
  float* to = out.mutableData<float>();
  for (int64_t j = 0; j < width; ++j)
    for (int64_t i = 0; i < rows; ++i) to[i * width + j] = float(columns[size_t(j)]->asDouble(i) * scale);
  return out;
}

Tensor asLabels(const Tensor& column) {
  Tensor out = Tensor::zeros(DType::Int32, {column.dim(0)});
  for (int64_t i = 0; i < column.dim(0); ++i) out.mutableData<int32_t>()[i] = int32_t(column.asDouble(i));
  return out;
}

/// Text labels become numbers in the order of the sorted words.
Tensor numbered(const Tensor& words, std::vector<std::string>* classes) {
  std::map<std::string, int32_t> number;
  for (const std::string& w : words.flat<std::string>()) number.emplace(w, 0);
  for (auto& [word, n] : number) {
    n = int32_t(classes->size());
    classes->push_back(word);
  }
  Tensor out = Tensor::zeros(DType::Int32, words.shape());
  for (int64_t i = 0; i < words.elements(); ++i) out.mutableData<int32_t>()[i] = number[words.data<std::string>()[i]];
  return out;
}

Result<Dataset> loadDigits() {
  constexpr double kLargestGrey = 16;
  const std::string path = joinPath(builtinDatasetFolder(), "digits/digits.csv.gz");
  WEFT_LET(const std::string text, readMaybeGzip(path));
  CsvOptions options;
  options.header = false;
  auto table = decodeCsv(text, options);
  if (!table.ok()) return Error(table.error()).inFile(path);
  if (table->columns.size() != 65) return invalidArgument("has ", table->columns.size(), " columns, expected 65").inFile(path);
  std::vector<const Tensor*> pixels;
  for (size_t i = 0; i < 64; ++i) pixels.push_back(&table->columns[i]);
  Dataset data;
  data.columns.emplace_back("images", stacked(pixels, 1 / kLargestGrey));
  data.columns.emplace_back("labels", asLabels(table->columns[64]));
  for (char digit = '0'; digit <= '9'; ++digit) data.classes.emplace_back(1, digit);
  return data;
}

Result<Dataset> loadTable(const DatasetBinding& binding, const std::string& path) {
  CsvOptions options;
  const std::string delimiter = optionOf(binding, "delimiter", ",");
  options.delimiter = delimiter == "\\t" ? '\t' : delimiter.empty() ? ',' : delimiter[0];
  if (const std::string header = optionOf(binding, "header", ""); !header.empty()) options.header = header == "true";
  WEFT_LET(CsvTable table, loadCsv(path, options));
  if (table.columns.empty()) return invalidArgument("has no columns").inFile(path);
  const std::string wanted = optionOf(binding, "label", "");
  size_t label = table.columns.size() - 1;
  if (!wanted.empty()) {
    label = 0;
    while (label < table.names.size() && table.names[label] != wanted) ++label;
    if (label == table.names.size()) {
      size_t index = table.columns.size();
      std::istringstream(wanted) >> index;
      if (index >= table.columns.size()) return notFound("has no column ", wanted).inFile(path);
      label = index;
    }
  }
  Dataset data;
  std::vector<const Tensor*> features;
  for (size_t i = 0; i < table.columns.size(); ++i)
    if (i != label && table.columns[i].dtype() != DType::String) features.push_back(&table.columns[i]);
  std::string scale = optionOf(binding, "scale", "1");
  data.columns.emplace_back("images", stacked(features, std::strtod(scale.c_str(), nullptr)));
  data.columns.emplace_back("features", data.columns[0].second);
  const Tensor& labels = table.columns[label];
  if (labels.dtype() == DType::String)
    data.columns.emplace_back("labels", numbered(labels, &data.classes));
  else
    data.columns.emplace_back("labels", labels.dtype() == DType::Int64 ? asLabels(labels) : labels);
  for (size_t i = 0; i < table.columns.size(); ++i)
    if (i < table.names.size() && !data.find(table.names[i])) data.columns.emplace_back(table.names[i], table.columns[i]);
  return data;
}

Dataset fromPictures(LabeledImages pictures) {
  Dataset data;
  data.columns.emplace_back("images", std::move(pictures.images));
  data.columns.emplace_back("labels", std::move(pictures.labels));
  data.classes = std::move(pictures.classes);
  return data;
}

Result<Dataset> loadKind(const DatasetBinding& binding, const std::string& folder) {
  if (binding.kind == "builtin") {
    if (binding.builtin == "digits" || binding.builtin.empty()) return loadDigits();
    return notFound("there is no built-in data set ", binding.builtin, "; expected digits");
  }
  const std::vector<std::string> paths = pathsOf(binding, folder);
  if (paths.empty()) return invalidArgument("the data set of kind ", binding.kind, " names no file");
  if (binding.kind == "csv") return loadTable(binding, paths[0]);
  Dataset data;
  if (binding.kind == "npz") {
    WEFT_LET(data.columns, loadNpz(paths[0]));
    return data;
  }
  if (binding.kind == "npy" || binding.kind == "idx") {
    static constexpr const char* kNames[] = {"images", "labels"};
    for (size_t i = 0; i < paths.size() && i < 2; ++i) {
      WEFT_LET(Tensor column, binding.kind == "npy" ? loadNpy(paths[i]) : loadIdx(paths[i]));
      data.columns.emplace_back(kNames[i], std::move(column));
    }
    return data;
  }
  if (binding.kind == "cifar10") {
    WEFT_LET(LabeledImages pictures, loadCifar10(paths));
    return fromPictures(std::move(pictures));
  }
  if (binding.kind == "images") {
    WEFT_LET(const int height, sizeOption(binding, "height", "64", kLargestSide));
    WEFT_LET(const int width, sizeOption(binding, "width", "64", kLargestSide));
    WEFT_LET(const int channels, sizeOption(binding, "channels", "3", 4));
    WEFT_LET(LabeledImages pictures, loadImageFolder(paths[0], height, width, channels));
    return fromPictures(std::move(pictures));
  }
  return unimplemented("data sets of kind ", binding.kind, " cannot be read; expected builtin, npz, npy, idx, cifar10, csv or images");
}

}  // namespace

const Tensor* Dataset::find(std::string_view name) const {
  for (const auto& [key, column] : columns)
    if (key == name) return &column;
  return nullptr;
}

Result<Dataset> loadDataset(const DatasetBinding& binding, const std::string& folder) {
  WEFT_LET(Dataset data, loadKind(binding, folder));
  for (const auto& [name, column] : data.columns) {
    if (column.rank() < 1) return invalidArgument("column ", name, " of the data set is a scalar, expected one row per sample").inFile(binding.path);
    if (column.dim(0) != data.size())
      return invalidArgument("column ", name, " of the data set has ", column.dim(0), " rows, ", data.columns[0].first, " has ", data.size())
          .inFile(binding.path);
  }
  if (data.size() == 0) return invalidArgument("the data set is empty").inFile(binding.path);
  return data;
}

std::string builtinDatasetFolder() {
  std::vector<std::string> candidates;
  if (const char* resources = std::getenv("WEFT_RESOURCES")) candidates.push_back(joinPath(resources, "datasets"));
  // Beside the library that this code is in: an installed tree, or a build folder inside of the sources.
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&builtinDatasetFolder), &info) && info.dli_fname) {
    const std::string here = folderOf(info.dli_fname);
    candidates.push_back(joinPath(here, "../share/weft/datasets"));
    candidates.push_back(joinPath(here, "../../share/weft/datasets"));
    candidates.push_back(joinPath(here, "../../../resources/datasets"));
  }
  candidates.push_back("resources/datasets");
  for (const std::string& folder : candidates)
    if (posixFileSystem().exists(folder)) return folder;
  return candidates.back();
}

}  // namespace weft
