#include <algorithm>

#include "api/nn.h"
#include "api/training.h"
#include "graph/indexed_slices.h"
#include "ops/grad_ops.h"

namespace weft::api {
namespace {

// One run of apply_gradients(): hyperparameters as tensors, slots of the variables.
class Optimizer {
 public:
  Optimizer(GraphBuilder& b, const OptimizerOptions& o) : b_(b), o_(o), name_(o.name.empty() ? o.kind : o.name) {}

  void createSlots(const std::vector<VariablePtr>& variables);
  void prepare();
  int update(const VariablePtr& v, const Gradient& grad);
  int finish(const std::vector<int>& updates, std::string_view scope);
  const std::string& name() const { return name_; }

 private:
  VariablePtr slot(const VariablePtr& v, const Initializer& initializer);
  VariablePtr accumulator(const VariablePtr& with, double value, std::string_view name);
  Output hyper(double value, std::string_view name) { return b_.number(DType::Float, value, name); }
  int dense(const VariablePtr& v, Output grad);
  int sparse(const VariablePtr& v, const IndexedSlices& grad);
  int sparseAdam(const VariablePtr& v, Output values, Output indices);
  Output as(Output x, const VariablePtr& v) { return b_.cast(x, v->dtype); }

  GraphBuilder& b_;
  const OptimizerOptions& o_;
  std::string name_;
  std::map<const Variable*, std::vector<VariablePtr>> slots_;
  VariablePtr beta1Power_, beta2Power_;
  Output rate_, momentum_, decay_, beta1_, beta2_, epsilon_;
};

// slot_creator: a variable named below its primary variable ("w/Adam") and colocated with it.
VariablePtr Optimizer::slot(const VariablePtr& v, const Initializer& initializer) {
  const VariableScope scope(b_, "", v->name + "/" + name_);
  const auto with = b_.colocateWith(v->handle.node);
  VariableOptions options;
  options.dtype = v->dtype;
  options.trainable = false;
  options.resource = v->resource;
  return getVariable(b_, "", v->shape, initializer, options);
}

VariablePtr Optimizer::accumulator(const VariablePtr& with, double value, std::string_view name) {
  const auto where = b_.colocateWith(with->handle.node);
  VariableOptions options;
  options.trainable = false;
  options.resource = with->resource;
  return variable(b_, Tensor::scalar(float(value)), name, options);
}

void Optimizer::createSlots(const std::vector<VariablePtr>& variables) {
  if (o_.kind == "Adam") {
    const auto first = *std::min_element(variables.begin(), variables.end(), [](const auto& x, const auto& y) { return x->name < y->name; });
    beta1Power_ = accumulator(first, o_.beta1, "beta1_power");
    beta2Power_ = accumulator(first, o_.beta2, "beta2_power");
  }
  for (const VariablePtr& v : variables) {
    auto& mine = slots_[v.get()];
    if (o_.kind == "Momentum") {
      mine = {slot(v, zerosInitializer())};
    } else if (o_.kind == "Adagrad") {
      mine = {slot(v, constantInitializer(o_.initialAccumulator))};
    } else if (o_.kind == "RMSProp") {
      mine.push_back(slot(v, onesInitializer()));
      mine.push_back(slot(v, zerosInitializer()));
    } else if (o_.kind == "Adam") {
      mine.push_back(slot(v, zerosInitializer()));
      mine.push_back(slot(v, zerosInitializer()));
    }
  }
}

void Optimizer::prepare() {
  rate_ = o_.learningRateTensor.valid() ? o_.learningRateTensor : hyper(o_.learningRate, "learning_rate");
  if (o_.kind == "Momentum") {
    momentum_ = hyper(o_.momentum, "momentum");
  } else if (o_.kind == "RMSProp") {
    decay_ = hyper(o_.decay, "decay");
    momentum_ = hyper(o_.momentum, "momentum");
    epsilon_ = hyper(o_.epsilon, "epsilon");
  } else if (o_.kind == "Adam") {
    beta1_ = hyper(o_.beta1, "beta1");
    beta2_ = hyper(o_.beta2, "beta2");
    epsilon_ = hyper(o_.epsilon, "epsilon");
  }
}

int Optimizer::dense(const VariablePtr& v, Output grad) {
  const auto& s = slots_[v.get()];
  const bool res = v->resource;
  const auto apply = [&](const char* op, const std::vector<Arg>& args, AttrMap attrs = {}) {
    return callNode(b_, res ? std::string("Resource") + op : std::string(op), args, std::move(attrs));
  };
  if (o_.kind == "GradientDescent") return apply("ApplyGradientDescent", {v->handle, as(rate_, v), grad});
  if (o_.kind == "Momentum") {
    return apply("ApplyMomentum", {v->handle, s[0]->handle, as(rate_, v), grad, as(momentum_, v)}, {{"use_nesterov", o_.nesterov}});
  }
  if (o_.kind == "Adagrad") return apply("ApplyAdagrad", {v->handle, s[0]->handle, as(rate_, v), grad});
  if (o_.kind == "RMSProp") {
    return apply("ApplyRMSProp", {v->handle, s[0]->handle, s[1]->handle, as(rate_, v), as(decay_, v), as(momentum_, v), as(epsilon_, v), grad});
  }
  if (v->dtype != DType::Float) {
    return apply("ApplyAdam", {v->handle, s[0]->handle, s[1]->handle, as(read(b_, *beta1Power_), v), as(read(b_, *beta2Power_), v), as(rate_, v), as(beta1_, v),
                               as(beta2_, v), as(epsilon_, v), grad});
  }
  return apply("ApplyAdam", {v->handle, s[0]->handle, s[1]->handle, beta1Power_, beta2Power_, rate_, beta1_, beta2_, epsilon_, grad});
}

int Optimizer::sparseAdam(const VariablePtr& v, Output values, Output indices) {
  const auto& s = slots_[v.get()];
  // Resource variables are read where they are used.
  const auto power = [&](const VariablePtr& p) { return as(read(b_, *p), v); };
  const Output rate = as(rate_, v), beta1 = as(beta1_, v), beta2 = as(beta2_, v), epsilon = as(epsilon_, v);
  const Output root = b_.op("Sqrt", {py::sub(b_, 1, power(beta2Power_))});
  const Output scaled = py::mul(b_, rate, root);
  const Output lr = py::truediv(b_, scaled, py::sub(b_, 1, power(beta1Power_)));
  const auto moment = [&](const VariablePtr& m, Output beta, Output increment) -> Output {
    // m = beta * m everywhere, then the gradient is added to its rows.
    const Output shrunk = py::mul(b_, read(b_, *m), beta);
    if (m->resource) {
      const int assigned = b_.node("AssignVariableOp", {m->handle, shrunk});
      const auto wait = b_.controlDependencies({assigned});
      b_.op("ReadVariableOp", {m->handle}, {{"dtype", m->dtype}});  // what assign() returns
      const int added = b_.node("ResourceScatterAdd", {m->handle, indices, increment}, {{"dtype", m->dtype}});
      const auto then = b_.controlDependencies({added});
      return read(b_, *m);
    }
    const Output assigned = b_.op("Assign", {m->handle, shrunk}, {{"use_locking", false}});
    const auto wait = b_.controlDependencies({assigned.node});
    return b_.op("ScatterAdd", {m->handle, indices, increment});
  };
  const Output g1 = py::mul(b_, values, py::sub(b_, 1, beta1));
  const Output m = moment(s[0], beta1, g1);
  const Output squared = py::mul(b_, values, values);
  const Output g2 = py::mul(b_, squared, py::sub(b_, 1, beta2));
  const Output second = moment(s[1], beta2, g2);
  const Output bottom0 = b_.op("Sqrt", {second});
  const Output top = py::mul(b_, lr, m);
  const Output bottom = py::add(b_, bottom0, epsilon);
  const Output step = py::truediv(b_, top, bottom);
  const int update = b_.node(v->resource ? "AssignSubVariableOp" : "AssignSub", {v->handle, step});
  if (v->resource) {
    const auto wait = b_.controlDependencies({update});
    b_.op("ReadVariableOp", {v->handle}, {{"dtype", v->dtype}});  // what assign_sub() returns
  }
  return b_.group({update, m.node, second.node});
}

int Optimizer::sparse(const VariablePtr& v, const IndexedSlices& grad) {
  const auto& s = slots_[v.get()];
  if (o_.kind == "GradientDescent") {
    if (v->resource) {
      const Output minus = py::neg(b_, grad.values);
      const Output step = o_.learningRateTensor.valid() ? py::mul(b_, minus, rate_) : py::mul(b_, minus, o_.learningRate);
      return b_.node("ResourceScatterAdd", {v->handle, grad.indices, step}, {{"dtype", v->dtype}});
    }
    return b_.node("ScatterSub", {v->handle, grad.indices, py::mul(b_, grad.values, as(rate_, v))});
  }
  // Rows that occur several times are summed first.
  const int unique = b_.node("Unique", {grad.indices});
  const Output indices{unique, 0}, positions{unique, 1};
  const Output rows = py::at(b_, py::shape(b_, indices), 0);
  const Output values = b_.op("UnsortedSegmentSum", {grad.values, positions, rows});
  const std::string prefix = v->resource ? "ResourceSparseApply" : "SparseApply";
  if (o_.kind == "Momentum") {
    return b_.node(prefix + "Momentum", {v->handle, s[0]->handle, as(rate_, v), values, indices, as(momentum_, v)}, {{"use_nesterov", o_.nesterov}});
  }
  if (o_.kind == "Adagrad") return b_.node(prefix + "Adagrad", {v->handle, s[0]->handle, as(rate_, v), values, indices});
  if (o_.kind == "RMSProp") {
    return b_.node(prefix + "RMSProp",
                   {v->handle, s[0]->handle, s[1]->handle, as(rate_, v), as(decay_, v), as(momentum_, v), as(epsilon_, v), values, indices});
  }
  return sparseAdam(v, values, indices);
}

int Optimizer::update(const VariablePtr& v, const Gradient& grad) {
  const auto scope = b_.nameScope("update_" + v->name);
  const auto where = b_.colocateWith(v->handle.node);
  return grad.slices ? sparse(v, *grad.slices) : dense(v, grad.dense);
}

int Optimizer::finish(const std::vector<int>& updates, std::string_view scope) {
  if (o_.kind != "Adam") return b_.group(updates, scope);
  std::vector<int> all = updates;
  {
    const auto wait = b_.controlDependencies(updates);
    for (const auto& [power, beta] : {std::pair(beta1Power_, beta1_), std::pair(beta2Power_, beta2_)}) {
      if (power->resource) {
        const auto with = b_.colocateWith(beta1Power_->handle.node);
        const Output now = read(b_, *power);
        const Output next = py::mul(b_, now, beta);
        const int assigned = b_.node("AssignVariableOp", {power->handle, next});
        all.push_back(assigned);
        const auto after = b_.controlDependencies({assigned});
        b_.op("ReadVariableOp", {power->handle}, {{"dtype", power->dtype}});  // what assign() returns
      } else {
        const auto with = b_.colocateWith(beta1Power_->handle.node);
        const Output next = py::mul(b_, power->snapshot, beta);
        all.push_back(b_.node("Assign", {power->handle, next}, {{"use_locking", false}}));
      }
    }
  }
  return b_.group(all, scope);
}

}  // namespace

OptimizerOptions optimizerDefaults(std::string kind) {
  OptimizerOptions o;
  o.kind = std::move(kind);
  if (o.kind == "Adam") o.learningRate = 0.001;
  if (o.kind == "RMSProp") {
    o.momentum = 0;
    o.epsilon = 1e-10;
  }
  return o;
}

Result<int> applyGradients(GraphBuilder& b, const std::vector<Gradient>& grads, const std::vector<VariablePtr>& variables, const OptimizerOptions& options) {
  std::vector<VariablePtr> with;
  std::string names;
  for (size_t i = 0; i < grads.size(); ++i) {
    names += (i ? ", '" : "'") + variables[i]->name + "'";
    if (!grads[i].none()) with.push_back(variables[i]);
  }
  if (with.empty()) return invalidArgument("No gradients provided for any variable: [", names, "].");
  Optimizer optimizer(b, options);
  {
    const auto clear = b.clearControlDependencies();
    optimizer.createSlots(with);
  }
  std::vector<int> updates;
  const py::Scope scope(b, optimizer.name());
  optimizer.prepare();
  for (size_t i = 0; i < grads.size(); ++i) {
    if (!grads[i].none()) updates.push_back(optimizer.update(variables[i], grads[i]));
  }
  int train = -1;
  if (!options.globalStep) {
    train = optimizer.finish(updates, scope.name());
  } else {
    const int done = optimizer.finish(updates, "update");
    const auto wait = b.controlDependencies({done});
    const VariablePtr& step = options.globalStep;
    const auto where = b.colocateWith(step->handle.node);
    const Output one = b.number(step->dtype, 1, step->resource ? "Const" : "value");
    train = b.node(step->resource ? "AssignAddVariableOp" : "AssignAdd", {step->handle, one}, {}, scope.name());
  }
  WEFT_TRY(b.status());
  Collection& list = b.meta().collections["train_op"];
  const std::string& name = b.nodeAt(train).name;
  const std::string entry = b.nodeAt(train).outputTypes.empty() ? name : name + ":0";
  if (std::find(list.nodes.begin(), list.nodes.end(), entry) == list.nodes.end()) list.nodes.push_back(entry);
  return train;
}

Result<int> minimize(GraphBuilder& b, Output loss, const OptimizerOptions& options) {
  static const char* const kKinds[] = {"GradientDescent", "Momentum", "Adagrad", "RMSProp", "Adam"};
  if (std::none_of(std::begin(kKinds), std::end(kKinds), [&](const char* k) { return options.kind == k; })) {
    return invalidArgument("There is no optimizer '", options.kind, "'; expected GradientDescent, Momentum, Adagrad, RMSProp or Adam");
  }
  std::vector<VariablePtr> variables = options.variables;
  if (variables.empty()) variables = variablesIn(b, "trainable_variables");
  if (variables.empty()) return invalidArgument("No variables to optimize.");
  std::vector<Output> xs;
  for (const VariablePtr& v : variables) xs.push_back(v->handle);
  GradientsOptions gradients;
  gradients.gateGradients = true;
  WEFT_LET(std::vector<Gradient> grads, addGradients(b, {loss}, xs, gradients));
  if (options.clipGlobalNorm > 0) grads = clipByGlobalNorm(b, grads, options.clipGlobalNorm).first;
  return applyGradients(b, grads, variables, options);
}

}  // namespace weft::api
