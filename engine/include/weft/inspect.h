#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/error.h"
#include "weft/file_system.h"

namespace weft {

struct OpenedModel;

struct InspectOptions {
  bool verify = false;          ///< Also compare checksums of files over 256 MB.
  bool asText = false;          ///< Fill `text`, not `json`.
  bool parseCall = false;       ///< Record files: adds `parse_call`, a Python program that parses the records; as text that program alone.
  FileSystem* files = nullptr;  ///< Not owned; default: the machine's.
  /// Receives the graph of a model of another format (file_kinds.h), so that a large file is read once. Untouched if the file is no such model or is damaged.
  std::optional<OpenedModel>* model = nullptr;
};

/// What a file or folder is and contains, judged by its content. Nothing is executed or written.
struct Inspection {
  std::string json;  ///< One object on one line; its fields are the contract of `weft inspect`.
  std::string text;  ///< The same for people: one line per field, of long lists the first 40 entries.
  std::string kind;  ///< "graphdef", "checkpoint", …; empty if not recognised.
  Status status;     ///< Not ok if the file cannot be read or contradicts itself; error().kind says how. `json` then holds what was read so far.
};
WEFT_API Inspection inspectPath(const std::string& path, const InspectOptions& options = {});

/// Whether a file is a GraphDef or MetaGraphDef, binary or text, judged by its first fields. The file is neither parsed nor checked.
WEFT_API bool isGraphFile(const std::string& path, FileSystem* files = nullptr);

/// The two forms of a message.
enum class ProtoForm { Binary, Text };
/// Converts a GraphDef, MetaGraphDef, SavedModel or RunMetadata to another form, or extracts the graph of a meta graph.
/// `to`: "pb", "pbtxt" (of the same message), "meta", "meta.pbtxt" (a meta graph), "graph.pb", "graph.pbtxt" (the graph alone).
/// Binary output keeps unknown fields. Text cannot hold them: it is refused, or, if `warnings` are given, leaves them out and says so there and in a comment.
/// `metaGraph`: index of a SavedModel's meta graph; -1: the only one.
WEFT_API Result<std::string> convertGraphBytes(std::string_view bytes, std::string_view to, int metaGraph = -1, std::vector<std::string>* warnings = nullptr);

}  // namespace weft
