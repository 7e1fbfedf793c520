#pragma once

#include "api/statement.h"
#include "api/tf.h"

// Functions of tf.nn used by several modules, with the names and nodes of TensorFlow 1.15's Python.
namespace weft::api::nn {

using tf::Name;
using tf::otherwise;

Output biasAdd(GraphBuilder& b, const Argument& value, const Argument& bias, const std::string& dataFormat = {}, Name name = {});
Output softmaxCrossEntropy(GraphBuilder& b, const Argument& labels, const Argument& logits, int64_t axis = -1, Name name = {});
Output sparseSoftmaxCrossEntropy(GraphBuilder& b, const Argument& labels, const Argument& logits, Name name = {});
Output sigmoidCrossEntropy(GraphBuilder& b, const Argument& labels, const Argument& logits, Name name = {});
std::pair<Output, Output> moments(GraphBuilder& b, const Argument& x, const Argument& axes, bool keepDims, Name name = {});
Output batchNormalization(GraphBuilder& b, const Argument& x, const Argument& mean, const Argument& variance, const Argument& offset, const Argument& scale,
                          const Argument& epsilon, Name name = {});
/// `rate` a number or a tensor; `noiseShape` None: that of x.
Output dropout(GraphBuilder& b, const Argument& x, const Argument& rate, const Argument& noiseShape, std::optional<int64_t> seed, Name name = {});
Output embeddingLookup(GraphBuilder& b, const Argument& params, const Argument& ids, const std::string& strategy, Name name = {}, const Argument& maxNorm = {});
Output softmax(GraphBuilder& b, std::string_view op, const Argument& logits, int64_t axis, Name name = {});
Output clipByNorm(GraphBuilder& b, Output x, const Argument& norm, const Argument& axes);
/// Identity of a tensor that waits for others (control_flow_ops.with_dependencies).
Output withDependencies(GraphBuilder& b, const std::vector<int>& nodes, Output x, Name name = {});

/// A spatial op, called with its input and padding.
using SpaceOp = std::function<Output(Output, const std::string&)>;
/// nn_ops.with_space_to_batch: dilated windows by moving blocks into the batch.
Output withSpaceToBatch(GraphBuilder& b, const Argument& input, const Argument& rate, const std::string& padding, const SpaceOp& op,
                        const Argument& filterShape, std::vector<int64_t> spatialDims, const std::string& dataFormat);
/// A value for each of `n` spatial dimensions, with ones for batch and channels. INVALID_ARGUMENT for another number of values.
std::vector<int64_t> sequence(GraphBuilder& b, const Argument& given, int n, bool channelsFirst, std::string_view name);
Output convolution(GraphBuilder& b, const Argument& input, const Argument& filter, const Argument& strides, const std::string& padding,
                   const std::string& dataFormat, const Argument& dilations, Name name = {});
Output conv1d(GraphBuilder& b, const Argument& value, const Argument& filters, const Argument& stride, const std::string& padding,
              const std::string& dataFormat, const Argument& dilations, Name name = {});

}  // namespace weft::api::nn
