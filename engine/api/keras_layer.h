// Shared by the layers of Keras: scope, variables and channel order of the layer under construction.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/records.h"
#include "api/variables.h"

namespace weft::api {

/// What surrounds the construction of a layer of Keras; an extension of the builder.
struct KerasContext {
  std::string scope;  ///< Full scope of the layer; empty: its parameter `name`, made unique.
  /// The value that a variable starts with; an invalid tensor: the layer's own initializer decides.
  std::function<Result<Tensor>(const std::string& variable, const Shape& shape)> initial;
};

/// One layer while it is built. Its ops and variables lie in its scope, under Keras's names ("dense/kernel").
class KerasLayer {
 public:
  using Built = Result<Values>;
  KerasLayer(GraphBuilder& b, const Arguments& a, std::string_view kind);

  GraphBuilder& b;
  const Arguments& a;
  const std::string& scope() const { return scope_; }
  /// The input, of known rank; the builder fails if the rank is none of `ranks` (empty: any).
  Output input(std::initializer_list<int> ranks = {});
  /// Size of a dimension that has to be known.
  int64_t known(Output x, int axis);
  VariablePtr weight(std::string_view name, const Shape& shape, const Initializer& initializer = {}, bool trainable = true);
  Output value(const VariablePtr& v) { return read(b, *v); }
  Output activated(Output x) { return activated(x, a.text("activation")); }
  Output activated(Output x, const std::string& kind);
  /// The training phase if the layer has one; otherwise an invalid output: the layer only infers.
  Output phase() const { return a.given("training") ? a.tensor("training") : Output(); }
  /// x while training, y otherwise.
  Output whileTraining(const std::function<Output()>& training, const std::function<Output()>& otherwise);
  Built done(Output x);
  Built done(std::vector<Output> outputs);
  Built fail(Error error);

  // Images and sequences with channels first are turned around for the ops, which take channels last.
  bool channelsFirst() const { return a.text("data_format") == "channels_first"; }
  Output channelsLast(Output x);
  Output channelsBack(Output x);

 private:
  std::string scope_, kind_;
  GraphBuilder::Guard guard_;
};

namespace keras {
using Built = Result<Values>;
using Parameters = records::Parameters;
using Build = std::function<Built(KerasLayer&)>;

/// Defines the layer "keras.CLASS". Its parameters are Keras's, under Keras's names; `name` is added.
void layer(ApiRegistry& r, std::string_view kind, std::string summary, Parameters parameters, Build build, const char* icon = "layer",
           std::vector<std::string> shown = {});
ApiParameter inputs();
ApiParameter training();
ApiParameter activation(const char* otherwise = "linear");
ApiParameter useBias();
ApiParameter dataFormat();
ApiParameter trainable();
std::vector<std::string> activations();

Output ints(GraphBuilder& b, const std::vector<int64_t>& v, std::string_view name);
/// x in another shape: the first `keep` dims of `like`, then `last`; the shape is constant where at most one is unknown.
Output reshapedTail(GraphBuilder& b, Output x, Output like, int keep, const std::vector<int64_t>& last);
std::string upper(std::string s);
/// One number stands for all.
std::vector<int64_t> sizes(std::vector<int64_t> v, size_t count);
/// "LSTM(units=32,return_sequences=true)": a layer within a wrapper.
struct InnerLayer {
  const ApiRecord* record = nullptr;
  Arguments arguments;
  std::string kind;
};
Result<InnerLayer> innerLayer(const std::string& text);
/// The parameters of such a text. INVALID_ARGUMENT if it is none.
Result<std::vector<std::pair<std::string, std::string>>> innerParameters(const std::string& text);
/// Builds an inner layer in its own scope.
Result<Values> buildInner(GraphBuilder& b, const std::string& scope, InnerLayer layer, Output x, Output training);

void registerBasic(ApiRegistry& r);
void registerShapes(ApiRegistry& r);
void registerConvolutions(ApiRegistry& r);
void registerPools(ApiRegistry& r);
void registerRecurrent(ApiRegistry& r);
void registerLosses(ApiRegistry& r);
}  // namespace keras
}  // namespace weft::api
