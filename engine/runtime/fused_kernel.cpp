#include "runtime/fused_kernel.h"

#include <algorithm>
#include <complex>
#include <cstring>
#include <tuple>

#include "base/parallel.h"
#include "device/cpu/elementwise.h"
#include "runtime/fused_chains.h"

namespace weft {
namespace {

constexpr int64_t kTile = 2048;
constexpr int kMaxOperands = 4;

/// Elements [begin, begin + n) of an operand that repeats with a period.
void fillRow(const char* data, size_t size, int64_t period, int64_t begin, int64_t n, char* out) {
  int64_t at = begin % period;
  while (n > 0) {
    const int64_t run = std::min(n, period - at);
    std::memcpy(out, data + size_t(at) * size, size_t(run) * size);
    out += size_t(run) * size;
    n -= run;
    at = 0;
  }
}

template <typename T>
void fillRuns(const T* data, int64_t run, int64_t begin, int64_t n, T* out) {
  int64_t element = begin / run, left = run - begin % run;
  while (n > 0) {
    const int64_t count = std::min(n, left);
    std::fill_n(out, count, data[element++]);
    out += count;
    n -= count;
    left = run;
  }
}

void fillColumn(const char* data, size_t size, int64_t run, int64_t begin, int64_t n, char* out) {
  switch (size) {
    case 1: return fillRuns(reinterpret_cast<const uint8_t*>(data), run, begin, n, reinterpret_cast<uint8_t*>(out));
    case 2: return fillRuns(reinterpret_cast<const uint16_t*>(data), run, begin, n, reinterpret_cast<uint16_t*>(out));
    case 4: return fillRuns(reinterpret_cast<const uint32_t*>(data), run, begin, n, reinterpret_cast<uint32_t*>(out));
    case 16: return fillRuns(reinterpret_cast<const std::complex<double>*>(data), run, begin, n, reinterpret_cast<std::complex<double>*>(out));
    default: return fillRuns(reinterpret_cast<const uint64_t*>(data), run, begin, n, reinterpret_cast<uint64_t*>(out));
  }
}

class FusedKernel final : public Kernel {
 public:
  explicit FusedKernel(FusedProgram program) : p_(std::move(program)) {
    elements_ = p_.shape.elements();
    for (const auto& in : p_.inputs) {
      spreadIndex_.push_back(in.spread == Spread::Row || in.spread == Spread::Column ? spreads_++ : -1);
      if (in.spread == Spread::Full) fulls_.push_back(int(spreadIndex_.size()) - 1);
    }
    stages_ = stagesOf(p_);
    // A single chain needs no tiles, which only hold intermediate results between stages.
    if (stages_.size() == 1 && !stages_[0].links.empty() && !spreads_) tile_ = elements_, p_.temporaries = 0;
  }

  Status compute(KernelContext& c) override {
    const void* small[16];
    std::vector<const void*> many;
    const void** data = small;
    if (p_.inputs.size() > 16) {
      many.resize(p_.inputs.size());
      data = many.data();
    }
    for (size_t i = 0; i < p_.inputs.size(); ++i) {
      const Tensor& t = c.input(int(i));
      if (t.elements() != p_.inputs[i].elements) {
        return internalError("Input ", i, " of a fused group has ", t.elements(), " elements; its plan expects ", p_.inputs[i].elements);
      }
      data[i] = t.raw();
    }
    Tensor* out;
    // Each tile of an input is read before the same tile of the output is written, so any full input's memory can be reused.
    if (fulls_.size() == 1) {
      WEFT_LET(out, c.allocateOrForward(0, p_.shape, {fulls_[0]}));
    } else if (fulls_.size() >= 2) {
      WEFT_LET(out, c.allocateOrForward(0, p_.shape, {fulls_[0], fulls_[1]}));
    } else {
      WEFT_LET(out, c.allocate(0, p_.shape));
    }
    char* result = static_cast<char*>(out->mutableRaw());
    const size_t resultSize = sizeOf(out->dtype());
    parallelFor(elements_, cpu::grainFor(p_.nanoseconds), [&](int64_t begin, int64_t end) { runPart(data, result, resultSize, begin, end); });
    return {};
  }

 private:
  void runPart(const void* const* data, char* result, size_t resultSize, int64_t begin, int64_t end) const {
    const int64_t tile = std::min(tile_, end - begin);
    const size_t tileBytes = (size_t(tile) * std::max<size_t>(p_.temporarySize, 8) + 63) / 64 * 64;
    alignas(64) char local[512];
    thread_local std::vector<char> kept;
    const size_t need = tileBytes * size_t(p_.temporaries + spreads_);
    char* memory = local;
    if (need > sizeof local) {
      if (kept.size() < need + 64) kept.resize(need + 64);
      memory = kept.data() + (64 - reinterpret_cast<uintptr_t>(kept.data()) % 64) % 64;
    }
    char* const spreads = memory + tileBytes * size_t(p_.temporaries);
    for (int64_t at = begin; at < end; at += tile) {
      const int64_t n = std::min(tile, end - at);
      for (size_t i = 0; i < p_.inputs.size(); ++i) {
        if (spreadIndex_[i] < 0) continue;
        const auto& in = p_.inputs[i];
        char* to = spreads + tileBytes * size_t(spreadIndex_[i]);
        if (in.spread == Spread::Row) {
          fillRow(static_cast<const char*>(data[i]), in.elementSize, in.elements, at, n, to);
        } else {
          fillColumn(static_cast<const char*>(data[i]), in.elementSize, elements_ / in.elements, at, n, to);
        }
      }
      const Tile where{data, result, resultSize, memory, spreads, tileBytes, at, n};
      for (const FusedStage& stage : stages_) {
        if (stage.links.empty()) {
          call(p_.instructions[size_t(stage.instruction)], where);
        } else {
          chain(stage, where);
        }
      }
    }
  }

  struct Tile {
    const void* const* data;  ///< By input.
    char* result;
    size_t resultSize;
    char* temporaries;
    char* spreads;
    size_t bytes;  ///< Size of a temporary.
    int64_t at, n;
  };

  /// Address of an operand's elements in a tile, and whether it is a single element.
  std::pair<const void*, bool> operandAt(const FusedProgram::Operand& o, const Tile& t) const {
    if (o.isTemporary) return {t.temporaries + t.bytes * size_t(o.index), false};
    if (spreadIndex_[o.index] >= 0) return {t.spreads + t.bytes * size_t(spreadIndex_[o.index]), false};
    const auto& in = p_.inputs[o.index];
    const bool scalar = in.spread == Spread::Scalar;
    return {static_cast<const char*>(t.data[o.index]) + (scalar ? 0 : size_t(t.at) * in.elementSize), scalar};
  }
  void* resultAt(const FusedProgram::Instruction& i, const Tile& t) const {
    return i.result < 0 ? t.result + size_t(t.at) * t.resultSize : t.temporaries + t.bytes * size_t(i.result);
  }

  void call(const FusedProgram::Instruction& instruction, const Tile& t) const {
    const void* operands[kMaxOperands];
    bool scalar[kMaxOperands];
    int k = 0;
    for (const auto& o : instruction.operands) {
      std::tie(operands[k], scalar[k]) = operandAt(o, t);
      ++k;
    }
    instruction.entry->fn(operands, scalar, resultAt(instruction, t), t.n);
  }

  void chain(const FusedStage& stage, const Tile& t) const {
    cpu::ChainStep steps[cpu::kMaxChain];
    int count = 0;
    for (const auto& link : stage.links) {
      const auto [operand, scalar] = link.hasOperand ? operandAt(link.operand, t) : std::pair<const void*, bool>(nullptr, false);
      steps[count++] = {link.op, scalar, static_cast<const float*>(operand)};
    }
    const auto [x, scalar] = operandAt(stage.start, t);
    chain_(static_cast<const float*>(x), scalar, steps, count, static_cast<float*>(resultAt(p_.instructions[size_t(stage.instruction)], t)), t.n);
  }

  FusedProgram p_;
  int64_t elements_ = 0;
  std::vector<int> spreadIndex_;  // by input that is first spread into a tile
  std::vector<int> fulls_;
  int spreads_ = 0;
  int64_t tile_ = kTile;
  std::vector<FusedStage> stages_;
  const cpu::ChainFunction chain_ = cpu::hotTable().chain;
};

}  // namespace

std::shared_ptr<Kernel> makeFusedKernel(FusedProgram program) { return std::make_shared<FusedKernel>(std::move(program)); }

}  // namespace weft
