#include "ops/optionals.h"

#include <optional>

#include "graph/indexed_slices.h"
#include "ops/variant_math.h"

// Optionals: values that may be missing, such as the next element of an iterator.
namespace weft {
namespace {

class Optional final : public VariantObject {
 public:
  explicit Optional(std::optional<Element> e) : element(std::move(e)) {}
  const std::optional<Element> element;

  static constexpr const char* kTypeName = "tensorflow::OptionalVariant";
  Result<EncodedVariant> encoded() const override { return EncodedVariant{kTypeName, std::string(1, element ? '\1' : '\0'), element ? *element : Element{}}; }
  static Made decode(EncodedVariant from) {
    const bool filled = from.metadata == std::string(1, '\1');
    return std::shared_ptr<const VariantObject>(std::make_shared<Optional>(filled ? std::optional(std::move(from.tensors)) : std::nullopt));
  }

  Made zerosLike() const override {
    if (!element) return std::shared_ptr<const VariantObject>(std::make_shared<Optional>(std::nullopt));
    Element zeros;
    for (const Tensor& t : *element) {
      WEFT_LET(Tensor zero, zerosOf(t));
      zeros.push_back(std::move(zero));
    }
    return std::shared_ptr<const VariantObject>(std::make_shared<Optional>(std::move(zeros)));
  }

  Made plus(const VariantObject& other) const override {
    const auto* that = dynamic_cast<const Optional*>(&other);
    if (!that) return invalidArgument("An optional and another object cannot be added");
    if (element.has_value() != that->element.has_value()) {
      return invalidArgument("Cannot add optionals because one has a value and the other doesn't.");
    }
    if (!element) return std::shared_ptr<const VariantObject>(std::make_shared<Optional>(std::nullopt));
    if (element->size() != that->element->size()) {
      return invalidArgument("Cannot add two optionals because they have different numbers of components: ", element->size(), " vs. ", that->element->size(),
                             ".");
    }
    Element sums;
    for (size_t k = 0; k < element->size(); ++k) {
      if ((*element)[k].dtype() != (*that->element)[k].dtype()) {
        return invalidArgument("Cannot add two optionals because component ", k, " is of two types.");
      }
      WEFT_LET(Tensor sum, sumOf((*element)[k], (*that->element)[k]));
      sums.push_back(std::move(sum));
    }
    return std::shared_ptr<const VariantObject>(std::make_shared<Optional>(std::move(sums)));
  }
};

Tensor wrap(std::optional<Element> element) {
  Tensor t = Tensor::zeros(DType::Variant, {});
  static_cast<VariantValue*>(t.mutableRaw())->object = std::make_shared<Optional>(std::move(element));
  return t;
}

Result<std::shared_ptr<const Optional>> optionalIn(const KernelContext& c) {
  const Tensor& t = c.input(0);
  if (!t.shape().isScalar()) return invalidArgument("Input to ", c.node().op, " must be a scalar tensor containing an OptionalVariant object.");
  auto optional = std::dynamic_pointer_cast<const Optional>(static_cast<const VariantValue*>(t.raw())->object);
  if (!optional) return invalidArgument("Input to ", c.node().op, " must be an OptionalVariant object.");
  return optional;
}

Status fromValue(KernelContext& c) {
  c.setOutput(0, wrap(tensorsFrom(c, 0, c.inputCount())));
  return {};
}

Status none(KernelContext& c) {
  c.setOutput(0, emptyOptional());
  return {};
}

Status hasValue(KernelContext& c) {
  WEFT_LET(const auto optional, optionalIn(c));
  c.setOutput(0, Tensor::scalar(optional->element.has_value()));
  return {};
}

Status getValue(KernelContext& c) {
  WEFT_LET(const auto optional, optionalIn(c));
  if (!optional->element) return invalidArgument("The given optional does not have a value.");
  WEFT_TRY(checkElement(declaredSpec(c.node().attrs), *optional->element));
  for (int k = 0; k < c.outputCount(); ++k) c.setOutput(k, (*optional->element)[size_t(k)]);
  return {};
}

// Branches of If output values as optionals for their gradients. The gradient of an optional is an optional of gradients.
Result<std::vector<Output>> fromValueGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  std::vector<DType> types;
  std::vector<Shape> shapes;
  for (int i = 0; i < c.inputCount(); ++i) {
    types.push_back(b.dtype(c.input(i)));
    shapes.push_back(b.shape(c.input(i)));
  }
  return b.outputsOf(b.node("OptionalGetValue", {c.grad()}, {{"output_types", types}, {"output_shapes", shapes}}));
}

Result<std::vector<Output>> getValueGradient(GradContext& c) {
  for (const Output grad : c.grads()) {
    if (!grad.valid() && !isSlices(grad)) return unimplemented("the gradient of an optional needs those of all its tensors, also of numbers that have none");
  }
  return std::vector{c.b().op("OptionalFromValue", Inputs(c.grads()))};
}

}  // namespace

Tensor optionalOf(Element element) { return wrap(std::move(element)); }
Tensor emptyOptional() { return wrap(std::nullopt); }

void registerOptionals(OpRegistry& ops) {
  setVariantDecoder(Optional::kTypeName, &Optional::decode);
  const auto op = [&](const char* name, const char* summary) -> OpRecord& {
    return ops.add(name)
        .category("Data")
        .keywords("maybe missing nullable")
        .summary(summary)
        .shape(shapes::scalar)
        .noGradient("Whether a value is present is not differentiable.");
  };
  op("OptionalFromValue", "Wraps tensors in an optional.")
      .input("components: list(Toutput_types)", "The tensors.")
      .output("optional: variant", "The optional.")
      .attr("Toutput_types: list(type) >= 1", "Types of the tensors.")
      .gradient(fromValueGradient)
      .cpu({}, simpleKernel(fromValue));
  op("OptionalNone", "An optional without a value.").output("optional: variant", "The optional.").cpu({}, simpleKernel(none));
  op("OptionalHasValue", "Whether an optional has a value.")
      .input("optional: variant", "The optional.")
      .output("has_value: bool", "True if it has one; a scalar.")
      .cpu({}, simpleKernel(hasValue));
  declaresElements(op("OptionalGetValue", "The tensors of an optional; an error if it has none.")
                       .input("optional: variant", "The optional.")
                       .output("components: list(output_types)", "The tensors."))
      .shape([](ShapeContext& c) -> Status {
        const auto shapes = c.attrs().list<Shape>("output_shapes");
        if (int(shapes.size()) != c.outputCount()) {
          return invalidArgument("`output_shapes` must be the same length as `output_types` (", shapes.size(), " vs. ", c.outputCount());
        }
        for (int k = 0; k < c.outputCount(); ++k) c.setOutput(k, shapes[size_t(k)]);
        return {};
      })
      .gradient(getValueGradient)
      .cpu({}, simpleKernel(getValue));
  retain(ops, "OptionalFromValue OptionalGetValue OptionalHasValue OptionalNone");
}

}  // namespace weft
