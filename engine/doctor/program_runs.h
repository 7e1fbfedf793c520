#pragma once

#include <set>
#include <string>
#include <vector>

#include "weft/graph.h"
#include "weft/program_doctor.h"

namespace weft::doctor {

/// By node: whether a run computes it.
std::vector<char> computedBy(const Graph& graph, const ProgramRun& run);
/// The tensors whose gradients reach the optimizers' ops of a run, the nearest first. `trains`: whether the run changes a trainable variable by them.
std::vector<std::string> lossesOf(const MetaGraph& meta, const std::vector<char>& computed, const std::vector<Differentiation>& gradients,
                                  const std::set<std::string>& trainable, bool* trains);

}  // namespace weft::doctor
