#include "ops/datasets.h"

// Data sets whose function maps each element to a data set: flat_map and interleave.
namespace weft {
namespace {

/// The context of an iterator over the data set made from element `index`. Rewrites do not reach into functions.
IteratorContext insideElement(const IteratorContext& start, const char* name, int64_t index, const CallSite& site) {
  IteratorContext inner = start.below(concat(name, "[", index, "]"));
  inner.optimizations.clear();
  inner.site = site;
  return inner;
}

Result<std::unique_ptr<DatasetIterator>> elementIterator(const Captured& f, Element element, const std::vector<DType>& types, const IteratorContext& start,
                                                         const CallSite& site) {
  WEFT_LET(const Element made, f.call(std::move(element), site));
  if (made.size() != 1 || made[0].dtype() != DType::Variant || !made[0].shape().isScalar()) {
    return invalidArgument("Function must return a single scalar of dtype DT_VARIANT.");
  }
  WEFT_LET(const DatasetPtr inner, datasetIn(made[0]));
  WEFT_TRY(checkTypes(types, inner->spec().types));
  return inner->makeIterator(start);
}

class FlatMapDataset final : public Dataset {
 public:
  FlatMapDataset(ElementSpec spec, DatasetPtr input, Captured f) : Dataset(std::move(spec)), input_(std::move(input)), f_(std::move(f)) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    WEFT_LET(auto input, input_->makeIterator(start.below("FlatMap")));
    return std::unique_ptr<DatasetIterator>(new Iterator(std::move(input), f_.in(start), spec().types, start));
  }

 private:
  struct Iterator final : DatasetIterator {
    Iterator(std::unique_ptr<DatasetIterator> i, Captured c, std::vector<DType> t, IteratorContext s)
        : input(std::move(i)), f(std::move(c)), types(std::move(t)), start(std::move(s)) {}
    Result<bool> next(const CallSite& site, Element& out) override {
      while (input) {
        WEFT_TRY(site.check());
        if (!current) {
          Element element;
          WEFT_LET(const bool more, input->next(site, element));
          if (!more) break;
          WEFT_LET(current, elementIterator(f, std::move(element), types, insideElement(start, "FlatMap", index++, site), site));
        }
        WEFT_LET(const bool more, current->next(site, out));
        if (more) return true;
        current.reset();
      }
      input.reset();
      return false;
    }
    std::unique_ptr<DatasetIterator> input;
    Captured f;
    std::vector<DType> types;
    IteratorContext start;
    std::unique_ptr<DatasetIterator> current;
    int64_t index = 0;
  };
  DatasetPtr input_;
  Captured f_;
};

/// Takes `block` elements from each of `cycle` data sets in turn. A finished data set is replaced by the one of the next input element, which is created when
/// its turn comes again.
class InterleaveDataset final : public Dataset {
 public:
  InterleaveDataset(ElementSpec spec, DatasetPtr input, Captured f, int64_t cycle, int64_t block)
      : Dataset(std::move(spec)), input_(std::move(input)), f_(std::move(f)), cycle_(cycle), block_(block) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    WEFT_LET(auto input, input_->makeIterator(start.below("Interleave")));
    return std::unique_ptr<DatasetIterator>(new Iterator(std::move(input), f_.in(start), spec().types, start, cycle_, block_));
  }

 private:
  struct Iterator final : DatasetIterator {
    Iterator(std::unique_ptr<DatasetIterator> i, Captured c, std::vector<DType> t, IteratorContext s, int64_t n, int64_t b)
        : input(std::move(i)), f(std::move(c)), types(std::move(t)), start(std::move(s)), cycle(n), block(b) {}
    Result<bool> next(const CallSite& site, Element& out) override {
      while (input || open > 0) {
        WEFT_TRY(site.check());
        if (std::unique_ptr<DatasetIterator>* current = at(place)) {
          auto more = (*current)->next(site, out);
          if (!more.ok()) return more;
          if (*more) {
            if (++inBlock == block) advance();
            return true;
          }
          places.erase(place);
          --open;
          advance();
        } else if (input) {
          Element element;
          WEFT_LET(const bool more, input->next(site, element));
          if (!more) {
            input.reset();
            continue;
          }
          WEFT_LET(auto made, elementIterator(f, std::move(element), types, insideElement(start, "Interleave", index++, site), site));
          places[place] = std::move(made);
          ++open;
        } else {  // skip empty places; only few of up to 2^63 may be filled
          inBlock = 0;
          const auto next = places.lower_bound(place);
          place = next == places.end() ? places.begin()->first : next->first;
        }
      }
      return false;
    }
    std::unique_ptr<DatasetIterator>* at(int64_t i) {
      const auto it = places.find(i);
      return it == places.end() ? nullptr : &it->second;
    }
    void advance() {
      inBlock = 0;
      place = (place + 1) % cycle;
    }
    std::unique_ptr<DatasetIterator> input;
    Captured f;
    std::vector<DType> types;
    IteratorContext start;
    const int64_t cycle, block;
    std::map<int64_t, std::unique_ptr<DatasetIterator>> places;
    int64_t place = 0, inBlock = 0, open = 0, index = 0;
  };
  DatasetPtr input_;
  Captured f_;
  int64_t cycle_, block_;
};

Result<DatasetPtr> makeFlatMap(KernelContext& c, std::shared_ptr<BoundFunction> f) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  return DatasetPtr(
      std::make_shared<FlatMapDataset>(declaredSpec(c.node().attrs), std::move(input), Captured{std::move(f), tensorsFrom(c, 1, c.inputCount())}));
}

constexpr int64_t kAutotunedCycle = 16;

template <bool kParallel>
Result<DatasetPtr> makeInterleave(KernelContext& c, std::shared_ptr<BoundFunction> f) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  const int others = int(c.node().attrs.list<DType>("Targuments").size());
  WEFT_LET(int64_t cycle, scalarArgument<int64_t>(c, 1 + others, "cycle_length"));
  WEFT_LET(const int64_t block, scalarArgument<int64_t>(c, 2 + others, "block_length"));
  if (kParallel && cycle == -1) cycle = kAutotunedCycle;
  if (cycle <= 0) return invalidArgument("cycle_length must be greater than zero.");
  if (block <= 0) return invalidArgument("block_length must be greater than zero.");
  if (kParallel) {
    WEFT_LET(const int64_t calls, scalarArgument<int64_t>(c, 3 + others, "num_parallel_calls"));
    if (calls <= 0 && calls != -1) return invalidArgument("num_parallel_calls must be greater than zero.");
    if (calls > cycle) return invalidArgument("num_parallel_calls must less than or equal to cycle_length.");
  }
  return DatasetPtr(
      std::make_shared<InterleaveDataset>(declaredSpec(c.node().attrs), std::move(input), Captured{std::move(f), tensorsFrom(c, 1, 1 + others)}, cycle, block));
}

}  // namespace

void registerDatasetInterleaves(OpRegistry& ops) {
  const auto over = [&](const char* name, const char* summary) -> OpRecord& {
    return datasetOp(ops, name, summary)
        .input("input_dataset: variant", kInputDatasetDoc)
        .input("other_arguments: list(Targuments)", "Tensors captured by the function.")
        .attr("f: func", "Maps an element to a data set.")
        .attr("Targuments: list(type) >= 0", "Types of the captured tensors.");
  };
  declaresElements(over("FlatMapDataset", "Maps each element to a data set and concatenates these data sets.")).cpu({}, datasetKernel("f", makeFlatMap));
  for (const bool parallel : {false, true}) {
    OpRecord& record = over(parallel ? "ParallelInterleaveDatasetV2" : "InterleaveDataset", "Maps each element to a data set and interleaves their elements.")
                           .input("cycle_length: int64", "Number of data sets read in turn.")
                           .input("block_length: int64", "Consecutive elements taken from one data set.");
    if (parallel) record.input("num_parallel_calls: int64", "Number of parallel calls; ignored, elements are computed one at a time.");
    declaresElements(record);
    if (parallel) record.attr("sloppy: bool = false", "Allow nondeterministic order; ignored, the order is always deterministic.");
    record.cpu({}, parallel ? datasetKernel("f", makeInterleave<true>) : datasetKernel("f", makeInterleave<false>));
  }
  declaresElements(over("ParallelInterleaveDataset", "Maps each element to a data set and interleaves their elements.")
                       .input("cycle_length: int64", "Number of data sets read in turn.")
                       .input("block_length: int64", "Consecutive elements taken from one data set.")
                       .input("sloppy: bool", "Allow nondeterministic order; ignored, the order is always deterministic.")
                       .input("buffer_output_elements: int64", "Number of elements buffered per data set; ignored.")
                       .input("prefetch_input_elements: int64", "Number of data sets opened ahead; ignored."))
      .cpu({}, datasetKernel("f", makeInterleave<false>));
}

}  // namespace weft
