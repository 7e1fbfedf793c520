// Where a graph's nodes are in a cluster, and what its wires carry from task to task.
#pragma once

#include <QString>
#include <vector>

#include "adapters/graph_contents.h"
#include "adapters/profile_contents.h"

namespace weft::app {

/// By node and edge of the arrays.
struct ClusterPlaces {
  std::vector<QString> placed;  ///< The device that ran the node; empty: unknown, it has the one it requests.
  std::vector<char> crossesTasks;
  std::vector<qint64> traffic;  ///< Bytes per step, at one edge for each tensor and task; -1: unknown or counted at another edge.
  bool severalTasks = false;    ///< Some edge crosses tasks.
};

/// `profile`: a traced step, whose tasks' placement replaces the requested one; null: none. Any thread.
ClusterPlaces clusterPlaces(const GraphArrays& arrays, const ProfileContents* profile);

}  // namespace weft::app
