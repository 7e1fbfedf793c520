#include <algorithm>

#include "runtime/plan_graph.h"

namespace weft {

#define WEFT_PASS(function) Status function(PlanGraph&, PassContext&);
WEFT_PASS(removeUnread)
WEFT_PASS(foldConstants)
WEFT_PASS(removeIdentities)
WEFT_PASS(fuseConvolutions)
WEFT_PASS(fusePoolGradients)
WEFT_PASS(fuseElementwise)
#undef WEFT_PASS

const std::vector<Pass>& passes() {
  static const std::vector<Pass> kPasses = {
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
  for (const Pass& pass : passes()) {
    if (!off(pass.name)) WEFT_TRY(pass.run(plan, context));
  }
  return {};
}

}  // namespace weft
