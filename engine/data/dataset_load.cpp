#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "data/dataset_kinds.h"
#include "weft/arrays.h"
#include "weft/file_system.h"

namespace weft {

namespace data {

std::string optionOf(const DatasetBinding& binding, const std::string& name, const std::string& otherwise) {
  const auto it = binding.options.find(name);
  return it == binding.options.end() ? otherwise : it->second;
}

Result<int> sizeOption(const DatasetBinding& binding, const std::string& name, const std::string& otherwise, int most) {
  const std::string text = optionOf(binding, name, otherwise);
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || value < 1 || value > most)
    return outOfRange("the option ", name, " of the data is ", text.empty() ? "\"\"" : text, ", expected a whole number from 1 to ", most);
  return value;
}

Result<double> numberOption(const DatasetBinding& binding, const std::string& name, double otherwise) {
  const std::string text = optionOf(binding, name, "");
  if (text.empty()) return otherwise;
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return invalidArgument("the option ", name, " of the data is ", text, ", expected a number");
  return value;
}

Result<bool> flagOption(const DatasetBinding& binding, const std::string& name, bool otherwise) {
  const std::string text = optionOf(binding, name, otherwise ? "true" : "false");
  if (text != "true" && text != "false")
    return invalidArgument("the option ", name, " of the data is ", text.empty() ? "\"\"" : text, ", expected true or false");
  return text == "true";
}

std::vector<std::string> listOf(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) {
    const size_t first = part.find_first_not_of(' ');
    if (first != std::string::npos) parts.push_back(part.substr(first, part.find_last_not_of(' ') + 1 - first));
  }
  return parts;
}

}  // namespace data

using namespace data;

namespace {

std::vector<std::string> pathsOf(const DatasetBinding& binding, const std::string& folder) {
  std::vector<std::string> paths;
  std::istringstream in(binding.path);
  for (std::string part; std::getline(in, part, ';');)
    if (!part.empty()) paths.push_back(joinPath(folder, part));
  return paths;
}

constexpr int kLargestSide = 65536;  // pixels

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

Dataset fromPictures(LabeledImages pictures) {
  Dataset data;
  data.columns.emplace_back("images", std::move(pictures.images));
  data.columns.emplace_back("labels", std::move(pictures.labels));
  data.classes = std::move(pictures.classes);
  return data;
}

/// The rows of a LIBSVM file, with all columns.
Result<Dataset> loadSparseTable(const std::string& path) {
  constexpr int64_t kMostValues = int64_t(1) << 30;
  WEFT_LET(const std::string text, readMaybeGzip(path));
  auto table = decodeLibsvm(text);
  if (!table.ok()) return Error(table.error()).inFile(path);
  const int64_t rows = table->labels.elements(), columns = table->columns;
  if (columns > 0 && rows > kMostValues / columns)
    return resourceExhausted(rows, " rows of ", columns, " columns are too many to fill in; read the file as sparse arrays").inFile(path);
  WEFT_LET(Tensor features, Tensor::allocate(DType::Float, Shape{rows, columns}));
  std::fill_n(features.mutableData<float>(), features.elements(), 0.0f);
  for (int64_t i = 0; i < table->values.elements(); ++i) {
    const int64_t* at = table->indices.data<int64_t>() + 2 * i;
    features.mutableData<float>()[at[0] * columns + at[1]] = table->values.data<float>()[i];
  }
  Dataset data;
  data.columns.emplace_back("features", std::move(features));
  data.columns.emplace_back("labels", std::move(table->labels));
  return data;
}

/// Turns a built-in data set that is a file into a binding of that file. Options of `binding` take precedence over its own.
Result<DatasetBinding> builtinFile(const DatasetBinding& binding) {
  struct BuiltIn {
    const char* name;
    const char* kind;
    const char* path;
    std::map<std::string, std::string> options;
  };
  static const std::vector<BuiltIn> kFiles = {
      {"shakespeare", "text", "shakespeare/shakespeare.txt.gz", {}},
      {"bikes", "csv", "bikes/bikes.csv.gz", {{"label", "bikes"}, {"label_scale", "0.01"}, {"standardize", "true"}}},
      {"income", "csv", "income/income.csv.gz", {{"label", "income"}, {"standardize", "true"}}},
  };
  std::string names = "digits";
  for (const BuiltIn& file : kFiles) {
    names += std::string(", ") + file.name;
    if (binding.builtin != file.name) continue;
    DatasetBinding out = binding;
    out.kind = file.kind;
    out.path = file.path;
    out.options.insert(file.options.begin(), file.options.end());
    return out;
  }
  return notFound("there is no built-in data set ", binding.builtin, "; expected one of ", names);
}

Result<Dataset> loadKind(const DatasetBinding& binding, const std::string& folder) {
  if (binding.kind == "builtin") {
    if (binding.builtin == "digits" || binding.builtin.empty()) return loadDigits();
    WEFT_LET(const DatasetBinding file, builtinFile(binding));
    return loadKind(file, builtinDatasetFolder());
  }
  const std::vector<std::string> paths = pathsOf(binding, folder);
  if (paths.empty()) return invalidArgument("the data set of kind ", binding.kind, " names no file");
  if (binding.kind == "csv") return loadTable(binding, paths[0]);
  if (binding.kind == "text") return loadText(binding, paths[0]);
  if (binding.kind == "tfrecord") return loadRecords(binding, paths[0]);
  Dataset data;
  if (binding.kind == "npz") {
    WEFT_LET(data.columns, loadNpz(paths[0]));
    return data;
  }
  if (binding.kind == "mat") {
    WEFT_LET(const std::string bytes, readMaybeGzip(paths[0]));
    auto arrays = decodeMat(bytes);
    if (!arrays.ok()) return Error(arrays.error()).inFile(paths[0]);
    data.columns = std::move(*arrays);
    return data;
  }
  if (binding.kind == "libsvm") return loadSparseTable(paths[0]);
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
  return unimplemented("data sets of kind ", binding.kind,
                       " cannot be read; expected builtin, csv, libsvm, text, tfrecord, npz, npy, mat, idx, cifar10 or images");
}

}  // namespace

std::string dataKindOf(const std::string& path) {
  std::string name = path;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  static constexpr std::pair<std::string_view, const char*> kEndings[] = {{".npz", "npz"},
                                                                          {".npy", "npy"},
                                                                          {".csv", "csv"},
                                                                          {".tsv", "csv"},
                                                                          {".mat", "mat"},
                                                                          {".libsvm", "libsvm"},
                                                                          {".svm", "libsvm"},
                                                                          {".svmlight", "libsvm"},
                                                                          {".txt", "text"},
                                                                          {".tfrecord", "tfrecord"},
                                                                          {".tfrecords", "tfrecord"},
                                                                          {".record", "tfrecord"},
                                                                          {".bin", "cifar10"}};
  for (const auto& [ending, kind] : kEndings)
    if (name.ends_with(ending)) return kind;
  return name.find("ubyte") != name.npos ? "idx" : "images";
}

const Tensor* Dataset::find(std::string_view name) const {
  for (const auto& [key, column] : columns)
    if (key == name) return &column;
  return nullptr;
}

Error Dataset::missing(std::string_view name) const {
  if (const auto why = unusable.find(std::string(name)); why != unusable.end())
    return notFound("the data set cannot give the column ", name, ": ", why->second);
  std::string known;
  for (const auto& [key, column] : columns) known += (known.empty() ? "" : ", ") + key;
  return notFound("the data set has no column ", name, "; there are ", known);
}

Result<Dataset> loadDataset(const DatasetBinding& binding, const std::string& folder) {
  WEFT_LET(Dataset data, loadKind(binding, folder));
  if (const auto wanted = listOf(optionOf(binding, "columns", "")); !wanted.empty()) {
    for (const std::string& name : wanted)
      if (!data.find(name)) return data.missing(name);
    std::erase_if(data.columns, [&](const auto& c) { return std::find(wanted.begin(), wanted.end(), c.first) == wanted.end(); });
  }
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
  // Relative to this library: an installed tree, or a build folder inside the sources.
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
