// Rebuilds the first subgraph of a model as a TensorFlow graph.
#pragma once

#include <set>

#include "io/tflite/import.h"
#include "weft/graph.h"
#include "weft/tflite.h"

namespace weft::tflite {

class Importer {
 public:
  Importer(const ModelFile& file, const TfliteShapes& inputShapes) : file_(file), inputShapes_(inputShapes), builder_(meta_) {}
  Result<ImportedModel> run();

 private:
  friend class OperatorImport;

  Status checkIndices() const;
  void addInputs();
  Status addOperator(const tfl::Operator& op);
  /// The outputs of an operator without a counterpart: a node of its own name.
  Result<std::vector<Output>> opaque(const tfl::Operator& op, const std::string& name, const std::string& why);
  /// A Flex operator carries a node of TensorFlow. It is unsupported if the node cannot be read or made.
  std::vector<Output> flexNode(OperatorImport& op);
  /// Takes back what was made for operators that turned out to have no counterpart; what others read stays. Node numbers change.
  Status removeAbandoned();
  /// CALL_ONCE, VAR_HANDLE, READ_VARIABLE and ASSIGN_VARIABLE, which make no nodes of their own. False: the operator is none of these, or of a kind that is not understood.
  bool addVariableOperator(const tfl::Operator& op, Op kind);
  /// Notes the constants that a subgraph gives to variables; false: it does something else.
  bool readInitialValues(int subgraph);
  /// What a variable holds now: the last value that was given to it, or else its value before the run.
  Output variableNow(const std::string& name, int tensor);
  /// Makes the next values of variables fetchable.
  void addNextValues();
  void addOutputs();
  Result<ImportedModel> finish();

  const tfl::Tensor& tensor(int i) const { return *sub_->tensors()->Get(uint32_t(i)); }
  const tfl::OperatorCode& codeOf(const tfl::Operator& op) const { return *file_.root->operator_codes()->Get(op.opcode_index()); }
  std::string validName(int tensor) const;
  bool quantized(int tensor) const;
  DType graphType(int tensor) const { return quantized(tensor) ? DType::Float : dtypeOf(this->tensor(tensor).type()); }
  Output value(int tensor);
  /// Counts bytes of constants and states that are about to be made. False, and an error, once there are too many for such a file.
  bool fits(uint64_t bytes);
  Output stateOf(int tensor);
  std::optional<Tensor> constantOf(int tensor);
  Output constantNode(int tensor, const std::string& form, Tensor value);
  /// Rounds to the grid that a quantised tensor lies on.
  Output onGrid(Output x, int tensor);
  /// scale * (x - zero point) of integers.
  Output realNumbers(Output x, int tensor);
  /// The integers that real numbers are stored as.
  Output quantizedBorder(Output x, int tensor);
  /// Whether no rounding is needed: all quantised inputs and outputs share one quantisation.
  bool sharesQuantization(const tfl::Operator& op) const;
  /// Gives the last node of a tensor its name and what is known about the tensor.
  void label(Output o, int tensor, const std::string& name);

  const ModelFile& file_;
  const TfliteShapes& inputShapes_;
  const tfl::SubGraph* sub_ = nullptr;
  MetaGraph meta_;
  GraphBuilder builder_;
  std::map<int, Output> values_;                             ///< by tensor
  std::map<std::pair<int, std::string>, Output> constants_;  ///< by tensor and form
  std::map<int, std::string> inputNodes_, outputNodes_;      ///< by tensor: "node:0"
  std::set<int> graphOutputs_;
  /// A resource variable: its value before the first run, a state that can be fed, and the value that was given to it last.
  struct Variable {
    Tensor initial;
    Output state, now;
  };
  std::map<std::string, Variable> variables_;   ///< By their shared names.
  std::map<int, std::string> handles_;          ///< Variables by the tensors that refer to them.
  bool initialized_ = false;                    ///< The subgraph of initial values was read.
  std::vector<std::pair<int, int>> abandoned_;  ///< nodes of operators that turned out to have no counterpart: first, and one behind the last
  std::vector<std::string> warnings_;
  std::map<std::string, int> unknown_;
  uint64_t constantBytes_ = 0;
};

}  // namespace weft::tflite
