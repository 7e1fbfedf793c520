#pragma once

#include <string>
#include <string_view>

#include "weft/error.h"
#include "weft/file_system.h"

namespace weft {

struct InspectOptions {
  bool verify = false;          ///< Compare checksums also of files over 256 MB.
  FileSystem* files = nullptr;  ///< Not owned; default: the machine's.
};

/// What a file or folder is and holds, found from its content. Nothing is executed or written.
struct Inspection {
  std::string json;  ///< One object in one line, whose fields the project's contract of `weft inspect` states.
  std::string kind;  ///< "graphdef", "checkpoint", …; empty if it was not recognised.
  Status status;     ///< Not ok: the file cannot be read or contradicts itself; error().kind says how. `json` then holds what was read before.
};
WEFT_API Inspection inspectPath(const std::string& path, const InspectOptions& options = {});

/// Whether a file is a GraphDef or MetaGraphDef, binary or text, by its first fields: it is neither parsed nor checked.
WEFT_API bool isGraphFile(const std::string& path, FileSystem* files = nullptr);

/// Forms that graphs are converted between.
enum class ProtoForm { Binary, Text };
/// Rewrites a GraphDef, MetaGraphDef, SavedModel or RunMetadata in the other form, or takes the graph out of a meta graph.
/// `to`: "pb", "pbtxt" (of the same message), "meta", "meta.pbtxt" (a meta graph), "graph.pb", "graph.pbtxt" (the graph alone).
/// Fields that are not known are kept in binary form; text shows them by number, which no reader takes back, and is refused then.
/// `metaGraph`: which one of a SavedModel's; -1: the only one.
WEFT_API Result<std::string> convertGraphBytes(std::string_view bytes, std::string_view to, int metaGraph = -1);

}  // namespace weft
