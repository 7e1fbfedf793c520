#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weft/attr.h"
#include "weft/graph.h"
#include "weft/op_traits.h"

namespace weft {

class ShapeContext;
class GradContext;
class Kernel;
class KernelInit;

/// One input or output of an op, parsed from TensorFlow's type language ("x: T", "values: N * T", "data: list(T)", "ref: Ref(T)").
struct ArgSpec {
  std::string name;
  DType type = DType::Invalid;  ///< A fixed type, or Invalid if an attribute gives it.
  std::string typeAttr;         ///< "T": an attribute of type `type`, or `list(type)` if isTypeList.
  std::string numberAttr;       ///< "N": the attribute with the number of tensors.
  bool isTypeList = false;
  bool isRef = false;
  std::string doc;
};

/// One attribute, parsed from "T: {float, double} = DT_FLOAT", "strides: list(int) >= 4", "padding: {'SAME','VALID'}".
struct AttrSpec {
  std::string name;
  std::string type;  ///< "int", "float", "bool", "string", "type", "shape", "tensor", "func", or "list(...)" of one of them.
  std::optional<Attr> defaultValue;
  bool hasMinimum = false;
  int64_t minimum = 0;  ///< Of an int, or of a list's length.
  std::vector<DType> allowedTypes;
  std::vector<std::string> allowedStrings;
  std::string doc;
};

/// FLOPs (a multiply-add counts 2) and bytes moved by one execution.
struct Cost {
  double flops = 0;
  double bytes = 0;
};

/// Attribute values that a kernel supports: {"T", {float, double}}. All constraints of a kernel must hold.
struct KernelConstraint {
  std::string attr;
  std::vector<DType> types;
};

using KernelFactory = std::function<Result<std::unique_ptr<Kernel>>(KernelInit&)>;

struct KernelRecord {
  std::string device = "CPU";  ///< "CPU" or "GPU"
  std::vector<KernelConstraint> constraints;
  std::vector<std::string> hostMemory;  ///< Arguments that stay in host memory (GPU kernels).
  KernelFactory create;
};

using ShapeFunction = std::function<Status(ShapeContext&)>;
using GradientFunction = std::function<Result<std::vector<Output>>(GradContext&)>;
using CostFunction = std::function<Cost(const std::vector<Shape>& inputs, const std::vector<Shape>& outputs, const AttrMap& attrs, DType type)>;

/// Everything known about an op, stated once (see engine/ops/README.md). Built with chained setters:
///
///     op("Relu").category("Activations").summary("…").input("features: T", "…").output("activations: T", "…")
///         .attr("T: realnumbertype").shape(unchangedShape).gradient(reluGradient).cpu({{"T", {DType::Float}}}, factory);
struct WEFT_API OpRecord {
  std::string name;
  std::string categoryName, summaryText, descriptionText, keywordText;
  std::vector<ArgSpec> inputs, outputs;
  std::vector<AttrSpec> attrs;
  bool isStateful = false, isCommutative = false, isAggregate = false, allowsUninitializedInput = false;
  int deprecatedSince = 0;  ///< Graphs of this producer version and later may not use it; 0: not deprecated.
  std::string deprecation;
  ShapeFunction shapeFunction;
  GradientFunction gradientFunction;  ///< Null if there is none.
  std::string noGradientReason;       ///< Why there is no gradient; gradients then do not flow through the op.
  bool gradientIsError = false;       ///< Requesting the gradient is an error (LookupError) instead of giving None.
  std::vector<KernelRecord> kernels;
  CostFunction costFunction;
  OpRole opRole = OpRole::Compute;
  Effect opEffects = Effect::None;  ///< Of the op itself; effectsOf(node) adds those of a node's attributes.
  double flopsPerElement = 0;       ///< Of the largest input or output, where there is no cost function.
  NanPath nanPath = NanPath::Unknown;
  bool retainsTensors = false;  ///< May keep its input tensors, or hand out tensors that it keeps, beyond the call.
  bool makesFresh = false;      ///< Its outputs never share memory with its inputs.
  bool passesHandles = false;   ///< Its first output stands for its first input, a handle's too.
  int statedOutputs = -1;       ///< How many outputs have the shape that the shape function says; -1: all.

  OpRecord& category(std::string v) {
    categoryName = std::move(v);
    return *this;
  }
  OpRecord& summary(std::string v) {
    summaryText = std::move(v);
    return *this;
  }  ///< One sentence.
  OpRecord& description(std::string v) {
    descriptionText = std::move(v);
    return *this;
  }
  OpRecord& keywords(std::string v) {
    keywordText = std::move(v);
    return *this;
  }
  OpRecord& input(std::string_view spec, std::string doc);
  OpRecord& output(std::string_view spec, std::string doc);
  OpRecord& attr(std::string_view spec, std::string doc = {});
  OpRecord& stateful() {
    isStateful = true;
    return *this;
  }
  OpRecord& commutative() {
    isCommutative = true;
    return *this;
  }
  OpRecord& aggregate() {
    isAggregate = true;
    return *this;
  }
  OpRecord& uninitializedInput() {
    allowsUninitializedInput = true;
    return *this;
  }
  OpRecord& deprecated(int producer, std::string why) {
    deprecatedSince = producer;
    deprecation = std::move(why);
    return *this;
  }
  OpRecord& shape(ShapeFunction f) {
    shapeFunction = std::move(f);
    return *this;
  }
  OpRecord& gradient(GradientFunction f) {
    gradientFunction = std::move(f);
    return *this;
  }
  OpRecord& noGradient(std::string reason) {
    noGradientReason = std::move(reason);
    return *this;
  }
  OpRecord& role(OpRole r) {
    opRole = r;
    return *this;
  }
  OpRecord& effects(Effect e) {
    opEffects = e;
    return *this;
  }
  OpRecord& retains() {
    retainsTensors = true;
    return *this;
  }
  OpRecord& cost(CostFunction f) {
    costFunction = std::move(f);
    return *this;
  }
  OpRecord& cpu(std::vector<KernelConstraint> constraints, KernelFactory create) { return kernel("CPU", std::move(constraints), {}, std::move(create)); }
  OpRecord& kernel(std::string device, std::vector<KernelConstraint> constraints, std::vector<std::string> hostMemory, KernelFactory create);

  const AttrSpec* findAttr(std::string_view attrName) const;
  /// TensorFlow's one-line signature: `Op<name=Relu; signature=features:T -> activations:T; attr=T:type,default=DT_FLOAT,allowed=[…]>`.
  std::string signature() const;
};

/// All ops. Filled from op_list.inc at first use; plug-in libraries add kernels for other devices. Thread-safe after that.
class WEFT_API OpRegistry {
 public:
  static OpRegistry& instance();
  const OpRecord* find(std::string_view name) const;
  std::vector<const OpRecord*> all() const;  ///< Sorted by name.
  OpRecord& add(std::string name);           ///< REQUIRES: the name is new.
  /// For plug-in devices: the op to add kernels to; null if unknown.
  OpRecord* findMutable(std::string_view name);

 private:
  OpRegistry();
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

/// The types of a node's inputs and outputs, as its attributes determine them.
struct NodeSignature {
  std::vector<DType> inputTypes, outputTypes;
  std::vector<std::pair<int, int>> inputRanges, outputRanges;  ///< Per ArgSpec: [begin, end) in the flat lists.
};
/// Checks `attrs` against the specs and adds missing defaults, whose names go to `defaulted` if given. INVALID_ARGUMENT if attributes are missing or wrong.
WEFT_API Result<NodeSignature> resolveSignature(const OpRecord& record, AttrMap& attrs, std::vector<std::string>* defaulted = nullptr);

}  // namespace weft
