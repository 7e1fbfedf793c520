#pragma once

#include <string>

#include "kernel/kernel.h"
#include "ops/registry.h"

// Shared by the string op families.
namespace weft {

inline constexpr const char* kNoNumbers = "Strings are not differentiable.";

/// A kernel that maps each string to another.
template <typename F>
Status mapTexts(KernelContext& c, F&& f) {
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
  for (int64_t i = 0; i < in.elements(); ++i) out->mutableData<std::string>()[i] = f(in.data<std::string>()[i]);
  return {};
}

/// Adds an op of category Strings without a gradient.
inline OpRecord& addText(OpRegistry& ops, const char* name, const char* summary) {
  return ops.add(name).category("Strings").summary(summary).noGradient(kNoNumbers);
}

inline bool isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace weft
