// Names of files in a dump of the version 1 debugger. It has one folder per device. Every file in it is one bare Event; its path says which tensor it holds:
// SCOPE/NODE_SLOT_OP_MICROSECONDS, parsed from the right because names contain underscores too. Of tensors of the same microsecond, all but the first have "-1", "-2"
// and so on after it.
#pragma once

#include <string>
#include <string_view>

namespace weft {

constexpr std::string_view kDumpDevicePrefix = "_tfdbg_device_";
/// The debug op that dumps a tensor as it is.
constexpr std::string_view kWholeTensor = "DebugIdentity";

/// The device of such a folder: "_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0" -> "/job:localhost/replica:0/task:0/device:CPU:0".
std::string dumpDevice(std::string_view folder);

struct DumpFileName {
  std::string node, op;
  int slot = 0;
  int64_t micros = 0;
};

/// False if the name is not that of a dumped tensor.
bool parseDumpName(const std::string& path, DumpFileName* out);

}  // namespace weft
