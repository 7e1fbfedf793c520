#pragma once

#include "api/nn_functions.h"
#include "api/variables.h"

// Shared by the functions of tf.layers: a layer's scopes, its variables with initializers and regularizers, its activation.
namespace weft::api::layers {

/// An initializer, or None for the scope's. A callback gets type and shape.
Initializer initializerOf(const Call& c, const std::string& parameter);

/// A layer under construction. Its scopes are open during its lifetime.
class LayerCall {
 public:
  /// `base`: the name that is made unique if none is given. The name "/" takes the variable scope that is open: a layer object's.
  LayerCall(Call& c, std::string_view base);
  GraphBuilder& b() const { return c_.b; }
  /// A variable of the layer; the regularizer's loss of a new one is added to the collection. `otherwise`: the default initializer.
  VariablePtr weight(std::string_view name, const Shape& shape, const std::string& initializer, const std::string& regularizer, bool trainable = true,
                     const Initializer& otherwise = {}, DType type = DType::Float) const;
  /// Adds bias and activation after a layer's ops.
  Output finished(Output x, const VariablePtr& bias, bool channelsFirst = false) const;
  Output activated(Output x) const;

 private:
  Call& c_;
  std::optional<LayerScope> scope_;
};

/// smart_cond: the branch for `training`, or both if it is only known at run time.
std::vector<Output> ifTraining(Call& c, const std::function<std::vector<Output>()>& yes, const std::function<std::vector<Output>()>& no);
/// The static value; nullopt if it is only known at run time.
std::optional<bool> knownTraining(Call& c);
/// One number, or `n` of them.
std::vector<int64_t> spread(const Call& c, const std::string& parameter, size_t n);
std::string upper(std::string s);
bool expectRank(GraphBuilder& b, Output x, int rank, std::string_view layer, bool atLeast = false);

void registerBatchNormalization(ApiRegistry& registry);
void registerPooling(ApiRegistry& registry);

}  // namespace weft::api::layers
