#include "adapters/file_kinds.h"

#include <QCoreApplication>
#include <algorithm>

#include "weft/file_kinds.h"

namespace weft::app {
namespace {

QString translatedKind(const char* text) { return QCoreApplication::translate("FileKinds", text); }

QStringList endingsOf(const FileKind& kind) { return QString::fromUtf8(kind.endings).split(u' ', Qt::SkipEmptyParts); }

bool isPictureOrSound(const FileKind& kind) { return kind.look != ArrayLook::Values; }

QStringList patternsOf(bool (*wanted)(const FileKind&)) {
  QStringList out;
  for (const FileKind* kind : fileKinds())
    if (wanted(*kind))
      for (const QString& ending : endingsOf(*kind)) out << u'*' + ending;
  return out;
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

QStringList graphPatterns() {
  return patternsOf([](const FileKind& kind) { return kind.hasGraph; });
}

QStringList modelPatterns() {
  return patternsOf([](const FileKind& kind) { return kind.isRebuilt(); });
}

QStringList arrayPatterns() {
  return patternsOf([](const FileKind& kind) { return kind.hasArrays; });
}

QStringList endingsOf(FileGroup group) {
  QStringList out, vague{QStringLiteral(".bin")};
  for (const FileKind* kind : fileKinds())
    if ((kind->hasGraph && !kind->isRebuilt()) || std::string_view(kind->name) == "checkpoint") vague << endingsOf(*kind);
  for (const FileKind* kind : fileKinds()) {
    const bool isModel = kind->isRebuilt();
    const FileGroup its = isModel ? FileGroup::OtherModels : isPictureOrSound(*kind) ? FileGroup::Media : FileGroup::Arrays;
    const QString ending = endingsOf(*kind).value(0);
    // Ends that say little (".bin", ".pb" of an ONNX tensor) or are whole names are left out.
    if (its != group || !(isModel || kind->hasArrays) || !ending.startsWith(u'.') || vague.contains(ending) || out.contains(ending)) continue;
    out << ending;
  }
  return out;
}

bool opensAsGraph(const QString& fileName) {
  const QStringList patterns = graphPatterns();
  return std::any_of(patterns.begin(), patterns.end(), [&](const QString& pattern) { return fileName.endsWith(pattern.mid(1)); });
}

}  // namespace weft::app
