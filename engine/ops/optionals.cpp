#include "ops/optionals.h"

#include <optional>

// Optionals: values that may be missing, such as the next element of an iterator.
namespace weft {
namespace {

class Optional final : public VariantObject {
public:
  explicit Optional(std::optional<Element> e) : element(std::move(e)) {}
  const std::optional<Element> element;
};

Tensor wrap(std::optional<Element> element) {
  Tensor t = Tensor::zeros(DType::Variant, {});
  static_cast<VariantValue*>(t.mutableRaw())->object = std::make_shared<Optional>(std::move(element));
  return t;
}

Result<std::shared_ptr<const Optional>> optionalIn(const KernelContext& c) {
  const Tensor& t = c.input(0);
  if (!t.shape().isScalar())
    return invalidArgument("Input to ", c.node().op, " must be a scalar tensor containing an OptionalVariant object.");
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

}  // namespace

Tensor optionalOf(Element element) {
  return wrap(std::move(element));
}
Tensor emptyOptional() {
  return wrap(std::nullopt);
}

void registerOptionals(OpRegistry& ops) {
  const auto op = [&](const char* name, const char* summary) -> OpRecord& {
    return ops.add(name)
        .category("Data")
        .keywords("maybe missing nullable")
        .summary(summary)
        .shape(shapes::scalar)
        .noGradient("None is derived: second derivatives through If are not supported.");
  };
  op("OptionalFromValue", "An optional that holds the given tensors.")
      .input("components: list(Toutput_types)", "The tensors.")
      .output("optional: variant", "The optional.")
      .attr("Toutput_types: list(type) >= 1", "Their types.")
      .cpu({}, simpleKernel(fromValue));
  op("OptionalNone", "An optional that holds nothing.").output("optional: variant", "The optional.").cpu({}, simpleKernel(none));
  op("OptionalHasValue", "Whether an optional holds something.")
      .input("optional: variant", "The optional.")
      .output("has_value: bool", "Whether it does.")
      .cpu({}, simpleKernel(hasValue));
  declaresElements(op("OptionalGetValue", "The tensors that an optional holds; an error if it holds none.")
                       .input("optional: variant", "The optional.")
                       .output("components: list(output_types)", "The tensors."))
      .shape([](ShapeContext& c) -> Status {
        const auto shapes = c.attrs().list<Shape>("output_shapes");
        if (int(shapes.size()) != c.outputCount()) {
          return invalidArgument("`output_shapes` must be the same length as `output_types` (", shapes.size(), " vs. ",
                                 c.outputCount());
        }
        for (int k = 0; k < c.outputCount(); ++k) c.setOutput(k, shapes[size_t(k)]);
        return {};
      })
      .cpu({}, simpleKernel(getValue));
  // Silence would make second derivatives through If wrong.
  for (const char* name : {"OptionalFromValue", "OptionalGetValue"}) ops.findMutable(name)->gradientIsError = true;
}

}  // namespace weft
