#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/diff.h"
#include "weft/checkpoint.h"
#include "weft/file_system.h"
#include "weft/inspect.h"

namespace weft::cli {

std::string checkpointPrefix(const std::string& path) {
  if (checkpointExists(path)) return path;
  const Inspection found = inspectPath(path);
  if (found.kind == "checkpoint") {
    constexpr std::string_view kIndex = ".index", kData = ".data-00000-of-00001";
    if (path.size() > kIndex.size() && path.ends_with(kIndex)) return path.substr(0, path.size() - kIndex.size());
    if (const size_t at = path.rfind(".data-"); at != path.npos && at + kData.size() == path.size()) return path.substr(0, at);
    return path;
  }
  const auto info = posixFileSystem().stat(path);
  if (info.ok() && info->isFolder) {
    const std::string inside = joinPath(path, "variables/variables");
    if (checkpointExists(inside)) return inside;
    return latestCheckpoint(path).value_or(std::string());
  }
  if (found.kind == "checkpoint_state") return latestCheckpoint(folderOf(path), fileNameOf(path)).value_or(std::string());
  return {};
}

namespace {

int runDiff(std::span<const std::string> raw) {
  auto arguments = Arguments::parse(raw, {{"--json"}, {"--all"}, {"--structure"}, {"--statistics"}, {"--propose", true}});
  if (!arguments.ok()) return usageError("diff", arguments.error().message);
  if (arguments->positional().size() != 2) return usageError("diff", "two files are needed");
  const std::string &a = arguments->positional()[0], &b = arguments->positional()[1];
  const DiffOptions options{arguments->has("--json"), arguments->has("--all"), arguments->has("--structure"), arguments->has("--statistics"),
                            arguments->value("--propose").value_or("")};
  for (const std::string& path : {a, b}) {
    if (!posixFileSystem().exists(path) && !checkpointExists(path)) return complain(path + ": no such file or checkpoint", kWrongUsage);
  }
  const bool graphA = isGraphFile(a), graphB = isGraphFile(b);
  const std::string prefixA = graphA ? std::string() : checkpointPrefix(a), prefixB = graphB ? std::string() : checkpointPrefix(b);
  if (options.statistics && (prefixA.empty() || prefixB.empty())) return usageError("diff", "--statistics compares two checkpoints");
  if (options.structure && !(graphA && graphB)) return usageError("diff", "--structure compares two graphs");
  if (options.propose == "-" && options.json) return usageError("diff", "--propose - and --json both write to standard output: give --propose a file");
  if (!options.propose.empty() && graphA == graphB) return usageError("diff", "--propose needs a graph and a checkpoint");
  if (!prefixA.empty() && !prefixB.empty()) return diffCheckpoints(prefixA, prefixB, options);
  if (graphA && graphB) return diffGraphFiles(a, b, options);
  if (graphA && !prefixB.empty()) return diffGraphAndCheckpoint(a, prefixB, options);
  if (!prefixA.empty() && graphB) return diffGraphAndCheckpoint(b, prefixA, options);
  const std::string& odd = graphA || !prefixA.empty() ? b : a;
  return complain(odd + ": neither a checkpoint nor a graph that a checkpoint could be compared with", kWrongUsage);
}

}  // namespace

extern const Command kDiffCommand;
const Command kDiffCommand{
    "diff", "compare two graphs, two checkpoints, or a graph with a checkpoint",
    "usage: weft diff A B [--json] [--all] [--statistics] [--structure] [--propose FILE]\n\n"
    "A and B are checkpoints (prefix, index, data or state file, folder): names that only one has, other shapes and types, and of each\n"
    "variable how far its values are apart, most changed first. Or one of them is a graph: which of its variables the checkpoint holds,\n"
    "which a restore would miss, with the names that are nearest, and what it would leave unused.\n"
    "Of two graphs: nodes added (+), removed (-), changed (~: attributes, wires, device) and renamed (=), collections, savers, functions.\n\n"
    "  --statistics     of two checkpoints: mean, standard deviation, smallest and largest value and norm of each variable in both\n"
    "  --structure      of two graphs: nodes are matched by what they compute and how they are wired, whatever their names\n"
    "  --propose FILE   of a graph and a checkpoint: where its weights fit by shape and order, each with confidence and reason; FILE\n"
    "                   gets the renames as weft checkpoint --rename-table takes them (-: standard output, without --json)\n"
    "  --json           one JSON object\n"
    "  --all            also what is the same; with --structure also the nodes that only have another name\n\n"
    "Exit status: 0 they are the same (the graph can be restored), 1 they differ, 2 they cannot be compared.\n",
    runDiff};

}  // namespace weft::cli
