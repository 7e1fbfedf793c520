#pragma once

#include <optional>
#include <vector>

#include "weft/export.h"
#include "weft/graph.h"

namespace weft {

/// The parts of a graph that tf.train.SyncReplicasOptimizer built: replicas give gradients, one update applies their mean, and each replica takes a token before its
/// next step. Ids of nodes; -1: there is none.
struct SyncReplicas {
  int tokens = -1;         ///< The queue of tokens.
  int training = -1;       ///< Takes a token after the replica's gradients were given: what a replica runs.
  int update = -1;         ///< Hands out the tokens of a step after the update: what the chief's queue runner runs.
  int initialTokens = -1;  ///< Puts the tokens of the first step: what the chief runs once.
  int globalStep = -1;     ///< Stamps gradients, so that late ones are dropped.
  bool hasRunner = false;  ///< A queue runner of the graph runs `update`. Without one, a hook of the program must.
};

/// Nothing if the graph has no such optimizer. Linear in the size of the graph.
WEFT_API std::optional<SyncReplicas> findSyncReplicas(const MetaGraph& meta);

/// The graph's global step, a variable; -1: it has none.
WEFT_API int globalStepOf(const MetaGraph& meta);
/// Whether the graph was made for a Supervisor or a MonitoredSession, by the ops that these keep in collections: ready_op, init_op, local_init_op.
WEFT_API bool isSupervised(const MetaGraph& meta);

}  // namespace weft
