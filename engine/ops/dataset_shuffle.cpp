#include "ops/dataset_shuffle.h"

#include <deque>
#include <random>

// Shuffles through a buffer, in TensorFlow's order for the same seeds.
namespace weft {
namespace {

using Seeds = ShuffleSeeds;

class ShuffleDataset final : public UnaryDataset<ShuffleDataset> {
 public:
  enum class Kind { Fixed, Reshuffling };
  ShuffleDataset(DatasetPtr input, int64_t bufferSize, Seeds seeds, int64_t count, Kind kind)
      : UnaryDataset(input->spec(), input, count == 1 ? "Shuffle" : "ShuffleAndRepeat"), bufferSize_(bufferSize), seeds_(seeds), count_(count), how_(kind) {}
  ShuffleDataset(DatasetPtr input, int64_t bufferSize, std::shared_ptr<SeedSource> source)
      : UnaryDataset(input->spec(), input, "Shuffle"), bufferSize_(bufferSize), count_(1), how_(Kind::Reshuffling), source_(std::move(source)) {}

  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    std::shared_ptr<SeedSource> source;
    if (how_ == Kind::Reshuffling) {
      // All passes of this iterator over this data set draw from the same seed source.
      source = source_ ? source_ : start.shared->findOrCreate<SeedSource>(start.path + "::ShuffleSeeds", [&] { return std::make_shared<SeedSource>(seeds_); });
    }
    return std::unique_ptr<DatasetIterator>(new Iterator(*this, start.below(kind_), std::move(source)));
  }
  int64_t cardinality() const override {
    const int64_t n = input_->cardinality();
    if (count_ < 0) return n == 0 ? 0 : kInfinite;
    return n < 0 ? n : n * count_;
  }
  DatasetPtr repeated(int64_t count) const {
    if (how_ != Kind::Reshuffling || source_) return nullptr;
    return std::make_shared<ShuffleDataset>(input_, bufferSize_, seeds_, count, Kind::Fixed);
  }

 private:
  /// The elements of one pass over the input are [begin, end) of the ring. Elements are drawn from the oldest pass that has any left.
  struct Pass {
    int64_t begin, end;
  };
  static constexpr size_t kMaxPasses = 3;

  struct Iterator final : DatasetIterator {
    Iterator(const ShuffleDataset& d, IteratorContext s, std::shared_ptr<SeedSource> from)
        : input(d.input_),
          bufferSize(d.bufferSize_),
          count(d.count_),
          start(std::move(s)),
          source(std::move(from)),
          singles(source ? source->next() : d.seeds_) {
      passes.push_back({0, 0});
    }

    Result<bool> next(const CallSite& site, Element& out) override {
      WEFT_TRY(fill(site));
      if (filled == 0) return false;
      while (passes.front().begin == passes.front().end) passes.pop_front();
      Pass& pass = passes.front();
      const int64_t index = (pass.begin + int64_t(singles.next32()) % (pass.end - pass.begin)) % bufferSize;
      out = std::move(slot(index));
      std::swap(slot(index), slot(pass.begin % bufferSize));
      ++pass.begin;
      --filled;
      return true;
    }

    Status fill(const CallSite& site) {
      bool first = false;
      start.site = site;
      if (!iterator && epoch == 0) {
        first = true;
        WEFT_LET(iterator, input->makeIterator(start));
      }
      while (iterator && filled < bufferSize) {
        WEFT_TRY(site.check());
        Element element;
        bool more = false;
        while (count == -1 || epoch < count) {
          WEFT_LET(more, iterator->next(site, element));
          if (more) {
            first = false;
            break;
          }
          if (first && count == -1) {  // repeating an empty input forever would never end
            iterator.reset();
            return {};
          }
          ++epoch;
          passes.push_back({passes.back().end, passes.back().end});
          WEFT_LET(iterator, input->makeIterator(start));
        }
        if (!more) {
          iterator.reset();
          break;
        }
        slot(passes.back().end % bufferSize) = std::move(element);
        ++filled;
        ++passes.back().end;
        if (passes.size() > kMaxPasses) break;
      }
      return {};
    }
    Status exchange(IteratorState& s) override {
      IteratorState itsSingles = s.below("random"), itsSource = s.below("seeds");
      WEFT_TRY(singles.exchange(itsSingles));
      if (source) WEFT_TRY(source->exchange(itsSource));
      WEFT_TRY(s.value("epoch", epoch));
      WEFT_TRY(s.value("filled", filled));
      WEFT_TRY(s.elements("buffer", ring));
      WEFT_TRY(s.resize("passes", passes));
      int64_t held = 0;
      for (size_t i = 0; i < passes.size(); ++i) {
        WEFT_TRY(s.value(concat("pass", i, "_begin"), passes[i].begin));
        WEFT_TRY(s.value(concat("pass", i, "_end"), passes[i].end));
        if (passes[i].begin < 0 || passes[i].end < passes[i].begin) return dataLoss("A saved pass of a shuffle ends before it begins");
        held += passes[i].end - passes[i].begin;
      }
      if (passes.empty() || held != filled || filled > bufferSize || int64_t(ring.size()) > bufferSize)
        return dataLoss("The saved state of a shuffle does not fit a buffer of ", bufferSize, " elements");
      return s.inner("input", iterator, [&] {
        start.site = s.site();
        return input->makeIterator(start);
      });
    }
    Element& slot(int64_t i) {
      if (size_t(i) >= ring.size()) ring.resize(size_t(i) + 1);
      return ring[size_t(i)];
    }

    DatasetPtr input;
    const int64_t bufferSize, count;
    IteratorContext start;
    std::shared_ptr<SeedSource> source;  // null: the seeds are fixed
    RandomSingles singles;
    std::unique_ptr<DatasetIterator> iterator;
    std::vector<Element> ring;
    std::deque<Pass> passes;
    int64_t filled = 0, epoch = 0;
  };

  int64_t bufferSize_;
  Seeds seeds_;
  int64_t count_;
  Kind how_;
  std::shared_ptr<SeedSource> source_;  // null: each iterator creates one
};

Result<int64_t> bufferSizeOf(const KernelContext& c) {
  WEFT_LET(const int64_t size, scalarArgument<int64_t>(c, 1, "buffer_size"));
  if (size <= 0) return invalidArgument("buffer_size must be greater than zero.");
  return size;
}

Result<DatasetPtr> makeShuffle(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  WEFT_LET(const int64_t size, bufferSizeOf(c));
  WEFT_LET(const Seeds seeds, shuffleSeedsOf(c, 2));
  const bool again = c.node().attrs.flag("reshuffle_each_iteration", true);
  return DatasetPtr(
      std::make_shared<ShuffleDataset>(std::move(input), size, seeds, 1, again ? ShuffleDataset::Kind::Reshuffling : ShuffleDataset::Kind::Fixed));
}

Result<DatasetPtr> makeShuffleAndRepeat(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  WEFT_LET(const int64_t size, bufferSizeOf(c));
  WEFT_LET(const Seeds seeds, shuffleSeedsOf(c, 2));
  WEFT_LET(const int64_t count, scalarArgument<int64_t>(c, 4, "count"));
  if (count < 1 && count != -1) return invalidArgument("count must be greater than zero or equal to -1.");
  return DatasetPtr(std::make_shared<ShuffleDataset>(std::move(input), size, seeds, count, ShuffleDataset::Kind::Fixed));
}

}  // namespace

Result<ShuffleSeeds> shuffleSeedsOf(const KernelContext& c, int i) {
  WEFT_LET(const int64_t first, scalarArgument<int64_t>(c, i, "seed"));
  WEFT_LET(const int64_t second, scalarArgument<int64_t>(c, i + 1, "seed2"));
  if (first != 0 || second != 0) return ShuffleSeeds{first, second};
  std::random_device device;
  return ShuffleSeeds{int64_t(uint64_t(device()) << 32 | device()), int64_t(uint64_t(device()) << 32 | device())};
}

DatasetPtr shuffledBy(DatasetPtr input, int64_t bufferSize, std::shared_ptr<SeedSource> source) {
  return std::make_shared<ShuffleDataset>(std::move(input), bufferSize, std::move(source));
}

DatasetPtr shuffledAndRepeated(const DatasetBase& dataset, int64_t count) {
  const auto* shuffle = dynamic_cast<const ShuffleDataset*>(&dataset);
  return shuffle ? shuffle->repeated(count) : nullptr;
}

void registerDatasetShuffles(OpRegistry& ops) {
  declaresElements(datasetOp(ops, "ShuffleDataset", "Shuffles a data set with a buffer.")
                       .input("input_dataset: variant", kInputDatasetDoc)
                       .input("buffer_size: int64", "Size of the shuffle buffer.")
                       .input("seed: int64", "First seed; if both seeds are 0, each data set is shuffled differently.")
                       .input("seed2: int64", "Second seed.")
                       .attr("reshuffle_each_iteration: bool = true", "Whether each pass uses a different order."))
      .cpu({}, datasetKernel(makeShuffle));
  declaresElements(datasetOp(ops, "ShuffleAndRepeatDataset", "Shuffles and repeats a data set in one step; the buffer spans the boundary between passes.")
                       .input("input_dataset: variant", kInputDatasetDoc)
                       .input("buffer_size: int64", "Size of the shuffle buffer.")
                       .input("seed: int64", "First seed.")
                       .input("seed2: int64", "Second seed.")
                       .input("count: int64", "Number of repetitions; -1: indefinitely."))
      .cpu({}, datasetKernel(makeShuffleAndRepeat));
  state(ops, OpRole::ShuffleDataset, Effect::None, "ShuffleAndRepeatDataset ShuffleDataset");
}

}  // namespace weft
