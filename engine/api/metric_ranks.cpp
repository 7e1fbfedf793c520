// tf.metrics of what stands first: precision and recall of the k best predictions, counted as sets of classes.
#include "api/checks.h"
#include "api/metric_parts.h"
#include "api/weights.h"

namespace weft::api {
namespace {

using metrics::counter;

std::string atK(const Call& c, std::string name) {
  name += c.has("k") ? "_at_" + std::to_string(c.a.integer("k")) : "_at_k";
  return c.has("class_id") ? name + "_class" + std::to_string(c.a.integer("class_id")) : name;
}

// The first result of a function: a sparse tensor or a tensor.
Argument call(GraphBuilder& b, std::string_view function, Arguments arguments) {
  auto made = buildApi(b, function, std::move(arguments));
  if (!made.ok()) {
    b.fail(made.error());
    return {};
  }
  if (!made->others.empty()) return made->others[0];
  return made->outputs.empty() ? Argument() : Argument(made->outputs[0]);
}

// Labels with one dimension for the classes, even if there is one of them.
Argument expanded(GraphBuilder& b, const Argument& given, Output predictions) {
  const py::Scope scope(b, "expand_labels");
  if (const auto* s = std::get_if<SparseValue>(&given)) {
    const Output rank = tf::rank(b, predictions), labelRank = tf::size(b, s->denseShape);
    const Output more = tf::compare(b, "Equal", rank, tf::plus(b, labelRank, 1));
    const auto out = cond(
        b, more,
        [&]() -> std::vector<Output> {
          const Argument reshaped =
              call(b, "sparse.reshape",
                   {{"sp_input", given}, {"shape", tf::concatenate(b, ArgumentList{s->denseShape, ArgumentList{1}}, 0)}, {"name", scope.name()}});
          const auto* r = std::get_if<SparseValue>(&reshaped);
          return r ? std::vector<Output>{r->indices, r->values, r->denseShape} : std::vector<Output>{};
        },
        [&]() -> std::vector<Output> {
          return {s->indices, s->values, s->denseShape};
        });
    if (out.size() != 3) return {};
    return SparseValue{out[0], out[1], out[2]};
  }
  const Output labels = toTensor(b, given, {});
  const Shape ls = b.shape(labels), ps = b.shape(predictions);
  if (ls.hasRank() && ps.hasRank()) {
    if (ls.rank() == ps.rank()) return labels;
    if (ps.rank() == ls.rank() + 1) return emit(b, "ExpandDims", {labels, -1}, {}, scope.name());
    b.fail(invalidArgument("Unexpected labels shape ", ls.toPythonString(), " for predictions shape ", ps.toPythonString(), "."));
    return {};
  }
  const Output rank = tf::rank(b, predictions), labelRank = tf::rank(b, labels);  // in this order, which their names show
  const Output more = tf::compare(b, "Equal", rank, tf::plus(b, labelRank, 1));
  const auto out = cond(
      b, more,
      [&]() -> std::vector<Output> {
        return {emit(b, "ExpandDims", {labels, -1}, {}, scope.name())};
      },
      [&]() -> std::vector<Output> { return {labels}; });
  return out.empty() ? Argument() : Argument(out[0]);
}

// Selects one class from sets of classes.
Argument only(GraphBuilder& b, const Argument& ids, int64_t which) {
  if (const auto* s = std::get_if<SparseValue>(&ids))
    return call(b, "sparse.retain", {{"sp_input", ids}, {"to_retain", tf::compare(b, "Equal", s->values, which)}});
  const Output shape = tf::shape(b, ids, {}, DType::Int64);
  const Output last = tf::minus(b, tf::size(b, shape), 1);
  const Output axes = tf::reshape(b, last, std::vector<int64_t>{1});
  const Output sizes = tf::cast(b, shape, DType::Int32);
  const Output rank = tf::size(b, sizes);
  const Output wrapped = emit(b, "FloorMod", {tf::plus(b, axes, rank), rank}, {}, "mod");
  const Output count = tf::shape(b, wrapped);
  const Output all = tf::range(b, 0, rank, 1);
  const Output one = tf::fill(b, count, 1);
  const Output reduced = emit(b, "DynamicStitch", {Argument(std::vector<Output>{all, wrapped}), Argument(std::vector<Output>{sizes, one})});
  const Output wanted = tf::fill(b, reduced, tf::cast(b, which, DType::Int64));
  const Argument both = call(b, "sets.set_intersection", {{"a", wanted}, {"b", ids}});
  const auto* s = std::get_if<SparseValue>(&both);
  return s ? Argument(SparseValue{s->indices, s->values, shape}) : Argument();
}

// The count over batches and its update. `operation`: "intersection", or the difference in one direction.
std::pair<Output, Output> counted(Call& c, const std::string& name, const Argument& labelsGiven, Output best) {
  GraphBuilder& b = c.b;
  const py::Scope scope(b, atK(c, name));
  Output number;
  {
    const py::Scope inner(b, name + "s");
    Argument labels = labelsGiven, predictions = best;
    if (c.has("class_id")) {
      labels = only(b, labels, c.a.integer("class_id"));
      predictions = only(b, predictions, c.a.integer("class_id"));
    }
    const Argument set = name == "true_positive" ? call(b, "sets.set_intersection", {{"a", predictions}, {"b", labels}})
                                                 : call(b, "sets.set_difference", {{"a", predictions}, {"b", labels}, {"aminusb", name == "false_positive"}});
    const Argument size = call(b, "sets.set_size", {{"a", set}});
    if (!b.ok()) return {};
    number = tf::cast(b, std::get<Output>(size), DType::Double);
    if (c.has("weights")) {
      const auto wait = b.controlDependencies({weights::assertBroadcastable(b, c["weights"], number)});
      number = emit(b, "Mul", {number, tf::cast(b, c["weights"], DType::Double)});
    }
  }
  const Output sum = tf::cast(b, tf::reduce(b, "Sum", number), DType::Double);
  const VariablePtr total = counter(b, std::vector<int64_t>{}, DType::Double, scope.name());
  const Output update = metrics::assignAdd(b, total, sum, "update");
  return {toTensor(b, total, {}), update};
}

Built measure(Call& c, const std::string& name, const std::string& other, bool best) {
  GraphBuilder& b = c.b;
  const auto scope = c.scope(atK(c, name));
  Argument indices = c[best ? "predictions_idx" : "predictions"];
  if (!best) {
    auto top = buildApi(b, "nn.top_k", {{"input", indices}, {"k", c["k"]}});
    if (!top.ok()) return top.error();
    indices = top->outputs[1];
  }
  const Output first = toTensor(b, indices, {});
  const Argument labels = expanded(b, c["labels"], first);
  const Output ids = tf::cast(b, first, DType::Int64);
  const auto [hits, hitsUpdate] = counted(c, "true_positive", labels, ids);
  const auto [misses, missesUpdate] = counted(c, other, labels, ids);
  if (!b.ok()) return b.status().error();
  const Output value = emit(b, "RealDiv", {hits, emit(b, "Add", {hits, misses})}, {}, scope.name());
  const Output update = emit(b, "RealDiv", {hitsUpdate, emit(b, "Add", {hitsUpdate, missesUpdate})}, {}, "update");
  return metrics::result(c, value, update);
}

}  // namespace

void registerRankMetrics(ApiRegistry& r) {
  const std::string rest =
      "|class_id: int=None -- Restrict to this class; None: all classes.|weights=None|metrics_collections: any=None|updates_collections: any=None|name";
  const std::string labels = "labels: any -- True classes, dense or sparse.|";
  for (const auto& [name, other, words] :
       {std::tuple("precision", "false_positive", "Precision at k over all batches: the fraction of the top k predictions that are true classes."),
        std::tuple("recall", "false_negative", "Recall at k over all batches: the fraction of the true classes that are among the top k predictions.")}) {
    const std::string measureName = name, miss = other;
    def(r, "metrics." + measureName + "_at_k" + (measureName == "precision" ? " metrics.sparse_precision_at_k" : ""),
        labels + "predictions -- Score of each class.|k: int -- Number of top predictions." + rest, words,
        "tensors: The value over the batches so far, and the update op.", [=](Call& c) { return measure(c, measureName, miss, false); });
    def(r, "metrics." + measureName + "_at_top_k",
        labels + "predictions_idx -- Predicted classes, best first.|k: int=None -- Number of predictions; used in names only." + rest, words,
        "tensors: The value over the batches so far, and the update op.", [=](Call& c) { return measure(c, measureName, miss, true); });
  }
}

}  // namespace weft::api
