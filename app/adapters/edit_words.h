// Words of an editing action, split into names, options and settings. Only sources of this folder include it.
#pragma once

#include <QMap>
#include <QPair>
#include <QStringList>
#include <QVector>
#include <functional>

#include "adapters/graph_edit.h"
#include "weft/dataset.h"
#include "weft/error.h"

namespace weft {
class LayerEditor;
}

namespace weft::app {

struct EditWords {
  QStringList positional;  ///< Words that are neither options nor NAME=VALUE.
  QVector<QPair<QString, QString>> options;
  QVector<QPair<QString, QString>> bare;  ///< NAME=VALUE without --set
  QStringList selection;
  QString folder;        ///< The document's folder.
  bool columns = false;  ///< NAME=VALUE binds a placeholder to a column.

  /// Parses `--name x`, `--set a=b`, `a=b` and plain words. Returns an error sentence, or empty.
  QString read(const QStringList& words);
  QString option(const QString& name) const;
  bool has(const QString& name) const;
  QStringList all(const QString& name) const;
  QVector<QPair<QString, QString>> settings() const;
  /// The names given, else the selection.
  QStringList names() const { return positional.isEmpty() ? selection : positional; }
  bool point(const QString& name, double* x, double* y) const { return has(name) && pointFrom(option(name), x, y); }
  static bool pointFrom(const QString& text, double* x, double* y);
};

using EditChange = std::function<Status(LayerEditor&, EditOutcome&)>;
/// An edit that changes a copy of the graph and finishes it; the copy is discarded if anything fails.
GraphEdit makeEdit(const QString& name, EditChange change);
Status bindingFromWords(const EditWords& words, DatasetBinding* binding);
/// The binding of a built-in data set or a file. Batch, options and placeholders of the present binding are kept.
DatasetBinding bindingFor(const MetaGraph& meta, const QString& source);

}  // namespace weft::app
