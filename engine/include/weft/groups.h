// Groups as functions: a definition with typed ports and parameters, and scopes that follow it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/expressions.h"
#include "weft/recipes.h"

namespace weft {

/// An input or output of a group. The type is fixed; the shape is the one that was known when the group was made.
struct GroupPort {
  std::string name;
  DType type = DType::Float;
  Shape shape = Shape::unknown();
  std::string doc;
};

/// A parameter of a group: one value at one or more places of its body.
struct GroupParameter {
  std::string name;
  std::string type;   ///< Of the first target: "int", "float", "bool", "string", "shape", "tensor", …
  std::string value;  ///< Default, as text. The body has it.
  std::string doc;
  std::vector<std::string> targets;  ///< "NODE.ATTRIBUTE", "LAYER.PARAMETER", "GROUP.PARAMETER"; names within the group.
};

/// A group function of a document (collection `weft/group_definitions`).
struct GroupDefinition {
  std::string name;
  int64_t version = 1;  ///< Counts the changes.
  std::string doc;
  std::vector<GroupPort> inputs, outputs;
  std::vector<GroupParameter> parameters;
  std::string body;  ///< Serialized MetaGraphDef; see weft_document.proto.
  WEFT_API const GroupParameter* find(std::string_view parameter) const;
};

/// A scope that follows a definition (collection `weft/groups`). Its ops are ordinary ops.
struct GroupInstance {
  std::string scope, group;
  int64_t version = 1;  ///< Of the definition that it was built from.
  std::map<std::string, std::string> overrides;
  std::map<std::string, std::string> aside;  ///< Overrides that the definition no longer has or takes. They return with their parameter.
};

WEFT_API std::vector<GroupDefinition> groupsOf(const MetaGraph& meta);
WEFT_API std::vector<GroupInstance> groupInstancesOf(const MetaGraph& meta);
/// The instance with that scope. Cheap in a document with many.
WEFT_API std::optional<GroupInstance> groupInstanceAt(const MetaGraph& meta, const std::string& scope);
WEFT_API void setGroups(MetaGraph& meta, const std::vector<GroupDefinition>& definitions);
WEFT_API void setGroupInstances(MetaGraph& meta, const std::vector<GroupInstance>& instances);
/// Fields of the body that follow expressions over the group's parameters and the document's names; the fields are named within the group.
WEFT_API std::vector<FollowedField> groupExpressions(const GroupDefinition& definition);
/// The body as a graph; ports are nodes (see weft_document.proto). DATA_LOSS names the group.
WEFT_API Result<LoadedGraph> groupBody(const GroupDefinition& definition);

/// Reads a library of groups (`NAME.weftgroups`), or the groups of a document. Errors name the file and the group: none, a name twice, a group within itself or missing.
WEFT_API Result<std::vector<GroupDefinition>> readGroupLibrary(const std::string& path);
/// Writes groups of `all`, with those that they contain, to a file of their own. `names` empty: all.
WEFT_API Status writeGroupLibrary(const std::string& path, const std::vector<GroupDefinition>& all, const std::vector<std::string>& names);

/// What an instance is connected to: tensors outside, in the order of the definition's inputs; empty: open.
struct GroupWires {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;  ///< The inner tensors that are the outputs.
};

/// Edits groups of a document. Use it with a LayerEditor, whose finish() is the last call of the edit: it builds layers again where inputs have other shapes.
///
/// Everything outside an instance keeps its wires: ports are matched by name, inner tensors by the names of their nodes. An error leaves the graph half changed, as with
/// GraphEditor. Not thread-safe.
class WEFT_API GroupEditor {
 public:
  explicit GroupEditor(LayerEditor& layers);
  ~GroupEditor();
  GroupEditor(const GroupEditor&) = delete;
  GroupEditor& operator=(const GroupEditor&) = delete;

  const std::vector<GroupDefinition>& definitions() const;
  const std::vector<GroupInstance>& instances() const;
  /// Null if there is none.
  const GroupDefinition* definition(std::string_view group) const;
  const GroupInstance* instance(std::string_view scope) const;
  /// The innermost instance that contains a node or scope; null if there is none.
  const GroupInstance* around(std::string_view name) const;
  /// Sentences on side effects: overrides set aside, ports that are gone, edits inside of instances that were replaced.
  const std::vector<std::string>& notes() const;

  /// Makes a definition of nodes, which become its first instance. A scope that is selected as a whole keeps its name; other nodes move into a new one. Ports are the wires
  /// that cross the border; wires of training, savers and summaries are not counted. Returns the instance's scope.
  /// Errors name the node: references across the border, muted nodes, a name that is taken.
  Result<std::string> make(const std::vector<int>& nodes, std::string_view name);
  /// Adds an instance. `inputs`: port (empty: the next one) and tensor; the others are open.
  Result<std::string> insert(std::string_view group, std::string_view name, const TextAttrs& inputs = {}, const TextAttrs& overrides = {});
  /// Makes those scopes instances that already are what the group gives: the same ops under the same names. Returns them; the others stay as they are.
  Result<std::vector<std::string>> adopt(const std::vector<std::string>& scopes, std::string_view group);
  /// Connects a port to a tensor outside. INVALID_ARGUMENT names both types if they differ. An empty tensor disconnects. `port`: name or number; empty: the first open one.
  Status connect(std::string_view scope, std::string_view port, const std::string& tensor);
  Result<GroupWires> wires(std::string_view scope);

  /// Sets a parameter of one instance; the default removes the override.
  Status setParameter(std::string_view scope, const std::string& name, const std::string& text);
  /// Removes the override of a parameter, or of all with an empty name.
  Status reset(std::string_view scope, const std::string& name);
  /// Adds a parameter, or a further target of one. `place`: "NODE.ATTRIBUTE" as full name inside of an instance, or within the group. Instances that differ there by hand
  /// get an override.
  Status addParameter(std::string_view group, std::string name, std::string_view place);
  /// Adds a parameter that sets no place itself, for the expressions of fields inside. `type`: "int", "float", "bool", "string", "shape", "list(int)" or
  /// "list(float)"; empty: as the value is written.
  Status declareParameter(std::string_view group, const std::string& name, const std::string& text, const std::string& type = {});
  /// FAILED_PRECONDITION names the fields whose expressions use it.
  Status removeParameter(std::string_view group, std::string_view name);
  /// Changes a default; all instances without an override follow.
  Status setDefault(std::string_view group, const std::string& name, const std::string& text);
  Status setDoc(std::string_view group, const std::string& doc);

  /// Makes the inside of an instance the definition; all others follow.
  /// FAILED_PRECONDITION if the group would then contain itself: names the circle.
  Status updateFrom(std::string_view scope);
  /// Builds an instance again from the definition.
  Status restore(std::string_view scope);
  /// Whether the inside of an instance differs from what its definition and overrides give.
  Result<bool> differs(std::string_view scope);
  /// Forgets the record: plain ops stay.
  Status detach(std::string_view scope);
  Status rename(std::string_view group, const std::string& to);
  /// FAILED_PRECONDITION if there are instances, here or in other groups.
  Status remove(std::string_view group);
  /// Takes a definition of another document or library, with those that it contains. A group of the same name is replaced by a different one only with `replace`, and its
  /// instances follow; without it, ALREADY_EXISTS.
  Status take(const GroupDefinition& definition, const std::vector<GroupDefinition>& others, bool replace = false);

  /// Writes the inside as a function into the graph's library and replaces the instance by a node that calls it. UNIMPLEMENTED names a variable or reference inside.
  Status toFunction(std::string_view scope);
  /// Replaces a node that calls a function by the function's ops in a scope of its name: an instance again if it was one.
  Status inlineCall(std::string_view node);

 private:
  struct State;
  std::unique_ptr<State> s_;
};

}  // namespace weft
