#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/diff.h"
#include "weft/checkpoint_edit.h"
#include "weft/file_system.h"
#include "weft/object_graph.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;

/// The halves of "PATTERN=>VALUE".
Result<std::pair<std::string, std::string>> patternAndValue(std::string_view option, const std::string& text) {
  const size_t arrow = text.rfind("=>");
  if (arrow == text.npos) return invalidArgument(option, " '", text, "' is not of the form PATTERN=>VALUE");
  return std::pair(text.substr(0, arrow), text.substr(arrow + 2));
}

Result<int> countOf(std::string_view option, const std::string& text, int least) {
  try {
    size_t end = 0;
    const int value = std::stoi(text, &end);
    if (end == text.size() && value >= least) return value;
  } catch (const std::exception&) {  // reported below
  }
  return invalidArgument(option, ": '", text, "' is not a whole number of at least ", least);
}

/// Renames the tensors of object-based checkpoints to the full names that they state, and drops the description of the objects, which would not fit any more.
/// Names that several objects have are not used: their tensors keep their keys, and `warnings` says so.
Status addObjectNames(std::span<const std::unique_ptr<CheckpointReader>> inputs, CheckpointEdit* edit, std::vector<std::string>* warnings) {
  for (const auto& reader : inputs) {
    WEFT_LET(const auto objects, readObjectGraph(*reader));
    for (const auto& [name, keys] : keysByFullName(objects)) {
      if (keys.size() > 1) {
        warnings->push_back(concat("several objects are named ", name, ", so their tensors keep their keys: ", keys[0], ", ", keys[1],
                                   keys.size() > 2 ? concat(" and ", keys.size() - 2, " more") : std::string()));
      } else if (reader->find(keys[0])) {
        edit->table.try_emplace(keys[0], name);  // --rename-table goes first
      }
    }
  }
  edit->drop.push_back(concat("^", kObjectGraphKey, "$"));
  return {};
}

Result<CheckpointEdit> editOf(const Arguments& arguments) {
  CheckpointEdit edit;
  edit.keep = arguments.values("--keep");
  edit.drop = arguments.values("--drop");
  for (const std::string& text : arguments.values("--rename")) {
    WEFT_LET(auto rule, patternAndValue("--rename", text));
    edit.renames.push_back({std::move(rule.first), std::move(rule.second)});
  }
  if (const auto path = arguments.value("--rename-table")) {
    WEFT_LET(const std::string text, posixFileSystem().readAll(*path, uint64_t(256) << 20));
    auto table = parseRenameTable(text);
    if (!table.ok()) return table.error().inFile(*path);
    edit.table = std::move(*table);
  }
  for (const std::string& text : arguments.values("--slice")) {
    WEFT_LET(auto rule, patternAndValue("--slice", text));
    edit.slices.push_back({std::move(rule.first), std::move(rule.second)});
  }
  for (const std::string& text : arguments.values("--cast")) {
    std::pair<std::string, std::string> rule{"", text};
    if (text.find("=>") != text.npos) {
      WEFT_LET(rule, patternAndValue("--cast", text));
      if (rule.first.empty()) return invalidArgument("--cast '", text, "': the pattern is empty");
    }
    const DType dtype = dtypeFromName(rule.second);
    if (!isFloating(dtype)) return invalidArgument("--cast: '", rule.second, "' is not float16, bfloat16, float32 or float64");
    edit.casts.push_back({std::move(rule.first), dtype});
  }
  for (const std::string& text : arguments.values("--partition")) {
    WEFT_LET(auto rule, patternAndValue("--partition", text));
    const size_t at = rule.second.find('@');
    WEFT_LET(const int parts, countOf("--partition", rule.second.substr(0, at), 1));
    int axis = 0;
    if (at != rule.second.npos) {
      WEFT_LET(axis, countOf("--partition", rule.second.substr(at + 1), 0));
    }
    edit.partitions.push_back({std::move(rule.first), parts, axis});
  }
  for (const std::string& text : arguments.values("--join")) edit.partitions.push_back({text, 1, 0});
  edit.average = arguments.has("--average");
  if (const auto prefer = arguments.value("--prefer")) {
    if (*prefer != "first" && *prefer != "last") return invalidArgument("--prefer is 'first' or 'last', not '", *prefer, "'");
    edit.prefer = *prefer == "first" ? CheckpointEdit::Prefer::First : CheckpointEdit::Prefer::Last;
  }
  WEFT_LET(const int64_t shards, arguments.integer("--shards", 1, 1, 99999));
  edit.shards = int(shards);
  if (const auto form = arguments.value("--to")) {
    if (*form != "v1" && *form != "v2") return invalidArgument("--to is 'v1' or 'v2', not '", *form, "'");
    edit.version = *form == "v1" ? 1 : 2;
  }
  return edit;
}

std::string sideText(DType dtype, const Shape& shape, size_t parts) {
  std::string out = dtypeName(dtype) + shape.toString();
  if (parts > 1) out += concat(" in ", parts, " parts");
  return out;
}

void printPlan(const CheckpointEditPlan& plan, const CheckpointEdit& edit, bool json) {
  int64_t changed = 0;
  double bytes = 0;
  for (const EditedTensor& t : plan.tensors) {
    changed += t.isChanged();
    bytes += double(t.shape.elements()) * double(sizeOf(t.dtype));
  }
  if (json) {
    Json out{{"tensors", Json::array()}, {"dropped", plan.dropped}, {"warnings", plan.warnings}, {"shards", edit.shards}, {"version", edit.version}};
    for (const EditedTensor& t : plan.tensors)
      out["tensors"].push_back({{"name", t.name},
                                {"source", t.source},
                                {"inputs", t.inputs.size()},
                                {"dtype", dtypeName(t.dtype)},
                                {"shape", t.shape.toVector()},
                                {"parts", std::max<size_t>(1, t.pieces.size())},
                                {"changed", t.isChanged()}});
    std::cout << out.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
    return;
  }
  for (const EditedTensor& t : plan.tensors) {
    if (!t.isChanged()) continue;
    const std::string was = sideText(t.dtypeFrom, t.shapeFrom, size_t(t.partsFrom)), is = sideText(t.dtype, t.shape, t.pieces.size());
    std::cout << "~ " << t.source;
    if (t.name != t.source) std::cout << " -> " << t.name;
    std::cout << "  " << was;
    if (was != is) std::cout << " -> " << is;
    if (t.inputs.size() > 1) std::cout << "  mean of " << t.inputs.size();
    std::cout << "\n";
  }
  for (const std::string& name : plan.dropped) std::cout << "- " << name << "\n";
  std::cout << plan.tensors.size() << " tensors, " << changed << " changed, " << plan.dropped.size() << " dropped; " << int64_t(bytes)
            << " bytes of numbers in " << edit.shards << (edit.shards == 1 ? " data file" : " data files") << ", version " << edit.version << "\n";
}

/// A line on a terminal, rewritten for each percent.
Progress progressLine() {
  return [last = -1](double done) mutable {
    const int percent = int(done * 100);
    if (stderrIsTerminal() && percent != last) std::fprintf(stderr, "\r%3d %%%s", last = percent, percent == 100 ? "\r     \r" : "");
    return !interrupted();
  };
}

void warn(const std::vector<std::string>& warnings) {
  for (const std::string& text : warnings) std::cerr << "weft: warning: " << text << "\n";
}

/// What is wrong with a path as the name of a new checkpoint; empty: nothing.
std::string wrongOutput(const std::string& out) {
  if (out.empty()) return "OUT is empty: a checkpoint needs a name";
  const auto info = posixFileSystem().stat(out);
  if (out.ends_with('/') || (info.ok() && info->isFolder))
    return concat("OUT is a folder: ", out, ". Give the name of a checkpoint in it, such as ", joinPath(out, "model"));
  const size_t data = out.rfind(".data-");
  if (out.ends_with(".index") || (data != out.npos && out.substr(data).size() == std::string_view(".data-00000-of-00001").size()))
    return concat("OUT is the name of a checkpoint, to which .index and .data-00000-of-00001 are appended, not of one of its files: ", out);
  return {};
}

int runCheckpoint(std::span<const std::string> raw) {
  auto arguments = Arguments::parse(raw, {{"--rename", true},
                                          {"--rename-table", true},
                                          {"--object-names"},
                                          {"--keep", true},
                                          {"--drop", true},
                                          {"--slice", true},
                                          {"--cast", true},
                                          {"--partition", true},
                                          {"--join", true},
                                          {"--average"},
                                          {"--prefer", true},
                                          {"--shards", true},
                                          {"--to", true},
                                          {"--dry-run"},
                                          {"--json"}});
  if (!arguments.ok()) return usageError("checkpoint", arguments.error().message);
  auto edit = editOf(*arguments);
  if (!edit.ok())
    return edit.error().code == Code::InvalidArgument && edit.error().file.empty() ? usageError("checkpoint", edit.error().message) : complain(edit.error());
  const std::vector<std::string>& paths = arguments->positional();
  if (paths.size() < 2) return usageError("checkpoint", "an input and an output are needed");
  if (const std::string wrong = wrongOutput(paths.back()); !wrong.empty()) return usageError("checkpoint", wrong);
  std::vector<std::unique_ptr<CheckpointReader>> inputs;
  for (size_t i = 0; i + 1 < paths.size(); ++i) {
    const std::string prefix = checkpointPrefix(paths[i]);
    auto reader = CheckpointReader::open(prefix.empty() ? paths[i] : prefix);
    if (!reader.ok()) return complain(reader.error().file.empty() ? reader.error().inFile(paths[i]) : reader.error());
    inputs.push_back(std::move(*reader));
  }
  if (arguments->has("--object-names")) {
    std::vector<std::string> notUnique;
    if (const Status s = addObjectNames(inputs, &*edit, &notUnique); !s.ok()) return complain(s.error());
    warn(notUnique);
  }
  const auto plan = planCheckpointEdit(inputs, *edit);
  if (!plan.ok()) return complain(plan.error());
  const bool dry = arguments->has("--dry-run");
  if (dry || arguments->has("--json")) printPlan(*plan, *edit, arguments->has("--json"));
  warn(plan->warnings);
  if (dry) return kDone;
  catchInterrupts();
  const auto written = writeCheckpointEdit(inputs, *edit, *plan, paths.back(), progressLine());
  if (!written.ok()) return complain(written.error(), written.error().code == Code::Cancelled ? kInterrupted : kFailed);
  warn(*written);
  return kDone;
}

}  // namespace

extern const Command kCheckpointCommand;
const Command kCheckpointCommand{
    "checkpoint", "rename, select, slice, convert, average, merge and divide checkpoints",
    "usage: weft checkpoint IN… OUT [options]\n\n"
    "Writes the checkpoint OUT (a prefix, which may be that of an input) from one or several others. Several are merged: a name that\n"
    "two of them have is an error, unless --prefer says whose is taken. Values pass through memory one at a time. OUT is put in place\n"
    "when it is complete; until then, and after Ctrl-C, an older one of that name stays. Files that are no checkpoint are not replaced.\n\n"
    "PATTERN is a regular expression, searched for in the names that the inputs have (^…$ for the whole name). One that matches nothing\n"
    "is an error. All of these may be repeated:\n\n"
    "  --keep PATTERN               only tensors that match; --drop PATTERN  not those\n"
    "  --rename 'PATTERN=>NEW'      replaces what matches; $1 or \\1 is the first group, \\\\ a backslash\n"
    "  --slice 'PATTERN=>RANGES'    a part of the tensor: 0:100,: are 100 rows; -8: the last eight\n"
    "  --cast [PATTERN=>]TYPE       float16, bfloat16, float32 or float64; without a pattern all floating-point tensors\n"
    "  --partition 'PATTERN=>N[@AXIS]'  saved in N parts, as a partitioned variable; --join PATTERN  saved whole again\n\n"
    "  --rename-table FILE          OLD NEW on each line, separated by a tab or spaces (weft diff GRAPH CHECKPOINT --propose writes one)\n"
    "  --object-names               tensors of an object-based checkpoint (TensorFlow 2) get the names of their variables, by which the\n"
    "                               Saver of a TensorFlow 1.x graph finds them\n"
    "  --average                    the mean of all inputs; integers and strings are those of the last\n"
    "  --prefer first|last          when merging: whose tensor is taken if several inputs have the name\n"
    "  --shards N                   number of data files; --to v1|v2  the version (v2)\n"
    "  --dry-run                    lists what would change and writes nothing; --json lists all tensors as one JSON object\n",
    runCheckpoint};

}  // namespace weft::cli
