#pragma once

#include "weft/builder.h"

// tf.nn, tf.losses and small tf.* functions used by layers and training, node for node.
#pragma GCC visibility push(default)  // the whole module is part of the exported API
namespace weft::api {

/// tf.reduce_mean and its like over all axes: the axes are a Const if the rank is known.
Output reduceAll(GraphBuilder& b, std::string_view op, Output x, std::string_view name = {});
Output argMax(GraphBuilder& b, Output x, int64_t axis, std::string_view name = "ArgMax");
/// "relu", "tanh", "sigmoid", "softmax", "elu", "softplus", …; "" and "linear" give x itself.
Output activation(GraphBuilder& b, Output x, const std::string& kind);

/// tf.nn.dropout(x, rate=…): `rate` a number or a scalar tensor.
struct DropoutRate {
  DropoutRate(double v) : value(v) {}
  DropoutRate(Output o) : tensor(o) {}
  double value = 0;
  Output tensor;
};
Output dropout(GraphBuilder& b, Output x, const DropoutRate& rate, std::optional<int64_t> seed = {}, std::string_view name = "dropout");

Output softmaxCrossEntropy(GraphBuilder& b, Output labels, Output logits, std::string_view name = "softmax_cross_entropy_with_logits");
Output sparseSoftmaxCrossEntropy(GraphBuilder& b, Output labels, Output logits, std::string_view name = {});
Output sigmoidCrossEntropy(GraphBuilder& b, Output labels, Output logits, std::string_view name = "logistic_loss");

// tf.losses: weighted sums over the batch, divided by the number of nonzero weights; added to the collection "losses".
namespace losses {
Output meanSquaredError(GraphBuilder& b, Output labels, Output predictions, std::string_view scope = "mean_squared_error");
Output softmaxCrossEntropy(GraphBuilder& b, Output onehotLabels, Output logits, std::string_view scope = "softmax_cross_entropy_loss");
Output sparseSoftmaxCrossEntropy(GraphBuilder& b, Output labels, Output logits, std::string_view scope = "sparse_softmax_cross_entropy_loss");
Output sigmoidCrossEntropy(GraphBuilder& b, Output labels, Output logits, std::string_view scope = "sigmoid_cross_entropy_loss");
}  // namespace losses

/// Mean of equal(argmax(logits, 1), labels), in [0, 1].
Output accuracy(GraphBuilder& b, Output logits, Output labels, std::string_view scope = "accuracy");

/// tf.clip_by_global_norm: the clipped tensors (invalid ones stay invalid) and the norm.
std::pair<std::vector<Gradient>, Output> clipByGlobalNorm(GraphBuilder& b, const std::vector<Gradient>& grads, double clipNorm);

}  // namespace weft::api
#pragma GCC visibility pop
