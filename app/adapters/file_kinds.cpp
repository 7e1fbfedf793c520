#include "adapters/file_kinds.h"

#include <QCoreApplication>

#include "weft/file_kinds.h"

namespace weft::app {
namespace {

QString translatedKind(const char* text) { return QCoreApplication::translate("FileKinds", text); }

QStringList endingsOf(const FileKind& kind) { return QString::fromUtf8(kind.endings).split(u' ', Qt::SkipEmptyParts); }

bool isTensorFlows(const FileKind& kind) {
  const std::string_view name = kind.name;
  return name == "graphdef" || name == "metagraph" || name == "savedmodel";
}

}  // namespace

QString fileKindTitle(const QString& kind) {
  const FileKind* found = findFileKind(kind.toStdString());
  return found ? translatedKind(found->title) : kind;
}

QString fileKindSentence(const QString& kind) {
  const FileKind* found = findFileKind(kind.toStdString());
  return found ? translatedKind(found->doc) : QString();
}

QStringList modelPatterns() {
  QStringList out;
  for (const FileKind* kind : fileKinds()) {
    if (!kind->hasGraph || isTensorFlows(*kind)) continue;
    for (const QString& ending : endingsOf(*kind)) out << u'*' + ending;
  }
  return out;
}

bool opensAsGraph(const QString& fileName) {
  for (const FileKind* kind : fileKinds()) {
    if (!kind->hasGraph) continue;
    for (const QString& ending : endingsOf(*kind))
      if (fileName.endsWith(ending)) return true;
  }
  return false;
}

}  // namespace weft::app
