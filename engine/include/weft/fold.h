// Recognises layers in plain ops by their structure, and makes them layers that can be edited.
#pragma once

#include <string>
#include <vector>

#include "weft/recipes.h"

namespace weft {

/// A part of a graph that is exactly what a layer's record would build, or one of several scopes with the same ops.
struct FoldProposal {
  enum class Kind { Layer, Group } form = Kind::Layer;
  std::string scope;                   ///< Of the layer, or of the group's first instance.
  std::string kind;                    ///< "layers.dense", or the name of the new group.
  TextAttrs parameters;                ///< Those that differ from the record's defaults.
  std::vector<std::string> inputs;     ///< Tensors, in the order of the record's tensor parameters.
  std::vector<std::string> outputs;    ///< Tensors, by their present names.
  std::vector<std::string> nodes;      ///< Ops that compute it, by their present names.
  std::vector<std::string> variables;  ///< They keep their names.
  std::vector<std::string> moved;      ///< Ops that get another name, because they share a scope with others.
  std::vector<std::string> instances;  ///< Of a group: the scopes that become instances.
};
/// An op with variables that stays an op.
struct FoldLeft {
  std::string node, reason;
};
struct FoldReport {
  std::vector<FoldProposal> proposals;  ///< In the order of the graph; groups last.
  std::vector<FoldLeft> left;
};

/// What can be folded. Only structure counts: op types, attributes, wires and shapes, never names. Layers and instances that the document has are left alone. Any thread.
WEFT_API FoldReport findFolds(const MetaGraph& meta);

/// Turns proposals into layers and groups. `scopes`: those of the wanted proposals; empty: all. Returns what was done. No op, attribute, wire or variable name changes; ops of
/// a layer that share a scope with others get a scope of their own. A layer that is changed later is built anew; its variables keep
/// their initial values where their shape stays. In a graph without variables, constants that are weights become variables with these values. A part of an edit: finishEdit() ends it.
/// NOT_FOUND names a scope that is none of a proposal.
WEFT_API Result<FoldReport> fold(LayerEditor& layers, const std::vector<std::string>& scopes = {});

}  // namespace weft
