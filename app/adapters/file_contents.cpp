#include "adapters/file_contents.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

#include "adapters/border.h"
#include "adapters/engine_graph.h"
#include "adapters/file_engine.h"
#include "adapters/tasks.h"
#include "weft/debug_dump.h"
#include "weft/defects.h"
#include "weft/file_kinds.h"
#include "weft/hdf5.h"
#include "weft/inspect.h"

namespace weft::app {
namespace {

struct FileText {
  Q_DECLARE_TR_FUNCTIONS(FileContents)
};

FilePart part(FilePart::Role role, const QString& path) {
  const QFileInfo info(path);
  return {role, path, info.exists() ? info.size() : 0, info.exists()};
}

void addIfExists(FileContents& contents, FilePart::Role role, const QString& path) {
  if (QFileInfo(path).isFile()) contents.parts << part(role, path);
}

/// The checkpoint prefix for an index or data file; any other path is returned unchanged.
QString prefixOf(const QString& path) {
  static const QRegularExpression data(QStringLiteral("\\.data-\\d{5}-of-\\d{5}$")), shard(QStringLiteral("-\\d{5}-of-\\d{5}$"));
  if (path.endsWith(QLatin1String(".index"))) return path.chopped(6);
  if (const auto m = data.match(path); m.hasMatch()) return path.left(m.capturedStart());
  if (const auto m = shard.match(path); m.hasMatch()) return path.left(m.capturedStart());
  return path;
}

/// Checkpoint prefixes in a folder, offered for a path that does not exist: a typo, or a step that was deleted.
QStringList checkpointsIn(const QString& folder) {
  QStringList found;
  for (const QString& name : QDir(folder).entryList({QStringLiteral("*.index")}, QDir::Files, QDir::Name)) found << name.chopped(6);
  return found;
}

/// Describes data files that the index refers to and that are missing.
QString missingText(const FileContents& contents) {
  QStringList missing;
  for (const FilePart& p : contents.parts)
    if (p.role == FilePart::Role::Data && !p.present) missing << QFileInfo(p.path).fileName();
  if (missing.isEmpty()) return {};
  return FileText::tr("%n data file(s) missing (%1): names, types and shapes can be read, values cannot.", nullptr, int(missing.size()))
      .arg(missing.size() > 3 ? missing.mid(0, 3).join(QStringLiteral(", ")) + QStringLiteral(", …") : missing.join(QStringLiteral(", ")));
}

/// The local file system, with reads that fail once the task is cancelled, so that every reader of a long file can be stopped.
class TaskFiles : public FileSystem {
 public:
  explicit TaskFiles(TaskState& task) : task_(task), files_(posixFileSystem()) {}
  Result<std::unique_ptr<ReadableFile>> openForReading(const std::string& path) override {
    WEFT_LET(auto file, files_.openForReading(path));
    return std::unique_ptr<ReadableFile>(new File(task_, std::move(file)));
  }
  Result<std::unique_ptr<WritableFile>> create(const std::string& path) override { return files_.create(path); }
  Result<std::unique_ptr<WritableFile>> openForAppending(const std::string& path) override { return files_.openForAppending(path); }
  Result<FileInfo> stat(const std::string& path) override { return files_.stat(path); }
  Result<std::vector<std::string>> list(const std::string& folder) override { return files_.list(folder); }
  Status makeFolders(const std::string& path) override { return files_.makeFolders(path); }
  Status rename(const std::string& from, const std::string& to) override { return files_.rename(from, to); }
  std::string target(const std::string& path) override { return files_.target(path); }
  Status remove(const std::string& path) override { return files_.remove(path); }
  Status syncFolder(const std::string& path) override { return files_.syncFolder(path); }

 private:
  class File : public ReadableFile {
   public:
    File(TaskState& task, std::unique_ptr<ReadableFile> file) : task_(task), file_(std::move(file)) {}
    Result<size_t> read(uint64_t offset, void* into, size_t bytes) override {
      if (task_.cancelled.load(std::memory_order_relaxed)) return cancelledError("opening was cancelled");
      return file_->read(offset, into, bytes);
    }
    Result<uint64_t> size() override { return file_->size(); }

   private:
    TaskState& task_;
    std::unique_ptr<ReadableFile> file_;
  };
  TaskState& task_;
  FileSystem& files_;
};

std::shared_ptr<FileContents> checkpointContents(const QString& prefix) {
  auto contents = std::make_shared<FileContents>();
  contents->path = prefix;
  contents->kind = QStringLiteral("checkpoint");
  auto reader = CheckpointReader::open(prefix.toStdString());
  if (!reader.ok()) {
    contents->problem = errorText(reader.error());
    addIfExists(*contents, FilePart::Role::Index, prefix + QStringLiteral(".index"));
    addIfExists(*contents, FilePart::Role::CheckpointV1, prefix);
  } else {
    const bool v2 = (*reader)->version() == 2;
    if (v2) contents->parts << part(FilePart::Role::Index, prefix + QStringLiteral(".index"));
    for (const std::string& file : (*reader)->dataFiles()) contents->parts << part(v2 ? FilePart::Role::Data : FilePart::Role::CheckpointV1, text(file));
    contents->report = {{QStringLiteral("format"), v2 ? QStringLiteral("V2") : QStringLiteral("V1")}, {QStringLiteral("shards"), (*reader)->shards()}};
    contents->problem = missingText(*contents);
    contents->tensors = std::make_shared<CheckpointTensors>(std::move(*reader));
  }
  addIfExists(*contents, FilePart::Role::Meta, prefix + QStringLiteral(".meta"));
  addIfExists(*contents, FilePart::Role::Progress, prefix + QStringLiteral(".weft-state"));
  const QString folder = QFileInfo(prefix).path();
  addIfExists(*contents, FilePart::Role::State, folder + QStringLiteral("/checkpoint"));
  if (auto state = readCheckpointState(folder.toStdString()); state.ok()) {
    for (const std::string& stored : state->all)
      if (const auto found = resolveCheckpoint(folder.toStdString(), stored)) contents->siblings << QDir::cleanPath(text(*found));
    contents->siblings.removeDuplicates();
  }
  for (const FilePart& p : contents->parts)
    if (p.role != FilePart::Role::State) contents->bytes += p.bytes;
  return contents;
}

/// Reads the arrays of a file of a kind that has some; sets `error` on failure.
FileTensorsPtr arraysOf(const QString& path, const QString& kind, FileSystem& files, QString* error) {
  const FileKind* known = findFileKind(kind.toStdString());
  if (!known || !known->hasArrays) return nullptr;
  auto arrays = readArrays(path.toStdString(), nullptr, &files);
  if (!arrays.ok()) {
    *error = errorText(arrays.error());
    return nullptr;
  }
  for (auto& [name, array] : *arrays)
    if (name.empty()) name = QFileInfo(path).completeBaseName().toStdString();
  return std::make_shared<ArrayTensors>(std::move(*arrays));
}

/// Datasets of an HDF5 file.
class Hdf5Tensors : public FileTensors {
 public:
  explicit Hdf5Tensors(std::unique_ptr<Hdf5Reader> reader) : reader_(std::move(reader)) {
    for (const Hdf5Dataset& d : reader_->datasets()) {
      TensorEntry e;
      e.name = text(d.name);
      e.dtype = text(d.dtype);
      for (const int64_t dim : d.shape.dims()) e.shape << dim;
      e.elements = d.shape.elements();
      static const QRegularExpression width(QStringLiteral("(\\d+)$"));
      if (const auto m = width.match(e.dtype); m.hasMatch()) e.bytes = e.elements * m.captured(1).toInt() / 8;
      else if (d.dtype == "bool") e.bytes = e.elements;
      if (e.name.startsWith(QLatin1String("optimizer_weights/"))) e.role = TensorRole::Slot;
      entries_ << e;
    }
  }
  TensorRead read(int index) const override {
    auto tensor = reader_->read(size_t(index));
    if (!tensor.ok()) return {nullptr, errorText(tensor.error())};
    return {wrapTensor(std::move(*tensor)), {}};
  }

 private:
  std::unique_ptr<Hdf5Reader> reader_;
};

/// Tensors that TensorFlow's debugger dumped, in the order of their times.
class DumpTensors : public FileTensors {
 public:
  explicit DumpTensors(DebugDump dump) : dump_(std::move(dump)) {
    for (const DumpedTensor& d : dump_.tensors()) {
      TensorEntry e;
      e.name = text(d.name);
      e.dtype = d.dtype == DType::Invalid ? QStringLiteral("?") : text(dtypeName(d.dtype));
      for (int k = 0; d.shape.hasRank() && k < d.shape.rank(); ++k) e.shape << d.shape.dims()[size_t(k)];
      e.elements = d.hasValue ? std::max<qint64>(0, d.shape.elements()) : 0;
      e.bytes = d.dtype == DType::String || d.dtype == DType::Invalid ? -1 : e.elements * qint64(sizeOf(d.dtype));
      const QDateTime time = QDateTime::fromMSecsSinceEpoch(d.micros / 1000);
      e.origin = text(d.device) + QStringLiteral(" · ") + time.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz")) +
                 QStringLiteral("%1").arg(int(std::abs(d.micros % 1000)), 3, 10, QLatin1Char('0'));
      entries_ << e;
    }
  }
  TensorRead read(int index) const override {
    auto tensor = dump_.read(size_t(index));
    if (!tensor.ok()) return {nullptr, errorText(tensor.error())};
    return {wrapTensor(std::move(*tensor)), {}};
  }

 private:
  DebugDump dump_;
};

/// The tensors of a dump, which are read one by one; sets `error` on failure.
FileTensorsPtr tensorsOfDump(const QString& path, FileSystem& files, QString* error) {
  auto dump = DebugDump::open(path.toStdString(), &files);
  if (!dump.ok()) {
    *error = errorText(dump.error());
    return nullptr;
  }
  dump->readWith(posixFileSystem());
  if (dump->tensors().empty()) return nullptr;
  return std::make_shared<DumpTensors>(std::move(*dump));
}

/// The checkpoint that a path refers to: a prefix, one of its files, a state file, or a folder with one. Empty: none.
QString checkpointOf(const QString& path) {
  const QFileInfo info(path);
  const QString prefix = prefixOf(path);
  if (prefix != path && checkpointExists(prefix.toStdString())) return prefix;
  if (!info.exists()) return checkpointExists(path.toStdString()) ? path : QString();
  if (info.isDir()) {
    if (QFileInfo::exists(path + QStringLiteral("/saved_model.pb")) || QFileInfo::exists(path + QStringLiteral("/saved_model.pbtxt"))) return {};
    const auto latest = latestCheckpoint(path.toStdString());
    if (latest) return text(*latest);
    // Copied without its state file: take the newest index.
    const QFileInfoList all = QDir(path).entryInfoList({QStringLiteral("*.index")}, QDir::Files, QDir::Time);
    return all.isEmpty() ? QString() : all.first().filePath().chopped(6);
  }
  return {};
}

FileContentsPtr stateContents(const QString& path, const Inspection& found) {
  const auto latest = latestCheckpoint(QFileInfo(path).path().toStdString(), QFileInfo(path).fileName().toStdString());
  if (latest) return checkpointContents(QDir::cleanPath(text(*latest)));
  auto contents = std::make_shared<FileContents>();
  contents->path = path;
  contents->kind = QStringLiteral("checkpoint_state");
  contents->report = QJsonDocument::fromJson(QByteArray::fromStdString(found.json)).object();
  contents->parts << part(FilePart::Role::State, path);
  contents->bytes = contents->parts.first().bytes;
  const QStringList near = checkpointsIn(QFileInfo(path).path());
  contents->problem = !found.status.ok() ? text(found.status.error().message)
                      : near.isEmpty()
                          ? FileText::tr("The newest checkpoint listed, %1, is missing.").arg(contents->report.value(QLatin1String("latest")).toString())
                          : FileText::tr("The newest checkpoint listed, %1, is missing. This folder contains: %2.")
                                .arg(contents->report.value(QLatin1String("latest")).toString(), near.mid(0, 5).join(QStringLiteral(", ")));
  return contents;
}

/// The graph of a model of another format, as a document.
OpenOutcome importedGraph(const QString& model, OpenedModel opened) {
  OpenOutcome out;
  const QString failure = failureOf([&] {
    if (!opened.graph.ok()) out.error = errorText(opened.graph.error());
    else out.contents = makeContents(std::move(*opened.graph));
    for (const std::string& warning : opened.warnings) out.warnings << text(warning);
  });
  if (!failure.isEmpty()) return {nullptr, model + QStringLiteral(": ") + failure, {}};
  return out;
}

}  // namespace

FileOutcome openAnyFile(const QString& path, TaskState& task) {
  const std::string file = path.toStdString();
  if (const QString prefix = checkpointOf(path); !prefix.isEmpty()) return {{}, checkpointContents(prefix), {}};
  if (isGraphFile(file)) return {openGraphFile(path, task), nullptr, {}};
  if (task.cancelled) return {};
  TaskFiles files(task);
  std::optional<OpenedModel> rebuilt;
  InspectOptions options;
  options.files = &files;
  options.model = &rebuilt;
  // A table is read once, below.
  const FileKind* table = path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive) ? fileKindOf(file, &files) : nullptr;
  const bool csv = table && std::string_view(table->name) == "csv";
  const Inspection found = csv ? Inspection{"{}", {}, "csv", {}} : inspectPath(file, options);
  if (task.cancelled) return {};
  const QString kind = text(found.kind);
  if (kind.isEmpty() || kind == QLatin1String("empty")) {
    if (kind == QLatin1String("empty")) return {{}, nullptr, FileText::tr("%1: the file is empty.").arg(path)};
    const QStringList near = QFileInfo::exists(path) ? QStringList() : checkpointsIn(QFileInfo(path).path());
    QString error = path + QStringLiteral(": ") + text(found.status.error().message);
    if (!near.isEmpty()) error += QStringLiteral("; ") + FileText::tr("checkpoints in this folder: %1").arg(near.mid(0, 5).join(QStringLiteral(", ")));
    return {{}, nullptr, error};
  }
  // It could not be read a moment ago.
  if (kind == QLatin1String("graphdef") || kind == QLatin1String("metagraph")) return {openGraphFile(path, task), nullptr, {}};
  // V1 checkpoints may have any name; they are recognized by content.
  if (kind == QLatin1String("checkpoint")) return {{}, checkpointContents(prefixOf(path)), {}};
  if (kind == QLatin1String("checkpoint_state")) return {{}, stateContents(path, found), {}};
  auto contents = std::make_shared<FileContents>();
  contents->path = path;
  contents->kind = kind;
  contents->report = QJsonDocument::fromJson(QByteArray::fromStdString(found.json)).object();
  contents->bytes = csv ? QFileInfo(path).size() : qint64(contents->report.value(QLatin1String("bytes")).toDouble());
  if (!found.status.ok()) contents->problem = text(found.status.error().message);
  if (kind == QLatin1String("checkpoint_shard")) {
    contents->problem = FileText::tr("This file holds checkpoint values, but its index %1 is missing; without it the values cannot be located.")
                            .arg(QFileInfo(prefixOf(path)).fileName() + QStringLiteral(".index"));
    contents->parts << part(FilePart::Role::Data, path) << part(FilePart::Role::Index, prefixOf(path) + QStringLiteral(".index"));
  }
  if (kind == QLatin1String("tfrecord")) {
    QString error;
    contents->records = openRecords(path, task, &error);
    if (contents->problem.isEmpty()) contents->problem = error;
    return {{}, contents, {}};
  }
  if (kind == QLatin1String("projector_config")) {
    QString error;
    contents->projector = openProjector(path, &error);
    if (contents->problem.isEmpty()) contents->problem = error;
    return {{}, contents, {}};
  }
  if (kind == QLatin1String("keras_h5")) {
    auto reader = rebuilt ? Hdf5Reader::fromBytes(rebuilt->bytes) : Hdf5Reader::open(file, &files);
    if (reader.ok() && !(*reader)->datasets().empty()) {
      contents->tensors = std::make_shared<Hdf5Tensors>(std::move(*reader));
      // HDF5 from another program: its arrays can still be shown.
      if (!found.status.ok() && found.status.error().kind == "unrecognized") contents->problem.clear();
    }
    // A file of weights alone has no graph.
    const bool model = contents->problem.isEmpty() && contents->report.value(QLatin1String("class_name")).isString();
    if (!model || task.cancelled) return {{}, contents, {}};
    OpenOutcome graph = rebuilt ? importedGraph(path, std::move(*rebuilt)) : openModelGraph(path, 0);
    // The weights can be looked at all the same.
    if (!graph.contents)
      graph = {nullptr,
               {},
               {FileText::tr("its layers cannot be opened as a graph: %1").arg(graph.error.startsWith(path) ? graph.error.mid(path.size() + 2) : graph.error)}};
    return {graph, contents, {}};
  }
  if (kind == QLatin1String("tfdbg_dump")) {
    if (contents->problem.isEmpty()) contents->tensors = tensorsOfDump(path, files, &contents->problem);
    return {{}, contents, {}};
  }
  if (contents->problem.isEmpty()) contents->tensors = arraysOf(path, kind, files, &contents->problem);
  if (contents->problem.isEmpty() && !graphsOfModel(*contents).isEmpty() && !task.cancelled)
    return {rebuilt ? importedGraph(path, std::move(*rebuilt)) : openModelGraph(path, mainGraphOf(*contents)), contents, {}};
  if (csv && contents->tensors && contents->tensors->entries().isEmpty()) contents->problem = FileText::tr("The table is empty.");
  return {{}, contents, {}};
}

QStringList graphsOfModel(const FileContents& model) {
  QStringList out;
  if (model.kind != QLatin1String("savedmodel")) {
    const FileKind* kind = findFileKind(model.kind.toStdString());
    const bool own = model.kind == QLatin1String("graphdef") || model.kind == QLatin1String("metagraph");  // no model around the graph
    return kind && kind->hasGraph && !own ? QStringList{QString()} : out;
  }
  for (const QJsonValue& graph : model.report.value(QLatin1String("meta_graphs")).toArray()) {
    QStringList tags;
    for (const QJsonValue& tag : graph.toObject().value(QLatin1String("tags")).toArray()) tags << tag.toString();
    out << tags.join(QStringLiteral(", "));
  }
  return out;
}

int mainGraphOf(const FileContents& model) {
  const QStringList graphs = graphsOfModel(model);
  const auto serves = [](const QString& tags) { return tags.split(QStringLiteral(", ")).contains(QStringLiteral("serve")); };
  const auto it = std::find_if(graphs.begin(), graphs.end(), serves);
  return it == graphs.end() ? 0 : int(it - graphs.begin());
}

QString variablesOf(const FileContents& model) {
  if (model.kind != QLatin1String("savedmodel")) return {};
  const QFileInfo info(model.path);
  const QString prefix = (info.isDir() ? model.path : info.path()) + QStringLiteral("/variables/variables");
  return QFileInfo::exists(prefix + QStringLiteral(".index")) ? prefix : QString();
}

OpenOutcome openModelGraph(const QString& model, int metaGraph) {
  std::string file = model.toStdString();
  FileSystem& files = posixFileSystem();
  if (const FileKind* kind = fileKindOf(file); kind && kind->isRebuilt()) {
    OpenedModel opened{Error{}, {}, nullptr};
    opened.graph = weft::openModelGraph(file, &opened.warnings);
    return importedGraph(model, std::move(opened));
  }
  if (QFileInfo(model).isDir()) file = joinPath(file, files.exists(joinPath(file, "saved_model.pb")) ? "saved_model.pb" : "saved_model.pbtxt");
  const auto failed = [&](Error error) { return OpenOutcome{nullptr, errorText(error.inFile(file)), {}}; };
  const auto bytes = files.readAll(file);
  if (!bytes.ok()) return failed(bytes.error());
  OpenOutcome out;
  const QString failure = failureOf([&] {
    auto meta = convertGraphBytes(*bytes, "meta", metaGraph);
    auto loaded = meta.ok() ? openGraphBytes(std::make_shared<const std::string>(std::move(*meta)), file) : Result<LoadedGraph>(meta.error());
    if (!loaded.ok()) out = failed(loaded.error());
    else out.contents = makeContents(std::move(*loaded));
  });
  if (!failure.isEmpty()) return {nullptr, model + QStringLiteral(": ") + failure, {}};
  return out;
}

FileTensorsPtr openTensors(const QString& path, QString* prefix, QString* error) {
  TaskState task;
  const FileOutcome outcome = openAnyFile(path, task);
  if (outcome.file && outcome.file->tensors) {
    *prefix = outcome.file->path;
    return outcome.file->tensors;
  }
  *error = !outcome.error.isEmpty()                           ? outcome.error
           : outcome.file && !outcome.file->problem.isEmpty() ? path + QStringLiteral(": ") + outcome.file->problem
                                                              : FileText::tr("%1 contains no variables or arrays.").arg(path);
  return nullptr;
}

}  // namespace weft::app
