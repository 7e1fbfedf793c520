#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "base/file_errors.h"
#include "weft/arrays.h"

namespace weft {
namespace {

constexpr size_t kCifarRecord = 1 + 3 * 32 * 32;

bool parseInt(std::string_view text, int64_t* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

bool parseFloat(std::string_view text, float* value) {
  if (text.empty()) {
    *value = NAN;
    return true;
  }
  if (text[0] == '+') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return (error == std::errc() || error == std::errc::result_out_of_range) && end == text.data() + text.size();
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool isNumber(std::string_view text) {
  float f;
  text = trimmed(text);
  return !text.empty() && parseFloat(text, &f);
}

}  // namespace

Result<ArrayInfo> idxInfo(std::string_view bytes) {
  if (bytes.size() < 4 || bytes[0] != 0 || bytes[1] != 0) return damaged("unrecognized", "an IDX file begins with two zero bytes");
  static constexpr std::pair<int, DType> kTypes[] = {{8, DType::UInt8},  {9, DType::Int8},   {11, DType::Int16},
                                                     {12, DType::Int32}, {13, DType::Float}, {14, DType::Double}};
  const int code = uint8_t(bytes[2]), rank = uint8_t(bytes[3]);
  ArrayInfo info;
  for (const auto& [number, dtype] : kTypes) {
    if (number != code) continue;
    info.dtype = dtypeName(dtype);
    info.itemBytes = sizeOf(dtype);
  }
  if (!info.itemBytes) return damaged("unrecognized", "type code ", code, " of an IDX file is none of 8, 9, 11 to 14");
  info.bigEndian = true;
  info.dataOffset = 4 + 4 * size_t(rank);
  if (bytes.size() < info.dataOffset) return damaged("truncated", "the header of an IDX file with ", rank, " dimensions is cut at byte ", bytes.size());
  for (int i = 0; i < rank; ++i) {
    uint32_t dim;
    std::memcpy(&dim, bytes.data() + 4 + 4 * i, 4);
    info.shape.append(int64_t(__builtin_bswap32(dim)));
  }
  const int64_t n = info.shape.elements();
  if (n < 0) return damaged("invalid_tensor", "shape ", info.shape.toString(), " of an IDX file has more than 2^63 elements");
  const uint64_t have = bytes.size() - info.dataOffset;
  if (uint64_t(n) > have / info.itemBytes)
    return damaged("truncated", "shape ", info.shape.toString(), " of ", info.dtype, " needs ", n, " x ", info.itemBytes, " bytes, but ", have, " are there");
  if (uint64_t(n) * info.itemBytes != have)
    return damaged("malformed", have - uint64_t(n) * info.itemBytes, " bytes follow the values of an IDX file of shape ", info.shape.toString());
  return info;
}

Result<Tensor> decodeIdx(std::string_view bytes) {
  WEFT_LET(const ArrayInfo info, idxInfo(bytes));
  WEFT_LET(Tensor tensor, Tensor::allocate(dtypeFromName(info.dtype), info.shape));
  auto* out = static_cast<char*>(tensor.mutableRaw());
  if (tensor.bytes()) std::memcpy(out, bytes.data() + info.dataOffset, tensor.bytes());
  for (size_t at = 0; info.itemBytes > 1 && at < tensor.bytes(); at += info.itemBytes) std::reverse(out + at, out + at + info.itemBytes);
  return tensor;
}

Result<Tensor> loadIdx(const std::string& path, FileSystem* files) {
  WEFT_LET(const std::string bytes, readMaybeGzip(path, files));
  auto tensor = decodeIdx(bytes);
  if (!tensor.ok()) tensor.error().inFile(path);
  return tensor;
}

Result<LabeledImages> decodeCifar10(std::string_view bytes) {
  if (bytes.size() % kCifarRecord != 0)
    return damaged("truncated", "a CIFAR-10 file has records of ", kCifarRecord, " bytes, but ", bytes.size() % kCifarRecord,
                   " bytes remain after the last whole one");
  const auto n = int64_t(bytes.size() / kCifarRecord);
  LabeledImages out;
  WEFT_LET(out.images, Tensor::allocate(DType::UInt8, Shape{n, 32, 32, 3}));
  WEFT_LET(out.labels, Tensor::allocate(DType::Int32, Shape{n}));
  out.classes = {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"};
  uint8_t* pixels = out.images.mutableData<uint8_t>();
  for (int64_t i = 0; i < n; ++i) {
    const auto* record = reinterpret_cast<const uint8_t*>(bytes.data()) + size_t(i) * kCifarRecord;
    if (record[0] > 9) return damaged("malformed", "record ", i, " of a CIFAR-10 file has label ", int(record[0]), ", expected 0 to 9");
    out.labels.mutableData<int32_t>()[i] = record[0];
    for (int p = 0; p < 1024; ++p)
      for (int c = 0; c < 3; ++c) *pixels++ = record[1 + 1024 * c + p];
  }
  return out;
}

Result<LabeledImages> loadCifar10(const std::vector<std::string>& paths, FileSystem* files) {
  std::string all;
  for (const std::string& path : paths) {
    WEFT_LET(const std::string bytes, readMaybeGzip(path, files));
    if (bytes.size() % kCifarRecord != 0)
      return damaged("truncated", "size ", bytes.size(), " is no multiple of ", kCifarRecord, ", the size of a CIFAR-10 record").inFile(path);
    all += bytes;
  }
  return decodeCifar10(all);
}

namespace {

/// Splits text into rows of fields. Errors name the line.
Result<std::vector<std::vector<std::string>>> csvRows(std::string_view text, char delimiter) {
  std::vector<std::vector<std::string>> rows;
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  size_t at = 0, line = 1;
  while (at < text.size()) {
    const size_t first = line;
    std::vector<std::string> row;
    for (;;) {
      std::string field;
      if (at < text.size() && text[at] == '"') {
        for (++at;; ++at) {
          if (at >= text.size()) return invalidArgument(first, ":1: a quoted field is not closed").ofKind("bad_syntax");
          if (text[at] == '\n') ++line;
          if (text[at] != '"') {
            field += text[at];
          } else if (at + 1 < text.size() && text[at + 1] == '"') {
            field += text[at++];
          } else {
            break;
          }
        }
        ++at;
        if (at < text.size() && text[at] != delimiter && text[at] != '\n' && text[at] != '\r')
          return invalidArgument(line, ":1: text follows the closing quote of a field").ofKind("bad_syntax");
      } else {
        const size_t begin = at;
        while (at < text.size() && text[at] != delimiter && text[at] != '\n' && text[at] != '\r') ++at;
        field.assign(text.substr(begin, at - begin));
      }
      row.push_back(std::move(field));
      if (at < text.size() && text[at] == delimiter) {
        ++at;
        continue;
      }
      break;
    }
    if (at < text.size() && text[at] == '\r') ++at;
    if (at < text.size() && text[at] == '\n') ++at;
    ++line;
    if (row.size() == 1 && row[0].empty()) continue;  // an empty line
    if (!rows.empty() && row.size() != rows[0].size())
      return invalidArgument(first, ":1: a row of ", row.size(), " fields, expected ", rows[0].size()).ofKind("bad_syntax");
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

Result<CsvTable> decodeCsv(std::string_view text, const CsvOptions& options) {
  WEFT_LET(auto rows, csvRows(text, options.delimiter));
  CsvTable table;
  if (rows.empty()) return table;
  const size_t columns = rows[0].size();
  bool header = false;
  if (options.header) {
    header = *options.header;
  } else if (rows.size() > 1) {
    for (size_t c = 0; c < columns; ++c) {
      if (isNumber(rows[0][c])) {
        header = false;
        break;
      }
      header = header || isNumber(rows[1][c]);
    }
  }
  for (size_t c = 0; c < columns; ++c) table.names.push_back(header ? std::string(trimmed(rows[0][c])) : concat("column", c));
  const size_t first = header ? 1 : 0;
  const auto n = int64_t(rows.size() - first);
  for (size_t c = 0; c < columns; ++c) {
    bool integers = true, numbers = true;
    int64_t i;
    float f;
    for (size_t r = first; r < rows.size() && numbers; ++r) {
      const std::string_view field = trimmed(rows[r][c]);
      integers = integers && parseInt(field, &i);
      numbers = integers || parseFloat(field, &f);
    }
    WEFT_LET(Tensor column, Tensor::allocate(integers ? DType::Int64 : numbers ? DType::Float : DType::String, Shape{n}));
    for (int64_t r = 0; r < n; ++r) {
      std::string& field = rows[size_t(r) + first][c];
      if (integers) {
        parseInt(trimmed(field), &column.mutableData<int64_t>()[r]);
      } else if (numbers) {
        parseFloat(trimmed(field), &column.mutableData<float>()[r]);
      } else {
        column.mutableData<std::string>()[r] = std::move(field);
      }
    }
    table.columns.push_back(std::move(column));
  }
  return table;
}

Result<CsvTable> loadCsv(const std::string& path, const CsvOptions& options, FileSystem* files) {
  WEFT_LET(const std::string text, readMaybeGzip(path, files));
  auto table = decodeCsv(text, options);
  if (!table.ok()) table.error().inFile(path);
  return table;
}

}  // namespace weft
