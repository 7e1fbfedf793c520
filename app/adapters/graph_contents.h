// What the IDE knows of an opened graph, in Qt's and the widgets' terms. The engine's own graph is behind EngineGraph.
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

/// Something about a graph that is not in order, as the Problems dock lists it.
struct Problem {
  enum class Severity { Error, Warning, Note };
  Severity severity = Severity::Error;
  QString node;  ///< Full name; empty: of the whole graph.
  QString code;  ///< `shape`, `open-input`, `layer`, `uninitialized`, `labels-logits`, `unread`, `unknown-op`, …: stable, for scripts.
  QString message;
  QStringList fixes;                 ///< What could be done, in words.
  QVector<QStringList> fixCommands;  ///< The same as actions with their words.
};

/// Totals for the status bar.
struct GraphSummary {
  int nodes = 0, scopes = 0, edges = 0, variables = 0;
  int unknownOps = 0;     ///< Nodes whose op the engine does not have.
  qint64 parameters = 0;  ///< Elements of trainable variables (of all, if the file does not say which those are).
  qint64 parameterBytes = 0;
  double flops = 0;  ///< Of one execution of all ops whose cost and shapes are known.
};

/// How a document wants to be trained (its `weft/training` and `weft/dataset` collections).
struct TrainingInfo {
  bool present = false;
  QString reason;                            ///< Why it cannot be trained; a sentence for people. Empty if it can.
  QString data;                              ///< "digits": what feeds it.
  qint64 trainSamples = 0, testSamples = 0;  ///< 0: not known before the data is read.
  qint64 steps = 0, epochs = 0;
  int batchSize = 0;
  qint64 seed = 0;
  /// A number that may be set while the training runs.
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

/// A graph as it was read or edited. Immutable once made (on a worker thread), shared by documents, jobs and pictures.
struct GraphContents {
  std::shared_ptr<const EngineGraph> engine;
  GraphArrays arrays;
  GraphSummary summary;
  QVector<Problem> problems;
  TrainingInfo training;
  QString format;  ///< "MetaGraphDef, binary": for people.
};
using GraphContentsPtr = std::shared_ptr<const GraphContents>;

}  // namespace weft::app
