#include "kernel/hdf5_library.h"

#include <dlfcn.h>

#include <algorithm>

#include "kernel/library.h"

namespace weft {
namespace {

Result<Hdf5LibraryEntry> loadHdf5() {
  const std::filesystem::path path = libraryBesideEngine("libweft-hdf5.so");
  std::error_code ec;
  if (!std::filesystem::exists(path, ec)) return unimplemented("Weft was built without the HDF5 library: ", path.string(), " does not exist");
  std::string why;
  void* library = openLibrary(path, why);
  if (!library) return unimplemented("HDF5 files cannot be written: ", why);
  using Entry = void (*)(Hdf5LibraryEntry*);
  const auto entry = reinterpret_cast<Entry>(::dlsym(library, "weftHdf5Library"));
  Hdf5LibraryEntry made;
  if (entry) entry(&made);
  if (!made.write || made.abiVersion != kHdf5AbiVersion)
    return unimplemented("HDF5 files cannot be written: ", path.string(), " belongs to another version of Weft");
  return made;
}

}  // namespace

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
  static const auto* library = new Result<Hdf5LibraryEntry>(loadHdf5());
  if (!library->ok()) return library->error();
  std::string bytes, why;
  if (!(*library)->write(root, bytes, why)) return internalError("the HDF5 library: ", why);
  return bytes;
}

}  // namespace weft
