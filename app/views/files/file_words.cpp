#include "views/files/file_words.h"

#include <QCoreApplication>
#include <QJsonArray>

#include "adapters/file_kinds.h"

namespace weft::app {
namespace {

struct FileWords {
  Q_DECLARE_TR_FUNCTIONS(FileWords)
};

}  // namespace

QString fileKindText(const FileContents& contents) {
  const QString name = fileKindTitle(contents.kind);
  return contents.report.contains(QLatin1String("format")) && contents.kind == QLatin1String("checkpoint")
             ? name + u' ' + contents.report.value(QLatin1String("format")).toString()
             : name;
}

QString fileKindDoc(const FileContents& contents) {
  QString doc = fileKindSentence(contents.kind);
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
