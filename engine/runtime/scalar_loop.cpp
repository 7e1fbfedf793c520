#include "runtime/scalar_loop.h"

#include <algorithm>
#include <cstring>

#include "runtime/executable_plan.h"

namespace weft {
namespace {

bool isCell(DType t, const Shape& s) { return !isRef(t) && sizeOf(t) > 0 && sizeOf(t) <= 8 && s.isScalar(); }

template <typename From, typename To>
void castOne(const void* const* in, const bool*, void* out, long n) {
  for (long i = 0; i < n; ++i) static_cast<To*>(out)[i] = static_cast<To>(static_cast<const From*>(in[0])[i]);
}

/// Conversions whose result does not depend on the machine. All others need the general Cast kernel, which is not an element-wise function.
cpu::SpanFunction castFunction(DType from, DType to) {
  struct Pair {
    DType from, to;
    cpu::SpanFunction fn;
  };
  static constexpr Pair kPairs[] = {
      {DType::Int32, DType::Float, castOne<int32_t, float>},   {DType::Int32, DType::Double, castOne<int32_t, double>},
      {DType::Int32, DType::Int64, castOne<int32_t, int64_t>}, {DType::Int64, DType::Int32, castOne<int64_t, int32_t>},
      {DType::Int64, DType::Float, castOne<int64_t, float>},   {DType::Int64, DType::Double, castOne<int64_t, double>},
      {DType::Float, DType::Double, castOne<float, double>},   {DType::Double, DType::Float, castOne<double, float>},
      {DType::Bool, DType::Int32, castOne<bool, int32_t>},     {DType::Bool, DType::Int64, castOne<bool, int64_t>},
      {DType::Bool, DType::Float, castOne<bool, float>},       {DType::Bool, DType::Double, castOne<bool, double>},
  };
  for (const Pair& p : kPairs)
    if (p.from == from && p.to == to) return p.fn;
  return nullptr;
}

template <size_t kBytes>
void copyOne(const void* const* in, const bool*, void* out, long n) {
  std::memcpy(out, in[0], kBytes * size_t(n));
}

/// The function of a node whose inputs and output are scalars; null if there is none.
cpu::SpanFunction functionOf(const PlanNode& p) {
  if (!p.node || p.kernel || p.loop || p.types.size() != 1 || p.inputs.empty() || p.inputs.size() > 3 || !isPure(*p.node)) return nullptr;
  if (!p.device || p.device->type() != "CPU" || !isCell(p.types[0], p.shapes[0])) return nullptr;
  const Node& n = *p.node;
  if (roleOf(n) == OpRole::Identity) {
    switch (sizeOf(p.types[0])) {
      case 1: return copyOne<1>;
      case 2: return copyOne<2>;
      case 4: return copyOne<4>;
      case 8: return copyOne<8>;
      default: return nullptr;
    }
  }
  if (roleOf(n) == OpRole::Cast) return castFunction(baseType(n.inputTypes[0]), p.types[0]);
  const auto* e = cpu::findElementwise(n.op, baseType(n.inputTypes[n.op == "Select" ? 1 : 0]));
  if (!e || e->check != cpu::ElementwiseEntry::Check::None || e->arity != int(p.inputs.size()) || e->out != p.types[0]) return nullptr;
  return e->fn;
}

}  // namespace

class ScalarLoop::Maker {
 public:
  Maker(const NativeLoop& loop, ScalarLoop& out) : loop_(loop), out_(out) { out_.cells_.resize(size_t(loop.registers)); }

  bool add(const NativeLoop::Part& part, const PlanGraph& g, std::vector<Instruction>& code) {
    if (g.hasControlFlow || !g.targets.empty()) return false;
    std::vector<int> cellOf(g.nodes.size(), -1);
    for (const int i : g.order()) {
      const PlanNode& p = g.nodes[size_t(i)];
      if (p.types.size() != 1) return false;
      if (p.isConstant()) {
        if (!isCell(p.types[0], p.constants[0].shape())) continue;  // only an error if it is read
        cellOf[size_t(i)] = constant(p.constants[0]);
        continue;
      }
      if (!p.node) {
        if (!isCell(p.types[0], p.shapes[0])) continue;
        cellOf[size_t(i)] = part.feeds[size_t(p.feed)];
        continue;
      }
      Instruction in{functionOf(p), int(p.inputs.size()), {}, registerOf(g, part, i)};
      if (!in.fn) return false;
      for (size_t k = 0; k < p.inputs.size(); ++k) {
        in.in[k] = cellOf[size_t(p.inputs[k].node)];
        if (in.in[k] < 0) return false;
      }
      if (in.out < 0) in.out = spare();
      cellOf[size_t(i)] = in.out;
      code.push_back(in);
    }
    for (size_t k = 0; k < g.fetches.size(); ++k) {
      const int from = cellOf[size_t(g.fetches[k].node)];
      if (from < 0) return false;
      if (from != part.results[k]) code.push_back({copyOne<8>, 1, {from}, part.results[k]});
    }
    return true;
  }

  bool finish(const std::vector<Shape>& inputs) {
    for (int v = 0; v < loop_.variables; ++v) {
      const int from = loop_.next[size_t(v)];
      if (from == v || writesInPlace(v, from)) continue;
      // A value that is not in a variable's cell can be moved directly.
      const int between = from >= loop_.variables ? from : spare();
      if (between != from) out_.moves_.push_back({from, between});
      out_.moreMoves_.push_back({between, v});
    }
    out_.predicate_ = loop_.predicate;
    out_.exits_ = loop_.exits;
    for (int i = 0; i < loop_.inputs; ++i) {
      const bool cell = isCell(loop_.types[size_t(i)], inputs[size_t(i)]);
      if (!cell && i < loop_.variables) return false;
      out_.sizes_.push_back(cell ? sizeOf(loop_.types[size_t(i)]) : 0);
    }
    return true;
  }

 private:
  int spare() {
    out_.cells_.push_back({});
    return int(out_.cells_.size()) - 1;
  }
  int constant(const Tensor& t) {
    const int cell = spare();
    std::memcpy(out_.cells_[size_t(cell)].bytes, t.raw(), sizeOf(t.dtype()));
    return cell;
  }

  /// The first register that receives the result of node `node`; -1 if none does.
  static int registerOf(const PlanGraph& g, const NativeLoop::Part& part, int node) {
    const auto f = std::find_if(g.fetches.begin(), g.fetches.end(), [node](const Output& o) { return o.node == node; });
    return f == g.fetches.end() ? -1 : part.results[size_t(f - g.fetches.begin())];
  }

  // RULE native_loops.in_place
  //   pattern      variable v whose next value is the result of one instruction of the body
  //   condition    v is no variable's next value, and no other variable has the same next value; all readers of the result come after every reader of v, and
  //                so do all writers of cells that the instruction reads
  //   replacement  the instruction moves behind the last reader of v and writes v itself; readers of the result read v
  bool writesInPlace(int v, int result) {
    std::vector<Instruction>& code = out_.body_;
    const auto reads = [](const Instruction& i, int cell) { return std::find(i.in.begin(), i.in.begin() + i.operands, cell) != i.in.begin() + i.operands; };
    if (std::count(loop_.next.begin(), loop_.next.end(), result) != 1 || std::count(loop_.next.begin(), loop_.next.end(), v) != 0) return false;
    const auto writer = std::find_if(code.begin(), code.end(), [&](const Instruction& i) { return i.out == result; });
    if (writer == code.end()) return false;
    auto end = writer + 1;  // end of the instructions that must precede it
    for (auto i = end; i != code.end(); ++i)
      if (reads(*i, v)) end = i + 1;
    if (std::any_of(writer + 1, end, [&](const Instruction& i) { return reads(i, result) || reads(*writer, i.out); })) return false;
    std::rotate(writer, writer + 1, end);
    (end - 1)->out = v;
    for (auto i = end; i != code.end(); ++i) std::replace(i->in.begin(), i->in.begin() + i->operands, result, v);
    return true;
  }

  const NativeLoop& loop_;
  ScalarLoop& out_;
};

// RULE native_loops.scalar_loop
//   pattern      a loop all of whose values are scalars of at most eight bytes
//   condition    every op is an element-wise function that cannot fail, a conversion that does not depend on the machine, or an Identity; no targets, no
//                control flow,
//                no deferred products; inputs have one element
//   replacement  the same functions over cells, with results written to their registers directly; variables that take other variables' values go through spare
//                cells
std::unique_ptr<ScalarLoop> ScalarLoop::make(const NativeLoop& loop, const std::vector<Shape>& inputs, const PlanGraph& condition, const PlanGraph& hoisted,
                                             const PlanGraph& body) {
  if (!loop.products.empty()) return nullptr;
  auto out = std::make_unique<ScalarLoop>();
  Maker maker(loop, *out);
  // Hoisted ops are so cheap here that they can run in every iteration.
  if (!maker.add(loop.condition, condition, out->condition_) || !maker.add(loop.hoisted, hoisted, out->body_) || !maker.add(loop.body, body, out->body_))
    return nullptr;
  if (!maker.finish(inputs)) return nullptr;
  return out;
}

void ScalarLoop::execute(const std::vector<Instruction>& code, Cell* cells) {
  static constexpr bool kNoScalars[3] = {false, false, false};
  for (const Instruction& i : code) {
    if (i.fn == copyOne<8>) {
      cells[i.out] = cells[i.in[0]];
      continue;
    }
    const void* operands[3] = {cells + i.in[0], cells + i.in[1], cells + i.in[2]};
    i.fn(operands, kNoScalars, cells + i.out, 1);
  }
}

Status ScalarLoop::run(KernelContext& c, const RunState& state) const {
  std::vector<Cell> cells = cells_;
  Cell* const at = cells.data();
  for (size_t i = 0; i < sizes_.size(); ++i) std::memcpy(at[i].bytes, c.input(int(i)).raw(), sizes_[i]);
  for (int64_t round = 0;; ++round) {
    if ((round & 255) == 0) WEFT_TRY(state.check());
    execute(condition_, at);
    if (at[predicate_].bytes[0] == std::byte{0}) break;
    execute(body_, at);
    for (const Move& m : moves_) at[m.to] = at[m.from];
    for (const Move& m : moreMoves_) at[m.to] = at[m.from];
  }
  for (int k = 0; k < c.outputCount(); ++k) {
    WEFT_LET(Tensor * out, c.allocate(k, {}));
    std::memcpy(out->mutableRaw(), at[exits_[size_t(k)]].bytes, sizes_[size_t(exits_[size_t(k)])]);
  }
  return {};
}

}  // namespace weft
