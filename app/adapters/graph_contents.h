// An opened graph in Qt's and the widgets' terms. The engine's own graph is behind EngineGraph.
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>
#include <QVector>
#include <memory>
#include <vector>

#include "graph_view/memory_graph_model.h"

namespace weft::app {

class EngineGraph;  // adapters/engine_graph.h

/// A problem of a graph, as the Problems dock lists it.
struct Problem {
  enum class Severity { Error, Warning, Note };
  Severity severity = Severity::Error;
  QString node;  ///< Full name; empty: the whole graph.
  QString code;  ///< `shape`, `open-input`, `layer`, `uninitialized`, `labels-logits`, `unread`, `unknown-op`, …: stable, for scripts.
  QString message;
  QStringList fixes;                 ///< Possible fixes, in words.
  QVector<QStringList> fixCommands;  ///< The same fixes as actions with their words.
};

/// Totals for the status bar.
struct GraphSummary {
  int nodes = 0, scopes = 0, edges = 0, variables = 0;
  int unknownOps = 0;     ///< Nodes whose op the engine does not implement.
  qint64 parameters = 0;  ///< Elements of trainable variables (of all variables if the file does not list the trainable ones).
  qint64 parameterBytes = 0;
  double flops = 0;  ///< Of one execution of all ops whose cost and shapes are known.
};

/// A document's training settings (its `weft/training` and `weft/dataset` collections).
struct TrainingInfo {
  bool present = false;
  QString reason;                            ///< Why it cannot be trained, in a sentence for the user. Empty if it can.
  QString data;                              ///< The bound data set: "digits".
  qint64 trainSamples = 0, testSamples = 0;  ///< 0: unknown until the data is read.
  qint64 steps = 0, epochs = 0;
  bool rounds = false;  ///< Products are of operands rounded to bfloat16.
  int batchSize = 0;
  qint64 seed = 0;
  /// A number that may be changed during training.
  struct Live {
    QString name, tensor;
    double value = 0, minimum = 0, maximum = 0;  ///< No limits unless minimum < maximum.
    bool logarithmic = false;
  };
  QVector<Live> live;
};

/// The arrays that the canvas draws from.
struct GraphArrays {
  std::vector<widgets::MemoryGraphModel::Node> nodes;
  std::vector<widgets::MemoryGraphModel::Scope> scopes;
  std::vector<widgets::MemoryGraphModel::Edge> edges;
  QStringList nodeTips;           ///< One for each node.
  QHash<int, QString> scopeTips;  ///< Of layers.
  QHash<QString, int> nodeIndex, scopeIndex;
};

/// A graph as read or edited. Made on a worker thread, immutable afterwards, shared by documents, jobs and drawings.
struct GraphContents {
  std::shared_ptr<const EngineGraph> engine;
  GraphArrays arrays;
  GraphSummary summary;
  QVector<Problem> problems;
  TrainingInfo training;
  QString format;  ///< For display: "MetaGraphDef, binary".
};
using GraphContentsPtr = std::shared_ptr<const GraphContents>;

}  // namespace weft::app
