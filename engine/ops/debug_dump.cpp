#include "ops/debug_dump.h"

#include <charconv>
#include <chrono>

#include "proto/debug_event.h"
#include "weft/file_system.h"

namespace weft {
namespace {

constexpr std::string_view kFile = "file://", kGrpc = "grpc://", kCallback = "memcbk://";

/// "/job:localhost/device:CPU:0" -> "_tfdbg_device_,job_localhost,device_CPU_0"
std::string deviceFolder(std::string device) {
  for (char& c : device) c = c == '/' ? ',' : c == ':' ? '_' : c;
  return "_tfdbg_device_" + device;
}

Status dump(const DebugWatch& watch, const Tensor& tensor, const std::string& folder) {
  FileSystem& files = posixFileSystem();
  const int64_t now = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  std::string path = joinPath(joinPath(folder, deviceFolder(watch.device)), concat(watch.node, "_", watch.slot, "_", watch.op, "_", now));
  WEFT_TRY(files.makeFolders(folderOf(path)));
  // Two dumps in the same microsecond.
  if (files.exists(path)) {
    int k = 1;
    while (files.exists(concat(path, "-", k))) ++k;
    path = concat(path, "-", k);
  }
  std::string bytes;
  WEFT_TRY(debugEvent(watch.device, watch.node, watch.slot, watch.op, tensor, now, &bytes));
  WEFT_LET(auto file, files.create(path));
  WEFT_TRY(file->append(bytes));
  return file->close();
}

}  // namespace

Status DebugWatch::parse(const std::string& tensorName) {
  const size_t colon = tensorName.find(':');
  node = tensorName.substr(0, colon);
  slot = 0;
  if (tensorName.empty() || (colon != std::string::npos && tensorName.find(':', colon + 1) != std::string::npos)) {
    return invalidArgument("Failed to parse tensor name: \"", tensorName, "\"");
  }
  if (colon == std::string::npos) return {};
  const std::string_view number = std::string_view(tensorName).substr(colon + 1);
  const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), slot);
  if (problem != std::errc() || end != number.data() + number.size()) {
    return invalidArgument("Invalid string value for output_slot: \"", number, "\"");
  }
  return {};
}

Status publishDebugTensor(const DebugWatch& watch, const Tensor& tensor, const std::vector<std::string>& urls) {
  std::string reasons;
  int failed = 0;
  for (const std::string& url : urls) {
    if (url.starts_with(kGrpc)) return unimplemented("Tensors are not sent to ", url, ": debug servers (grpc://) are not supported, folders (file://) are");
    if (url.starts_with(kCallback)) return unimplemented("No callback registered for: ", url.substr(kCallback.size()));
    if (!url.starts_with(kFile)) return unavailable("Invalid debug target URL: ", url);
    const Status written = dump(watch, tensor, url.substr(kFile.size()));
    if (written.ok()) continue;
    ++failed;
    reasons += written.error().message + ";";
  }
  if (failed == 0) return {};
  return internalError("Publishing to ", failed, " of ", urls.size(), " debug target URLs failed, due to the following errors: ", reasons);
}

}  // namespace weft
