#include "kernel/functions.h"

#include <algorithm>

#include "graph/function_library.h"
#include "graph/graph_shapes.h"
#include "kernel/session_state.h"
#include "runtime/executable_plan.h"
#include "runtime/executor.h"

namespace weft {
namespace {

constexpr size_t kMaxVariants = 8;  // plans per function, one per set of argument shapes

RunState runStateOf(const CallSite& site, SessionState& session) {
  RunState run{*site.step, session};
  run.cancelled = site.cancelled;
  run.sessionClosed = site.sessionClosed;
  run.deadlineNs = site.deadlineNs;
  run.memory = MemoryGuard::of(*site.step);
  return run;
}

/// Where an argument is, or the variable behind it: Buffer::place(). 0 for variables without a value.
int placeBehind(const Tensor& argument) {
  if (argument.dtype() != DType::Resource || argument.elements() != 1) return argument.place();
  const auto variable = std::dynamic_pointer_cast<Variable>(static_cast<const ResourceHandle*>(argument.raw())->resource);
  if (!variable) return 0;
  const MutexLock lock(variable->mutex);
  return variable->value.place();
}

}  // namespace

CallSite CallSite::of(KernelContext& c) {
  CallSite site;
  site.step = &c.step();
  if (const RunState* run = ExecutorAccess::sinkOf(c).run()) {
    site.cancelled = run->cancelled;
    site.sessionClosed = run->sessionClosed;
    site.deadlineNs = run->deadlineNs;
  }
  return site;
}

CallSite CallSite::onDevice(KernelContext& c) {
  CallSite site = of(c);
  site.device = &c.device();
  return site;
}

Status CallSite::check() const {
  SessionState none;
  return runStateOf(*this, none).check();
}

BoundFunction::BoundFunction(std::shared_ptr<const FunctionBody> body, SessionState& session, std::string scope, bool ownState)
    : body_(std::move(body)), session_(session), state_(std::make_unique<SessionState>(session, scope, ownState)), scope_(std::move(scope)) {
  const Graph& g = body_->graph;
  for (const Output& a : body_->args) argTypes_.push_back(baseType(g.dtype(a)));
  for (const Output& r : body_->results) {
    resultTypes_.push_back(baseType(g.dtype(r)));
    const auto arg = std::find(body_->args.begin(), body_->args.end(), r);
    fromArg_.push_back(arg == body_->args.end() ? -1 : int(arg - body_->args.begin()));
    fromFetch_.push_back(fromArg_.back() < 0 ? int(fetchNames_.size()) : -1);
    if (fromArg_.back() < 0) fetchNames_.push_back(g.tensorName(r));
  }
  runs_ = !fetchNames_.empty() || !body_->targets.empty();
  // Unused arguments are not fed, so their shapes do not lead to further plans.
  std::vector<char> needed(size_t(g.size()), 0);
  std::vector<int> stack;
  const auto need = [&](int id) {
    if (!needed[size_t(id)]) {
      needed[size_t(id)] = 1;
      stack.push_back(id);
    }
  };
  for (size_t i = 0; i < body_->results.size(); ++i) {
    if (fromArg_[i] < 0) need(body_->results[i].node);
  }
  for (const std::string& t : body_->targets) need(g.find(t)->id);
  while (!stack.empty()) {
    const Node& n = *g.node(stack.back());
    stack.pop_back();
    for (const Output& in : n.inputs) need(in.node);
    for (const int control : n.controls) need(control);
  }
  for (size_t i = 0; i < body_->args.size(); ++i) {
    if (!needed[size_t(body_->args[i].node)]) continue;
    feeds_.push_back(int(i));
    feedNames_.push_back(g.tensorName(body_->args[i]));
  }
}

BoundFunction::~BoundFunction() = default;

std::shared_ptr<BoundFunction> BoundFunction::fresh() {
  if (!body_->isStateful) return shared_from_this();
  return std::make_shared<BoundFunction>(body_, session_, scope_, true);
}

Result<std::shared_ptr<ExecutablePlan>> BoundFunction::planFor(std::span<const Tensor> feeds) {
  // Ops that use a variable run where it is; arguments on a device are used from there.
  std::vector<int> places;
  for (const Tensor& t : feeds) places.push_back(placeBehind(t));
  const MutexLock lock(mutex_);
  for (const Variant& v : variants_) {
    bool same = v.places == places;
    for (size_t i = 0; i < feeds.size() && same && !v.anyShapes; ++i) same = v.shapes[i] == feeds[i].shape();
    if (same) return v.plan;
  }
  const std::shared_ptr<FunctionRuntime> runtime = session_.functions();
  if (!runtime) return internalError("Function ", body_->name, " is called outside of a session with functions");
  Variant v;
  v.anyShapes = variants_.size() + 1 >= kMaxVariants;
  for (const Tensor& t : feeds) v.shapes.push_back(t.shape());
  WEFT_LET(PlanGraph plan, pruneGraph(body_->graph, {feedNames_, fetchNames_, body_->targets}));
  for (PlanNode& p : plan.nodes) {
    if (p.feed < 0) continue;
    for (Device* d : runtime->devices()) {
      if (d->place() == places[size_t(p.feed)] && !p.device) p.device = d;
    }
  }
  v.places = std::move(places);
  WEFT_TRY(placeNodes(body_->graph, plan, runtime->devices(), runtime->options(), nullptr));
  PassContext context{*state_, v.anyShapes ? nullptr : &v.shapes};
  WEFT_TRY(runPasses(plan, context, runtime->options().disabledPasses));
  WEFT_TRY(insertDeviceCopies(plan));
  const bool flow = plan.hasControlFlow;
  auto made = flow ? makeDataflowPlan(std::move(plan), *state_) : makeStaticPlan(std::move(plan), *state_);
  if (!made.ok()) return std::move(made.error());
  v.plan = std::move(*made);
  variants_.push_back(v);
  return v.plan;
}

Result<std::vector<Tensor>> BoundFunction::call(std::span<const Tensor> args, const CallSite& site) {
  if (args.size() != argTypes_.size()) {
    return invalidArgument("Function ", body_->name, " expects ", argTypes_.size(), " arguments, but ", args.size(), " are passed.");
  }
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i].dtype() == argTypes_[i]) continue;
    return invalidArgument("Expects arg[", i, "] to be ", dtypeName(argTypes_[i]), " but ", dtypeName(args[i].dtype()), " is provided");
  }
  RunState run = runStateOf(site, *state_);
  WEFT_TRY(run.check());
  std::vector<Tensor> fetched;
  if (runs_) {
    std::vector<Tensor> feeds;
    feeds.reserve(feeds_.size());
    for (const int i : feeds_) feeds.push_back(args[size_t(i)]);
    WEFT_LET(const std::shared_ptr<ExecutablePlan> plan, planFor(feeds));
    WEFT_TRY(plan->run(feeds, fetched, run));
  }
  std::vector<Tensor> results;
  results.reserve(fromArg_.size());
  for (size_t k = 0; k < fromArg_.size(); ++k) {
    Tensor t = fromArg_[k] >= 0 ? args[size_t(fromArg_[k])] : std::move(fetched[size_t(fromFetch_[k])]);
    auto there = site.device && t.dtype() != DType::Int32 ? tensorAt(*site.device, t) : hostTensor(t);
    WEFT_LET(t, std::move(there));
    results.push_back(std::move(t));
  }
  return results;
}

FunctionRuntime::FunctionRuntime(std::shared_ptr<const FunctionLibrary> library, std::vector<Device*> devices, SessionOptions options)
    : library_(std::move(library)), devices_(std::move(devices)), options_(std::move(options)) {}

FunctionRuntime::~FunctionRuntime() = default;

Result<std::shared_ptr<BoundFunction>> FunctionRuntime::bind(const FuncAttr& f, const std::string& caller, SessionState& session) {
  static const AttrMap kNone;
  const AttrMap& attrs = f.attrs ? *f.attrs : kNone;
  // Instances differ only in attributes that the body may use as `$name`; a call by name also carries internal ones ("_…").
  std::string plain = f.name;
  for (const auto& [name, value] : attrs) {
    if (!name.starts_with('_')) plain += concat(";", name, "=", value.toString());
  }
  const std::string own = caller + " -> " + plain;
  SessionState &home = session.home(), &root = session.root();
  const auto found = [&]() WEFT_REQUIRES(mutex_) -> std::shared_ptr<BoundFunction> {
    if (const auto it = bound_.find(plain); it != bound_.end()) return it->second;
    if (&home != &root) return nullptr;  // an iterator's functions are not shared: it ends before the session
    const auto it = bound_.find(own);
    return it == bound_.end() ? nullptr : it->second;
  };
  {
    const MutexLock lock(mutex_);
    if (auto f = found()) return f;
  }
  WEFT_LET(std::shared_ptr<const FunctionBody> body, library_->instantiate(f.name, attrs));
  auto planned = std::make_shared<FunctionBody>(*body);
  WEFT_LET(const bool stated, inferShapesForRuns(planned->graph));
  if (stated) body = std::move(planned);
  const bool stateful = body->isStateful;
  auto made = std::make_shared<BoundFunction>(std::move(body), stateful ? home : root, (stateful ? own : plain) + "/", false);
  if (stateful && &home != &root) return made;
  const MutexLock lock(mutex_);
  if (auto f = found()) return f;
  return bound_[stateful ? own : plain] = std::move(made);
}

Result<std::shared_ptr<BoundFunction>> bindFunction(KernelInit& init, const FuncAttr& f) {
  const std::shared_ptr<FunctionRuntime> runtime = init.session().functions();
  if (!runtime) return notFound("Function ", f.name, " is not defined.");
  return runtime->bind(f, init.session().scoped(init.node().name), init.session());
}

Result<std::shared_ptr<BoundFunction>> bindFunction(KernelInit& init, std::string_view attr) {
  const Attr* value = init.attrs().find(attr);
  const FuncAttr* f = value ? value->get<FuncAttr>() : nullptr;
  if (!f) return invalidArgument("Attribute ", attr, " of ", init.node().op, " names no function");
  return bindFunction(init, *f);
}

}  // namespace weft
