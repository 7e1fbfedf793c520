#include "runtime/step_memory.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "device/cpu/elementwise.h"
#include "device/cpu/kernel_memory.h"
#include "weft/costs.h"
#include "weft/op_traits.h"

namespace weft {
namespace {

// Of one core, roughly: what is slow beside what matters here, not how slow.
constexpr double kFlopsPerNs = 40, kBytesPerNs = 8, kCallNs = 1500;

size_t paddedBytes(size_t bytes) { return (bytes + 63) / 64 * 64; }

/// Bytes of an output; 0 if it is no tensor in host memory, or of unknown size (then `known` becomes false).
size_t bytesOf(const PlanNode& p, size_t k, bool* known) {
  const DType t = p.types[k];
  if (isRef(t) || sizeOf(t) == 0) return 0;
  const int64_t n = k < p.shapes.size() ? p.shapes[k].elements() : -1;
  if (n < 0 || n > (int64_t(1) << 48)) {
    *known = false;
    return 0;
  }
  return paddedBytes(size_t(n) * sizeOf(t));
}

StepModel::Shares sharesOf(const PlanNode& p) {
  if (p.kernel || p.loop) return StepModel::Shares::None;
  switch (roleOf(*p.node)) {
    case OpRole::Identity:
    case OpRole::Identities:
    case OpRole::RefIdentity:
    case OpRole::Reshape:
    case OpRole::Check: return StepModel::Shares::View;
    default: break;
  }
  return cpu::kernelMemory(p.node->op).rowsAreViews ? StepModel::Shares::Perhaps : StepModel::Shares::None;
}

/// Whether a rewrite has made one kernel of a convolution or pool gradient and what follows: it takes a filter or features beside the gradient.
bool isFusedWindow(const PlanNode& p) { return p.kernel && p.inputs.size() == 3 && p.shapes.size() == 1 && p.shapes[0].rank() == 4; }

/// The inputs whose memory an op's first output may take over, as its kernel asks for it.
void takesOf(const PlanNode& p, int out[2]) {
  const int count = int(p.inputs.size());
  const auto set = [&](int a, int b) {
    out[0] = a < count ? a : -1;
    out[1] = b < count ? b : -1;
  };
  if (p.kernel) {
    // Fused groups take their first full inputs, sums of products the first term; other kernels of rewrites take none.
    if (!isFusedWindow(p)) set(0, 1);
  } else if (const cpu::KernelMemory& m = cpu::kernelMemory(p.node->op); !m.op.empty()) {
    set(m.takes[0], m.takes[1]);
  } else if (!p.node->inputTypes.empty() && p.types.size() == 1 && cpu::findElementwise(p.node->op, baseType(p.node->inputTypes.back()))) {
    set(0, 1);
  }
}

/// Floating-point operations, also of what rewrites have made of a node: they keep the name of its last op.
double flopsOf(const PlanGraph& plan, const PlanNode& p) {
  std::vector<Shape> in;
  for (const Output& i : p.inputs) {
    const PlanNode& from = plan.nodes[size_t(i.node)];
    in.push_back(size_t(i.index) < from.shapes.size() ? from.shapes[size_t(i.index)] : Shape::unknown());
  }
  double flops = 0;
  const DType type = p.types.empty() ? DType::Float : baseType(p.types[0]);
  if (const auto cost = p.node->record ? statedCost(*p.node, in, p.shapes, type) : std::nullopt) flops = cost->flops;
  if (!p.kernel || p.shapes.empty() || !p.shapes[0].isFullyKnown()) return flops;
  const double out = double(p.shapes[0].elements());
  if (isFusedWindow(p) && in[1].isFullyKnown() && in[1].rank() == 4) {
    flops = std::max(flops, 2 * out * double(in[1].dim(0) * in[1].dim(1) * in[1].dim(2)));
  } else if (in.size() >= 2 && p.shapes[0].rank() == 2 && roleOf(*p.node) == OpRole::MatMul && in.back().isFullyKnown() && in.back().rank() == 2) {
    flops = std::max(flops, 2 * out * double(in.back().elements()) / double(std::max<int64_t>(p.shapes[0].dim(1), 1)));
  }
  return flops;
}

/// Whether a second run of the node gives the same values and changes nothing, if its inputs are the same.
bool isRepeatable(const PlanNode& p) {
  if (p.loop || p.types.empty() || retainsTensors(*p.node)) return false;
  if (!isPure(*p.node) || touchesHandles(*p.node)) return false;
  if (isFeedPoint(*p.node)) return false;
  return std::none_of(p.types.begin(), p.types.end(), [](DType t) { return isRef(t) || sizeOf(t) == 0; });
}

/// Whether the op's results never share memory with an input.
bool computesFresh(const PlanNode& p) {
  if (p.kernel) return true;
  if (p.types.size() == 1 && !p.node->inputTypes.empty() && cpu::findElementwise(p.node->op, baseType(p.node->inputTypes.back()))) return true;
  return p.node->record && p.node->record->makesFresh;
}

/// A reference variable is the same for all nodes that name it alike.
std::string variableName(const Node& node) {
  const std::string shared = node.attrs.text("shared_name", "");
  return node.attrs.text("container", "") + "/" + (shared.empty() ? node.name : shared);
}

}  // namespace

StepModel StepModel::of(const PlanGraph& plan) {
  StepModel m;
  const std::vector<int> order = plan.order();
  std::vector<int> firstValue(plan.nodes.size(), -1);
  std::vector<std::vector<int>> shows(plan.nodes.size());  // reference variables whose memory a node's outputs may be
  std::map<std::string, int> variables;
  std::unordered_set<const void*> constants;
  std::vector<std::pair<int, int>> writes;  // variable (-1: any) and node
  for (const int i : order) {
    const PlanNode& p = plan.nodes[size_t(i)];
    if (p.isConstant()) {
      for (const Tensor& t : p.constants)
        if (t.hasValue() && constants.insert(t.buffer().get()).second) m.constantBytes += t.bytes();
      continue;
    }
    if (!p.node) continue;
    const int at = int(m.nodes.size());
    Node n;
    n.plan = i;
    n.firstInput = int(m.inputs.size());
    n.inputCount = int(p.inputs.size());
    n.firstOutput = int(m.values.size());
    n.outputCount = int(p.types.size());
    n.firstSource = int(m.sources.size());
    std::vector<int> reads;
    double traffic = 0;
    bool sized = true;  // all sizes that the guess of its time rests on are known
    for (const Output& in : p.inputs) {
      const PlanNode& from = plan.nodes[size_t(in.node)];
      const bool tensor = from.node && !from.isConstant() && !isRef(from.types[size_t(in.index)]) && sizeOf(from.types[size_t(in.index)]) > 0;
      m.inputs.push_back(tensor ? firstValue[size_t(in.node)] + in.index : -1);
      reads.insert(reads.end(), shows[size_t(in.node)].begin(), shows[size_t(in.node)].end());
      bool known = true;
      if (size_t(in.index) < from.types.size()) traffic += double(bytesOf(from, size_t(in.index), &known));
      sized = sized && known;
    }
    std::sort(reads.begin(), reads.end());
    reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
    m.sources.insert(m.sources.end(), reads.begin(), reads.end());
    n.sourceCount = int(m.sources.size()) - n.firstSource;
    const OpRole role = roleOf(*p.node);
    if (role == OpRole::Variable || role == OpRole::ScratchVariable) {
      const int v = variables.emplace(variableName(*p.node), int(variables.size())).first->second;
      shows[size_t(i)] = {v};
    } else if (!computesFresh(p) || std::any_of(p.types.begin(), p.types.end(), [](DType t) { return isRef(t); })) {
      shows[size_t(i)] = reads;
    }
    const Effect effects = p.loop ? Effect::Program : effectsOf(*p.node);
    const bool takesRef = std::any_of(p.node->inputTypes.begin(), p.node->inputTypes.end(), [](DType t) { return isRef(t); });
    if (any(effects & Effect::Program)) writes.emplace_back(-1, at);
    else if (takesRef && any(effects))
      for (const int v : reads) writes.emplace_back(v, at);
    bool known = true;
    for (size_t k = 0; k < p.types.size(); ++k) {
      // What batch normalization reserves has no stated shape; our kernels make it a scalar.
      bool scalar = false;
      const size_t bytes = bytesOf(p, k, role == OpRole::BatchNorm ? &scalar : &known);
      traffic += double(bytes);
      m.values.push_back({at, bytes, false});
    }
    m.unknown += !known || p.loop;  // what a loop keeps inside is not counted
    firstValue[size_t(i)] = n.firstOutput;
    n.shares = sharesOf(p);
    takesOf(p, n.takes);
    // The values of a variable that is read lie in its own memory.
    if (any(effects & Effect::Reads) && role == OpRole::ReadVariable)
      for (int k = 0; k < n.outputCount; ++k) m.values[size_t(n.firstOutput + k)].bytes = 0;
    const double flops = flopsOf(plan, p);
    n.ns = kCallNs + std::max(flops / kFlopsPerNs, traffic / kBytesPerNs);
    // A product of few rows takes little time, but no less than all else.
    n.cheap = known && sized && role != OpRole::MatMul && flops / kFlopsPerNs <= traffic / kBytesPerNs;
    n.repeatable = known && isRepeatable(p);
    m.nodes.push_back(n);
  }
  for (const Output& f : plan.fetches) {
    if (firstValue[size_t(f.node)] >= 0) m.values[size_t(firstValue[size_t(f.node)] + f.index)].fetched = true;
  }
  m.writes.resize(variables.size() + 1);
  for (const auto& [v, at] : writes) m.writes[v < 0 ? variables.size() : size_t(v)].push_back(at);
  return m;
}

bool StepModel::isWrittenBetween(int node, int from, int to) const {
  const Node& n = nodes[size_t(node)];
  if (n.sourceCount == 0) return false;
  const auto between = [&](const std::vector<int>& w) {
    const auto first = std::upper_bound(w.begin(), w.end(), from);
    return first != w.end() && *first < to;
  };
  if (between(writes.back())) return true;
  for (int s = n.firstSource; s < n.firstSource + n.sourceCount; ++s)
    if (between(writes[size_t(sources[size_t(s)])])) return true;
  return false;
}

StepSequence sequenceOf(const StepModel& m, int boundary, const std::vector<uint8_t>& repeat) {
  StepSequence s;
  s.valueOf.resize(m.values.size());
  for (size_t v = 0; v < m.values.size(); ++v) s.valueOf[v] = int(v);
  std::vector<int> copyOf(m.nodes.size(), -1);  // first instance of a copy's outputs
  std::vector<int> stack;
  for (int at = 0; at < int(m.nodes.size()); ++at) {
    const StepModel::Node& n = m.nodes[size_t(at)];
    // The node whose copy `value` comes from at this place, or -1: the value itself is read.
    const auto copied = [&](int value) {
      if (value < 0) return -1;
      const int from = m.values[size_t(value)].node;
      return from <= boundary && repeat[size_t(from)] && m.nodes[size_t(from)].repeatable && !m.isWrittenBetween(from, from, at) ? from : -1;
    };
    const auto instance = [&](int value) {
      const int from = copied(value);
      return from < 0 || copyOf[size_t(from)] < 0 ? value : copyOf[size_t(from)] + value - m.nodes[size_t(from)].firstOutput;
    };
    const auto call = [&](int node, bool again) {
      const StepModel::Node& c = m.nodes[size_t(node)];
      s.calls.push_back({node, again, int(s.inputs.size()), again ? int(s.valueOf.size()) : c.firstOutput});
      for (int k = 0; k < c.inputCount; ++k) {
        const int value = m.inputs[size_t(c.firstInput + k)];
        s.inputs.push_back(at > boundary ? instance(value) : value);
      }
      if (!again) return;
      copyOf[size_t(node)] = int(s.valueOf.size());
      for (int k = 0; k < c.outputCount; ++k) s.valueOf.push_back(c.firstOutput + k);
      ++s.again;
      s.againNs += c.ns;
    };
    if (at > boundary) {
      for (int k = 0; k < n.inputCount; ++k) {
        if (const int from = copied(m.inputs[size_t(n.firstInput + k)]); from >= 0 && copyOf[size_t(from)] < 0) stack.push_back(from);
        while (!stack.empty()) {
          const int top = stack.back();
          if (copyOf[size_t(top)] >= 0) {
            stack.pop_back();
            continue;
          }
          const StepModel::Node& c = m.nodes[size_t(top)];
          bool waits = false;
          for (int i = 0; i < c.inputCount; ++i) {
            const int before = copied(m.inputs[size_t(c.firstInput + i)]);
            if (before < 0 || copyOf[size_t(before)] >= 0) continue;
            stack.push_back(before);
            waits = true;
          }
          if (waits) continue;
          stack.pop_back();
          call(top, true);
        }
      }
    }
    call(at, false);
  }
  return s;
}

StepPeak peakOf(const StepModel& m, const StepSequence& s, std::vector<MemoryBlock>* blocks, std::vector<int>* valueOfBlock, size_t* outside) {
  const int calls = int(s.calls.size());
  const size_t instances = s.valueOf.size();
  std::vector<int> last(instances, -1), block(instances, -1);
  const auto inputOf = [&](const StepSequence::Call& c, int k) { return s.inputs[size_t(c.firstInput + k)]; };
  // Last uses, those of views included. A call comes behind the calls that it reads, so from the last to the first.
  for (int at = calls; at-- > 0;) {
    const StepSequence::Call& c = s.calls[size_t(at)];
    const StepModel::Node& n = m.nodes[size_t(c.node)];
    for (int k = 0; k < n.outputCount; ++k) {
      int& l = last[size_t(c.firstOutput + k)];
      l = m.values[size_t(n.firstOutput + k)].fetched && !c.again ? calls : std::max(l, at);
    }
    for (int k = 0; k < n.inputCount; ++k) {
      const int in = inputOf(c, k);
      if (in < 0) continue;
      int& l = last[size_t(in)];
      l = std::max(l, at);
      if (n.shares == StepModel::Shares::None) continue;
      if (n.shares == StepModel::Shares::View && n.outputCount == n.inputCount) l = std::max(l, last[size_t(c.firstOutput + k)]);
      else if (k == 0 || n.shares == StepModel::Shares::Perhaps)
        for (int o = 0; o < n.outputCount; ++o) l = std::max(l, last[size_t(c.firstOutput + o)]);
    }
  }
  struct Block {
    size_t bytes;
    int first, last, value;
  };
  std::vector<Block> all;
  all.reserve(instances);
  for (int at = 0; at < calls; ++at) {
    const StepSequence::Call& c = s.calls[size_t(at)];
    const StepModel::Node& n = m.nodes[size_t(c.node)];
    for (int k = 0; k < n.outputCount; ++k) {
      const int out = c.firstOutput + k;
      const size_t bytes = m.values[size_t(n.firstOutput + k)].bytes;
      if (n.shares == StepModel::Shares::View) {
        const int in = n.inputCount == 0 ? -1 : inputOf(c, n.outputCount == n.inputCount ? k : 0);
        if (in >= 0) block[size_t(out)] = block[size_t(in)];
        continue;
      }
      if (bytes == 0) continue;
      for (int t = 0; k == 0 && t < 2 && block[size_t(out)] < 0; ++t) {
        const int in = n.takes[t] < 0 ? -1 : inputOf(c, n.takes[t]);
        if (in < 0 || block[size_t(in)] < 0 || last[size_t(in)] != at) continue;
        Block& b = all[size_t(block[size_t(in)])];
        int reads = 0;
        for (int i = 0; i < n.inputCount; ++i) reads += inputOf(c, i) >= 0 && block[size_t(inputOf(c, i))] == block[size_t(in)];
        if (b.last != at || b.bytes != bytes || reads != 1) continue;
        block[size_t(out)] = block[size_t(in)];
        b.last = last[size_t(out)];
      }
      if (block[size_t(out)] >= 0) continue;
      block[size_t(out)] = int(all.size());
      all.push_back({bytes, at, last[size_t(out)], out});
    }
  }
  std::vector<int64_t> change(size_t(calls) + 2, 0);
  for (const Block& b : all) {
    change[size_t(b.first)] += int64_t(b.bytes);
    change[size_t(b.last) + 1] -= int64_t(b.bytes);
  }
  StepPeak peak;
  int64_t now = 0;
  for (int at = 0; at < calls; ++at) {
    now += change[size_t(at)];
    if (size_t(now) > peak.bytes) peak = {size_t(now), at};
  }
  if (blocks) {
    for (const Block& b : all) {
      if (b.last >= calls) {
        if (outside) *outside += b.bytes;
        continue;
      }
      blocks->push_back({b.bytes, b.first, b.last, 0});
      if (valueOfBlock) valueOfBlock->push_back(b.value);
    }
  }
  return peak;
}

}  // namespace weft
