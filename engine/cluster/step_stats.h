#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/session.h"

namespace weft::cluster {

/// The serialised StepStats of a task's part of a step. `part`: the graph that it ran.
std::string stepStatsOf(const StepTrace& trace, const Graph& part);
/// A serialised RunMetadata with the StepStats of several tasks.
std::string runMetadataOf(const std::vector<std::string>& stepStats);
/// A graph as one of RunMetadata's partition_graphs, to be appended to the message.
std::string partitionGraphField(const std::string& graphDef);

}  // namespace weft::cluster
