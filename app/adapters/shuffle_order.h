// Simulates the order in which a shuffling queue or data set returns its elements.
#pragma once

#include <QString>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft::app {

struct ShuffleSetup {
  enum class Kind { Queue, Dataset };  ///< RandomShuffleQueue (tf.train.shuffle_batch), or Dataset.shuffle.
  Kind kind = Kind::Queue;
  int elements = 1000;        ///< Number of elements put in, one after another.
  int capacity = 200;         ///< Capacity of the queue.
  int minAfterDequeue = 100;  ///< Number of elements that the queue keeps back.
  int buffer = 100;           ///< Buffer size of the data set.
  int batch = 32;
  qint64 seed = 1;
  /// What is wrong with the numbers, or empty.
  QString problem() const;
};

struct ShuffleOrder {
  QVector<int> order;      ///< Index of the element that comes out first, second, …
  int waitForFirst = 0;    ///< Elements that must be read before the first batch.
  double correlation = 0;  ///< Between positions before and after; 0: none, 1: unshuffled.
  double meanShift = 0;    ///< Mean distance that an element moves, relative to a perfect shuffle (1).
  int earliest = 0;        ///< No element comes out more than this many places before its own.
};
/// The simulation has its own random generator: it draws other elements than TensorFlow for the same seed, but mixes equally well.
ShuffleOrder shuffleOrder(const ShuffleSetup& setup);

/// The shuffle parameters of a RandomShuffleQueue(V2), ShuffleDataset or similar node. False: the node does not shuffle.
bool shuffleSetupOf(const GraphContents& contents, const QString& node, ShuffleSetup* setup);

}  // namespace weft::app
