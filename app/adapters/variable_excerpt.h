#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft::app {

/// A node on the way from a variable to what is computed with it.
struct ExcerptNode {
  QString name, title, detail;  ///< detail: what is most worth knowing, "5×5 SAME".
  QString category;             ///< Hue: "nn", "math", "variable".
  bool isVariable = false;
};

/// The graph around one variable.
struct VariableExcerpt {
  QVector<ExcerptNode> chain;  ///< Variable, the op that reads it, what takes that op's output; empty: the graph has no such variable.
  QStringList otherReaders;    ///< Further ops that compute with it.
  QString optimizer;           ///< "Adam"; empty: nothing updates it.
};

/// `variable`: as the checkpoint names it. Reads behind identities count as reads of the variable; gradients, savers and initializers are left out.
/// Milliseconds for graphs of 100,000 nodes; any thread.
VariableExcerpt excerptOf(const GraphContents& contents, const QString& variable);

}  // namespace weft::app
