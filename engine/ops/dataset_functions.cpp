#include <algorithm>

#include "ops/dataset_rewrites.h"
#include "ops/functions.h"

// Data sets that call a function for each element: map, filter, take_while, scan; and the op that reduces a data set to a value.
namespace weft {
namespace {

// ---- MapDataset, ParallelMapDataset

class MapDataset final : public UnaryDataset<MapDataset> {
 public:
  MapDataset(ElementSpec spec, DatasetPtr input, std::vector<Captured> f, bool keepsCount, std::string kind)
      : UnaryDataset(std::move(spec), std::move(input), std::move(kind)), functions_(std::move(f)), keepsCount_(keepsCount) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    auto w = std::make_unique<Iterator>();
    w->keepsCount = keepsCount_;
    for (const Captured& f : functions_) w->functions.push_back(f.in(start));
    WEFT_LET(w->input, input_->makeIterator(start.below(kind_)));
    return std::unique_ptr<DatasetIterator>(std::move(w));
  }
  int64_t cardinality() const override { return input_->cardinality(); }
  const std::vector<Captured>& functions() const { return functions_; }
  bool keepsCount() const { return keepsCount_; }
  DatasetPtr as(std::string kind) const {
    auto copy = std::make_shared<MapDataset>(*this);
    copy->kind_ = std::move(kind);
    return copy;
  }
  /// The functions of two maps in a row in one; null if the input is no such map.
  DatasetPtr fused() const {
    const auto* inner = dynamic_cast<const MapDataset*>(input_.get());
    if (!inner || inner->keepsCount_ != keepsCount_ || inner->kind_ != kind_) return nullptr;
    std::vector<Captured> both = inner->functions_;
    both.insert(both.end(), functions_.begin(), functions_.end());
    return std::make_shared<MapDataset>(spec(), inner->input_, std::move(both), keepsCount_, kind_);
  }

 private:
  struct Iterator final : DatasetIterator {
    Result<bool> next(const CallSite& site, Element& out) override {
      Element element;
      WEFT_LET(const bool more, input->next(site, element));
      if (!more) return false;
      for (const Captured& f : functions) {
        auto made = f.call(std::move(element), site);
        if (made.ok()) {
          element = std::move(*made);
          continue;
        }
        if (made.error().code != Code::OutOfRange) return made.error();
        // A function may end the data set with this error, unless the number of elements must be preserved.
        if (keepsCount) return invalidArgument("Function invocation produced OutOfRangeError: ", made.error().message);
        return false;
      }
      out = std::move(element);
      return true;
    }
    Status exchange(IteratorState& s) override {
      for (const Captured& f : functions) WEFT_TRY(IteratorState::requireStateless(f));
      return s.inner("input", input);
    }
    std::unique_ptr<DatasetIterator> input;
    std::vector<Captured> functions;  ///< In the order of their calls.
    bool keepsCount = false;
  };
  std::vector<Captured> functions_;  // in the order of their calls
  bool keepsCount_;
};

Result<DatasetPtr> makeMapNamed(const char* name, KernelContext& c, std::shared_ptr<BoundFunction> f) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  const int others = int(c.node().attrs.list<DType>("Targuments").size());
  ElementSpec spec = declaredSpec(c.node().attrs);
  WEFT_TRY(checkTypes(spec.types, f->resultTypes()));
  std::vector<Captured> functions = {{std::move(f), tensorsFrom(c, 1, 1 + others)}};
  return DatasetPtr(std::make_shared<MapDataset>(std::move(spec), std::move(input), std::move(functions), c.node().attrs.flag("preserve_cardinality"), name));
}

Result<DatasetPtr> makeMap(KernelContext& c, std::shared_ptr<BoundFunction> f) { return makeMapNamed("Map", c, std::move(f)); }

Result<DatasetPtr> makeParallelMap(KernelContext& c, std::shared_ptr<BoundFunction> f) {
  WEFT_LET(const int32_t calls, scalarArgument<int32_t>(c, c.inputCount() - 1, "num_parallel_calls"));
  if (calls <= 0 && calls != -1) return invalidArgument("num_parallel_calls must be greater than zero.");
  return makeMapNamed("ParallelMap", c, std::move(f));
}

// ---- FilterDataset, TakeWhileDataset

class TestedDataset final : public UnaryDataset<TestedDataset> {
 public:
  TestedDataset(DatasetPtr input, std::vector<Captured> predicates, bool stops)
      : UnaryDataset(input->spec(), input, stops ? "TakeWhile" : "Filter"), predicates_(std::move(predicates)), stops_(stops) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    auto w = std::make_unique<Iterator>();
    w->stops = stops_;
    for (const Captured& p : predicates_) w->predicates.push_back(p.in(start));
    w->stats = start.stats;
    if (w->stats) w->name = start.stats.nameOf(*this);
    WEFT_LET(w->input, input_->makeIterator(start.below(kind_)));
    return std::unique_ptr<DatasetIterator>(std::move(w));
  }
  /// The predicates of two filters in a row in one; null if this or the input is no filter.
  DatasetPtr fused() const {
    const auto* inner = dynamic_cast<const TestedDataset*>(input_.get());
    if (!inner || stops_ || inner->stops_) return nullptr;
    std::vector<Captured> both = inner->predicates_;
    both.insert(both.end(), predicates_.begin(), predicates_.end());
    return std::make_shared<TestedDataset>(inner->input_, std::move(both), false);
  }
  /// Whether it is a filter without captured tensors over a map without them.
  bool fusesWithMap() const {
    const auto* map = dynamic_cast<const MapDataset*>(input_.get());
    const auto captures = [](const Captured& f) { return !f.others.empty(); };
    return map && map->kind() == "Map" && !stops_ && std::ranges::none_of(predicates_, captures) && std::ranges::none_of(map->functions(), captures);
  }

 private:
  struct Iterator final : DatasetIterator {
    Result<bool> next(const CallSite& site, Element& out) override {
      while (input) {
        WEFT_TRY(site.check());
        WEFT_LET(const bool more, input->next(site, out));
        if (!more) break;
        WEFT_LET(const bool holds, test(site, out));
        if (stats && !stops) {
          int64_t& count = holds ? kept : dropped;
          stats.setScalar(name + (holds ? "::filtered_elements" : "::dropped_elements"), float(++count));
        }
        if (holds) return true;
        if (stops) break;
      }
      input.reset();
      return false;
    }
    Result<bool> test(const CallSite& site, const Element& element) const {
      for (const Captured& predicate : predicates) {
        WEFT_LET(const Element tested, predicate.call(element, site));
        if (tested.size() != 1 || tested[0].dtype() != DType::Bool || tested[0].elements() != 1) {
          return invalidArgument(stops ? "`predicate` must returns a scalar bool tensor." : "Filter predicate `predicate` must return a scalar bool.");
        }
        if (!tested[0].at<bool>(0)) return false;
      }
      return true;
    }
    Status exchange(IteratorState& s) override {
      for (const Captured& f : predicates) WEFT_TRY(IteratorState::requireStateless(f));
      WEFT_TRY(s.value("kept", kept));
      WEFT_TRY(s.value("dropped", dropped));
      return s.inner("input", input);
    }
    std::unique_ptr<DatasetIterator> input;
    std::vector<Captured> predicates;  ///< In the order of their calls.
    bool stops = false;
    StatsTarget stats;
    std::string name;
    int64_t kept = 0, dropped = 0;
  };
  std::vector<Captured> predicates_;  // in the order of their calls
  bool stops_;
};

template <bool kStops>
Result<DatasetPtr> makeTested(KernelContext& c, std::shared_ptr<BoundFunction> f) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  std::vector<Captured> predicates = {{std::move(f), tensorsFrom(c, 1, c.inputCount())}};
  return DatasetPtr(std::make_shared<TestedDataset>(std::move(input), std::move(predicates), kStops));
}

// ---- ScanDataset

class ScanDataset final : public UnaryDataset<ScanDataset> {
 public:
  ScanDataset(ElementSpec spec, DatasetPtr input, Element initial, Captured f)
      : UnaryDataset(std::move(spec), std::move(input), "Scan"), initial_(std::move(initial)), f_(std::move(f)) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    WEFT_LET(auto input, input_->makeIterator(start.below(kind_)));
    return std::unique_ptr<DatasetIterator>(new Iterator(std::move(input), initial_, f_.in(start), spec().types.size()));
  }

 private:
  struct Iterator final : DatasetIterator {
    Iterator(std::unique_ptr<DatasetIterator> i, Element s, Captured c, size_t n) : input(std::move(i)), state(std::move(s)), f(std::move(c)), outputs(n) {}
    Result<bool> next(const CallSite& site, Element& out) override {
      Element element;
      WEFT_LET(const bool more, input->next(site, element));
      if (!more) return false;
      Element args = state;
      args.insert(args.end(), element.begin(), element.end());
      auto made = f.call(std::move(args), site);
      if (!made.ok()) {
        if (made.error().code == Code::OutOfRange) return false;
        return made.error();
      }
      if (made->size() != state.size() + outputs) {
        return invalidArgument("Expected function to return at least ", state.size() + outputs, " values, but got ", made->size());
      }
      for (size_t k = 0; k < state.size(); ++k) {
        if ((*made)[k].dtype() == state[k].dtype()) continue;
        return invalidArgument("Got wrong type for scan_func return value ", k, " (expected ", dtypeShortName(state[k].dtype()), ", got ",
                               dtypeShortName((*made)[k].dtype()), ").");
      }
      out.assign(std::make_move_iterator(made->begin() + ptrdiff_t(state.size())), std::make_move_iterator(made->end()));
      made->resize(state.size());
      state = std::move(*made);
      return true;
    }
    Status exchange(IteratorState& s) override {
      WEFT_TRY(IteratorState::requireStateless(f));
      WEFT_TRY(s.value("state", state));
      return s.inner("input", input);
    }
    std::unique_ptr<DatasetIterator> input;
    Element state;
    Captured f;
    size_t outputs;
  };
  Element initial_;
  Captured f_;
};

Result<DatasetPtr> makeScan(KernelContext& c, std::shared_ptr<BoundFunction> f) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  const int states = int(c.node().attrs.list<DType>("Tstate").size());
  ElementSpec spec = declaredSpec(c.node().attrs);
  if (const std::span<const DType> results = f->resultTypes(); int(results.size()) >= states) WEFT_TRY(checkTypes(spec.types, results.subspan(size_t(states))));
  return DatasetPtr(std::make_shared<ScanDataset>(std::move(spec), std::move(input), tensorsFrom(c, 1, 1 + states),
                                                  Captured{std::move(f), tensorsFrom(c, 1 + states, c.inputCount())}));
}

// ---- ReduceDataset

Result<std::unique_ptr<Kernel>> reduceKernel(KernelInit& init) {
  WEFT_LET(auto f, bindFunction(init, "f"));
  return functionKernel([f](KernelContext& c) -> Status {
    WEFT_LET(const DatasetPtr input, datasetOf(c, 0));
    const int states = int(c.node().attrs.list<DType>("Tstate").size());
    Element state = tensorsFrom(c, 1, 1 + states);
    const CallSite site = CallSite::of(c);
    IteratorContext start{std::make_shared<IteratorSharedState>(), "ReduceIterator", {}, site};
    const Captured reduce = Captured{f, tensorsFrom(c, 1 + states, c.inputCount())}.in(start);
    WEFT_LET(const auto iterator, input->makeIterator(start));
    for (;;) {
      WEFT_TRY(site.check());
      Element element;
      WEFT_LET(const bool more, iterator->next(site, element));
      if (!more) break;
      Element args = state;
      args.insert(args.end(), element.begin(), element.end());
      WEFT_LET(Element next, reduce.call(std::move(args), site));
      if (next.size() != state.size()) return invalidArgument("The reduce function returned ", next.size(), " values instead of ", state.size());
      state = std::move(next);
    }
    const ElementSpec spec = declaredSpec(c.node().attrs);
    WEFT_TRY(checkElement(spec, state));
    for (size_t k = 0; k < state.size(); ++k) c.setOutput(int(k), std::move(state[k]));
    return {};
  });
}

}  // namespace

std::optional<MapParts> mapParts(const DatasetBase& dataset) {
  const auto* map = dynamic_cast<const MapDataset*>(&dataset);
  return map ? std::optional(MapParts{map->inputs()[0], map->functions(), map->keepsCount()}) : std::nullopt;
}
DatasetPtr fusedMaps(const DatasetBase& dataset) {
  const auto* map = dynamic_cast<const MapDataset*>(&dataset);
  return map ? map->fused() : nullptr;
}
DatasetPtr fusedFilters(const DatasetBase& dataset) {
  const auto* filter = dynamic_cast<const TestedDataset*>(&dataset);
  return filter ? filter->fused() : nullptr;
}
bool fusesWithMap(const DatasetBase& dataset) {
  const auto* filter = dynamic_cast<const TestedDataset*>(&dataset);
  return filter && filter->fusesWithMap();
}
DatasetPtr parallelMap(const DatasetBase& dataset) {
  const auto* map = dynamic_cast<const MapDataset*>(&dataset);
  if (!map || map->kind() != "Map") return nullptr;
  for (const Captured& f : map->functions())
    if (!IteratorState::requireStateless(f).ok()) return nullptr;
  return map->as("ParallelMap");
}

void registerDatasetFunctions(OpRegistry& ops) {
  const auto over = [&](const char* name, const char* summary) -> OpRecord& {
    return datasetOp(ops, name, summary).input("input_dataset: variant", kInputDatasetDoc);
  };
  constexpr const char* kOthers = "other_arguments: list(Targuments)";
  constexpr const char* kOthersDoc = "Tensors captured by the function.";
  const auto finish = [](OpRecord& record) -> OpRecord& {
    return declaresElements(record.attr("Targuments: list(type) >= 0", "Types of the captured tensors."));
  };
  finish(over("MapDataset", "Applies a function to each element.").input(kOthers, kOthersDoc).attr("f: func", "The function."))
      .attr("use_inter_op_parallelism: bool = true", "Ignored.")
      .attr("preserve_cardinality: bool = false", "Ignored.")
      .cpu({}, datasetKernel("f", makeMap));
  finish(over("ParallelMapDataset", "Applies a function to each element, in order.")
             .input(kOthers, kOthersDoc)
             .input("num_parallel_calls: int32", "Number of parallel calls; ignored, elements are computed one at a time.")
             .attr("f: func", "The function."))
      .attr("use_inter_op_parallelism: bool = true", "Ignored.")
      .attr("sloppy: bool = false", "Allow nondeterministic order; ignored, the order is always deterministic.")
      .attr("preserve_cardinality: bool = false", "Ignored.")
      .cpu({}, datasetKernel("f", makeParallelMap));
  finish(over("FilterDataset", "Keeps the elements for which a predicate is true.").input(kOthers, kOthersDoc).attr("predicate: func", "The function."))
      .cpu({}, datasetKernel("predicate", makeTested<false>));
  finish(over("TakeWhileDataset", "Takes elements until a predicate is false.").input(kOthers, kOthersDoc).attr("predicate: func", "The function."))
      .cpu({}, datasetKernel("predicate", makeTested<true>));
  finish(over("ScanDataset", "Applies a function to a running state and each element; the function returns the next state and an output element.")
             .input("initial_state: list(Tstate)", "The initial state.")
             .input(kOthers, kOthersDoc)
             .attr("f: func", "The function.")
             .attr("Tstate: list(type) >= 1", "Types of the state."))
      .attr("preserve_cardinality: bool = false", "Ignored.")
      .cpu({}, datasetKernel("f", makeScan));
  declaresElements(ops.add("ReduceDataset")
                       .category("Data")
                       .keywords("tf.data fold aggregate")
                       .summary("Reduces a data set to one state by applying a function to the state and each element in turn.")
                       .input("input_dataset: variant", kInputDatasetDoc)
                       .input("initial_state: list(Tstate)", "The initial state.")
                       .input(kOthers, kOthersDoc)
                       .output("components: list(output_types)", "The final state.")
                       .attr("f: func", "The function.")
                       .attr("Tstate: list(type) >= 1", "Types of the state.")
                       .attr("Targuments: list(type) >= 0", "Types of the captured tensors."))
      .attr("use_inter_op_parallelism: bool = true", "Ignored.")
      .stateful()
      .shape(declaredOutputShapes)
      .noGradient("Elements of a data set are inputs; no gradient flows through it.")
      .cpu({}, reduceKernel);
  state(ops, OpRole::Compute, Effect::Declared, "ReduceDataset");
  retain(ops, "ReduceDataset");
}

}  // namespace weft
