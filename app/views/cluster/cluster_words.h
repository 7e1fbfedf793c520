#pragma once

#include <QString>

#include "adapters/cluster_watcher.h"

namespace weft::app {

/// "answers", "no answer for 0:12", …
QString stateWords(const ClusterTask& task);
/// What its oldest step waits for, or what it does.
QString waitWords(const ClusterTask& task);
/// All tensors and queues that it waits for, one a line; empty: none.
QString waitDetails(const ClusterTask& task);
/// The state of the whole cluster in a sentence or two, most urgent first. `isBad`: something needs attention.
QString clusterVerdict(const ClusterFacts& facts, bool* isBad);

}  // namespace weft::app
