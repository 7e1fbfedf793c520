#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "weft/error.h"
#include "weft/shape.h"
#include "weft/tensor.h"

namespace weft::inspect {

inline constexpr uint64_t kNowhere = ~uint64_t(0);  ///< HDF5's undefined address.

/// An integer of up to 8 bytes at a position; 0 where the data ends before it.
inline uint64_t numberAt(std::string_view data, size_t position, size_t bytes) {
  uint64_t value = 0;
  if (position <= data.size() && data.size() - position >= bytes) std::memcpy(&value, data.data() + position, bytes);
  return value;
}

/// Type of the elements of a dataset or attribute.
struct Hdf5Type {
  int kind = -1;  ///< HDF5's class: 0 integers, 1 floating point, 3 strings, 8 enumerations, 9 of variable length
  uint32_t bytes = 0;
  bool isSigned = false;
  bool variableString = false;
  bool bigEndian = false;
  std::string name() const;  ///< "float32", …; "unknown" if there is no equivalent
};

/// Filters applied to the stored values: 1 gzip, 2 shuffle, 3 checksum.
struct Hdf5Filter {
  int id = 0;
  std::vector<uint32_t> values;
};

struct Hdf5Object {
  std::map<std::string, std::vector<std::string>> attributes;  ///< string attributes only
  std::map<std::string, uint64_t> children;                    ///< name -> address
  bool isGroup = false, isDataset = false;
  Hdf5Type type;
  Shape shape;
  std::string_view layout, filters;  ///< Messages that describe where a dataset's values are stored and which filters were applied.
};

/// Reads the structure of HDF5 files (superblocks 0 to 3: what h5py writes by default and with libver='latest'): groups, string attributes, types and shapes of
/// datasets, and their values. Every position is checked against the file size before it is read. The bytes must outlive it.
class Hdf5File {
 public:
  /// Errors: truncated, malformed, unsupported.
  static Result<Hdf5File> open(std::string_view bytes);
  uint64_t root() const { return root_; }
  Result<Hdf5Object> read(uint64_t address) const;
  /// The object at a path of names below `from`; NOT_FOUND if there is none.
  Result<Hdf5Object> find(uint64_t from, std::string_view path) const;
  /// Its address.
  Result<uint64_t> addressOf(uint64_t from, std::string_view path) const;
  /// The values of a dataset.
  Result<Tensor> values(const Hdf5Object& object) const;

 private:
  /// For chunked datasets: the extents of the dataset and of a chunk, in elements.
  struct Layout {
    std::vector<uint64_t> dims, chunk;
    size_t width = 0;  // bytes per element
    uint64_t chunkBytes = 0;
    std::vector<Hdf5Filter> filters;
  };
  Result<std::string> rawValues(const Hdf5Object& object, uint64_t bytes) const;
  Status readChunks(uint64_t node, int depth, int* budget, const Layout& layout, std::string* out) const;
  static void placeChunk(const Layout& layout, const std::string& data, const std::vector<uint64_t>& offsets, std::string* out);

  struct OutOfRange {};
  struct FractalHeap;
  /// Traversal of a version 2 B-tree.
  struct Records {
    const std::function<void(std::string_view)>& use;
    std::vector<int> totalBytes;  // by level: width of the record counts of the nodes below
    size_t bytes;
    int countBytes;
    int budget;
  };
  template <typename T>
  T at(uint64_t position) const {
    T value;
    std::memcpy(&value, range(position, sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::string_view range(uint64_t position, uint64_t count) const;
  std::string nameAt(uint64_t heapData, uint64_t heapBytes, uint64_t offset) const;
  void readMessage(int type, std::string_view data, Hdf5Object* out) const;
  void readGroup(uint64_t tree, uint64_t heap, Hdf5Object* out) const;
  void readTree(uint64_t node, uint64_t heapData, uint64_t heapBytes, int depth, int* budget, Hdf5Object* out) const;
  void readAttribute(std::string_view data, Hdf5Object* out) const;
  std::string heapObject(uint64_t collection, uint32_t index) const;
  static Hdf5Type readType(std::string_view data);
  static Shape readSpace(std::string_view data);
  Hdf5Object readHeader(uint64_t address) const;
  Hdf5Object readHeader2(uint64_t address) const;
  void readLink(std::string_view data, Hdf5Object* out) const;
  void readLinkInfo(std::string_view data, Hdf5Object* out) const;
  void readAttributeInfo(std::string_view data, Hdf5Object* out) const;
  void forRecords(uint64_t tree, const std::function<void(std::string_view)>& use) const;
  void readRecords(uint64_t node, int depth, uint64_t count, Records* records) const;

  std::string_view bytes_;
  uint64_t base_ = 0, root_ = 0;
};

}  // namespace weft::inspect
