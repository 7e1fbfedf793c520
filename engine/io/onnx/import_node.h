#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/builder.h"

namespace onnx {
class AttributeProto;
class GraphProto;
class NodeProto;
}  // namespace onnx

namespace weft::onnx_io {

class Importer;
using Outputs = std::vector<Output>;
using Ints = std::vector<int64_t>;

/// A node of an ONNX model while it is translated: its inputs, its attributes, and the builder of the graph.
///
/// Errors stick to the builder, so a translation may go on after one. A translation that is not possible returns an error that says why.
class ImportNode {
 public:
  ImportNode(Importer& importer, GraphBuilder& builder, const ::onnx::NodeProto& node, int opsetOfNode)
      : b(builder), proto(node), opset(opsetOfNode), importer_(importer) {}

  GraphBuilder& b;
  const ::onnx::NodeProto& proto;
  const int opset;
  bool channelsLast = false;  ///< Set by a translation whose outputs have their channels last.

  const std::string& opType() const;
  int inputs() const;
  int outputs() const;
  bool has(int input) const;               ///< Whether the input is given: optional ones may be absent or have an empty name.
  bool wants(int output) const;            ///< Whether the output has a name.
  Output in(int i);                        ///< In the model's order of dimensions.
  Output last(int i);                      ///< With channels last. REQUIRES: a rank of 3 or more.
  Output inAnyOrder(int i);                ///< As it is; sets channelsLast.
  std::pair<Output, Output> inOneOrder();  ///< Two operands that broadcast, both in the same order; sets channelsLast.
  bool isLast(int i) const;                ///< Whether the input exists with channels last only.
  int rank(int i);                         ///< -1: not known.
  Outputs all(int from = 0);               ///< All inputs from that one on, in the model's order.

  std::optional<Tensor> value(Output o);  ///< If it can be computed now.
  Result<Ints> ints(int input);           ///< Values of a constant input. UNIMPLEMENTED if they are computed by the graph.
  Result<double> number(int input);       ///< The same for a single number.

  bool hasAttr(std::string_view name) const;
  int64_t integer(std::string_view name, int64_t otherwise = 0) const;
  float real(std::string_view name, float otherwise = 0) const;
  std::string text(std::string_view name, std::string otherwise = {}) const;
  Ints integers(std::string_view name) const;
  std::vector<float> reals(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  Result<Tensor> tensor(std::string_view name) const;
  const ::onnx::GraphProto* graph(std::string_view name) const;
  /// Axes from the attribute or, from that operator set on, the input; empty if neither is given.
  Result<Ints> axes(int fromOpset, int input);

  /// An op of TensorFlow. Where Weft's CPU kernels lack the type, the op computes in a wider one, and its results are cast back.
  Output op(std::string_view name, const Inputs& inputs, AttrMap attrs = {});
  Outputs ops(std::string_view name, const Inputs& inputs, AttrMap attrs = {});

  Output scalar(Output like, double v) { return b.number(b.dtype(like), v); }
  Output shapeOf(Output x) { return b.op("Shape", {x}); }
  Output transpose(Output x, const Ints& perm);  ///< Constants are transposed at once. REQUIRES: isPermutation(perm).
  Output reshape(Output x, const Ints& shape);   ///< One size may be -1. Constants are reshaped at once.
  Output intVector(const Ints& values);          ///< An int32 constant.
  Output concat(const Outputs& parts, int axis);
  Output gather(Output x, Output indices, int axis);
  Output slice(Output x, int axis, int64_t begin, int64_t end);  ///< x[…, begin:end, …]; INT64_MAX: to the end. REQUIRES: a known rank.
  Output pad(Output x, const Ints& before, const Ints& after, std::optional<double> value = {});
  Output reduce(std::string_view op, Output x, const Ints& axes, bool keep);

  /// Takes bytes of a constant that the model does not hold from what such constants may have in all; UNIMPLEMENTED if too few are left.
  Status spend(int64_t bytes);

  Importer& importer() { return importer_; }

 private:
  const ::onnx::AttributeProto* find(std::string_view name) const;
  Importer& importer_;
};

using Translation = Result<Outputs>;
/// How to translate the nodes of one op.
struct ImportRule {
  std::string_view op;
  Translation (*translate)(ImportNode&);
};

/// The rule of an op of the standard domains; null: none.
const ImportRule* importRule(std::string_view domain, std::string_view op);

// One list for each family, each in a source of its own.
std::vector<ImportRule> elementwiseImports();
std::vector<ImportRule> activationImports();
std::vector<ImportRule> arrayImports();
std::vector<ImportRule> indexImports();
std::vector<ImportRule> reductionImports();
std::vector<ImportRule> matrixImports();
std::vector<ImportRule> convolutionImports();
std::vector<ImportRule> poolingImports();
std::vector<ImportRule> normalizationImports();
std::vector<ImportRule> recurrentImports();
std::vector<ImportRule> resizeImports();
std::vector<ImportRule> quantizationImports();
std::vector<ImportRule> controlImports();
std::vector<ImportRule> sourceImports();

/// [0, 2, …, 1]: from channels first to channels last. And back.
Ints toChannelsLast(int rank);
Ints toChannelsFirst(int rank);
/// Whether each of 0, …, rank - 1 is there once.
bool isPermutation(const Ints& perm, int rank);
/// An axis counted from the end as one counted from the beginning; -1 if it is outside.
inline int64_t axisOf(int64_t axis, int64_t rank) { return axis < -rank || axis >= rank ? -1 : axis < 0 ? axis + rank : axis; }

}  // namespace weft::onnx_io
