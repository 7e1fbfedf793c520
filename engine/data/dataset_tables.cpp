// Tables: CSV files as columns for placeholders.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

#include "data/dataset_kinds.h"
#include "weft/arrays.h"

namespace weft::data {
namespace {

/// Replaces words by ids, in alphabetical order.
Tensor numbered(const Tensor& words, std::vector<std::string>* names) {
  std::map<std::string, int32_t> number;
  for (const std::string& w : words.flat<std::string>()) number.emplace(w, 0);
  for (auto& [word, n] : number) {
    n = int32_t(names->size());
    names->push_back(word);
  }
  Tensor out = Tensor::zeros(DType::Int32, words.shape());
  for (int64_t i = 0; i < words.elements(); ++i) out.mutableData<int32_t>()[i] = number[words.data<std::string>()[i]];
  return out;
}

/// Standardizes each column of a [rows, columns] matrix to mean 0 and standard deviation 1; constant columns become 0. Empty fields (NaN) become the mean.
void standardize(Tensor& features) {
  const int64_t rows = features.dim(0), width = features.dim(1);
  float* values = features.mutableData<float>();
  for (int64_t j = 0; j < width; ++j) {
    double sum = 0, squares = 0;
    int64_t known = 0;
    for (int64_t i = 0; i < rows; ++i) {
      const double v = values[i * width + j];
      if (std::isnan(v)) continue;
      sum += v;
      ++known;
    }
    const double mean = known > 0 ? sum / double(known) : 0;
    for (int64_t i = 0; i < rows; ++i) {
      const double d = values[i * width + j] - mean;
      if (!std::isnan(d)) squares += d * d;
    }
    const double deviation = known > 0 ? std::sqrt(squares / double(known)) : 0;
    for (int64_t i = 0; i < rows; ++i) {
      float& v = values[i * width + j];
      v = std::isnan(v) || !(deviation > 0) ? 0.F : float((v - mean) / deviation);
    }
  }
}

/// Index of the column that `wanted` identifies by name or number.
Result<size_t> columnAt(const CsvTable& table, const std::string& wanted) {
  const auto named = std::find(table.names.begin(), table.names.end(), wanted);
  if (named != table.names.end()) return size_t(named - table.names.begin());
  size_t index = 0;
  const auto [end, problem] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), index);
  if (problem == std::errc() && end == wanted.data() + wanted.size() && index < table.columns.size()) return index;
  std::string known;
  for (const std::string& name : table.names) known += (known.empty() ? "" : ", ") + name;
  return notFound("has no column ", wanted, "; it has ", known);
}

}  // namespace

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

Result<Dataset> loadTable(const DatasetBinding& binding, const std::string& path) {
  CsvOptions options;
  const std::string delimiter = optionOf(binding, "delimiter", ",");
  options.delimiter = delimiter == "\\t" ? '\t' : delimiter.empty() ? ',' : delimiter[0];
  if (const std::string header = optionOf(binding, "header", ""); !header.empty()) options.header = header == "true";
  WEFT_LET(const double scale, numberOption(binding, "scale", 1));
  WEFT_LET(const double labelScale, numberOption(binding, "label_scale", 1));
  WEFT_LET(const bool standard, flagOption(binding, "standardize", false));
  WEFT_LET(CsvTable table, loadCsv(path, options));
  if (table.columns.empty()) return invalidArgument("has no columns").inFile(path);
  for (const std::string& name : listOf(optionOf(binding, "ignore", ""))) {
    const auto at = columnAt(table, name);
    if (!at.ok()) return Error(at.error()).inFile(path);
    table.columns.erase(table.columns.begin() + std::ptrdiff_t(*at));
    table.names.erase(table.names.begin() + std::ptrdiff_t(*at));
  }
  if (table.columns.empty()) return invalidArgument("has no columns but those to be ignored").inFile(path);
  size_t label = table.columns.size() - 1;
  if (const std::string wanted = optionOf(binding, "label", ""); !wanted.empty()) {
    const auto at = columnAt(table, wanted);
    if (!at.ok()) return Error(at.error()).inFile(path);
    label = *at;
  }
  Dataset data;
  std::vector<const Tensor*> features;
  for (size_t i = 0; i < table.columns.size(); ++i)
    if (i != label && table.columns[i].dtype() != DType::String) features.push_back(&table.columns[i]);
  Tensor numbers = stacked(features, scale);
  if (features.empty()) numbers = Tensor::zeros(DType::Float, {table.columns[0].dim(0), 0});
  if (standard) standardize(numbers);
  data.columns.emplace_back("images", numbers);
  data.columns.emplace_back("features", std::move(numbers));
  const Tensor& labels = table.columns[label];
  if (labels.dtype() == DType::String) {
    data.columns.emplace_back("labels", numbered(labels, &data.classes));
    data.vocabularies["labels"] = data.classes;
  } else if (labelScale != 1) {
    data.columns.emplace_back("labels", stacked({&labels}, labelScale).reshaped(Shape{labels.dim(0)}));
  } else {
    data.columns.emplace_back("labels", labels.dtype() == DType::Int64 ? asLabels(labels) : labels);
  }
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (i >= table.names.size() || data.find(table.names[i])) continue;
    const std::string& name = table.names[i];
    if (table.columns[i].dtype() == DType::String && i != label && !data.find(name + "_id")) {
      std::vector<std::string>& words = data.vocabularies[name + "_id"];
      data.columns.emplace_back(name + "_id", numbered(table.columns[i], &words));
    }
    data.columns.emplace_back(name, table.columns[i]);
  }
  return data;
}

}  // namespace weft::data
