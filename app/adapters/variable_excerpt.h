#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft::app {

/// A node on the path from a variable to its use.
struct ExcerptNode {
  QString name, title, detail;  ///< detail: the most useful short fact, "5×5 SAME".
  QString category;             ///< Hue: "nn", "math", "variable".
  bool isVariable = false;
};

/// The graph around one variable.
struct VariableExcerpt {
  QVector<ExcerptNode> chain;  ///< The variable, the op that reads it, the reader of that op's output; empty: the graph has no such variable.
  QStringList otherReaders;    ///< Further ops that compute with it.
  QString optimizer;           ///< "Adam"; empty: nothing updates it.
};

/// `variable`: the checkpoint's name for it. A read through identities counts as a read of the variable; gradients, savers and initializers are left out.
/// Milliseconds for graphs of 100,000 nodes; any thread.
VariableExcerpt excerptOf(const GraphContents& contents, const QString& variable);

}  // namespace weft::app
