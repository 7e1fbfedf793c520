// Changes of a graph as the IDE asks for them: values that are made on the GUI thread and carried out beside it.
#pragma once

#include <QPointF>
#include <QString>
#include <QStringList>
#include <functional>
#include <memory>

#include "adapters/graph_contents.h"

namespace weft::app {

/// What became of an edit: another graph, or one sentence on why not.
struct EditOutcome {
  std::shared_ptr<const EngineGraph> graph;
  QString error;
  QStringList select;  ///< What should be selected now; empty: as before.
  QString note;        ///< For the log: what else was done ("training was added again").
};

/// One step of the undo history.
struct GraphEdit {
  QString text;                                        ///< "Add MatMul", as it stands in the Edit menu.
  std::function<EditOutcome(const EngineGraph&)> run;  ///< Any thread.
};

/// The edit that an action with these words asks for: `graph.add MatMul --name m`. `selection` is meant where no names are given.
/// Null `run`: `error` says what is wrong with the words.
struct ParsedEdit {
  GraphEdit edit;
  QString error;
};
/// `folder`: of the document, for relative paths of data.
ParsedEdit editFromWords(const QString& action, const QStringList& arguments, const QStringList& selection, const QString& folder);
/// Actions that editFromWords() knows.
QStringList editActions();

/// Nodes of the clipboard's text into the scope `into` (empty: where they come from).
GraphEdit pasteEdit(const QString& clip, const QString& into);
/// The named nodes and scopes as a text GraphDef.
QString copyText(const GraphContents& contents, const QStringList& names, QString* error);

/// The ends of wires at a node or layer.
struct NodePorts {
  struct Port {
    QString name, dtype, shape, doc;
    QString source;     ///< Inputs: "conv1/Relu:0"; empty: open.
    bool list = false;  ///< May take more: connect to "NODE:NAME+".
    QString place;      ///< What `graph.connect` calls it: "MatMul:1".
  };
  QVector<Port> inputs, outputs;
};
NodePorts nodePorts(const GraphContents& contents, const QString& nodeOrLayer);
/// Something that can be added with a wire already at one of its ends.
struct FittingType {
  QString type;   ///< What `graph.add` takes: "MatMul", "layers.dense".
  QString port;   ///< The input (or output) that the wire goes to.
  QString shape;  ///< What comes out, as far as it is known: `?×10`.
};
/// Types that take `tensor` as their first fitting input, layers first.
QVector<FittingType> fittingTypes(const GraphContents& contents, const QString& tensor);

}  // namespace weft::app
