#pragma once

#include "api/variables.h"

// tf.layers, node for node as TensorFlow 1.15 builds them.
#pragma GCC visibility push(default)  // the whole module is part of the exported API
namespace weft::api::layers {

struct LayerOptions {
  std::string name;        ///< Empty: the layer's kind, made unique.
  std::string activation;  ///< "" = linear
  bool useBias = true;
  Initializer kernelInitializer;  ///< Empty: Glorot uniform.
  Initializer biasInitializer;    ///< Empty: zeros.
  bool trainable = true, reuse = false;
  std::optional<bool> resource;
};

Output dense(GraphBuilder& b, Output x, int64_t units, const LayerOptions& options = {});
/// `x` is NHWC. Kernel and strides: one number or two.
Output conv2d(GraphBuilder& b, Output x, int64_t filters, std::vector<int64_t> kernel, std::vector<int64_t> strides = {1, 1},
              const std::string& padding = "valid", const LayerOptions& options = {});
Output conv2dTranspose(GraphBuilder& b, Output x, int64_t filters, std::vector<int64_t> kernel, std::vector<int64_t> strides = {1, 1},
                       const std::string& padding = "valid", const LayerOptions& options = {});
/// Each channel by itself (`multiplier` filters for each), then a convolution of 1x1 windows over all. Strides: the same in height and width.
Output separableConv2d(GraphBuilder& b, Output x, int64_t filters, std::vector<int64_t> kernel, std::vector<int64_t> strides = {1, 1},
                       const std::string& padding = "valid", int64_t multiplier = 1, const LayerOptions& options = {});
Output maxPooling2d(GraphBuilder& b, Output x, std::vector<int64_t> pool, std::vector<int64_t> strides, const std::string& padding = "valid",
                    const std::string& name = {});
Output averagePooling2d(GraphBuilder& b, Output x, std::vector<int64_t> pool, std::vector<int64_t> strides, const std::string& padding = "valid",
                        const std::string& name = {});
Output flatten(GraphBuilder& b, Output x, const std::string& name = {});

/// Training mode of a layer: a static value, or a scalar bool tensor.
struct Training {
  Training(bool v) : value(v) {}
  Training(Output o) : tensor(o) {}
  bool value = false;
  Output tensor;
};
Output dropout(GraphBuilder& b, Output x, double rate, const Training& training, std::optional<int64_t> seed = {}, const std::string& name = {});
/// Over the last axis; updates of the moving averages join the collection update_ops.
Output batchNormalization(GraphBuilder& b, Output x, const Training& training, double momentum = 0.99, double epsilon = 1e-3, const std::string& name = {},
                          std::optional<bool> resource = {});

}  // namespace weft::api::layers
#pragma GCC visibility pop
