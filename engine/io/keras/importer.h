// Rebuilds a Keras model as a graph of layers.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>

#include "io/keras/keras_file.h"
#include "weft/api.h"
#include "weft/model_import.h"
#include "weft/recipes.h"
#include "weft/train.h"

namespace weft::keras_io {

/// A layer's parameters in the words of its record, from Keras's configuration.
struct LayerSettings {
  std::string kind;  ///< "Dense"
  const ApiRecord* record = nullptr;
  TextAttrs parameters;
};
/// UNIMPLEMENTED names the layer, its class, and what there is no counterpart for. `warnings` gets what is left out.
Result<LayerSettings> layerSettings(const std::string& className, const Json& config, bool keras3, std::vector<std::string>* warnings);
/// "MaxPool2D" as "MaxPooling2D", "BatchNormalizationV1" as "BatchNormalization".
std::string usualClass(const std::string& className);
/// A name of an activation function; UNIMPLEMENTED if there is none such.
Result<std::string> activationOf(const Json& value, bool keras3);
/// Text of a JSON value that is one, else `otherwise`.
std::string textIn(const Json& object, const char* key, const std::string& otherwise = {});
const Json* field(const Json& object, const char* key);

/// What the layers of a document are, as a number: whether they changed since a model was read.
std::string fingerprint(const std::vector<Recipe>& recipes);
inline constexpr const char* kOrigin = "weft/keras";  ///< Collection: the file that a graph came from, as JSON.

class Importer {
 public:
  explicit Importer(const KerasFile& file);
  Result<ImportedModel> run();

 private:
  using Weights = std::vector<const StoredWeight*>;
  /// A tensor by the layer that computes it, the layer's call, and the number of its output.
  using TensorKey = std::tuple<std::string, int64_t, int64_t>;
  /// A call of a layer within a model.
  struct Call {
    std::vector<TensorKey> inputs;
    bool done = false;
  };
  struct Layer {
    std::string name, className;
    const Json* config = nullptr;
    std::vector<Call> calls;
  };
  /// A model, or one within another.
  struct Model {
    std::string title, prefix, sharedPrefix;  ///< Prefixes of scopes end in '/'; shared: of the model whose variables are used; empty: its own.
    bool shares = false;
    int depth = 0;
    Weights weights;  ///< Of a nested model.
    std::set<std::string> layerNames;
    std::map<TensorKey, Output> tensors;
  };

  Result<std::vector<Output>> sequential(const Json& config, Model& model, const std::vector<Output>& given);
  Result<std::vector<Output>> functional(const Json& config, Model& model, const std::vector<Output>& given);
  Result<std::vector<Output>> anyModel(const std::string& className, const Json& config, Model& model, const std::vector<Output>& given);
  Result<std::vector<Output>> apply(const Layer& layer, size_t call, Model& model, const std::vector<Output>& inputs);
  Result<Output> placeholder(const std::string& name, const Json& config, Model& model);
  Result<Weights> weightsOf(const Layer& layer, const Model& model) const;
  Output phase();
  /// Notes what the file says that layers do not, for writing the model again.
  void keepOrigin();
  void addRecipe(const std::string& scope, const LayerSettings& settings, const Json& config, const std::vector<Output>& inputs,
                 const std::vector<Output>& outputs);
  /// Loss, metrics, optimizer and its slots as the file's training_config says.
  Status addTraining();
  Status takeSlots(const LayerEditor::Training& training);

  const KerasFile& file_;
  const bool keras3_;
  MetaGraph meta_;
  std::unique_ptr<GraphBuilder> builder_;
  std::vector<Recipe> recipes_;
  std::vector<std::string> warnings_;
  std::vector<std::pair<std::string, Output>> inputs_, outputs_;
  Json storedUnder_ = Json::array();  ///< By layer: [[weight, variable], …]
  Output phase_;
  int calls_ = 0;
};

}  // namespace weft::keras_io
