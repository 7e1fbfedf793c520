#include <algorithm>

#include "device/cpu/move.h"
#include "ops/dataset_rewrites.h"
#include "ops/pieces.h"

// Data sets that combine several input elements: batches and padded batches.
namespace weft {
namespace {

Result<Tensor> emptyBatch(const Tensor& first, int64_t count) {
  Shape shape{count};
  shape.append(first.shape());
  return Tensor::allocate(first.dtype(), shape);
}

ElementSpec batchedSpec(const ElementSpec& of, int64_t size) {
  ElementSpec spec = of;
  for (Shape& s : spec.shapes) {
    Shape batched{size};
    if (s.hasRank()) batched.append(s);
    else batched = Shape::unknown();
    s = batched;
  }
  return spec;
}

// ---- BatchDatasetV2

/// Takes up to `size` elements; `input` is released at its end. Returns false if there are none, or too few and partial batches are dropped.
Result<bool> takeElements(std::unique_ptr<DatasetIterator>& input, const CallSite& site, int64_t size, bool dropRemainder, std::vector<Element>& out) {
  while (input && int64_t(out.size()) < size) {
    WEFT_TRY(site.check());
    Element element;
    WEFT_LET(const bool more, input->next(site, element));
    if (more) out.push_back(std::move(element));
    else input.reset();
  }
  return !out.empty() && (!dropRemainder || int64_t(out.size()) == size);
}

class BatchDataset final : public UnaryDataset<BatchDataset> {
 public:
  BatchDataset(DatasetPtr input, int64_t size, bool dropRemainder, const char* kind)
      : UnaryDataset(batchedSpec(input->spec(), dropRemainder ? size : Shape::kUnknownDim), input, kind), size_(size), dropRemainder_(dropRemainder) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    WEFT_LET(auto input, input_->makeIterator(start.below(kind_)));
    return std::unique_ptr<DatasetIterator>(new Iterator(std::move(input), size_, dropRemainder_));
  }
  int64_t cardinality() const override {
    const int64_t n = input_->cardinality();
    return n < 0 ? n : n / size_ + (n % size_ != 0 && !dropRemainder_ ? 1 : 0);
  }
  int64_t size() const { return size_; }
  bool dropsRemainder() const { return dropRemainder_; }

 private:
  struct Iterator final : DatasetIterator {
    Iterator(std::unique_ptr<DatasetIterator> i, int64_t n, bool d) : input(std::move(i)), size(n), dropRemainder(d) {}
    Result<bool> next(const CallSite& site, Element& out) override {
      std::vector<Element> elements;
      WEFT_LET(const bool full, takeElements(input, site, size, dropRemainder, elements));
      if (!full) return false;
      out.clear();
      for (size_t k = 0; k < elements[0].size(); ++k) {
        const Tensor& first = elements[0][k];
        WEFT_LET(Tensor batch, emptyBatch(first, int64_t(elements.size())));
        for (size_t i = 0; i < elements.size(); ++i) {
          const Tensor& t = elements[i][k];
          if (!(t.shape() == first.shape())) {
            return invalidArgument("Cannot batch tensors with different shapes in component ", k, ". First element had shape ", first.shape().toString(),
                                   " and element ", i, " had shape ", t.shape().toString(), ".");
          }
          if (t.dtype() != first.dtype()) return invalidArgument("Cannot batch tensors of different types in component ", k, ".");
          copyToPlace(t, batch, int64_t(i));
        }
        out.push_back(std::move(batch));
      }
      return true;
    }
    Status exchange(IteratorState& s) override { return s.inner("input", input); }
    std::unique_ptr<DatasetIterator> input;
    int64_t size;
    bool dropRemainder;
  };
  int64_t size_;
  bool dropRemainder_;
};

// ---- MapAndBatchDataset

/// Always requests the elements of a whole batch, so that an error consumes its whole batch.
class MapAndBatchIterator final : public DatasetIterator {
 public:
  MapAndBatchIterator(std::unique_ptr<DatasetIterator> input, Captured f, int64_t size, bool dropRemainder, bool keepsCount)
      : input_(std::move(input)), f_(std::move(f)), size_(size), dropRemainder_(dropRemainder), keepsCount_(keepsCount) {}
  Result<bool> next(const CallSite& site, Element& out) override {
    if (!input_) return false;
    out.clear();
    int64_t count = 0;
    Status status;
    for (int64_t i = 0; i < size_; ++i) {
      WEFT_TRY(site.check());
      Element element;
      auto more = input_->next(site, element);
      if (more.ok() && !*more) {
        input_.reset();
        break;
      }
      if (Status s = more.ok() ? add(std::move(element), i, site, out) : more.status(); !s.ok()) {
        if (s.code() == Code::OutOfRange && site.check().ok()) {
          if (!keepsCount_ || !more.ok()) {
            input_.reset();
            break;
          }
          // The function must not end the data set.
          s = invalidArgument("Function invocation produced OutOfRangeError: ", s.error().message);
        }
        if (status.ok()) status = std::move(s);
      }
      count = i + 1;
    }
    WEFT_TRY(status);
    if (count == 0 || (dropRemainder_ && count < size_)) return false;
    if (count < size_) {
      for (Tensor& t : out) {
        WEFT_LET(t, t.rows(0, count).clone());
      }
    }
    return true;
  }
  Status exchange(IteratorState& s) override {
    WEFT_TRY(IteratorState::requireStateless(f_));
    return s.inner("input", input_);
  }

 private:
  Status add(Element element, int64_t place, const CallSite& site, Element& batch) {
    WEFT_LET(const Element made, f_.call(std::move(element), site));
    if (batch.empty()) {
      for (const Tensor& t : made) {
        WEFT_LET(Tensor b, emptyBatch(t, size_));
        batch.push_back(std::move(b));
      }
    }
    if (batch.size() != made.size()) return internalError("Unexpected number of components in a batch: ", made.size());
    for (size_t k = 0; k < made.size(); ++k) {
      if (made[k].elements() * size_ != batch[k].elements()) {
        return invalidArgument("Cannot add tensor to the batch: number of elements does not match. Shapes are: [tensor]: ", made[k].shape().toString(),
                               ", [batch]: ", batch[k].shape().slice(1).toString());
      }
      copyToPlace(made[k], batch[k], place);
    }
    return {};
  }

  std::unique_ptr<DatasetIterator> input_;
  Captured f_;
  int64_t size_;
  bool dropRemainder_, keepsCount_;
};

class MapAndBatchDataset final : public UnaryDataset<MapAndBatchDataset> {
 public:
  MapAndBatchDataset(ElementSpec spec, DatasetPtr input, Captured f, int64_t size, bool dropRemainder, bool keepsCount)
      : UnaryDataset(std::move(spec), std::move(input), "MapAndBatch"), f_(std::move(f)), size_(size), dropRemainder_(dropRemainder), keepsCount_(keepsCount) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    WEFT_LET(auto input, input_->makeIterator(start.below(kind_)));
    return std::unique_ptr<DatasetIterator>(new MapAndBatchIterator(std::move(input), f_.in(start), size_, dropRemainder_, keepsCount_));
  }
  const Captured& function() const { return f_; }

 private:
  Captured f_;
  int64_t size_;
  bool dropRemainder_, keepsCount_;
};

// ---- PaddedBatchDatasetV2

class PaddedBatchDataset final : public UnaryDataset<PaddedBatchDataset> {
 public:
  PaddedBatchDataset(ElementSpec spec, DatasetPtr input, const char* kind, int64_t size, bool dropRemainder, std::vector<Shape> shapes, Element padding)
      : UnaryDataset(std::move(spec), std::move(input), kind),
        size_(size),
        dropRemainder_(dropRemainder),
        shapes_(std::move(shapes)),
        padding_(std::move(padding)) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    WEFT_LET(auto input, input_->makeIterator(start.below(kind_)));
    return std::unique_ptr<DatasetIterator>(new Iterator(std::move(input), size_, dropRemainder_, shapes_, padding_));
  }
  int64_t cardinality() const override {
    const int64_t n = input_->cardinality();
    return n < 0 ? n : n / size_ + (n % size_ != 0 && !dropRemainder_ ? 1 : 0);
  }

 private:
  struct Iterator final : DatasetIterator {
    Iterator(std::unique_ptr<DatasetIterator> i, int64_t n, bool d, std::vector<Shape> s, Element p)
        : input(std::move(i)), size(n), dropRemainder(d), shapes(std::move(s)), padding(std::move(p)) {}
    Result<bool> next(const CallSite& site, Element& out) override {
      std::vector<Element> elements;
      WEFT_LET(const bool full, takeElements(input, site, size, dropRemainder, elements));
      if (!full) return false;
      out.clear();
      for (size_t k = 0; k < shapes.size(); ++k) {
        WEFT_LET(Tensor batch, padded(elements, k));
        out.push_back(std::move(batch));
      }
      return true;
    }
    Result<Tensor> padded(const std::vector<Element>& elements, size_t k) const {
      Shape whole{int64_t(elements.size())};
      whole.append(shapes[k]);
      for (const Element& e : elements) {
        const Shape& s = e[k].shape();
        if (s.rank() != shapes[k].rank()) {
          return invalidArgument("All elements in a batch must have the same rank as the padded shape for component", k, ": expected rank ", shapes[k].rank(),
                                 " but got element with rank ", s.rank());
        }
        for (int d = 0; d < s.rank(); ++d) {
          if (shapes[k].dim(d) < 0) {
            whole.setDim(d + 1, std::max(whole.dim(d + 1), s.dim(d)));
          } else if (s.dim(d) > shapes[k].dim(d)) {
            return dataLoss("Attempted to pad to a smaller size than the input element.");
          }
        }
      }
      for (int d = 1; d < whole.rank(); ++d) whole.setDim(d, std::max<int64_t>(whole.dim(d), 0));
      const DType type = padding[k].dtype();
      WEFT_LET(Tensor batch, Tensor::allocate(type, whole));
      const int64_t place = elements.empty() ? 0 : batch.elements() / int64_t(elements.size());
      for (int64_t i = 0; i < batch.elements(); ++i) copyToPlace(padding[k], batch, i);
      for (size_t i = 0; i < elements.size(); ++i) {
        const Tensor& t = elements[i][k];
        if (t.dtype() != type) return invalidArgument("Component ", k, " has type ", dtypeName(t.dtype()), ", its padding ", dtypeName(type));
        cpu::BoxCopy box;
        int64_t fromStride = t.elements(), toStride = place;
        for (int d = 0; d < t.rank(); ++d) {
          fromStride /= std::max<int64_t>(t.dim(d), 1);
          toStride /= std::max<int64_t>(whole.dim(d + 1), 1);
          box.add(t.dim(d), fromStride, toStride);
        }
        if (t.elements() == 0) continue;
        if (t.rank() == 0) {
          copyToPlace(t, batch, int64_t(i));
          continue;
        }
        Tensor target = batch.rows(int64_t(i), int64_t(i) + 1);
        cpu::copyBox(type, std::move(box), t.raw(), target.mutableRaw());
      }
      return batch;
    }
    Status exchange(IteratorState& s) override { return s.inner("input", input); }
    std::unique_ptr<DatasetIterator> input;
    int64_t size;
    bool dropRemainder;
    std::vector<Shape> shapes;
    Element padding;
  };
  int64_t size_;
  bool dropRemainder_;
  std::vector<Shape> shapes_;
  Element padding_;
};

// ---- kernels

Result<int64_t> batchSizeOf(const KernelContext& c, int i) {
  WEFT_LET(const int64_t size, scalarArgument<int64_t>(c, i, "batch_size"));
  if (size <= 0) return invalidArgument("Batch size must be greater than zero.");
  return size;
}

Result<DatasetPtr> makeBatch(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  WEFT_LET(const int64_t size, batchSizeOf(c, 1));
  bool drop = false;
  if (c.inputCount() > 2) {
    WEFT_LET(drop, scalarArgument<bool>(c, 2, "drop_remainder"));
  }
  return DatasetPtr(std::make_shared<BatchDataset>(std::move(input), size, drop, c.node().op == "BatchDataset" ? "Batch" : "BatchV2"));
}

Result<DatasetPtr> makeMapAndBatch(KernelContext& c, std::shared_ptr<BoundFunction> f) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  const int others = int(c.node().attrs.list<DType>("Targuments").size());
  WEFT_LET(const int64_t size, batchSizeOf(c, 1 + others));
  WEFT_LET(const int64_t calls, scalarArgument<int64_t>(c, 2 + others, "num_parallel_calls"));
  if (calls <= 0 && calls != -1) return invalidArgument("num_parallel_calls must be greater than zero.");
  WEFT_LET(const bool drop, scalarArgument<bool>(c, 3 + others, "drop_remainder"));
  ElementSpec spec = declaredSpec(c.node().attrs);
  WEFT_TRY(checkTypes(spec.types, f->resultTypes()));
  return DatasetPtr(std::make_shared<MapAndBatchDataset>(std::move(spec), std::move(input), Captured{std::move(f), tensorsFrom(c, 1, 1 + others)}, size, drop,
                                                         c.node().attrs.flag("preserve_cardinality")));
}

Result<DatasetPtr> makePaddedBatch(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  WEFT_LET(const int64_t size, batchSizeOf(c, 1));
  const AttrMap& attrs = c.node().attrs;
  const int n = int(attrs.integer("N"));
  bool drop = false;
  if (c.node().op != "PaddedBatchDataset") {
    WEFT_LET(drop, scalarArgument<bool>(c, c.inputCount() - 1, "drop_remainder"));
  }
  const auto& given = input->spec();
  if (size_t(n) != given.shapes.size()) {
    return invalidArgument("Number of padded shapes (", n, ") must match the number of components in the input dataset's elements (", given.shapes.size(), ")");
  }
  std::vector<Shape> shapes;
  Element padding;
  for (int k = 0; k < n; ++k) {
    const Tensor& shape = c.input(2 + k);
    if (shape.rank() != 1) return invalidArgument("All padded shapes must be vectors");
    Shape s;
    for (int64_t d = 0; d < shape.elements(); ++d) s.append(shape.at<int64_t>(d) < 0 ? Shape::kUnknownDim : shape.at<int64_t>(d));
    shapes.push_back(std::move(s));
    const Tensor& value = c.input(2 + n + k);
    if (!value.shape().isScalar()) return invalidArgument("All padding values must be scalars");
    if (value.dtype() != given.types[size_t(k)]) {
      return invalidArgument("Mismatched type between padding value ", k, " and input dataset's component ", k, ": ", dtypeShortName(value.dtype()), " vs. ",
                             dtypeShortName(given.types[size_t(k)]));
    }
    padding.push_back(value);
  }
  ElementSpec spec = batchedSpec({given.types, shapes}, drop ? size : Shape::kUnknownDim);
  return DatasetPtr(std::make_shared<PaddedBatchDataset>(std::move(spec), std::move(input),
                                                         c.node().op == "PaddedBatchDataset" ? "PaddedBatch" : "PaddedBatchV2", size, drop, std::move(shapes),
                                                         std::move(padding)));
}

}  // namespace

DatasetPtr mapAndBatch(const DatasetBase& dataset) {
  const auto* batch = dynamic_cast<const BatchDataset*>(&dataset);
  const auto map = batch ? mapParts(*batch->inputs()[0]) : std::nullopt;
  if (!map || map->functions.size() != 1) return nullptr;
  return std::make_shared<MapAndBatchDataset>(batch->spec(), map->input, map->functions[0], batch->size(), batch->dropsRemainder(), map->keepsCount);
}

const Captured* mapOfBatch(const DatasetBase& dataset) {
  const auto* both = dynamic_cast<const MapAndBatchDataset*>(&dataset);
  return both ? &both->function() : nullptr;
}

void registerDatasetBatches(OpRegistry& ops) {
  constexpr const char *kSizeDoc = "Number of elements per batch.", *kDropDoc = "Drop the last batch if it is smaller.";
  declaresElements(datasetOp(ops, "BatchDatasetV2", "Batches elements of equal shape along a new first dimension.")
                       .input("input_dataset: variant", kInputDatasetDoc)
                       .input("batch_size: int64", kSizeDoc)
                       .input("drop_remainder: bool", kDropDoc)
                       .attr("parallel_copy: bool = false", "Ignored."))
      .cpu({}, datasetKernel(makeBatch));
  declaresElements(datasetOp(ops, "BatchDataset", "Batches elements of equal shape along a new first dimension.")
                       .input("input_dataset: variant", kInputDatasetDoc)
                       .input("batch_size: int64", kSizeDoc))
      .cpu({}, datasetKernel(makeBatch));
  declaresElements(datasetOp(ops, "MapAndBatchDataset", "Applies a function to each element and batches the results.")
                       .input("input_dataset: variant", kInputDatasetDoc)
                       .input("other_arguments: list(Targuments)", "Tensors captured by the function.")
                       .input("batch_size: int64", kSizeDoc)
                       .input("num_parallel_calls: int64", "Number of parallel calls; ignored, elements are computed one at a time.")
                       .input("drop_remainder: bool", kDropDoc)
                       .attr("f: func", "The function.")
                       .attr("Targuments: list(type) >= 0", "Types of the captured tensors."))
      .attr("preserve_cardinality: bool = false", "Ignored.")
      .cpu({}, datasetKernel("f", makeMapAndBatch));
  for (const bool v2 : {false, true}) {
    OpRecord& padded =
        datasetOp(ops, v2 ? "PaddedBatchDatasetV2" : "PaddedBatchDataset", "Batches elements of different shapes, padding each to a common shape.")
            .input("input_dataset: variant", kInputDatasetDoc)
            .input("batch_size: int64", kSizeDoc)
            .input("padded_shapes: N * int64", "Padded shape of each component; -1: the largest size in the batch.")
            .input("padding_values: list(Toutput_types)", "Padding value of each component; scalars.");
    if (v2) padded.input("drop_remainder: bool", kDropDoc).attr("parallel_copy: bool = false", "Ignored.");
    padded.attr("Toutput_types: list(type) >= 1", "Types of the components.")
        .attr("output_shapes: list(shape) >= 1", "Shapes of the components.")
        .attr("N: int >= 1", "Number of components.")
        .cpu({}, datasetKernel(makePaddedBatch));
  }
  state(ops, OpRole::BatchDataset, Effect::None, "BatchDataset BatchDatasetV2");
}

}  // namespace weft
