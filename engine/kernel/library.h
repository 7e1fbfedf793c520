#pragma once

#include <filesystem>
#include <string>

namespace weft {

/// Path of a library that lies beside libweft-engine.
std::filesystem::path libraryBesideEngine(const char* name);
/// Opens a library; null, with the loader's reason in `why`, if that fails.
void* openLibrary(const std::filesystem::path& path, std::string& why);

}  // namespace weft
