// Shared by the sources of GroupEditor.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "weft/expressions.h"
#include "weft/groups.h"

namespace weft::groups {

inline constexpr std::string_view kInputScope = "group_inputs/", kOutputScope = "group_outputs/";

/// A body with values for its parameters and shapes for its inputs. Its nodes are what an instance has, without the nodes of ports.
struct Variant {
  MetaGraph meta;
  std::vector<Error> problems;
  std::vector<Recipe> layers;
  std::vector<GroupInstance> inner;
  std::vector<FollowedField> follows;                     ///< Fields that follow expressions.
  std::vector<std::string> inputs, outputs;               ///< Names of ports.
  std::vector<int> inputNodes, outputNodes;               ///< By port.
  std::vector<std::vector<std::pair<int, int>>> readers;  ///< By input: node and its input's number.
  std::vector<Output> results;                            ///< By output: the tensor in the body.
  std::map<std::string, const Recipe*> layerAt;           ///< By scope.
  bool isPort(int id) const;
  /// Number of the input port that this node is; -1: none.
  int inputOf(int id) const;
};
using VariantPtr = std::shared_ptr<const Variant>;

/// Reads ports and layers of a body into `v`, whose graph is filled. DATA_LOSS names a port that is missing.
Status readVariant(const GroupDefinition& d, Variant& v);

using RecipesByScope = std::map<std::string, const Recipe*>;
RecipesByScope byScope(const std::vector<Recipe>& recipes);
/// Expressions of a document, by field.
using FollowedIn = std::map<std::string, std::string>;
FollowedIn followedIn(const MetaGraph& meta);
/// An expression of a body as its instances have it: fields lie below `prefix`.
std::string withPrefix(const std::string& expression, const std::string& prefix);

/// What an instance is built from, and the tensors it reads.
struct Job {
  std::string scope;
  VariantPtr before;  ///< Null: a new instance.
  VariantPtr after;
  std::vector<Output> inputs;  ///< By port of `after`; invalid: open.
  GroupInstance record;        ///< As it is to be written.
};

/// The tensors that the input ports of an instance read, as its wires say. Invalid: open.
std::vector<Output> boundInputs(const GraphEditor& editor, const RecipesByScope& layers, const std::string& scope, const Variant& v);
/// The tensors of an instance that are its outputs; invalid: gone. Follows layers that were changed by hand.
std::vector<Output> boundOutputs(const Graph& graph, const RecipesByScope& layers, const std::string& scope, const Variant& v);

/// Writes the instances of `jobs` into the graph in one pass: nodes of the same name are changed in place, others are added or removed. Readers outside follow their port.
Status stamp(LayerEditor& layers, std::vector<Job>& jobs, std::vector<GroupInstance>& instances, std::vector<std::string>& notes);
/// Whether the ops of an instance are those of the variant. Layers are compared by their parameters, since their ops depend on shapes. `nodes`: those of
/// the instance.
bool matches(const GraphEditor& editor, const RecipesByScope& layers, const std::vector<GroupInstance>& instances, const FollowedIn& follows,
             const std::string& scope, const Variant& v, const std::vector<int>& nodes);
/// For each scope the nodes in it, in one pass.
std::vector<std::vector<int>> nodesOf(const Graph& graph, const std::vector<std::string>& scopes);

/// Makes a definition of the ops below `scope`. `before` and `old`: the definition that they followed; ports keep their names.
Result<GroupDefinition> capture(LayerEditor& layers, const std::string& scope, const GroupDefinition* before, const Variant* old,
                                std::vector<std::string>& notes);

/// An attribute or constant as attrFromText() reads it. INVALID_ARGUMENT if it has no text.
Result<std::string> textOfAttr(std::string_view name, const Attr& attr);

/// A place that a parameter sets.
struct Place {
  enum class Kind { Node, Layer, Group } kind = Kind::Node;
  std::string name;       ///< Of the node, or the scope.
  std::string attribute;  ///< Or parameter.
  std::string type, doc, value;
};
/// Where places are looked for.
struct Contents {
  const Graph& graph;
  const std::vector<Recipe>& layers;
  const std::vector<GroupInstance>& instances;
  const std::vector<GroupDefinition>& definitions;
};
/// Bodies keep the document's names that they use, for documents that do not have them: gives those of `changed` the values that they have now.
Status keepNames(MetaGraph& meta, const TextAttrs& changed);
/// The body as it is whatever values the document's names have.
std::string bodyWithoutNames(const GroupDefinition& d);

/// Finds "NODE.ATTRIBUTE", "LAYER.PARAMETER" or "GROUP.PARAMETER". NOT_FOUND names what is missing and what there is.
Result<Place> placeOf(const Contents& in, std::string_view target);
Result<Place> placeOf(LayerEditor& layers, const GroupEditor& groups, std::string_view target);

/// Names of the groups that a body contains. For the search for circles.
Result<std::set<std::string>> groupsIn(const GroupDefinition& definition);
/// The circle through `name` in words ("block → head → block"); empty: there is none.
Result<std::string> circleThrough(const std::vector<GroupDefinition>& all, const std::string& name);

/// The innermost of the instances that a field lies in; null: none. An instance's own parameters lie in the instance around it.
const GroupInstance* instanceAround(const std::vector<GroupInstance>& instances, std::string_view field);
/// Begins a name of the document in a body whose own parameter of that name comes first, but not for instances inside. No reference has this letter.
inline constexpr char kHidden = '^';
/// Whether a name in the expression of a field is a parameter of the group that the field lies in, which comes before all other names.
bool isOwnParameter(const std::vector<GroupInstance>& instances, const std::vector<GroupDefinition>& definitions, std::string_view field,
                    std::string_view name);

inline bool inside(std::string_view name, std::string_view scope) { return name.size() > scope.size() && name[scope.size()] == '/' && name.starts_with(scope); }

}  // namespace weft::groups
