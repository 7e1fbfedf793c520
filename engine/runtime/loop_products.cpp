#include "runtime/loop_products.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "device/cpu/bfloat16_products.h"
#include "device/cpu/gemm.h"
#include "device/cpu/hot_nn.h"
#include "kernel/session_state.h"
#include "runtime/executable_plan.h"
#include "runtime/loop_registers.h"
#include "weft/op_traits.h"

namespace weft {
namespace {

constexpr size_t kMaxCollectedBytes = size_t(32) << 20;  // per operand; when exceeded, the rows collected so far are added up

/// The readers of each output in a body.
struct Readers {
  std::vector<int> count;
  explicit Readers(const PlanGraph& g) : count(g.nodes.size(), 0) {
    for (const PlanNode& p : g.nodes) {
      if (!p.alive) continue;
      for (const Output& in : p.inputs) ++count[size_t(in.node)];
      for (int c : p.controls) count[size_t(c)] += 2;
    }
    for (const Output& f : g.fetches) ++count[size_t(f.node)];
    for (int t : g.targets) count[size_t(t)] += 2;
  }
  bool once(int i) const { return count[size_t(i)] == 1; }
};

bool isPlain(const PlanNode& p) { return p.alive && p.node && !p.kernel && !p.loop && p.controls.empty() && p.types[0] == DType::Float; }
bool isPlain(const PlanNode& p, std::string_view op) { return isPlain(p) && p.node->op == op; }

/// The source of `o` behind Identities without other readers.
Output source(const PlanGraph& g, const Readers& readers, Output o) {
  while (isPlain(g.nodes[size_t(o.node)]) && isIdentity(*g.nodes[size_t(o.node)].node) && readers.once(o.node)) o = g.nodes[size_t(o.node)].inputs[0];
  return o;
}

}  // namespace

// RULE native_loops.loop_products
//   pattern      v + MatMul(x, y, transpose_a) or v + BiasAddGrad(y) as the next value of variable v
//   condition    float32, no control flow in the body, no control edges; only the sum reads v and the product; the condition reads neither; neither v nor the
//                sum
//                is another variable's next value
//   replacement  v stays; the rows of x and y of all iterations are collected, and one product is added to v at the end. Changes rounding. Operands that do not
//                fit are rejected in their iteration, with the op's message
int deferProducts(NativeLoop& loop) {
  PlanGraph& g = loop.body.graph;
  if (g.hasControlFlow) return 0;
  std::map<Output, int> collected;
  int found = 0;
  for (int v = 0; v < loop.variables; ++v) {
    const int next = loop.next[size_t(v)];
    const auto result = std::find(loop.body.results.begin(), loop.body.results.end(), next);
    const auto feed = std::find(loop.body.feeds.begin(), loop.body.feeds.end(), v);
    const auto reads = [&](const std::vector<int>& feeds) { return std::find(feeds.begin(), feeds.end(), v) != feeds.end(); };
    if (result == loop.body.results.end() || feed == loop.body.feeds.end() || reads(loop.condition.feeds) || reads(loop.hoisted.feeds)) continue;
    if (std::count(loop.next.begin(), loop.next.end(), next) != 1 || std::count(loop.next.begin(), loop.next.end(), v) != 0 || next == loop.predicate) continue;
    const Readers readers(g);
    const size_t k = size_t(result - loop.body.results.begin());
    const Output sum = g.fetches[k];
    const int feedNode = g.feedNodes[size_t(feed - loop.body.feeds.begin())];
    const PlanNode& add = g.nodes[size_t(sum.node)];
    const bool adds = isPlain(add) && roleOf(*add.node) == OpRole::Sum;
    if (!adds || add.inputs.size() != 2 || !readers.once(sum.node) || !readers.once(feedNode)) continue;
    const Output a = source(g, readers, add.inputs[0]), b = source(g, readers, add.inputs[1]);
    if ((a.node == feedNode) == (b.node == feedNode)) continue;
    const int termNode = a.node == feedNode ? b.node : a.node;
    const PlanNode& term = g.nodes[size_t(termNode)];
    if (!readers.once(termNode)) continue;
    const bool product = isPlain(term, "MatMul") && term.node->attrs.flag("transpose_a") && !term.node->attrs.flag("transpose_b");
    const bool rowSum = isPlain(term, "BiasAddGrad") && term.node->attrs.text("data_format", "NHWC") == "NHWC";
    if (!product && !rowSum) continue;
    std::vector<int> operands;
    for (const Output& in : term.inputs) {
      const auto [it, isNew] = collected.try_emplace(in, loop.registers);
      if (isNew) {
        g.fetches.push_back(in);
        loop.body.results.push_back(loop.registers++);
      }
      operands.push_back(it->second);
    }
    loop.products.push_back({v, product ? operands[0] : -1, operands.back(), term});
    g.fetches.erase(g.fetches.begin() + ptrdiff_t(k));
    loop.body.results.erase(loop.body.results.begin() + ptrdiff_t(k));
    loop.next[size_t(v)] = v;
    // Removes the sum and its exclusive inputs.
    for (const Output& in : add.inputs) {
      for (int i = in.node; i != feedNode; i = g.nodes[size_t(i)].inputs[0].node) {
        g.nodes[size_t(i)].alive = false;
        if (i == termNode) break;
      }
    }
    g.nodes[size_t(sum.node)].alive = false;
    ++found;
  }
  return found;
}

/// a + b, broadcast; for the rare case that the variable does not have the product's shape.
static Result<Tensor> sumOf(const Tensor& a, const Tensor& b) {
  WEFT_LET(const Shape shape, broadcastShapes(a.shape(), b.shape()));
  WEFT_LET(Tensor out, Tensor::allocate(DType::Float, shape));
  const auto at = [&](const Tensor& t, int64_t i) {
    int64_t index = 0, stride = 1;
    for (int d = shape.rank() - 1; d >= 0; --d) {
      const int own = d - (shape.rank() - t.rank());
      const int64_t place = i % shape.dim(d);
      i /= shape.dim(d);
      if (own < 0) continue;
      if (t.dim(own) != 1) index += place * stride;
      stride *= t.dim(own);
    }
    return t.at<float>(index);
  };
  for (int64_t i = 0; i < out.elements(); ++i) out.mutableData<float>()[i] = at(a, i) + at(b, i);
  return out;
}

LoopProducts::Rows& LoopProducts::of(int source) {
  return *std::find_if(rows_.begin(), rows_.end(), [&](const Rows& r) { return r.source == source; });
}

Status LoopProducts::begin(const LoopRegisters& registers) {
  sums_.resize(loop_.products.size());
  const auto add = [&](int source) -> Status {
    if (std::any_of(rows_.begin(), rows_.end(), [&](const Rows& r) { return r.source == source; })) return {};
    WEFT_LET(const Tensor* const t, registers.at(source));
    rows_.push_back({source, t->rank() > 0 ? t->dim(t->rank() - 1) : 0, 0, 0, Tensor()});
    return {};
  };
  for (const NativeLoop::Product& p : loop_.products) {
    if (p.left >= 0) WEFT_TRY(add(p.left));
    WEFT_TRY(add(p.right));
  }
  return {};
}

Status LoopProducts::append(Rows& rows, const Tensor& t) {
  const int64_t n = rows.columns > 0 ? t.elements() / rows.columns : 0;
  if (rows.count + n > rows.capacity) {
    const int64_t capacity = std::max((rows.count + n) * 2, n * 16);
    WEFT_LET(Tensor larger, Tensor::allocate(DType::Float, Shape{capacity, rows.columns}));
    if (rows.count > 0) std::memcpy(larger.mutableRaw(), rows.memory.raw(), size_t(rows.count * rows.columns) * sizeof(float));
    rows.memory = std::move(larger);
    rows.capacity = capacity;
  }
  if (n > 0) std::memcpy(rows.memory.mutableData<float>() + rows.count * rows.columns, t.raw(), size_t(n * rows.columns) * sizeof(float));
  rows.count += n;
  return {};
}

Status LoopProducts::collect(LoopRegisters& registers) {
  if (rows_.empty()) WEFT_TRY(begin(registers));
  for (const NativeLoop::Product& p : loop_.products) {
    WEFT_LET(const Tensor* const rightOperand, registers.at(p.right));
    const Tensor& right = *rightOperand;
    const auto keepsColumns = [&](const Tensor& t, int source) { return t.rank() > 0 && t.dim(t.rank() - 1) == of(source).columns; };
    if (p.left < 0) {
      if (right.rank() < 2) return invalidArgument("Input tensor must be at least 2D: ", right.shape().toString()).atNode(p.node.node->name);
      if (!keepsColumns(right, p.right)) {
        return invalidArgument("Incompatible shapes: [", of(p.right).columns, "] vs. [", right.dim(right.rank() - 1), "]").atNode(p.node.node->name);
      }
      continue;
    }
    WEFT_LET(const Tensor* const leftOperand, registers.at(p.left));
    const Tensor& left = *leftOperand;
    if (left.rank() != 2 || right.rank() != 2) {
      const int wrong = left.rank() != 2 ? 0 : 1;
      return invalidArgument("In[", wrong, "] is not a matrix. Instead it has shape ", (wrong ? right : left).shape().toString()).atNode(p.node.node->name);
    }
    if (left.dim(0) != right.dim(0) || !keepsColumns(left, p.left) || !keepsColumns(right, p.right)) {
      return invalidArgument("Matrix size-incompatible: In[0]: ", left.shape().toString(), ", In[1]: ", right.shape().toString()).atNode(p.node.node->name);
    }
  }
  size_t largest = 0;
  for (Rows& r : rows_) {
    WEFT_LET(const Tensor operand, registers.take(r.source));
    WEFT_TRY(append(r, operand));
    largest = std::max(largest, size_t(r.count * r.columns) * sizeof(float));
  }
  return largest > kMaxCollectedBytes ? addUp() : Status();
}

/// Adds the collected rows to the sums and clears them.
Status LoopProducts::addUp() {
  for (size_t k = 0; k < loop_.products.size(); ++k) {
    const NativeLoop::Product& p = loop_.products[k];
    const Rows& right = of(p.right);
    Tensor& sum = sums_[k];
    const bool first = !sum.hasValue();
    if (p.left < 0) {
      if (first) sum = Tensor::zeros(DType::Float, Shape{right.columns});
      if (right.count > 0) cpu::nnKernels().columnSums(sum.mutableData<float>(), right.memory.data<float>(), right.count, right.columns);
      continue;
    }
    const Rows& left = of(p.left);
    const cpu::GemmShape shape{left.columns, left.count, right.columns, true, false};
    const ProductPrecision precision = cpu::roundsProduct(shape) ? session_.products() : ProductPrecision::Float32;
    if (precision == ProductPrecision::BFloat16) session_.noteRounded(p.node.node->name);
    if (first) {
      WEFT_LET(sum, Tensor::allocate(DType::Float, Shape{left.columns, right.columns}));
      cpu::gemm(shape, left.memory.data<float>(), right.memory.data<float>(), sum.mutableData<float>(), precision);
    } else {
      cpu::gemmAdd(shape, left.memory.data<float>(), right.memory.data<float>(), sum.mutableData<float>(), precision);
    }
  }
  for (Rows& r : rows_) r.count = 0;
  return {};
}

Status LoopProducts::finish(LoopRegisters& registers, RunState& state) {
  if (rows_.empty()) return {};  // no iteration ran
  const int64_t start = state.recorder ? StepRecorder::now() : 0;
  WEFT_TRY(addUp());
  for (size_t k = 0; k < loop_.products.size(); ++k) {
    const NativeLoop::Product& p = loop_.products[k];
    WEFT_LET(Tensor to, registers.take(p.variable));
    if (to.shape() == sums_[k].shape()) {
      const float* before = to.data<float>();
      float* sum = sums_[k].mutableData<float>();
      for (int64_t i = 0; i < to.elements(); ++i) sum[i] += before[i];
      to = std::move(sums_[k]);
    } else {
      auto sum = sumOf(to, sums_[k]);
      if (!sum.ok()) return invalidArgument("Incompatible shapes: ", to.shape().toString(), " vs. ", sums_[k].shape().toString()).atNode(p.node.node->name);
      to = std::move(*sum);
    }
    if (state.recorder) {
      const Tensor* outputs[1] = {&to};
      state.recorder->done(p.node, state.frame, state.iteration, k == 0 ? start : StepRecorder::now(), StepRecorder::now(), outputs);
    }
    WEFT_TRY(registers.set(p.variable, std::move(to)));
  }
  return {};
}

}  // namespace weft
