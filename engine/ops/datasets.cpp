#include "ops/datasets.h"

#include "tensor/element_types.h"
#include "weft/shape.h"

namespace weft {
namespace {

class FunctionDataset final : public Dataset {
 public:
  FunctionDataset(ElementSpec spec, MakeDatasetIterator make) : Dataset(std::move(spec)), make_(std::move(make)) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& context) const override { return make_(context); }

 private:
  MakeDatasetIterator make_;
};

}  // namespace

const char* const kInputDatasetDoc = "The input data set.";

std::shared_ptr<BoundFunction> IteratorSharedState::own(const std::shared_ptr<BoundFunction>& f) {
  const MutexLock lock(mutex_);
  std::shared_ptr<BoundFunction>& slot = functions_[f];
  if (!slot) slot = f->fresh();
  return slot;
}

DatasetPtr datasetFrom(ElementSpec spec, MakeDatasetIterator make) { return std::make_shared<FunctionDataset>(std::move(spec), std::move(make)); }

Result<Element> Captured::call(Element args, const CallSite& site) const {
  args.insert(args.end(), others.begin(), others.end());
  return function->call(args, site);
}

Result<DatasetPtr> datasetIn(const Tensor& t) {
  if (t.dtype() != DType::Variant || !t.shape().isScalar()) return invalidArgument("Dataset tensor must be a scalar of dtype DT_VARIANT.");
  auto dataset = std::dynamic_pointer_cast<const Dataset>(static_cast<const VariantValue*>(t.raw())->object);
  if (!dataset) return invalidArgument("Tensor must be a Dataset object.");
  return dataset;
}

Result<DatasetPtr> datasetOf(const KernelContext& c, int i) { return datasetIn(c.input(i)); }

Tensor tensorOf(DatasetPtr dataset) {
  Tensor t = Tensor::zeros(DType::Variant, {});
  static_cast<VariantValue*>(t.mutableRaw())->object = std::move(dataset);
  return t;
}

ElementSpec declaredSpec(const AttrMap& attrs) {
  ElementSpec spec{attrs.list<DType>("output_types"), attrs.list<Shape>("output_shapes")};
  if (spec.types.empty()) spec.types = attrs.list<DType>("Toutput_types");
  return spec;
}

std::vector<Tensor> tensorsFrom(const KernelContext& c, int begin, int end) {
  std::vector<Tensor> out;
  for (int i = begin; i < end; ++i) out.push_back(c.input(i));
  return out;
}

Status checkTypes(const std::vector<DType>& expected, std::span<const DType> given) {
  if (expected.size() != given.size()) {
    return invalidArgument("Number of components does not match: expected ", expected.size(), " types but got ", given.size(), ".");
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] == given[i]) continue;
    return invalidArgument("Data type mismatch at component ", i, ": expected ", dtypeShortName(expected[i]), " but got ", dtypeShortName(given[i]), ".");
  }
  return {};
}

Status checkSpec(const ElementSpec& expected, const ElementSpec& given) {
  WEFT_TRY(checkTypes(expected.types, given.types));
  if (expected.shapes.size() != given.shapes.size()) {
    return invalidArgument("Number of components does not match: expected ", expected.shapes.size(), " shapes but got ", given.shapes.size(), ".");
  }
  for (size_t i = 0; i < expected.shapes.size(); ++i) {
    if (expected.shapes[i].compatibleWith(given.shapes[i])) continue;
    return invalidArgument("Incompatible shapes at component ", i, ": expected ", expected.shapes[i].toString(), " but got ", given.shapes[i].toString(), ".");
  }
  return {};
}

Status checkElement(const ElementSpec& expected, const Element& element) {
  ElementSpec given;
  for (const Tensor& t : element) {
    given.types.push_back(t.dtype());
    given.shapes.push_back(t.shape());
  }
  return checkSpec(expected, given);
}

KernelFactory datasetKernel(Result<DatasetPtr> (*make)(KernelContext&)) {
  return [make](KernelInit&) -> Result<std::unique_ptr<Kernel>> {
    return functionKernel([make](KernelContext& c) -> Status {
      WEFT_LET(DatasetPtr dataset, make(c));
      c.setOutput(0, tensorOf(std::move(dataset)));
      return {};
    });
  };
}

KernelFactory datasetKernel(const char* attr, Result<DatasetPtr> (*make)(KernelContext&, std::shared_ptr<BoundFunction>)) {
  return [attr, make](KernelInit& init) -> Result<std::unique_ptr<Kernel>> {
    WEFT_LET(auto f, bindFunction(init, attr));
    return functionKernel([f, make](KernelContext& c) -> Status {
      WEFT_LET(DatasetPtr dataset, make(c, f));
      c.setOutput(0, tensorOf(std::move(dataset)));
      return {};
    });
  };
}

OpRecord& datasetOp(OpRegistry& ops, const char* name, const char* summary) {
  return ops.add(name)
      .category("Data")
      .keywords("tf.data pipeline input")
      .summary(summary)
      .output("handle: variant", "The data set.")
      .shape(shapes::scalar)
      .noGradient("Elements of a data set are inputs; no gradient flows through it.")
      .role(OpRole::Dataset)
      .retains();
}

OpRecord& declaresElements(OpRecord& record) {
  return record.attr("output_types: list(type) >= 1", "Types of an element's components.")
      .attr("output_shapes: list(shape) >= 1", "Shapes of an element's components, as far as they are known statically.");
}

void copyToPlace(const Tensor& element, Tensor& batch, int64_t index) {
  const int64_t n = element.elements();
  copyElements(batch, index * n, element, 0, n);
}

}  // namespace weft
