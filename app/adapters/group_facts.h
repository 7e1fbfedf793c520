#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"
#include "adapters/graph_edit.h"
#include "palette/palette_model.h"
#include "property_sheet/property.h"

namespace weft::app {

/// A group of a document or of a library, for display.
struct GroupFacts {
  QString name, doc;
  QString library;  ///< Path of its file; empty: of the document.
  qint64 version = 0;
  QStringList inputs, outputs;  ///< "input float32 [?,64]"
  QVector<widgets::Property> parameters;
  QStringList instances;  ///< Scopes, of the document.
  QStringList follows;    ///< "first.units = 2*units": fields inside that follow expressions, as the first instance has them.
};
/// Cheap enough for the GUI thread: bodies are not read.
QVector<GroupFacts> groupFacts(const GraphContents& contents);

/// The groups of a library file. Any thread.
struct GroupLibrary {
  QString path, error;
  QVector<GroupFacts> groups;
};
GroupLibrary readLibrary(const QString& path);
/// Writes groups of a document to a library; `names` empty: all. With `add`, the file's other groups stay. Returns an error sentence. Worker thread.
QString writeLibrary(const QString& path, const GraphContentsPtr& contents, const QStringList& names);

/// What the inspector shows of an instance.
struct InstanceFacts {
  bool found = false;
  QString group, doc;
  QVector<widgets::Property> parameters;  ///< Not `isDefault`: an override.
  QStringList aside;                      ///< "width = 4", of parameters that the group no longer has.
};
InstanceFacts instanceFacts(const GraphContents& contents, const QString& scope);
/// Parameters of several instances of one group, `mixed` where they differ; empty for anything else.
QVector<widgets::Property> instanceProperties(const GraphContents& contents, const QStringList& scopes);
/// Inputs and outputs of an instance; `source` of an output is the inner tensor. Empty: it is none.
NodePorts instancePorts(const GraphContents& contents, const QString& scope);
/// A place that may become a parameter of a group made of some nodes.
struct GroupPlace {
  QString name;   ///< "NODE.ATTRIBUTE" or "LAYER.PARAMETER", full.
  QString shown;  ///< The same without the common scope.
  QString value;
};
/// At most 400: parameters of layers, values of constants, then attributes that wires do not decide.
QVector<GroupPlace> groupPlaces(const GraphContents& contents, const QStringList& names);

/// Groups as palette items.
QVector<widgets::PaletteItem> groupItems(const QVector<GroupFacts>& groups);

}  // namespace weft::app
