#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/file_system.h"
#include "weft/tensor.h"

namespace weft {

/// Reading and writing the array files of data sets. Sizes in a file are checked against the file before memory is allocated. Errors have
/// the kinds truncated, malformed, bad_checksum, invalid_tensor, unrecognized, unsupported.

using NamedTensor = std::pair<std::string, Tensor>;

/// An array's description in a file, without its values.
struct ArrayInfo {
  std::string name;   ///< "" in .npy files
  std::string dtype;  ///< "float32", "string" (bytes), "unicode"
  Shape shape;
  bool fortranOrder = false;
  size_t itemBytes = 0;
  bool bigEndian = false;
  size_t dataOffset = 0;  ///< Offset of the values in the .npy bytes.
};

/// NumPy's .npy. Any byte and element order becomes native and row-major; byte and Unicode strings become String (UTF-8).
/// UNIMPLEMENTED (unsupported) for pickled objects and structured types.
WEFT_API Result<ArrayInfo> npyInfo(std::string_view bytes);
WEFT_API Result<Tensor> decodeNpy(std::string_view bytes);
WEFT_API Result<Tensor> loadNpy(const std::string& path, FileSystem* files = nullptr);
/// Strings are padded to the longest. UNIMPLEMENTED for types that NumPy does not have.
WEFT_API Result<std::string> encodeNpy(const Tensor& tensor);
WEFT_API Status saveNpy(const std::string& path, const Tensor& tensor, FileSystem* files = nullptr);

/// The files of a ZIP archive in memory, as names and contents; checksums are compared. Supports stored and deflated members and zip64
/// directories. `limit`: total bytes allowed, else the error kind too_large.
WEFT_API Result<std::vector<std::pair<std::string, std::string>>> readZip(std::string_view bytes, uint64_t limit = UINT64_MAX);
/// .npz: the arrays in archive order, names without ".npy".
WEFT_API Result<std::vector<NamedTensor>> decodeNpz(std::string_view bytes);
WEFT_API Result<std::vector<NamedTensor>> loadNpz(const std::string& path, FileSystem* files = nullptr);
/// RESOURCE_EXHAUSTED for archives of 4 GB and more.
WEFT_API Status saveNpz(const std::string& path, const std::vector<NamedTensor>& arrays, bool compress = false, FileSystem* files = nullptr);

/// IDX, MNIST's format, gzip-compressed or not.
WEFT_API Result<ArrayInfo> idxInfo(std::string_view bytes);
WEFT_API Result<Tensor> decodeIdx(std::string_view bytes);
WEFT_API Result<Tensor> loadIdx(const std::string& path, FileSystem* files = nullptr);

/// Pictures with one label each.
struct LabeledImages {
  Tensor images;                     ///< uint8 [n, height, width, channels]
  Tensor labels;                     ///< int32 [n]
  std::vector<std::string> classes;  ///< Names of the labels, if known.
};
/// CIFAR-10's binary form: records of a label and 32x32 pixels by channel.
WEFT_API Result<LabeledImages> decodeCifar10(std::string_view bytes);
WEFT_API Result<LabeledImages> loadCifar10(const std::vector<std::string>& paths, FileSystem* files = nullptr);

struct CsvOptions {
  char delimiter = ',';
  std::optional<bool> header;  ///< Whether line 1 names the columns. Unset: it does if it has no number where line 2 has one.
};
struct CsvTable {
  std::vector<std::string> names;
  std::vector<Tensor> columns;  ///< [rows] each: int64 if all are integers, else float, else String. An empty field among numbers is NaN.
};
/// Comma-separated values, quoted as in RFC 4180. INVALID_ARGUMENT (bad_syntax) "LINE:1: …" for a row of another length.
WEFT_API Result<CsvTable> decodeCsv(std::string_view text, const CsvOptions& options = {});
WEFT_API Result<CsvTable> loadCsv(const std::string& path, const CsvOptions& options = {}, FileSystem* files = nullptr);

/// Decodes PNG, JPEG, BMP, GIF or WebP (of an animation the first frame) to uint8 [height, width, channels]. `channels`: 0 as stored, else 1, 3 or 4 (not JPEG).
WEFT_API Result<Tensor> decodeImage(std::string_view bytes, int channels = 0);
/// Loads all .png, .jpg, .bmp, .gif and .webp files below FOLDER/CLASS/, scaled (bilinear) to height x width. Classes are sorted by name.
WEFT_API Result<LabeledImages> loadImageFolder(const std::string& folder, int height, int width, int channels = 3, FileSystem* files = nullptr);

/// A sound as 16-bit PCM in a WAV file. `samples`: [frames] or [frames, channels], float32 from -1 to 1 (others are cut off) or int16; `rate`: samples a second.
WEFT_API Result<std::string> encodeSound(const Tensor& samples, int64_t rate);

/// Rows of LIBSVM's text format, "LABEL INDEX:VALUE …": a sparse table, as TensorFlow's SparseTensor.
struct LibsvmTable {
  Tensor labels;               ///< float32 [rows]
  Tensor indices, values;      ///< int64 [n, 2] (row, column from 0) and float32 [n]
  int64_t columns = 0;         ///< One more than the largest column.
  bool countsFromOne = false;  ///< In the file; so it is if no column has the number 0.
};
/// INVALID_ARGUMENT (bad_syntax) "LINE:1: …" for what is no row.
WEFT_API Result<LibsvmTable> decodeLibsvm(std::string_view text);

/// The arrays of a MATLAB file of version 5 (also 6 and 7): numbers, logical values and texts (String), row-major. Those in a structure or a cell array are
/// named as MATLAB names them ("s.field", "c{2}", "s(3).field"); a sparse matrix NAME becomes NAME/indices, NAME/values and NAME/dense_shape. What cannot be
/// read (objects, functions) is named in `leftOut`. UNIMPLEMENTED (unsupported) for version 7.3; version 4 is not recognised (unrecognized).
WEFT_API Result<std::vector<NamedTensor>> decodeMat(std::string_view bytes, std::vector<std::string>* leftOut = nullptr);

/// A file's bytes, inflated if they are gzip.
WEFT_API Result<std::string> readMaybeGzip(const std::string& path, FileSystem* files = nullptr);

}  // namespace weft
