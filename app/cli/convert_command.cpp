#include <algorithm>
#include <iostream>
#include <set>
#include <sstream>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/svg_drawing.h"
#include "weft/arrays.h"
#include "weft/checkpoint.h"
#include "weft/cifar.h"
#include "weft/defects.h"
#include "weft/events.h"
#include "weft/file_kinds.h"
#include "weft/file_system.h"
#include "weft/freeze.h"
#include "weft/graph_text.h"
#include "weft/inspect.h"
#include "weft/projector.h"
#include "weft/saved_model.h"

namespace weft::cli {
namespace {

void warn(const std::string& path, const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) std::cerr << "weft: warning: " << path << ": " << warning << "\n";
}

bool endsWith(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
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

std::vector<std::string> listOf(const std::string& text) {
  std::vector<std::string> out;
  for (size_t at = 0; at < text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    if (comma > at) out.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return out;
}

/// The conversion that is asked for.
struct Conversion {
  const std::string &from, &to;
  const std::string format;
  const Arguments& arguments;
  const std::string_view kind;  // of `from`, found once: it may need the whole file; empty: none that is known

  /// Whether the graph or a session run has to be taken out of event files.
  bool fromEvents() const { return kind == "events" || kind == "logdir"; }
  /// Whether the graph is rebuilt from a model of another format.
  bool rebuilds() const {
    const FileKind* known = findFileKind(kind);
    return known && known->isRebuilt();
  }
};

/// The graph of any file that has one, even one that TensorFlow would refuse. What it does not say is told on standard error.
Result<LoadedGraph> loadGraphOf(const Conversion& job) {
  const std::string path = graphFileOf(job.from);
  const auto opened = [](std::string bytes, const std::string& name) { return openGraphBytes(std::make_shared<const std::string>(std::move(bytes)), name); };
  if (job.fromEvents()) {
    WEFT_LET(std::string bytes, readEventGraph(job.from));
    return opened(std::move(bytes), job.from);
  }
  if (job.kind == "savedmodel") {
    WEFT_LET(const std::string bytes, posixFileSystem().readAll(path));
    WEFT_LET(std::string meta, convertGraphBytes(bytes, "meta"));  // refuses to choose between several
    return opened(std::move(meta), path);
  }
  if (!job.rebuilds()) return openGraphFile(path);
  std::vector<std::string> warnings;
  auto loaded = openModelGraph(job.from, &warnings);
  warn(job.from, warnings);
  return loaded;
}

/// The bytes of a file with a message that convertGraphBytes() takes: of a model of another format, those of the graph rebuilt from it; of event files, their
/// graph, or the session run that --run names.
Result<std::string> messageOf(const Conversion& job) {
  const auto run = job.arguments.value("--run");
  if (job.fromEvents()) return run ? readEventRun(job.from, *run) : readEventGraph(job.from);
  if (run) return invalidArgument("--run needs an event file, or a folder of event files").inFile(job.from);
  if (!job.rebuilds()) return posixFileSystem().readAll(graphFileOf(job.from));
  WEFT_LET(const LoadedGraph loaded, loadGraphOf(job));
  return serializeGraph(loaded.meta, GraphFormat::MetaBinary);
}

Status writeOut(const std::string& to, const std::string& bytes) {
  if (to != "-") return posixFileSystem().writeAtomically(to, bytes);
  std::cout.write(bytes.data(), std::streamsize(bytes.size())).flush();
  return {};
}

/// Writes the graph for other readers: Graphviz, a TensorFlow 1.x program, a picture.
Status writeGraphText(const Conversion& job) {
  WEFT_LET(const LoadedGraph loaded, loadGraphOf(job));
  // A program that builds it could not run.
  if (const Error* why = whyRefused(loaded.problems); why && job.format == "python") return *why;
  std::string out;
  if (job.format == "svg") {
    WEFT_LET(out, svgDrawing(loaded.meta, fileNameOf(job.from), listOf(job.arguments.value("--open").value_or(""))));
  } else {
    out = job.format == "python" ? graphToPython(loaded.meta.graph) : graphToDot(loaded.meta.graph, fileNameOf(job.from));
  }
  return writeOut(job.to, out);
}

Status convertGraph(const Conversion& job) {
  WEFT_LET(const std::string bytes, messageOf(job));
  // .pb and .pbtxt of a model of another format mean its graph.
  const bool rebuilt = job.rebuilds() && (job.format == "pb" || job.format == "pbtxt");
  std::vector<std::string> warnings;
  WEFT_LET(const std::string out, convertGraphBytes(bytes, rebuilt ? "graph." + job.format : job.format, -1, &warnings));
  warn(job.to, warnings);
  return writeOut(job.to, out);
}

/// The graph that was saved with a checkpoint.
Result<std::string> graphOfCheckpoint(const std::string& prefix) {
  FileSystem& files = posixFileSystem();
  if (!files.exists(prefix + ".meta"))
    return failedPrecondition("the checkpoint has no graph beside it, ", fileNameOf(prefix), ".meta; give the graph, and the checkpoint with --restore")
        .inFile(prefix);
  return files.readAll(prefix + ".meta");
}

/// Writes the graph as a model of another format.
Status exportTo(const FileKind& kind, const Conversion& job) {
  std::string prefix = job.arguments.value("--restore").value_or("");
  const bool checkpoint = kind.keepsVariables && job.kind == "checkpoint";
  if (checkpoint && prefix.empty()) prefix = endsWith(job.from, ".index") ? job.from.substr(0, job.from.size() - 6) : job.from;
  WEFT_LET(const std::string bytes, checkpoint ? graphOfCheckpoint(prefix) : messageOf(job));
  WEFT_LET(const std::string meta, convertGraphBytes(bytes, "meta"));
  WEFT_LET(const int64_t version, job.arguments.integer("--opset", 0, 1, 1000));
  std::vector<std::string> warnings;
  ModelExport what{job.arguments.values("--input"), job.arguments.values("--output"), int(version), {}, &warnings};
  std::unique_ptr<CheckpointReader> reader;
  if (kind.keepsVariables && !prefix.empty()) {
    WEFT_LET(reader, CheckpointReader::open(prefix));
    what.values = [&reader](const std::string& variable) { return reader->read(variable); };
  }
  WEFT_LET(const std::string out, writeModel(kind.name, meta, what));
  warn(job.to, warnings);
  return writeOut(job.to, out);
}

Status freeze(const Conversion& job) {
  FreezeOptions options;
  options.clearDevices = !job.arguments.has("--keep-devices");
  options.outputs = listOf(job.arguments.value("--outputs").value_or(""));
  WEFT_LET(const std::string bytes, messageOf(job));
  WEFT_LET(const auto reader, CheckpointReader::open(job.arguments.value("--restore").value_or(joinPath(job.from, "variables/variables"))));
  WEFT_LET(const std::string frozen, freezeGraph(bytes, valuesFromCheckpoint(*reader), options));
  if (!endsWith(job.to, ".pbtxt")) return writeOut(job.to, frozen);
  std::vector<std::string> warnings;
  WEFT_LET(const std::string text, convertGraphBytes(frozen, "pbtxt", -1, &warnings));
  warn(job.to, warnings);
  return writeOut(job.to, text);
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

Status exportModel(const Conversion& job) {
  const Arguments& arguments = job.arguments;
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
  WEFT_LET(const std::string bytes, messageOf(job));
  return writeSavedModel(job.to, bytes, reader.get(), options);
}

/// Writes CIFAR-10 as TFRecord and lists the written files on standard error.
Status convertPictures(const std::string& from, const std::string& to) {
  WEFT_LET(const auto written, cifar10ToRecords(from, to));
  for (const WrittenRecords& file : written) std::cerr << file.path << ": " << file.records << " records\n";
  return {};
}

/// The arrays of a file, or the one that --array names.
Result<std::vector<NamedTensor>> arraysOf(const Conversion& job) {
  std::vector<std::string> warnings;
  auto read = readArrays(job.from, &warnings);
  warn(job.from, warnings);
  WEFT_LET(auto arrays, std::move(read));
  for (auto& [name, array] : arrays)
    if (name.empty()) name = "array";
  const auto wanted = job.arguments.value("--array");
  if (!wanted) return arrays;
  std::string names;
  for (auto& [name, array] : arrays) {
    if (name == *wanted) return std::vector<NamedTensor>{{name, std::move(array)}};
    names += (names.empty() ? "" : ", ") + name;
  }
  return notFound("no array is named ", *wanted, "; there are ", names).inFile(job.from);
}

Result<Tensor> oneArrayOf(const Conversion& job) {
  WEFT_LET(auto arrays, arraysOf(job));
  if (arrays.size() == 1) return std::move(arrays[0].second);
  return invalidArgument("has ", arrays.size(), " arrays, and ", job.format, " takes one: name it with --array NAME").inFile(job.from);
}

Status writeArrays(const Conversion& job) {
  if (job.to == "-" && job.format != "wav") return invalidArgument("arrays are written to a file, not to standard output");
  if (job.format == "npz") {
    WEFT_LET(const auto arrays, arraysOf(job));
    std::set<std::string> names;
    for (const auto& [name, array] : arrays)
      if (!names.insert(name).second) return invalidArgument("has several arrays named ", name, ": write each with --array NAME").inFile(job.from);
    return saveNpz(job.to, arrays);
  }
  WEFT_LET(const Tensor array, oneArrayOf(job));
  if (job.format == "npy") return saveNpy(job.to, array);
  WEFT_LET(const int64_t rate, job.arguments.integer("--rate", 0, 1));
  WEFT_LET(const std::string bytes, encodeSound(array, rate));
  return writeOut(job.to, bytes);
}

/// Writes variables of a checkpoint as tables of numbers, with the settings of TensorBoard's projector.
Status writeProjectorFolder(const Conversion& job) {
  const std::string prefix = endsWith(job.from, ".index") ? job.from.substr(0, job.from.size() - 6) : job.from;
  return writeProjector(prefix, job.arguments.values("--array"), job.arguments.value("--labels").value_or(""), job.to);
}

/// A form that something can be written in. Kinds of other formats add theirs by their records.
struct Target {
  const char* names;    // of --to
  const char* endings;  // of the output's name; a longer one goes before its end
  const char* doc;
  Status (*write)(const Conversion&);
};
const Target kTargets[] = {
    {"meta.pbtxt", ".meta.pbtxt", nullptr, convertGraph},
    {"pb, pbtxt", ".pb .pbtxt",
     "binary or text form of the same message (graph, meta graph, SavedModel, RunMetadata); of event files,\ntheir graph, or the session run that --run TAG names",
     convertGraph},
    {"meta, meta.pbtxt", ".meta .weft", "a meta graph: of a graph, or the only one of a SavedModel", convertGraph},
    {"graph.pb, graph.pbtxt", "", "the graph alone", convertGraph},
    {"dot, python", ".dot .py", "for Graphviz; a TensorFlow 1.x program that builds the same graph and writes it", writeGraphText},
    {"svg", ".svg", "a picture of the graph, scopes closed but for those that --open SCOPE,SCOPE… names (all: all of them)", writeGraphText},
    {"v1, v2", "", "a checkpoint of that version; IN and OUT are prefixes",
     [](const Conversion& j) { return convertCheckpoint(j.from, j.to, j.format == "v1"); }},
    {"frozen", "",
     "a graph (.pb or .pbtxt) with constants in place of variables: values from the checkpoint\nPREFIX (of a SavedModel its own), cut down to what the outputs need",
     freeze},
    {"tfrecord", ".tfrecord .tfrecords",
     "CIFAR-10 (a folder of batches, binary or Python, or one batch) as tf.train.Examples with image and\nlabel; a folder's test batch goes to OUT-test.tfrecord",
     [](const Conversion& j) { return convertPictures(j.from, j.to); }},
    {"npz, npy", ".npz .npy", "the arrays of a file (checkpoints, HDF5, pictures, sounds, tables, MATLAB files), or the one that --array NAME names",
     writeArrays},
    {"wav", ".wav", "an array [frames] or [frames, channels] as a sound: numbers from -1 to 1, or int16; with --rate SAMPLES a second", writeArrays},
    {"projector", "",
     "OUT is a folder for TensorBoard's projector, with the matrices of a checkpoint that --array NAME\nnames (it may be repeated) and the labels of their rows in the file --labels",
     writeProjectorFolder},
    {"savedmodel", "", "OUT is a new folder with the meta graph IN and the values of the checkpoint PREFIX", exportModel},
};

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> out;
  std::istringstream in{std::string(text)};
  for (std::string word; in >> word;) {
    if (word.back() == ',') word.pop_back();
    out.push_back(word);
  }
  return out;
}

bool oneOf(std::string_view list, const std::string& word) {
  const auto all = words(list);
  return std::find(all.begin(), all.end(), word) != all.end();
}

/// The format that an output's name implies; empty if none.
std::string formatOf(const std::string& path) {
  for (const Target& target : kTargets) {
    const std::vector<std::string> endings = words(target.endings), names = words(target.names);
    for (size_t i = 0; i < endings.size(); ++i) {
      if (!endsWith(path, endings[i])) continue;
      const std::string own = endings[i].substr(1);
      return own == "py" ? "python" : oneOf(target.names, own) ? own : names[0];
    }
  }
  for (const FileKind* kind : fileKinds())
    for (const std::string& ending : kind->writesGraph ? words(kind->endings) : std::vector<std::string>())
      if (endsWith(path, ending)) return kind->name;
  return {};
}

Status convertTo(const Conversion& job) {
  for (const Target& target : kTargets)
    if (oneOf(target.names, job.format)) return target.write(job);
  if (const FileKind* kind = findFileKind(job.format); kind && kind->writesGraph) return exportTo(*kind, job);
  return convertGraph(job);  // names what there is
}

/// Options that matter to some formats only; "model": every kind of file that a graph without variables can be exported to, "variables": those with them.
struct FormatOption {
  const char *name, *formats;
};
const FormatOption kFormatOptions[] = {{"--restore", "frozen, savedmodel, variables"},
                                       {"--outputs", "frozen"},
                                       {"--keep-devices", "frozen"},
                                       {"--input", "savedmodel, model"},
                                       {"--output", "savedmodel, model"},
                                       {"--tag", "savedmodel"},
                                       {"--open", "svg"},
                                       {"--run", "pb, pbtxt"},
                                       {"--opset", "onnx"},
                                       {"--array", "npz, npy, wav, projector"},
                                       {"--labels", "projector"},
                                       {"--rate", "wav"}};

/// Whether `word` of a FormatOption stands for that kind of file.
bool meansKind(std::string_view word, const FileKind& kind) {
  return kind.writesGraph && !kind.isFolder && word == (kind.keepsVariables ? "variables" : "model");
}

/// What is wrong with the options for the format; empty: nothing. An option without an effect would be ignored silently.
std::string whyNotOptions(const Arguments& arguments, const std::string& format) {
  const FileKind* kind = findFileKind(format);
  for (const FormatOption& option : kFormatOptions) {
    if (!arguments.has(option.name) || oneOf(option.formats, format)) continue;
    std::string formats;
    bool allowed = false;
    for (const std::string& word : words(option.formats)) {
      allowed = allowed || (kind && meansKind(word, *kind));
      std::string named = word == "model" || word == "variables" ? "" : word;
      for (const FileKind* other : fileKinds())
        if (meansKind(word, *other)) named += (named.empty() ? "" : ", ") + std::string(other->name);
      if (!named.empty()) formats += (formats.empty() ? "" : ", ") + named;
    }
    if (allowed) continue;
    return concat(option.name, " is for ", formats, ", not for ", format);
  }
  return {};
}

std::string usageText() {
  std::string out =
      "usage: weft convert IN OUT [--to FORMAT] [--restore PREFIX] [more options]\n\n"
      "FORMAT, if the output's name does not say it:\n";
  constexpr size_t kColumn = 27;
  const auto add = [&](std::string names, std::string doc) {
    names = "  " + names;
    names.resize(std::max(names.size() + 1, kColumn), ' ');
    for (size_t at = 0; (at = doc.find('\n', at)) != doc.npos; at += kColumn) doc.insert(at + 1, kColumn, ' ');
    out += names + doc + "\n";
  };
  for (const Target& target : kTargets)
    if (target.doc) add(target.names, target.doc);
  for (const FileKind* kind : fileKinds())
    if (kind->writesGraph && !kind->isFolder)
      add(kind->name,
          kind->keepsVariables
              ? concat(kind->title,
                       ": the layers of a document, with the values of a checkpoint (--restore), else those it starts with;\nIN may be the checkpoint")
              : concat(kind->title, ": a graph without variables, its inputs and outputs as --input and --output name them"));
  return out +
         "\n"
         "IN is anything with a graph: models of other formats are rebuilt as graphs.\n\n"
         "  --restore PREFIX         the checkpoint that values come from\n"
         "  --outputs NAME,NAME…     of a frozen graph: nodes that must stay computable; --keep-devices keeps where nodes run\n"
         "  --input NAME=TENSOR      of a SavedModel's signature serving_default; may be repeated, as --output NAME=TENSOR and --tag TAG\n"
         "  --opset N                the operator set of an ONNX model, 13 to 21 (17)\n"
         "  --open SCOPE,SCOPE…      of a picture of a graph: the scopes that are open (all: all of them)\n"
         "  --array NAME             of a file with several arrays: the one to write; --rate N: the samples a second of a sound\n"
         "  --run TAG                of event files: the session run (RunMetadata) with that tag, as .pb or .pbtxt\n\n"
         "OUT - is standard output (graphs only).\n";
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
                                          {"--run", true},
                                          {"--opset", true},
                                          {"--array", true},
                                          {"--labels", true},
                                          {"--rate", true}});
  if (!arguments.ok()) return usageError("convert", arguments.error().message);
  if (arguments->positional().size() != 2) return usageError("convert", "an input and an output are needed");
  const std::string &from = arguments->positional()[0], &to = arguments->positional()[1];
  std::string format = arguments->value("--to").value_or(formatOf(to));
  if (format.empty()) {
    if (inspectPath(from).kind != "checkpoint") return usageError("convert", "the output's name does not say its format: give --to");
    format = "v2";
  }
  if (arguments->has("--outputs") && (format == "pb" || format == "pbtxt")) format = "frozen";
  if (format == "frozen") {
    if (arguments->value("--outputs").value_or("").empty()) return usageError("convert", "freezing needs --outputs NAME,NAME…");
    const auto info = posixFileSystem().stat(from);
    if (arguments->value("--restore").value_or("").empty() && !(info.ok() && info->isFolder)) return usageError("convert", "freezing needs --restore PREFIX");
  }
  if (format == "wav" && !arguments->has("--rate")) return usageError("convert", "a sound needs --rate, its samples a second");
  if (const std::string why = whyNotOptions(*arguments, format); !why.empty()) return usageError("convert", why);
  const FileKind* kind = fileKindOf(from);
  Status status = convertTo({from, to, format, *arguments, kind ? kind->name : ""});
  if (status.ok()) return kDone;
  if (status.error().file.empty()) status.error().inFile(from);
  return complain(status.error());
}

}  // namespace

extern const Command kConvertCommand;
const Command kConvertCommand{"convert", "write a graph or checkpoint in another form",
                              [] {
                                static const std::string text = usageText();
                                return text.c_str();
                              }(),
                              runConvert};

}  // namespace weft::cli
