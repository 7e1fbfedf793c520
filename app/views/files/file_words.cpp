#include "views/files/file_words.h"

#include <QCoreApplication>
#include <QHash>
#include <QJsonArray>

namespace weft::app {
namespace {

struct FileWords {
  Q_DECLARE_TR_FUNCTIONS(FileWords)
};

struct KindWords {
  const char* name;
  const char* doc;
};

const KindWords* wordsOf(const QString& kind) {
  static const QHash<QString, KindWords> all = {
      {QStringLiteral("checkpoint"),
       {QT_TRANSLATE_NOOP("FileWords", "Checkpoint"), QT_TRANSLATE_NOOP("FileWords", "Variable values, as written by Saver. The graph is not included.")}},
      {QStringLiteral("checkpoint_state"),
       {QT_TRANSLATE_NOOP("FileWords", "Checkpoint state"), QT_TRANSLATE_NOOP("FileWords", "Lists the checkpoints in a folder and names the newest.")}},
      {QStringLiteral("checkpoint_shard"),
       {QT_TRANSLATE_NOOP("FileWords", "Checkpoint data"), QT_TRANSLATE_NOOP("FileWords", "The bytes of the variables; the index file describes them.")}},
      {QStringLiteral("savedmodel"),
       {QT_TRANSLATE_NOOP("FileWords", "SavedModel"), QT_TRANSLATE_NOOP("FileWords", "Graphs with signatures, variables and assets, for serving.")}},
      {QStringLiteral("tfrecord"),
       {QT_TRANSLATE_NOOP("FileWords", "TFRecord"), QT_TRANSLATE_NOOP("FileWords", "A sequence of records, usually of type tf.train.Example.")}},
      {QStringLiteral("events"), {QT_TRANSLATE_NOOP("FileWords", "Event file"), QT_TRANSLATE_NOOP("FileWords", "Summaries of a run, as read by TensorBoard.")}},
      {QStringLiteral("logdir"), {QT_TRANSLATE_NOOP("FileWords", "Log folder"), QT_TRANSLATE_NOOP("FileWords", "Event files of one or more runs.")}},
      {QStringLiteral("npy"), {QT_TRANSLATE_NOOP("FileWords", "NumPy array"), QT_TRANSLATE_NOOP("FileWords", "One array.")}},
      {QStringLiteral("npz"), {QT_TRANSLATE_NOOP("FileWords", "NumPy arrays"), QT_TRANSLATE_NOOP("FileWords", "Several arrays in one archive.")}},
      {QStringLiteral("idx"), {QT_TRANSLATE_NOOP("FileWords", "IDX array"), QT_TRANSLATE_NOOP("FileWords", "Images or labels in the format of MNIST.")}},
      {QStringLiteral("cifar10"), {QT_TRANSLATE_NOOP("FileWords", "CIFAR-10 batch"), QT_TRANSLATE_NOOP("FileWords", "32×32 pixel images with a label each.")}},
      {QStringLiteral("csv"), {QT_TRANSLATE_NOOP("FileWords", "CSV table"), QT_TRANSLATE_NOOP("FileWords", "One array per column.")}},
      {QStringLiteral("keras_h5"), {QT_TRANSLATE_NOOP("FileWords", "Keras HDF5"), QT_TRANSLATE_NOOP("FileWords", "Layers and weights of a Keras model.")}},
      {QStringLiteral("onnx"),
       {QT_TRANSLATE_NOOP("FileWords", "ONNX model"), QT_TRANSLATE_NOOP("FileWords", "A network in the exchange format ONNX; it opens as a graph.")}},
      {QStringLiteral("tflite"),
       {QT_TRANSLATE_NOOP("FileWords", "TFLite"), QT_TRANSLATE_NOOP("FileWords", "A model for mobile devices; its graph is not a TensorFlow graph.")}},
      {QStringLiteral("trace"), {QT_TRANSLATE_NOOP("FileWords", "Trace"), QT_TRANSLATE_NOOP("FileWords", "When each op ran, in Chrome's trace format.")}},
      {QStringLiteral("run_metadata"), {QT_TRANSLATE_NOOP("FileWords", "RunMetadata"), QT_TRANSLATE_NOOP("FileWords", "Times and memory use of one step.")}},
      {QStringLiteral("tfprof"), {QT_TRANSLATE_NOOP("FileWords", "Profile"), QT_TRANSLATE_NOOP("FileWords", "A tf.profiler recording of several steps.")}},
      {QStringLiteral("tfprof_oplog"), {QT_TRANSLATE_NOOP("FileWords", "Op log"), QT_TRANSLATE_NOOP("FileWords", "Cost and source lines of ops, for tfprof.")}},
      {QStringLiteral("tfdbg_dump"), {QT_TRANSLATE_NOOP("FileWords", "Debugger dump"), QT_TRANSLATE_NOOP("FileWords", "Tensors dumped by tfdbg.")}},
      {QStringLiteral("debugger_v2"),
       {QT_TRANSLATE_NOOP("FileWords", "Debugger V2 log"), QT_TRANSLATE_NOOP("FileWords", "A log of tf.debugging.experimental.")}},
      {QStringLiteral("projector_config"),
       {QT_TRANSLATE_NOOP("FileWords", "Projector"), QT_TRANSLATE_NOOP("FileWords", "The variables that TensorBoard's projector shows.")}},
  };
  const auto at = all.find(kind);
  return at == all.end() ? nullptr : &*at;
}

}  // namespace

QString fileKindText(const FileContents& contents) {
  const KindWords* words = wordsOf(contents.kind);
  if (!words) return contents.kind;
  const QString name = QCoreApplication::translate("FileWords", words->name);
  return contents.report.contains(QLatin1String("format")) && contents.kind == QLatin1String("checkpoint")
             ? name + u' ' + contents.report.value(QLatin1String("format")).toString()
             : name;
}

QString fileKindDoc(const FileContents& contents) {
  const KindWords* words = wordsOf(contents.kind);
  if (!words) return {};
  QString doc = QCoreApplication::translate("FileWords", words->doc);
  if (contents.kind == QLatin1String("keras_h5")) {
    const QString model = contents.report.value(QLatin1String("class_name")).toString(),
                  version = contents.report.value(QLatin1String("keras_version")).toString();
    const int layers = int(contents.report.value(QLatin1String("layers")).toArray().size());
    if (!model.isEmpty()) doc += u' ' + model + u'.';
    if (!version.isEmpty()) doc += QStringLiteral(" Keras %1.").arg(version);
    if (layers > 0) doc += u' ' + FileWords::tr("%n layer(s).", nullptr, layers);
  }
  return doc;
}

QString filePartDoc(FilePart::Role role) {
  switch (role) {
    case FilePart::Role::Index: return FileWords::tr("Index: names, types and shapes of all variables, and their locations in the data file.");
    case FilePart::Role::Data: return FileWords::tr("Data: the values themselves, in sequence. The index is needed to read them.");
    case FilePart::Role::CheckpointV1: return FileWords::tr("A checkpoint in the old format (V1): names and values in one file.");
    case FilePart::Role::Meta: return FileWords::tr("MetaGraph: the graph, its collections and its Saver. No values; import_meta_graph reads it.");
    case FilePart::Role::State:
      return FileWords::tr("State: a short text file that lists the newest checkpoint and those that are kept. latest_checkpoint reads it.");
    case FilePart::Role::Progress: return FileWords::tr("The state of Weft's training: random generators, sample order, step.");
    case FilePart::Role::Graph: return FileWords::tr("The graph with its signatures.");
    case FilePart::Role::Assets: return FileWords::tr("Files that the graph reads when it is loaded, such as vocabularies.");
    case FilePart::Role::Other: break;
  }
  return {};
}

}  // namespace weft::app
