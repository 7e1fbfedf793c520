#include <cstdint>

#include "memory_files.h"
#include "weft/checkpoint.h"
#include "weft/inspect.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const char* const kNames[] = {"g.pb",  "m.index", "events.out.tfevents.1", "a.npz",       "r.tfrecord", "t.json",
                                       "b.bin", "m",       "saved_model.pb",        "x-idx1-ubyte"};
  if (size < 1) return 0;
  MemoryFiles files;
  const std::string name = kNames[data[0] % std::size(kNames)];
  files.files[name] = std::make_shared<std::string>(reinterpret_cast<const char*>(data + 1), size - 1);
  if (name == "m.index") files.files["m.data-00000-of-00001"] = std::make_shared<std::string>(reinterpret_cast<const char*>(data + size / 2), size - size / 2);
  weft::InspectOptions options;
  options.files = &files;
  (void)weft::inspectPath(name, options);
  return 0;
}
