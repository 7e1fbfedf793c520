#include <deque>

#include "ops/datasets.h"

// Data sets that regroup elements: single rows, windows.
namespace weft {
namespace {

// ---- UnbatchDataset

class UnbatchDataset final : public UnaryDataset<UnbatchDataset> {
 public:
  UnbatchDataset(ElementSpec spec, DatasetPtr input) : UnaryDataset(std::move(spec), std::move(input), "Unbatch") {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    WEFT_LET(auto input, input_->makeIterator(start.below(kind_)));
    return std::unique_ptr<DatasetIterator>(new Iterator(std::move(input)));
  }

 private:
  struct Iterator final : DatasetIterator {
    explicit Iterator(std::unique_ptr<DatasetIterator> i) : input(std::move(i)) {}
    Result<bool> next(const CallSite& site, Element& out) override {
      while (row >= rows) {
        WEFT_TRY(site.check());
        row = rows = 0;
        WEFT_LET(const bool more, input->next(site, batch));
        if (!more) return false;
        for (const Tensor& t : batch) {
          if (t.rank() == 0) return invalidArgument("Input element must have a non-scalar value in each component.");
          if (t.dim(0) != batch[0].dim(0)) return invalidArgument("Input element must have the same batch size in each component.");
        }
        rows = batch.empty() ? 0 : batch[0].dim(0);
      }
      out.clear();
      for (const Tensor& t : batch) {
        WEFT_LET(Tensor one, t.rows(row, row + 1).reshaped(t.shape().slice(1)).clone());
        out.push_back(std::move(one));
      }
      ++row;
      return true;
    }
    Status exchange(IteratorState& s) override {
      WEFT_TRY(s.value("batch", batch));
      WEFT_TRY(s.value("row", row));
      WEFT_TRY(s.value("rows", rows));
      for (const Tensor& t : batch)
        if (row < 0 || (row < rows && (t.rank() == 0 || t.dim(0) < rows))) return dataLoss("The saved batch has fewer than ", rows, " rows");
      return s.inner("input", input);
    }
    std::unique_ptr<DatasetIterator> input;
    Element batch;
    int64_t row = 0, rows = 0;
  };
};

// ---- WindowDataset

class WindowDataset final : public UnaryDataset<WindowDataset> {
 public:
  WindowDataset(ElementSpec spec, DatasetPtr input, int64_t size, int64_t shift, int64_t stride, bool dropRemainder)
      : UnaryDataset(std::move(spec), std::move(input), "Window"), size_(size), shift_(shift), stride_(stride), dropRemainder_(dropRemainder) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    WEFT_LET(auto input, input_->makeIterator(start.below(kind_)));
    return std::unique_ptr<DatasetIterator>(new Iterator(std::move(input), *this));
  }
  int64_t cardinality() const override {
    const int64_t n = input_->cardinality(), wanted = (size_ - 1) * stride_ + 1;
    if (n < 0) return n;
    if (dropRemainder_) return n < wanted ? 0 : (n - wanted) / shift_ + 1;
    return n / shift_ + (n % shift_ != 0 ? 1 : 0);
  }

 private:
  struct Slot {
    Element element;
    Status status;
  };
  struct Iterator final : DatasetIterator {
    Iterator(std::unique_ptr<DatasetIterator> i, const WindowDataset& d)
        : input(std::move(i)), of(d.input_->spec()), size(d.size_), shift(d.shift_), stride(d.stride_), dropRemainder(d.dropRemainder_) {}
    Result<bool> next(const CallSite& site, Element& out) override {
      const int64_t wanted = (size - 1) * stride + 1;
      while (input && int64_t(buffer.size()) < wanted) {
        WEFT_TRY(site.check());
        Slot slot;
        auto more = input->next(site, slot.element);
        if (more.ok() && !*more) {
          input.reset();
          break;
        }
        if (!more.ok()) slot.status = more.status();
        buffer.push_back(std::move(slot));
      }
      if (buffer.empty() || (dropRemainder && int64_t(buffer.size()) < wanted)) return false;
      std::vector<Element> window;
      Status status;
      for (int64_t i = 0; i < int64_t(buffer.size()) && status.ok(); i += stride) {
        status = buffer[size_t(i)].status;
        window.push_back(buffer[size_t(i)].element);
      }
      WEFT_TRY(moveOn(site));
      WEFT_TRY(status);
      out.clear();
      for (size_t k = 0; k < window[0].size(); ++k) {
        std::vector<Element> component;
        for (const Element& e : window) component.push_back({e[k]});
        out.push_back(tensorOf(datasetOf(ElementSpec{{of.types[k]}, {of.shapes[k]}}, std::move(component))));
      }
      return true;
    }
    Status moveOn(const CallSite& site) {
      if (shift < int64_t(buffer.size())) {
        buffer.erase(buffer.begin(), buffer.begin() + shift);
        return {};
      }
      Element ignored;
      for (int64_t i = int64_t(buffer.size()); input && i < shift; ++i) {
        WEFT_TRY(site.check());
        auto more = input->next(site, ignored);
        if (more.ok() && !*more) input.reset();
      }
      buffer.clear();
      return {};
    }
    Status exchange(IteratorState& s) override {
      WEFT_TRY(s.resize("buffer", buffer));
      for (size_t i = 0; i < buffer.size(); ++i) {
        WEFT_TRY(s.value(concat("buffer[", i, "]"), buffer[i].element));
        WEFT_TRY(s.outcome(concat("buffer[", i, "]/status"), buffer[i].status));
      }
      return s.inner("input", input);
    }
    std::unique_ptr<DatasetIterator> input;
    ElementSpec of;
    int64_t size, shift, stride;
    bool dropRemainder;
    std::deque<Slot> buffer;
  };
  int64_t size_, shift_, stride_;
  bool dropRemainder_;
};

// ---- kernels

constexpr int64_t kMaxWindow = int64_t(1) << 40;

Result<DatasetPtr> makeUnbatch(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  ElementSpec spec = input->spec();
  for (Shape& s : spec.shapes) s = s.hasRank() && s.rank() > 0 ? s.slice(1) : Shape::unknown();
  return DatasetPtr(std::make_shared<UnbatchDataset>(std::move(spec), std::move(input)));
}

Result<DatasetPtr> makeWindow(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  int64_t sizes[3];
  static constexpr const char *kArgs[] = {"size", "shift", "stride"}, *kWords[] = {"size", "shift", "stride"};
  for (int i = 0; i < 3; ++i) {
    WEFT_LET(sizes[i], scalarArgument<int64_t>(c, 1 + i, kArgs[i]));
    if (sizes[i] <= 0) return invalidArgument("Window ", kWords[i], " must be greater than zero.");
  }
  if (sizes[0] > kMaxWindow || sizes[2] > kMaxWindow / sizes[0]) return invalidArgument("Window size ", sizes[0], " with stride ", sizes[2], " is too large.");
  WEFT_LET(const bool drop, scalarArgument<bool>(c, 4, "drop_remainder"));
  ElementSpec spec{std::vector<DType>(input->spec().types.size(), DType::Variant), std::vector<Shape>(input->spec().types.size(), Shape{})};
  return DatasetPtr(std::make_shared<WindowDataset>(std::move(spec), std::move(input), sizes[0], sizes[1], sizes[2], drop));
}

}  // namespace

void registerDatasetWindows(OpRegistry& ops) {
  declaresElements(
      datasetOp(ops, "UnbatchDataset", "Splits each element along its first dimension into single elements.").input("input_dataset: variant", kInputDatasetDoc))
      .cpu({}, datasetKernel(makeUnbatch));
  declaresElements(datasetOp(ops, "WindowDataset", "Groups consecutive elements into windows: data sets, one for each component.")
                       .input("input_dataset: variant", kInputDatasetDoc)
                       .input("size: int64", "Elements per window.")
                       .input("shift: int64", "Elements between the starts of consecutive windows.")
                       .input("stride: int64", "Elements between consecutive members of a window.")
                       .input("drop_remainder: bool", "Drop windows with fewer elements."))
      .cpu({}, datasetKernel(makeWindow));
}

}  // namespace weft
