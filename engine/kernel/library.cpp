#include "kernel/library.h"

#include <dlfcn.h>

namespace weft {

std::filesystem::path libraryBesideEngine(const char* name) {
  Dl_info self{};
  std::filesystem::path folder;
  if (::dladdr(reinterpret_cast<void*>(&libraryBesideEngine), &self) && self.dli_fname) folder = std::filesystem::path(self.dli_fname).parent_path();
  return folder / name;
}

void* openLibrary(const std::filesystem::path& path, std::string& why) {
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library) return library;
  const char* text = ::dlerror();
  why = text ? text : path.filename().string() + " cannot be loaded";
  return nullptr;
}

void* symbolOf(void* library, const char* name) { return ::dlsym(library, name); }

}  // namespace weft
