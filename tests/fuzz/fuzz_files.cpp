// `weft inspect` of any file, with the parse call that it proposes for records.
#include "hostile_files.h"
#include "weft/inspect.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto hostile = hostileFiles(data, size);
  if (hostile->path.empty()) return 0;
  weft::InspectOptions options;
  options.files = &hostile->files;
  options.parseCall = true;
  (void)weft::inspectPath(hostile->path, options);
  return 0;
}
