#include "kernel/step_state.h"
#include "ops/datasets.h"

// Data sets that begin a pipeline: tensors, their slices, ranges, generators.
namespace weft {
namespace {

// ---- TensorDataset

class TensorDataset final : public DatasetBase {
 public:
  TensorDataset(ElementSpec spec, Element element) : DatasetBase(std::move(spec)), element_(std::move(element)) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext&) const override {
    return std::unique_ptr<DatasetIterator>(new Iterator(element_));
  }
  int64_t cardinality() const override { return 1; }

 private:
  struct Iterator final : DatasetIterator {
    explicit Iterator(Element e) : element(std::move(e)) {}
    Result<bool> next(const CallSite&, Element& out) override {
      if (done) return false;
      done = true;
      out = element;
      return true;
    }
    Status exchange(IteratorState& s) override { return s.value("done", done); }
    Element element;
    bool done = false;
  };
  Element element_;
};

Result<DatasetPtr> makeTensorDataset(KernelContext& c) {
  ElementSpec spec;
  Element element = tensorsFrom(c, 0, c.inputCount());
  for (const Tensor& t : element) {
    spec.types.push_back(t.dtype());
    spec.shapes.push_back(t.shape());
  }
  WEFT_TRY(checkElement(declaredSpec(c.node().attrs), element));
  return DatasetPtr(std::make_shared<TensorDataset>(std::move(spec), std::move(element)));
}

// ---- TensorSliceDataset

class TensorSliceDataset final : public DatasetBase {
 public:
  TensorSliceDataset(ElementSpec spec, Element whole) : DatasetBase(std::move(spec)), whole_(std::move(whole)) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext&) const override {
    return std::unique_ptr<DatasetIterator>(new Iterator(whole_));
  }
  int64_t cardinality() const override { return whole_[0].dim(0); }

 private:
  struct Iterator final : DatasetIterator {
    explicit Iterator(Element w) : whole(std::move(w)), count(whole[0].dim(0)) {}
    Result<bool> next(const CallSite&, Element& out) override {
      if (index >= count) return false;
      out.clear();
      for (const Tensor& t : whole) {
        WEFT_LET(Tensor row, t.rows(index, index + 1).reshaped(t.shape().slice(1)).clone());
        out.push_back(std::move(row));
      }
      ++index;
      return true;
    }
    Status exchange(IteratorState& s) override { return s.value("index", index); }
    Element whole;
    int64_t count, index = 0;
  };
  Element whole_;
};

Result<DatasetPtr> makeTensorSliceDataset(KernelContext& c) {
  ElementSpec spec;
  Element whole = tensorsFrom(c, 0, c.inputCount());
  for (const Tensor& t : whole) {
    if (t.rank() < 1) return invalidArgument("All components must be at least 1-dimensional");
    if (t.dim(0) != whole[0].dim(0)) return invalidArgument("All components must have the same size in the 0th dimension");
    spec.types.push_back(t.dtype());
    spec.shapes.push_back(t.shape().slice(1));
  }
  return DatasetPtr(std::make_shared<TensorSliceDataset>(std::move(spec), std::move(whole)));
}

// ---- SparseTensorSliceDataset

class SparseSliceDataset final : public DatasetBase {
 public:
  SparseSliceDataset(ElementSpec spec, Tensor indices, Tensor values, Tensor shape)
      : DatasetBase(std::move(spec)), indices_(std::move(indices)), values_(std::move(values)), shape_(std::move(shape)) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext&) const override { return std::unique_ptr<DatasetIterator>(new Iterator(*this)); }
  int64_t cardinality() const override { return shape_.at<int64_t>(0); }

 private:
  struct Iterator final : DatasetIterator {
    explicit Iterator(const SparseSliceDataset& d) : indices(d.indices_), values(d.values_), shape(d.shape_) {}
    Result<bool> next(const CallSite&, Element& out) override {
      if (row >= shape.at<int64_t>(0)) return false;
      const int64_t rank = shape.elements(), begin = position;
      while (position < values.elements() && indices.at<int64_t>(position * rank) == row) ++position;
      const int64_t n = position - begin;
      WEFT_LET(Tensor rowIndices, Tensor::allocate(DType::Int64, {n, rank - 1}));
      for (int64_t i = 0; i < n; ++i) {
        for (int64_t d = 1; d < rank; ++d) {
          rowIndices.mutableData<int64_t>()[i * (rank - 1) + d - 1] = indices.at<int64_t>((begin + i) * rank + d);
        }
      }
      WEFT_LET(Tensor rowValues, values.rows(begin, position).clone());
      WEFT_LET(Tensor rowShape, shape.rows(1, rank).clone());
      out = {std::move(rowIndices), std::move(rowValues), std::move(rowShape)};
      ++row;
      return true;
    }
    Status exchange(IteratorState& s) override {
      WEFT_TRY(s.value("row", row));
      return s.value("position", position);
    }
    const Tensor indices, values, shape;
    int64_t row = 0, position = 0;
  };
  Tensor indices_, values_, shape_;
};

Result<DatasetPtr> makeSparseSliceDataset(KernelContext& c) {
  const Tensor &indices = c.input(0), &values = c.input(1), &shape = c.input(2);
  if (indices.rank() != 2) return invalidArgument("Input indices should be a matrix but received shape ", indices.shape().toString());
  if (values.rank() != 1) return invalidArgument("Input values should be a vector but received shape ", values.shape().toString());
  if (shape.rank() != 1) return invalidArgument("Input shape should be a vector but received shape ", shape.shape().toString());
  if (indices.dim(0) != values.dim(0)) {
    return invalidArgument("Number of values must match first dimension of indices. Got ", values.dim(0),
                           " values, indices shape: ", indices.shape().toString());
  }
  if (indices.dim(1) != shape.dim(0)) {
    return invalidArgument("Number of dimensions must match second dimension of indices. Got ", shape.dim(0),
                           " dimensions, indices shape: ", indices.shape().toString());
  }
  if (shape.elements() == 0) return invalidArgument("The shape argument requires at least one element.");
  const int64_t rank = shape.elements();
  int64_t previous = -1;
  for (int64_t i = 0; i < indices.dim(0); ++i) {
    const int64_t next = indices.at<int64_t>(i * rank);
    if (next < previous) {
      return unimplemented(
          "The SparseTensor must be ordered in the batch dimension; handling arbitrarily ordered input is not currently "
          "supported.");
    }
    if (next < 0 || next >= shape.at<int64_t>(0)) return invalidArgument("indices[", i, "] is out of bounds: ", next, " of ", shape.at<int64_t>(0));
    previous = next;
  }
  ElementSpec spec{{DType::Int64, values.dtype(), DType::Int64}, {Shape{Shape::kUnknownDim, rank - 1}, Shape{Shape::kUnknownDim}, Shape{rank - 1}}};
  return DatasetPtr(std::make_shared<SparseSliceDataset>(std::move(spec), indices, values, shape));
}

// ---- RangeDataset

class RangeDataset final : public DatasetBase {
 public:
  RangeDataset(ElementSpec spec, int64_t start, int64_t stop, int64_t step) : DatasetBase(std::move(spec)), start_(start), stop_(stop), step_(step) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext&) const override { return std::unique_ptr<DatasetIterator>(new Iterator(*this)); }
  int64_t cardinality() const override {
    const auto apart = static_cast<__int128>(stop_) - start_, n = (apart + step_ + (step_ > 0 ? -1 : 1)) / step_;
    return int64_t(std::max<__int128>(0, n));
  }

 private:
  struct Iterator final : DatasetIterator {
    explicit Iterator(const RangeDataset& d) : at(d.start_), stop(d.stop_), step(d.step_), type(d.spec().types[0]) {}
    Result<bool> next(const CallSite&, Element& out) override {
      if (done || (step > 0 ? at >= stop : at <= stop)) return false;
      Tensor value = Tensor::scalar(at);
      out.assign(1, type == DType::Int32 ? Tensor::scalar(int32_t(at)) : std::move(value));
      done = __builtin_add_overflow(at, step, &at);
      return true;
    }
    Status exchange(IteratorState& s) override {
      WEFT_TRY(s.value("next", at));
      return s.value("done", done);
    }
    int64_t at;
    const int64_t stop, step;
    const DType type;
    bool done = false;
  };
  int64_t start_, stop_, step_;
};

Result<DatasetPtr> makeRangeDataset(KernelContext& c) {
  WEFT_LET(const int64_t start, scalarArgument<int64_t>(c, 0, "start"));
  WEFT_LET(const int64_t stop, scalarArgument<int64_t>(c, 1, "stop"));
  WEFT_LET(const int64_t step, scalarArgument<int64_t>(c, 2, "step"));
  if (step == 0) return invalidArgument("step must be a non-zero integer.");
  return DatasetPtr(std::make_shared<RangeDataset>(ElementSpec{{DType::Int64}, {Shape{}}}, start, stop, step));
}

// ---- GeneratorDataset

/// `init` creates the state; `next` makes elements from it until it returns OUT_OF_RANGE. `finalize` is called then, or when the iterator ends early.
class GeneratorDataset final : public DatasetBase {
 public:
  GeneratorDataset(ElementSpec spec, Captured init, Captured next, Captured finalize)
      : DatasetBase(std::move(spec)), init_(std::move(init)), next_(std::move(next)), finalize_(std::move(finalize)) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    return std::unique_ptr<DatasetIterator>(new Iterator{init_.in(start), next_.in(start), finalize_.in(start)});
  }

 private:
  struct Iterator final : DatasetIterator {
    Iterator(Captured i, Captured n, Captured f) : init(std::move(i)), step(std::move(n)), finalize(std::move(f)) {}
    ~Iterator() override {
      if (!begun || ended) return;
      StepState own;
      CallSite site;
      site.step = &own;
      (void)finalize.call(state, site);
    }
    Result<bool> next(const CallSite& site, Element& out) override {
      if (!begun) {
        WEFT_LET(state, init.call({}, site));
        begun = true;
      }
      if (ended) return false;
      auto made = step.call(state, site);
      if (made.ok()) {
        out = std::move(*made);
        return true;
      }
      if (made.error().code != Code::OutOfRange) return made.error();
      ended = true;
      WEFT_TRY(finalize.call(state, site).status());
      return false;
    }
    Status exchange(IteratorState& s) override {
      for (const Captured* f : {&init, &step, &finalize}) WEFT_TRY(IteratorState::requireStateless(*f));
      WEFT_TRY(s.value("begun", begun));
      WEFT_TRY(s.value("ended", ended));
      return s.value("state", state);
    }
    Captured init, step, finalize;
    Element state;
    bool begun = false, ended = false;
  };
  Captured init_, next_, finalize_;
};

Result<std::unique_ptr<Kernel>> generatorKernel(KernelInit& init) {
  WEFT_LET(auto begin, bindFunction(init, "init_func"));
  WEFT_LET(auto next, bindFunction(init, "next_func"));
  WEFT_LET(auto finalize, bindFunction(init, "finalize_func"));
  const int first = int(init.attrs().list<DType>("Tinit_func_args").size());
  const int second = first + int(init.attrs().list<DType>("Tnext_func_args").size());
  return functionKernel([=, op = datasetOp(init)](KernelContext& c) -> Status {
    ElementSpec spec = declaredSpec(c.node().attrs);
    WEFT_TRY(checkTypes(spec.types, next->resultTypes()));
    return giveDataset(
        c, op,
        std::make_shared<GeneratorDataset>(std::move(spec), Captured{begin, tensorsFrom(c, 0, first)}, Captured{next, tensorsFrom(c, first, second)},
                                           Captured{finalize, tensorsFrom(c, second, c.inputCount())}));
  });
}

}  // namespace

void registerDatasetSources(OpRegistry& ops) {
  datasetOp(ops, "TensorDataset", "A data set with one element: the given tensors.")
      .input("components: list(Toutput_types)", "The components.")
      .attr("Toutput_types: list(type) >= 1", "Types of the components.")
      .attr("output_shapes: list(shape) >= 1", "Shapes of the components.")
      .stateful()
      .cpu({}, datasetKernel(makeTensorDataset));
  datasetOp(ops, "TensorSliceDataset", "A data set with one element for each row of the given tensors.")
      .input("components: list(Toutput_types)", "Tensors with the same number of rows.")
      .attr("Toutput_types: list(type) >= 1", "Types of the components.")
      .attr("output_shapes: list(shape) >= 1", "Shapes of the rows.")
      .stateful()
      .cpu({}, datasetKernel(makeTensorSliceDataset));
  datasetOp(ops, "SparseTensorSliceDataset", "A data set with one sparse tensor for each row of a sparse tensor.")
      .input("indices: int64", "Indices of the values, ordered by row.")
      .input("values: Tvalues", "The values.")
      .input("dense_shape: int64", "Dense shape of the tensor.")
      .attr("Tvalues: type", "Type of the values.")
      .stateful()
      .cpu({}, datasetKernel(makeSparseSliceDataset));
  declaresElements(datasetOp(ops, "RangeDataset", "The integers from start (included) to stop (excluded).")
                       .input("start: int64", "First number.")
                       .input("stop: int64", "End of the range, excluded.")
                       .input("step: int64", "Increment; may be negative."))
      .stateful()
      .cpu({}, datasetKernel(makeRangeDataset));
  declaresElements(
      datasetOp(ops, "GeneratorDataset", "A data set whose elements come from a generator function.")
          .description("next_func receives the state returned by init_func; when it fails with OUT_OF_RANGE, the data set ends and finalize_func is called.")
          .input("init_func_other_args: list(Tinit_func_args)", "Tensors captured by init_func.")
          .input("next_func_other_args: list(Tnext_func_args)", "Tensors captured by next_func.")
          .input("finalize_func_other_args: list(Tfinalize_func_args)", "Tensors captured by finalize_func.")
          .attr("init_func: func", "Returns the initial state.")
          .attr("next_func: func", "Maps the state to the next element.")
          .attr("finalize_func: func", "Called with the state at the end.")
          .attr("Tinit_func_args: list(type) >= 0")
          .attr("Tnext_func_args: list(type) >= 0")
          .attr("Tfinalize_func_args: list(type) >= 0"))
      .stateful()
      .cpu({}, generatorKernel);
  state(ops, OpRole::Dataset, Effect::Declared, "GeneratorDataset RangeDataset SparseTensorSliceDataset TensorDataset TensorSliceDataset");
}

}  // namespace weft
