#pragma once

#include <filesystem>
#include <string>

#include "weft/error.h"

namespace weft {

/// Path of a library that lies beside libweft-engine.
std::filesystem::path libraryBesideEngine(const char* name);
/// A function of an opened library; null: it has none of that name.
void* symbolOf(void* library, const char* name);
/// Opens a library; null, with the loader's reason in `why`, if that fails.
void* openLibrary(const std::filesystem::path& path, std::string& why);

/// Opens the library of that name beside the engine and calls its function `symbol`, which fills a table of type Entry with `abiVersion`. UNIMPLEMENTED, beginning
/// with `unavailable`, if there is none or it is of another version.
template <typename Entry>
Result<Entry> loadEntry(const char* name, const char* symbol, int abiVersion, const std::string& unavailable) {
  const std::filesystem::path path = libraryBesideEngine(name);
  std::error_code ec;
  if (!std::filesystem::exists(path, ec)) return unimplemented(unavailable, ": Weft was built without it, ", path.string(), " does not exist");
  std::string why;
  void* library = openLibrary(path, why);
  if (!library) return unimplemented(unavailable, ": ", why);
  const auto fill = reinterpret_cast<void (*)(Entry*)>(symbolOf(library, symbol));
  Entry made;
  if (fill) fill(&made);
  if (!fill || int(made.abiVersion) != abiVersion) return unimplemented(unavailable, ": ", path.string(), " belongs to another version of Weft");
  return made;
}

}  // namespace weft
