#pragma once

#include <functional>
#include <set>
#include <string>

namespace weft {
struct MetaGraph;
}

namespace weft::app {

/// Names of the variables that training changes; empty: the file does not say which those are. Slots of optimizers and counters are none of them.
std::set<std::string, std::less<>> trainableVariables(const MetaGraph& meta);

}  // namespace weft::app
