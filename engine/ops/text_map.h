#pragma once

#include <string>

#include "base/parallel.h"
#include "kernel/kernel.h"
#include "ops/registry.h"

// Shared by the string op families.
namespace weft {

inline constexpr const char* kNoNumbers = "Strings are not differentiable.";

inline constexpr int64_t kTextGrain = 256;  ///< Strings that are worth a thread.

/// A kernel that maps each string to another, on several threads.
template <typename F>
Status mapTexts(KernelContext& c, F&& f) {
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
  const std::string* x = in.data<std::string>();
  std::string* y = out->mutableData<std::string>();
  parallelFor(in.elements(), kTextGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) y[i] = f(x[i]);
  });
  return {};
}

/// Adds an op of category Strings without a gradient.
inline OpRecord& addText(OpRegistry& ops, const char* name, const char* summary) {
  return ops.add(name).category("Strings").summary(summary).noGradient(kNoNumbers);
}

inline bool isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace weft
