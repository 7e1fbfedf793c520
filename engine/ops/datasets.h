#pragma once

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

// Data sets as TensorFlow's tf.data has them: immutable descriptions that travel in Variant tensors, and iterators that walk them.
// Elements are computed in the thread that asks for them; versions that TensorFlow runs in parallel give the same elements in the
// same order.
namespace weft {

/// The components of one element.
using Element = std::vector<Tensor>;

/// What every element of a data set looks like.
struct ElementSpec {
  std::vector<DType> types;
  std::vector<Shape> shapes;
};

/// What lives as long as an iterator until it is made anew: state that several walks over the same data set share (seeds of
/// shuffles, caches, random streams of functions), by the path of the data set from the iterator down. Thread-safe.
class IteratorWorld {
 public:
  template <typename T, typename Make>
  std::shared_ptr<T> findOrCreate(const std::string& path, Make&& make) {
    const MutexLock lock(mutex_);
    std::shared_ptr<void>& slot = things_[path];
    if (!slot) slot = std::shared_ptr<T>(make());
    return std::static_pointer_cast<T>(slot);
  }
  /// The function with state of its own for this iterator.
  std::shared_ptr<BoundFunction> own(const std::shared_ptr<BoundFunction>& f);

 private:
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<void>> things_ WEFT_GUARDED_BY(mutex_);
  std::map<std::shared_ptr<BoundFunction>, std::shared_ptr<BoundFunction>> functions_ WEFT_GUARDED_BY(mutex_);
};

/// Where a walk over a data set begins.
struct WalkStart {
  std::shared_ptr<IteratorWorld> world;
  std::string path;                     ///< Of the data set, from the iterator down.
  std::set<std::string> optimizations;  ///< Rewrites that OptimizeDataset asks for and that show in results.
  CallSite site;

  WalkStart below(std::string_view name) const {
    WalkStart w = *this;
    w.path += "::";
    w.path += name;
    return w;
  }
};

/// One walk over a data set. Not thread-safe.
class DatasetWalk {
 public:
  virtual ~DatasetWalk() = default;
  /// The next element, or false at the end, again and again. After an error the walk goes on with the element after it.
  virtual Result<bool> next(const CallSite& site, Element& out) = 0;
};

class Dataset : public VariantObject {
 public:
  explicit Dataset(ElementSpec spec) : spec_(std::move(spec)) {}
  const ElementSpec& spec() const { return spec_; }
  virtual Result<std::unique_ptr<DatasetWalk>> walk(const WalkStart& start) const = 0;
  /// How many elements there are, kInfinite or kUnknown; found without walking.
  virtual int64_t cardinality() const { return kUnknown; }
  static constexpr int64_t kInfinite = -1, kUnknown = -2;

 private:
  ElementSpec spec_;
};
using DatasetPtr = std::shared_ptr<const Dataset>;

/// A function with the tensors that it captures.
struct Captured {
  std::shared_ptr<BoundFunction> function;
  std::vector<Tensor> others;
  /// The same for one iterator.
  Captured in(const WalkStart& start) const { return {start.world->own(function), others}; }
  Result<Element> call(Element args, const CallSite& site) const;
};

/// The data set in Variant input `i`. INVALID_ARGUMENT if it is none.
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
/// Reads inputs by position behind the list of captured tensors.
std::vector<Tensor> tensorsFrom(const KernelContext& c, int begin, int end);

/// "Data type mismatch at component 0: expected int64 but got float.", "Incompatible shapes at component …".
Status checkSpec(const ElementSpec& expected, const ElementSpec& given);
/// The same of types only.
Status checkTypes(const std::vector<DType>& expected, std::span<const DType> given);
Status checkElement(const ElementSpec& expected, const Element& element);

/// A kernel that makes a data set at each run.
using MakeDataset = std::function<Result<DatasetPtr>(KernelContext&)>;
KernelFactory datasetKernel(Result<DatasetPtr> (*make)(KernelContext&));
/// One that calls a function of its own (attribute `attr`).
KernelFactory datasetKernel(const char* attr, Result<DatasetPtr> (*make)(KernelContext&, std::shared_ptr<BoundFunction>));

/// A record with what all data set ops have: category, output, scalar handle as shape, no gradient. `scalars`: inputs that must be
/// scalars.
OpRecord& datasetOp(OpRegistry& ops, const char* name, const char* summary);
/// Adds the attributes output_types and output_shapes.
OpRecord& declaresElements(OpRecord& record);
extern const char* const kInputDatasetDoc;

/// Copies `element` to place `index` along the first dimension of `batch`. REQUIRES: same dtype, as many elements as a place has.
void copyToPlace(const Tensor& element, Tensor& batch, int64_t index);

}  // namespace weft
