#include "ops/datasets.h"

#include <sstream>

#include "graph/function_library.h"
#include "tensor/element_types.h"
#include "weft/shape.h"

namespace weft {
namespace {

class FunctionDataset final : public DatasetBase {
 public:
  FunctionDataset(ElementSpec spec, MakeDatasetIterator make) : DatasetBase(std::move(spec)), make_(std::move(make)) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& context) const override { return make_(context); }

 private:
  MakeDatasetIterator make_;
};

class FunctionDatasetOver final : public UnaryDataset<FunctionDatasetOver> {
 public:
  FunctionDatasetOver(ElementSpec spec, DatasetPtr input, std::string kind, MakeIteratorOver make)
      : UnaryDataset(std::move(spec), std::move(input), std::move(kind)), make_(std::move(make)) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    WEFT_LET(auto iterator, input_->makeIterator(start.below(kind_)));
    return make_(std::move(iterator), start);
  }

 private:
  MakeIteratorOver make_;
};

class ElementsDataset final : public DatasetBase {
 public:
  ElementsDataset(ElementSpec spec, std::vector<Element> elements)
      : DatasetBase(std::move(spec)), elements_(std::make_shared<const std::vector<Element>>(std::move(elements))) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext&) const override {
    return std::unique_ptr<DatasetIterator>(new Iterator(elements_));
  }
  int64_t cardinality() const override { return kUnknown; }  // as TensorFlow says of windows

  static constexpr const char* kTypeName = "weft::ElementsDataset";
  /// The metadata are the shapes, one a line; each element's tensors follow those of the one before.
  Result<EncodedVariant> encoded() const override {
    EncodedVariant out{kTypeName, "", {}};
    for (size_t k = 0; k < spec().types.size(); ++k) {
      out.metadata += concat(int(spec().types[k]));
      if (!spec().shapes[k].hasRank()) out.metadata += " ?";
      else
        for (const int64_t d : spec().shapes[k].dims()) out.metadata += concat(" ", d);
      out.metadata += '\n';
    }
    for (const Element& e : *elements_) out.tensors.insert(out.tensors.end(), e.begin(), e.end());
    return out;
  }
  static Made decode(EncodedVariant from) {
    ElementSpec spec;
    std::istringstream lines(from.metadata);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      int type = 0;
      words >> type;
      Shape shape;
      if (line.ends_with('?')) shape = Shape::unknown();
      else
        for (int64_t d = 0; shape.rank() < Shape::kMaxRank && words >> d;) shape.append(d);
      spec.types.push_back(DType(type));
      spec.shapes.push_back(std::move(shape));
    }
    const size_t n = spec.types.size();
    if (n == 0 || from.tensors.size() % n != 0) return dataLoss("A saved data set has ", from.tensors.size(), " tensors for elements of ", n, " components");
    std::vector<Element> elements(from.tensors.size() / n);
    for (size_t i = 0; i < from.tensors.size(); ++i) {
      if (from.tensors[i].dtype() != spec.types[i % n]) return dataLoss("A saved data set has a tensor of type ", dtypeName(from.tensors[i].dtype()));
      elements[i / n].push_back(std::move(from.tensors[i]));
    }
    return std::shared_ptr<const VariantObject>(std::make_shared<ElementsDataset>(std::move(spec), std::move(elements)));
  }

 private:
  struct Iterator final : DatasetIterator {
    explicit Iterator(std::shared_ptr<const std::vector<Element>> e) : elements(std::move(e)) {}
    Result<bool> next(const CallSite&, Element& out) override {
      if (index >= elements->size()) return false;
      out = (*elements)[index++];
      return true;
    }
    Status exchange(IteratorState& s) override { return s.value("index", index); }
    std::shared_ptr<const std::vector<Element>> elements;
    size_t index = 0;
  };
  std::shared_ptr<const std::vector<Element>> elements_;
};

Result<std::string> opIn(const Graph& graph, const std::function<bool(const OpRecord&)>& test, std::set<std::string>& seen) {
  static const AttrMap kNone;
  const auto& functions = graph.functions;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* node = graph.node(id);
    const OpRecord* op = node ? recordOf(graph, node->op) : nullptr;
    if (!op) continue;
    std::vector<std::pair<std::string, const AttrMap*>> called;
    if (functions && functions->contains(node->op)) called.emplace_back(node->op, &node->attrs);
    for (const auto& [name, attr] : node->attrs)
      if (const auto* f = attr.get<FuncAttr>()) called.emplace_back(f->name, f->attrs ? f->attrs.get() : &kNone);
    if (called.empty() && test(*op)) return node->op;
    for (const auto& [name, attrs] : called) {
      if (!functions || !seen.insert(name).second) continue;
      WEFT_LET(const auto body, functions->instantiate(name, *attrs));
      WEFT_LET(std::string found, opIn(body->graph, test, seen));
      if (!found.empty()) return found;
    }
  }
  return std::string();
}

}  // namespace

Result<std::string> opInFunction(const Captured& function, const std::function<bool(const OpRecord&)>& test) {
  std::set<std::string> seen;
  return opIn(function.function->body().graph, test, seen);
}

void registerSavedDatasets() { setVariantDecoder(ElementsDataset::kTypeName, &ElementsDataset::decode); }

const char* const kInputDatasetDoc = "The input data set.";

std::shared_ptr<BoundFunction> IteratorSharedState::own(const std::shared_ptr<BoundFunction>& f) {
  const MutexLock lock(mutex_);
  std::shared_ptr<BoundFunction>& slot = functions_[f];
  if (!slot) slot = f->fresh();
  return slot;
}

DatasetPtr datasetFrom(ElementSpec spec, MakeDatasetIterator make) { return std::make_shared<FunctionDataset>(std::move(spec), std::move(make)); }

DatasetPtr datasetOver(ElementSpec spec, DatasetPtr input, std::string kind, MakeIteratorOver make) {
  return std::make_shared<FunctionDatasetOver>(std::move(spec), std::move(input), std::move(kind), std::move(make));
}
DatasetPtr datasetOf(ElementSpec spec, std::vector<Element> elements) { return std::make_shared<ElementsDataset>(std::move(spec), std::move(elements)); }

Result<Element> Captured::call(Element args, const CallSite& site) const {
  args.insert(args.end(), others.begin(), others.end());
  return function->call(args, site);
}

Result<DatasetPtr> datasetIn(const Tensor& t) {
  if (t.dtype() != DType::Variant || !t.shape().isScalar()) return invalidArgument("Dataset tensor must be a scalar of dtype DT_VARIANT.");
  auto dataset = std::dynamic_pointer_cast<const DatasetBase>(static_cast<const VariantValue*>(t.raw())->object);
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

std::shared_ptr<const DatasetOp> datasetOp(KernelInit& init) {
  const auto runtime = init.session().functions();
  return std::make_shared<const DatasetOp>(DatasetOp{init.node().op, init.attrs(), runtime ? runtime->library() : nullptr});
}

Status giveDataset(KernelContext& c, const std::shared_ptr<const DatasetOp>& op, DatasetPtr dataset) {
  // A kernel may pass one of its inputs on, which has an origin already.
  if (!dataset->origin()) dataset->setOrigin({op, tensorsFrom(c, 0, c.inputCount())});
  c.setOutput(0, tensorOf(std::move(dataset)));
  return {};
}

KernelFactory datasetKernel(Result<DatasetPtr> (*make)(KernelContext&)) {
  return [make](KernelInit& init) -> Result<std::unique_ptr<Kernel>> {
    return functionKernel([make, op = datasetOp(init)](KernelContext& c) -> Status {
      WEFT_LET(DatasetPtr dataset, make(c));
      return giveDataset(c, op, std::move(dataset));
    });
  };
}

KernelFactory datasetKernel(const char* attr, Result<DatasetPtr> (*make)(KernelContext&, std::shared_ptr<BoundFunction>)) {
  return [attr, make](KernelInit& init) -> Result<std::unique_ptr<Kernel>> {
    WEFT_LET(auto f, bindFunction(init, attr));
    return functionKernel([f, make, op = datasetOp(init)](KernelContext& c) -> Status {
      WEFT_LET(DatasetPtr dataset, make(c, f));
      return giveDataset(c, op, std::move(dataset));
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
