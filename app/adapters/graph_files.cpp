#include "adapters/graph_files.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <optional>

#include "adapters/border.h"
#include "adapters/engine_graph.h"
#include "adapters/tasks.h"
#include "weft/defects.h"
#include "weft/file_system.h"
#include "weft/graph_text.h"
#include "weft/session.h"
#include "weft/templates.h"
#include "weft/train.h"

namespace weft::app {
namespace {

struct GraphFiles {
  Q_DECLARE_TR_FUNCTIONS(GraphFiles)
};

/// The format implied by the file name; empty for an unknown extension.
std::optional<GraphFormat> formatOf(const QString& path, GraphFormat read) {
  const QString name = QFileInfo(path).fileName().toLower();
  if (name.endsWith(QLatin1String(".weft.pbtxt"))) return GraphFormat::MetaText;
  if (name.endsWith(QLatin1String(".weft")) || name.endsWith(QLatin1String(".meta"))) return GraphFormat::MetaBinary;
  if (name.endsWith(QLatin1String(".pb"))) return GraphFormat::GraphBinary;
  // A text MetaGraphDef read from a .pbtxt keeps its format.
  if (name.endsWith(QLatin1String(".pbtxt"))) return read == GraphFormat::MetaText ? GraphFormat::MetaText : GraphFormat::GraphText;
  return std::nullopt;
}

/// Whether `path` has the extension of the file that the graph was read from, and that file still is text or binary as it was when read.
bool keepsForm(GraphFormat read, const QString& readFrom, const QString& path) {
  QFile file(readFrom);
  if (readFrom.isEmpty() || QFileInfo(readFrom).suffix().toLower() != QFileInfo(path).suffix().toLower() || !file.open(QFile::ReadOnly)) return false;
  const QByteArray start = file.read(512);
  // Binary messages contain tags and lengths, which are control characters that text does not have.
  const bool isText = std::none_of(start.begin(), start.end(), [](char c) { return uchar(c) < 0x20 && c != '\n' && c != '\r' && c != '\t'; });
  return isText == (read == GraphFormat::GraphText || read == GraphFormat::MetaText);
}

}  // namespace

OpenOutcome openGraphFile(const QString& path, TaskState& task) {
  OpenOutcome out;
  const QString failure = failureOf([&] {
    auto loaded = weft::openGraphFile(path.toStdString());
    if (!loaded.ok()) {
      Error error = loaded.error();
      out.error = errorText(error.inFile(path.toStdString()));
    } else if (!task.cancelled) {
      out.contents = makeContents(std::move(loaded).value());
    }
  });
  if (!failure.isEmpty()) return {nullptr, path + QStringLiteral(": ") + failure};
  return out;
}

QString saveGraph(const GraphContents& contents, const QString& path, const QString& readFrom) {
  const LoadedGraph& loaded = contents.engine->loaded;
  std::optional<GraphFormat> format = formatOf(path, loaded.format);
  if (format && keepsForm(loaded.format, readFrom, path)) format = loaded.format;
  if (!format) return GraphFiles::tr("%1: expected a file name ending in .weft, .weft.pbtxt, .meta, .pb or .pbtxt.").arg(path);
  const QFileInfo folder(QFileInfo(path).absolutePath());
  if (!folder.isDir())
    return GraphFiles::tr("%1 was not saved: the folder %2 does not exist. Choose another folder; nothing is lost.")
        .arg(QFileInfo(path).fileName(), folder.filePath());
  if (!folder.isWritable())
    return GraphFiles::tr("%1 was not saved: the folder %2 is not writable. Choose another folder; nothing is lost.")
        .arg(QFileInfo(path).fileName(), folder.filePath());
  // Unchanged since it was read: the same format gives the same bytes.
  const Status status = *format == loaded.format && loaded.original ? posixFileSystem().writeAtomically(path.toStdString(), *loaded.original)
                                                                    : saveGraphFile(loaded.meta, *format, path.toStdString());
  if (status.ok()) return {};
  Error error = status.error();
  return errorText(error.inFile(path.toStdString()));
}

// Texts of the engine, listed here for translation.
[[maybe_unused]] constexpr const char* kTemplateTexts[] = {
    QT_TRANSLATE_NOOP("Templates", "LeNet on digits"),
    QT_TRANSLATE_NOOP("Templates", "Two convolutional layers learn strokes; the accuracy climbs past 98 %."),
    QT_TRANSLATE_NOOP("Templates", "Residual network"),
    QT_TRANSLATE_NOOP("Templates", "Residual blocks, which add their output to their input, with batch normalization."),
    QT_TRANSLATE_NOOP("Templates", "LSTM on text"),
    QT_TRANSLATE_NOOP("Templates", "An LSTM in a while loop reads Shakespeare and predicts each next character."),
    QT_TRANSLATE_NOOP("Templates", "word2vec"),
    QT_TRANSLATE_NOOP("Templates", "Words that occur near each other get similar vectors."),
    QT_TRANSLATE_NOOP("Templates", "GAN"),
    QT_TRANSLATE_NOOP("Templates", "Generator and discriminator compete until noise turns into digits."),
    QT_TRANSLATE_NOOP("Templates", "Convolutional autoencoder"),
    QT_TRANSLATE_NOOP("Templates", "Compresses images to ten numbers and reconstructs them."),
    QT_TRANSLATE_NOOP("Templates", "Regression on a table"),
    QT_TRANSLATE_NOOP("Templates", "Predicts bike rentals from weather and hour; the error falls to a few dozen bikes."),
    QT_TRANSLATE_NOOP("Templates", "Classifier with embeddings"),
    QT_TRANSLATE_NOOP("Templates", "Jobs and education become embeddings; watch training and evaluation loss diverge."),
    QT_TRANSLATE_NOOP("Templates", "Softmax regression"),
    QT_TRANSLATE_NOOP("Templates", "One dense layer that classifies digits by a weighted sum of their pixels."),
    QT_TRANSLATE_NOOP("Templates", "Multi-layer perceptron"),
    QT_TRANSLATE_NOOP("Templates", "Two hidden layers of 64 and 32 units, trained by Adam."),
    QT_TRANSLATE_NOOP("Templates", "Convolutional network"),
    QT_TRANSLATE_NOOP("Templates", "Three convolutions with pooling and dropout: the classic architecture for digits."),
    QT_TRANSLATE_NOOP("Templates", "Autoencoder"),
    QT_TRANSLATE_NOOP("Templates", "Compresses each digit to eight numbers and reconstructs it."),
};

QVector<TemplateInfo> templates() {
  QVector<TemplateInfo> list;
  for (const api::Template& t : api::templates()) {
    list << TemplateInfo{text(t.name), QCoreApplication::translate("Templates", t.title.c_str()), QCoreApplication::translate("Templates", t.summary.c_str()),
                         t.shown, t.seconds};
  }
  return list;
}

OpenOutcome openTemplate(const QString& name) {
  if (name == QLatin1String("empty")) {
    LoadedGraph nothing;
    nothing.format = GraphFormat::MetaBinary;
    setDocumentInfo(nothing.meta, {});
    return {makeContents(std::move(nothing)), {}};
  }
  auto meta = api::buildTemplate(name.toStdString());
  if (!meta.ok()) return {nullptr, errorText(meta.error())};
  // Serialize and reload it as if it were a file, so that what is shown is what will be saved.
  auto bytes = serializeGraph(*meta, GraphFormat::MetaBinary);
  if (!bytes.ok()) return {nullptr, errorText(bytes.error())};
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(std::move(*bytes)), name.toStdString());
  if (!loaded.ok()) return {nullptr, errorText(loaded.error())};
  return {makeContents(std::move(loaded).value()), {}};
}

QString pythonText(const GraphContents& contents) { return text(graphToPython(contents.engine->loaded.meta.graph)); }
QString dotText(const GraphContents& contents, const QString& title) { return text(graphToDot(contents.engine->loaded.meta.graph, title.toStdString())); }

QString engineVersionText() { return text(engineVersion()); }

}  // namespace weft::app
