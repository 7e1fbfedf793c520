// Candidate samplers: draw classes for a sampled loss, with the expected count of each class.
#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include "device/cpu/philox.h"
#include "ops/random_fill.h"
#include "ops/registry.h"
#include "weft/file_system.h"
#include "weft/mutex.h"

namespace weft {
namespace {

/// A distribution over the classes [0, range).
class Sampler {
 public:
  explicit Sampler(int64_t range) : range_(range) {}
  virtual ~Sampler() = default;
  int64_t range() const { return range_; }
  virtual int64_t draw(cpu::PhiloxSingles& random) const = 0;
  virtual float probability(int64_t c) const = 0;
  /// Held while a batch is sampled and learned.
  virtual MovableLock lock() { return {}; }
  /// Updates the distribution with the true classes of a batch.
  virtual Status learn(const Tensor&) { return {}; }

 private:
  int64_t range_;
};

/// Uniform in [0, n), without modulo bias.
template <typename U, typename F>
U evenly(F&& next, U n) {
  if ((n & (n - 1)) == 0) return next() & (n - 1);
  const U remainder = ~U(0) % n + 1;
  U x = next();
  while (x < remainder) x = next();
  return x % n;
}

class UniformSampler final : public Sampler {
 public:
  explicit UniformSampler(int64_t range) : Sampler(range), share_(float(1.0 / double(range))) {}
  int64_t draw(cpu::PhiloxSingles& random) const override {
    return int64_t(evenly<uint64_t>([&] { return random.next64(); }, uint64_t(range())));
  }
  float probability(int64_t) const override { return share_; }

 private:
  float share_;
};

/// P(c) decreases like 1/c (classes sorted by frequency).
class LogUniformSampler final : public Sampler {
 public:
  explicit LogUniformSampler(int64_t range) : Sampler(range), logRange_(std::log(double(range + 1))) {}
  int64_t draw(cpu::PhiloxSingles& random) const override {
    const uint32_t high = random.next32(), low = random.next32();
    // Rounding may produce `range` itself.
    return (int64_t(std::exp(cpu::uniformDouble(high, low) * logRange_)) - 1) % range();
  }
  float probability(int64_t c) const override { return float(std::log((double(c) + 2.0) / (double(c) + 1.0)) / logRange_); }

 private:
  double logRange_;
};

/// Returns all classes in order.
class AllSampler final : public Sampler {
 public:
  using Sampler::Sampler;
  int64_t draw(cpu::PhiloxSingles&) const override { return 0; }
  float probability(int64_t) const override { return 1; }
};

/// Number of times that each class was a true class so far, starting at one. The counts belong to the op in the session.
class LearnedCounts final : public NodeState {
 public:
  LearnedCounts(int64_t range, int64_t seed, int64_t seed2) : stream(std::make_shared<cpu::RandomStream>(seed, seed2)) {
    while (leaves_ < range) leaves_ *= 2;
    tree_.assign(size_t(2 * leaves_), 0);
    for (int64_t c = 0; c < range; ++c) tree_[size_t(leaves_ + c)] = 1;
    for (int64_t i = leaves_ - 1; i > 0; --i) tree_[size_t(i)] = tree_[size_t(2 * i)] + tree_[size_t(2 * i + 1)];
  }
  int64_t total() const WEFT_REQUIRES(mutex) { return tree_[1]; }
  int64_t count(int64_t c) const WEFT_REQUIRES(mutex) { return tree_[size_t(leaves_ + c)]; }
  void add(int64_t c) WEFT_REQUIRES(mutex) {
    for (int64_t i = leaves_ + c; i > 0; i /= 2) ++tree_[size_t(i)];
  }
  /// The class at `position` if the classes' counts are laid end to end.
  int64_t at(int64_t position) const WEFT_REQUIRES(mutex) {
    int64_t i = 1;
    while (i < leaves_) {
      i *= 2;
      if (position >= tree_[size_t(i)]) position -= tree_[size_t(i++)];
    }
    return i - leaves_;
  }
  std::string save() const override {
    const MutexLock lock(mutex);
    return std::string(reinterpret_cast<const char*>(tree_.data()), tree_.size() * sizeof(int32_t)) + stream->save();
  }
  void restore(const std::string& state) override {
    const MutexLock lock(mutex);
    const size_t own = tree_.size() * sizeof(int32_t);
    if (state.size() < own) return;
    std::memcpy(tree_.data(), state.data(), own);
    stream->restore(state.substr(own));
  }
  mutable Mutex mutex;
  const std::shared_ptr<cpu::RandomStream> stream;

 private:
  int64_t leaves_ = 1;
  std::vector<int32_t> tree_ WEFT_GUARDED_BY(mutex);  // node i has the children 2i and 2i + 1
};

class LearnedSampler final : public Sampler {
 public:
  LearnedSampler(int64_t range, std::shared_ptr<LearnedCounts> counts) : Sampler(range), counts_(std::move(counts)) {}
  MovableLock lock() override { return MovableLock(counts_->mutex); }
  int64_t draw(cpu::PhiloxSingles& random) const override {
    counts_->mutex.assertHeld();
    return counts_->at(evenly<uint32_t>([&] { return random.next32(); }, uint32_t(counts_->total())));
  }
  float probability(int64_t c) const override {
    counts_->mutex.assertHeld();
    return c < 0 || c >= range() ? 0.f : float(counts_->count(c)) / float(counts_->total());
  }
  Status learn(const Tensor& classes) override {
    counts_->mutex.assertHeld();
    for (int64_t i = 0; i < classes.elements(); ++i) {
      const int64_t c = classes.at<int64_t>(i);
      if (c < 0 || c >= range()) return invalidArgument("`true_candidate` out of range [0, ", range(), "), received ", c);
    }
    const int64_t room = std::numeric_limits<int32_t>::max() - counts_->total();
    for (int64_t i = 0; i < std::min(classes.elements(), room); ++i) counts_->add(classes.at<int64_t>(i));
    return {};
  }

 private:
  std::shared_ptr<LearnedCounts> counts_;
};

/// Samples classes by given weights in constant time: each of the equally wide slots is shared by two classes (alias method; A. J. Walker, 1977).
class FixedSampler final : public Sampler {
 public:
  FixedSampler(int64_t range, std::vector<float> weights, float total) : Sampler(range), weights_(std::move(weights)), total_(total) {
    const size_t n = weights_.size();
    double sum = 0;
    for (float w : weights_) sum += double(w);
    std::vector<double> share(n);
    std::vector<size_t> high, low;
    for (size_t i = 0; i < n; ++i) {
      share[i] = double(weights_[i] * float(n)) / sum;
      (share[i] < 1.0 ? low : high).push_back(i);
    }
    own_.resize(n);
    other_.resize(n);
    while (!high.empty() && !low.empty()) {
      const size_t l = low.back(), h = high.back();
      low.pop_back(), high.pop_back();
      other_[l] = h;
      share[h] -= 1.0 - share[l];
      (share[h] < 1.0 ? low : high).push_back(h);
    }
    for (size_t i = 0; i < n; ++i) own_[i] = float(share[i]);
    for (const auto* rest : {&high, &low}) {
      for (size_t i : *rest) own_[i] = 1.f, other_[i] = i;
    }
  }
  int64_t draw(cpu::PhiloxSingles& random) const override {
    const float r = cpu::uniformFloat(random.next32());
    const size_t slot = evenly<uint32_t>([&] { return random.next32(); }, uint32_t(own_.size()));
    return int64_t(r < own_[slot] ? slot : other_[slot]);
  }
  float probability(int64_t c) const override { return c < 0 || size_t(c) >= weights_.size() ? 0.f : weights_[size_t(c)] / total_; }

 private:
  std::vector<float> weights_;
  float total_;
  std::vector<float> own_;     // the part of a slot that belongs to its own class
  std::vector<size_t> other_;  // the class of the other part
};

/// The weights of this shard's classes, from the attribute or from the last fields of a file's lines.
Result<std::unique_ptr<Sampler>> makeFixed(const AttrMap& attrs) {
  const std::string file = attrs.text("vocab_file");
  const std::vector<float> given = attrs.list<float>("unigrams");
  if (file.empty() && given.empty()) return invalidArgument("Must provide either vocab_file or unigrams.");
  if (!file.empty() && !given.empty()) return invalidArgument("Must only provide one of vocab_file and unigrams.");
  const float distortion = float(attrs.number("distortion", 1));
  const int64_t range = attrs.integer("range_max", 1), reserved = attrs.integer("num_reserved_ids"), shards = attrs.integer("num_shards", 1);
  const int64_t shard = attrs.integer("shard");
  if (shards < 1 || reserved > range * shards)
    return invalidArgument("num_reserved_ids ", reserved, " and num_shards ", shards, " do not fit range_max ", range);
  std::vector<float> weights;
  int64_t word = 0;
  float total = 0;
  for (; word < reserved; ++word) {
    if (word % shards == shard) weights.push_back(0.f);
  }
  word = int64_t(weights.size());
  const auto add = [&](float w) {
    w = std::pow(w, distortion);
    total += w;
    weights.push_back(w);
  };
  for (float w : given) {
    if (word++ % shards == shard) add(w);
  }
  if (!file.empty()) {
    WEFT_LET(const std::string text, posixFileSystem().readAll(file));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (word++ % shards != shard) continue;
      const std::string last = line.substr(line.rfind(',') + 1);
      char* end = nullptr;
      const float w = std::strtof(last.c_str(), &end);
      if (end == last.c_str() || last.find_first_not_of(" \t\r", size_t(end - last.c_str())) != last.npos) {
        return invalidArgument("Wrong vocabulary format at line: ", line);
      }
      add(w);
    }
  }
  if (int64_t(weights.size()) != range) return invalidArgument("range is ", range, " must be equal to weights size  ", weights.size());
  for (float w : weights) {
    if (!(w >= 0) || std::isinf(w)) return invalidArgument("Weights must not be negative, but one is ", w);
  }
  if (!(total > 0)) return invalidArgument("The sum of the weights must be positive, but is ", total);
  return std::unique_ptr<Sampler>(std::make_unique<FixedSampler>(range, std::move(weights), total));
}

using Stream = std::shared_ptr<cpu::RandomStream>;

/// `stream`: the node's random stream.
Result<std::unique_ptr<Sampler>> makeSampler(KernelInit& init, Stream& stream) {
  const std::string& op = init.node().op;
  const AttrMap& attrs = init.attrs();
  const int64_t range = attrs.integer("range_max", 1);
  const bool learns = op == "LearnedUnigramCandidateSampler" || op == "ThreadUnsafeUnigramCandidateSampler";
  if (!learns) stream = cpu::randomStream(init);
  if (op == "FixedUnigramCandidateSampler") return makeFixed(attrs);
  if (op == "AllCandidateSampler") return std::unique_ptr<Sampler>(std::make_unique<AllSampler>(attrs.integer("num_sampled", 1)));
  if (op == "LogUniformCandidateSampler") return std::unique_ptr<Sampler>(std::make_unique<LogUniformSampler>(range));
  if (op == "UniformCandidateSampler") return std::unique_ptr<Sampler>(std::make_unique<UniformSampler>(range));
  if (range >= std::numeric_limits<int32_t>::max() / 4) return resourceExhausted("range_max ", range, " is too large to count");
  auto counts = init.state<LearnedCounts>([&] { return std::make_shared<LearnedCounts>(range, attrs.integer("seed"), attrs.integer("seed2")); });
  stream = counts->stream;
  return std::unique_ptr<Sampler>(std::make_unique<LearnedSampler>(range, std::move(counts)));
}

/// Expected count of a class of probability `p`. Unique candidates, which took `tries` draws, count at most once.
float expectedCount(float p, int64_t batch, int64_t tries) {
  if (tries == batch) return p * float(batch);
  return -std::expm1(float(tries) * std::log1p(-p));
}

Status samplerShape(ShapeContext& c) {
  const Shape& classes = c.input(0);
  WEFT_TRY(c.requireRank(classes, 2));
  const Shape sampled{c.attrs().integer("num_sampled")};
  c.setOutput(0, sampled);
  c.setOutput(1, Shape{classes.hasRank() ? classes.dim(0) : Shape::kUnknownDim, c.attrs().integer("num_true")});
  c.setOutput(2, sampled);
  return {};
}

class CandidateKernel final : public Kernel {
 public:
  CandidateKernel(KernelInit& init, std::unique_ptr<Sampler> sampler, Stream stream)
      : sampler_(std::move(sampler)),
        all_(init.node().op == "AllCandidateSampler"),
        numTrue_(init.attrs().integer("num_true", 1)),
        numSampled_(init.attrs().integer("num_sampled", 1)),
        unique_(init.attrs().flag("unique")),
        stream_(std::move(stream)) {}

  Status compute(KernelContext& c) override {
    const Tensor& classes = c.input(0);
    if (classes.rank() != 2) return invalidArgument("true_classes must be a matrix");
    if (classes.dim(1) != numTrue_) {
      return invalidArgument("true_classes must have num_true columns, expected: ", classes.dim(1), " was: ", numTrue_);
    }
    if (unique_ && numSampled_ > sampler_->range()) return invalidArgument("Sampler's range is too small.");
    WEFT_LET(Tensor * sampled, c.allocate(0, {numSampled_}));
    WEFT_LET(Tensor * trueCounts, c.allocate(1, classes.shape()));
    WEFT_LET(Tensor * sampledCounts, c.allocate(2, {numSampled_}));
    int64_t* out = sampled->mutableData<int64_t>();
    float *expectedTrue = trueCounts->mutableData<float>(), *expectedSampled = sampledCounts->mutableData<float>();
    if (all_) {
      for (int64_t i = 0; i < numSampled_; ++i) out[i] = i;
      std::fill_n(expectedTrue, classes.elements(), 1.f);
      std::fill_n(expectedSampled, numSampled_, 1.f);
      return {};
    }
    cpu::Philox generator = stream_->reserve(uint64_t(2048 * numSampled_ + 3) / 4);
    cpu::PhiloxSingles random(generator);
    const auto lock = sampler_->lock();
    int64_t tries = 0;
    if (unique_) {
      std::unordered_set<int64_t> used;
      used.reserve(size_t(numSampled_) * 2);
      for (int64_t picked = 0; picked < numSampled_; ++tries) {
        // Classes of weight zero are never drawn.
        if (tries % 65536 == 65535 && c.cancelled()) return cancelledError("Sampling was cancelled");
        if (tries > std::numeric_limits<int32_t>::max() - 1) return invalidArgument("Sampler's range is too small.");
        const int64_t value = sampler_->draw(random);
        if (used.insert(value).second) out[picked++] = value;
      }
    } else {
      for (; tries < numSampled_; ++tries) out[tries] = sampler_->draw(random);
    }
    for (int64_t i = 0; i < numSampled_; ++i) expectedSampled[i] = expectedCount(sampler_->probability(out[i]), numSampled_, tries);
    for (int64_t i = 0; i < classes.elements(); ++i) {
      expectedTrue[i] = expectedCount(sampler_->probability(classes.at<int64_t>(i)), numSampled_, tries);
    }
    return sampler_->learn(classes);
  }

 private:
  std::unique_ptr<Sampler> sampler_;
  bool all_;
  int64_t numTrue_, numSampled_;
  bool unique_;
  Stream stream_;
};

Result<std::unique_ptr<Kernel>> makeKernel(KernelInit& init) {
  Stream stream;
  WEFT_LET(auto sampler, makeSampler(init, stream));
  return std::unique_ptr<Kernel>(std::make_unique<CandidateKernel>(init, std::move(sampler), std::move(stream)));
}

// ---- ComputeAccidentalHits

Status accidentalHitsShape(ShapeContext& c) {
  const Shape& classes = c.input(0);
  WEFT_TRY(c.requireRank(classes, 2));
  const int64_t numTrue = c.attrs().integer("num_true");
  if (classes.hasRank() && classes.dim(1) >= 0 && classes.dim(1) != numTrue) return invalidArgument("Dimension must be ", numTrue, " but is ", classes.dim(1));
  WEFT_TRY(c.requireRank(c.input(1), 1));
  for (int i = 0; i < 3; ++i) c.setOutput(i, Shape{Shape::kUnknownDim});
  return {};
}

Status runAccidentalHits(KernelContext& c) {
  const Tensor &classes = c.input(0), &sampled = c.input(1);
  const int64_t numTrue = c.node().attrs.integer("num_true");
  if (classes.rank() != 2 || classes.dim(1) != numTrue) return invalidArgument("true_candidates must be a batch_size * num_true matrix");
  if (sampled.rank() != 1) return invalidArgument("sampled_candidates must be a vector, which is typically an output from CandidateSampler");
  std::unordered_map<int64_t, int64_t> places;
  for (int64_t i = 0; i < sampled.elements(); ++i) places[sampled.at<int64_t>(i)] = i;
  std::vector<int32_t> rows;
  std::vector<int64_t> hits;
  for (int64_t i = 0; i < classes.elements(); ++i) {
    const auto found = places.find(classes.at<int64_t>(i));
    if (found == places.end()) continue;
    rows.push_back(int32_t(i / numTrue));
    hits.push_back(found->second);
  }
  const int64_t n = int64_t(hits.size());
  WEFT_LET(Tensor * indices, c.allocate(0, {n}));
  WEFT_LET(Tensor * ids, c.allocate(1, {n}));
  WEFT_LET(Tensor * weights, c.allocate(2, {n}));
  std::copy(rows.begin(), rows.end(), indices->mutableData<int32_t>());
  std::copy(hits.begin(), hits.end(), ids->mutableData<int64_t>());
  std::fill_n(weights->mutableData<float>(), n, -std::numeric_limits<float>::max());
  return {};
}

constexpr const char* kClassSeedDoc = "Seed; if both seeds are 0, each session draws different classes.";

}  // namespace

void registerCandidateSamplers(OpRegistry& ops) {
  const struct {
    const char *name, *summary;
  } samplers[] = {
      {"LogUniformCandidateSampler", "Samples classes for a sampled loss from a log-uniform (Zipfian) distribution: low ids are more likely."},
      {"UniformCandidateSampler", "Samples classes for a sampled loss uniformly."},
      {"LearnedUnigramCandidateSampler", "Samples classes for a sampled loss in proportion to how often they have been true classes so far."},
      {"ThreadUnsafeUnigramCandidateSampler", "Same as LearnedUnigramCandidateSampler."},
      {"FixedUnigramCandidateSampler", "Samples classes for a sampled loss from a given unigram distribution."},
      {"AllCandidateSampler", "Returns all classes instead of a sample."},
  };
  for (const auto& k : samplers) {
    const std::string name = k.name;
    const bool all = name == "AllCandidateSampler", fixed = name == "FixedUnigramCandidateSampler";
    OpRecord& r = ops.add(name)
                      .category("Random")
                      .keywords("sampled softmax nce negative sampling")
                      .summary(k.summary)
                      .input("true_classes: int64", "[batch, num_true]: the true classes of each example.")
                      .output("sampled_candidates: int64", "The sampled classes.")
                      .output("true_expected_count: float", "[batch, num_true]: expected number of times each true class is sampled.")
                      .output("sampled_expected_count: float", "Expected number of times each sampled class is sampled.")
                      .attr("num_true: int >= 1", "True classes per example.")
                      .attr("num_sampled: int >= 1", all ? "Number of classes." : "Number of classes to sample.")
                      .attr("unique: bool", "Sample without replacement: all sampled classes differ.");
    if (!all) r.attr("range_max: int >= 1", "Number of classes.");
    if (fixed) {
      r.attr("vocab_file: string = ''", "Vocabulary file with one class per line; the weight follows the last comma.")
          .attr("distortion: float = 1.0", "Exponent applied to the weights; 0 makes them uniform.")
          .attr("num_reserved_ids: int = 0", "Number of reserved class ids before the weighted ones; they are never sampled.")
          .attr("num_shards: int >= 1 = 1", "Number of samplers that partition the classes.")
          .attr("shard: int >= 0 = 0", "Index of this sampler's partition.")
          .attr("unigrams: list(float) = []", "Weights of the classes, instead of a file.");
    }
    r.attr("seed: int = 0", kClassSeedDoc)
        .attr("seed2: int = 0", kSeed2Doc)
        .stateful()
        .shape(samplerShape)
        .noGradient("Sampling is not differentiable.")
        .cpu({}, makeKernel);
    r.gradientIsError = true;
  }
  OpRecord& hits = ops.add("ComputeAccidentalHits")
                       .category("Random")
                       .keywords("sampled softmax nce negative sampling")
                       .summary("Finds sampled classes that are true classes of an example, so that a sampled loss can mask them.")
                       .input("true_classes: int64", "[batch, num_true]: the true classes of each example.")
                       .input("sampled_candidates: int64", "The sampled classes.")
                       .output("indices: int32", "Row (example) of each hit.")
                       .output("ids: int64", "Position of each hit among the sampled classes.")
                       .output("weights: float", "Value to add to the hit's logit: the lowest float, which masks it.")
                       .attr("num_true: int", "True classes per example.")
                       .attr("seed: int = 0", kClassSeedDoc)
                       .attr("seed2: int = 0", kSeed2Doc)
                       .shape(accidentalHitsShape)
                       .noGradient("It compares class ids.")
                       .cpu({}, simpleKernel(runAccidentalHits));
  hits.gradientIsError = true;
  state(
      ops, OpRole::Random, Effect::Random,
      "AllCandidateSampler FixedUnigramCandidateSampler LearnedUnigramCandidateSampler LogUniformCandidateSampler ThreadUnsafeUnigramCandidateSampler UniformCandidateSampler");
}

}  // namespace weft
