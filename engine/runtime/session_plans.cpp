#include <algorithm>
#include <utility>

#include "graph/shape_context.h"
#include "runtime/session_impl.h"
#include "runtime/stated_shapes.h"
#include "weft/passes.h"

// Signatures of a session and their plans.

namespace weft {
namespace {

constexpr size_t kMaxVariants = 8;     // plans per signature, one per set of feed shapes
constexpr size_t kMaxSignatures = 64;  // signatures whose plans, kernels and memory are cached; Callables keep their own

std::string keyOf(const std::vector<std::string>& feeds, const std::vector<std::string>& fetches, const std::vector<std::string>& targets) {
  std::string key;
  const auto append = [&](const std::vector<std::string>& names) {
    for (const std::string& n : names) (key += n) += '\n';
    key += '|';
  };
  append(feeds);
  append(fetches);
  append(targets);
  return key;
}

std::string canonicalTensorName(const std::string& name) { return name.find(':') == std::string::npos ? name + ":0" : name; }

}  // namespace

Result<std::shared_ptr<Prepared>> LocalSession::Impl::prepare(const std::vector<std::string>& feeds, const std::vector<std::string>& fetches,
                                                              const std::vector<std::string>& targets) {
  const std::string key = keyOf(feeds, fetches, targets);
  std::shared_ptr<const Graph> g, shown;
  {
    const MutexLock lock(mutex);
    if (const auto it = prepared.find(key); it != prepared.end()) {
      it->second.lastUse = ++uses;
      return it->second.prepared;
    }
    g = graph;
    shown = stated;
  }
  auto p = std::make_shared<Prepared>(g);
  for (const std::string& f : feeds) p->signature.feeds.push_back(canonicalTensorName(f));
  for (const std::string& f : fetches) p->signature.fetches.push_back(canonicalTensorName(f));
  p->signature.targets = targets;
  WEFT_LET(PlanGraph plan, pruneGraph(*g, p->signature));
  for (const std::string& f : p->signature.feeds) {
    WEFT_LET(const Output out, g->findOutput(f));
    p->feedOutputs.push_back(out);
    p->feedTypes.push_back(baseType(g->dtype(out)));
    p->feedShapes.push_back(shown->shape(out));
  }
  std::shared_ptr<Prepared> forgotten;  // its plans are freed outside the lock
  const MutexLock lock(mutex);
  if (g != graph) return p;  // the graph was extended meanwhile, so `p` is not cached
  if (prepared.size() >= kMaxSignatures) {
    const auto oldest = std::min_element(prepared.begin(), prepared.end(), [](const auto& a, const auto& b) { return a.second.lastUse < b.second.lastUse; });
    forgotten = std::move(oldest->second.prepared);
    prepared.erase(oldest);
  }
  CachedSignature& cached = prepared[key];
  if (!cached.prepared) cached.prepared = std::move(p);
  cached.lastUse = ++uses;
  return cached.prepared;
}

Status LocalSession::Impl::forgetDisproved(Prepared& p) {
  p.disproved = state.disproved.load();
  WEFT_LET(auto graph, withoutDisprovedShapes(p.graph, state));
  if (graph == p.graph) return {};
  p.earlier.push_back(std::exchange(p.graph, std::move(graph)));
  p.variants.clear();
  p.stepping.reset();
  return {};
}

Result<std::shared_ptr<ExecutablePlan>> LocalSession::Impl::planFor(Prepared& p, std::span<const Tensor> feeds) {
  const MutexLock lock(p.mutex);
  if (p.disproved != state.disproved.load(std::memory_order_acquire)) WEFT_TRY(forgetDisproved(p));
  if (auto plan = p.find(feeds)) return plan;
  Prepared::Variant v;
  v.anyShapes = p.variants.size() + 1 >= kMaxVariants || (feeds.empty() && p.variants.empty());
  const bool needsSizes = options.memoryLimitBytes > 0 || options.recomputation == Recomputation::Hinted || options.recomputation == Recomputation::Cheap;
  if (needsSizes && !feeds.empty()) {
    // Without shapes no limit can be kept and nothing computed again: the plan that was made first makes room.
    v.anyShapes = false;
    if (p.variants.size() >= kMaxVariants) p.variants.pop_back();
  }
  for (const Tensor& t : feeds) v.shapes.push_back(t.shape());
  WEFT_LET(PlanGraph plan, pruneGraph(*p.graph, p.signature));
  WEFT_TRY(placement.place(*p.graph, plan, devices, options));
  PassContext context{state, v.anyShapes && !feeds.empty() ? nullptr : &v.shapes};
  context.memoryLimit = size_t(std::max<int64_t>(options.memoryLimitBytes, 0));
  context.recomputation = options.recomputation;
  WEFT_TRY(runPasses(plan, context, options.disabledPasses));
  WEFT_TRY(insertDeviceCopies(plan));
  const bool flow = plan.hasControlFlow;
  auto made = flow ? makeDataflowPlan(std::move(plan), state) : makeStaticPlan(std::move(plan), state);
  if (!made.ok()) return std::move(made.error());
  v.plan = std::move(*made);
  if (v.anyShapes) p.variants.insert(p.variants.end(), v);
  else p.variants.insert(p.variants.begin(), v);
  return v.plan;
}

/// The plan for stepping: the user's graph, pruned and placed, without rewrites.
Result<std::shared_ptr<ExecutablePlan>> LocalSession::Impl::steppingPlanFor(Prepared& p) {
  const MutexLock lock(p.mutex);
  if (p.disproved != state.disproved.load(std::memory_order_acquire)) WEFT_TRY(forgetDisproved(p));
  if (p.stepping) return p.stepping;
  WEFT_LET(PlanGraph plan, pruneGraph(*p.graph, p.signature));
  WEFT_TRY(placement.place(*p.graph, plan, devices, options));
  WEFT_TRY(insertDeviceCopies(plan));
  auto made = makeSteppingPlan(std::move(plan), state, *p.graph, p.feedOutputs);
  if (!made.ok()) return std::move(made.error());
  p.stepping = std::move(*made);
  return p.stepping;
}

void LocalSession::Impl::makeRoomFor(const std::shared_ptr<ExecutablePlan>& plan) {
  std::shared_ptr<ExecutablePlan> before;
  {
    const MutexLock lock(mutex);
    before = latest.lock();
    if (before == plan) return;
    latest = plan;
  }
  if (before) before->releaseMemory();
}

size_t LocalSession::Impl::variableBytes() const {
  size_t bytes = 0;
  for (const auto& v : state.variables()) {
    const MutexLock lock(v->mutex);
    if (v->value.hasValue() && v->value.place() == 0) bytes += v->value.bytes();
  }
  return bytes;
}

}  // namespace weft
