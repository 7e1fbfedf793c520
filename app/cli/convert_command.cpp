#include <iostream>

#include "cli/arguments.h"
#include "cli/command.h"
#include "weft/checkpoint.h"
#include "weft/file_system.h"
#include "weft/inspect.h"

namespace weft::cli {
namespace {

bool endsWith(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// The form that an output's name asks for; empty if it says nothing.
std::string formatOf(const std::string& path) {
  if (endsWith(path, ".meta.pbtxt")) return "meta.pbtxt";
  for (const char* end : {"pbtxt", "meta", "pb"})
    if (endsWith(path, std::string(".") + end)) return end;
  if (endsWith(path, ".weft")) return "meta";
  return {};
}

Status convertCheckpoint(const std::string& from, const std::string& to, bool v1) {
  WEFT_LET(auto reader, CheckpointReader::open(endsWith(from, ".index") ? from.substr(0, from.size() - 6) : from));
  if (v1) {
    std::vector<V1Item> items;
    for (const CheckpointEntry& entry : reader->tensors()) {
      WEFT_LET(Tensor tensor, reader->read(entry.name));
      items.push_back({entry.name, std::move(tensor), std::nullopt});
    }
    return writeCheckpointV1(to, items);
  }
  WEFT_LET(auto writer, CheckpointWriter::create(to));
  for (const CheckpointEntry& entry : reader->tensors()) {
    // Parts stay parts, so that a partitioned variable finds them again.
    for (const TensorSlice& slice : entry.slices) {
      WEFT_LET(const Tensor part, reader->readSlice(entry.name, slice));
      WEFT_TRY(writer->addSlice(entry.name, entry.shape, slice, part));
    }
    if (!entry.slices.empty()) continue;
    WEFT_LET(const Tensor tensor, reader->read(entry.name));
    WEFT_TRY(writer->add(entry.name, tensor));
  }
  return writer->finish();
}

Status convertGraph(const std::string& from, const std::string& to, const std::string& format) {
  std::string path = from;
  FileSystem& files = posixFileSystem();
  if (const auto info = files.stat(from); info.ok() && info->isFolder) {
    path = joinPath(from, "saved_model.pb");
    if (!files.exists(path)) path = joinPath(from, "saved_model.pbtxt");
  }
  WEFT_LET(const std::string bytes, files.readAll(path));
  WEFT_LET(const std::string out, convertGraphBytes(bytes, format));
  if (to == "-") {
    std::cout.write(out.data(), std::streamsize(out.size())).flush();
    return {};
  }
  return files.writeAtomically(to, out);
}

int runConvert(std::span<const std::string> raw) {
  auto arguments = Arguments::parse(raw, {{"--to", true}});
  if (!arguments.ok()) return usageError("convert", arguments.error().message);
  if (arguments->positional().size() != 2) return usageError("convert", "an input and an output are needed");
  const std::string &from = arguments->positional()[0], &to = arguments->positional()[1];
  std::string format = arguments->value("--to").value_or(formatOf(to));
  const bool checkpoint = checkpointExists(endsWith(from, ".index") ? from.substr(0, from.size() - 6) : from) && inspectPath(from).kind == "checkpoint";
  if (format.empty()) {
    if (!checkpoint) return usageError("convert", "the output's name does not say its format: give --to");
    format = "v2";
  }
  Status status;
  if (format == "v1" || format == "v2") {
    status = convertCheckpoint(from, to, format == "v1");
  } else {
    status = convertGraph(from, to, format);
  }
  if (status.ok()) return kDone;
  if (status.error().file.empty()) status.error().inFile(from);
  return complain(status.error());
}

}  // namespace

extern const Command kConvertCommand;
const Command kConvertCommand{"convert", "write a graph or checkpoint in another form",
                              "usage: weft convert IN OUT [--to FORMAT]\n\n"
                              "FORMAT, if the output's name does not say it:\n"
                              "  pb, pbtxt                binary or text form of the same message (graph, meta graph, SavedModel, RunMetadata)\n"
                              "  meta, meta.pbtxt         a meta graph: of a graph, or the only one of a SavedModel\n"
                              "  graph.pb, graph.pbtxt    the graph alone\n"
                              "  v1, v2                   a checkpoint of that version; IN and OUT are prefixes\n\n"
                              "OUT - is standard output (graphs only).\n",
                              runConvert};

}  // namespace weft::cli
