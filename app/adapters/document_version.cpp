#include "adapters/document_version.h"

#include <QCoreApplication>

#include "adapters/engine_graph.h"
#include "weft/train.h"

namespace weft::app {
namespace {
struct DocumentVersion {
  Q_DECLARE_TR_FUNCTIONS(DocumentVersion)
};
}  // namespace

QString newerVersionText(const GraphContents& contents, const QString& title) {
  if (!contents.engine) return {};
  const auto info = documentInfoOf(contents.engine->loaded.meta);
  if (!info || info->schemaVersion <= DocumentInfo().schemaVersion) return {};
  return DocumentVersion::
      tr("%1 was made by a newer Weft (format %2; this one supports up to %3). Newer content is not shown and may be lost when the file is saved. The file is unchanged so far; save your changes under another name.")
          .arg(title)
          .arg(info->schemaVersion)
          .arg(DocumentInfo().schemaVersion);
}

}  // namespace weft::app
