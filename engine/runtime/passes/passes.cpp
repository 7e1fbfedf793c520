#include <algorithm>

#include "runtime/native_loop.h"

namespace weft {

#define WEFT_PASS(function) Status function(PlanGraph&, PassContext&);
WEFT_PASS(nativeLoops)
WEFT_PASS(removeUnread)
WEFT_PASS(foldConstants)
WEFT_PASS(removeIdentities)
WEFT_PASS(fuseConvolutions)
WEFT_PASS(fusePoolGradients)
WEFT_PASS(fuseElementwise)
#undef WEFT_PASS

const std::vector<Pass>& passes() {
  static const std::vector<Pass> kPasses = {
      {"native_loops", "turns while loops of the first version into one op each, whose rounds run without the dataflow executor", nativeLoops},
      {"unread_removal", "leaves out ops whose results nobody reads, though others wait for them", removeUnread},
      {"constant_folding", "computes before the run what does not depend on feeds or variables, shapes included", foldConstants},
      {"identity_removal", "takes out Identity and its like where nobody can see the difference", removeIdentities},
      {"convolution_fusion", "adds biases and applies Relu inside convolutions", fuseConvolutions},
      {"pool_gradient_fusion", "applies the gradient of Relu inside that of the pool after it", fusePoolGradients},
      {"elementwise_fusion", "computes chains and trees of element-wise ops in one pass over memory", fuseElementwise},
  };
  return kPasses;
}

Status runPasses(PlanGraph& plan, PassContext& context, const std::vector<std::string>& disabled) {
  const auto off = [&](std::string_view name) {
    return std::any_of(disabled.begin(), disabled.end(), [&](const std::string& d) { return d == name || d == "all"; });
  };
  context.disabled = &disabled;
  for (const Pass& pass : passes()) {
    if (!off(pass.name)) WEFT_TRY(pass.run(plan, context));
  }
  // Loops that no pass knew more of are made ready for what the graph tells of them.
  for (size_t i = 0; i < plan.nodes.size(); ++i) {
    if (plan.nodes[i].alive && plan.nodes[i].loop && !plan.nodes[i].kernel) WEFT_TRY(compileLoopNode(plan, int(i), context));
  }
  return {};
}

}  // namespace weft
