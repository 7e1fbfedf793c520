#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "weft/api.h"
#include "weft/dataset.h"
#include "weft/edit.h"

namespace weft {

/// A layer of a document: the scope that an ApiRecord built, and what it was built from (collection `weft/layers`).
struct Recipe {
  std::string scope;
  std::string kind;                               ///< Name of the ApiRecord.
  std::map<std::string, std::string> parameters;  ///< As text; those that begin with '~' are our own notes.
  std::vector<std::string> inputs;                ///< Tensors, one for each tensor parameter of the record, the elements of a list last; empty: open.
  std::vector<std::string> outputs;
  std::vector<std::string> nodes;  ///< Ops outside of `scope`.
  bool trains() const { return kind.starts_with("train."); }
};
WEFT_API std::vector<Recipe> recipesOf(const MetaGraph& meta);
WEFT_API void setRecipes(MetaGraph& meta, const std::vector<Recipe>& recipes);

/// Where a wire of a layer goes: the record's tensor parameters in order.
struct LayerInput {
  std::string name, doc;
  bool required = true, list = false;
};
WEFT_API std::vector<LayerInput> layerInputs(const ApiRecord& record);

/// Changes of layers, training and data in a graph under edit. A layer whose inputs are not there, or do not fit, waits: its output is a
/// stand-in (isOpenInput), its parameters are kept, and it is built as soon as it can be.
class WEFT_API LayerEditor {
 public:
  explicit LayerEditor(GraphEditor& editor);

  GraphEditor& editor() { return editor_; }
  const std::vector<Recipe>& recipes() const { return recipes_; }
  /// The layer of that scope, or the one that holds the node `name`; null if there is none.
  Recipe* find(std::string_view scope);
  Recipe* around(std::string_view node);

  /// Adds a layer; returns its scope. Inputs by parameter name, or in order where the name is empty.
  Result<std::string> add(const ApiRecord& record, std::string_view name, const TextAttrs& parameters, const TextAttrs& inputs = {});
  /// `port`: name or number of a tensor parameter, "NAME+" for one more of a list; empty: the first open one.
  Status connect(const std::string& tensor, Recipe& layer, std::string_view port);
  Status disconnect(Recipe& layer, std::string_view port);
  Status setParameter(Recipe& layer, const std::string& name, const std::string& text);
  /// Forgets that it is a layer; its ops stay.
  void explode(std::string scope);
  Status rename(const std::string& scope, const std::string& to);

  struct Training {
    std::string loss;                ///< A scalar tensor; empty: the only loss that there is.
    std::string optimizer = "Adam";  ///< As in train.*Optimizer.
    TextAttrs parameters;            ///< Of the optimizer, with learning_rate and clip_global_norm.
    std::string decay;               ///< "", "exponential", "inverse_time", "polynomial"
    double decaySteps = 1000, decayRate = 0.96;
    std::string accuracy;           ///< A scalar tensor; empty: made where the loss compares classes with logits.
    int64_t epochs = 0, steps = 0;  ///< 0: as before, else 10 epochs.
    /// Another loss that the same step makes small, by variables of its own (the optimizer's parameter `variables`).
    struct Other {
      std::string loss, optimizer = "Adam";
      TextAttrs parameters;
    };
    std::vector<Other> others;  ///< No optimizer changes a variable before all have their gradients.
  };
  /// minimize() with all that training needs: step counter, learning rate to be changed live, summaries, initializer, saver, settings.
  Status addTraining(const Training& training);
  /// Puts another optimizer in place of that of the training; what both understand (learning rate, clipping) stays. `name` as in Training::optimizer.
  Status setOptimizer(const std::string& name);
  /// Takes training out again, whoever added it; returns whether there was any.
  Result<bool> removeTraining();
  /// Sees to it that a variable gets a value before a training: by zeros if nothing assigns to it, else by having its initialiser run.
  Status initialize(std::string_view variable);
  /// Placeholders for the columns of a data set, bound to it. Returns their names.
  Result<std::vector<std::string>> addData(const DatasetBinding& binding, const std::string& folder);
  /// Binds placeholders (tensor -> column); with an empty map those of the binding are guessed by name and type.
  Status bindData(DatasetBinding binding, const std::string& folder);

  /// Builds what waits, builds again what has other inputs now, adds training again where layers under it changed, and finishes the editor.
  /// Last call of an edit. `notes` gets sentences on what was done beside.
  Status finish(std::vector<std::string>* notes = nullptr);

 private:
  Result<bool> isReady(const Recipe& r) const;
  Status build(Recipe& r);
  Status wait(Recipe& r, const Error* why);
  std::string inputsSeen(const Recipe& r);
  Shape knownShape(Output o) const;
  Status settle();
  static Training trainingOf(const Recipe& r);
  bool trainingIsStale(const Recipe& r) const;
  void keepForLater(const Training& t);
  void readAgain();
  void write();

  GraphEditor& editor_;
  std::vector<Recipe> recipes_;
  std::set<std::string> changed_;  // scopes whose layer was added or changed in this edit
  bool trainedBefore_ = false;
};

/// Layers that wait although their inputs are connected: puts into `loaded.problems` why each cannot be built. The graph stays as it is. For graphs
/// that were read from files, which do not store problems; LayerEditor::finish() finds them by itself.
WEFT_API void findLayerProblems(LoadedGraph& loaded);

}  // namespace weft
