// Edits of a graph as values: made on the GUI thread, run on another one.
#pragma once

#include <QPointF>
#include <QString>
#include <QStringList>
#include <functional>
#include <memory>

#include "adapters/graph_contents.h"

namespace weft::app {

/// The result of an edit: the new graph, or an error sentence.
struct EditOutcome {
  std::shared_ptr<const EngineGraph> graph;
  QString error;
  QStringList select;  ///< Nodes to select afterwards; empty: the selection stays.
  QString note;        ///< For the log: side effects of the edit ("training was added again").
};

/// One step of the undo history.
struct GraphEdit {
  QString text;                                        ///< "Add MatMul", as the Edit menu shows it.
  std::function<EditOutcome(const EngineGraph&)> run;  ///< Any thread.
};

/// The edit for an action with its words: `graph.add MatMul --name m`. `selection` is used where no names are given. Null `run`: `error` says what is wrong
/// with the words.
struct ParsedEdit {
  GraphEdit edit;
  QString error;
};
/// `folder`: the document's, for relative paths of data.
ParsedEdit editFromWords(const QString& action, const QStringList& arguments, const QStringList& selection, const QString& folder);
/// Actions that editFromWords() accepts.
QStringList editActions();

/// Sets an attribute, the device, the name or the scope of many nodes, as graph.set-all does: all or none. `value` may hold {name}, {last}, {scope}, {op}, {device}
/// and {n}. `replaced` not empty: that text in the present values is replaced by `value`.
GraphEdit setAllOf(const QStringList& names, const QString& key, const QString& value, const QString& replaced);
/// A value of a node: an attribute, "name", "scope" or "device".
struct NodeValue {
  QString node, key, value;
};
/// Sets each value as it stands, in one step.
GraphEdit setEach(const QVector<NodeValue>& values);

/// Pastes the nodes of the clipboard's text into the scope `into` (empty: where they come from).
GraphEdit pasteEdit(const QString& clip, const QString& into);
/// The named nodes and scopes as a text GraphDef.
QString copyText(const GraphContents& contents, const QStringList& names, QString* error);

/// The inputs and outputs of a node or layer.
struct NodePorts {
  struct Port {
    QString name, dtype, shape, doc;
    QString source;     ///< Inputs: "conv1/Relu:0"; empty: open.
    bool list = false;  ///< Takes any number of wires: connect to "NODE:NAME+".
    QString place;      ///< The port in `graph.connect`: "MatMul:1".
  };
  QVector<Port> inputs, outputs;
};
NodePorts nodePorts(const GraphContents& contents, const QString& nodeOrLayer);
/// A type that can be added with one of its ports already connected.
struct FittingType {
  QString type;   ///< The type in `graph.add`: "MatMul", "layers.dense".
  QString port;   ///< The connected input (or output).
  QString shape;  ///< The resulting shape, where known: `?×10`.
};
/// Types whose first input fits `tensor`, layers first.
QVector<FittingType> fittingTypes(const GraphContents& contents, const QString& tensor);

}  // namespace weft::app
