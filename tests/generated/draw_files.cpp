// Readers, V1 checkpoints, iterators and other resources known only by a handle, and other ops without a golden record.
#include "draw_stores.h"
#include "values.h"

namespace weft::generated {
namespace {

using Types = std::vector<DType>;

void offerAll(Drawing& d, const std::vector<Output>& outputs) {
  if (!d.b().ok()) return;
  for (const Output& o : outputs) d.offer(o);
}

Tensor texts(const std::vector<std::string>& words, const Shape& shape) {
  Tensor t = Tensor::zeros(DType::String, shape);
  for (size_t i = 0; i < words.size(); ++i) t.mutableData<std::string>()[i] = words[i];
  return t;
}

/// An op whose outcome is ordered among the effects, and its outputs.
void inOrder(Drawing& d, int node) {
  if (!d.b().ok()) return;
  d.effect(node);
  for (const Output& o : d.b().outputsOf(node)) d.offer(o);
}

AttrMap elementOf(DType type, const Shape& shape) { return {{"output_types", Types{type}}, {"output_shapes", std::vector<Shape>{shape}}}; }

}  // namespace

bool drawReader(Drawing& d) {
  Random& r = d.random();
  const std::string kind = r.pick(std::vector<std::string>{"TextLineReader", "WholeFileReader", "IdentityReader", "FixedLengthRecordReader"});
  const OpRecord* record = OpRegistry::instance().find(kind);
  if (record->deprecatedSince > 0 && record->deprecatedSince <= d.meta().graph.versions.producer) return false;
  const std::string one = concat("a", r.below(3)), other = concat("b", r.below(3));
  d.file(one, "one\ntwo\n\nthree and more\n");
  d.file(other, r.chance(0.3) ? "" : "x,1\ny,2\n");
  return d.attempt([&] {
    GraphBuilder& b = d.b();
    AttrMap attrs{{"shared_name", b.uniqueName("reader", false)}, {"container", ""}};
    if (kind == "FixedLengthRecordReader") attrs.set("record_bytes", int64_t(r.between(1, 3)));
    const Output reader = b.op(kind, {}, attrs);
    const Output queue = b.op(
        "FIFOQueue", {},
        {{"component_types", Types{DType::String}}, {"shapes", std::vector<Shape>{Shape{}}}, {"shared_name", b.uniqueName("names", false)}, {"container", ""}});
    const int fill = b.node("QueueEnqueueMany", {queue, b.constant(texts({one, other}, {2}))}, {{"Tcomponents", Types{DType::String}}});
    if (!b.ok()) return;
    d.effect(fill);
    const int close = b.node("QueueClose", {queue});
    if (!b.ok()) return;
    d.effect(close);
    Output state;
    for (int64_t k = r.between(1, 5); k > 0 && b.ok(); --k) {
      switch (r.below(7)) {
        case 0:
        case 1: inOrder(d, b.node("ReaderRead", {reader, queue})); break;
        case 2: inOrder(d, b.node("ReaderReadUpTo", {reader, queue, b.scalar<int64_t>(r.between(0, 3))})); break;
        case 3: inOrder(d, b.node("ReaderNumRecordsProduced", {reader})); break;
        case 4: inOrder(d, b.node("ReaderNumWorkUnitsCompleted", {reader})); break;
        case 5: inOrder(d, b.node("ReaderReset", {reader})); break;
        default:
          if (state.valid()) {
            inOrder(d, b.node("ReaderRestoreState", {reader, state}));
          } else if (kind == "IdentityReader") {
            const int saved = b.node("ReaderSerializeState", {reader});
            inOrder(d, saved);
            state = {saved, 0};
          }
      }
    }
  });
}

bool drawSaved(Drawing& d) {
  Random& r = d.random();
  const Value* found = d.numbers(1, 2, true);
  if (!found || (found->type != DType::Float && found->type != DType::Double)) return false;
  const Value v = *found;
  d.file("here", "");  // a separate directory
  return d.attempt([&] {
    GraphBuilder& b = d.b();
    const Output name = b.constant(texts({"tmp/saved"}, {}));
    const bool slices = r.chance(0.4) && v.shape.dim(0) > 0;
    std::string whole;
    for (const int64_t n : v.shape.dims()) whole += concat(n, " ");
    std::string every;
    for (int i = 0; i < v.shape.rank(); ++i) every += i ? ":-" : "-";
    const std::string shapeAndSlice = whole + every;
    const int save = slices
                         ? b.node("SaveSlices", {name, b.constant(texts({"v"}, {1})), b.constant(texts({shapeAndSlice}, {1})), v.out}, {{"T", Types{v.type}}})
                         : b.node("Save", {name, b.constant(texts({"v"}, {1})), v.out}, {{"T", Types{v.type}}});
    if (!b.ok()) return;
    d.effect(save);
    const Output tensor = b.constant(texts({"v"}, {}));
    inOrder(d, slices ? b.node("RestoreSlice", {name, tensor, b.constant(texts({r.chance(0.5) ? shapeAndSlice : ""}, {}))}, {{"dt", v.type}})
                      : b.node("Restore", {name, tensor}, {{"dt", v.type}}));
  });
}

bool drawAnonymous(Drawing& d) {
  Random& r = d.random();
  const Value* found = d.numbers(1, 2);
  if (!found || found->shape.dim(0) < 1 || found->shape.elements() > 128) return false;
  const Value v = *found;
  const AttrMap element = elementOf(v.type, v.shape.slice(1)), loose = elementOf(v.type, Shape::unknown());
  return d.attempt([&] {
    GraphBuilder& b = d.b();
    Output set = b.op("TensorSliceDataset", {v.out}, {{"Toutput_types", Types{v.type}}, {"output_shapes", std::vector<Shape>{v.shape.slice(1)}}});
    std::vector<std::pair<std::string, Output>> forget;
    if (r.chance(0.4)) {
      const int cache = b.node("AnonymousMemoryCache", {});
      set = b.op("CacheDatasetV2", {set, b.constant(texts({""}, {})), {cache, 0}}, element);
      forget.emplace_back("DeleteMemoryCache", Output{cache, 0});
    }
    if (r.chance(0.4)) {
      const int seeds = b.node("AnonymousRandomSeedGenerator", {b.scalar<int64_t>(r.between(1, 9)), b.scalar<int64_t>(r.between(1, 9))});
      set = b.op("ShuffleDatasetV2", {set, b.scalar<int64_t>(r.between(1, 4)), {seeds, 0}}, element);
      forget.emplace_back("DeleteRandomSeedGenerator", Output{seeds, 0});
    }
    if (r.chance(0.4)) {
      const std::string old = r.chance(0.5) ? "Experimental" : "";
      const Output pool = b.op(old + "ThreadPoolHandle", {},
                               {{"num_threads", int64_t(1)}, {"display_name", "p"}, {"shared_name", b.uniqueName("pool", false)}, {"container", ""}});
      set = b.op(old + "ThreadPoolDataset", {set, pool}, element);
    }
    if (r.chance(0.3)) {
      AttrMap attrs = element;
      attrs.set("N", int64_t(2));
      attrs.set("num_experiments", int64_t(1));
      set = b.op(r.chance(0.5) ? "ChooseFastestDataset" : "ExperimentalChooseFastestDataset", {set, set}, attrs);
    }
    if (r.chance(0.2)) {
      AttrMap attrs = loose;
      set = b.op("ExperimentalDenseToSparseBatchDataset",
                 {set, b.scalar<int64_t>(2), b.constant(integers(DType::Int64, std::vector<int64_t>(size_t(v.shape.rank() - 1), 8)), "row")},
                 {{"output_types", Types{DType::Variant}}, {"output_shapes", std::vector<Shape>{Shape::unknown()}}});
      set = b.op("TensorSliceDataset", {v.out}, {{"Toutput_types", Types{v.type}}, {"output_shapes", std::vector<Shape>{v.shape.slice(1)}}});
    }
    const bool second = r.chance(0.6);
    const int iterator = b.node(second ? "AnonymousIteratorV2" : "AnonymousIterator", {}, loose);
    const Output handle{iterator, 0};
    const int make = b.node("MakeIterator", {set, handle});
    if (!b.ok()) return;
    d.effect(make);
    // All in one step: each step has a new iterator.
    if (r.chance(0.4)) {
      const int optional = b.node("IteratorGetNextAsOptional", {handle}, loose);
      if (!b.ok()) return;
      d.effect(optional);
      offerAll(d, {b.op("OptionalHasValue", {{optional, 0}}), b.op("OptionalGetValue", {{optional, 0}}, loose)});
    }
    inOrder(d, b.node("IteratorGetNext", {handle}, loose));
    if (b.ok() && r.chance(0.3)) inOrder(d, b.node(r.chance(0.5) ? "IteratorGetDevice" : "ExperimentalIteratorGetDevice", {handle}));
    if (b.ok() && second) inOrder(d, b.node("DeleteIterator", {handle, {iterator, 1}}));
    for (const auto& [op, kept] : forget)
      if (b.ok() && r.chance(0.7)) inOrder(d, b.node(op, {kept, {kept.node, 1}}));
  });
}

bool drawUnrecorded(Drawing& d) {
  Random& r = d.random();
  switch (r.below(10)) {
    case 0: {
      const int64_t times = r.between(1, 4), batch = r.between(1, 3), beams = r.between(1, 3);
      const Tensor ids = randomBetween(r, DType::Int32, {times, batch, beams}, 0, 5),
                   parents = randomBetween(r, DType::Int32, {times, batch, beams}, 0, double(beams - 1));
      return d.add("GatherTree",
                   {d.fresh(ids), d.fresh(parents), d.fresh(randomBetween(r, DType::Int32, {batch}, 0, double(times))), d.freshInt(r.below(6))}) >= 0;
    }
    case 1: {
      const DType type = r.chance(0.5) ? DType::Float : DType::Double;
      const int64_t batch = r.between(1, 2), points = r.between(0, 4);
      const Output data = d.similar(type, {batch, r.between(1, 4), r.between(1, 4), 2}), warp = d.fresh(randomBetween(r, type, {batch, points, 2}, -1, 4));
      if (r.chance(0.6)) return d.add("Resampler", {data, warp}) >= 0;
      return d.add("ResamplerGrad", {data, warp, d.similar(type, {batch, points, 2})}) >= 0;
    }
    case 2: {
      const Value* v = d.numbers(0, 2);
      if (!v) return false;
      const Value x = *v;
      Shape row{1}, whole{2};
      row.append(x.shape);
      whole.append(x.shape);
      const Output one = d.similar(x.type, row), two = d.similar(x.type, row);
      return d.b().ok() && d.add("ParallelConcat", {one, two}, {{"N", int64_t(2)}, {"shape", whole}}) >= 0;
    }
    case 3: {
      if (d.meta().graph.versions.producer >= 3) return false;
      const int64_t n = r.between(1, 3), m = r.between(1, 3);
      return d.add("TileGrad", {d.similar(DType::Float, {2 * n, m}), d.freshInts({2, 1})}) >= 0;
    }
    case 4: {
      const DType type = r.chance(0.5) ? DType::Float : DType::Double;
      const Output x = d.similar(type, {1, 4, 4, 2});
      const AttrMap window{
          {"ksize", std::vector<int64_t>{1, 2, 2, 1}}, {"strides", std::vector<int64_t>{1, 2, 2, 1}}, {"padding", "VALID"}, {"Targmax", DType::Int64}};
      const int pooled = d.add("MaxPoolWithArgmax", {x}, window);
      return pooled >= 0 && d.add("MaxPoolGradGradWithArgmax", {x, d.similar(type, {1, 4, 4, 2}), {pooled, 1}}, window) >= 0;
    }
    case 5: {
      const int64_t n = r.between(1, 3);
      return d.add("ThreadUnsafeUnigramCandidateSampler", {d.fresh(randomBetween(r, DType::Int64, {n, 1}, 0, 9))},
                   {{"num_true", int64_t(1)},
                    {"num_sampled", r.between(1, 5)},
                    {"unique", r.chance(0.5)},
                    {"range_max", int64_t(10)},
                    {"seed", int64_t(3)},
                    {"seed2", r.between(1, 99)}}) >= 0;
    }
    case 6: {
      const Value* v = d.numbers(0, 2);
      if (!v) return false;
      const Value x = *v;
      return d.attempt([&] {
        GraphBuilder& b = d.b();
        const int stack = r.chance(0.5) ? b.node("StackV2", {b.scalar<int32_t>(-1)}, {{"elem_type", x.type}, {"stack_name", ""}})
                                        : b.node("Stack", {}, {{"elem_type", x.type}, {"stack_name", ""}});
        if (!b.ok()) return;
        const std::string v2 = b.nodeAt(stack).op == "Stack" ? "" : "V2";
        const int push = b.node("StackPush" + v2, {{stack, 0}, x.out});
        if (!b.ok()) return;
        d.effect(push);
        inOrder(d, b.node("StackPop" + v2, {{stack, 0}}, {{"elem_type", x.type}}));
        if (b.ok()) inOrder(d, b.node("StackClose" + v2, {{stack, 0}}));
      });
    }
    case 7: {
      // Ops that print: the output is closed during the run (see main).
      const Value* v = d.numbers(0, 2);
      if (!v) return false;
      const Value x = *v;
      return d.add("Print", {x.out, x.out}, {{"U", Types{x.type}}, {"message", "m"}, {"first_n", int64_t(r.between(-1, 2))}}) >= 0;
    }
    case 8: {
      d.file("numbers", std::string(64, '\x3f'));
      const Shape shape{r.between(1, 4), r.between(1, 4)};
      return d.add("ImmutableConst", {}, {{"dtype", DType::Float}, {"shape", shape}, {"memory_region_name", "numbers"}}) >= 0;
    }
    default: {
      d.file("names.txt", "one\ntwo\nthree\n");
      return d.attempt([&] {
        GraphBuilder& b = d.b();
        const Output files = b.constant(texts({"names.txt"}, {1}));
        const Output set = b.op("FixedLengthRecordDataset", {files, b.scalar<int64_t>(0), b.scalar<int64_t>(r.pick(std::vector<int64_t>{1, 2, 7})),
                                                             b.scalar<int64_t>(0), b.scalar<int64_t>(64)});
        const AttrMap text = elementOf(DType::String, Shape{});
        const Output named = b.op("ExperimentalMatchingFilesDataset", {b.constant(texts({"*.txt"}, {1}))});
        const Output lines = r.chance(0.6) ? set : named;
        const Output first = b.op("TakeDataset", {lines, b.scalar<int64_t>(1)}, text);
        offerAll(d, {b.op("DatasetToSingleElement", {first}, text)});
        const int write = b.node("ExperimentalDatasetToTFRecord", {set, b.constant(texts({"tmp/records"}, {})), b.constant(texts({""}, {}))});
        if (!b.ok()) return;
        d.effect(write);
        inOrder(d, b.node("ReadFile", {b.constant(texts({"tmp/records"}, {}))}));
      });
    }
  }
}

}  // namespace weft::generated
