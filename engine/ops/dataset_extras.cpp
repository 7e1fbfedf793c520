#include <bit>

#include "ops/dataset_shuffle.h"
#include "ops/datasets.h"
#include "ops/functions.h"
#include "ops/sparse_parts.h"
#include "tensor/element_types.h"

// Data sets of tf.data.experimental that have no file of their own: random numbers and samples, sliding windows, groups reduced by functions, sparse batches.
namespace weft {
namespace {

// ---- RandomDataset, SamplingDataset

struct RandomIterator final : DatasetIterator {
  explicit RandomIterator(ShuffleSeeds s) : singles(s) {}
  Result<bool> next(const CallSite&, Element& out) override {
    out.assign(1, Tensor::scalar(int64_t(singles.next32())));
    return true;
  }
  Status exchange(IteratorState& s) override { return singles.exchange(s); }
  RandomSingles singles;
};

Result<DatasetPtr> makeRandom(KernelContext& c) {
  WEFT_LET(const ShuffleSeeds seeds, shuffleSeedsOf(c, 0));
  return datasetFrom({{DType::Int64}, {Shape{}}}, [seeds](const IteratorContext&) -> Result<std::unique_ptr<DatasetIterator>> {
    return std::unique_ptr<DatasetIterator>(new RandomIterator(seeds));
  });
}

struct SamplingIterator final : DatasetIterator {
  SamplingIterator(std::unique_ptr<DatasetIterator> i, float r, ShuffleSeeds s) : input(std::move(i)), rate(r), singles(s) {}
  Result<bool> next(const CallSite& site, Element& out) override {
    for (;;) {
      WEFT_TRY(site.check());
      if (!input) return false;
      WEFT_LET(const bool more, input->next(site, out));
      if (!more) {
        input.reset();
        return false;
      }
      // 23 random mantissa bits.
      const float x = std::bit_cast<float>(0x3f800000u | (singles.next32() & 0x7fffffu)) - 1.0f;
      if (x < rate) return true;
    }
  }
  Status exchange(IteratorState& s) override {
    IteratorState random = s.below("random");
    WEFT_TRY(singles.exchange(random));
    return s.inner("input", input);
  }
  std::unique_ptr<DatasetIterator> input;
  float rate;
  RandomSingles singles;
};

Result<DatasetPtr> makeSampling(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  WEFT_LET(const float rate, scalarArgument<float>(c, 1, "rate"));
  WEFT_LET(const ShuffleSeeds seeds, shuffleSeedsOf(c, 2));
  const ElementSpec spec = input->spec();
  return datasetOver(spec, input, "Sampling",
                     [=](std::unique_ptr<DatasetIterator> iterator, const IteratorContext&) -> Result<std::unique_ptr<DatasetIterator>> {
                       return std::unique_ptr<DatasetIterator>(new SamplingIterator(std::move(iterator), rate, seeds));
                     });
}

// ---- SlidingWindowDataset

/// Stacks elements into one tensor per component. `words`: the error message if shapes differ.
Result<Element> batched(const std::vector<Element>& elements) {
  Element out;
  for (size_t k = 0; k < elements[0].size(); ++k) {
    const Tensor& first = elements[0][k];
    Shape shape{int64_t(elements.size())};
    shape.append(first.shape());
    WEFT_LET(Tensor batch, Tensor::allocate(first.dtype(), shape));
    for (size_t i = 0; i < elements.size(); ++i) {
      const Tensor& t = elements[i][k];
      if (!(t.shape() == first.shape())) {
        return invalidArgument("Cannot batch tensors with different shapes in component ", k, ". First element had shape ", first.shape().toString(),
                               " and element ", i, " had shape ", t.shape().toString(), ".");
      }
      copyToPlace(t, batch, int64_t(i));
    }
    out.push_back(std::move(batch));
  }
  return out;
}

struct SlidingIterator final : DatasetIterator {
  SlidingIterator(std::unique_ptr<DatasetIterator> i, int64_t w, int64_t sh, int64_t st) : input(std::move(i)), size(w), shift(sh), stride(st) {}
  Result<bool> next(const CallSite& site, Element& out) override {
    const size_t wanted = size_t((size - 1) * stride + 1);
    while (input && ahead.size() < wanted) {
      WEFT_TRY(site.check());
      Element element;
      WEFT_LET(const bool more, input->next(site, element));
      if (more) ahead.push_back(std::move(element));
      else input.reset();
    }
    if (ahead.size() < wanted) return false;
    std::vector<Element> window;
    for (int64_t i = 0; i < size; ++i) window.push_back(ahead[size_t(i * stride)]);
    for (size_t i = ahead.size(); input && i < size_t(shift); ++i) {
      WEFT_TRY(site.check());
      Element ignored;
      WEFT_LET(const bool more, input->next(site, ignored));
      if (!more) input.reset();
    }
    ahead.erase(ahead.begin(), ahead.begin() + int64_t(std::min(size_t(shift), ahead.size())));
    WEFT_LET(out, batched(window));
    return true;
  }
  Status exchange(IteratorState& s) override {
    WEFT_TRY(s.elements("ahead", ahead));
    return s.inner("input", input);
  }
  std::unique_ptr<DatasetIterator> input;
  int64_t size, shift, stride;
  std::vector<Element> ahead;
};

Result<DatasetPtr> makeSliding(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  int64_t n[3];
  const char *const names[] = {"window_size", "window_shift", "window_stride"}, *const words[] = {"Window size", "Window shift", "window_stride"};
  for (int i = 0; i < 3; ++i) {
    WEFT_LET(n[i], scalarArgument<int64_t>(c, 1 + i, names[i]));
    if (n[i] <= 0) return invalidArgument(words[i], " must be greater than zero.");
    if (n[i] > (int64_t(1) << 31)) return resourceExhausted("A ", names[i], " of ", n[i], " is too large");
  }
  ElementSpec spec = input->spec();
  for (Shape& s : spec.shapes) {
    Shape whole{Shape::kUnknownDim};
    if (s.hasRank()) whole.append(s);
    s = s.hasRank() ? whole : Shape::unknown();
  }
  return datasetOver(std::move(spec), input, "SlidingWindow",
                     [size = n[0], shift = n[1], stride = n[2]](std::unique_ptr<DatasetIterator> iterator,
                                                                const IteratorContext&) -> Result<std::unique_ptr<DatasetIterator>> {
                       return std::unique_ptr<DatasetIterator>(new SlidingIterator(std::move(iterator), size, shift, stride));
                     });
}

// ---- DenseToSparseBatchDataset

struct SparseBatchIterator final : DatasetIterator {
  SparseBatchIterator(std::unique_ptr<DatasetIterator> i, int64_t n, Shape r, DType t) : input(std::move(i)), size(n), row(std::move(r)), type(t) {}
  Result<bool> next(const CallSite& site, Element& out) override {
    std::vector<Tensor> rows;
    Shape dense = row;
    for (int d = 0; d < dense.rank(); ++d) dense.setDim(d, std::max<int64_t>(0, dense.dim(d)));
    int64_t total = 0;
    while (input && int64_t(rows.size()) < size) {
      WEFT_TRY(site.check());
      Element element;
      WEFT_LET(const bool more, input->next(site, element));
      if (!more) {
        input.reset();
        break;
      }
      const Tensor& t = element[0];
      if (t.rank() != row.rank()) {
        return invalidArgument("Input element had shape (", t.shape().toString(), ") that is incompatible with the row shape (", row.toString(), ").");
      }
      for (int d = 0; d < row.rank(); ++d) {
        if (row.dim(d) < 0) dense.setDim(d, std::max(dense.dim(d), t.dim(d)));
        else if (t.dim(d) > row.dim(d))
          return dataLoss("Input element had shape (", t.shape().toString(), ") that is larger than the row shape (", row.toString(), ").");
      }
      total += t.elements();
      rows.push_back(t);
    }
    if (rows.empty()) return false;
    const int rank = row.rank() + 1;
    WEFT_LET(Tensor indices, Tensor::allocate(DType::Int64, {total, rank}));
    WEFT_LET(Tensor values, Tensor::allocate(type, {total}));
    Tensor shape = Tensor::zeros(DType::Int64, {rank});
    shape.mutableData<int64_t>()[0] = int64_t(rows.size());
    for (int d = 1; d < rank; ++d) shape.mutableData<int64_t>()[d] = dense.dim(d - 1);
    int64_t at = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      const Tensor& t = rows[i];
      for (int64_t k = 0; k < t.elements(); ++k) {
        int64_t* place = indices.mutableData<int64_t>() + (at + k) * rank;
        place[0] = int64_t(i);
        int64_t rest = k;
        for (int d = rank - 1; d > 0; --d) {
          place[d] = rest % t.dim(d - 1);
          rest /= t.dim(d - 1);
        }
      }
      copyElements(values, at, t, 0, t.elements());
      at += t.elements();
    }
    Tensor packed = Tensor::zeros(DType::Variant, {3});
    WEFT_TRY(packIntoVariant(indices, packed, 0));
    WEFT_TRY(packIntoVariant(values, packed, 1));
    WEFT_TRY(packIntoVariant(shape, packed, 2));
    out.assign(1, std::move(packed));
    return true;
  }
  Status exchange(IteratorState& s) override { return s.inner("input", input); }
  std::unique_ptr<DatasetIterator> input;
  int64_t size;
  Shape row;
  DType type;
};

Result<DatasetPtr> makeSparseBatch(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  const ElementSpec& in = input->spec();
  if (in.types.size() != 1) return invalidArgument("DenseToSparseBatchDataset only supports inputs with a single component.");
  WEFT_LET(const int64_t size, scalarArgument<int64_t>(c, 1, "batch_size"));
  if (size <= 0) return invalidArgument("Batch size must be greater than zero.");
  const Tensor& given = c.input(2);
  if (given.rank() != 1) return invalidArgument("row_shape must be a vector");
  Shape row;
  for (int64_t i = 0; i < given.elements(); ++i) {
    if (given.at<int64_t>(i) < -1) return invalidArgument("Dimension ", given.at<int64_t>(i), " must be >= -1");
    row.append(given.at<int64_t>(i));
  }
  Shape whole{Shape::kUnknownDim};
  whole.append(row);
  return datasetOver(
      {{DType::Variant}, {whole}}, input, "DenseToSparseBatch",
      [size, row, type = in.types[0]](std::unique_ptr<DatasetIterator> iterator, const IteratorContext&) -> Result<std::unique_ptr<DatasetIterator>> {
        return std::unique_ptr<DatasetIterator>(new SparseBatchIterator(std::move(iterator), size, row, type));
      });
}

// ---- GroupByReducerDataset

struct ReducerIterator final : DatasetIterator {
  ReducerIterator(std::unique_ptr<DatasetIterator> i, Captured k, Captured in, Captured r, Captured f)
      : input(std::move(i)), key(std::move(k)), init(std::move(in)), reduce(std::move(r)), finalize(std::move(f)) {}
  Result<bool> next(const CallSite& site, Element& out) override {
    while (input) {
      WEFT_TRY(site.check());
      Element element;
      WEFT_LET(const bool more, input->next(site, element));
      if (!more) {
        input.reset();
        break;
      }
      WEFT_LET(const Element named, key.call(element, site));
      if (named.size() != 1 || named[0].dtype() != DType::Int64 || named[0].elements() != 1) return invalidArgument("`key_func` must return a scalar int64.");
      const int64_t k = named[0].at<int64_t>(0);
      auto state = states.find(k);
      if (state == states.end()) {
        WEFT_LET(Element first, init.call({Tensor::scalar(k)}, site));
        state = states.emplace(k, std::move(first)).first;
      }
      Element arguments = state->second;
      arguments.insert(arguments.end(), element.begin(), element.end());
      WEFT_LET(state->second, reduce.call(std::move(arguments), site));
    }
    if (states.empty()) return false;
    const Element last = std::move(states.begin()->second);
    states.erase(states.begin());
    WEFT_LET(out, finalize.call(last, site));
    return true;
  }
  Status exchange(IteratorState& s) override {
    for (const Captured* f : {&key, &init, &reduce, &finalize}) WEFT_TRY(IteratorState::requireStateless(*f));
    std::vector<std::pair<int64_t, Element>> groups(states.begin(), states.end());
    WEFT_TRY(s.resize("groups", groups));
    states.clear();
    for (size_t i = 0; i < groups.size(); ++i) {
      WEFT_TRY(s.value(concat("group", i, "_key"), groups[i].first));
      WEFT_TRY(s.value(concat("group", i), groups[i].second));
      states.insert(groups[i]);
    }
    return s.inner("input", input);
  }
  std::unique_ptr<DatasetIterator> input;
  Captured key, init, reduce, finalize;
  std::map<int64_t, Element> states;
};

Result<std::unique_ptr<Kernel>> groupByReducer(KernelInit& init) {
  const char* const names[] = {"key_func", "init_func", "reduce_func", "finalize_func"};
  std::vector<std::shared_ptr<BoundFunction>> functions;
  std::vector<int> ends = {1};
  for (const char* name : names) {
    WEFT_LET(auto f, bindFunction(init, name));
    functions.push_back(std::move(f));
    ends.push_back(ends.back() + int(init.attrs().list<DType>(concat("T", name, "_other_arguments")).size()));
  }
  return functionKernel([=, op = datasetOp(init)](KernelContext& c) -> Status {
    WEFT_LET(DatasetPtr input, datasetOf(c, 0));
    std::vector<Captured> f;
    for (size_t i = 0; i < 4; ++i) f.push_back({functions[i], tensorsFrom(c, ends[i], ends[i + 1])});
    WEFT_TRY(checkTypes(declaredSpec(c.node().attrs).types, functions[3]->resultTypes()));
    const auto make = [f](std::unique_ptr<DatasetIterator> iterator, const IteratorContext& start) -> Result<std::unique_ptr<DatasetIterator>> {
      return std::unique_ptr<DatasetIterator>(new ReducerIterator(std::move(iterator), f[0].in(start), f[1].in(start), f[2].in(start), f[3].in(start)));
    };
    return giveDataset(c, op, datasetOver(declaredSpec(c.node().attrs), input, "GroupByReducer", make));
  });
}

// ---- RebatchDataset

/// Batches for several workers: each batch is split into one piece per worker; the last ones are empty if there are not enough elements.
struct RebatchIterator final : DatasetIterator {
  RebatchIterator(std::unique_ptr<DatasetIterator> i, int64_t w) : input(std::move(i)), workers(w) {}
  Result<bool> next(const CallSite& site, Element& out) override {
    if (given == workers) {
      current.clear();
      WEFT_LET(const bool more, input->next(site, current));
      if (!more) return false;
      at = given = 0;
      for (const Tensor& t : current)
        if (t.rank() < 1 || t.dim(0) != current[0].dim(0)) return invalidArgument("Cannot rebatch dataset: its elements are no batches.");
      WEFT_TRY(site.check());
      if (current.empty()) return invalidArgument("Cannot rebatch dataset: its elements have no components.");
      length = (current[0].dim(0) + workers - 1) / workers;
    }
    const int64_t end = std::min(at + length, current[0].dim(0));
    out.clear();
    for (const Tensor& t : current) {
      WEFT_LET(Tensor piece, t.rows(at, end).clone());
      out.push_back(std::move(piece));
    }
    at = end;
    ++given;
    return true;
  }
  Status exchange(IteratorState& s) override {
    WEFT_TRY(s.value("batch", current));
    WEFT_TRY(s.value("length", length));
    WEFT_TRY(s.value("at", at));
    WEFT_TRY(s.value("given", given));
    if (given != workers && (current.empty() || current[0].rank() < 1 || at < 0 || length < 0)) return dataLoss("The saved state of a rebatch has no batch");
    return s.inner("input", input);
  }
  std::unique_ptr<DatasetIterator> input;
  int64_t workers, length = 0, at = 0, given = workers;
  Element current;
};

Result<DatasetPtr> makeRebatch(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  WEFT_LET(const int64_t workers, scalarArgument<int64_t>(c, 1, "num_replicas"));
  if (workers <= 0) return invalidArgument("num_replicas must be greater than zero.");
  WEFT_TRY(checkTypes(declaredSpec(c.node().attrs).types, input->spec().types));
  return datasetOver(declaredSpec(c.node().attrs), input, "Rebatch",
                     [=](std::unique_ptr<DatasetIterator> iterator, const IteratorContext&) -> Result<std::unique_ptr<DatasetIterator>> {
                       return std::unique_ptr<DatasetIterator>(new RebatchIterator(std::move(iterator), workers));
                     });
}

}  // namespace

void registerDatasetExtras(OpRegistry& ops) {
  const char *const seed = "First seed; if both seeds are 0, results differ from run to run.", *const seed2 = "Second seed.";
  declaresElements(datasetOp(ops, "RandomDataset", "An endless data set of random 32-bit integers.").input("seed: int64", seed).input("seed2: int64", seed2))
      .stateful()
      .cpu({}, datasetKernel(makeRandom));
  declaresElements(datasetOp(ops, "SamplingDataset", "Keeps each element with a given probability (Bernoulli sampling).")
                       .input("input_dataset: variant", kInputDatasetDoc)
                       .input("rate: float", "Probability of keeping an element.")
                       .input("seed: int64", seed)
                       .input("seed2: int64", seed2))
      .cpu({}, datasetKernel(makeSampling));
  declaresElements(datasetOp(ops, "SlidingWindowDataset", "Batches elements with a sliding window.")
                       .input("input_dataset: variant", kInputDatasetDoc)
                       .input("window_size: int64", "Elements per window.")
                       .input("window_shift: int64", "Elements between the starts of consecutive windows.")
                       .input("window_stride: int64", "Elements between consecutive members of a window."))
      .cpu({}, datasetKernel(makeSliding));
  declaresElements(datasetOp(ops, "DenseToSparseBatchDataset", "Batches tensors of different sizes into sparse tensors.")
                       .input("input_dataset: variant", kInputDatasetDoc)
                       .input("batch_size: int64", "Elements per window.")
                       .input("row_shape: int64", "Dense shape of an element; -1: the largest size in the batch."))
      .cpu({}, datasetKernel(makeSparseBatch));
  OpRecord& reducer = datasetOp(ops, "GroupByReducerDataset", "Groups elements by key and reduces each group to one element.")
                          .input("input_dataset: variant", kInputDatasetDoc)
                          .stateful();
  const std::pair<const char*, const char*> functions[] = {{"key_func", "Maps an element to its key."},
                                                           {"init_func", "Maps a key to the initial state."},
                                                           {"reduce_func", "Maps a state and an element to the next state."},
                                                           {"finalize_func", "Maps the final state of a group to the output element."}};
  for (const auto& [name, doc] : functions)
    reducer.input(concat(name, "_other_arguments: list(T", name, "_other_arguments)"), concat("Tensors captured by ", name, "."));
  for (const auto& [name, doc] : functions) reducer.attr(concat(name, ": func"), doc);
  for (const auto& [name, doc] : functions)
    reducer.attr(concat("T", name, "_other_arguments: list(type) >= 0"), concat("Types of the tensors captured by ", name, "."));
  declaresElements(reducer).cpu({}, groupByReducer);
  declaresElements(datasetOp(ops, "RebatchDataset", "Splits each batch among several workers.")
                       .input("input_dataset: variant", kInputDatasetDoc)
                       .input("num_replicas: int64", "Number of workers."))
      .attr("use_fallback: bool = true", "Ignored; batches are split as they arrive.")
      .cpu({}, datasetKernel(makeRebatch));
  state(ops, OpRole::Dataset, Effect::Declared, "GroupByReducerDataset RandomDataset");
}

}  // namespace weft
