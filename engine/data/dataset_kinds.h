// Readers for each kind of data set. Only sources of this folder include it.
#pragma once

#include <string>
#include <vector>

#include "weft/dataset.h"

namespace weft::data {

/// An option of the binding, or `otherwise`.
std::string optionOf(const DatasetBinding& binding, const std::string& name, const std::string& otherwise);
/// A whole number from 1 to `most`. OUT_OF_RANGE names the option.
Result<int> sizeOption(const DatasetBinding& binding, const std::string& name, const std::string& otherwise, int most);
/// A finite number. INVALID_ARGUMENT names the option.
Result<double> numberOption(const DatasetBinding& binding, const std::string& name, double otherwise);
/// "true" or "false". INVALID_ARGUMENT names the option.
Result<bool> flagOption(const DatasetBinding& binding, const std::string& name, bool otherwise);
/// Splits "a, b" into a and b.
std::vector<std::string> listOf(const std::string& text, char separator = ',');

/// Number columns combined into float32 [rows, columns], multiplied by `scale`.
Tensor stacked(const std::vector<const Tensor*>& columns, double scale);
/// A column as int32.
Tensor asLabels(const Tensor& column);

/// A CSV file. Columns: "features", "labels", each column by its name, and NAME_id with word ids for each text column.
Result<Dataset> loadTable(const DatasetBinding& binding, const std::string& path);
/// A text file as sequences of characters or words, or as pairs of neighbouring words.
Result<Dataset> loadText(const DatasetBinding& binding, const std::string& path);
/// A TFRecord file of Examples: each feature that all records have with the same number of values is a column.
Result<Dataset> loadRecords(const DatasetBinding& binding, const std::string& path);

}  // namespace weft::data
