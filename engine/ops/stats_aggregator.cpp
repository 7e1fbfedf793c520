#include "ops/stats_aggregator.h"

#include "kernel/device.h"
#include "ops/datasets.h"
#include "ops/iterators.h"
#include "ops/old_names.h"
#include "ops/state_ops.h"
#include "ops/summaries.h"
#include "proto/summary.pb.h"

// Statistics of pipelines: the object that counts, and the data set that makes a pipeline report to it.
namespace weft {
namespace {

/// "BatchDatasetV2" for BatchV2.
std::string opOfKind(const std::string& kind) {
  const size_t version = kind.ends_with("V2") ? kind.size() - 2 : kind.size();
  return kind.substr(0, version) + "Dataset" + kind.substr(version);
}

int64_t numberDatasets(const DatasetBase& dataset, int64_t next, std::map<const DatasetBase*, std::string>& names) {
  for (const DatasetPtr& input : dataset.inputs()) next = numberDatasets(*input, next, names);
  if (const DatasetOrigin* origin = dataset.origin()) {
    for (const Tensor& t : origin->inputs)
      if (t.dtype() != DType::Variant) ++next;
  }
  names[&dataset] = concat(opOfKind(dataset.kind()), "/_", next);
  return next + 1;
}

Result<std::shared_ptr<StatsAggregator>> aggregatorOf(KernelContext& c, int i) {
  auto aggregator = std::dynamic_pointer_cast<StatsAggregator>(handleOf(c, i).resource);
  if (!aggregator) return notFound("Resource ", handleOf(c, i).container, "/", handleOf(c, i).name, " holds no statistics of data sets");
  return aggregator;
}

class ReportingDataset final : public UnaryDataset<ReportingDataset> {
 public:
  ReportingDataset(DatasetPtr input, StatsTarget target) : UnaryDataset(input->spec(), input, "SetStatsAggregator"), target_(std::move(target)) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    IteratorContext below = start.below(kind_);
    below.stats = target_;
    below.stats.names = std::make_shared<const std::map<const DatasetBase*, std::string>>(namesInGraph(*input_));
    return input_->makeIterator(below);
  }
  int64_t cardinality() const override { return input_->cardinality(); }

 private:
  StatsTarget target_;
};

Result<DatasetPtr> makeReporting(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  StatsTarget target;
  WEFT_LET(target.to, aggregatorOf(c, 1));
  WEFT_LET(target.prefix, scalarArgument<std::string>(c, 2, "tag"));
  WEFT_TRY(scalarArgument<std::string>(c, 3, "counter_prefix").status());
  return DatasetPtr(std::make_shared<ReportingDataset>(std::move(input), std::move(target)));
}

Result<std::unique_ptr<Kernel>> aggregatorKernel(KernelInit& init) {
  ResourceHandle handle = iteratorHandle(init.attrs(), init.node().name, init.device());
  const auto create = []() -> Result<std::shared_ptr<StatsAggregator>> { return std::make_shared<StatsAggregator>(); };
  WEFT_LET(handle.resource, init.session().lookupOrCreate<StatsAggregator>(handle.container, handle.name, create));
  return functionKernel([out = handleTensor(std::move(handle))](KernelContext& c) -> Status {
    c.setOutput(0, out);
    return {};
  });
}

Status runSummary(KernelContext& c) {
  WEFT_LET(const auto aggregator, aggregatorOf(c, 0));
  c.setOutput(0, Tensor::scalar(aggregator->summary()));
  return {};
}

}  // namespace

void StatsAggregator::addToHistogram(const std::string& name, double value) {
  const MutexLock lock(mutex_);
  histograms_[name].add(value);
}
void StatsAggregator::setScalar(const std::string& name, float value) {
  const MutexLock lock(mutex_);
  scalars_[name] = value;
}
std::string StatsAggregator::summary() const {
  tensorflow::Summary summary;
  const MutexLock lock(mutex_);
  for (const auto& [name, counter] : histograms_) addHistogram(name, counter.value(), summary);
  for (const auto& [name, value] : scalars_) {
    auto* v = summary.add_value();
    v->set_tag(name);
    v->set_simple_value(value);
  }
  return summary.SerializeAsString();
}

std::string StatsTarget::nameOf(const DatasetBase& dataset) const {
  const auto at = names ? names->find(&dataset) : decltype(names->end())();
  return names && at != names->end() ? at->second : opOfKind(dataset.kind());
}

std::map<const DatasetBase*, std::string> namesInGraph(const DatasetBase& last) {
  std::map<const DatasetBase*, std::string> names;
  numberDatasets(last, 0, names);
  return names;
}

void registerStatsAggregators(OpRegistry& ops) {
  ops.add("StatsAggregatorHandle")
      .category("Data")
      .keywords("tf.data statistics")
      .summary("Creates an object that gathers statistics of data sets.")
      .output("handle: resource", "Handle of the object.")
      .attr("container: string = ''", "Resource container.")
      .attr("shared_name: string = ''", "Ops with the same name share the object; empty: the node's name.")
      .stateful()
      .shape(shapes::scalar)
      .noGradient("Statistics are not differentiable.")
      .cpu({}, aggregatorKernel);
  ops.add("StatsAggregatorSummary")
      .category("Data")
      .keywords("tf.data statistics")
      .summary("The statistics gathered so far, as a Summary.")
      .input("iterator: resource", "Handle of the object that gathers them.")
      .output("summary: string", "The serialized Summary.")
      .stateful()
      .shape(shapes::scalar)
      .noGradient("Statistics are not differentiable.")
      .cpu({}, simpleKernel(runSummary));
  declaresElements(datasetOp(ops, "SetStatsAggregatorDataset", "Gathers statistics of the pipeline before it.")
                       .input("input_dataset: variant", kInputDatasetDoc)
                       .input("stats_aggregator: resource", "Handle of the object that gathers them.")
                       .input("tag: string", "Prefix of the names of all statistics.")
                       .input("counter_prefix: string", "Ignored; there are no counters."))
      .stateful()
      .cpu({}, datasetKernel(makeReporting));
  for (const char* name : {"StatsAggregatorHandle", "StatsAggregatorSummary", "SetStatsAggregatorDataset"})
    oldName(ops, std::string("Experimental") + name, name);
  state(ops, OpRole::Dataset, Effect::Declared, "SetStatsAggregatorDataset ExperimentalSetStatsAggregatorDataset");
  state(ops, OpRole::Compute, Effect::Makes, "StatsAggregatorHandle ExperimentalStatsAggregatorHandle");
  state(ops, OpRole::Compute, Effect::Reads, "StatsAggregatorSummary ExperimentalStatsAggregatorSummary");
}

}  // namespace weft
