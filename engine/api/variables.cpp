#include "api/variables.h"

#include <algorithm>

#include "ops/grad_ops.h"
#include "proto/meta_graph.pb.h"

namespace weft::api {
namespace {

// The variables known to tf.get_variable, and the current variable scope.
struct Store {
  std::map<std::string, VariablePtr> byName;  // of get_variable
  std::vector<VariablePtr> all;
  std::map<std::string, int> scopeCounts;
  std::string scope;
  Reuse reuse = Reuse::No;
  std::vector<std::tuple<std::string, Reuse, std::map<std::string, int>>> stack;
  bool collectionsRead = false;
};

Store& storeOf(GraphBuilder& b) {
  Store& store = b.extension<Store>();
  if (store.collectionsRead) return store;
  store.collectionsRead = true;
  // Variables already in the graph.
  for (const char* collection : {"variables", "trainable_variables", "local_variables"}) {
    const auto it = b.meta().collections.find(collection);
    if (it == b.meta().collections.end()) continue;
    for (const std::string& bytes : it->second.bytes) {
      tensorflow::VariableDef def;
      if (!def.ParseFromString(bytes)) continue;
      const auto handle = b.graph().findOutput(def.variable_name());
      const Node* init = b.graph().find(def.initializer_name());
      if (!handle.ok() || !init) continue;
      if (std::any_of(store.all.begin(), store.all.end(), [&](const VariablePtr& v) { return v->handle == *handle; })) continue;
      auto v = std::make_shared<Variable>();
      const Node& n = b.nodeAt(handle->node);
      v->name = n.name;
      v->handle = *handle;
      if (const auto s = b.graph().findOutput(def.snapshot_name()); s.ok()) v->snapshot = *s;
      if (const auto s = b.graph().findOutput(def.initial_value_name()); s.ok()) v->initialValue = *s;
      v->initializer = init->id;
      v->resource = def.is_resource();
      v->dtype = n.attrs.type("dtype");
      v->shape = n.attrs.shape("shape");
      v->trainable = def.trainable();
      store.all.push_back(v);
      store.byName.emplace(v->name, v);
    }
  }
  return store;
}

std::string variableDef(GraphBuilder& b, const Variable& v) {
  tensorflow::VariableDef def;
  def.set_variable_name(b.graph().tensorName(v.handle));
  def.set_initializer_name(b.nodeAt(v.initializer).name);
  def.set_snapshot_name(b.graph().tensorName(v.snapshot));
  def.set_initial_value_name(b.graph().tensorName(v.initialValue));
  def.set_is_resource(v.resource);
  def.set_trainable(v.trainable);
  return def.SerializeAsString();
}

void collect(GraphBuilder& b, const std::shared_ptr<Variable>& v, const VariableOptions& options) {
  if (!b.ok()) return;
  std::vector<std::string> names = options.collections;
  if (names.empty()) {
    names.push_back(options.kind);
    if (options.trainable) names.emplace_back("trainable_variables");
  }
  for (const std::string& name : names) {
    Collection& c = b.meta().collections[name];
    c.kind = Collection::Kind::Bytes;
    c.bytes.push_back(variableDef(b, *v));
  }
  storeOf(b).all.push_back(v);
}

// Adds the ops of one variable. `make` builds the initial value; `initialFirst`: outside the Initializer scope, as tf.Variable does for values
// that are not functions.
VariablePtr build(GraphBuilder& b, std::string_view name, const std::function<Output()>& make, bool isFunction, const VariableOptions& options) {
  auto v = std::make_shared<Variable>();
  v->trainable = options.trainable;
  v->resource = options.resource.value_or(false);
  const auto clear = b.clearControlDependencies();
  const py::Scope scope(b, name);
  if (!b.ok()) return v;
  v->name = scope.name().substr(0, scope.name().size() - 1);
  const AttrMap ownClass = {{"_class", std::vector<std::string>{"loc:@" + v->name}}};
  if (isFunction || v->resource) {
    const auto attrs = b.attrScope(ownClass);
    {
      const auto inside = b.nameScope("Initializer");
      const auto anywhere = b.device(std::string_view());
      v->initialValue = make();
    }
    v->dtype = b.dtype(v->initialValue);
    v->shape = b.shape(v->initialValue);
    if (v->resource) {
      v->handle = b.op("VarHandleOp", {}, {{"dtype", v->dtype}, {"shape", v->shape}, {"shared_name", v->name}, {"container", ""}}, scope.name());
    } else {
      v->handle = b.op("VariableV2", {}, {{"dtype", v->dtype}, {"shape", v->shape}, {"container", ""}, {"shared_name", ""}}, scope.name());
    }
  } else {
    v->initialValue = make();
    v->dtype = b.dtype(v->initialValue);
    v->shape = b.shape(v->initialValue);
    v->handle = b.op("VariableV2", {}, {{"dtype", v->dtype}, {"shape", v->shape}, {"container", ""}, {"shared_name", ""}}, scope.name());
  }
  if (!b.ok()) return v;
  if (v->resource) {
    {
      const auto inside = b.nameScope("IsInitialized");
      b.node("VarIsInitializedOp", {v->handle});
    }
    {
      const py::Scope assign(b, "Assign");
      const auto alone = b.colocateWith(-1, true);
      v->initializer = b.node("AssignVariableOp", {v->handle, v->initialValue}, {}, assign.name());
    }
    const auto inside = b.nameScope("Read");
    v->snapshot = b.op("ReadVariableOp", {v->handle}, {{"dtype", v->dtype}});
  } else {
    v->initializer = b.node("Assign", {v->handle, v->initialValue});
    const auto with = b.colocateWith(v->handle.node);
    v->snapshot = b.identity(v->handle, "read");
  }
  collect(b, v, options);
  return v;
}

}  // namespace

VariablePtr variable(GraphBuilder& b, Output initial, std::string_view name, const VariableOptions& options) {
  return build(
      b, name, [&] { return initial; }, false, options);
}

VariablePtr variable(GraphBuilder& b, const Tensor& initial, std::string_view name, const VariableOptions& options) {
  return build(
      b, name, [&] { return b.constant(initial, "initial_value"); }, false, options);
}

VariablePtr clientCounter(GraphBuilder& b, std::string_view name, const std::function<Output()>& make) {
  const auto& client = b.extension<VariableClient>();
  return client.counter ? client.counter(name, make) : nullptr;
}

void setVariableClient(GraphBuilder& b, VariableClient client) { b.extension<VariableClient>() = std::move(client); }

void adoptVariable(GraphBuilder& b, VariablePtr v) { storeOf(b).all.push_back(std::move(v)); }

VariablePtr variable(GraphBuilder& b, const std::function<Output()>& make, std::string_view name, const VariableOptions& options) {
  return build(b, name, make, true, options);
}

VariablePtr getVariable(GraphBuilder& b, std::string_view name, const Shape& shape, const Initializer& initializer, const VariableOptions& options) {
  if (const auto& client = b.extension<VariableClient>(); client.get) {
    VariablePtr v = client.get(name, shape, initializer, options);
    return v ? v : std::make_shared<Variable>();
  }
  Store& store = storeOf(b);
  std::string full = store.scope.empty() ? std::string(name) : name.empty() ? store.scope : store.scope + "/" + std::string(name);
  const auto it = store.byName.find(full);
  if (it != store.byName.end()) {
    if (store.reuse == Reuse::No) {
      b.fail(invalidArgument("Variable ", full, " already exists, disallowed. Did you mean to set reuse=True or reuse=tf.AUTO_REUSE in VarScope?"));
      return it->second;
    }
    if (!it->second->shape.compatibleWith(shape)) {
      b.fail(invalidArgument("Trying to share variable ", full, ", but specified shape ", shape.toPythonString(), " and found shape ",
                             it->second->shape.toPythonString(), "."));
    }
    return it->second;
  }
  if (store.reuse == Reuse::Yes) {
    b.fail(
        invalidArgument("Variable ", full, " does not exist, or was not created with tf.get_variable(). Did you mean to set reuse=tf.AUTO_REUSE in VarScope?"));
    return std::make_shared<Variable>();
  }
  if (!shape.isFullyKnown()) {
    b.fail(invalidArgument("Shape of a new variable (", full, ") must be fully defined, but instead was ", shape.toPythonString(), "."));
    return std::make_shared<Variable>();
  }
  Initializer make = initializer;
  if (!make) make = isFloating(options.dtype) ? glorotUniformInitializer() : zerosInitializer();
  const auto root = b.nameScope("");
  auto v = build(
      b, name.empty() ? full + "/" : full, [&] { return make(b, shape, options.dtype); }, true, options);
  store.byName.emplace(full, v);
  return v;
}

Output read(GraphBuilder& b, const Variable& v) {
  if (!v.resource) return v.snapshot;
  const auto alone = b.colocateWith(-1, true);
  const auto beside = b.device(b.nodeAt(v.handle.node).device);
  return b.op("ReadVariableOp", {v.handle}, {{"dtype", v.dtype}});
}

std::vector<VariablePtr> variablesIn(GraphBuilder& b, const std::string& collection) {
  std::vector<VariablePtr> out;
  const Store& store = storeOf(b);
  const auto it = b.meta().collections.find(collection);
  if (it == b.meta().collections.end()) return out;
  for (const std::string& bytes : it->second.bytes) {
    tensorflow::VariableDef def;
    if (!def.ParseFromString(bytes)) continue;
    for (const VariablePtr& v : store.all) {
      if (b.graph().tensorName(v->handle) == def.variable_name()) {
        out.push_back(v);
        break;
      }
    }
  }
  return out;
}

VariablePtr findVariable(GraphBuilder& b, std::string_view name) {
  if (const size_t colon = name.rfind(':'); colon != name.npos) name = name.substr(0, colon);
  for (const VariablePtr& v : storeOf(b).all) {
    if (v->name == name) return v;
  }
  return nullptr;
}

VariableScope::VariableScope(GraphBuilder& b, std::string_view name, std::string_view defaultName, Reuse reuse) : b_(b) {
  if (const auto& client = b.extension<VariableClient>(); client.enter) {
    std::tie(name_, nameScope_) = client.enter(name, defaultName, {}, reuse);
    client_ = true;
    return;
  }
  Store& store = storeOf(b);
  const auto joined = [&](const std::string& part) { return store.scope.empty() ? part : store.scope + "/" + part; };
  std::string own(name);
  if (own.empty()) {
    guard_ = b.nameScope(defaultName);
    own = defaultName;
    for (int i = 1; store.scopeCounts[joined(own)] > 0; ++i) own = std::string(defaultName) + "_" + std::to_string(i);
  } else {
    guard_ = b.nameScope(own);
  }
  name_ = joined(own);
  nameScope_ = b.currentScope();
  ++store.scopeCounts[name_];
  store.stack.emplace_back(store.scope, store.reuse, store.scopeCounts);
  store.scope = name_;
  if (reuse != Reuse::No) store.reuse = reuse;
}

VariableScope::VariableScope(GraphBuilder& b, Reenter, const std::string& variablePrefix, const std::string& nameScope, Reuse reuse)
    : b_(b), name_(variablePrefix), nameScope_(nameScope), reentered_(true) {
  if (const auto& client = b.extension<VariableClient>(); client.enter) {
    client.enter(variablePrefix, {}, nameScope, reuse);
    client_ = true;
    return;
  }
  guard_ = b.nameScope(nameScope);
  Store& store = storeOf(b);
  store.stack.emplace_back(store.scope, store.reuse, store.scopeCounts);
  ++store.scopeCounts[name_];
  store.scope = name_;
  if (reuse != Reuse::No) store.reuse = reuse;
}

VariableScope::~VariableScope() {
  if (client_) {
    b_.extension<VariableClient>().leave();
    return;
  }
  Store& store = storeOf(b_);
  for (auto& [key, count] : store.scopeCounts) {
    if (key.starts_with(name_ + "/")) count = 0;
  }
  auto& [scope, reuse, counts] = store.stack.back();
  if (reentered_) store.scopeCounts = std::move(counts);
  store.scope = scope;
  store.reuse = reuse;
  store.stack.pop_back();
}

LayerScope::LayerScope(GraphBuilder& b, const std::string& name, std::string_view baseName, bool reuse) {
  std::string prefix, nameScope;
  {
    const VariableScope found(b, name, baseName);
    prefix = found.name();
    nameScope = found.originalNameScope();
  }
  scope_.reset(new VariableScope(b, VariableScope::Reenter{}, prefix, nameScope, reuse ? Reuse::Yes : Reuse::No));
}

int callNode(GraphBuilder& b, std::string_view op, const std::vector<Arg>& args, AttrMap attrs, std::string_view name) {
  const bool reads = std::any_of(args.begin(), args.end(), [](const Arg& a) { return a.var && a.var->resource; });
  std::vector<Output> inputs;
  if (!reads) {
    for (const Arg& a : args) inputs.push_back(a.var ? a.var->snapshot : a.output);
    return b.node(op, Inputs(inputs), std::move(attrs), name);
  }
  const py::Scope scope(b, name.empty() ? op : name);
  for (const Arg& a : args) inputs.push_back(a.var ? read(b, *a.var) : a.output);
  return b.node(op, Inputs(inputs), std::move(attrs), scope.name());
}

int globalVariablesInitializer(GraphBuilder& b, std::string_view name) {
  std::vector<int> initializers;
  for (const VariablePtr& v : variablesIn(b)) initializers.push_back(v->initializer);
  return b.group(initializers, name);
}

VariablePtr globalStep(GraphBuilder& b) {
  if (const auto found = variablesIn(b, "global_step"); !found.empty()) return found[0];
  VariableOptions options;
  options.dtype = DType::Int64;
  options.trainable = false;
  options.collections = {"variables", "global_step"};
  return getVariable(b, "global_step", Shape{}, zerosInitializer(), options);
}

}  // namespace weft::api
