// tf.nn: activations, cross entropies, normalisation, dropout, embeddings, sampled losses.
#include <cmath>

#include "api/control_flow.h"
#include "api/nn_functions.h"

namespace weft::api {
namespace {

Built logPoisson(Call& c) {
  GraphBuilder& b = c.b;
  const auto scope = c.scope("log_poisson_loss");
  const Output x = c.tensor("log_input"), y = c.tensor("targets");
  if (b.ok() && !b.shape(x).compatibleWith(b.shape(y)))
    return invalidArgument("log_input and targets must have the same shape (", b.shape(x).toPythonString(), " vs ", b.shape(y).toPythonString(), ")");
  const Output grown = b.op("Exp", {x});
  const Output loss = tf::minus(b, grown, tf::times(b, x, y));
  if (!c.a.flag("compute_full_loss")) return c.one(loss);
  const Output half = b.number(b.dtype(y), 0.5), twoPi = b.number(b.dtype(y), 2 * 3.14159265358979323846);
  const Output product = tf::times(b, y, b.op("Log", {y}));
  const Output difference = tf::minus(b, product, y);
  const Output rest = tf::times(b, half, b.op("Log", {tf::times(b, twoPi, y)}));
  const Output stirling = tf::plus(b, difference, rest);
  const Output zeros = tf::zerosLike(b, y, b.dtype(y)), ones = tf::onesLike(b, y, b.dtype(y));
  const Output low = b.op("GreaterEqual", {y, zeros}), high = b.op("LessEqual", {y, ones});
  const Output small = b.op("LogicalAnd", {low, high});
  return c.one(tf::plus(b, loss, tf::where(b, small, zeros, stirling)));
}

Built weightedCrossEntropy(Call& c) {
  GraphBuilder& b = c.b;
  const auto scope = c.scope("logistic_loss");
  const Output x = c.tensor("logits"), y = c.tensor("labels");
  if (b.ok() && !b.shape(x).compatibleWith(b.shape(y)))
    return invalidArgument("logits and labels must have the same shape (", b.shape(x).toPythonString(), " vs ", b.shape(y).toPythonString(), ")");
  // pos_weight - 1 is computed by Python if it is a number.
  const Argument less = holdsTensor(c["pos_weight"]) ? Argument(tf::minus(b, c["pos_weight"], 1)) : Argument(c.a.number("pos_weight") - 1);
  const Output weight = tf::plus(b, 1, tf::times(b, less, y));
  const Output right = tf::times(b, tf::minus(b, 1, y), x);
  const Output softened = b.op("Log1p", {b.op("Exp", {tf::negative(b, tf::abs(b, x))})});
  const Output cut = b.op("Relu", {tf::negative(b, x)});
  const Output wrong = tf::times(b, weight, tf::plus(b, softened, cut));
  return c.one(b.op("Add", {right, wrong}, {}, scope.name()));
}

Output nonzero(GraphBuilder& b, Output x, DType type) {
  const py::Scope scope(b, "count_nonzero");
  const Output zero = tf::zeros(b, Shape{}, b.dtype(x));
  return tf::reduce(b, "Sum", tf::cast(b, b.op("NotEqual", {x, zero}), type), {}, false, "nonzero_count");
}

Built zeroFraction(Call& c) {
  GraphBuilder& b = c.b;
  const auto scope = c.scope("zero_fraction");
  const Output x = c.tensor("value");
  const Output size = tf::size(b, x, {}, DType::Int64);
  const Output small = tf::compare(b, "LessEqual", size, int64_t(2147483647));
  const auto counts = cond(
      b, small, [&]() -> std::vector<Output> { return {tf::cast(b, nonzero(b, x, DType::Int32), DType::Int64)}; },
      [&]() -> std::vector<Output> { return {nonzero(b, x, DType::Int64)}; });
  if (!b.ok()) return b.status().error();
  Output share;
  {
    const py::Scope inside(b, "counts_to_fraction");
    const Output zeros = tf::cast(b, tf::minus(b, size, counts[0]), DType::Float);
    share = tf::over(b, zeros, tf::cast(b, size, DType::Float));
  }
  return c.one(tf::identity(b, share, "fraction"));
}

Built sufficientStatistics(Call& c) {
  GraphBuilder& b = c.b;
  const auto scope = c.scope("sufficient_statistics");
  const Output x = c.tensor("x");
  const Shape s = b.shape(x);
  const auto axes = c.a.integers("axes");
  double known = 1;  // an axis may be listed more than once
  for (const int64_t a : axes) {
    const int64_t d = s.hasRank() && a < s.rank() && a >= -s.rank() ? s.dim(int(a < 0 ? a + s.rank() : a)) : -1;
    known = known < 0 || d < 0 ? -1 : known * double(d);
  }
  Output count;
  if (known >= 0) count = b.number(b.dtype(x), known);
  else count = tf::reduce(b, "Prod", tf::gather(b, tf::cast(b, tf::shape(b, x), b.dtype(x)), axes), {}, false, "count");
  Output mean = x, square, shift;
  if (c.has("shift")) {
    shift = c.tensor("shift");
    mean = b.op("Sub", {x, shift});
    square = b.op("SquaredDifference", {x, shift});
  } else {
    square = b.op("Square", {x});
  }
  const bool keep = c.a.flag("keepdims");
  mean = tf::reduce(b, "Sum", mean, c["axes"], keep, "mean_ss");
  square = tf::reduce(b, "Sum", square, c["axes"], keep, "var_ss");
  return c.all({count, mean, square, shift});
}

Built normalizeMoments(Call& c) {
  GraphBuilder& b = c.b;
  const auto scope = c.scope("normalize");
  const Output divisor = emit(b, "Reciprocal", {c["counts"]}, {}, "divisor");
  Output shifted, mean;
  if (c.has("shift")) {
    shifted = emit(b, "Mul", {c["mean_ss"], divisor}, {}, "shifted_mean");
    mean = emit(b, "Add", {shifted, c["shift"]}, {}, "mean");
  } else {
    shifted = mean = emit(b, "Mul", {c["mean_ss"], divisor}, {}, "mean");
  }
  const Output square = emit(b, "Mul", {c["variance_ss"], divisor});
  return c.all({mean, b.op("Sub", {square, b.op("Square", {shifted})}, {}, "variance")});
}

Built weightedMoments(Call& c) {
  GraphBuilder& b = c.b;
  const auto scope = c.scope("weighted_moments");
  Output x = c.tensor("x"), w = c.tensor("frequency_weights");
  const bool half = b.dtype(x) == DType::Half;
  if (half) x = tf::cast(b, x, DType::Float);
  w = tf::cast(b, w, b.dtype(x));
  const Argument& axes = c["axes"];
  const Output sum = tf::reduce(b, "Sum", tf::times(b, w, x), axes, true, "weighted_input_sum");
  const Output spread = tf::plus(b, w, tf::zerosLike(b, x));
  const Output total = tf::reduce(b, "Sum", spread, axes, true, "sum_of_weights");
  const Output divisor = b.op("Reciprocal", {total}, {}, "inv_weight_sum");
  Output mean = b.op("Mul", {sum, divisor});
  const Output squares = tf::reduce(b, "Sum", tf::times(b, w, b.op("SquaredDifference", {x, mean})), axes, true, "weighted_distsq");
  Output variance = b.op("Mul", {squares, divisor});
  if (!c.a.flag("keepdims")) {
    mean = tf::squeeze(b, mean, c.a.integers("axes"));
    variance = tf::squeeze(b, variance, c.a.integers("axes"));
  }
  if (half) {
    mean = tf::cast(b, mean, DType::Half);
    variance = tf::cast(b, variance, DType::Half);
  }
  return c.all({mean, variance});
}

Built fusedBatchNorm(Call& c) {
  GraphBuilder& b = c.b;
  const Output x = toTensor(b, c["x"], "input"), scale = c.tensor("scale"), offset = c.tensor("offset");
  const bool training = c.a.flag("is_training");
  if (training && (c.has("mean") || c.has("variance"))) return invalidArgument("Both 'mean' and 'variance' must be None if is_training is True.");
  const Argument mean = c.has("mean") ? c["mean"] : Argument(b.constant(Tensor::zeros(DType::Float, {0})));
  const Argument variance = c.has("variance") ? c["variance"] : Argument(b.constant(Tensor::zeros(DType::Float, {0})));
  const double epsilon = std::max(c.a.number("epsilon"), 1.001e-5);
  const auto all = emitAll(b, "FusedBatchNormV3", {x, scale, offset, mean, variance},
                           {{"epsilon", epsilon}, {"data_format", c.a.text("data_format")}, {"is_training", training}}, c.name());
  if (!b.ok()) return b.status().error();
  return c.all({all[0], all[1], all[2]});
}

Output sumRows(GraphBuilder& b, Output x) {
  const Output columns = tf::at(b, tf::shape(b, x), 1);
  const Output shape = tf::stack(b, ArgumentList{columns, 1});
  const Output ones = tf::ones(b, shape, b.dtype(x));
  return tf::reshape(b, tf::matmul(b, x, ones), std::vector<int64_t>{-1});
}

struct Sampled {
  Output logits, labels;
};

Sampled sampledLogits(Call& c, const std::string& name, std::optional<int64_t> seed) {
  GraphBuilder& b = c.b;
  using List = ArgumentList;
  using Ints = std::vector<int64_t>;
  const py::Scope scope(b, name);
  const int64_t numTrue = c.a.integer("num_true"), count = c.a.integer("num_sampled");
  const std::string strategy = c.a.text("partition_strategy");
  const Output inputs = c.tensor("inputs");
  const Output labels = tf::cast(b, toTensor(b, c["labels"], {}), DType::Int64);
  const Output flat = tf::reshape(b, labels, Ints{-1});
  std::vector<Output> drawn;
  if (c.has("sampled_values")) {
    for (const Argument& a : c.list("sampled_values")) drawn.push_back(toTensor(b, a, {}));
  } else {
    AttrMap attrs = tf::seeds(b, seed);
    attrs.set("num_true", numTrue);
    attrs.set("num_sampled", count);
    attrs.set("unique", true);
    attrs.set("range_max", c.a.integer("num_classes"));
    drawn = emitAll(b, "LogUniformCandidateSampler", {labels}, attrs);
  }
  if (!b.ok() || drawn.size() != 3) return {};
  for (Output& o : drawn) o = b.op("StopGradient", {o});
  const Output sampled = tf::cast(b, drawn[0], DType::Int64);
  const Output ids = tf::concatenate(b, List{flat, sampled}, 0);
  const DType type = b.dtype(inputs);
  const auto rows = [&] { return tf::at(b, tf::shape(b, flat), 0); };
  const Output allW = tf::cast(b, nn::embeddingLookup(b, c["weights"], ids, strategy), type);
  const Output trueW = emit(b, "Slice", {allW, Ints{0, 0}, tf::stack(b, List{rows(), -1})});
  const Output sampledW = emit(b, "Slice", {allW, tf::stack(b, List{rows(), 0}), Ints{-1, -1}});
  Output sampledLogits = tf::matmul(b, inputs, sampledW, false, true);
  const Output allB = tf::cast(b, nn::embeddingLookup(b, c["biases"], ids, strategy), type);
  const Output trueB = emit(b, "Slice", {allB, Ints{0}, tf::shape(b, flat)});
  const Output sampledB = emit(b, "Slice", {allB, tf::shape(b, flat), Ints{-1}});
  const Output dim = tf::part(b, tf::shape(b, trueW), 1, 2);
  const Output wide = tf::concatenate(b, List{Ints{-1, numTrue}, dim}, 0);
  const Output inner = tf::expandDims(b, inputs, 1);
  const Output products = b.op("Mul", {inner, tf::reshape(b, trueW, wide)});
  const Output matrix = tf::reshape(b, products, tf::concatenate(b, List{Ints{-1}, dim}, 0));
  Output trueLogits = tf::reshape(b, sumRows(b, matrix), Ints{-1, numTrue});
  trueLogits = tf::plus(b, trueLogits, tf::reshape(b, trueB, Ints{-1, numTrue}));
  sampledLogits = tf::plus(b, sampledLogits, sampledB);
  if (c.a.flag("remove_accidental_hits")) {
    AttrMap attrs = tf::seeds(b, {});
    attrs.set("num_true", numTrue);
    const auto hits = emitAll(b, "ComputeAccidentalHits", {labels, sampled}, attrs);
    if (!b.ok()) return {};
    const Output where = tf::reshape(b, hits[0], Ints{-1, 1});
    const Output which = tf::reshape(b, tf::cast(b, hits[1], DType::Int32), Ints{-1, 1});
    const Output places = tf::concatenate(b, List{where, which}, 1, "sparse_indices");
    const Output first = tf::part(b, tf::shape(b, labels), {}, 1);
    const Output shape = tf::concatenate(b, List{first, tf::expandDims(b, count, 0)}, 0);
    const Output weights = tf::cast(b, hits[2], type);
    sampledLogits = tf::plus(b, sampledLogits, emit(b, "SparseToDense", {places, shape, weights, 0.0}, {{"validate_indices", false}}));
  }
  trueLogits = tf::minus(b, trueLogits, b.op("Log", {drawn[1]}));
  sampledLogits = tf::minus(b, sampledLogits, b.op("Log", {drawn[2]}));
  const Output logits = tf::concatenate(b, List{trueLogits, sampledLogits}, 1);
  const Output yes = tf::over(b, tf::onesLike(b, trueLogits), numTrue);
  return {logits, tf::concatenate(b, List{yes, tf::zerosLike(b, sampledLogits)}, 1)};
}

Built embeddingLookupSparse(Call& c) {
  GraphBuilder& b = c.b;
  const std::string combiner = c.has("combiner") ? c.a.text("combiner") : "mean";
  if (combiner != "mean" && combiner != "sqrtn" && combiner != "sum") return invalidArgument("combiner must be one of 'mean', 'sqrtn' or 'sum'");
  const auto* ids = std::get_if<SparseValue>(&c["sp_ids"]);
  const auto* sw = std::get_if<SparseValue>(&c["sp_weights"]);
  if (!ids) return typeError("sp_ids must be SparseTensor");
  if (c.has("sp_weights") && !sw) return typeError("sp_weights must be either None or SparseTensor");
  const auto scope = c.scope("embedding_lookup_sparse");
  using tf::Index;
  const Output segments = tf::cast(b, tf::item(b, ids->indices, {Index::range({}, {}), Index::at(0)}), DType::Int32);
  const auto unique = emitAll(b, "Unique", {ids->values});
  if (!b.ok()) return b.status().error();
  Output rows = nn::embeddingLookup(b, c["params"], unique[0], c.a.text("partition_strategy"), {}, c["max_norm"]);
  if (b.dtype(rows) == DType::Half || b.dtype(rows) == DType::BFloat16) rows = tf::cast(b, rows, DType::Float);
  if (!sw) {
    const char* op = combiner == "sum" ? "SparseSegmentSum" : combiner == "mean" ? "SparseSegmentMean" : "SparseSegmentSqrtN";
    return c.one(b.op(op, {rows, unique[1], segments}, {}, scope.name()));
  }
  Output weights = tf::cast(b, sw->values, b.dtype(rows));
  rows = tf::gather(b, rows, unique[1]);
  const Output more = tf::expandDims(b, tf::minus(b, tf::rank(b, rows), 1), 0);
  const Output ones = tf::fill(b, more, 1);
  const Output shape = tf::concatenate(b, ArgumentList{tf::shape(b, weights), ones}, 0);
  Shape known = b.shape(weights);
  weights = tf::reshape(b, weights, shape);
  if (const Shape s = b.shape(rows); s.hasRank() && known.hasRank()) {
    for (int i = 1; i < s.rank(); ++i) known.append(1);
    b.setShape(weights, known);
  }
  rows = tf::times(b, rows, weights);
  if (combiner == "sum") return c.one(b.op("SegmentSum", {rows, segments}, {}, scope.name()));
  rows = b.op("SegmentSum", {rows, segments});
  if (combiner == "mean") return c.one(tf::div(b, rows, b.op("SegmentSum", {weights, segments}), scope.name()));
  const Output squares = b.op("SegmentSum", {tf::pow(b, weights, 2), segments});
  return c.one(tf::div(b, rows, b.op("Sqrt", {squares}), scope.name()));
}

void registerActivations(ApiRegistry& r) {
  def(r, "nn.relu6", "features|name", "min(max(x, 0), 6), element-wise.", "A tensor.",
      [](Call& c) { return c.one(emit(c.b, "Relu6", {c["features"]}, {}, c.name())); });
  def(r, "nn.leaky_relu", "features|alpha: float=0.2 -- Slope for negative inputs.|name", "Leaky relu: x where x > 0, otherwise alpha * x.", "A tensor.",
      [](Call& c) {
        const auto scope = c.scope("LeakyRelu");
        Output x = c.tensor("features");
        if (isInteger(c.b.dtype(x))) x = tf::cast(c.b, x, DType::Float);
        return c.one(c.b.op("LeakyRelu", {x}, {{"alpha", c.a.number("alpha")}}, scope.name()));
      });
  def(r, "nn.crelu", "features|name|axis: int=-1", "Concatenated relu: relu of the input and relu of its negative, side by side.",
      "A tensor that is twice as long along `axis`.", [](Call& c) {
        const auto scope = c.scope("CRelu");
        const Output x = c.tensor("features");
        return c.one(c.b.op("Relu", {tf::concatenate(c.b, ArgumentList{x, tf::negative(c.b, x)}, c.a.integer("axis"), scope.name())}));
      });
  for (const auto& [names, op] : {std::pair("nn.softmax math.softmax", "Softmax"), std::pair("nn.log_softmax math.log_softmax", "LogSoftmax")}) {
    def(r, names, "logits|axis/dim: int=-1|name", "Softmax over a dimension, or its logarithm.", "A tensor.",
        [op = std::string(op)](Call& c) { return c.one(nn::softmax(c.b, op, c["logits"], c.has("axis") ? c.a.integer("axis") : -1, c.name())); });
  }
  def(r, "nn.bias_add", "value|bias -- One value per channel.|data_format: string=None|name", "Adds a bias to each channel.", "A tensor.",
      [](Call& c) { return c.one(nn::biasAdd(c.b, c["value"], c["bias"], c.a.text("data_format"), c.name())); });
  for (const auto& [name, relu] : {std::pair("nn.xw_plus_b", false), std::pair("nn.relu_layer", true)}) {
    def(r, name, "x|weights|biases -- One value per column.|name", "Matrix product plus a bias" + std::string(relu ? ", followed by relu" : "."), "A tensor.",
        [relu = relu](Call& c) {
          GraphBuilder& b = c.b;
          const auto scope = c.scope(relu ? "relu_layer" : "xw_plus_b");
          const Output x = c.tensor("x"), w = c.tensor("weights"), bias = c.tensor("biases");
          const Output product = tf::matmul(b, x, w);
          if (!relu) return c.one(nn::biasAdd(b, product, bias, {}, scope.name()));
          return c.one(b.op("Relu", {nn::biasAdd(b, product, bias)}, {}, scope.name()));
        });
  }
  def(r, "nn.dropout",
      "x|keep_prob=None -- Fraction to keep; deprecated, use rate.|noise_shape=None -- Shape of the random mask; None: that of x.|seed: "
      "int=None|name|rate=None -- Fraction to drop: a number or a scalar tensor.",
      "Dropout: sets a random fraction of the values to zero and scales the others up.", "A tensor.", [](Call& c) -> Built {
        GraphBuilder& b = c.b;
        Argument rate = c["rate"];
        if (c.has("keep_prob")) {
          if (c.has("rate")) return invalidArgument("Cannot specify both 'keep_prob' and 'rate'");
          rate = holdsTensor(c["keep_prob"]) ? Argument(tf::minus(b, 1.0, c["keep_prob"])) : Argument(1.0 - c.a.number("keep_prob"));
        }
        if (isNone(rate)) return invalidArgument("You must provide a rate to dropout.");
        return c.one(nn::dropout(b, c["x"], rate, c["noise_shape"], c.seed(), c.name()));
      });
  def(r, "nn.top_k math.top_k", "input|k=1 -- Number of values per row.|sorted: bool=true -- Whether to sort in descending order.|name",
      "The k largest values of each row.", "tuple(values indices): The values and their indices.", [](Call& c) {
        return c.all(emitAll(c.b, "TopKV2", {c["input"], c["k"]}, {{"sorted", c.a.flag("sorted")}}, c.name()));
      });
  def(r, "nn.in_top_k math.in_top_k", "predictions|targets -- The target classes.|k -- Number of top classes.|name",
      "Whether the target class is among the k highest scores.", "A boolean vector.", [](Call& c) {
        const auto scope = c.scope("in_top_k");
        return c.one(emit(c.b, "InTopKV2", {c["predictions"], c["targets"], c["k"]}, {}, c.name()));
      });
  def(r, "nn.l2_normalize math.l2_normalize linalg.l2_normalize",
      "x|axis/dim=None -- Dimensions over which to compute the norm; None: all.|epsilon: float=1e-12 -- Lower bound of the squared norm.|name",
      "Scales vectors to L2 norm 1.", "A tensor.", [](Call& c) {
        GraphBuilder& b = c.b;
        const auto scope = c.scope("l2_normalize");
        const Output x = c.tensor("x");
        const Output sum = tf::reduce(b, "Sum", b.op("Square", {x}), c["axis"], true);
        const Output inverse = b.op("Rsqrt", {emit(b, "Maximum", {sum, c.a.number("epsilon")})});
        return c.one(b.op("Mul", {x, inverse}, {}, scope.name()));
      });
  def(r, "nn.zero_fraction math.zero_fraction", "value|name", "Fraction of elements that are zero.", "A scalar.", zeroFraction);
}

void registerCrossEntropies(ApiRegistry& r) {
  const std::string sentinel = "_sentinel: any=None -- Do not use; enforces named arguments.|";
  const auto checked = [](const Call& c, const char* name) -> Status {
    if (c.has("_sentinel")) return invalidArgument("Only call `", name, "` with named arguments (labels=..., logits=..., ...)");
    if (!c.has("labels") || !c.has("logits")) return invalidArgument("Both labels and logits must be provided.");
    return {};
  };
  def(r, "nn.softmax_cross_entropy_with_logits_v2", "labels|logits|axis/dim: int=-1|name", "Softmax cross entropy with class probabilities as labels.",
      "One loss for each row.",
      [](Call& c) { return c.one(nn::softmaxCrossEntropy(c.b, c["labels"], c["logits"], c.has("axis") ? c.a.integer("axis") : -1, c.name())); });
  def(r, "nn.softmax_cross_entropy_with_logits", sentinel + "labels=None|logits=None|dim/axis: int=-1 -- Class dimension.|name",
      "Softmax cross entropy with class probabilities as labels; no gradient flows to the labels.", "One loss for each row.", [checked](Call& c) -> Built {
        WEFT_TRY(checked(c, "softmax_cross_entropy_with_logits"));
        std::string name;
        Output labels;
        {
          const auto scope = c.scope("softmax_cross_entropy_with_logits_sg");
          name = scope.name();
          labels = emit(c.b, "StopGradient", {c["labels"]}, {}, "labels_stop_gradient");
        }
        return c.one(nn::softmaxCrossEntropy(c.b, labels, c["logits"], c.a.integer("dim"), name));
      });
  def(r, "nn.sparse_softmax_cross_entropy_with_logits", sentinel + "labels=None|logits=None|name", "Softmax cross entropy with class indices as labels.",
      "One loss for each row.", [checked](Call& c) -> Built {
        WEFT_TRY(checked(c, "sparse_softmax_cross_entropy_with_logits"));
        return c.one(nn::sparseSoftmaxCrossEntropy(c.b, c["labels"], c["logits"], c.name()));
      });
  def(r, "nn.sigmoid_cross_entropy_with_logits", sentinel + "labels=None|logits=None|name", "Sigmoid cross entropy with independent binary labels.",
      "Element-wise losses, in the shape of the logits.", [checked](Call& c) -> Built {
        WEFT_TRY(checked(c, "sigmoid_cross_entropy_with_logits"));
        return c.one(nn::sigmoidCrossEntropy(c.b, c["labels"], c["logits"], c.name()));
      });
  def(r, "nn.weighted_cross_entropy_with_logits", "labels/targets|logits|pos_weight -- Weight of positive labels.|name",
      "Sigmoid cross entropy with a separate weight for positive labels.", "Element-wise losses, in the shape of the logits.", weightedCrossEntropy);
  def(r, "nn.log_poisson_loss",
      "targets -- True counts.|log_input -- Logarithms of the predicted rates.|compute_full_loss: bool=false -- Whether to include Stirling's approximation "
      "of the constant term.|name",
      "Poisson loss with the logarithm of the rate as input.", "A tensor.", logPoisson);
  const std::string sampled =
      "weights|biases -- One bias per class.|labels -- [batch, num_true]|inputs -- [batch, features]|num_sampled: int -- Number of classes to "
      "sample.|num_classes: int|num_true: int=1 -- Number of true classes per row.|sampled_values: any=None -- Result of a candidate sampler; None: "
      "log-uniform sampling.|remove_accidental_hits: bool=";
  def(r, "nn.nce_loss",
      sampled + "false -- Whether to mask sampled classes that are true classes.|partition_strategy: string=mod|name: string=nce_loss -- Name of the scope.",
      "Noise-contrastive estimation loss.", "One loss for each row.", [](Call& c) {
        const Sampled s = sampledLogits(c, c.name("nce_loss"), {});
        return c.one(sumRows(c.b, nn::sigmoidCrossEntropy(c.b, s.labels, s.logits, "sampled_losses")));
      });
  def(r, "nn.sampled_softmax_loss",
      sampled +
          "true -- Whether to mask sampled classes that are true classes.|partition_strategy: string=mod|name: string=sampled_softmax_loss -- Name of the "
          "scope.|seed: int=None",
      "Softmax cross entropy over sampled classes.", "One loss for each row.", [](Call& c) {
        const Sampled s = sampledLogits(c, c.name("sampled_softmax_loss"), c.seed());
        const Output labels = c.b.op("StopGradient", {s.labels}, {}, "labels_stop_gradient");
        return c.one(nn::softmaxCrossEntropy(c.b, labels, s.logits));
      });
}

}  // namespace

void registerNn(ApiRegistry& r) {
  registerActivations(r);
  registerCrossEntropies(r);
  const std::string keep = "keepdims/keep_dims: bool=None";
  def(r, "nn.moments", "x|axes: ints -- Dimensions to average over.|shift: any=None -- Ignored; kept for compatibility.|name|" + keep, "Mean and variance.",
      "tuple: The mean and the variance.", [](Call& c) {
        const auto [mean, variance] = nn::moments(c.b, c["x"], c["axes"], c.a.flag("keepdims"), c.name());
        return c.all({mean, variance});
      });
  def(r, "nn.weighted_moments", "x|axes: ints -- Dimensions to average over.|frequency_weights -- Weight of each element.|name|" + keep,
      "Weighted mean and variance.", "tuple: The mean and the variance.", weightedMoments);
  def(r, "nn.sufficient_statistics", "x|axes: ints -- Dimensions to sum over.|shift=None -- Value subtracted first, for accuracy.|" + keep + "|name",
      "Sums from which mean and variance can be computed.", "tuple: Count, sum, sum of squares, and the shift.", sufficientStatistics);
  def(r, "nn.normalize_moments",
      "counts -- Number of values.|mean_ss -- Their sum.|variance_ss -- The sum of their squares.|shift=None -- Value that was subtracted first.|name",
      "Mean and variance from sufficient statistics.", "tuple: The mean and the variance.", normalizeMoments);
  def(r, "nn.batch_normalization",
      "x|mean|variance -- Variance of each channel.|offset=None -- Offset per channel.|scale=None -- Scale per channel.|variance_epsilon -- Small constant "
      "added to the variance.|name",
      "Normalizes by given mean and variance.", "A tensor.",
      [](Call& c) { return c.one(nn::batchNormalization(c.b, c["x"], c["mean"], c["variance"], c["offset"], c["scale"], c["variance_epsilon"], c.name())); });
  def(r, "nn.batch_norm_with_global_normalization",
      "t/input|m/mean -- Mean of each channel.|v/variance -- Variance of each channel.|beta=None -- Offset per channel.|gamma=None -- Scale per "
      "channel.|variance_epsilon=None -- Small constant added to the variance.|scale_after_normalization: bool=None -- Whether to multiply by gamma.|name",
      "Normalizes by given mean and variance.", "A tensor.", [](Call& c) {
        return c.one(nn::batchNormalization(c.b, c["t"], c["m"], c["v"], c["beta"], c.a.flag("scale_after_normalization") ? c["gamma"] : Argument(),
                                            c["variance_epsilon"], c.name()));
      });
  def(r, "nn.fused_batch_norm",
      "x|scale -- Scale per channel.|offset -- Offset per channel.|mean=None|variance=None -- Variance of each channel.|epsilon: float=0.001 -- Small "
      "constant added to the variance.|data_format: string=NHWC|is_training: bool=true -- Use the batch's own mean and variance.|name",
      "Batch normalization of each channel in one op.", "tuple: The result, the batch's mean and its variance.", fusedBatchNorm);
  def(r, "nn.embedding_lookup", "params: any|ids -- Row indices.|partition_strategy: string=mod|name|validate_indices: bool=true|max_norm=None",
      "Looks up rows of an embedding table, which may be partitioned.", "A tensor.",
      [](Call& c) { return c.one(nn::embeddingLookup(c.b, c["params"], c["ids"], c.a.text("partition_strategy"), c.name(), c["max_norm"])); });
  def(r, "nn.embedding_lookup_sparse",
      "params: any|sp_ids: any -- Row indices, as a sparse tensor.|sp_weights: any -- Weight of each id; None: all 1.|partition_strategy: "
      "string=mod|name|combiner: string=None -- \"mean\", \"sum\" or \"sqrtn\".|max_norm=None",
      "Looks up rows of an embedding table and combines them for each example.", "A tensor.", embeddingLookupSparse);
}

}  // namespace weft::api
