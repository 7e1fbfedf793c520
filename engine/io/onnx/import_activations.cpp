#include <cmath>
#include <tuple>

#include "io/onnx/import_node.h"

// Activation functions, softmax and losses.

namespace weft::onnx_io {
namespace {

Output scaled(ImportNode& n, Output x, double factor) {
  const Output k = n.scalar(x, factor);
  return n.op("Mul", {x, k});
}

Output plus(ImportNode& n, Output x, double offset) {
  const Output k = n.scalar(x, offset);
  return n.op("AddV2", {x, k});
}

Output between(ImportNode& n, Output x, double low, double high) {
  const Output least = n.scalar(x, low), most = n.scalar(x, high);
  return n.op("Minimum", {n.op("Maximum", {x, least}), most});
}

Translation relu(ImportNode& n) {
  const Output x = n.inAnyOrder(0);
  return Outputs{n.op("Relu", {x})};
}

Translation sigmoid(ImportNode& n) { return Outputs{n.op("Sigmoid", {n.inAnyOrder(0)})}; }
Translation tanhOf(ImportNode& n) { return Outputs{n.op("Tanh", {n.inAnyOrder(0)})}; }
Translation softplus(ImportNode& n) { return Outputs{n.op("Softplus", {n.inAnyOrder(0)})}; }
Translation softsign(ImportNode& n) { return Outputs{n.op("Softsign", {n.inAnyOrder(0)})}; }

/// alpha * (e^(x / scale) - 1) for negative x.
Translation elu(ImportNode& n) {
  const Output x = n.inAnyOrder(0);
  const double alpha = double(n.real("alpha", 1));
  if (alpha == 1) return Outputs{n.op("Elu", {x})};
  const Output made = n.op("Elu", {x});
  const Output high = n.op("Relu", {x}), zero = n.scalar(x, 0);
  const Output low = n.op("Minimum", {made, zero});
  return Outputs{n.op("AddV2", {high, scaled(n, low, alpha)})};
}

Translation celu(ImportNode& n) {
  const Output x = n.inAnyOrder(0);
  const double alpha = double(n.real("alpha", 1));
  const Output high = n.op("Relu", {x}), zero = n.scalar(x, 0);
  const Output shrunk = n.op("Elu", {scaled(n, x, 1 / alpha)});
  const Output low = n.op("Minimum", {shrunk, zero});
  return Outputs{n.op("AddV2", {high, scaled(n, low, alpha)})};
}

Translation selu(ImportNode& n) {
  const Output x = n.inAnyOrder(0);
  const double alpha = double(n.real("alpha", 1.67326319217681884765625f)), gamma = double(n.real("gamma", 1.05070102214813232421875f));
  if (std::abs(alpha - 1.6732632) < 1e-6 && std::abs(gamma - 1.0507010) < 1e-6) return Outputs{n.op("Selu", {x})};
  const Output high = n.op("Relu", {x}), zero = n.scalar(x, 0);
  const Output curved = n.op("Elu", {x});
  const Output low = scaled(n, n.op("Minimum", {curved, zero}), alpha);
  return Outputs{scaled(n, n.op("AddV2", {high, low}), gamma)};
}

Translation leakyRelu(ImportNode& n) {
  const Output x = n.inAnyOrder(0);
  return Outputs{n.op("LeakyRelu", {x}, {{"alpha", n.real("alpha", 0.01f)}})};
}

Translation prelu(ImportNode& n) {
  Output x, slope;
  if (n.opset < 7 && n.rank(1) == 1 && n.rank(0) > 2) {
    // Before version 7, a vector held one slope for each channel.
    Ints perChannel{-1};
    perChannel.resize(size_t(n.rank(0)) - 1, 1);
    x = n.in(0);
    slope = n.reshape(n.in(1), perChannel);
  } else {
    std::tie(x, slope) = n.inOneOrder();
  }
  const Output zero = n.scalar(x, 0);
  const Output high = n.op("Maximum", {x, zero}), low = n.op("Minimum", {x, zero});
  return Outputs{n.op("AddV2", {high, n.op("Mul", {slope, low})})};
}

Translation thresholded(ImportNode& n) {
  const Output x = n.inAnyOrder(0), alpha = n.scalar(x, double(n.real("alpha", 1)));
  const Output above = n.op("Greater", {x, alpha});
  const Output zero = n.op("ZerosLike", {x});
  return Outputs{n.op("Select", {above, x, zero})};
}

Translation hardSigmoid(ImportNode& n) {
  const Output x = n.inAnyOrder(0);
  const Output line = plus(n, scaled(n, x, double(n.real("alpha", 0.2f))), double(n.real("beta", 0.5f)));
  return Outputs{between(n, line, 0, 1)};
}

Translation hardSwish(ImportNode& n) {
  const Output x = n.inAnyOrder(0);
  const Output gate = between(n, plus(n, scaled(n, x, 1.0 / 6), 0.5), 0, 1);
  return Outputs{n.op("Mul", {x, gate})};
}

Translation gelu(ImportNode& n) {
  const Output x = n.inAnyOrder(0);
  Output inner;
  if (n.text("approximate", "none") == "tanh") {
    const Output square = n.op("Square", {x});
    const Output cube = n.op("Mul", {square, x});
    const Output sum = n.op("AddV2", {x, scaled(n, cube, 0.044715)});
    inner = n.op("Tanh", {scaled(n, sum, std::sqrt(2 / M_PI))});
  } else {
    inner = n.op("Erf", {scaled(n, x, std::sqrt(0.5))});
  }
  return Outputs{n.op("Mul", {scaled(n, x, 0.5), plus(n, inner, 1)})};
}

Translation mish(ImportNode& n) {
  const Output x = n.inAnyOrder(0);
  return Outputs{n.op("Mul", {x, n.op("Tanh", {n.op("Softplus", {x})})})};
}

Translation swish(ImportNode& n) {
  const Output x = n.inAnyOrder(0);
  return Outputs{n.op("Mul", {x, n.op("Sigmoid", {scaled(n, x, double(n.real("alpha", 1)))})})};
}

Translation shrink(ImportNode& n) {
  const Output x = n.inAnyOrder(0);
  const double lambda = double(n.real("lambd", 0.5f)), bias = double(n.real("bias", 0));
  const Output low = n.scalar(x, -lambda), high = n.scalar(x, lambda);
  const Output isLow = n.op("Less", {x, low}), isHigh = n.op("Greater", {x, high}), zero = n.op("ZerosLike", {x});
  const Output above = plus(n, x, -bias), below = plus(n, x, bias);
  const Output upper = n.op("Select", {isHigh, above, zero});
  return Outputs{n.op("Select", {isLow, below, upper})};
}

/// Moves an axis to the end, applies `op` there, and moves it back. Before version 13: over all axes from `axis` on.
Result<Output> alongAxis(ImportNode& n, const char* op) {
  const Output x = n.in(0);
  const int rank = n.rank(0);
  if (rank < 0) return unimplemented("the rank of its input is not known");
  const int64_t stated = n.integer("axis", n.opset < 13 ? 1 : -1), axis = axisOf(stated, std::max(rank, 1));
  if (axis < 0) return invalidArgument("axis ", stated, " of a tensor of rank ", rank);
  const auto apply = [&](Output flat) {
    if (std::string_view(op) != "Hardmax") return n.op(op, {flat});
    const Output last = n.b.scalar(int32_t(-1));
    const Output at = n.b.op("ArgMax", {flat, last}), sizes = n.shapeOf(flat);
    const Output depth = n.b.op("Reshape", {n.slice(sizes, 0, -1, INT64_MAX), n.intVector({})}), on = n.scalar(x, 1), off = n.scalar(x, 0);
    return n.op("OneHot", {at, depth, on, off});
  };
  if (rank == 0) return n.reshape(apply(n.reshape(x, {1})), {});
  if (axis == rank - 1 && (n.opset >= 13 || rank <= 2)) return apply(x);
  if (n.opset >= 13) {
    Ints perm;
    for (int i = 0; i < rank; ++i) perm.push_back(i);
    std::swap(perm[size_t(axis)], perm.back());
    return n.transpose(apply(n.transpose(x, perm)), perm);
  }
  const Output shape = n.shapeOf(x);
  Output flat;
  if (axis == 0) {
    flat = n.reshape(x, {1, -1});
  } else {
    const Output lead = n.reduce("Prod", n.slice(shape, 0, 0, axis), {0}, true);
    const Output rest = n.intVector({-1});
    flat = n.op("Reshape", {x, n.concat({lead, rest}, 0)});
  }
  const Output made = apply(flat);
  return n.op("Reshape", {made, shape});
}

Translation softmax(ImportNode& n) {
  WEFT_LET(const Output made, alongAxis(n, "Softmax"));
  return Outputs{made};
}

Translation logSoftmax(ImportNode& n) {
  WEFT_LET(const Output made, alongAxis(n, "LogSoftmax"));
  return Outputs{made};
}

Translation hardmax(ImportNode& n) {
  WEFT_LET(const Output made, alongAxis(n, "Hardmax"));
  return Outputs{made};
}

/// -weight[target] * logProbability[target] for each target, then averaged, summed or neither. Classes are the second dimension.
Result<Output> likelihoodLoss(ImportNode& n, Output logs) {
  const int rank = n.rank(0);
  if (rank < 2) return unimplemented("the rank of its input is not known");
  Output targets = n.in(1);
  const DType kind = n.b.dtype(targets);
  const Output classesLast = n.transpose(logs, toChannelsLast(rank));
  const Output depth = n.b.op("Reshape", {n.slice(n.shapeOf(classesLast), 0, -1, INT64_MAX), n.intVector({})});
  const Output on = n.scalar(logs, 1), off = n.scalar(logs, 0);
  // An ignored target is of no class, so that its row is all zeros.
  Output valid;
  if (n.hasAttr("ignore_index")) {
    const Output ignored = n.b.number(kind, double(n.integer("ignore_index")));
    const Output isValid = n.op("NotEqual", {targets, ignored});
    const Output none = n.op("Mul", {n.op("OnesLike", {targets}), n.b.number(kind, -1)});
    targets = n.op("Select", {isValid, targets, none});
    valid = n.b.cast(isValid, n.b.dtype(logs));
  }
  const Output rows = n.op("OneHot", {targets, depth, on, off});
  // 0 * -infinity is no number, so what is not chosen is left out.
  const Output zeros = n.op("ZerosLike", {classesLast});
  const Output chosen = n.op("Select", {n.b.cast(rows, DType::Bool), classesLast, zeros});
  Output loss = n.op("Neg", {n.reduce("Sum", chosen, {rank - 1}, false)});
  Output weight = valid;
  if (n.has(2)) {
    weight = n.reduce("Sum", n.op("Mul", {rows, n.in(2)}), {rank - 1}, false);
    loss = n.op("Mul", {loss, weight});
  }
  const std::string how = n.text("reduction", "mean");
  if (how == "none") return loss;
  Ints axes;
  for (int i = 0; i < rank - 1; ++i) axes.push_back(i);
  if (how == "sum") return n.reduce("Sum", loss, axes, false);
  if (!weight.valid()) return n.reduce("Mean", loss, axes, false);
  const Output total = n.reduce("Sum", loss, axes, false), weights = n.reduce("Sum", weight, axes, false);
  return n.op("RealDiv", {total, weights});
}

Translation negativeLogLikelihood(ImportNode& n) {
  WEFT_LET(const Output loss, likelihoodLoss(n, n.in(0)));
  return Outputs{loss};
}

Translation crossEntropy(ImportNode& n) {
  const int rank = n.rank(0);
  if (rank < 2) return unimplemented("the rank of its input is not known");
  const Output logs = n.transpose(n.op("LogSoftmax", {n.transpose(n.in(0), toChannelsLast(rank))}), toChannelsFirst(rank));
  WEFT_LET(const Output loss, likelihoodLoss(n, logs));
  return Outputs{loss, logs};
}

}  // namespace

std::vector<ImportRule> activationImports() {
  return {{"Relu", relu},
          {"Sigmoid", sigmoid},
          {"Tanh", tanhOf},
          {"Softplus", softplus},
          {"Softsign", softsign},
          {"Elu", elu},
          {"Celu", celu},
          {"Selu", selu},
          {"LeakyRelu", leakyRelu},
          {"PRelu", prelu},
          {"ThresholdedRelu", thresholded},
          {"HardSigmoid", hardSigmoid},
          {"HardSwish", hardSwish},
          {"Gelu", gelu},
          {"Mish", mish},
          {"Swish", swish},
          {"Shrink", shrink},
          {"Softmax", softmax},
          {"LogSoftmax", logSoftmax},
          {"Hardmax", hardmax},
          {"NegativeLogLikelihoodLoss", negativeLogLikelihood},
          {"SoftmaxCrossEntropyLoss", crossEntropy}};
}

}  // namespace weft::onnx_io
