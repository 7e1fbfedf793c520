#include "ops/dataset_rewrites.h"
#include "ops/functions.h"

#include <set>

// Data sets that select elements: groups by key, distinct elements, interleaving by choice.
namespace weft {
namespace {

/// Collects elements by key until a window is full; a function turns each window into a data set.
class GroupByWindowDataset final : public UnaryDataset<GroupByWindowDataset> {
 public:
  GroupByWindowDataset(ElementSpec spec, DatasetPtr input, Captured key, Captured reduce, Captured size)
      : UnaryDataset(std::move(spec), std::move(input), "GroupByWindow"), key_(std::move(key)), reduce_(std::move(reduce)), size_(std::move(size)) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    WEFT_LET(auto input, input_->makeIterator(start.below(kind_)));
    return std::unique_ptr<DatasetIterator>(
        new Iterator(std::move(input), input_->spec(), spec().types, key_.in(start), reduce_.in(start), size_.in(start), start));
  }

 private:
  struct Iterator final : DatasetIterator {
    Iterator(std::unique_ptr<DatasetIterator> i, ElementSpec e, std::vector<DType> t, Captured k, Captured r, Captured s, IteratorContext w)
        : input(std::move(i)), spec(std::move(e)), types(std::move(t)), key(std::move(k)), reduce(std::move(r)), size(std::move(s)), start(std::move(w)) {}

    Result<bool> next(const CallSite& site, Element& out) override {
      for (;;) {
        WEFT_TRY(site.check());
        if (current) {
          WEFT_LET(const bool more, current->next(site, out));
          if (more) return true;
          current.reset();
        }
        if (input) {
          Element element;
          WEFT_LET(const bool more, input->next(site, element));
          if (!more) {
            input.reset();
            continue;
          }
          WEFT_LET(const int64_t k, number(key, element, "key_func", site));
          auto full = windows.find(k);
          if (full == windows.end()) {
            WEFT_LET(const int64_t n, number(size, {Tensor::scalar(k)}, "window_size_func", site));
            if (n <= 0) return invalidArgument("Window size must be greater than zero, but got ", n, ".");
            full = windows.emplace(k, n).first;
          }
          std::vector<Element>& group = groups[k];
          group.push_back(std::move(element));
          if (int64_t(group.size()) == full->second) WEFT_TRY(flush(k, site));
        } else if (!groups.empty()) {
          WEFT_TRY(flush(groups.begin()->first, site));
        } else {
          return false;
        }
      }
    }

    static Result<int64_t> number(const Captured& f, Element argument, const char* name, const CallSite& site) {
      WEFT_LET(const Element made, f.call(std::move(argument), site));
      if (made.size() != 1 || made[0].dtype() != DType::Int64 || made[0].elements() != 1) return invalidArgument("`", name, "` must return a scalar int64.");
      return made[0].at<int64_t>(0);
    }

    Status flush(int64_t k, const CallSite& site) {
      window = {Tensor::scalar(k), tensorOf(datasetOf(spec, std::move(groups[k])))};
      groups.erase(k);
      ++index;
      WEFT_LET(current, iteratorOfWindow(site));
      return {};
    }

    Result<std::unique_ptr<DatasetIterator>> iteratorOfWindow(const CallSite& site) const {
      WEFT_LET(const Element made, reduce.call(window, site));
      if (made.size() != 1 || made[0].dtype() != DType::Variant || !made[0].shape().isScalar()) {
        return invalidArgument("`reduce_func` must return a single scalar of dtype DT_VARIANT.");
      }
      WEFT_LET(const DatasetPtr inner, datasetIn(made[0]));
      WEFT_TRY(checkTypes(types, inner->spec().types));
      IteratorContext inside = start.below(concat("GroupByWindow[", index - 1, "]"));
      inside.site = site;
      return rewritten(inner, inside.optimizations)->makeIterator(inside);
    }

    Status exchange(IteratorState& s) override {
      for (const Captured* f : {&key, &reduce, &size}) WEFT_TRY(IteratorState::requireStateless(*f));
      WEFT_TRY(s.value("index", index));
      std::vector<std::pair<int64_t, int64_t>> sizes(windows.begin(), windows.end());
      WEFT_TRY(s.resize("keys", sizes));
      windows.clear();
      for (size_t i = 0; i < sizes.size(); ++i) {
        auto& [k, n] = sizes[i];
        WEFT_TRY(s.value(concat("key", i), k));
        WEFT_TRY(s.value(concat("key", i, "_window_size"), n));
        windows.emplace(k, n);
        std::vector<Element> group;
        if (const auto at = groups.find(k); at != groups.end()) group = at->second;
        WEFT_TRY(s.elements(concat("key", i, "_group"), group));
        if (!group.empty()) groups[k] = std::move(group);
      }
      if (!s.restores() && !current) window.clear();
      WEFT_TRY(s.value("window", window));
      WEFT_TRY(s.inner("current", current, [&] { return iteratorOfWindow(s.site()); }));
      return s.inner("input", input);
    }

    std::unique_ptr<DatasetIterator> input;
    ElementSpec spec;
    std::vector<DType> types;  // of the results
    Captured key, reduce, size;
    IteratorContext start;
    std::map<int64_t, std::vector<Element>> groups;
    std::map<int64_t, int64_t> windows;
    Element window;  // key and data set that `current` was made from
    std::unique_ptr<DatasetIterator> current;
    int64_t index = 0;  // of the next window
  };
  Captured key_, reduce_, size_;
};

Result<std::unique_ptr<Kernel>> groupByWindowKernel(KernelInit& init) {
  WEFT_LET(auto key, bindFunction(init, "key_func"));
  WEFT_LET(auto reduce, bindFunction(init, "reduce_func"));
  WEFT_LET(auto size, bindFunction(init, "window_size_func"));
  const int first = 1 + int(init.attrs().list<DType>("Tkey_func_other_arguments").size());
  const int second = first + int(init.attrs().list<DType>("Treduce_func_other_arguments").size());
  return functionKernel([=, op = datasetOp(init)](KernelContext& c) -> Status {
    WEFT_LET(DatasetPtr input, datasetOf(c, 0));
    return giveDataset(
        c, op,
        std::make_shared<GroupByWindowDataset>(declaredSpec(c.node().attrs), std::move(input), Captured{key, tensorsFrom(c, 1, first)},
                                               Captured{reduce, tensorsFrom(c, first, second)}, Captured{size, tensorsFrom(c, second, c.inputCount())}));
  });
}

// ---- UniqueDataset

class UniqueDataset final : public UnaryDataset<UniqueDataset> {
 public:
  UniqueDataset(ElementSpec spec, DatasetPtr input) : UnaryDataset(std::move(spec), std::move(input), "Unique") {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    WEFT_LET(auto input, input_->makeIterator(start.below(kind_)));
    return std::unique_ptr<DatasetIterator>(new Iterator(std::move(input)));
  }

 private:
  struct Iterator final : DatasetIterator {
    explicit Iterator(std::unique_ptr<DatasetIterator> i) : input(std::move(i)) {}
    Result<bool> next(const CallSite& site, Element& out) override {
      for (;;) {
        WEFT_TRY(site.check());
        WEFT_LET(const bool more, input->next(site, out));
        if (!more) return false;
        if (seen.insert(bytesOf(out[0])).second) return true;
      }
    }
    Status exchange(IteratorState& s) override {
      std::vector<std::string> all(seen.begin(), seen.end());
      WEFT_TRY(s.resize("seen", all));
      for (size_t i = 0; i < all.size(); ++i) WEFT_TRY(s.value(concat("seen", i), all[i]));
      seen = {all.begin(), all.end()};
      return s.inner("input", input);
    }
    static std::string bytesOf(const Tensor& t) {
      std::string bytes;
      if (t.dtype() == DType::String) {
        for (int64_t i = 0; i < t.elements(); ++i) bytes += concat(t.data<std::string>()[i].size(), ":", t.data<std::string>()[i]);
      } else if (t.bytes()) {
        bytes.assign(static_cast<const char*>(t.raw()), t.bytes());
      }
      return bytes;
    }
    std::unique_ptr<DatasetIterator> input;
    std::set<std::string> seen;
  };
};

Result<DatasetPtr> makeUnique(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  const ElementSpec& spec = input->spec();
  if (spec.types.size() != 1) return invalidArgument("UniqueDataset only supports inputs with a single component.");
  const DType type = spec.types[0];
  if (type != DType::Int32 && type != DType::Int64 && type != DType::String) {
    return invalidArgument("UniqueDataset only supports inputs with a single `tf.int32`, `tf.int64`, or `tf.string` component.");
  }
  ElementSpec declared = declaredSpec(c.node().attrs);
  WEFT_TRY(checkTypes(declared.types, spec.types));
  return DatasetPtr(std::make_shared<UniqueDataset>(std::move(declared), std::move(input)));
}

// ---- DirectedInterleaveDataset

class DirectedInterleaveDataset final : public DatasetBase {
 public:
  DirectedInterleaveDataset(ElementSpec spec, DatasetPtr selector, std::vector<DatasetPtr> inputs)
      : DatasetBase(std::move(spec)), selector_(std::move(selector)), inputs_(std::move(inputs)) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    auto made = std::make_unique<Iterator>();
    WEFT_LET(made->selector, selector_->makeIterator(start.below("Selector")));
    for (size_t i = 0; i < inputs_.size(); ++i) {
      WEFT_LET(auto input, inputs_[i]->makeIterator(start.below(concat("DirectedInterleave[", i, "]"))));
      made->inputs.push_back(std::move(input));
    }
    made->open = inputs_.size();
    return std::unique_ptr<DatasetIterator>(std::move(made));
  }
  std::string kind() const override { return "DirectedInterleave"; }
  std::vector<DatasetPtr> inputs() const override {
    std::vector<DatasetPtr> all = {selector_};
    all.insert(all.end(), inputs_.begin(), inputs_.end());
    return all;
  }
  DatasetPtr over(std::vector<DatasetPtr> inputs) const override {
    return std::make_shared<DirectedInterleaveDataset>(spec(), inputs[0], std::vector<DatasetPtr>(inputs.begin() + 1, inputs.end()));
  }

 private:
  struct Iterator final : DatasetIterator {
    Result<bool> next(const CallSite& site, Element& out) override {
      while (selector && open > 0) {
        WEFT_TRY(site.check());
        Element choice;
        WEFT_LET(const bool more, selector->next(site, choice));
        if (!more) break;
        if (choice[0].elements() != 1)
          return invalidArgument("The selector must yield one int64 scalar per element, but yields shape ", choice[0].shape().toString());
        const int64_t k = choice[0].at<int64_t>(0);
        if (k < 0 || k >= int64_t(inputs.size())) return invalidArgument("Selector index out of range: ", k, " >= ", inputs.size());
        if (!inputs[size_t(k)]) continue;  // already at its end
        WEFT_LET(const bool got, inputs[size_t(k)]->next(site, out));
        if (got) return true;
        inputs[size_t(k)].reset();
        --open;
      }
      selector.reset();
      return false;
    }
    Status exchange(IteratorState& s) override {
      open = 0;
      for (size_t i = 0; i < inputs.size(); ++i) {
        WEFT_TRY(s.inner(concat("input", i), inputs[i]));
        if (inputs[i]) ++open;
      }
      return s.inner("selector", selector);
    }
    std::unique_ptr<DatasetIterator> selector;
    std::vector<std::unique_ptr<DatasetIterator>> inputs;
    size_t open = 0;
  };
  DatasetPtr selector_;
  std::vector<DatasetPtr> inputs_;
};

Result<DatasetPtr> makeDirectedInterleave(KernelContext& c) {
  WEFT_LET(DatasetPtr selector, datasetOf(c, 0));
  const ElementSpec& spec = selector->spec();
  if (spec.types.size() != 1 || spec.types[0] != DType::Int64 || (spec.shapes[0].hasRank() && spec.shapes[0].rank() != 0)) {
    return invalidArgument("The selector dataset for must yield one int64 scalar per element.");
  }
  std::vector<DatasetPtr> inputs;
  for (int i = 1; i < c.inputCount(); ++i) {
    WEFT_LET(DatasetPtr input, datasetOf(c, i));
    if (i > 1 && input->spec().types != inputs[0]->spec().types) return invalidArgument("All data inputs must have the same dtypes.");
    inputs.push_back(std::move(input));
  }
  ElementSpec declared = declaredSpec(c.node().attrs);
  if (!inputs.empty()) WEFT_TRY(checkTypes(declared.types, inputs[0]->spec().types));
  return DatasetPtr(std::make_shared<DirectedInterleaveDataset>(std::move(declared), std::move(selector), std::move(inputs)));
}

// ---- DatasetToSingleElement

Status runSingleElement(KernelContext& c) {
  WEFT_LET(const DatasetPtr dataset, datasetOf(c, 0));
  const CallSite site = CallSite::of(c);
  WEFT_LET(const auto iterator, dataset->makeIterator({std::make_shared<IteratorSharedState>(), "SingleElementIterator", {}, site}));
  Element element, another;
  WEFT_LET(const bool one, iterator->next(site, element));
  if (!one) return invalidArgument("Dataset was empty.");
  WEFT_LET(const bool two, iterator->next(site, another));
  if (two) return invalidArgument("Dataset had more than one element.");
  WEFT_TRY(checkElement(declaredSpec(c.node().attrs), element));
  for (size_t k = 0; k < element.size(); ++k) c.setOutput(int(k), std::move(element[k]));
  return {};
}

}  // namespace

void registerDatasetGroups(OpRegistry& ops) {
  declaresElements(datasetOp(ops, "GroupByWindowDataset",
                             "Groups elements into windows with the same key and concatenates the data sets that a function makes of the windows.")
                       .input("input_dataset: variant", kInputDatasetDoc)
                       .input("key_func_other_arguments: list(Tkey_func_other_arguments)", "Tensors captured by key_func.")
                       .input("reduce_func_other_arguments: list(Treduce_func_other_arguments)", "Tensors captured by reduce_func.")
                       .input("window_size_func_other_arguments: list(Twindow_size_func_other_arguments)", "Tensors captured by window_size_func.")
                       .attr("key_func: func", "Maps an element to its key.")
                       .attr("reduce_func: func", "Maps a key and the window's data set to a data set.")
                       .attr("window_size_func: func", "Maps a key to the size of its windows.")
                       .attr("Tkey_func_other_arguments: list(type) >= 0")
                       .attr("Treduce_func_other_arguments: list(type) >= 0")
                       .attr("Twindow_size_func_other_arguments: list(type) >= 0"))
      .cpu({}, groupByWindowKernel);
  declaresElements(datasetOp(ops, "UniqueDataset", "Removes duplicate elements.").input("input_dataset: variant", kInputDatasetDoc))
      .cpu({}, datasetKernel(makeUnique));
  declaresElements(datasetOp(ops, "DirectedInterleaveDataset", "Takes each element from the data set selected by the next index of a selector data set.")
                       .input("selector_input_dataset: variant", "Data set of indices.")
                       .input("data_input_datasets: N * variant", "The data sets."))
      .attr("N: int >= 1", "Number of data sets to choose from.")
      .cpu({}, datasetKernel(makeDirectedInterleave));
  declaresElements(ops.add("DatasetToSingleElement")
                       .category("Data")
                       .keywords("tf.data get_single_element")
                       .summary("The only element of a data set; an error if it has none or more than one.")
                       .input("dataset: variant", "The data set.")
                       .output("components: list(output_types)", "The element."))
      .stateful()
      .shape(declaredOutputShapes)
      .noGradient("Elements of a data set are inputs; no gradient flows through it.")
      .cpu({}, simpleKernel(runSingleElement));
  state(ops, OpRole::Compute, Effect::Declared, "DatasetToSingleElement");
  retain(ops, "DatasetToSingleElement");
}

}  // namespace weft
