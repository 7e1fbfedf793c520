// Candidate samplers: classes drawn for a sampled loss, with how often each class was to be expected among them.
#include <cmath>
#include <unordered_set>

#include "device/cpu/philox.h"
#include "ops/registry.h"

namespace weft {
namespace {

/// Over [0, range): P(c) falls like 1/c (classes sorted by frequency), or is the same for all.
class Sampler {
 public:
  Sampler(bool logUniform, int64_t range)
      : logUniform_(logUniform), range_(range), logRange_(std::log(double(range + 1))), share_(float(1.0 / double(range))) {}

  int64_t range() const { return range_; }

  int64_t draw(cpu::PhiloxSingles& random) const {
    if (logUniform_) {
      const uint32_t high = random.next32(), low = random.next32();
      // Rounding may give `range` itself.
      return (int64_t(std::exp(cpu::uniformDouble(high, low) * logRange_)) - 1) % range_;
    }
    const uint64_t n = uint64_t(range_);
    if ((n & (n - 1)) == 0) return int64_t(random.next64() & (n - 1));
    // Numbers below the remainder would make small classes likelier.
    const uint64_t remainder = ~uint64_t(0) % n + 1;
    uint64_t x = random.next64();
    while (x < remainder) x = random.next64();
    return int64_t(x % n);
  }

  float probability(int64_t c) const {
    return logUniform_ ? float(std::log((double(c) + 2.0) / (double(c) + 1.0)) / logRange_) : share_;
  }

 private:
  bool logUniform_;
  int64_t range_;
  double logRange_;
  float share_;
};

/// How often a class of probability `p` is expected: once at most if candidates are unique, which took `tries` draws.
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
  explicit CandidateKernel(KernelInit& init)
      : sampler_(init.node().op == "LogUniformCandidateSampler", init.attrs().integer("range_max", 1)),
        numTrue_(init.attrs().integer("num_true", 1)),
        numSampled_(init.attrs().integer("num_sampled", 1)),
        unique_(init.attrs().flag("unique")),
        stream_(cpu::randomStream(init)) {}

  Status compute(KernelContext& c) override {
    const Tensor& classes = c.input(0);
    if (classes.rank() != 2) return invalidArgument("true_classes must be a matrix");
    if (classes.dim(1) != numTrue_) {
      return invalidArgument("true_classes must have num_true columns, expected: ", classes.dim(1), " was: ", numTrue_);
    }
    if (unique_ && numSampled_ > sampler_.range()) return invalidArgument("Sampler's range is too small.");
    WEFT_LET(Tensor * sampled, c.allocate(0, {numSampled_}));
    WEFT_LET(Tensor * trueCounts, c.allocate(1, classes.shape()));
    WEFT_LET(Tensor * sampledCounts, c.allocate(2, {numSampled_}));
    cpu::Philox generator = stream_->reserve(uint64_t(2048 * numSampled_ + 3) / 4);
    cpu::PhiloxSingles random(generator);
    int64_t* out = sampled->mutableData<int64_t>();
    int64_t tries = 0;
    if (unique_) {
      std::unordered_set<int64_t> used;
      used.reserve(size_t(numSampled_) * 2);
      for (int64_t picked = 0; picked < numSampled_; ++tries) {
        const int64_t value = sampler_.draw(random);
        if (used.insert(value).second) out[picked++] = value;
      }
    } else {
      for (; tries < numSampled_; ++tries) out[tries] = sampler_.draw(random);
    }
    for (int64_t i = 0; i < numSampled_; ++i) {
      sampledCounts->mutableData<float>()[i] = expectedCount(sampler_.probability(out[i]), numSampled_, tries);
    }
    for (int64_t i = 0; i < classes.elements(); ++i) {
      trueCounts->mutableData<float>()[i] = expectedCount(sampler_.probability(classes.at<int64_t>(i)), numSampled_, tries);
    }
    return {};
  }

 private:
  Sampler sampler_;
  int64_t numTrue_, numSampled_;
  bool unique_;
  std::shared_ptr<cpu::RandomStream> stream_;
};

}  // namespace

void registerCandidateSamplers(OpRegistry& ops) {
  for (const bool logUniform : {true, false}) {
    OpRecord& r = ops.add(logUniform ? "LogUniformCandidateSampler" : "UniformCandidateSampler")
                      .category("Random")
                      .keywords("sampled softmax nce negative sampling")
                      .summary(logUniform ? "Draws classes for a sampled loss, low numbers more often than high ones (Zipf's law)."
                                          : "Draws classes for a sampled loss, all equally often.")
                      .input("true_classes: int64", "The right classes of each example, one row each.")
                      .output("sampled_candidates: int64", "The drawn classes.")
                      .output("true_expected_count: float", "How often each right class was to be expected among the drawn ones.")
                      .output("sampled_expected_count: float", "How often each drawn class was to be expected.")
                      .attr("num_true: int >= 1", "Right classes per example.")
                      .attr("num_sampled: int >= 1", "How many classes to draw.")
                      .attr("unique: bool", "Whether no class may be drawn twice.")
                      .attr("range_max: int >= 1", "Number of classes.")
                      .attr("seed: int = 0", "Seed of the graph or the op; with both 0 each session draws other classes.")
                      .attr("seed2: int = 0", "Second seed, so that ops of one graph seed differ.")
                      .stateful()
                      .shape(samplerShape)
                      .noGradient("Drawing classes is not differentiable.")
                      .cpu({}, kernelOf<CandidateKernel>());
    r.gradientIsError = true;
  }
}

}  // namespace weft
