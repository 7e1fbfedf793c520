#pragma once

#include "api/variables.h"

// tf.train and tf.summary: optimizers, savers, summaries, node for node as TensorFlow 1.15 builds them.
#pragma GCC visibility push(default)  // the whole module is part of the exported API
namespace weft::api {

/// Seed of graphs made from recipes and templates, so that they give the same losses on all machines.
inline constexpr int64_t kGraphSeed = 1;

struct OptimizerOptions {
  std::string kind = "GradientDescent";  ///< "Momentum", "Adagrad", "RMSProp", "Adam" too
  std::string name;                      ///< Of the training op; empty: the kind.
  double learningRate = 0.01;
  Output learningRateTensor;  ///< Instead of the number.
  double momentum = 0.9;      ///< Momentum and RMSProp (0 there by default)
  bool nesterov = false;
  double initialAccumulator = 0.1;    ///< Adagrad
  double decay = 0.9;                 ///< RMSProp
  double beta1 = 0.9, beta2 = 0.999;  ///< Adam
  double epsilon = 1e-8;
  double clipGlobalNorm = 0;           ///< 0: no clipping
  VariablePtr globalStep;              ///< Incremented by every step, if given.
  std::vector<VariablePtr> variables;  ///< Empty: all trainable ones.
};

/// Defaults of `kind`, as in tf.train.
OptimizerOptions optimizerDefaults(std::string kind);

/// optimizer.minimize(loss): the training op. INVALID_ARGUMENT "No gradients provided for any variable".
Result<int> minimize(GraphBuilder& b, Output loss, const OptimizerOptions& options);
/// optimizer.apply_gradients.
Result<int> applyGradients(GraphBuilder& b, const std::vector<Gradient>& grads, const std::vector<VariablePtr>& variables, const OptimizerOptions& options);

/// tf.train.Saver of all variables: ops below "save", and the meta graph's SaverDef.
Result<SaverInfo> addSaver(GraphBuilder& b, int maxToKeep = 5, std::string_view name = "save");

// tf.summary: a string scalar with a serialized Summary, added to the collection summaries.
Output scalarSummary(GraphBuilder& b, std::string_view name, Output value);
Output histogramSummary(GraphBuilder& b, std::string_view name, Output values);
Output imageSummary(GraphBuilder& b, std::string_view name, Output images, int64_t maxOutputs = 3);
/// Of the collection summaries; invalid if it is empty.
Output mergeAllSummaries(GraphBuilder& b);

}  // namespace weft::api
#pragma GCC visibility pop
