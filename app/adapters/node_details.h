#pragma once

#include <QMultiHash>
#include <QString>
#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft::app {

/// What the inspector says of one node or scope.
struct NodeDetails {
  struct Port {
    QString name;         ///< of the argument: "input"
    QString dtype;        ///< "float32"
    QString shape;        ///< "50×28×28×1"; "?" if not known
    QString other;        ///< inputs: the tensor that comes in ("conv1/Relu:0"); outputs: the nodes that take it
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
  QString gradient;  ///< what is known of its gradient, translated
  bool stateful = false;
  QString changes;  ///< What it changes that outlives the step; empty: nothing.
  // scopes
  int ops = 0;
  qint64 parameters = 0;
  QVector<QPair<QString, int>> opMix;  ///< Types by frequency.
};

/// Details of a node (`isScope` false) or scope by its full name. Cheap enough for the GUI thread.
NodeDetails nodeDetails(const GraphContents& contents, const QString& name, bool isScope);
/// Index of a node in GraphArrays → what it gives, as `float32 ?×10`, one text for each output, whether anything reads it or not.
QMultiHash<int, QString> outputTexts(const GraphContents& contents);
/// The tensor's known facts in one line: "float32 50×10".
QString tensorText(const GraphContents& contents, const QString& tensor);

}  // namespace weft::app
