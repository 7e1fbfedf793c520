#include <algorithm>

#include "ops/dataset_shuffle.h"
#include "tensor/type_list.h"

// Data sets that select or concatenate elements of others without looking at them.
namespace weft {
namespace {

/// A data set that passes on the elements of another.
class PassingDataset : public Dataset {
 public:
  explicit PassingDataset(DatasetPtr input) : Dataset(input->spec()), input_(std::move(input)) {}

 protected:
  DatasetPtr input_;
};

// ---- RepeatDataset

class RepeatDataset final : public PassingDataset {
 public:
  RepeatDataset(DatasetPtr input, int64_t count) : PassingDataset(std::move(input)), count_(count) {}
  int64_t cardinality() const override {
    const int64_t n = input_->cardinality();
    if (count_ < 0) return n == 0 ? 0 : kInfinite;
    if (count_ == 0) return 0;
    return n < 0 ? n : count_ * n;
  }
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    const bool kept = count_ == 1 && start.optimizations.contains("noop_elimination");
    if (!kept && start.optimizations.contains("shuffle_and_repeat_fusion") && (count_ >= 1 || count_ == -1)) {
      if (const DatasetPtr fused = shuffledAndRepeated(*input_, count_)) return fused->makeIterator(start);
    }
    return std::unique_ptr<DatasetIterator>(new Iterator{input_, start.below("Repeat"), count_});
  }

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
    DatasetPtr input;
    IteratorContext start;
    int64_t left;  // passes left; negative: infinite
    std::unique_ptr<DatasetIterator> iterator;
  };
  int64_t count_;
};

// ---- TakeDataset, SkipDataset, ShardDataset: selection by position

class PositionDataset : public PassingDataset {
 public:
  enum class Kind { Take, Skip, Shard };
  PositionDataset(DatasetPtr input, Kind kind, int64_t a, int64_t b, bool requireAll)
      : PassingDataset(std::move(input)), kind_(kind), a_(a), b_(b), requireAll_(requireAll) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    static constexpr const char* kNames[] = {"Take", "Skip", "Shard"};
    auto w = std::make_unique<Iterator>();
    w->kind = kind_;
    w->a = a_;
    w->b = b_;
    w->requireAll = requireAll_;
    const bool nothing = (kind_ == Kind::Take && a_ == 0) || (kind_ == Kind::Skip && a_ < 0);
    if (!nothing) {
      WEFT_LET(w->input, input_->makeIterator(start.below(kNames[int(kind_)])));
    }
    return std::unique_ptr<DatasetIterator>(std::move(w));
  }

  int64_t cardinality() const override {
    const int64_t n = input_->cardinality();
    if (kind_ == Kind::Take) {
      if (n == kUnknown) return n;
      return n == kInfinite ? a_ : std::min(n, a_);  // for TakeDataset(-1), all elements, TensorFlow reports the infinite cardinality
    }
    if (kind_ == Kind::Skip) {
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
    std::unique_ptr<DatasetIterator> input;
    Kind kind;
    int64_t a = 0, b = 0, position = 0;
    bool requireAll = false;
  };
  Kind kind_;
  int64_t a_, b_;
  bool requireAll_;
};

// ---- ConcatenateDataset, ZipDataset

class ConcatenateDataset final : public Dataset {
 public:
  ConcatenateDataset(ElementSpec spec, DatasetPtr a, DatasetPtr b) : Dataset(std::move(spec)), parts_{std::move(a), std::move(b)} {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    return std::unique_ptr<DatasetIterator>(new Iterator(parts_[0], parts_[1], start));
  }
  int64_t cardinality() const override {
    const int64_t a = parts_[0]->cardinality(), b = parts_[1]->cardinality();
    if (a == kInfinite || b == kInfinite) return kInfinite;
    return a == kUnknown || b == kUnknown ? kUnknown : a + b;
  }

 private:
  struct Iterator final : DatasetIterator {
    Iterator(DatasetPtr a, DatasetPtr b, IteratorContext s) : parts{std::move(a), std::move(b)}, start(std::move(s)) {}
    Result<bool> next(const CallSite& site, Element& out) override {
      while (part < 2) {
        if (!iterator) {
          IteratorContext here = start.below(part ? "Concatenate[1]" : "Concatenate[0]");
          here.site = site;
          WEFT_LET(iterator, parts[part]->makeIterator(here));
        }
        WEFT_LET(const bool more, iterator->next(site, out));
        if (more) return true;
        iterator.reset();
        ++part;
      }
      return false;
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

class ZipDataset final : public Dataset {
 public:
  ZipDataset(ElementSpec spec, std::vector<DatasetPtr> inputs) : Dataset(std::move(spec)), inputs_(std::move(inputs)) {}
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
    std::vector<std::unique_ptr<DatasetIterator>> inputs;
  };
  std::vector<DatasetPtr> inputs_;
};

// ---- data sets that only affect error handling and rewrites

class IdentityDataset final : public PassingDataset {
 public:
  IdentityDataset(DatasetPtr input, const char* name, std::set<std::string> optimizations = {})
      : PassingDataset(std::move(input)), name_(name), optimizations_(std::move(optimizations)) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    IteratorContext below = start.below(name_);
    below.optimizations.insert(optimizations_.begin(), optimizations_.end());
    return input_->makeIterator(below);
  }
  int64_t cardinality() const override { return input_->cardinality(); }

 private:
  const char* name_;
  std::set<std::string> optimizations_;
};

class IgnoreErrorsDataset final : public PassingDataset {
 public:
  using PassingDataset::PassingDataset;
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    WEFT_LET(auto input, input_->makeIterator(start.below("IgnoreErrors")));
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
  return DatasetPtr(std::make_shared<IdentityDataset>(std::move(input), "Prefetch"));
}

Result<DatasetPtr> makeIgnoreErrors(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  return DatasetPtr(std::make_shared<IgnoreErrorsDataset>(std::move(input)));
}

Result<DatasetPtr> makeModel(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  return DatasetPtr(std::make_shared<IdentityDataset>(std::move(input), "Model"));
}

Result<DatasetPtr> makeOptimize(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  const Tensor& names = c.input(1);
  if (names.rank() != 1) return invalidArgument("optimizations must be a vector");
  std::set<std::string> wanted(names.data<std::string>(), names.data<std::string>() + names.elements());
  return DatasetPtr(std::make_shared<IdentityDataset>(std::move(input), "Optimize", std::move(wanted)));
}

}  // namespace

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
  over("OptimizeDataset", "Rewrites a data set's pipeline; only rewrites that affect results are applied (shuffle_and_repeat_fusion, map_and_batch_fusion).")
      .input("optimizations: string", "Names of the rewrites.")
      .attr("optimization_configs: list(string) = []", "Ignored.")
      .cpu({}, datasetKernel(makeOptimize));
}

}  // namespace weft
