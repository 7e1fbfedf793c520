#include "ops/accumulator.h"

#include "tensor/element_types.h"

namespace weft {

int64_t Accumulator::count() const {
  const MutexLock lock(mutex_);
  return counter_;
}

void Accumulator::setStep(int64_t step) {
  const MutexLock lock(mutex_);
  step_ = step;
}

Status Accumulator::apply(int64_t step, const std::vector<Tensor>& gradient) {
  Status status;
  submit(
      [&]() -> std::optional<Result<Outputs>> {
        mutex_.assertHeld();
        if (step < step_) return Outputs();
        status = check(gradient);
        if (status.ok()) status = add(gradient);
        if (status.ok()) ++counter_;
        return Outputs();
      },
      [](Result<Outputs>) {}, {});
  return status;
}

AsyncKernel::Cancel Accumulator::take(int64_t required, AsyncKernel::Done done) {
  return submit(
      [this, required]() -> std::optional<Result<Outputs>> {
        mutex_.assertHeld();
        if (counter_ < required) return std::nullopt;
        Result<Outputs> taken = result();
        counter_ = 0;
        ++step_;
        return taken;
      },
      std::move(done), "TakeGrad operation was cancelled");
}

namespace {

bool fits(const Shape& wanted, const Shape& given) { return !wanted.hasRank() || wanted.compatibleWith(given); }

class DenseAccumulator final : public Accumulator {
 public:
  using Accumulator::Accumulator;
  bool isSparse() const override { return false; }

 protected:
  Status check(const std::vector<Tensor>& gradient) const WEFT_REQUIRES(mutex_) override {
    const Shape& wanted = counter_ > 0 && !shape().isFullyKnown() ? sum_.shape() : shape();
    if (fits(wanted, gradient[0].shape())) return {};
    return invalidArgument("Shape mismatch: expected ", wanted.toString(), ", got ", gradient[0].shape().toString());
  }
  Status add(const std::vector<Tensor>& gradient) WEFT_REQUIRES(mutex_) override {
    if (counter_ == 0) {
      WEFT_LET(sum_, gradient[0].clone());
      return {};
    }
    withFloat(sum_.dtype(), [&]<typename T>(std::type_identity<T>) {
      mutex_.assertHeld();
      T* sum = elementsOf<T>(sum_);
      const T* g = elementsOf<T>(gradient[0]);
      for (int64_t i = 0; i < sum_.elements(); ++i) sum[i] = T(sum[i] + g[i]);
    });
    return {};
  }
  Result<Outputs> result() WEFT_REQUIRES(mutex_) override {
    if (isMean()) {
      withFloat(sum_.dtype(), [&]<typename T>(std::type_identity<T>) {
        mutex_.assertHeld();
        T* sum = elementsOf<T>(sum_);
        const T n = T(float(counter_));
        for (int64_t i = 0; i < sum_.elements(); ++i) sum[i] = T(sum[i] / n);
      });
    }
    Outputs out;
    out.push_back(std::move(sum_));
    sum_ = Tensor();
    return out;
  }

 private:
  Tensor sum_ WEFT_GUARDED_BY(mutex_);
};

class SparseAccumulator final : public Accumulator {
 public:
  using Accumulator::Accumulator;
  bool isSparse() const override { return true; }

 protected:
  Status check(const std::vector<Tensor>& gradient) const WEFT_REQUIRES(mutex_) override {
    const Tensor &indices = gradient[0], &values = gradient[1];
    if (indices.rank() != 1) return invalidArgument("Input indices should be vector but received shape: ", indices.shape().toString());
    if (values.rank() == 0) return invalidArgument("Values cannot be 0-dimensional.");
    if (values.dim(0) != indices.dim(0)) return invalidArgument("Expected ", indices.dim(0), " non-empty input values, got ", values.dim(0));
    const int rank = shape().hasRank() ? shape().rank() : 0;
    if (gradient.size() > 2) {
      const Tensor& whole = gradient[2];
      if (rank > whole.elements()) return invalidArgument("Shape mismatch: expected shape rank at least ", rank, ", got ", whole.elements());
      for (int d = 0; d < rank; ++d) {
        if (shape().dim(d) >= 0 && shape().dim(d) != whole.asInt(d))
          return invalidArgument("Shape mismatch: expected dim ", d, " to be ", shape().dim(d), ", got ", whole.asInt(d));
      }
    }
    for (int64_t i = 0; i < indices.elements(); ++i) {
      const int64_t index = indices.asInt(i);
      if (index < 0) return invalidArgument("Index of slice ", i, " is negative: ", index);
      if (rank > 0 && shape().dim(0) >= 0 && index >= shape().dim(0))
        return invalidArgument("Shape mismatch: index of slice ", i, " exceeded limits of shape; index is ", index, " exceeded ", shape().dim(0));
    }
    if (counter_ > 0) {
      if (values.rank() != rowShape_.rank() + 1) return invalidArgument("Shape mismatch: expected values rank ", rowShape_.rank() + 1, ", got ", values.rank());
      for (int d = 1; d < values.rank(); ++d) {
        if (values.dim(d) != rowShape_.dim(d - 1))
          return invalidArgument("Shape mismatch: expected values dim ", d, " to be ", rowShape_.dim(d - 1), ", got ", values.dim(d));
      }
      return {};
    }
    if (rank > values.rank()) return invalidArgument("Shape mismatch: expected values rank at least ", rank, ", got ", values.rank());
    for (int d = 1; d < rank; ++d) {
      if (shape().dim(d) >= 0 && shape().dim(d) != values.dim(d))
        return invalidArgument("Shape mismatch: expected values dim ", d, " to be ", shape().dim(d), ", got ", values.dim(d));
    }
    return {};
  }

  /// Merges two lists of rows, which are taken to be sorted.
  Status add(const std::vector<Tensor>& gradient) WEFT_REQUIRES(mutex_) override {
    const Tensor &indices = gradient[0], &values = gradient[1];
    const int64_t n = indices.elements();
    if (counter_ == 0) {
      rowShape_ = values.shape().slice(1);
      indices_.assign(indices.data<int64_t>(), indices.data<int64_t>() + n);
      counts_.assign(size_t(n), 1);
      WEFT_LET(rows_, values.clone());
      return {};
    }
    std::vector<int64_t> merged, counts, fromOld, fromNew;
    size_t i = 0;
    int64_t j = 0;
    while (i < indices_.size() || j < n) {
      const bool old = i < indices_.size() && (j >= n || indices_[i] <= indices.asInt(j));
      const bool fresh = j < n && (i >= indices_.size() || indices.asInt(j) <= indices_[i]);
      merged.push_back(old ? indices_[i] : indices.asInt(j));
      counts.push_back((old ? counts_[i] : 0) + (fresh ? 1 : 0));
      fromOld.push_back(old ? int64_t(i++) : -1);
      fromNew.push_back(fresh ? j++ : -1);
    }
    Shape all{int64_t(merged.size())};
    all.append(rowShape_);
    WEFT_LET(Tensor rows, Tensor::allocate(dtype(), all));
    const int64_t width = rowShape_.elements();
    for (size_t r = 0; r < merged.size(); ++r) {
      const int64_t to = int64_t(r) * width;
      if (fromOld[r] < 0) {
        copyElements(rows, to, values, fromNew[r] * width, width);
        continue;
      }
      copyElements(rows, to, rows_, fromOld[r] * width, width);
      if (fromNew[r] < 0) continue;
      withFloat(dtype(), [&]<typename T>(std::type_identity<T>) {
        T* sum = elementsOf<T>(rows) + to;
        const T* g = elementsOf<T>(values) + fromNew[r] * width;
        for (int64_t k = 0; k < width; ++k) sum[k] = T(sum[k] + g[k]);
      });
    }
    indices_ = std::move(merged);
    counts_ = std::move(counts);
    rows_ = std::move(rows);
    return {};
  }

  /// Each row's mean is over the gradients that contain the row.
  Result<Outputs> result() WEFT_REQUIRES(mutex_) override {
    const int64_t width = rowShape_.elements();
    if (isMean()) {
      withFloat(dtype(), [&]<typename T>(std::type_identity<T>) {
        for (size_t r = 0; r < indices_.size(); ++r) {
          T* sum = elementsOf<T>(rows_) + int64_t(r) * width;
          const T n = T(float(counts_[r]));
          for (int64_t k = 0; k < width; ++k) sum[k] = T(sum[k] / n);
        }
      });
    }
    std::vector<int64_t> whole{shape().hasRank() && shape().rank() > 0 ? shape().dim(0) : -1};
    for (int d = 0; d < rowShape_.rank(); ++d) whole.push_back(rowShape_.dim(d));
    Outputs out;
    out.push_back(Tensor::vector(indices_));
    out.push_back(std::move(rows_));
    out.push_back(Tensor::vector(whole));
    rows_ = Tensor();
    return out;
  }

 private:
  Shape rowShape_;
  std::vector<int64_t> indices_, counts_;
  Tensor rows_;
};

}  // namespace

std::shared_ptr<Accumulator> makeDenseAccumulator(DType dtype, const Shape& shape, bool mean) { return std::make_shared<DenseAccumulator>(dtype, shape, mean); }

std::shared_ptr<Accumulator> makeSparseAccumulator(DType dtype, const Shape& shape, bool mean) {
  return std::make_shared<SparseAccumulator>(dtype, shape, mean);
}

}  // namespace weft
