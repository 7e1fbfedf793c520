#pragma once

#include <QMultiHash>
#include <QString>
#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft::app {

/// The inspector's contents for one node or scope.
struct NodeDetails {
  struct Port {
    QString name;         ///< of the argument: "input"
    QString dtype;        ///< "float32"
    QString shape;        ///< "50×28×28×1"; "?" if not known
    QString other;        ///< inputs: the connected tensor ("conv1/Relu:0"); outputs: the nodes that read it
    QStringList targets;  ///< names of those nodes
    QString doc;
  };
  struct Attribute {
    QString name, type, value, doc;
    bool isDefault = false;
  };
  bool found = false, isScope = false, isKnownOp = false;
  QString name;      ///< full
  QString op;        ///< type of the op, or last part of the scope's name
  QString category;  ///< of the op's record
  widgets::OpCategory hue = widgets::OpCategory::Math;
  QString summary, description;
  QVector<Port> inputs, outputs;
  QStringList controls;
  QVector<Attribute> attributes;
  QString device;
  QString gradient;  ///< facts on its gradient, translated
  bool stateful = false;
  QString changes;  ///< State that it changes and that outlives the step; empty: none.
  // scopes
  int ops = 0;
  qint64 parameters = 0;
  QVector<QPair<QString, int>> opMix;  ///< Types by frequency.
};

/// Details of a node (`isScope` false) or scope by its full name. Cheap enough for the GUI thread.
NodeDetails nodeDetails(const GraphContents& contents, const QString& name, bool isScope);
/// The outputs of each node by index in GraphArrays, one text `float32 ?×10` per output, including outputs that nothing reads.
QMultiHash<int, QString> outputTexts(const GraphContents& contents);
/// Type and shape of a tensor in one line: "float32 50×10".
QString tensorText(const GraphContents& contents, const QString& tensor);

}  // namespace weft::app
