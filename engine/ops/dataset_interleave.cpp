#include "ops/dataset_rewrites.h"

// Data sets whose function maps each element to a data set: flat_map and interleave.
namespace weft {
namespace {

/// The context of an iterator over the data set made from element `index`.
IteratorContext insideElement(const IteratorContext& start, const char* name, int64_t index, const CallSite& site) {
  IteratorContext inner = start.below(concat(name, "[", index, "]"));
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
  return rewritten(inner, start.optimizations)->makeIterator(start);
}

class FlatMapDataset final : public UnaryDataset<FlatMapDataset> {
 public:
  FlatMapDataset(ElementSpec spec, DatasetPtr input, Captured f) : UnaryDataset(std::move(spec), std::move(input), "FlatMap"), f_(std::move(f)) {}
  bool opensFiles() const override { return readsFiles(f_); }
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    WEFT_LET(auto input, input_->makeIterator(start.below(kind_)));
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
          WEFT_LET(const bool more, input->next(site, element));
          if (!more) break;
          ++index;
          WEFT_LET(current, iteratorOfElement(site));
        }
        WEFT_LET(const bool more, current->next(site, out));
        if (more) return true;
        current.reset();
      }
      input.reset();
      return false;
    }
    Result<std::unique_ptr<DatasetIterator>> iteratorOfElement(const CallSite& site) const {
      return elementIterator(f, element, types, insideElement(start, "FlatMap", index - 1, site), site);
    }
    Status exchange(IteratorState& s) override {
      WEFT_TRY(IteratorState::requireStateless(f));
      WEFT_TRY(s.value("index", index));
      if (!s.restores() && !current) element.clear();
      WEFT_TRY(s.value("element", element));
      WEFT_TRY(s.inner("current", current, [&] { return iteratorOfElement(s.site()); }));
      return s.inner("input", input);
    }
    std::unique_ptr<DatasetIterator> input;
    Captured f;
    std::vector<DType> types;
    IteratorContext start;
    Element element;  // the one that `current` was made from
    std::unique_ptr<DatasetIterator> current;
    int64_t index = 0;  // of the next element
  };
  Captured f_;
};

/// Takes `block` elements from each of `cycle` data sets in turn. A finished data set is replaced by the one of the next input element, which is created when
/// its turn comes again.
class InterleaveDataset final : public UnaryDataset<InterleaveDataset> {
 public:
  InterleaveDataset(ElementSpec spec, DatasetPtr input, std::string kind, Captured f, int64_t cycle, int64_t block)
      : UnaryDataset(std::move(spec), std::move(input), std::move(kind)), f_(std::move(f)), cycle_(cycle), block_(block) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    WEFT_LET(auto input, input_->makeIterator(start.below(kind_)));
    return std::unique_ptr<DatasetIterator>(new Iterator(std::move(input), f_.in(start), spec().types, start, kind_, cycle_, block_));
  }
  bool opensFiles() const override { return readsFiles(f_); }

 private:
  struct Iterator final : DatasetIterator {
    Iterator(std::unique_ptr<DatasetIterator> i, Captured c, std::vector<DType> t, IteratorContext s, std::string k, int64_t n, int64_t b)
        : input(std::move(i)), f(std::move(c)), types(std::move(t)), start(std::move(s)), kind(std::move(k)), cycle(n), block(b) {}
    Result<bool> next(const CallSite& site, Element& out) override {
      while (input || open > 0) {
        WEFT_TRY(site.check());
        if (Place* current = at(place)) {
          auto more = current->iterator->next(site, out);
          if (!more.ok()) return more;
          if (*more) {
            if (++inBlock == block) advance();
            return true;
          }
          places.erase(place);
          --open;
          advance();
        } else if (input) {
          Place fresh;
          WEFT_LET(const bool more, input->next(site, fresh.element));
          if (!more) {
            input.reset();
            continue;
          }
          fresh.index = index++;
          WEFT_LET(fresh.iterator, iteratorOf(fresh, site));
          places[place] = std::move(fresh);
          ++open;
        } else {  // skip empty places; only few of up to 2^63 may be filled
          inBlock = 0;
          const auto next = places.lower_bound(place);
          place = next == places.end() ? places.begin()->first : next->first;
        }
      }
      return false;
    }
    struct Place {
      Element element;  // the one that the iterator was made from
      int64_t index = 0;
      std::unique_ptr<DatasetIterator> iterator;
    };
    Result<std::unique_ptr<DatasetIterator>> iteratorOf(const Place& p, const CallSite& site) const {
      return elementIterator(f, p.element, types, insideElement(start, kind.c_str(), p.index, site), site);
    }
    Status exchange(IteratorState& s) override {
      WEFT_TRY(IteratorState::requireStateless(f));
      WEFT_TRY(s.value("place", place));
      WEFT_TRY(s.value("in_block", inBlock));
      WEFT_TRY(s.value("index", index));
      std::vector<int64_t> numbers;
      for (const auto& [number, p] : places) numbers.push_back(number);
      WEFT_TRY(s.resize("places", numbers));
      for (size_t i = 0; i < numbers.size(); ++i) {
        IteratorState its = s.below(concat("place", i));
        WEFT_TRY(its.value("number", numbers[i]));
        Place& p = places[numbers[i]];
        WEFT_TRY(its.value("element", p.element));
        WEFT_TRY(its.value("index", p.index));
        WEFT_TRY(its.inner("iterator", p.iterator, [&] { return iteratorOf(p, s.site()); }));
        if (!p.iterator) return dataLoss("The saved state of an interleaved data set has a place without an iterator");
      }
      open = int64_t(places.size());
      return s.inner("input", input);
    }
    Place* at(int64_t i) {
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
    const std::string kind;
    const int64_t cycle, block;
    std::map<int64_t, Place> places;
    int64_t place = 0, inBlock = 0, open = 0, index = 0;
  };
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
  std::string kind = c.node().op;
  for (const char* part : {"Experimental", "Dataset"})
    if (const size_t at = kind.find(part); at != std::string::npos) kind.erase(at, std::string_view(part).size());
  return DatasetPtr(std::make_shared<InterleaveDataset>(declaredSpec(c.node().attrs), std::move(input), std::move(kind),
                                                        Captured{std::move(f), tensorsFrom(c, 1, 1 + others)}, cycle, block));
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
