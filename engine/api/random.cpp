// tf.random. Each op gets two seeds, derived from the graph's and its own.
#include "api/checks.h"
#include "api/nn_functions.h"
#include "api/statement.h"
#include "api/tf.h"

namespace weft::api {
namespace tf {
AttrMap seeds(GraphBuilder& b, std::optional<int64_t> seed) {
  const auto [first, second] = b.seedsFor(seed);
  return {{"seed", first}, {"seed2", second}};
}

Output shapeTensor(GraphBuilder& b, const Argument& shape) {
  const auto* list = std::get_if<ArgumentList>(&shape);
  const auto* ints = std::get_if<std::vector<int64_t>>(&shape);
  const bool empty = (list && list->empty()) || (ints && ints->empty());
  return toTensor(b, shape, "shape", empty ? DType::Int32 : DType::Invalid);
}

Output randomUniform(GraphBuilder& b, const Argument& shape, const Argument& low, const Argument& high, DType type, std::optional<int64_t> seed, Name name) {
  if (isNone(high) && isInteger(type)) {
    b.fail(invalidArgument("Must specify maxval for integer dtype tf.", dtypeName(type)));
    return {};
  }
  const py::Scope scope(b, otherwise(name, "random_uniform"));
  const Output dims = shapeTensor(b, shape);
  const Output from = toTensor(b, low, "min", type), to = toTensor(b, isNone(high) ? Argument(1) : high, "max", type);
  AttrMap attrs = seeds(b, seed);
  if (isInteger(type)) return b.op("RandomUniformInt", {dims, from, to}, attrs, scope.name());
  attrs.set("dtype", type);
  const Output random = b.op("RandomUniform", {dims}, attrs);
  const Output range = minus(b, to, from);
  return b.op("Add", {times(b, random, range), from}, {}, scope.name());
}

Output randomNormal(GraphBuilder& b, std::string_view op, const Argument& shape, const Argument& mean, const Argument& stddev, DType type,
                    std::optional<int64_t> seed, Name name) {
  const py::Scope scope(b, name);
  const Output dims = shapeTensor(b, shape);
  const Output m = toTensor(b, mean, "mean", type), s = toTensor(b, stddev, "stddev", type);
  AttrMap attrs = seeds(b, seed);
  attrs.set("dtype", type);
  const Output random = b.op(op, {dims}, attrs);
  return b.op("Add", {times(b, random, s), m}, {}, scope.name());
}

}  // namespace tf

namespace {

Built randomCrop(Call& c) {
  GraphBuilder& b = c.b;
  const auto scope = c.scope("random_crop");
  const Output x = c.tensor("value"), size = c.tensor("size", DType::Int32);
  Output shape = tf::shape(b, x);
  const Output fits = tf::reduce(b, "All", b.op("GreaterEqual", {shape, size}));
  const int checked = checks::require(b, fits, {"Need value.shape >= size, got ", shape, size}, 1000);
  if (!b.ok()) return b.status().error();
  shape = nn::withDependencies(b, {checked}, shape);
  const Output limit = tf::plus(b, tf::minus(b, shape, size), 1);
  const Output any = tf::randomUniform(b, tf::shape(b, shape), 0, int64_t(2147483647), DType::Int32, c.seed());
  const Output offset = tf::mod(b, any, limit);
  return c.one(b.op("Slice", {x, offset, size}, {}, scope.name()));
}

Built gamma(Call& c) {
  GraphBuilder& b = c.b;
  const DType type = c.a.dtype("dtype");
  const auto scope = c.scope("random_gamma");
  const Output shape = c.tensor("shape", DType::Int32), alpha = c.tensor("alpha", type);
  const Output beta = toTensor(b, c.has("beta") ? c["beta"] : Argument(1), "beta", type);
  const Output all = tf::plus(b, alpha, tf::zerosLike(b, beta));
  const Output random = b.op("RandomGamma", {shape, all}, tf::seeds(b, c.seed()));
  const Output scaled = tf::over(b, random, beta);
  // The smallest normal number of the type: samples that vanish would have infinite logarithms.
  const Tensor tiny = type == DType::Double ? Tensor::scalar(2.2250738585072014e-308)
                      : type == DType::Half ? Tensor::scalar(halfFromFloat(6.103515625e-05f))
                                            : Tensor::scalar(1.1754943508222875e-38f);
  return c.one(emit(b, "Maximum", {Literal{tiny, false}, scaled}));
}

}  // namespace

void registerRandom(ApiRegistry& r) {
  def(r, "random.uniform random_uniform", "shape|minval=0|maxval=None|dtype: dtype=float32|seed: int=None|name",
      "Uniformly distributed random numbers between two bounds.", "A tensor.",
      [](Call& c) { return c.one(tf::randomUniform(c.b, c["shape"], c["minval"], c["maxval"], c.a.dtype("dtype"), c.seed(), c.name())); });
  for (const auto& [names, op, usual] : {std::tuple("random.normal random_normal", "RandomStandardNormal", "random_normal"),
                                         std::tuple("random.truncated_normal truncated_normal", "TruncatedNormal", "truncated_normal")}) {
    def(r, names, "shape|mean=0.0|stddev=1.0|dtype: dtype=float32|seed: int=None|name",
        "Normally distributed random numbers; truncated ones lie within two standard deviations.", "A tensor.",
        [op = std::string(op), usual = std::string(usual)](Call& c) {
          return c.one(tf::randomNormal(c.b, op, c["shape"], c["mean"], c["stddev"], c.a.dtype("dtype"), c.seed(), tf::otherwise(c.name(), usual)));
        });
  }
  def(r, "random.shuffle random_shuffle", "value|seed: int=None|name", "Shuffles the rows of a tensor randomly.", "A tensor.",
      [](Call& c) { return c.one(emit(c.b, "RandomShuffle", {c["value"]}, tf::seeds(c.b, c.seed()), c.name())); });
  def(r, "random_crop image.random_crop", "value|size -- Shape of the crop.|seed: int=None|name", "A random crop of a tensor.", "A tensor.", randomCrop);
  for (const auto& [names, scope, type] :
       {std::tuple("multinomial random.multinomial", "multinomial", "output_dtype"), std::tuple("random.categorical", "categorical", "dtype")}) {
    const bool old = std::string_view(scope) == "multinomial";
    const std::string parameters = old ? "logits|num_samples -- Number of samples per row.|seed: int=None|name|output_dtype: dtype=None -- Type of the result."
                                       : "logits|num_samples -- Number of samples per row.|dtype: dtype=None|seed: int=None|name";
    def(r, names, parameters, "Samples classes from categorical distributions given by unnormalized log-probabilities.", "[batch, num_samples]",
        [scope = std::string(scope), type = std::string(type)](Call& c) {
          const auto inside = c.scope(scope);
          const Output x = c.tensor("logits");
          AttrMap attrs = tf::seeds(c.b, c.seed());
          attrs.set("output_dtype", c.dtype(type, DType::Int64));
          return c.one(emit(c.b, "Multinomial", {x, c["num_samples"]}, attrs));
        });
  }
  def(r, "random.gamma random_gamma",
      "shape|alpha -- Shape parameter of the distribution.|beta=None -- Rate (inverse scale) of the distribution; None: 1.|dtype: dtype=float32|seed: "
      "int=None|name",
      "Random numbers from gamma distributions.", "A tensor.", gamma);
  def(r, "random.poisson random_poisson", "lam -- Rates of the distributions.|shape|dtype: dtype=float32|seed: int=None|name",
      "Random numbers from Poisson distributions.", "A tensor.", [](Call& c) {
        const auto scope = c.scope("random_poisson");
        const Output shape = c.tensor("shape", DType::Int32);
        AttrMap attrs = tf::seeds(c.b, c.seed());
        attrs.set("dtype", c.a.dtype("dtype"));
        return c.one(emit(c.b, "RandomPoissonV2", {shape, c["lam"]}, attrs));
      });
  for (const auto& [names, op] :
       {std::pair("nn.uniform_candidate_sampler random.uniform_candidate_sampler", "UniformCandidateSampler"),
        std::pair("nn.log_uniform_candidate_sampler random.log_uniform_candidate_sampler", "LogUniformCandidateSampler"),
        std::pair("nn.learned_unigram_candidate_sampler random.learned_unigram_candidate_sampler", "LearnedUnigramCandidateSampler")}) {
    def(r, names,
        "true_classes -- [batch, num_true]|num_true: int -- Number of true classes per row.|num_sampled: int -- Number of classes to sample.|unique: bool -- "
        "Sample without replacement.|range_max: int -- Number of classes.|seed: int=None|name",
        "Samples classes for a sampled loss.",
        "tuple(sampled_candidates true_expected_count sampled_expected_count): The sampled classes, and the expected counts of true and sampled classes.",
        [op = std::string(op)](Call& c) {
          AttrMap attrs = tf::seeds(c.b, c.seed());
          for (const char* n : {"num_true", "num_sampled", "range_max"}) attrs.set(n, c.a.integer(n));
          attrs.set("unique", c.a.flag("unique"));
          return c.all(emitAll(c.b, op, {c["true_classes"]}, attrs, c.name()));
        });
  }
  def(r, "nn.all_candidate_sampler random.all_candidate_sampler",
      "true_classes -- [batch, num_true]|num_true: int -- Number of true classes per row.|num_sampled: int -- Number of classes.|unique: bool -- Ignored; "
      "kept for compatibility.|seed: int=None|name",
      "Returns all classes instead of a sample, for testing.",
      "tuple(sampled_candidates true_expected_count sampled_expected_count): The sampled classes, and the expected counts of true and sampled classes.",
      [](Call& c) {
        AttrMap attrs = tf::seeds(c.b, c.seed());
        attrs.set("num_true", c.a.integer("num_true"));
        attrs.set("num_sampled", c.a.integer("num_sampled"));
        attrs.set("unique", c.a.flag("unique"));
        return c.all(emitAll(c.b, "AllCandidateSampler", {c["true_classes"]}, attrs, c.name()));
      });
  def(r, "nn.fixed_unigram_candidate_sampler random.fixed_unigram_candidate_sampler",
      "true_classes -- [batch, num_true]|num_true: int -- Number of true classes per row.|num_sampled: int -- Number of classes to sample.|unique: bool -- "
      "Sample without replacement.|range_max: int -- Number of classes.|vocab_file: string='' -- File with the weights.|distortion: float=1.0 -- Exponent "
      "applied to the weights.|num_reserved_ids: int=0 -- Number of reserved classes, which are never sampled.|num_shards: int=1 -- Number of samplers that "
      "partition the classes.|shard: int=0 -- Index of this sampler's partition.|unigrams: floats=None -- Weights, instead of a file.|seed: int=None|name",
      "Samples classes from a given unigram distribution.",
      "tuple(sampled_candidates true_expected_count sampled_expected_count): The sampled classes, and the expected counts of true and sampled classes.",
      [](Call& c) -> Built {
        AttrMap attrs = tf::seeds(c.b, c.seed());
        for (const char* n : {"num_true", "num_sampled", "range_max", "num_reserved_ids", "num_shards", "shard"}) attrs.set(n, c.a.integer(n));
        attrs.set("unique", c.a.flag("unique"));
        attrs.set("vocab_file", c.a.text("vocab_file"));
        attrs.set("distortion", c.a.number("distortion"));
        WEFT_LET(Attr weights, attrFromArgument("list(float)", c["unigrams"]));
        attrs.set("unigrams", std::move(weights));
        return c.all(emitAll(c.b, "FixedUnigramCandidateSampler", {c["true_classes"]}, attrs, c.name()));
      });
  def(r, "nn.compute_accidental_hits",
      "true_classes -- [batch, num_true]|sampled_candidates -- The sampled classes.|num_true: int -- Number of true classes per row.|seed: int=None|name",
      "Finds sampled classes that are true classes of an example.",
      "tuple(indices ids weights): Rows, positions among the sampled classes, and weights that mask the hits.", [](Call& c) {
        AttrMap attrs = tf::seeds(c.b, c.seed());
        attrs.set("num_true", c.a.integer("num_true"));
        return c.all(emitAll(c.b, "ComputeAccidentalHits", {c["true_classes"], c["sampled_candidates"]}, attrs, c.name()));
      });
  def(r, "random.stateless_uniform", "shape|seed -- Two integers.|minval=0|maxval=None|dtype: dtype=float32|name",
      "Uniformly distributed random numbers that depend on the seed only.", "A tensor.", [](Call& c) {
        GraphBuilder& b = c.b;
        const DType type = c.a.dtype("dtype");
        const auto scope = c.scope("stateless_random_uniform");
        const Output shape = tf::shapeTensor(b, c["shape"]), from = toTensor(b, c["minval"], "min", type),
                     to = toTensor(b, c.has("maxval") ? c["maxval"] : Argument(1), "max", type);
        if (isInteger(type)) return c.one(emit(b, "StatelessRandomUniformInt", {shape, c["seed"], from, to}, {}, scope.name()));
        const Output random = emit(b, "StatelessRandomUniform", {shape, c["seed"]}, {{"dtype", type}});
        const Output range = tf::minus(b, to, from);
        return c.one(b.op("Add", {tf::times(b, random, range), from}, {}, scope.name()));
      });
  for (const auto& [name, scope, op] : {std::tuple("random.stateless_normal", "stateless_random_normal", "StatelessRandomNormal"),
                                        std::tuple("random.stateless_truncated_normal", "stateless_truncated_normal", "StatelessTruncatedNormal")}) {
    def(r, name, "shape|seed -- Two integers.|mean=0.0|stddev=1.0|dtype: dtype=float32|name",
        "Normally distributed random numbers that depend on the seed only.", "A tensor.", [scope = std::string(scope), op = std::string(op)](Call& c) {
          GraphBuilder& b = c.b;
          const DType type = c.a.dtype("dtype");
          const auto inside = c.scope(scope);
          const Output shape = tf::shapeTensor(b, c["shape"]), mean = c.tensor("mean", type), stddev = c.tensor("stddev", type);
          const Output random = emit(b, op, {shape, c["seed"]}, {{"dtype", type}});
          return c.one(b.op("Add", {tf::times(b, random, stddev), mean}, {}, inside.name()));
        });
  }
}

}  // namespace weft::api
