// Tables of other programs: LIBSVM's sparse rows and MATLAB's arrays.
#include <algorithm>

#include "io/inspect/format.h"

namespace weft::inspect {
namespace {

/// Whether the beginning of a text is rows "LABEL INDEX:VALUE …" with at least one value, among comments and rows without values. A line that ends with the
/// text may be cut.
bool looksLikeLibsvm(std::string_view head) {
  constexpr std::string_view kNumber = "0123456789.+-eE", kDigits = "0123456789", kBlank = " \t\r";
  int values = 0;
  while (!head.empty()) {
    const size_t end = head.find('\n');
    const bool cut = end == head.npos;
    std::string_view row = head.substr(0, end);
    head.remove_prefix(cut ? head.size() : end + 1);
    row = row.substr(0, row.find('#'));
    bool label = true;
    while (true) {
      const size_t first = row.find_first_not_of(kBlank);
      if (first == row.npos) break;
      const size_t after = std::min(row.find_first_of(kBlank, first), row.size());
      const std::string_view word = row.substr(first, after - first);
      row.remove_prefix(after);
      if (cut && row.empty()) break;
      const size_t colon = word.find(':');
      if (label ? word.find_first_not_of(kNumber) != word.npos : colon == 0 || colon == word.npos || colon + 1 == word.size()) return false;
      if (!label) {
        const std::string_view column = word.substr(0, colon);
        if (column != "qid" && column.find_first_not_of(kDigits) != column.npos) return false;
        if (word.find_first_not_of(kNumber, colon + 1) != word.npos) return false;
        ++values;
      }
      label = false;
    }
  }
  return values > 0;
}

bool isLibsvm(Report& r) { return hasNoControls(r.head()) && looksLikeLibsvm(r.head()); }

Status reportLibsvm(Report& r) {
  r.setKind("libsvm");
  WEFT_LET(const std::string_view text, r.content());
  WEFT_LET(const LibsvmTable table, decodeLibsvm(text));
  r.json["rows"] = table.labels.elements();
  r.json["columns"] = table.columns;
  r.json["values"] = table.values.elements();
  r.json["counts_from_one"] = table.countsFromOne;
  return {};
}

Result<std::vector<NamedTensor>> sparseArrays(Report& r) {
  WEFT_LET(const std::string_view text, r.content());
  WEFT_LET(LibsvmTable table, decodeLibsvm(text));
  const std::vector<int64_t> shape{table.labels.elements(), table.columns};
  return std::vector<NamedTensor>{
      {"labels", std::move(table.labels)}, {"indices", std::move(table.indices)}, {"values", std::move(table.values)}, {"dense_shape", Tensor::vector(shape)}};
}

Result<std::vector<NamedTensor>> matArrays(Report& r) {
  WEFT_LET(const std::string_view bytes, r.content());
  std::vector<std::string> leftOut;
  auto arrays = decodeMat(bytes, &leftOut);
  for (const std::string& what : leftOut) r.problem("unsupported", concat(what, " is not read"));
  return arrays;
}

Status reportMat(Report& r) {
  r.setKind("mat");
  WEFT_LET(const std::string_view bytes, r.content());
  // The header ends with spaces.
  const std::string_view text = bytes.substr(0, std::min<size_t>(bytes.size(), 116));
  r.json["header"] = std::string(text.substr(0, text.find_last_not_of(std::string_view(" \0", 2)) + 1));
  WEFT_LET(const auto arrays, matArrays(r));
  r.json["arrays"] = arraysJson(arrays);
  return {};
}

}  // namespace

extern const Format kLibsvmFormat;
const Format kLibsvmFormat{
    arraysKind("libsvm", WEFT_TRANSLATED("FileKinds", "LIBSVM table"),
               WEFT_TRANSLATED("FileKinds", "Rows with a label each, of which only columns that are not zero are written."), ".libsvm .svm .svmlight"),
    isLibsvm,
    reportLibsvm,
    nullptr,
    nullptr,
    sparseArrays};

extern const Format kMatFormat;
const Format kMatFormat{
    arraysKind("mat", WEFT_TRANSLATED("FileKinds", "MATLAB arrays"), WEFT_TRANSLATED("FileKinds", "The variables that MATLAB saved."), ".mat"),
    [](Report& r) { return r.starts("MATLAB 5.0 MAT-file") || (r.starts("MATLAB 7.") && r.head().size() > 19 && r.head().substr(10, 9) == " MAT-file"); },
    reportMat,
    nullptr,
    nullptr,
    matArrays};

}  // namespace weft::inspect
