// Lists, arrays, tables and variables by their handles: the ops of each store that other generators do not take.
#include "draw_stores.h"

#include <algorithm>

#include "values.h"

namespace weft::generated {
namespace {

using Types = std::vector<DType>;

/// A value of the pool with rows, by value: further draws move the pool.
std::optional<Value> rows(Drawing& d, bool floating = false) {
  const Value* v = d.numbers(1, 3, floating);
  if (!v || !hasNumbers(v->type) || v->shape.dim(0) < 1 || v->shape.elements() > 256) return std::nullopt;
  return *v;
}

Output shapeConstant(Drawing& d, const Shape& shape, DType type, bool known = true) {
  std::vector<int64_t> dims;
  for (const int64_t n : shape.dims()) dims.push_back(known || d.random().chance(0.5) ? n : -1);
  return d.b().constant(integers(type, dims), "shape");
}

Output someRows(Drawing& d, int64_t count, int64_t rows, DType type = DType::Int32) {
  return d.b().constant(randomBetween(d.random(), type, {count}, 0, double(rows - 1)), "indices");
}

void offerAll(Drawing& d, const std::vector<Output>& outputs) {
  if (!d.b().ok()) return;
  for (const Output& o : outputs) d.offer(o);
}

}  // namespace

bool drawList(Drawing& d) {
  const auto v = rows(d);
  if (!v) return false;
  Random& r = d.random();
  const int64_t n = v->shape.dim(0);
  const Shape item = v->shape.slice(1);
  const DType indexType = r.chance(0.5) ? DType::Int32 : DType::Int64;
  const Output one = d.similar(v->type, item);
  return d.attempt([&] {
    GraphBuilder& b = d.b();
    const AttrMap element{{"element_dtype", v->type}};
    const Output shape = shapeConstant(d, item, indexType, false), full = shapeConstant(d, item, DType::Int32);
    Output list;
    switch (r.below(5)) {
      case 0: {
        list = b.op("TensorListReserve", {shape, b.scalar(int32_t(n))}, element);
        for (int32_t i = 0; i < n; ++i) list = b.op("TensorListSetItem", {list, b.scalar(i), one}, element);
        break;
      }
      case 1: {
        std::vector<int64_t> order;
        for (int64_t i = 0; i < n; ++i) order.push_back(n - 1 - i);
        const Output indices = b.constant(integers(DType::Int32, order), "indices");
        list = r.chance(0.5) ? b.op("TensorListScatter", {v->out, indices, shape}, element)
                             : b.op("TensorListScatterV2", {v->out, indices, shape, b.scalar(int32_t(r.chance(0.5) ? -1 : n + r.below(2)))}, element);
        break;
      }
      case 2: {
        const int64_t cut = r.between(0, n);
        list = b.op("TensorListSplit", {v->out, shapeConstant(d, v->shape, indexType, false), b.constant(integers(DType::Int64, {cut, n - cut}), "lengths")},
                    element);
        const Output together = r.chance(0.5) ? b.op("TensorListConcat", {list}, {{"element_dtype", v->type}, {"element_shape", Shape::unknown()}})
                                              : b.op("TensorListConcatV2",
                                                     {list, b.constant(integers(DType::Int32, std::vector<int64_t>(size_t(v->shape.rank()), -1)), "shape"),
                                                      b.constant(integers(DType::Int64, {}), "lengths")},
                                                     element);
        offerAll(d, {together, {together.node, 1}, b.op("TensorListLength", {list})});
        return;
      }
      default: list = b.op("TensorListFromTensor", {v->out, shape}, element);
    }
    switch (r.below(5)) {
      case 0: list = b.op("TensorListPushBack", {list, one}, element); break;
      case 1: list = b.op("TensorListConcatLists", {list, b.op("TensorListFromTensor", {v->out, shape}, element)}, element); break;
      case 2:
        list = b.op("TensorListSetItem", {b.op("TensorListResize", {list, b.scalar(int32_t(n + 1))}), b.scalar(int32_t(r.below(n + 1))), one}, element);
        break;
      case 3:
        list = b.op("TensorListScatterIntoExistingList", {list, b.op("ExpandDims", {one, b.scalar<int32_t>(0)}), b.ints({int32_t(r.below(n))})}, element);
        break;
      default: break;
    }
    if (r.chance(0.2)) {
      // Two lists, each of which gets a row.
      const Output pair = b.op("Pack", {list, list}, {{"axis", int64_t(0)}});
      const Output both = b.op("TensorListPushBackBatch", {pair, b.op("Pack", {one, one}, {{"axis", int64_t(0)}})}, element);
      const int apart = b.node("Unpack", {both}, {{"num", int64_t(2)}, {"axis", int64_t(0)}});
      list = {apart, int(r.below(2))};
    }
    offerAll(
        d, {b.op("TensorListGetItem", {list, b.scalar(int32_t(r.below(n))), full}, element), b.op("TensorListGather", {list, someRows(d, 2, n), full}, element),
            b.op("TensorListStack", {list, full}, element), b.op("TensorListLength", {list})});
  });
}

bool drawArrayParts(Drawing& d) {
  const auto v = rows(d, true);
  if (!v) return false;
  Random& r = d.random();
  const int64_t n = v->shape.dim(0), cut = r.between(0, n);
  return d.attempt([&] {
    GraphBuilder& b = d.b();
    const int array = b.node("TensorArrayV3", {b.scalar<int32_t>(2)},
                             {{"dtype", v->type}, {"element_shape", Shape::unknown()}, {"clear_after_read", false}, {"identical_element_shapes", false}});
    const Output handle{array, 0}, lengths = b.constant(integers(DType::Int64, {cut, n - cut}), "lengths");
    const Output flow = b.op("TensorArraySplitV3", {handle, v->out, lengths, {array, 1}});
    const int joined =
        b.node("TensorArrayConcatV3", {handle, flow}, {{"dtype", v->type}, {"element_shape_except0", r.chance(0.5) ? v->shape.slice(1) : Shape::unknown()}});
    std::vector<int> readers{joined};
    std::vector<Output> outs{{joined, 0}, {joined, 1}};
    const int64_t how = r.below(3);
    if (how > 0) {
      const int grad = how == 1 ? b.node("TensorArrayGradV3", {handle, {joined, 0}}, {{"source", "gradients"}})
                                : b.node("TensorArrayGradWithShape", {handle, flow, b.ints({2})}, {{"source", "wider"}});
      if (how == 1) {
        // The flow orders the writes; its float value is never read.
        b.updateInput(grad, 1, flow);
        const Output back = b.op("TensorArraySplitV3", {{grad, 0}, v->out, lengths, {grad, 1}});
        const int sum = b.node("TensorArrayConcatV3", {{grad, 0}, back}, {{"dtype", v->type}, {"element_shape_except0", Shape::unknown()}});
        outs.push_back({sum, 0});
        readers.push_back(sum);
      } else {
        const int size = b.node("TensorArraySizeV3", {{grad, 0}, {grad, 1}});
        outs.push_back({size, 0});
        readers.push_back(size);
      }
    }
    if (!b.ok()) return;
    if (r.chance(0.5)) {
      const int closed = b.node("TensorArrayCloseV3", {handle});
      if (!b.ok()) return;
      b.addControlInputs(closed, readers);
      d.keepTarget(closed);
    }
    offerAll(d, outs);
  });
}

bool drawTable(Drawing& d) {
  Random& r = d.random();
  struct Kind {
    const char* op;
    bool ref, fixed, dense, tensors;
  };
  static const std::vector<Kind> kKinds = {{"HashTableV2", false, true, false, false},
                                           {"HashTable", true, true, false, false},
                                           {"MutableHashTableV2", false, false, false, false},
                                           {"MutableHashTable", true, false, false, false},
                                           {"MutableHashTableOfTensorsV2", false, false, false, true},
                                           {"MutableHashTableOfTensors", true, false, false, true},
                                           {"MutableDenseHashTableV2", false, false, true, false}};
  const Kind& kind = r.pick(kKinds);
  const DType type = r.chance(0.6) ? DType::Float : DType::Int64;
  const int64_t n = r.between(1, 5);
  const Shape row = kind.tensors ? Shape{2} : Shape{};
  Shape all = row, asked = row;
  std::vector<int64_t> names, wanted;
  for (int64_t i = 0; i < n; ++i) names.push_back(3 * i);
  const int64_t questions = r.between(0, 4);
  for (int64_t i = 0; i < questions; ++i) wanted.push_back(r.below(3 * n));
  all = row.rank() ? Shape{n, 2} : Shape{n};
  return d.attempt([&] {
    GraphBuilder& b = d.b();
    const std::string name = b.uniqueName("table", false), v2 = kind.ref ? "" : "V2";
    AttrMap attrs{{"key_dtype", DType::Int64}, {"value_dtype", type}, {"shared_name", name}};
    if (kind.tensors) attrs.set("value_shape", row);
    std::vector<Output> inputs;
    if (kind.dense) {
      attrs.set("initial_num_buckets", int64_t(8));
      inputs = {b.scalar<int64_t>(-1)};
      if (b.ok()) inputs.push_back(b.scalar<int64_t>(-2));
    }
    const Output table = b.op(kind.op, inputs, attrs, name);
    const Output keys = b.constant(integers(DType::Int64, names), "keys"), values = b.constant(randomTensor(r, type, all), "values");
    const int fill = b.node((kind.fixed ? "InitializeTable" : "LookupTableInsert") + v2, {table, keys, values});
    if (!b.ok()) return;
    d.initialise(fill);
    if (!kind.fixed && r.chance(0.6)) {
      const int more = b.node("LookupTableInsert" + v2, {table, d.similar(DType::Int64, {1}), d.similar(type, row.rank() ? Shape{1, 2} : Shape{1})});
      if (!b.ok()) return;
      d.effect(more);
    }
    if (!kind.fixed && !kind.ref && r.chance(0.4)) {
      const int gone = b.node("LookupTableRemoveV2", {table, b.constant(integers(DType::Int64, {0}), "keys")});
      if (!b.ok()) return;
      d.effect(gone);
    }
    const int find =
        b.node("LookupTableFind" + v2, {table, b.constant(integers(DType::Int64, wanted), "keys"), b.constant(randomTensor(r, type, row), "default")});
    const int size = b.node("LookupTableSize" + v2, {table});
    if (!b.ok()) return;
    d.readOfState(find);
    d.readOfState(size);
    offerAll(d, {{find, 0}, {size, 0}});
  });
}

namespace {

/// A variable of either kind with its initialiser.
Output variable(Drawing& d, bool resource, const Tensor& start) {
  GraphBuilder& b = d.b();
  const std::string name = b.uniqueName("store", false);
  const char* op = resource ? "VarHandleOp" : d.random().chance(0.5) ? "Variable" : "VariableV2";
  const Output handle =
      b.op(op, {}, {{"dtype", start.dtype()}, {"shape", start.shape()}, {"shared_name", resource ? name : std::string()}, {"container", ""}}, name);
  const int assign = b.node(resource ? "AssignVariableOp" : "Assign", {handle, b.constant(start, "initial")}, {}, "init");
  if (b.ok()) d.initialise(assign);
  return handle;
}

/// A copy of its value.
void offerVariable(Drawing& d, Output handle, DType type, bool resource) {
  GraphBuilder& b = d.b();
  const int read = resource ? b.node("ReadVariableOp", {handle}, {{"dtype", type}}, "read") : b.node("AddV2", {handle, b.number(type, 0)}, {}, "copy");
  if (!b.ok()) return;
  d.readOfState(read);
  d.offer({read, 0});
}

}  // namespace

bool drawScatter(Drawing& d) {
  Random& r = d.random();
  const bool resource = r.chance(0.5);
  const DType indexType = r.chance(0.5) ? DType::Int32 : DType::Int64;
  if (r.chance(0.15)) {
    return d.attempt([&] {
      GraphBuilder& b = d.b();
      const Output handle = variable(d, resource, filled(indexType, {}, [](int64_t) { return 1; }));
      const int count = b.node(resource ? "ResourceCountUpTo" : "CountUpTo", {handle},
                               resource ? AttrMap{{"limit", int64_t(40)}, {"T", indexType}} : AttrMap{{"limit", int64_t(40)}});
      if (!b.ok()) return;
      d.effect(count);
      // A reference count aliases the variable's memory: a computed copy is passed on.
      const int copy = b.node("AddV2", {{count, 0}, b.number(indexType, 0)}, {}, "copy");
      if (!b.ok()) return;
      d.readOfState(copy);
      d.offer({copy, 0});
    });
  }
  const DType type = r.pick(Types{DType::Float, DType::Float, DType::Double, DType::Int32, DType::Int64});
  const Shape shape{r.between(2, 5), r.between(1, 3)};
  const bool nd = r.chance(0.4);
  const int64_t depth = r.between(1, 2), count = r.between(0, 4);
  std::vector<int64_t> distinct;  // duplicate updates depend on the order
  for (int64_t i = 0; i < shape.dim(0); ++i)
    if (r.chance(0.6)) distinct.push_back(i);
  const Shape change =
      nd ? (depth == 2 ? Shape{int64_t(distinct.size())} : Shape{int64_t(distinct.size()), shape.dim(1)}) : Shape{int64_t(distinct.size()), shape.dim(1)};
  const Tensor numbers = randomBetween(r, type, change, 1, 4);
  return d.attempt([&] {
    GraphBuilder& b = d.b();
    const Output handle = variable(d, resource, randomBetween(r, type, shape, -4, 4));
    if (resource) {
      std::vector<int64_t> places;
      for (int64_t i = 0; i < count; ++i) {
        places.push_back(r.below(shape.dim(0)));
        if (depth == 2) places.push_back(r.below(shape.dim(1)));
      }
      const Output at = b.op("Reshape", {b.constant(integers(indexType, places), "places"), b.ints({int32_t(count), int32_t(depth)})});
      const int gather = b.node("ResourceGatherNd", {handle, at}, {{"dtype", type}});
      const int size = b.node("VariableShape", {handle}, {{"out_type", indexType}});
      if (!b.ok()) return;
      d.readOfState(gather);
      d.readOfState(size);
      offerAll(d, {{gather, 0}, {size, 0}});
    }
    int update = -1;
    if (nd) {
      std::vector<int64_t> places;
      for (const int64_t i : distinct) {
        places.push_back(i);
        if (depth == 2) places.push_back(r.below(shape.dim(1)));
      }
      const Output at = b.op("Reshape", {b.constant(integers(indexType, places), "places"), b.ints({int32_t(distinct.size()), int32_t(depth)})});
      static const std::vector<std::string> kOps = {"ScatterNdAdd", "ScatterNdSub", "ScatterNdUpdate"};
      update = b.node((resource ? "Resource" : "") + r.pick(kOps), {handle, at, b.constant(numbers, "change")});
    } else {
      static const std::vector<std::string> kOps = {"ScatterDiv", "ScatterMin", "ScatterMul", "ScatterSub", "ScatterMax"};
      update =
          b.node((resource ? "Resource" : "") + r.pick(kOps), {handle, b.constant(integers(indexType, distinct), "indices"), b.constant(numbers, "change")},
                 resource ? AttrMap{{"dtype", type}} : AttrMap{});
    }
    if (!b.ok()) return;
    d.effect(update);
    offerVariable(d, handle, type, resource);
  });
}

bool drawTemporary(Drawing& d) {
  Random& r = d.random();
  const Value* like = d.numbers(0, 3);
  if (!like || (like->type != DType::Float && like->type != DType::Double && like->type != DType::Int32)) return false;
  const Value v = *like;
  return d.attempt([&] {
    GraphBuilder& b = d.b();
    if (r.chance(0.5)) {
      const std::string name = b.uniqueName("temporary", false);
      const Output temporary = b.op("TemporaryVariable", {}, {{"dtype", v.type}, {"shape", v.shape}, {"var_name", name}}, name);
      Output now = b.op("Assign", {temporary, v.out});
      if (r.chance(0.7)) now = b.op("AssignAdd", {now, v.out});
      offerAll(d, {b.op("DestroyTemporaryVariable", {now}, {{"var_name", name}})});
      return;
    }
    const Output one = variable(d, false, randomTensor(r, v.type, v.shape)), other = variable(d, false, randomTensor(r, v.type, v.shape));
    Output chosen = r.chance(0.5) ? b.op("RefIdentity", {one}) : b.op("RefSelect", {b.scalar(int32_t(r.below(2))), one, other});
    const int update = b.node(r.chance(0.5) ? "Assign" : "AssignSub", {chosen, v.out});
    if (!b.ok()) return;
    d.effect(update);
    offerVariable(d, one, v.type, false);
    if (b.ok()) offerVariable(d, other, v.type, false);
  });
}

namespace {

/// Datasets over another dataset whose other arguments are numbers, flags and strings.
std::vector<const OpRecord*> plainDatasets() {
  std::vector<const OpRecord*> out;
  for (const OpRecord* record : OpRegistry::instance().all()) {
    const OpRecord& o = *record;
    if (o.name.find("Dataset") == std::string::npos || o.outputs.size() != 1 || o.outputs[0].type != DType::Variant || o.inputs.empty() ||
        o.inputs[0].type != DType::Variant)
      continue;
    bool plain = o.inputs[0].numberAttr.empty();
    for (size_t i = 1; i < o.inputs.size(); ++i) {
      const ArgSpec& a = o.inputs[i];
      plain = plain && a.numberAttr.empty() && !a.isTypeList && (a.type == DType::Int64 || a.type == DType::Bool || a.type == DType::String);
    }
    for (const AttrSpec& a : o.attrs) plain = plain && a.type != "func";
    for (const char* part : {"Sparse", "Snapshot", "Window", "ParseExample"})
      if (o.name.find(part) != std::string::npos) plain = false;
    if (plain) out.push_back(record);
  }
  return out;
}

}  // namespace

bool drawDataset(Drawing& d) {
  static const std::vector<const OpRecord*> kPlain = plainDatasets();
  Random& r = d.random();
  const auto v = rows(d);
  if (!v || kPlain.empty()) return false;
  const int64_t links = r.between(1, 4);
  return d.attempt([&] {
    GraphBuilder& b = d.b();
    // Element shapes are left to the run: batching and unbatching change them.
    const AttrMap element{{"output_types", Types{v->type}}, {"output_shapes", std::vector<Shape>{Shape::unknown()}}};
    const Output start = b.op("TensorSliceDataset", {v->out}, {{"Toutput_types", Types{v->type}}, {"output_shapes", std::vector<Shape>{v->shape.slice(1)}}});
    Output set = start;
    for (int64_t k = 0; k < links; ++k) {
      const int64_t special = r.below(12);
      if (special == 0) {
        set = b.op("ConcatenateDataset", {set, start}, element);
      } else if (special == 1) {
        const Output choice = b.op("TensorSliceDataset", {b.constant(randomBetween(r, DType::Int64, {5}, 0, 1), "choice")},
                                   {{"Toutput_types", Types{DType::Int64}}, {"output_shapes", std::vector<Shape>{Shape{}}}});
        AttrMap attrs = element;
        attrs.set("N", int64_t(2));
        set = b.op(r.chance(0.5) ? "DirectedInterleaveDataset" : "ExperimentalDirectedInterleaveDataset", {choice, set, start}, attrs);
      } else if (special == 2) {
        AttrMap attrs = element;
        attrs.erase("output_types");
        attrs.set("Toutput_types", Types{v->type});
        attrs.set("N", int64_t(1));
        const Output sizes = b.constant(integers(DType::Int64, std::vector<int64_t>(size_t(v->shape.rank() - 1), -1)), "padded"), with = b.number(v->type, 1);
        set = r.chance(0.5) ? b.op("PaddedBatchDataset", {set, b.scalar<int64_t>(r.between(1, 3)), sizes, with}, attrs)
                            : b.op("PaddedBatchDatasetV2", {set, b.scalar<int64_t>(r.between(1, 3)), sizes, with, b.scalar(r.chance(0.5))}, attrs);
      } else {
        const OpRecord& record = *r.pick(kPlain);
        AttrMap attrs = element;
        std::vector<Output> inputs{set};
        for (size_t i = 1; i < record.inputs.size(); ++i) {
          const ArgSpec& a = record.inputs[i];
          if (a.type == DType::Bool) inputs.push_back(b.scalar(r.chance(0.3)));
          else if (a.type == DType::Int64) inputs.push_back(b.scalar<int64_t>(a.name == "index" ? 0 : r.between(1, 3)));
          else
            inputs.push_back(b.constant(Tensor::zeros(DType::String, a.name == "transformations" || a.name == "optimizations" ? Shape{0} : Shape{}), "text"));
        }
        for (const AttrSpec& a : record.attrs)
          if (a.type == "int" && a.name == "num_threads") attrs.set(a.name, int64_t(1));
        set = b.op(record.name, inputs, attrs);
      }
      if (!b.ok()) return;
    }
    if (r.chance(0.4)) d.offer(b.op(r.chance(0.5) ? "DatasetCardinality" : "ExperimentalDatasetCardinality", {set}));
    if (r.chance(0.6)) {
      const Output first = b.op("TakeDataset", {set, b.scalar<int64_t>(1)}, element);
      offerAll(d, {b.op(r.chance(0.5) ? "DatasetToSingleElement" : "ExperimentalDatasetToSingleElement", {first}, element)});
      return;
    }
    AttrMap iterator = element;
    iterator.set("shared_name", b.uniqueName("iterator", false));
    iterator.set("container", "");
    const Output handle = b.op("IteratorV2", {}, iterator);
    const int make = b.node("MakeIterator", {set, handle});
    if (!b.ok()) return;
    d.effect(make);
    for (int64_t i = 0; i < r.between(1, 2); ++i) {
      const int next = b.node(r.chance(0.5) ? "IteratorGetNext" : "IteratorGetNextSync", {handle}, element);
      if (!b.ok()) return;
      d.effect(next);
      d.offer({next, 0});
    }
  });
}

}  // namespace weft::generated
