#include <algorithm>

#include "runtime/native_loop.h"
#include "weft/passes.h"

namespace weft {

#define WEFT_PASS(function) Status function(PlanGraph&, PassContext&);
WEFT_PASS(nativeLoops)
WEFT_PASS(removeUnread)
WEFT_PASS(foldConstants)
WEFT_PASS(simplifyControlEdges)
WEFT_PASS(removeIdentities)
WEFT_PASS(fuseConvolutions)
WEFT_PASS(fusePoolGradients)
WEFT_PASS(sliceProducts)
WEFT_PASS(addProducts)
WEFT_PASS(fuseElementwise)
WEFT_PASS(allowSideBySide)
WEFT_PASS(recomputeToFit)
#undef WEFT_PASS

const std::vector<Pass>& passes() {
  static const std::vector<Pass> kPasses = {
      {"native_loops", "turns while loops of the first version into one op each, whose rounds run without the dataflow executor", nativeLoops},
      {"unread_removal", "leaves out ops whose results nobody reads, though others wait for them", removeUnread},
      {"constant_folding", "computes before the run what does not depend on feeds or variables, shapes included", foldConstants},
      {"control_simplification", "leaves of the control edges those without which an effect or a read of a variable would move", simplifyControlEdges},
      {"identity_removal", "takes out Identity and its like where nobody can see the difference", removeIdentities},
      {"convolution_fusion", "adds biases and images, normalizes and applies Relu inside convolutions, and packs constant filters", fuseConvolutions},
      {"pool_gradient_fusion", "applies the gradient of Relu inside that of the pool after it", fusePoolGradients},
      {"product_slicing", "computes of a matrix product only the columns that slices of it keep", sliceProducts},
      {"product_sums", "adds matrix products up where they are computed, instead of afterwards", addProducts},
      {"elementwise_fusion", "computes chains and trees of element-wise ops in one pass over memory", fuseElementwise},
      {"side_by_side", "runs ops that use one thread beside each other, where that was measured to be faster", allowSideBySide},
      {"recomputation", "computes values a second time instead of keeping them, where the step would pass its memory limit", recomputeToFit},
  };
  return kPasses;
}

std::vector<std::string> passNames() {
  std::vector<std::string> names;
  for (const Pass& pass : passes()) {
    names.emplace_back(pass.name);
    // Parts of native_loops that can be switched off separately.
    if (names.back() == "native_loops") names.insert(names.end(), {"scalar_loops", "loop_products", "loop_transposes"});
  }
  return names;
}

Status checkPassNames(const std::vector<std::string>& names) {
  const std::vector<std::string> known = passNames();
  for (const std::string& name : names) {
    if (name.empty() || name == "all" || std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::string list;
    for (const std::string& k : known) list += ", " + k;
    return invalidArgument("There is no rewrite pass ", name, "; there are: all", list);
  }
  return {};
}

Status runPasses(PlanGraph& plan, PassContext& context, const std::vector<std::string>& disabled) {
  const auto off = [&](std::string_view name) {
    return std::any_of(disabled.begin(), disabled.end(), [&](const std::string& d) { return d == name || d == "all"; });
  };
  context.disabled = &disabled;
  for (const Pass& pass : passes()) {
    if (!off(pass.name)) WEFT_TRY(pass.run(plan, context));
  }
  // Loops that no pass has compiled (constant_folding may be off) are compiled with the shapes known from the graph.
  for (size_t i = 0; i < plan.nodes.size(); ++i) {
    if (plan.nodes[i].alive && plan.nodes[i].loop && !plan.nodes[i].kernel) WEFT_TRY(compileLoopNode(plan, int(i), context));
  }
  return {};
}

}  // namespace weft
