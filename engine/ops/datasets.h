#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "kernel/functions.h"
#include "ops/iterator_state.h"
#include "ops/registry.h"
#include "ops/stats_aggregator.h"
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
  StatsTarget stats = {};  ///< Where the data sets report to.

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
  /// Writes the position to `state`, or takes it from there: an iterator that was just made over an equal data set then continues where that one was.
  virtual Status exchange(IteratorState& state) = 0;
};

class DatasetBase;
using DatasetPtr = std::shared_ptr<const DatasetBase>;

/// The op that data sets come from: the same for all that a kernel makes.
struct DatasetOp {
  std::string name;
  AttrMap attrs;
  std::shared_ptr<const FunctionLibrary> functions;
};
/// What a data set was made from.
struct DatasetOrigin {
  std::shared_ptr<const DatasetOp> op;
  std::vector<Tensor> inputs;
};

class DatasetBase : public VariantObject {
 public:
  explicit DatasetBase(ElementSpec spec) : spec_(std::move(spec)) {}
  const ElementSpec& spec() const { return spec_; }
  virtual Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const = 0;
  /// Number of elements, kInfinite or kUnknown; determined without an iterator.
  virtual int64_t cardinality() const { return kUnknown; }
  static constexpr int64_t kInfinite = -1, kUnknown = -2;

  // What rewrites of a pipeline ask (dataset_rewrites.h).
  /// The op that makes such a data set, without "Dataset": Map, ParallelMap, BatchV2. Empty: rewrites do not know it.
  virtual std::string kind() const { return {}; }
  /// The data sets whose elements this one takes. Empty for sources, and for data sets that rewrites do not look into.
  virtual std::vector<DatasetPtr> inputs() const { return {}; }
  /// The same data set over others. REQUIRES: as many as inputs().
  virtual DatasetPtr over(std::vector<DatasetPtr>) const { return nullptr; }
  /// Whether the elements are exactly those of its only input: take(-1), skip(0), repeat(1), prefetch(0).
  virtual bool passesOn() const { return false; }
  /// Whether it maps each element to a data set that reads files.
  virtual bool opensFiles() const { return false; }
  /// What it was made from; null if a rewrite made it. REQUIRES for setting: nobody else has the data set yet.
  const DatasetOrigin* origin() const { return origin_.get(); }
  void setOrigin(DatasetOrigin origin) const { origin_ = std::make_shared<const DatasetOrigin>(std::move(origin)); }

 protected:
  DatasetBase(const DatasetBase&) = default;

 private:
  ElementSpec spec_;
  mutable std::shared_ptr<const DatasetOrigin> origin_;
};

/// A number that is the same for data sets that equal ops made from equal inputs, in any program.
Result<uint64_t> fingerprintOf(const DatasetBase& dataset);

/// A data set over one other. D: the class itself.
template <typename D>
class UnaryDataset : public DatasetBase {
 public:
  UnaryDataset(ElementSpec spec, DatasetPtr input, std::string kind) : DatasetBase(std::move(spec)), input_(std::move(input)), kind_(std::move(kind)) {}
  std::string kind() const override { return kind_; }
  std::vector<DatasetPtr> inputs() const override { return {input_}; }
  DatasetPtr over(std::vector<DatasetPtr> inputs) const override {
    auto copy = std::make_shared<D>(static_cast<const D&>(*this));
    static_cast<UnaryDataset&>(*copy).input_ = std::move(inputs[0]);
    return copy;
  }

 protected:
  UnaryDataset(const UnaryDataset&) = default;
  DatasetPtr input_;
  std::string kind_;
};

/// A data set whose iterators `make` creates.
using MakeDatasetIterator = std::function<Result<std::unique_ptr<DatasetIterator>>(const IteratorContext&)>;
DatasetPtr datasetFrom(ElementSpec spec, MakeDatasetIterator make);
/// The same over another data set; `make` gets the iterator over it.
using MakeIteratorOver = std::function<Result<std::unique_ptr<DatasetIterator>>(std::unique_ptr<DatasetIterator>, const IteratorContext&)>;
DatasetPtr datasetOver(ElementSpec spec, DatasetPtr input, std::string kind, MakeIteratorOver make);
/// A data set of given elements, such as a window of another one. It can be saved with an iterator's position.
DatasetPtr datasetOf(ElementSpec spec, std::vector<Element> elements);

/// States how saved data sets are read.
void registerSavedDatasets();

/// A function with its captured tensors.
struct Captured {
  std::shared_ptr<BoundFunction> function;
  std::vector<Tensor> others;
  /// The same for one iterator.
  Captured in(const IteratorContext& start) const { return {start.shared->own(function), others}; }
  Result<Element> call(Element args, const CallSite& site) const;
};

/// The name of an op in the function, or in functions that it calls, for which `test` holds; empty if there is none. Ops that call functions are not tested.
Result<std::string> opInFunction(const Captured& function, const std::function<bool(const OpRecord&)>& test);

/// The data set in Variant input `i`; INVALID_ARGUMENT if it holds something else.
Result<DatasetPtr> datasetOf(const KernelContext& c, int i);
Result<DatasetPtr> datasetIn(const Tensor& t);
Tensor tensorOf(DatasetPtr dataset);
/// Hands out a data set that the kernel made; remembers its origin.
Status giveDataset(KernelContext& c, const std::shared_ptr<const DatasetOp>& op, DatasetPtr dataset);
std::shared_ptr<const DatasetOp> datasetOp(KernelInit& init);
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
