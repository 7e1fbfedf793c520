#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "kernel/functions.h"
#include "ops/registry.h"
#include "tensor/variant.h"
#include "weft/mutex.h"

// TensorFlow's tf.data: immutable data sets in Variant tensors, and iterators over them. Elements are computed in the thread that requests them; data sets
// that TensorFlow runs in parallel give the same elements in the same order.
namespace weft {

/// The components of one element.
using Element = std::vector<Tensor>;

/// The types and shapes of a data set's elements.
struct ElementSpec {
  std::vector<DType> types;
  std::vector<Shape> shapes;
};

/// State that lives until an iterator is reinitialised, shared by all passes over the same data set (seeds of shuffles, caches, random streams of functions)
/// and keyed by the data set's path from the iterator down. Thread-safe.
class IteratorSharedState {
 public:
  template <typename T, typename Make>
  std::shared_ptr<T> findOrCreate(const std::string& path, Make&& make) {
    const MutexLock lock(mutex_);
    std::shared_ptr<void>& slot = things_[path];
    if (!slot) slot = std::shared_ptr<T>(make());
    return std::static_pointer_cast<T>(slot);
  }
  /// The function with separate state for this iterator.
  std::shared_ptr<BoundFunction> own(const std::shared_ptr<BoundFunction>& f);

 private:
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<void>> things_ WEFT_GUARDED_BY(mutex_);
  std::map<std::shared_ptr<BoundFunction>, std::shared_ptr<BoundFunction>> functions_ WEFT_GUARDED_BY(mutex_);
};

/// The context in which an iterator over a data set is made.
struct IteratorContext {
  std::shared_ptr<IteratorSharedState> shared;
  std::string path;                     ///< Of the data set, from the iterator down.
  std::set<std::string> optimizations;  ///< Requested rewrites of OptimizeDataset that affect results.
  CallSite site;

  IteratorContext below(std::string_view name) const {
    IteratorContext w = *this;
    w.path += "::";
    w.path += name;
    return w;
  }
};

/// One pass over a data set. Not thread-safe.
class DatasetIterator {
 public:
  virtual ~DatasetIterator() = default;
  /// The next element; false at the end, and again on later calls. After an error, the iterator continues with the next element.
  virtual Result<bool> next(const CallSite& site, Element& out) = 0;
};

class Dataset : public VariantObject {
 public:
  explicit Dataset(ElementSpec spec) : spec_(std::move(spec)) {}
  const ElementSpec& spec() const { return spec_; }
  virtual Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const = 0;
  /// Number of elements, kInfinite or kUnknown; determined without an iterator.
  virtual int64_t cardinality() const { return kUnknown; }
  static constexpr int64_t kInfinite = -1, kUnknown = -2;

 private:
  ElementSpec spec_;
};
using DatasetPtr = std::shared_ptr<const Dataset>;

/// A data set whose iterators `make` creates.
using MakeDatasetIterator = std::function<Result<std::unique_ptr<DatasetIterator>>(const IteratorContext&)>;
DatasetPtr datasetFrom(ElementSpec spec, MakeDatasetIterator make);

/// A function with its captured tensors.
struct Captured {
  std::shared_ptr<BoundFunction> function;
  std::vector<Tensor> others;
  /// The same for one iterator.
  Captured in(const IteratorContext& start) const { return {start.shared->own(function), others}; }
  Result<Element> call(Element args, const CallSite& site) const;
};

/// The data set in Variant input `i`; INVALID_ARGUMENT if it holds something else.
Result<DatasetPtr> datasetOf(const KernelContext& c, int i);
Result<DatasetPtr> datasetIn(const Tensor& t);
Tensor tensorOf(DatasetPtr dataset);
/// `output_types` and `output_shapes` of a node.
ElementSpec declaredSpec(const AttrMap& attrs);

/// A scalar argument of a data set op. INVALID_ARGUMENT "NAME must be a scalar".
template <typename T>
Result<T> scalarArgument(const KernelContext& c, int i, const char* name) {
  const Tensor& t = c.input(i);
  if (!t.shape().isScalar()) return invalidArgument(name, " must be a scalar");
  return t.at<T>(0);
}
/// The inputs [begin, end), such as a list of captured tensors.
std::vector<Tensor> tensorsFrom(const KernelContext& c, int begin, int end);

/// "Data type mismatch at component 0: expected int64 but got float.", "Incompatible shapes at component …".
Status checkSpec(const ElementSpec& expected, const ElementSpec& given);
/// The same check for dtypes only.
Status checkTypes(const std::vector<DType>& expected, std::span<const DType> given);
Status checkElement(const ElementSpec& expected, const Element& element);

/// Creates the data set in each run of a kernel.
using MakeDataset = std::function<Result<DatasetPtr>(KernelContext&)>;
KernelFactory datasetKernel(Result<DatasetPtr> (*make)(KernelContext&));
/// A data set kernel that calls the function named by attribute `attr`.
KernelFactory datasetKernel(const char* attr, Result<DatasetPtr> (*make)(KernelContext&, std::shared_ptr<BoundFunction>));

/// A record with the common parts of all data set ops: category, output, scalar handle shape, no gradient. `scalars`: inputs that must be scalars.
OpRecord& datasetOp(OpRegistry& ops, const char* name, const char* summary);
/// Adds the attributes output_types and output_shapes.
OpRecord& declaresElements(OpRecord& record);
extern const char* const kInputDatasetDoc;

/// Copies `element` to row `index` of `batch`. REQUIRES: same dtype, and the number of elements of a row.
void copyToPlace(const Tensor& element, Tensor& batch, int64_t index);

}  // namespace weft
