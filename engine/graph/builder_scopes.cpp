#include <algorithm>
#include <atomic>

#include "graph/builder_hooks.h"
#include "graph/builder_impl.h"

namespace weft {
namespace {

// Python's lower() for the ASCII names that are allowed.
std::string loweredName(std::string_view name) {
  std::string out(name);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return out;
}

bool isScopeChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' || c == '/' || c == '>' || c == '\\';
}

}  // namespace

uint64_t GraphBuilder::Impl::thisThread() {
  static std::atomic<uint64_t> threads{0};
  thread_local const uint64_t mine = threads++;
  return mine;
}

const std::string& GraphBuilder::Impl::scope() const {
  static const std::string root;
  const uint64_t thread = thisThread();
  if (thread == maker) return scopeOfMaker;
  const auto it = scopes.find(thread);
  return it == scopes.end() ? root : it->second;
}

void GraphBuilder::Impl::setScope(uint64_t thread, std::string scope) {
  if (thread == maker) scopeOfMaker = std::move(scope);
  else if (scope.empty()) scopes.erase(thread);
  else scopes[thread] = std::move(scope);
}

GraphBuilder::Impl::Stacks& GraphBuilder::Impl::stacks() const {
  if (!owner) return shared;
  const uint64_t thread = thisThread();
  return thread == *owner ? shared : stacksOf.try_emplace(thread, atSwitch).first->second;
}

void GraphBuilder::Impl::separateStacks() {
  if (owner) return;
  owner = thisThread();
  atSwitch = shared;
}

void keepStacksByThread(GraphBuilder& b) { b.extension<StacksByThread>().begin(); }

GraphBuilder::Guard GraphBuilder::nameScope(std::string_view name) {
  const uint64_t thread = Impl::thisThread();
  std::string old = impl_->scope();
  const bool valid = std::all_of(name.begin(), name.end(), isScopeChar) &&
                     (name.empty() || !old.empty() || name.ends_with('/') || (name[0] != '_' && name[0] != '-' && name[0] != '/'));
  if (!valid) {
    fail(invalidArgument("'", name, "' is not a valid scope name"));
  } else if (name.ends_with('/')) {
    impl_->setScope(thread, std::string(name.substr(0, name.size() - 1)));
  } else {
    impl_->setScope(thread, name.empty() ? std::string() : uniqueName(name));
  }
  return Guard([this, thread, old = std::move(old)] { impl_->setScope(thread, old); });
}

std::string GraphBuilder::currentScope() const {
  const std::string& scope = impl_->scope();
  return scope.empty() ? std::string() : scope + "/";
}

// One case-insensitive counter per name: a, A, a, a_1, a give a, A_1, a_2, a_1_1, a_3.
std::string GraphBuilder::uniqueName(std::string_view name, bool markAsUsed) {
  const std::string& scope = impl_->scope();
  std::string full = scope.empty() ? std::string(name) : scope + "/" + std::string(name);
  const std::string base = loweredName(full);
  auto& used = impl_->namesInUse;
  const auto it = used.find(base);
  int i = it == used.end() ? 0 : it->second;
  if (markAsUsed) used[base] = i + 1;
  if (i == 0) return full;
  std::string key = base;
  while (used.contains(key)) key = base + "_" + std::to_string(i++);
  if (markAsUsed) used[key] = 1;
  return full + "_" + std::to_string(i - 1);
}

GraphBuilder::Guard GraphBuilder::controlDependencies(const std::vector<int>& nodes) {
  std::vector<int> deps;
  for (int n : nodes) {
    if (n >= 0 && std::find(deps.begin(), deps.end(), n) == deps.end()) deps.push_back(n);
  }
  auto& controllers = impl_->stacks().controllers;  // ended by the thread that began it
  controllers.push_back({std::move(deps), {}});
  return Guard([&controllers] { controllers.pop_back(); });
}

GraphBuilder::Guard GraphBuilder::clearControlDependencies() {
  auto& controllers = impl_->stacks().controllers;
  auto saved = std::make_shared<std::vector<Impl::Controller>>(std::exchange(controllers, {}));
  auto context = std::exchange(impl_->context, nullptr);
  return Guard([this, &controllers, saved, context] {
    controllers = std::move(*saved);
    impl_->context = context;
  });
}

GraphBuilder::Guard GraphBuilder::device(std::string_view device) {
  Impl::DeviceScope scope;
  scope.clears = device.data() == nullptr;
  if (!scope.clears) {
    auto spec = DeviceParts::parse(device);
    if (!spec.ok()) fail(spec.error());
    else scope.spec = std::move(spec).value();
    if (device.empty()) scope.choose = std::exchange(extension<NextDeviceScope>().choose, nullptr);
  }
  auto& devices = impl_->stacks().devices;
  devices.push_back(std::move(scope));
  return Guard([&devices] { devices.pop_back(); });
}

GraphBuilder::Guard chooseDevices(GraphBuilder& b, std::function<std::string(const Node&)> choose) {
  b.extension<NextDeviceScope>().choose = std::move(choose);
  return b.device("");
}

Status takeError(GraphBuilder& b) {
  return std::exchange(const_cast<Status&>(b.status()), Status());  // status() returns a reference to a member of a builder that is not const here
}

GraphBuilder::Guard GraphBuilder::colocateWith(int node, bool ignoreExisting) {
  Impl::Stacks& stacks = impl_->stacks();
  auto devices = std::exchange(stacks.devices, {});
  auto colocations = stacks.colocations;
  if (ignoreExisting) stacks.colocations.clear();
  if (node >= 0) stacks.colocations.push_back(node);
  return Guard([&stacks, devices = std::move(devices), colocations = std::move(colocations)] {
    stacks.devices = devices;
    stacks.colocations = colocations;
  });
}

GraphBuilder::Guard GraphBuilder::controlFlow(std::shared_ptr<ControlFlowContext> context) {
  auto old = std::exchange(impl_->context, std::move(context));
  return Guard([this, old = std::move(old)] { impl_->context = old; });
}

void GraphBuilder::setControlFlow(std::shared_ptr<ControlFlowContext> context) { impl_->context = std::move(context); }
std::vector<int> GraphBuilder::pendingControls(const std::vector<Output>& inputs) const { return impl_->controlsFor(inputs); }
void GraphBuilder::markSeenByControls(int node) {
  for (auto& c : impl_->stacks().controllers) c.seen.insert(node);
}

std::shared_ptr<ControlFlowContext> GraphBuilder::controlFlowContext() const { return impl_->context; }

std::shared_ptr<ControlFlowContext> GraphBuilder::contextOf(int node) const {
  return node >= 0 && node < int(impl_->contexts.size()) ? impl_->contexts[node] : nullptr;
}

void GraphBuilder::setContextOf(int node, std::shared_ptr<ControlFlowContext> context) {
  if (node < 0) return;
  if (int(impl_->contexts.size()) <= node) impl_->contexts.resize(size_t(node) + 1);
  impl_->contexts[node] = std::move(context);
}

GraphBuilder::Guard GraphBuilder::attrScope(AttrMap attrs) {
  impl_->attrScopes.push_back(std::move(attrs));
  return Guard([this] { impl_->attrScopes.pop_back(); });
}

void GraphBuilder::setGraphSeed(std::optional<int64_t> seed) { impl_->graphSeed = seed; }

// TensorFlow 1.15 counts all operations so far, not only random ones.
std::pair<int64_t, int64_t> GraphBuilder::seedsFor(std::optional<int64_t> opSeed) const {
  constexpr int64_t kMaxInt32 = 2147483647;
  const auto truncated = [](int64_t v) { return ((v % kMaxInt32) + kMaxInt32) % kMaxInt32; };
  if (!impl_->graphSeed && !opSeed) return {0, 0};
  const int64_t first = impl_->graphSeed ? truncated(*impl_->graphSeed) : 87654321;
  const auto& source = const_cast<GraphBuilder*>(this)->extension<OpSeedSource>();  // made here at most, never changed
  const int64_t second = truncated(opSeed ? *opSeed : source.next ? source.next() : int64_t(impl_->meta.graph.size()));
  if (first == 0 && second == 0) return {0, kMaxInt32};
  return {first, second};
}

void GraphBuilder::addToCollection(std::string_view collection, std::string_view nodeOrTensorName) {
  if (!ok()) return;
  impl_->meta.collections[std::string(collection)].nodes.emplace_back(nodeOrTensorName);
}

std::vector<int> GraphBuilder::Impl::controlsFor(const std::vector<Output>& inputs) const {
  std::vector<int> out;
  for (const Controller& c : stacks().controllers) {
    const bool waitsAlready = std::any_of(inputs.begin(), inputs.end(), [&](Output o) { return c.seen.contains(o.node); });
    if (waitsAlready) continue;
    for (int dep : c.deps) {
      const bool isInput = std::any_of(inputs.begin(), inputs.end(), [&](Output o) { return o.node == dep; });
      if (!isInput && std::find(out.begin(), out.end(), dep) == out.end()) out.push_back(dep);
    }
  }
  return out;
}

void GraphBuilder::Impl::applyScopes(Node& node, const std::vector<int>& alsoColocateWith) const {
  applyAttrScopes(node);
  if (alsoColocateWith.empty()) applyDevices(node);
  applyColocations(node, alsoColocateWith);
}

void GraphBuilder::Impl::applyAttrScopes(Node& node) const {
  for (auto it = attrScopes.rbegin(); it != attrScopes.rend(); ++it) {
    for (const auto& [name, value] : *it) {
      if (!node.attrs.find(name)) node.attrs.set(name, value);
    }
  }
}

void GraphBuilder::Impl::applyDevices(Node& node) const {
  // From the innermost device scope outwards; inner parts win.
  const std::vector<DeviceScope>& devices = stacks().devices;
  DeviceParts spec;
  bool any = false;
  for (auto it = devices.rbegin(); it != devices.rend() && !it->clears; ++it) {
    if (it->choose) {
      // A function's result is kept verbatim unless an outer scope adds to it.
      if (any) node.device = spec.toString();
      node.device = it->choose(node);
      auto chosen = DeviceParts::parse(node.device);
      spec = chosen.ok() ? std::move(chosen).value() : DeviceParts();
      any = false;
      continue;
    }
    DeviceParts merged = it->spec;
    if (merged.toString().empty()) continue;
    merged.mergeFrom(spec);
    spec = merged;
    any = true;
  }
  if (any) node.device = spec.toString();
}

void GraphBuilder::Impl::applyColocations(Node& node, const std::vector<int>& also) const {
  std::vector<int> with = stacks().colocations;
  with.insert(with.end(), also.begin(), also.end());
  if (with.empty()) return;
  std::set<std::string> groups;
  for (auto it = with.rbegin(); it != with.rend(); ++it) {
    const Node* other = meta.graph.node(*it);
    if (!other) continue;
    const auto theirs = other->attrs.list<std::string>("_class");
    bool grouped = false;
    for (const std::string& g : theirs) {
      if (g.starts_with("loc:@")) {
        groups.insert(g);
        grouped = true;
      }
    }
    if (!grouped) groups.insert("loc:@" + other->name);
    if (!other->device.empty()) node.device = other->device;
  }
  node.attrs.set("_class", std::vector<std::string>(groups.begin(), groups.end()));
}

}  // namespace weft
