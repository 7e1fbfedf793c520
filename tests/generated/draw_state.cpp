// Variables, optimizers and queues.
#include <algorithm>
#include <set>

#include "drawing.h"
#include "values.h"

namespace weft::generated {
namespace {

/// A variable with its initialiser.
struct Var {
  Output handle;
  DType type = DType::Float;
  Shape shape;
  bool resource = false;
};

std::optional<Var> makeVariable(Drawing& d, DType type, const Shape& shape, bool resource, const Tensor& value) {
  GraphBuilder& b = d.b();
  Var v{{}, type, shape, resource};
  const std::string name = b.uniqueName("var", false);
  if (resource) v.handle = b.op("VarHandleOp", {}, {{"dtype", type}, {"shape", shape}, {"shared_name", name}, {"container", ""}}, name);
  else v.handle = b.op("VariableV2", {}, {{"dtype", type}, {"shape", shape}, {"shared_name", ""}, {"container", ""}}, name);
  const Output initial = b.constant(value, "initial");
  const int assign = b.node(resource ? "AssignVariableOp" : "Assign", {v.handle, initial}, {}, "init");
  if (!b.ok()) return std::nullopt;
  d.initialise(assign);
  return v;
}

/// The value as a separate tensor, read between the effects before and after it.
Output readVariable(Drawing& d, const Var& v) {
  GraphBuilder& b = d.b();
  if (v.resource) {
    const int read = b.node("ReadVariableOp", {v.handle}, {{"dtype", v.type}}, "read");
    d.readOfState(read);
    return {read, 0};
  }
  const int read = b.node("Identity", {v.handle}, {}, "read");
  d.readOfState(read);
  // A reference aliases the variable's memory: the output is computed from it before anything is written.
  const int copy = b.node(hasNumbers(v.type) && v.type != DType::Bool ? "AddV2" : "Identity",
                          v.type != DType::Bool ? Inputs{{read, 0}, b.number(v.type, 0)} : Inputs{{read, 0}}, {}, "copy");
  d.readOfState(copy);
  return {copy, 0};
}

}  // namespace

bool drawVariable(Drawing& d) {
  Random& r = d.random();
  const Value* like = d.numbers(0, 4);
  if (!like || !hasNumbers(like->type)) return false;
  const Value v = *like;
  const DType type = v.type;
  static const std::set<DType> kAddable = {DType::Float, DType::Double, DType::Int32, DType::Int64, DType::Half, DType::Complex64};
  if (!kAddable.count(type)) return false;
  const bool resource = r.chance(0.5);
  const Tensor start = randomTensor(r, type, v.shape);
  const int64_t how = r.below(4), rows = v.shape.rank() > 0 ? v.shape.dim(0) : 0;
  return d.attempt([&] {
    GraphBuilder& b = d.b();
    const auto var = makeVariable(d, type, v.shape, resource, start);
    if (!var) return;
    if (r.chance(0.5)) d.offer(readVariable(d, *var));
    int update = -1;
    if (how == 3 && rows > 0) {
      Shape s = v.shape;
      s.setDim(0, 2);
      const Output indices = b.constant(randomBetween(r, DType::Int32, {2}, 0, double(rows - 1)), "indices");
      const Output change = b.constant(randomTensor(r, type, s), "change");
      static const std::vector<std::string> kScatter = {"ScatterAdd", "ScatterSub", "ScatterUpdate", "ScatterMul", "ScatterMax"};
      std::string op = r.pick(kScatter);
      if (type == DType::Complex64 && op == "ScatterMax") op = "ScatterAdd";
      update = b.node((resource ? "Resource" : "") + op, {var->handle, indices, change}, resource ? AttrMap{{"dtype", type}} : AttrMap{});
    } else if (resource) {
      static const std::vector<std::string> kOps = {"AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp"};
      update = b.node(kOps[size_t(how % 3)], {var->handle, v.out}, {{"dtype", type}});
    } else {
      static const std::vector<std::string> kOps = {"Assign", "AssignAdd", "AssignSub"};
      update = b.node(kOps[size_t(how % 3)], {var->handle, v.out});
    }
    if (!b.ok()) return;
    d.effect(update);
    const Output after = readVariable(d, *var);
    if (b.ok()) d.offer(after);
  });
}

namespace {

/// Ops like ApplyX and ResourceSparseApplyX; those that need a whole table of numbers are covered by the scripts.
std::vector<const OpRecord*> optimizers() {
  std::vector<const OpRecord*> out;
  for (const OpRecord* r : OpRegistry::instance().all())
    if (r->name.find("Apply") != std::string::npos && r->name.find("Accumulator") == std::string::npos && r->name.find("Boosted") == std::string::npos)
      out.push_back(r);
  return out;
}

}  // namespace

bool drawOptimizer(Drawing& d) {
  static const std::vector<const OpRecord*> kAll = optimizers();
  if (kAll.empty()) return false;
  Random& r = d.random();
  const OpRecord& record = *r.pick(kAll);
  const DType type = r.chance(0.7) ? DType::Float : DType::Double;
  Shape shape{r.between(1, 4), r.between(1, 3)};
  if (r.chance(0.2)) shape = Shape{r.between(1, 5)};
  const DType indexType = r.chance(0.5) ? DType::Int32 : DType::Int64;
  return d.attempt([&] {
    GraphBuilder& b = d.b();
    AttrMap attrs;
    if (record.findAttr("T")) attrs.set("T", type);
    if (record.findAttr("Tindices")) attrs.set("Tindices", indexType);
    for (const char* flag : {"use_locking", "use_nesterov", "update_slots"})
      if (record.findAttr(flag) && r.chance(0.5)) attrs.set(flag, r.chance(0.5));
    Shape grad = shape;
    const bool sparse = record.name.find("Sparse") != std::string::npos;
    if (sparse) grad.setDim(0, 1);
    std::vector<Output> inputs;
    std::optional<Var> first;
    for (const ArgSpec& a : record.inputs) {
      if (a.isRef || a.type == DType::Resource) {
        const auto v = makeVariable(d, type, shape, !a.isRef, randomBetween(r, type, shape, 0.1, 1));
        if (!v) return;
        if (!first) first = v;
        inputs.push_back(v->handle);
      } else if (a.name == "grad" || a.name == "delta") {
        inputs.push_back(d.similar(type, grad));
      } else if (a.name == "indices") {
        inputs.push_back(b.constant(randomBetween(r, indexType, {1}, 0, double(shape.dim(0) - 1)), "indices"));
      } else if (a.name == "global_step") {
        inputs.push_back(b.scalar<int64_t>(r.between(1, 5)));
      } else {
        inputs.push_back(d.fresh(randomBetween(r, type, {}, 0.05, 0.9)));
      }
      if (!b.ok()) return;
    }
    const int node = b.node(record.name, inputs, attrs);
    if (!b.ok()) return;
    d.effect(node);
    if (first) {
      const Output after = readVariable(d, *first);
      if (b.ok()) d.offer(after);
    }
  });
}

bool drawQueue(Drawing& d) {
  Random& r = d.random();
  const Value* like = d.find([](const Value& v) { return v.shape.isFullyKnown() && v.shape.elements() <= 256; });
  if (!like) return false;
  const Value v = *like;
  const int64_t kind = r.below(4);
  return d.attempt([&] {
    GraphBuilder& b = d.b();
    const std::string op = kind == 0 ? "FIFOQueueV2" : kind == 1 ? "PaddingFIFOQueueV2" : kind == 2 ? "RandomShuffleQueueV2" : "FIFOQueue";
    AttrMap attrs{{"component_types", std::vector<DType>{v.type}},
                  {"shapes", std::vector<Shape>{v.shape}},
                  {"capacity", int64_t(-1)},
                  {"shared_name", b.uniqueName("queue", false)}};
    if (kind == 2) {
      attrs.set("min_after_dequeue", int64_t(0));
      attrs.set("seed", int64_t(3));
      attrs.set("seed2", r.between(1, 9));
    }
    const Output queue = b.op(op, {}, attrs, b.uniqueName("queue", false));
    const std::string v2 = kind == 3 ? "" : "V2";
    const int64_t count = r.between(1, 3);
    for (int64_t i = 0; i < count; ++i) {
      const int in = b.node("QueueEnqueue" + v2, {queue, i == 0 ? v.out : d.similar(v.type, v.shape)}, {{"Tcomponents", std::vector<DType>{v.type}}});
      if (!b.ok()) return;
      d.effect(in);
    }
    const bool many = r.chance(0.4);
    const int out = many ? b.node("QueueDequeueMany" + v2, {queue, b.scalar(int32_t(count))}, {{"component_types", std::vector<DType>{v.type}}})
                         : b.node("QueueDequeue" + v2, {queue}, {{"component_types", std::vector<DType>{v.type}}});
    if (!b.ok()) return;
    d.effect(out);
    const int size = b.node("QueueSize" + v2, {queue});
    if (!b.ok()) return;
    d.readOfState(size);
    d.offer({out, 0});
    d.offer({size, 0});
  });
}

}  // namespace weft::generated
