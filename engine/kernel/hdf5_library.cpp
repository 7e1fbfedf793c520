#include "kernel/hdf5_library.h"

#include <algorithm>

#include "kernel/library.h"

namespace weft {
Hdf5Item& Hdf5Item::at(const std::string& path) {
  const size_t slash = std::min(path.find('/'), path.size());
  const std::string first = path.substr(0, slash);
  auto found = std::find_if(children.begin(), children.end(), [&](const Hdf5Item& c) { return c.name == first; });
  if (found == children.end()) {
    children.push_back({first, {}, {}, {}});
    found = children.end() - 1;
  }
  return slash == path.size() ? *found : found->at(path.substr(slash + 1));
}

Result<std::string> writeHdf5(const Hdf5Item& root) {
  static const auto* library =
      new Result<Hdf5LibraryEntry>(loadEntry<Hdf5LibraryEntry>("libweft-hdf5.so", "weftHdf5Library", kHdf5AbiVersion, "HDF5 files cannot be written"));
  if (!library->ok()) return library->error();
  std::string bytes, why;
  if (!(*library)->write(root, bytes, why)) return internalError("the HDF5 library: ", why);
  return bytes;
}

}  // namespace weft
