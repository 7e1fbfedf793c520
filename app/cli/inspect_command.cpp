#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/remote_copy.h"
#include "support/remote_address.h"
#include "weft/file_kinds.h"
#include "weft/inspect.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) text.replace(at, from.size(), to);
}

/// What Weft understands: one line per kind, or one object.
int listKinds(bool json) {
  Json all = Json::array();
  for (const FileKind* kind : fileKinds()) {
    if (json) {
      all.push_back({{"kind", kind->name},
                     {"title", kind->title},
                     {"doc", kind->doc},
                     {"endings", kind->endings},
                     {"mime_type", kind->mimeType},
                     {"folder", kind->isFolder},
                     {"has_graph", kind->hasGraph},
                     {"writes_graph", kind->writesGraph}});
      continue;
    }
    std::string line = kind->name;
    line.resize(std::max<size_t>(line.size() + 1, 20), ' ');
    std::cout << line << kind->doc << (*kind->endings ? concat(" (", kind->endings, ")") : std::string()) << "\n";
  }
  if (json) std::cout << Json{{"inspect_version", 1}, {"kinds", std::move(all)}}.dump() << "\n";
  return kDone;
}

int runInspect(std::span<const std::string> raw) {
  auto arguments = Arguments::parse(raw, {{"--json"}, {"--verify"}, {"--kinds"}, {"--parse-call"}});
  if (!arguments.ok()) return usageError("inspect", arguments.error().message);
  if (arguments->has("--kinds")) {
    if (!arguments->positional().empty()) return usageError("inspect", "--kinds takes no file");
    return listKinds(arguments->has("--json"));
  }
  if (arguments->positional().size() != 1) return usageError("inspect", "exactly one file or folder is needed");
  const std::string& path = arguments->positional()[0];
  InspectOptions options;
  options.verify = arguments->has("--verify");
  options.parseCall = arguments->has("--parse-call");
  options.asText = !arguments->has("--json");
  RemoteCopy remote;
  if (isRemoteAddress(path)) {
    auto copied = copyFromRemote(path);
    if (!copied.ok()) return complain(path + ": " + copied.error().message);
    remote = std::move(*copied);
  }
  Inspection found = inspectPath(remote.place ? remote.path : path, options);
  if (remote.place) {  // the copy is inspected, the original is named
    replaceAll(found.json, remote.path, path);
    replaceAll(found.text, remote.path, path);
    if (!found.status.ok()) replaceAll(found.status.error().message, remote.path, path);
  }
  std::cout << (options.asText ? found.text : found.json + "\n");
  std::cout.flush();
  if (options.parseCall && found.kind != "tfrecord" && found.status.ok())
    return complain(path + ": unsupported: --parse-call needs a record file (tfrecord), and this is a file of the kind " + found.kind);
  if (found.status.ok()) return kDone;
  return complain(path + ": " + found.status.error().kind + ": " + found.status.error().message);
}

}  // namespace

extern const Command kInspectCommand;
const Command kInspectCommand{"inspect", "say what a file or folder is and what it holds",
                              "usage: weft inspect PATH [--json] [--verify] [--parse-call]\n"
                              "       weft inspect --kinds [--json]\n\n"
                              "PATH is a graph, meta graph, SavedModel, checkpoint (prefix, index or state file), event file or log folder, record file,\n"
                              "array file, trace, recording, model, or a folder with some of them. What it is is found from its content. Nothing is executed\n"
                              "or written.\n"
                              "sftp://USER@HOST/PATH is read over SSH and kept in the cache.\n\n"
                              "  --json        one JSON object\n"
                              "  --kinds       list what Weft understands\n"
                              "  --parse-call  of a record file: print only a Python program that parses its records, with the features' types and lengths\n"
                              "  --verify      compare checksums also of files over 256 MB\n",
                              runInspect};

}  // namespace weft::cli
