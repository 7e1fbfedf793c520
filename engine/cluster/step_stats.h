#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/session.h"

namespace weft::cluster {

/// The serialised StepStats of a trace.
std::string stepStatsOf(const StepTrace& trace);
/// A serialised RunMetadata with the StepStats of several tasks.
std::string runMetadataOf(const std::vector<std::string>& stepStats);
/// A graph as one of RunMetadata's partition_graphs, to be appended to the message.
std::string partitionGraphField(const std::string& graphDef);

}  // namespace weft::cluster
