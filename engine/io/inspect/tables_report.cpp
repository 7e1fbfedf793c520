// Tables of other programs: LIBSVM's sparse rows and MATLAB's arrays.
#include <algorithm>

#include "io/inspect/format.h"

namespace weft::inspect {
namespace {

/// Whether a line is "LABEL INDEX:VALUE …", with at least one value.
bool isSparseRow(std::string_view line) {
  const size_t space = line.find(' ');
  if (space == 0 || space == line.npos || line.substr(0, space).find_first_not_of("0123456789.+-eE") != line.npos) return false;
  const size_t first = line.find_first_not_of(" \t", space), colon = line.find(':', first);
  if (first == line.npos || colon == line.npos || colon == first || colon + 1 == line.size()) return false;
  const std::string_view column = line.substr(first, colon - first);
  return (column == "qid" || column.find_first_not_of("0123456789") == column.npos) &&
         std::string_view("0123456789.+-").find(line[colon + 1]) != std::string_view::npos;
}

bool isLibsvm(Report& r) {
  const std::string_view head = r.head();
  if (!hasNoControls(head)) return false;
  const size_t end = head.find('\n');
  const std::string_view line = head.substr(0, end);
  // Of a longer row, only the beginning is there.
  return isSparseRow(line) && (end == head.npos || decodeLibsvm(line).ok());
}

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

Status reportMat(Report& r) {
  r.setKind("mat");
  WEFT_LET(const std::string_view bytes, r.content());
  // The header ends with spaces.
  const std::string_view text = bytes.substr(0, std::min<size_t>(bytes.size(), 116));
  r.json["header"] = std::string(text.substr(0, text.find_last_not_of(std::string_view(" \0", 2)) + 1));
  std::vector<std::string> leftOut;
  const auto arrays = decodeMat(bytes, &leftOut);
  for (const std::string& what : leftOut) r.problem("unsupported", concat(what, " is not read"));
  if (!arrays.ok()) return arrays.error();
  r.json["arrays"] = arraysJson(*arrays);
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
    [](Report& r) { return r.starts("MATLAB 5.0 MAT-file") || r.starts("MATLAB 7.3 MAT-file"); },
    reportMat,
    nullptr,
    nullptr,
    [](Report& r) -> Result<std::vector<NamedTensor>> {
      WEFT_LET(const std::string_view bytes, r.content());
      return decodeMat(bytes);
    }};

}  // namespace weft::inspect
