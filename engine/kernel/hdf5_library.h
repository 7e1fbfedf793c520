// The interface to libweft-hdf5, which writes HDF5 files. libweft-engine opens it on first use: the HDF5 library and what it depends on cost every start otherwise.
#pragma once

#include <string>
#include <vector>

#include "weft/tensor.h"

namespace weft {

/// A text attribute of a group: one text, or a list of names.
struct Hdf5TextAttribute {
  std::string name;
  std::vector<std::string> texts;
  bool list = false;
};

/// A group or, if it has a value, a dataset.
struct Hdf5Item {
  std::string name;  ///< Of the root: empty.
  std::vector<Hdf5TextAttribute> attributes;
  std::vector<Hdf5Item> children;
  Tensor value;

  /// The group or dataset at a path below this one; made if it is missing.
  WEFT_API Hdf5Item& at(const std::string& path);
};

struct Hdf5LibraryEntry {
  int abiVersion = 0;
  /// The bytes of a file with that root; `why` says why there are none.
  bool (*write)(const Hdf5Item& root, std::string& bytes, std::string& why) = nullptr;
};
inline constexpr int kHdf5AbiVersion = 1;

/// The bytes of an HDF5 file. UNIMPLEMENTED if Weft was built without the HDF5 library.
WEFT_API Result<std::string> writeHdf5(const Hdf5Item& root);

}  // namespace weft
