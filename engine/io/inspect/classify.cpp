#include <algorithm>
#include <cctype>

#include "graph/wire.h"
#include "io/inspect/report.h"

namespace weft::inspect {
namespace {

bool isWord(char c) { return std::isalnum(uint8_t(c)) || c == '_' || c == '>' || c == '.' || c == '/' || c == '-'; }

/// A node's name and op come first; what follows may be damaged.
bool isNode(std::string_view bytes) {
  WireReader in(bytes);
  bool name = false, op = false;
  while (const auto f = in.next()) {
    if (f->number == 1 && f->type == 2) name = true;
    if (f->number == 2 && f->type == 2)
      op = !f->bytes.empty() && std::isalpha(uint8_t(f->bytes[0])) ? std::all_of(f->bytes.begin(), f->bytes.end(), isWord) : f->bytes[0] == '_';
    if (f->number == 2 && f->type != 2) return false;
  }
  return op && (name || in.ok());
}

bool firstFieldIs(std::string_view bytes, int number, int type) {
  WireReader in(bytes);
  const auto f = in.next();
  return f && f->number == number && f->type == type;
}

bool holdsNode(std::string_view bytes) {
  WireReader in(bytes);
  for (int i = 0; i < 64; ++i) {
    const auto f = in.next();
    if (!f) return false;
    if (f->number == 1 && f->type == 2 && isNode(f->bytes)) return true;
  }
  return false;
}

bool holdsMetaGraph(std::string_view bytes) {
  WireReader in(bytes);
  for (int i = 0; i < 8; ++i) {
    const auto f = in.next();
    if (!f) return false;
    if (f->number == 2 && f->type == 2 && holdsNode(f->bytes)) return true;
  }
  return false;
}

/// A number and graphs. The graphs of a SavedModel may be damaged; a module of TensorFlow Hub and a tensor of ONNX begin with a number too.
bool isSavedModel(std::string_view bytes) {
  WireReader in(bytes);
  const auto version = in.next();
  if (!version || version->number != 1 || version->type != 0 || version->value >= 100) return false;
  const size_t at = in.position();
  if (at >= bytes.size()) return version->value == 1;
  constexpr char kGraphTag = 2 << 3 | 2;
  const auto graph = in.next();
  return graph ? graph->number == 2 && graph->type == 2 : bytes[at] == kGraphTag;
}

bool isStepStats(std::string_view bytes) {
  WireReader in(bytes);
  const auto device = in.next();
  if (!device || device->number != 1 || device->type != 2) return false;
  WireReader inside(device->bytes);
  const auto name = inside.next();
  return name && name->number == 1 && name->type == 2 && !name->bytes.empty() && name->bytes[0] == '/';
}

/// Fields that an OpLogEntry does not have, or has with other types.
bool isMetaInfo(std::string_view bytes) {
  WireReader in(bytes);
  bool any = false;
  while (const auto f = in.next()) {
    any = true;
    if (f->number > 7) return false;
    if ((f->number == 2 && f->type == 2) || f->number >= 5) return true;
    if (f->number == 2) return false;
  }
  return !any;
}

std::string_view skipBlank(std::string_view text) {
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  while (!text.empty()) {
    if (std::isspace(uint8_t(text[0]))) {
      text.remove_prefix(1);
    } else if (text[0] == '#') {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
    } else {
      break;
    }
  }
  return text;
}

std::string_view firstWord(std::string_view text) {
  text = skipBlank(text);
  size_t n = 0;
  while (n < text.size() && (std::isalnum(uint8_t(text[n])) || text[n] == '_')) ++n;
  return text.substr(0, n);
}

}  // namespace

bool hasNoControls(std::string_view bytes) {
  const std::string_view start = bytes.substr(0, 512);
  return std::none_of(start.begin(), start.end(), [](char c) { return uint8_t(c) < 32 && !std::isspace(uint8_t(c)); });
}

bool looksLikeText(std::string_view bytes) {
  if (!hasNoControls(bytes)) return false;
  const std::string_view word = firstWord(bytes);
  if (word.empty() || std::isdigit(uint8_t(word[0]))) return false;
  const std::string_view after = skipBlank(std::string_view(word.data() + word.size(), size_t(bytes.data() + bytes.size() - word.data() - word.size())));
  return !after.empty() && (after[0] == ':' || after[0] == '{' || after[0] == '<');
}

bool looksLikeJson(std::string_view bytes) {
  const size_t at = bytes.find_first_not_of(" \t\r\n");
  return at != bytes.npos && (bytes[at] == '{' || bytes[at] == '[') && hasNoControls(bytes);
}

ProtoKind classifyText(std::string_view text) {
  static constexpr std::pair<std::string_view, ProtoKind> kFields[] = {{"node", ProtoKind::Graph},
                                                                       {"library", ProtoKind::Graph},
                                                                       {"versions", ProtoKind::Graph},
                                                                       {"version", ProtoKind::Graph},
                                                                       {"meta_info_def", ProtoKind::MetaGraph},
                                                                       {"graph_def", ProtoKind::MetaGraph},
                                                                       {"saver_def", ProtoKind::MetaGraph},
                                                                       {"collection_def", ProtoKind::MetaGraph},
                                                                       {"signature_def", ProtoKind::MetaGraph},
                                                                       {"asset_file_def", ProtoKind::MetaGraph},
                                                                       {"object_graph_def", ProtoKind::MetaGraph},
                                                                       {"saved_model_schema_version", ProtoKind::SavedModel},
                                                                       {"meta_graphs", ProtoKind::SavedModel},
                                                                       {"step_stats", ProtoKind::RunMetadata},
                                                                       {"cost_graph", ProtoKind::RunMetadata},
                                                                       {"partition_graphs", ProtoKind::RunMetadata},
                                                                       {"function_graphs", ProtoKind::RunMetadata},
                                                                       {"log_entries", ProtoKind::OpLog},
                                                                       {"id_to_string", ProtoKind::OpLog},
                                                                       {"embeddings", ProtoKind::Projector},
                                                                       {"model_checkpoint_dir", ProtoKind::Projector},
                                                                       {"model_checkpoint_path", ProtoKind::CheckpointState},
                                                                       {"all_model_checkpoint_paths", ProtoKind::CheckpointState},
                                                                       {"all_model_checkpoint_timestamps", ProtoKind::CheckpointState},
                                                                       {"last_preserved_timestamp", ProtoKind::CheckpointState}};
  const std::string_view word = firstWord(text);
  for (const auto& [name, kind] : kFields) {
    if (word != name) continue;
    // Both begin with the path of a checkpoint.
    if (kind == ProtoKind::CheckpointState && (text.find("\nembeddings") != text.npos || text.find(" embeddings") != text.npos)) return ProtoKind::Projector;
    return kind;
  }
  return ProtoKind::Unknown;
}

ProtoKind classifyWire(std::string_view bytes) {
  WireReader in(bytes);
  bool metaInfo = false, opLog = false, fields = false;
  for (int i = 0; i < 4096; ++i) {
    const size_t at = in.position();
    const auto f = in.next();
    if (!f) {
      // The first field may be truncated or have a damaged length: use the part that is present.
      if (i == 0 && bytes.size() > 2 && bytes[0] == '\n') {
        size_t skip = at + 1;
        while (skip < bytes.size() && skip < 11 && (bytes[skip] & 0x80)) ++skip;
        const std::string_view inside = bytes.substr(std::min(skip + 1, bytes.size()));
        if (isNode(inside)) return ProtoKind::Graph;
        if (isStepStats(inside)) return ProtoKind::RunMetadata;
        if (firstFieldIs(inside, 1, 2) && inside.size() > 3 && inside[0] == '\n' && inside[2] == '\n') return ProtoKind::RunMetadata;
        WireReader meta(inside);
        const auto list = meta.next();
        if (list && list->number == 2 && list->type == 2) return ProtoKind::MetaGraph;
      }
      break;
    }
    fields = true;
    if (f->number == 1) {
      if (f->type == 0) return i == 0 && isSavedModel(bytes) ? ProtoKind::SavedModel : ProtoKind::Unknown;
      if (f->type != 2) return ProtoKind::Unknown;
      if (isNode(f->bytes)) return ProtoKind::Graph;
      if (isStepStats(f->bytes)) return ProtoKind::RunMetadata;
      if (firstFieldIs(f->bytes, 1, 0)) return ProtoKind::Profile;
      (isMetaInfo(f->bytes) ? metaInfo : opLog) = true;
    } else if (f->number == 2 && f->type == 2) {
      if (holdsNode(f->bytes)) return ProtoKind::MetaGraph;
      if (i == 0 && holdsMetaGraph(f->bytes)) return ProtoKind::SavedModel;
      if (firstFieldIs(f->bytes, 1, 0)) return opLog ? ProtoKind::OpLog : ProtoKind::Unknown;
    } else if (f->number == 3 && f->type == 2 && holdsNode(f->bytes)) {
      return ProtoKind::RunMetadata;
    } else if (f->number == 4 && f->type == 2 && i == 0 && firstFieldIs(f->bytes, 1, 0)) {
      return ProtoKind::Graph;  // versions, but no node
    } else if (f->number > 7) {
      return ProtoKind::Unknown;
    }
  }
  if (!fields) return ProtoKind::Unknown;
  return metaInfo ? ProtoKind::MetaGraph : opLog ? ProtoKind::OpLog : ProtoKind::Unknown;
}

}  // namespace weft::inspect
