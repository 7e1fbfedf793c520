#pragma once

#include <functional>
#include <set>
#include <string>

namespace weft {
struct MetaGraph;
}

namespace weft::app {

/// Names of the variables that training changes, without optimizer slots and counters; empty: the file does not tell.
std::set<std::string, std::less<>> trainableVariables(const MetaGraph& meta);

}  // namespace weft::app
