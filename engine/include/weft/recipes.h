#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "weft/api.h"
#include "weft/dataset.h"
#include "weft/edit.h"

namespace weft {

/// A layer of a document: a scope built by an ApiRecord, and what it was built from (collection `weft/layers`).
struct Recipe {
  std::string scope;
  std::string kind;                               ///< Name of the ApiRecord.
  std::map<std::string, std::string> parameters;  ///< As text. Names that begin with '~' are internal notes.
  std::vector<std::string> inputs;                ///< One tensor per tensor parameter of the record, with list elements last; empty: open.
  std::vector<std::string> outputs;
  std::vector<std::string> nodes;  ///< Ops outside `scope`.
  bool trains() const { return kind.starts_with("train."); }
};
WEFT_API std::vector<Recipe> recipesOf(const MetaGraph& meta);
WEFT_API void setRecipes(MetaGraph& meta, const std::vector<Recipe>& recipes);

/// An input of a layer: one of the record's tensor parameters, in order.
struct LayerInput {
  std::string name, doc;
  bool required = true, list = false;
};
WEFT_API std::vector<LayerInput> layerInputs(const ApiRecord& record);

/// Edits layers, training and data of a graph. A layer whose inputs are missing or do not fit waits: its output is a stand-in
/// (isOpenInput), its parameters are kept, and it is built as soon as possible.
class WEFT_API LayerEditor {
 public:
  explicit LayerEditor(GraphEditor& editor);

  GraphEditor& editor() { return editor_; }
  /// Reads the layers again, after setRecipes() or another change of the graph. Pointers to layers become invalid.
  void refresh() { readAgain(); }
  const std::vector<Recipe>& recipes() const { return recipes_; }
  /// The layer with that scope, and the layer that contains a node; null if there is none.
  Recipe* find(std::string_view scope);
  Recipe* around(std::string_view node);

  /// Adds a layer and returns its scope. Inputs are by parameter name, or in order where the name is empty.
  Result<std::string> add(const ApiRecord& record, std::string_view name, const TextAttrs& parameters, const TextAttrs& inputs = {});
  /// `port`: name or number of a tensor parameter, or "NAME+" to extend a list; empty: the first open one.
  Status connect(const std::string& tensor, Recipe& layer, std::string_view port);
  Status disconnect(Recipe& layer, std::string_view port);
  Status setParameter(Recipe& layer, const std::string& name, const std::string& text);
  /// A parameter of a layer, by scope.
  struct Setting {
    std::string scope, name, text;
  };
  /// Sets parameters of any layers in one step, so that layers that must fit together change together. Checks each as setParameter() does.
  Status setParameters(const std::vector<Setting>& settings);
  /// Turns a layer into plain ops.
  void explode(std::string scope);
  Status rename(const std::string& scope, const std::string& to);

  struct Training {
    std::string loss;                ///< A scalar tensor; empty: the only loss.
    std::string optimizer = "Adam";  ///< As in train.*Optimizer.
    TextAttrs parameters = {};       ///< Parameters of the optimizer, and learning_rate and clip_global_norm.
    std::string decay = {};          ///< "", "exponential", "inverse_time", "polynomial"
    double decaySteps = 1000, decayRate = 0.96;
    std::string accuracy = {};      ///< A scalar tensor; empty: created if the loss compares classes with logits.
    int64_t epochs = 0, steps = 0;  ///< 0: as before, or 10 epochs.
    /// Another loss minimised by the same step, with its own variables (the optimizer's parameter `variables`).
    struct Other {
      std::string loss, optimizer = "Adam";
      TextAttrs parameters;
    };
    std::vector<Other> others = {};  ///< No optimizer changes a variable before all gradients are computed.
  };
  /// Adds minimize() and everything a training needs: step counter, live learning rate, summaries, initializer, saver, settings.
  Status addTraining(const Training& training);
  /// Replaces the training's optimizer. Settings that both have (learning rate, clipping) stay. `name` as in Training::optimizer.
  Status setOptimizer(const std::string& name);
  /// Sets a parameter of the training's optimizer, the learning rate or the clipping. Everything else about the training stays.
  Status setTrainingParameter(const std::string& name, const std::string& text);
  /// Removes training, whoever added it. Returns whether there was any.
  Result<bool> removeTraining();
  /// Makes sure that a variable gets a value before a training: zeros if nothing assigns to it, else by running its initializer.
  Status initialize(std::string_view variable);
  /// Puts variables into the collection trainable_variables, or takes them out, all or none. The document's training is built anew by finish(): it changes those that are
  /// trainable. A layer with a parameter `trainable` gets that one, for all of its variables; others note the choice, and keep it when they are built again. Errors name a
  /// node that is no variable, a variable that cannot be trained (integers, states of optimizers, what a layer changes itself), or one that belongs to an instance of a group
  /// or to a training that came with the file, whose ops stay as they are.
  Status setTrainable(const std::map<std::string, bool>& variables);
  /// Adds placeholders for the columns of a data set and binds them. Returns their names.
  Result<std::vector<std::string>> addData(const DatasetBinding& binding, const std::string& folder);
  /// Binds placeholders (tensor -> column). If the map is empty, they are guessed by name and type.
  Status bindData(DatasetBinding binding, const std::string& folder);

  /// Builds waiting layers, rebuilds layers with changed inputs, adds training again if layers below it changed, and finishes the editor.
  /// The last call of an edit. `notes` gets sentences on side effects.
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
  void storeTraining(const Training& t);
  void readAgain();
  void write();

  GraphEditor& editor_;
  std::vector<Recipe> recipes_;
  std::map<std::string, Tensor> weights_;  // initial values of the layer that is being rebuilt, where they are constants
  std::vector<std::string> lost_;          // ops of a training without recipe that went with rebuilt layers
  std::set<std::string> changed_;          // scopes whose layer was added or changed in this edit
  bool trainedBefore_ = false;
};

/// Layers that wait although their inputs are connected: puts into `loaded.problems` why each cannot be built. The graph stays as it is. For graphs
/// that were read from files, which do not store problems; LayerEditor::finish() finds them by itself.
WEFT_API void findLayerProblems(LoadedGraph& loaded);

}  // namespace weft
