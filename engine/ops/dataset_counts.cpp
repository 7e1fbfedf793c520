#include <algorithm>

#include "ops/dataset_rewrites.h"
#include "tensor/type_list.h"

// Data sets that select or concatenate elements of others without looking at them.
namespace weft {
namespace {

// ---- RepeatDataset

class RepeatDataset final : public UnaryDataset<RepeatDataset> {
 public:
  RepeatDataset(DatasetPtr input, int64_t count) : UnaryDataset(input->spec(), input, "Repeat"), count_(count) {}
  int64_t cardinality() const override {
    const int64_t n = input_->cardinality();
    if (count_ < 0) return n == 0 ? 0 : kInfinite;
    if (count_ == 0) return 0;
    return n < 0 ? n : count_ * n;
  }
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    return std::unique_ptr<DatasetIterator>(new Iterator{input_,
                                                         start.below(count_ < 0   ? "ForeverRepeat"
                                                                     : count_ > 0 ? "FiniteRepeat"
                                                                                  : "EmptyRepeat"),
                                                         count_});
  }
  bool passesOn() const override { return count_ == 1; }
  int64_t count() const { return count_; }

 private:
  struct Iterator final : DatasetIterator {
    Iterator(DatasetPtr i, IteratorContext s, int64_t n) : input(std::move(i)), start(std::move(s)), left(n) {}
    Result<bool> next(const CallSite& site, Element& out) override {
      while (left != 0) {
        WEFT_TRY(site.check());
        bool first = false;
        if (!iterator) {
          start.site = site;
          WEFT_LET(iterator, input->makeIterator(start));
          first = true;
        }
        WEFT_LET(const bool more, iterator->next(site, out));
        if (more) return true;
        iterator.reset();
        if (left > 0) --left;
        else if (first) left = 0;  // repeating an empty data set forever gives an empty one
      }
      return false;
    }
    Status exchange(IteratorState& s) override {
      WEFT_TRY(s.value("left", left));
      return s.inner("input", iterator, [&] {
        start.site = s.site();
        return input->makeIterator(start);
      });
    }
    DatasetPtr input;
    IteratorContext start;
    int64_t left;  // passes left; negative: infinite
    std::unique_ptr<DatasetIterator> iterator;
  };
  int64_t count_;
};

// ---- TakeDataset, SkipDataset, ShardDataset: selection by position

class PositionDataset final : public UnaryDataset<PositionDataset> {
 public:
  enum class Kind { Take, Skip, Shard };
  PositionDataset(DatasetPtr input, Kind kind, int64_t a, int64_t b, bool requireAll)
      : UnaryDataset(input->spec(), input, kNames[int(kind)]), what_(kind), a_(a), b_(b), requireAll_(requireAll) {}
  bool passesOn() const override { return (what_ == Kind::Take && a_ == -1) || (what_ == Kind::Skip && a_ == 0); }
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    auto w = std::make_unique<Iterator>();
    w->kind = what_;
    w->a = a_;
    w->b = b_;
    w->requireAll = requireAll_;
    const bool nothing = (what_ == Kind::Take && a_ == 0) || (what_ == Kind::Skip && a_ < 0);
    if (!nothing) {
      WEFT_LET(w->input, input_->makeIterator(start.below(what_ == Kind::Shard ? "Shard" : concat("Finite", kind_))));
    }
    return std::unique_ptr<DatasetIterator>(std::move(w));
  }

  int64_t cardinality() const override {
    const int64_t n = input_->cardinality();
    if (what_ == Kind::Take) {
      if (n == kUnknown) return n;
      return n == kInfinite ? a_ : std::min(n, a_);  // for TakeDataset(-1), all elements, TensorFlow reports the infinite cardinality
    }
    if (what_ == Kind::Skip) {
      if (n < 0) return n;
      return a_ < 0 ? 0 : std::max<int64_t>(0, n - a_);
    }
    return n < 0 ? n : n / a_ + (b_ < n % a_ ? 1 : 0);
  }

 private:
  struct Iterator final : DatasetIterator {
    Result<bool> next(const CallSite& site, Element& out) override {
      for (;;) {
        if (!input || (kind == Kind::Take && a >= 0 && position >= a)) {
          input.reset();
          return false;
        }
        const bool wanted = kind == Kind::Take || (kind == Kind::Skip ? position >= a : position % a == b);
        if (!wanted) WEFT_TRY(site.check());
        WEFT_LET(const bool more, input->next(site, out));
        if (!more) {
          input.reset();
          return false;
        }
        ++position;
        if (!wanted) continue;
        if (kind == Kind::Shard && requireAll && position <= a) WEFT_TRY(requireOthers(site));
        return true;
      }
    }
    /// After this shard's first element: the other shards must have one too.
    Status requireOthers(const CallSite& site) {
      Element ignored;
      std::vector<Element> ahead;
      for (int64_t i = position; i < a; ++i) {
        WEFT_LET(const bool more, input->next(site, ignored));
        if (!more) {
          return invalidArgument("There aren't enough elements in this dataset for each shard to have at least one element (# elems = ", i, ", ",
                                 "# shards = ", a,
                                 "). If you are using datasets with distribution strategy, considering setting the auto sharding policy to either "
                                 "DATA or OFF "
                                 "using the `experimental_distribute.auto_shard_policy` option of `tf.data.Options()`.");
        }
      }
      position = a;
      return {};
    }
    Status exchange(IteratorState& s) override {
      WEFT_TRY(s.value("position", position));
      return s.inner("input", input);
    }
    std::unique_ptr<DatasetIterator> input;
    Kind kind;
    int64_t a = 0, b = 0, position = 0;
    bool requireAll = false;
  };
  static constexpr const char* kNames[] = {"Take", "Skip", "Shard"};
  Kind what_;
  int64_t a_, b_;
  bool requireAll_;
};

// ---- ConcatenateDataset, ZipDataset

class ConcatenateDataset final : public DatasetBase {
 public:
  ConcatenateDataset(ElementSpec spec, DatasetPtr a, DatasetPtr b) : DatasetBase(std::move(spec)), parts_{std::move(a), std::move(b)} {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    return std::unique_ptr<DatasetIterator>(new Iterator(parts_[0], parts_[1], start));
  }
  int64_t cardinality() const override {
    const int64_t a = parts_[0]->cardinality(), b = parts_[1]->cardinality();
    if (a == kInfinite || b == kInfinite) return kInfinite;
    return a == kUnknown || b == kUnknown ? kUnknown : a + b;
  }
  std::string kind() const override { return "Concatenate"; }
  std::vector<DatasetPtr> inputs() const override { return {parts_[0], parts_[1]}; }
  DatasetPtr over(std::vector<DatasetPtr> inputs) const override {
    return std::make_shared<ConcatenateDataset>(spec(), std::move(inputs[0]), std::move(inputs[1]));
  }

 private:
  struct Iterator final : DatasetIterator {
    Iterator(DatasetPtr a, DatasetPtr b, IteratorContext s) : parts{std::move(a), std::move(b)}, start(std::move(s)) {}
    Result<bool> next(const CallSite& site, Element& out) override {
      while (part < 2) {
        if (!iterator) {
          WEFT_LET(iterator, iteratorOfPart(site));
        }
        WEFT_LET(const bool more, iterator->next(site, out));
        if (more) return true;
        iterator.reset();
        ++part;
      }
      return false;
    }
    Result<std::unique_ptr<DatasetIterator>> iteratorOfPart(const CallSite& site) const {
      IteratorContext here = start.below(part ? "Concatenate[1]" : "Concatenate[0]");
      here.site = site;
      return parts[part]->makeIterator(here);
    }
    Status exchange(IteratorState& s) override {
      WEFT_TRY(s.value("part", part));
      if (part < 0 || part > 2) return dataLoss("Part ", part, " of two concatenated data sets");
      return s.inner("input", iterator, [&] { return iteratorOfPart(s.site()); });
    }
    DatasetPtr parts[2];
    IteratorContext start;
    int part = 0;
    std::unique_ptr<DatasetIterator> iterator;
  };
  DatasetPtr parts_[2];
};

Shape widest(const Shape& a, const Shape& b) {
  if (!a.hasRank() || !b.hasRank() || a.rank() != b.rank()) return Shape::unknown();
  Shape out = a;
  for (int i = 0; i < a.rank(); ++i) {
    if (a.dim(i) != b.dim(i)) out.setDim(i, Shape::kUnknownDim);
  }
  return out;
}

class ZipDataset final : public DatasetBase {
 public:
  ZipDataset(ElementSpec spec, std::vector<DatasetPtr> inputs) : DatasetBase(std::move(spec)), inputs_(std::move(inputs)) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    auto w = std::make_unique<Iterator>();
    for (size_t i = 0; i < inputs_.size(); ++i) {
      WEFT_LET(auto input, inputs_[i]->makeIterator(start.below(concat("Zip[", i, "]"))));
      w->inputs.push_back(std::move(input));
    }
    return std::unique_ptr<DatasetIterator>(std::move(w));
  }
  int64_t cardinality() const override {
    int64_t n = kInfinite;
    for (const DatasetPtr& input : inputs_) {
      const int64_t m = input->cardinality();
      if (m == kUnknown) return kUnknown;
      if (m >= 0) n = n < 0 ? m : std::min(n, m);
    }
    return n;
  }
  std::string kind() const override { return "Zip"; }
  std::vector<DatasetPtr> inputs() const override { return inputs_; }
  DatasetPtr over(std::vector<DatasetPtr> inputs) const override { return std::make_shared<ZipDataset>(spec(), std::move(inputs)); }

 private:
  struct Iterator final : DatasetIterator {
    Result<bool> next(const CallSite& site, Element& out) override {
      out.clear();
      if (inputs.empty()) return false;
      for (auto& input : inputs) {
        Element part;
        WEFT_LET(const bool more, input->next(site, part));
        if (!more) {
          inputs.clear();
          return false;
        }
        for (Tensor& t : part) out.push_back(std::move(t));
      }
      return true;
    }
    Status exchange(IteratorState& s) override {
      bool open = !inputs.empty();
      WEFT_TRY(s.value("open", open));
      if (!open) inputs.clear();
      for (size_t i = 0; i < inputs.size(); ++i) WEFT_TRY(s.inner(concat("input", i), inputs[i]));
      return {};
    }
    std::vector<std::unique_ptr<DatasetIterator>> inputs;
  };
  std::vector<DatasetPtr> inputs_;
};

// ---- data sets that only affect error handling and rewrites

/// Passes the elements of its input on.
class IdentityDataset final : public UnaryDataset<IdentityDataset> {
 public:
  /// `isNothing`: noop_elimination removes it.
  IdentityDataset(DatasetPtr input, const char* kind, bool isNothing) : UnaryDataset(input->spec(), input, kind), isNothing_(isNothing) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override { return input_->makeIterator(start.below(kind_)); }
  int64_t cardinality() const override { return input_->cardinality(); }
  bool passesOn() const override { return isNothing_; }

 private:
  bool isNothing_;
};

/// Its input as the rewrites leave it.
class OptimizeDataset final : public UnaryDataset<OptimizeDataset> {
 public:
  OptimizeDataset(DatasetPtr input, std::set<std::string> optimizations)
      : UnaryDataset(input->spec(), input, "Optimize"), optimizations_(std::move(optimizations)) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    IteratorContext below = start;
    below.optimizations.insert(optimizations_.begin(), optimizations_.end());
    DatasetPtr made = rewritten(input_, below.optimizations);
    if (optimizations_.contains("latency_all_edges")) made = withLatencies(made);
    if (below.stats) below.stats.names = std::make_shared<const std::map<const DatasetBase*, std::string>>(namesInGraph(*made));
    return made->makeIterator(below);
  }
  int64_t cardinality() const override { return input_->cardinality(); }

 private:
  std::set<std::string> optimizations_;
};

class IgnoreErrorsDataset final : public UnaryDataset<IgnoreErrorsDataset> {
 public:
  explicit IgnoreErrorsDataset(DatasetPtr input) : UnaryDataset(input->spec(), input, "IgnoreErrors") {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    WEFT_LET(auto input, input_->makeIterator(start.below(kind_)));
    return std::unique_ptr<DatasetIterator>(new Iterator(std::move(input)));
  }
  int64_t cardinality() const override { return input_->cardinality(); }  // as if no element failed

 private:
  struct Iterator final : DatasetIterator {
    explicit Iterator(std::unique_ptr<DatasetIterator> i) : input(std::move(i)) {}
    Result<bool> next(const CallSite& site, Element& out) override {
      for (;;) {
        WEFT_TRY(site.check());
        auto more = input->next(site, out);
        if (more.ok()) return more;
      }
    }
    Status exchange(IteratorState& s) override { return s.inner("input", input); }
    std::unique_ptr<DatasetIterator> input;
  };
};

// ---- kernels

Result<DatasetPtr> makeRepeat(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  WEFT_LET(const int64_t count, scalarArgument<int64_t>(c, 1, "count"));
  return DatasetPtr(std::make_shared<RepeatDataset>(std::move(input), count));
}

Result<DatasetPtr> makeTake(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  WEFT_LET(const int64_t count, scalarArgument<int64_t>(c, 1, "count"));
  return DatasetPtr(std::make_shared<PositionDataset>(std::move(input), PositionDataset::Kind::Take, count, 0, false));
}

Result<DatasetPtr> makeSkip(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  WEFT_LET(const int64_t count, scalarArgument<int64_t>(c, 1, "count"));
  return DatasetPtr(std::make_shared<PositionDataset>(std::move(input), PositionDataset::Kind::Skip, count, 0, false));
}

Result<DatasetPtr> makeShard(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  WEFT_LET(const int64_t shards, scalarArgument<int64_t>(c, 1, "num_shards"));
  WEFT_LET(const int64_t index, scalarArgument<int64_t>(c, 2, "index"));
  if (shards <= 0) return invalidArgument("Number of shards must be greater than zero (currently num_shards = ", shards, ").");
  if (index < 0 || index >= shards) return invalidArgument("Index must be between 0 and ", shards - 1, " (currently index = ", index, ").");
  return DatasetPtr(std::make_shared<PositionDataset>(std::move(input), PositionDataset::Kind::Shard, shards, index, c.node().attrs.flag("require_non_empty")));
}

Result<DatasetPtr> makeConcatenate(KernelContext& c) {
  WEFT_LET(DatasetPtr first, datasetOf(c, 0));
  WEFT_LET(DatasetPtr second, datasetOf(c, 1));
  if (first->spec().types != second->spec().types) {
    return invalidArgument("input dataset and dataset to concatenate have different output_types ", typeList(first->spec().types), " and ",
                           typeList(second->spec().types));
  }
  ElementSpec spec = first->spec();
  for (size_t i = 0; i < spec.shapes.size() && i < second->spec().shapes.size(); ++i) spec.shapes[i] = widest(spec.shapes[i], second->spec().shapes[i]);
  return DatasetPtr(std::make_shared<ConcatenateDataset>(std::move(spec), std::move(first), std::move(second)));
}

Result<DatasetPtr> makeZip(KernelContext& c) {
  ElementSpec spec;
  std::vector<DatasetPtr> inputs;
  for (int i = 0; i < c.inputCount(); ++i) {
    WEFT_LET(DatasetPtr input, datasetOf(c, i));
    spec.types.insert(spec.types.end(), input->spec().types.begin(), input->spec().types.end());
    spec.shapes.insert(spec.shapes.end(), input->spec().shapes.begin(), input->spec().shapes.end());
    inputs.push_back(std::move(input));
  }
  return DatasetPtr(std::make_shared<ZipDataset>(std::move(spec), std::move(inputs)));
}

Result<DatasetPtr> makePrefetch(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  WEFT_LET(const int64_t size, scalarArgument<int64_t>(c, 1, "buffer_size"));
  if (size < 0 && size != -1) return invalidArgument("buffer_size must be >= 0 or set buffer_size to be -1 for auto-tuning");
  return DatasetPtr(std::make_shared<IdentityDataset>(std::move(input), "Prefetch", size == 0));
}

Result<DatasetPtr> makeIgnoreErrors(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  return DatasetPtr(std::make_shared<IgnoreErrorsDataset>(std::move(input)));
}

Result<DatasetPtr> makeModel(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  return DatasetPtr(std::make_shared<IdentityDataset>(std::move(input), "Model", false));
}

Result<DatasetPtr> makeOptimize(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  const Tensor& names = c.input(1);
  if (names.rank() != 1) return invalidArgument("optimizations must be a vector");
  std::set<std::string> wanted(names.data<std::string>(), names.data<std::string>() + names.elements());
  // Without the choice of the faster order, maps stay where they are: their elements are the same.
  const auto configs = c.node().attrs.list<std::string>("optimization_configs");
  if (std::ranges::find(configs, "map_vectorization:use_choose_fastest:true") == configs.end()) wanted.erase("map_vectorization");
  return DatasetPtr(std::make_shared<OptimizeDataset>(std::move(input), std::move(wanted)));
}

}  // namespace

DatasetPtr passedOnAs(DatasetPtr input, const char* kind) { return std::make_shared<IdentityDataset>(std::move(input), kind, false); }
DatasetPtr sharded(DatasetPtr input, int64_t shards, int64_t index, bool requireAll) {
  return std::make_shared<PositionDataset>(std::move(input), PositionDataset::Kind::Shard, shards, index, requireAll);
}
DatasetPtr shuffleAndRepeat(const DatasetBase& dataset) {
  const auto* repeat = dynamic_cast<const RepeatDataset*>(&dataset);
  if (!repeat || repeat->count() == 0 || repeat->count() < -1) return nullptr;
  return shuffledAndRepeated(*repeat->inputs()[0], repeat->count());
}

void registerDatasetCounts(OpRegistry& ops) {
  const auto over = [&](const char* name, const char* summary) -> OpRecord& {
    return declaresElements(datasetOp(ops, name, summary).input("input_dataset: variant", kInputDatasetDoc));
  };
  over("RepeatDataset", "Repeats a data set.").input("count: int64", "Number of repetitions; -1: indefinitely.").cpu({}, datasetKernel(makeRepeat));
  over("TakeDataset", "The first `count` elements of a data set.").input("count: int64", "Number of elements; -1: all.").cpu({}, datasetKernel(makeTake));
  over("SkipDataset", "Skips the first `count` elements of a data set.")
      .input("count: int64", "Number of elements to skip; -1: all.")
      .cpu({}, datasetKernel(makeSkip));
  over("ShardDataset", "Every num_shards-th element of a data set, starting at `index`.")
      .input("num_shards: int64", "Number of shards.")
      .input("index: int64", "Index of this shard, from 0.")
      .attr("require_non_empty: bool = false", "Fail if a shard would be empty.")
      .cpu({}, datasetKernel(makeShard));
  over("ConcatenateDataset", "Concatenates two data sets.")
      .input("another_dataset: variant", "The data set to append.")
      .cpu({}, datasetKernel(makeConcatenate));
  declaresElements(datasetOp(ops, "ZipDataset", "Combines the elements of several data sets into tuples; ends with the shortest.")
                       .input("input_datasets: N * variant", "The data sets."))
      .attr("N: int >= 1", "Number of data sets.")
      .cpu({}, datasetKernel(makeZip));
  over("PrefetchDataset", "Prefetches elements in TensorFlow; here, passes them through.")
      .input("buffer_size: int64", "Number of elements to prefetch; ignored, elements are computed on demand.")
      .attr("slack_period: int = 0", "Ignored.")
      .attr("legacy_autotune: bool = true", "Ignored.")
      .cpu({}, datasetKernel(makePrefetch));
  over("IgnoreErrorsDataset", "Skips elements whose computation fails.").cpu({}, datasetKernel(makeIgnoreErrors));
  over("ModelDataset", "Autotunes parallelism in TensorFlow; here, passes elements through.")
      .attr("algorithm: int = 0", "Ignored.")
      .attr("cpu_budget: int = 0", "Ignored.")
      .cpu({}, datasetKernel(makeModel));
  over("OptimizeDataset", "Rewrites a data set's pipeline as far as that affects results or names (dataset_rewrites.h).")
      .input("optimizations: string", "Names of the rewrites.")
      .attr("optimization_configs: list(string) = []", "Ignored.")
      .cpu({}, datasetKernel(makeOptimize));
}

}  // namespace weft
