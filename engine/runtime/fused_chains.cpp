#include "runtime/fused_chains.h"

#include <optional>
#include <utility>

#include "device/cpu/elementwise.h"

namespace weft {
namespace {

using cpu::ChainOp;

/// The chain step of a float32 op if the running value is its first input, and if it is its second.
struct ChainRule {
  std::string_view op;
  std::optional<ChainOp> first, second;
};
constexpr ChainRule kRules[] = {
    {"Add", ChainOp::Add, ChainOp::Add},
    {"AddV2", ChainOp::Add, ChainOp::Add},
    {"Sub", ChainOp::Sub, ChainOp::SubFrom},
    {"Mul", ChainOp::Mul, ChainOp::Mul},
    {"RealDiv", ChainOp::Div, ChainOp::DivInto},
    {"Div", ChainOp::Div, ChainOp::DivInto},
    {"Maximum", ChainOp::Max, ChainOp::MaxFrom},
    {"Minimum", ChainOp::Min, ChainOp::MinFrom},
    {"SquaredDifference", ChainOp::SquaredDifference, ChainOp::SquaredDifference},
    {"ReluGrad", ChainOp::ReluGrad, {}},
    {"SigmoidGrad", {}, ChainOp::SigmoidGrad},
    {"TanhGrad", {}, ChainOp::TanhGrad},
    {"Relu", ChainOp::Relu, {}},
    {"Neg", ChainOp::Neg, {}},
    {"Square", ChainOp::Square, {}},
    {"Reciprocal", ChainOp::Reciprocal, {}},
    {"Inv", ChainOp::Reciprocal, {}},
};

const ChainRule* ruleOf(const FusedProgram::Instruction& i) {
  if (i.entry->in != DType::Float || i.entry->out != DType::Float) return nullptr;
  for (const ChainRule& rule : kRules) {
    if (rule.op == i.entry->op) return &rule;
  }
  return nullptr;
}

/// The link for `i` if operand number `value` is the running value.
std::optional<FusedStage::Link> linkOf(const FusedProgram::Instruction& i, size_t value) {
  const ChainRule* rule = ruleOf(i);
  if (!rule) return {};
  if (i.operands.size() == 1) return FusedStage::Link{*rule->first, false, {}};
  const auto op = value == 0 ? rule->first : rule->second;
  if (!op) return {};
  return FusedStage::Link{*op, true, i.operands[1 - value]};
}

bool isTemporary(const FusedProgram::Operand& o, int index) { return o.isTemporary && o.index == index; }

int usesOf(const FusedProgram::Instruction& i, int temporary) {
  int uses = 0;
  for (const auto& o : i.operands) uses += isTemporary(o, temporary);
  return uses;
}

/// Whether only the next instruction reads the result of instruction m, and as one operand only.
bool endsInNext(const FusedProgram& p, size_t m) {
  const int t = p.instructions[m].result;
  if (t < 0 || m + 1 >= p.instructions.size() || usesOf(p.instructions[m + 1], t) != 1) return false;
  if (p.instructions[m + 1].result == t) return true;
  for (size_t k = m + 2; k < p.instructions.size(); ++k) {
    if (usesOf(p.instructions[k], t)) return false;
    if (p.instructions[k].result == t) return true;
  }
  return true;
}

/// The first link of a chain that starts with `i`, and the operand that it starts from. Prefers an operand with one value per element to a scalar.
std::optional<std::pair<FusedProgram::Operand, FusedStage::Link>> startOf(const FusedProgram& p, const FusedProgram::Instruction& i) {
  const auto isScalar = [&](const FusedProgram::Operand& o) { return !o.isTemporary && p.inputs[size_t(o.index)].spread == Spread::Scalar; };
  const bool fromSecond = i.operands.size() == 2 && (isScalar(i.operands[0]) || !linkOf(i, 0));
  const size_t value = fromSecond ? 1 : 0;
  if (const auto link = linkOf(i, value)) return std::pair(i.operands[value], *link);
  return {};
}

}  // namespace

std::vector<FusedStage> stagesOf(const FusedProgram& p) {
  std::vector<FusedStage> stages;
  for (size_t m = 0; m < p.instructions.size(); ++m) {
    FusedStage stage;
    if (const auto start = startOf(p, p.instructions[m])) {
      stage.start = start->first;
      stage.links.push_back(start->second);
      while (int(stage.links.size()) < cpu::kMaxChain && endsInNext(p, m)) {
        const auto& next = p.instructions[m + 1];
        const auto link = linkOf(next, isTemporary(next.operands[0], p.instructions[m].result) ? 0 : 1);
        if (!link) break;
        stage.links.push_back(*link);
        ++m;
      }
      if (stage.links.size() < 2) stage.links.clear();  // a single op gains nothing from a chain
    }
    stage.instruction = int(m);
    stages.push_back(std::move(stage));
  }
  return stages;
}

}  // namespace weft
