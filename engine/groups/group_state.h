// The state of a GroupEditor, for its sources.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "groups/group_parts.h"
#include "weft/expressions.h"

namespace weft {

struct GroupEditor::State {
  explicit State(LayerEditor& l) : layers(l) {}

  LayerEditor& layers;
  bool inBody = false;  ///< The graph is the body of a definition, whose document has the definitions.
  std::vector<GroupDefinition> definitions;
  std::vector<GroupInstance> instances;
  std::vector<std::string> notes;
  std::map<std::string, groups::VariantPtr> variants;
  State* document = nullptr;                          ///< In a body: the editor of the document around it.
  std::unique_ptr<ExpressionScope> names;             ///< Of the document, once they were asked for.
  std::map<std::string, std::set<std::string>> used;  ///< Names of the document in a body, by definition and version.
  std::set<std::string> building;                     // of a body: the groups whose bodies are being built around it

  GraphEditor& editor() { return layers.editor(); }
  Graph& graph() { return layers.editor().graph(); }
  GroupDefinition* find(std::string_view group);
  GroupInstance* at(std::string_view scope);
  /// NOT_FOUND names the groups, or the scope.
  Result<GroupDefinition*> need(std::string_view group);
  Result<GroupInstance*> needInstance(std::string_view scope);
  void readAgain();
  void write();
  /// After definitions changed.
  void forget();
  /// This becomes the editor of the body of one of `outer`'s groups.
  void enter(State& outer, const std::string& group);

  /// The document's names that the expressions in a body use, and their values as expressions.
  TextAttrs valuesOfNames(const GroupDefinition& d);
  /// Those of `used` that the document has.
  TextAttrs valuesOf(const std::set<std::string>& used);
  /// Ends an edit of a body: fields that follow expressions get their values.
  Status finishBody(const GroupDefinition& d, const std::map<std::string, std::string>& overrides, LayerEditor& bodyLayers, GroupEditor& bodyGroups);
  /// Keeps in the body which names of the document it uses, for documents that do not have them.
  void keepNames(const GroupDefinition& d, MetaGraph& body);
  /// Adds names that a body uses and this document does not have, with the values that the body keeps.
  Status takeNames(const GroupDefinition& d);

  /// Fields in an instance that is to be detached keep their values where a name would mean something else afterwards, with a note.
  void releaseWithin(std::string_view scope);

  /// FAILED_PRECONDITION names the field of the body that uses a name of the document, which a new parameter would hide.
  Status checkUnused(const GroupDefinition& d, const std::string& parameter) const;

  /// The instance's values for parameters that the definition has.
  static std::map<std::string, std::string> validValues(const GroupInstance& instance, const GroupDefinition& d);
  /// The body with values and shapes; unknown shapes are the definition's. Cached by the definition's version.
  Result<groups::VariantPtr> variant(const GroupDefinition& d, const std::map<std::string, std::string>& overrides, const std::vector<Shape>& shapes = {});
  /// Moves overrides that `d` does not take to those set aside, with a note, and back.
  Status sortOverrides(const GroupDefinition& d, GroupInstance& record);
  /// A job that builds an instance from `now`; it was built from `was`. `past`: all definitions as they were then, if not those of now; left as it is.
  Result<groups::Job> jobFor(const GroupInstance& was, const GroupDefinition& old, GroupInstance record, const GroupDefinition& now,
                             const groups::RecipesByScope& layerAt, std::vector<GroupDefinition>* past = nullptr);
  /// Builds one instance again, with other overrides or inputs (`change` edits the job's inputs, by port).
  Status rebuild(GroupInstance record, const std::function<Status(const groups::Variant&, std::vector<Output>&)>& change = {});
  Status stampAll(std::vector<groups::Job>& jobs);
  /// The body with the values that the document's names have now, built from the definitions `before` a change.
  Result<LoadedGraph> currentBody(const GroupDefinition& d, const std::vector<GroupDefinition>& before);
  /// Changes the body of a definition; ports and version follow. `before`: all definitions that its instances were built from, if not those of now.
  Status editBody(GroupDefinition& d, const std::function<Status(LayerEditor&, GroupEditor&)>& change, const std::vector<GroupDefinition>* before = nullptr);
  /// Sets a parameter's value at all its targets.
  static Status apply(LayerEditor& layers, GroupEditor& groups, const GroupParameter& p, const std::string& text);
  /// All bodies and instances follow the changed definitions. `before`: all definitions as they were. `except`: a scope that is up to date.
  Status follow(std::set<std::string> changed, const std::vector<GroupDefinition>& before, std::string_view except = {});
  Status restamp(const std::set<std::string>& changed, const std::vector<GroupDefinition>& before, std::string_view except);
};

}  // namespace weft
