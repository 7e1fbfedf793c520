// In which order elements come out of a shuffling queue or data set, without running one.
#pragma once

#include <QString>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft::app {

struct ShuffleSetup {
  enum class Kind { Queue, Dataset };  ///< RandomShuffleQueue (tf.train.shuffle_batch), or Dataset.shuffle.
  Kind kind = Kind::Queue;
  int elements = 1000;        ///< That go in, one after another.
  int capacity = 200;         ///< Of the queue.
  int minAfterDequeue = 100;  ///< Of the queue: as many stay in it.
  int buffer = 100;           ///< Of the data set.
  int batch = 32;
  qint64 seed = 1;
  /// What is wrong with the numbers, or empty.
  QString problem() const;
};

struct ShuffleOrder {
  QVector<int> order;      ///< Which element comes out first, second, …
  int waitForFirst = 0;    ///< Elements that must be read before the first batch.
  double correlation = 0;  ///< Of the places before and after, 0: none is left, 1: as they went in.
  double meanShift = 0;    ///< Mean distance that an element moves, as part of that of a perfect shuffle (1).
  int earliest = 0;        ///< No element comes out more than this many places before its own.
};
/// The picker of the simulation is its own: which elements are drawn differs from TensorFlow's for the same seed, how well they are mixed does not.
ShuffleOrder shuffleOrder(const ShuffleSetup& setup);

/// The numbers of the named node of a graph, if it shuffles: RandomShuffleQueue(V2), ShuffleDataset and its kin. False: it does not.
bool shuffleSetupOf(const GraphContents& contents, const QString& node, ShuffleSetup* setup);

}  // namespace weft::app
