#include <iostream>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/onnx_models.h"
#include "cli/svg_drawing.h"
#include "weft/checkpoint.h"
#include "weft/cifar.h"
#include "weft/defects.h"
#include "weft/file_system.h"
#include "weft/freeze.h"
#include "weft/graph_text.h"
#include "weft/inspect.h"
#include "weft/saved_model.h"

namespace weft::cli {
namespace {

bool endsWith(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// The format implied by an output's name; empty if unknown.
std::string formatOf(const std::string& path) {
  if (endsWith(path, ".meta.pbtxt")) return "meta.pbtxt";
  for (const char* end : {"pbtxt", "meta", "pb"})
    if (endsWith(path, std::string(".") + end)) return end;
  if (endsWith(path, ".weft")) return "meta";
  if (endsWith(path, ".dot")) return "dot";
  if (endsWith(path, ".svg")) return "svg";
  if (endsWith(path, ".py")) return "python";
  if (endsWith(path, ".tfrecord") || endsWith(path, ".tfrecords")) return "tfrecord";
  if (endsWith(path, ".onnx")) return "onnx";
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
    // Slices stay separate, so that a partitioned variable finds them again.
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

/// The graph file behind a path: for a SavedModel, the one in its folder.
std::string graphFileOf(const std::string& from) {
  FileSystem& files = posixFileSystem();
  const auto info = files.stat(from);
  if (!info.ok() || !info->isFolder) return from;
  const std::string binary = joinPath(from, "saved_model.pb");
  return files.exists(binary) ? binary : joinPath(from, "saved_model.pbtxt");
}

Status convertGraph(const std::string& from, const std::string& to, const std::string& format) {
  FileSystem& files = posixFileSystem();
  const std::string path = graphFileOf(from);
  std::string bytes;
  if (isOnnxFile(path)) {
    WEFT_LET(ImportedModel model, importOnnx(path));
    bytes = std::move(model.metaGraph);
  } else {
    WEFT_LET(bytes, files.readAll(path));
  }
  // The name .pb of a model of another format means its graph.
  WEFT_LET(const std::string out, convertGraphBytes(bytes, isOnnxFile(path) && (format == "pb" || format == "pbtxt") ? "graph." + format : format));
  if (to == "-") {
    std::cout.write(out.data(), std::streamsize(out.size())).flush();
    return {};
  }
  return files.writeAtomically(to, out);
}

std::vector<std::string> listOf(const std::string& text) {
  std::vector<std::string> out;
  for (size_t at = 0; at < text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    if (comma > at) out.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return out;
}

/// The graph of any file that has one, even one that TensorFlow would refuse; of a SavedModel, its only meta graph.
Result<LoadedGraph> loadGraphOf(const std::string& from) {
  const std::string path = graphFileOf(from);
  if (isOnnxFile(path)) {
    WEFT_LET(ImportedModel model, importOnnx(path));
    return openGraphBytes(std::make_shared<const std::string>(std::move(model.metaGraph)), path);
  }
  if (isGraphFile(path) || inspectPath(path).kind != "savedmodel") return openGraphFile(path);
  WEFT_LET(const std::string bytes, posixFileSystem().readAll(path));
  WEFT_LET(std::string meta, convertGraphBytes(bytes, "meta"));
  return openGraphBytes(std::make_shared<const std::string>(std::move(meta)), path);
}

/// Writes the graph for other readers: Graphviz, a TensorFlow 1.x program, a picture.
Status writeGraphText(const std::string& from, const std::string& to, const std::string& format, const std::string& open) {
  WEFT_LET(const LoadedGraph loaded, loadGraphOf(from));
  // A program that builds it could not run.
  if (const Error* why = whyRefused(loaded.problems); why && format == "python") return *why;
  std::string out;
  if (format == "svg") {
    WEFT_LET(out, svgDrawing(loaded.meta, fileNameOf(from), listOf(open)));
  } else {
    out = format == "python" ? graphToPython(loaded.meta.graph) : graphToDot(loaded.meta.graph, fileNameOf(from));
  }
  if (to == "-") {
    std::cout << out << std::flush;
    return {};
  }
  return posixFileSystem().writeAtomically(to, out);
}

Status freeze(const std::string& from, const std::string& to, const std::string& prefix, const std::string& outputs, bool keepDevices) {
  FreezeOptions options;
  options.clearDevices = !keepDevices;
  options.outputs = listOf(outputs);
  FileSystem& files = posixFileSystem();
  std::string graph = from, checkpoint = prefix;
  if (const auto info = files.stat(from); info.ok() && info->isFolder) {
    graph = graphFileOf(from);
    if (checkpoint.empty()) checkpoint = joinPath(from, "variables/variables");
  }
  WEFT_LET(const std::string bytes, files.readAll(graph));
  WEFT_LET(const auto reader, CheckpointReader::open(checkpoint));
  WEFT_LET(const std::string frozen, freezeGraph(bytes, valuesFromCheckpoint(*reader), options));
  if (!endsWith(to, ".pbtxt")) return files.writeAtomically(to, frozen);
  WEFT_LET(const std::string text, convertGraphBytes(frozen, "pbtxt"));
  return files.writeAtomically(to, text);
}

/// "name=tensor" of --input and --output; a tensor alone goes under its node's name.
Result<std::vector<std::pair<std::string, std::string>>> namedTensors(const std::vector<std::string>& given) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const std::string& text : given) {
    const size_t equals = text.find('=');
    std::string tensor = equals == text.npos ? text : text.substr(equals + 1);
    std::string name = equals == text.npos ? text.substr(0, text.find(':')) : text.substr(0, equals);
    if (tensor.empty() || name.empty()) return invalidArgument("'", text, "' is not of the form NAME=TENSOR");
    if (tensor.find(':') == tensor.npos) tensor += ":0";
    out.emplace_back(std::move(name), std::move(tensor));
  }
  return out;
}

Status exportModel(const std::string& from, const std::string& folder, const Arguments& arguments) {
  SavedModelOptions options;
  ModelSignature signature;
  WEFT_LET(signature.inputs, namedTensors(arguments.values("--input")));
  WEFT_LET(signature.outputs, namedTensors(arguments.values("--output")));
  if (!signature.outputs.empty()) options.signatures.push_back(signature);
  if (const auto tags = arguments.values("--tag"); !tags.empty()) options.tags = tags;
  std::unique_ptr<CheckpointReader> reader;
  if (const auto prefix = arguments.value("--restore")) {
    WEFT_LET(reader, CheckpointReader::open(*prefix));
  }
  WEFT_LET(const std::string bytes, posixFileSystem().readAll(from));
  return writeSavedModel(folder, bytes, reader.get(), options);
}

/// Writes CIFAR-10 as TFRecord and lists the written files on standard error.
Status convertPictures(const std::string& from, const std::string& to) {
  WEFT_LET(const auto written, cifar10ToRecords(from, to));
  for (const WrittenRecords& file : written) std::cerr << file.path << ": " << file.records << " records\n";
  return {};
}

int runConvert(std::span<const std::string> raw) {
  auto arguments = Arguments::parse(raw, {{"--to", true},
                                          {"--restore", true},
                                          {"--outputs", true},
                                          {"--keep-devices"},
                                          {"--input", true},
                                          {"--output", true},
                                          {"--tag", true},
                                          {"--open", true},
                                          {"--opset", true}});
  if (!arguments.ok()) return usageError("convert", arguments.error().message);
  if (arguments->positional().size() != 2) return usageError("convert", "an input and an output are needed");
  const std::string &from = arguments->positional()[0], &to = arguments->positional()[1];
  std::string format = arguments->value("--to").value_or(formatOf(to));
  if (format.empty()) {
    if (inspectPath(from).kind != "checkpoint") return usageError("convert", "the output's name does not say its format: give --to");
    format = "v2";
  }
  Status status;
  if (format == "savedmodel") {
    status = exportModel(from, to, *arguments);
  } else if (format == "onnx") {
    const auto opset = arguments->integer("--opset", kOldestOnnxExport, 1);
    if (!opset.ok()) return usageError("convert", opset.error().message);
    status = exportOnnx(from, to, arguments->values("--input"), arguments->values("--output"), int(std::min<int64_t>(*opset, 1000)));
  } else if (format == "frozen" || arguments->has("--outputs")) {
    const std::string prefix = arguments->value("--restore").value_or(""), outputs = arguments->value("--outputs").value_or("");
    if (outputs.empty()) return usageError("convert", "freezing needs --outputs NAME,NAME…");
    const auto info = posixFileSystem().stat(from);
    if (prefix.empty() && !(info.ok() && info->isFolder)) return usageError("convert", "freezing needs --restore PREFIX");
    status = freeze(from, to, prefix, outputs, arguments->has("--keep-devices"));
  } else if (format == "dot" || format == "python" || format == "svg") {
    status = writeGraphText(from, to, format, arguments->value("--open").value_or(""));
  } else if (format == "tfrecord") {
    status = convertPictures(from, to);
  } else if (format == "v1" || format == "v2") {
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
const Command kConvertCommand{
    "convert", "write a graph or checkpoint in another form",
    "usage: weft convert IN OUT [--to FORMAT] [--restore PREFIX] [more options]\n\n"
    "FORMAT, if the output's name does not say it:\n"
    "  pb, pbtxt                binary or text form of the same message (graph, meta graph, SavedModel, RunMetadata)\n"
    "  meta, meta.pbtxt         a meta graph: of a graph, or the only one of a SavedModel\n"
    "  graph.pb, graph.pbtxt    the graph alone\n"
    "  dot, python              for Graphviz; a TensorFlow 1.x program that builds the same graph and writes it\n"
    "  svg                      a picture of the graph, scopes closed but for those that --open SCOPE,SCOPE… names (all: all of them)\n"
    "  v1, v2                   a checkpoint of that version; IN and OUT are prefixes\n"
    "  frozen                   a graph (.pb or .pbtxt) with constants in place of variables: values from the checkpoint\n"
    "                           PREFIX (of a SavedModel its own), cut down to what the outputs need\n"
    "  tfrecord                 CIFAR-10 (a folder of batches, binary or Python, or one batch) as tf.train.Examples with image and\n"
    "                           label; a folder's test batch goes to OUT-test.tfrecord\n"
    "  onnx                     an ONNX model of a frozen graph; --opset N chooses the operator set (13 to 21, else 13)\n"
    "  savedmodel               OUT is a new folder with the meta graph IN and the values of the checkpoint PREFIX\n\n"
    "  --restore PREFIX         the checkpoint that values come from\n"
    "  --outputs NAME,NAME…     of a frozen graph: nodes that must stay computable; --keep-devices keeps where nodes run\n"
    "  --input NAME=TENSOR      of a SavedModel's signature serving_default; may be repeated, as --output NAME=TENSOR and --tag TAG;\n"
    "                           of an ONNX model: tensors that it takes and gives (else the placeholders, and what nothing reads)\n\n"
    "IN may be an ONNX model too; what its graph cannot run is listed on standard error.\n"
    "OUT - is standard output (graphs only).\n",
    runConvert};

}  // namespace weft::cli
