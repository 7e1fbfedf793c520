#include <chrono>
#include <thread>

#include "kernel/device.h"
#include "kernel/session_state.h"
#include "ops/dataset_rewrites.h"
#include "ops/functions.h"
#include "ops/old_names.h"
#include "ops/state_ops.h"

// Data sets that pass elements through: thread settings, statistics, assertions about neighbouring data sets. Also the experimental names of data sets.
namespace weft {
namespace {

constexpr const char* kNonSerializable = "NonSerializable";

class PassingDataset final : public UnaryDataset<PassingDataset> {
 public:
  using Check = std::function<Status(const IteratorContext&)>;
  PassingDataset(DatasetPtr input, const char* name, Check check = {}) : UnaryDataset(input->spec(), input, name), check_(std::move(check)) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    if (check_) WEFT_TRY(check_(start));
    return input_->makeIterator(start.below(kind_));
  }
  int64_t cardinality() const override { return input_->cardinality(); }
  /// Rewrites stop at a data set that cannot be serialized.
  std::vector<DatasetPtr> inputs() const override { return kind_ == kNonSerializable ? std::vector<DatasetPtr>() : UnaryDataset::inputs(); }

 private:
  Check check_;
};

template <const char* const& kName>
Result<DatasetPtr> makePassing(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  return DatasetPtr(std::make_shared<PassingDataset>(std::move(input), kName));
}

Result<DatasetPtr> makeMaxIntraOp(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  WEFT_LET(const int64_t n, scalarArgument<int64_t>(c, 1, "max_intra_op_parallelism"));
  if (n < 0) return invalidArgument("`max_intra_op_parallelism` must be >= 0");
  return DatasetPtr(std::make_shared<PassingDataset>(std::move(input), "MaxIntraOpParallelism"));
}

Result<DatasetPtr> makePrivatePool(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  WEFT_LET(const int64_t n, scalarArgument<int64_t>(c, 1, "num_threads"));
  if (n < 1) return invalidArgument("`num_threads` must be >= 1");
  return DatasetPtr(std::make_shared<PassingDataset>(std::move(input), "PrivateThreadPool"));
}

constexpr const char* kThreadPool = "ThreadPool";

/// Reports on each element of its input.
class MeasuringDataset final : public UnaryDataset<MeasuringDataset> {
 public:
  MeasuringDataset(DatasetPtr input, const char* kind, std::string tag) : UnaryDataset(input->spec(), input, kind), tag_(std::move(tag)) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    auto w = std::make_unique<Iterator>();
    WEFT_LET(w->input, input_->makeIterator(start.below(kind_)));
    w->stats = start.stats;
    w->tag = tag_;
    w->latency = kind_ == "LatencyStats";
    return std::unique_ptr<DatasetIterator>(std::move(w));
  }
  int64_t cardinality() const override { return input_->cardinality(); }

 private:
  struct Iterator final : DatasetIterator {
    Result<bool> next(const CallSite& site, Element& out) override {
      if (!stats) return input->next(site, out);
      const auto begin = std::chrono::steady_clock::now();
      WEFT_LET(const bool more, input->next(site, out));
      if (!more) return false;
      double value = 0;
      if (latency) {
        value = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
      } else {
        for (const Tensor& t : out) value += double(t.totalBytes());
      }
      stats.addToHistogram(tag, value);
      return true;
    }
    Status exchange(IteratorState& s) override { return s.inner("input", input); }
    std::unique_ptr<DatasetIterator> input;
    StatsTarget stats;
    std::string tag;
    bool latency = false;
  };
  std::string tag_;
};

Result<DatasetPtr> makeTagged(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  WEFT_LET(std::string tag, scalarArgument<std::string>(c, 1, "tag"));
  const bool latency = c.node().op.find("Latency") != std::string::npos;
  return DatasetPtr(std::make_shared<MeasuringDataset>(std::move(input), latency ? "LatencyStats" : "BytesProducedStats", std::move(tag)));
}

/// Asserts that the data sets between this one and the iterator are those named, nearest first.
Result<DatasetPtr> makeAssertNext(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  const Tensor& wanted = c.input(1);
  if (wanted.rank() != 1) return invalidArgument("transformations must be a vector");
  const std::vector<std::string> names(wanted.data<std::string>(), wanted.data<std::string>() + wanted.elements());
  const auto check = [names](const IteratorContext& start) -> Status {
    std::vector<std::string> way;
    for (size_t at = 0; at < start.path.size();) {
      const size_t end = std::min(start.path.find("::", at), start.path.size());
      if (end > at) way.push_back(start.path.substr(at, end - at));
      at = end + 2;
    }
    const size_t there = way.empty() ? 0 : way.size() - 1;  // the first is the iterator
    if (names.size() > there) return invalidArgument("Asserted next ", names.size(), " transformations but encountered only ", there, ".");
    for (size_t i = 0; i < names.size(); ++i) {
      const std::string& met = way[way.size() - 1 - i];
      if (met != names[i]) return invalidArgument("Asserted ", names[i], " transformation at offset ", i, " but encountered ", met, " transformation instead.");
    }
    return {};
  };
  return DatasetPtr(std::make_shared<PassingDataset>(std::move(input), "AssertNext", check));
}

Result<DatasetPtr> makeAutoShard(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  WEFT_LET(const int64_t workers, scalarArgument<int64_t>(c, 1, "num_workers"));
  WEFT_LET(const int64_t index, scalarArgument<int64_t>(c, 2, "index"));
  if (workers < 1) return invalidArgument("Num workers must be >= 1, got: ", workers);
  if (index < 0 || index >= workers) return invalidArgument("Index must be >= 0 and < ", workers, ", got: ", index);
  return shardedForWorker(std::move(input), workers, index);
}

Result<DatasetPtr> makeChooseFastest(KernelContext& c) {
  WEFT_LET(DatasetPtr first, datasetOf(c, 0));
  const int64_t count = first->cardinality();
  for (int i = 1; i < c.inputCount(); ++i) {
    WEFT_LET(const DatasetPtr other, datasetOf(c, i));
    const ElementSpec &a = first->spec(), &b = other->spec();
    if (b.types != a.types) return invalidArgument("Input datasets to ChooseFastestDataset must have the same output types.");
    if (!checkSpec(a, b).ok()) return invalidArgument("Input datasets to ChooseFastestDataset must have compatible output shapes.");
    const int64_t n = other->cardinality();
    if (n != count && n != DatasetBase::kUnknown && count != DatasetBase::kUnknown)
      return invalidArgument("Input datasets to ChooseFastestDataset must have compatible cardinalities.");
  }
  // All inputs give the same elements; the op relies on that.
  return DatasetPtr(std::make_shared<PassingDataset>(std::move(first), "ChooseFastest_0"));
}

/// One of several functions of a data set, which give the same elements: the first.
Result<std::unique_ptr<Kernel>> chooseBranch(KernelInit& init) {
  const auto branches = init.attrs().list<FuncAttr>("branches");
  const auto lengths = init.attrs().list<int64_t>("other_arguments_lengths");
  const int64_t perBranch = init.attrs().integer("num_elements_per_branch");
  if (branches.empty() || branches.size() != lengths.size()) {
    return invalidArgument("branches and other_arguments_lengths must have the same length, but have ", branches.size(), " and ", lengths.size());
  }
  int64_t others = 0;
  for (const int64_t n : lengths) {
    if (n < 0) return invalidArgument("other_arguments_lengths must not be negative, but has ", n);
    others += n;
  }
  if (others != int64_t(init.attrs().list<DType>("Targuments").size()))
    return invalidArgument("other_arguments_lengths must add up to the number of Targuments");
  WEFT_LET(auto f, bindFunction(init, branches[0]));
  return functionKernel([=, captures = int(lengths[0]), op = datasetOp(init)](KernelContext& c) -> Status {
    WEFT_LET(DatasetPtr input, datasetOf(c, 0));
    WEFT_LET(const int64_t numerator, scalarArgument<int64_t>(c, 1, "ratio_numerator"));
    WEFT_LET(const int64_t denominator, scalarArgument<int64_t>(c, 2, "ratio_denominator"));
    if (numerator <= 0) return invalidArgument("`ratio_numerator` must be greater than zero.");
    if (denominator <= 0) return invalidArgument("`ratio_denominator` must be greater than zero.");
    if (perBranch % denominator != 0) return invalidArgument("`num_elements_per_branch` must be divisible by `ratio_denominator`");
    const Captured branch{f, tensorsFrom(c, 3, 3 + captures)};
    const auto make = [branch](DatasetPtr in, const IteratorContext& start) -> Result<DatasetPtr> {
      WEFT_LET(const Element made, branch.in(start).call({tensorOf(std::move(in))}, start.site));
      if (made.size() != 1) return invalidArgument("A branch must return a single data set");
      return datasetIn(made[0]);
    };
    return giveDataset(c, op, branchOver(declaredSpec(c.node().attrs), std::move(input), make));
  });
}

// ---- SleepDataset

class SleepDataset final : public UnaryDataset<SleepDataset> {
 public:
  SleepDataset(DatasetPtr input, int64_t micros) : UnaryDataset(input->spec(), input, "Sleep"), micros_(micros) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    auto w = std::make_unique<Iterator>();
    WEFT_LET(w->input, input_->makeIterator(start.below(kind_)));
    w->micros = micros_;
    return std::unique_ptr<DatasetIterator>(std::move(w));
  }
  int64_t cardinality() const override { return input_->cardinality(); }

 private:
  struct Iterator final : DatasetIterator {
    Result<bool> next(const CallSite& site, Element& out) override {
      using namespace std::chrono;
      // Sleep in short intervals, so that the run can be cancelled.
      for (const auto end = steady_clock::now() + microseconds(micros); steady_clock::now() < end;) {
        WEFT_TRY(site.check());
        std::this_thread::sleep_for(std::min<steady_clock::duration>(milliseconds(5), end - steady_clock::now()));
      }
      return input->next(site, out);
    }
    Status exchange(IteratorState& s) override { return s.inner("input", input); }
    std::unique_ptr<DatasetIterator> input;
    int64_t micros = 0;
  };
  int64_t micros_;
};

Result<DatasetPtr> makeSleep(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  WEFT_LET(const int64_t micros, scalarArgument<int64_t>(c, 1, "sleep_microseconds"));
  return DatasetPtr(std::make_shared<SleepDataset>(std::move(input), std::min<int64_t>(std::max<int64_t>(micros, 0), int64_t(1) << 50)));
}

// ---- DatasetCardinality

Status runCardinality(KernelContext& c) {
  WEFT_LET(const DatasetPtr dataset, datasetOf(c, 0));
  c.setOutput(0, Tensor::scalar(dataset->cardinality()));
  return {};
}

// ---- ThreadPoolHandle

struct ThreadPoolName final : SessionResource {
  std::string kind() const override { return "thread pool"; }
};

Result<std::unique_ptr<Kernel>> threadPool(KernelInit& init) {
  if (init.attrs().integer("num_threads", 1) <= 0) return invalidArgument("`num_threads` must be greater than zero.");
  ResourceHandle handle;
  const std::string container = init.attrs().text("container"), shared = init.attrs().text("shared_name");
  handle.container = container.empty() ? std::string(SessionState::kDefaultContainer) : container;
  handle.name = shared.empty() ? init.node().name : shared;
  handle.device = init.device().name();
  WEFT_LET(handle.resource, init.session().lookupOrCreate<ThreadPoolName>(
                                handle.container, handle.name,
                                []() -> Result<std::shared_ptr<ThreadPoolName>> { return std::make_shared<ThreadPoolName>(); }));
  Tensor t = Tensor::zeros(DType::Resource, {});
  *t.mutableData<ResourceHandle>() = std::move(handle);
  return functionKernel([t](KernelContext& c) -> Status {
    c.setOutput(0, t);
    return {};
  });
}

}  // namespace

DatasetPtr measured(DatasetPtr input, std::string tag) { return std::make_shared<MeasuringDataset>(std::move(input), "LatencyStats", std::move(tag)); }

void registerDatasetPassing(OpRegistry& ops) {
  const auto add = [&](const char* name, const char* summary) -> OpRecord& {
    return datasetOp(ops, name, summary).input("input_dataset: variant", kInputDatasetDoc);
  };
  declaresElements(add("NonSerializableDataset", "Marks a data set whose iterators cannot be saved.")).cpu({}, datasetKernel(makePassing<kNonSerializable>));
  declaresElements(add("MaxIntraOpParallelismDataset", "Limits the threads that each function call may use.")
                       .input("max_intra_op_parallelism: int64", "Thread limit; ignored, elements are computed in the requesting thread."))
      .cpu({}, datasetKernel(makeMaxIntraOp));
  declaresElements(add("PrivateThreadPoolDataset", "Runs a data set in a thread pool of its own.")
                       .input("num_threads: int64", "Thread limit; ignored, elements are computed in the requesting thread."))
      .cpu({}, datasetKernel(makePrivatePool));
  declaresElements(add("ThreadPoolDataset", "Runs a data set in a given thread pool.")
                       .input("thread_pool: resource", "Handle of the pool; ignored, elements are computed in the requesting thread."))
      .stateful()
      .cpu({}, datasetKernel(makePassing<kThreadPool>));
  ops.add("ThreadPoolHandle")
      .category("Data")
      .summary("Creates a thread pool for data sets.")
      .output("handle: resource", "Handle of the thread pool.")
      .attr("num_threads: int", "Number of threads.")
      .attr("max_intra_op_parallelism: int = 1", "Threads that one op may use.")
      .attr("display_name: string", "Name of the pool.")
      .attr("container: string = ''", "Resource container.")
      .attr("shared_name: string = ''", "Ops with the same name share the pool; empty: the node's name.")
      .stateful()
      .shape(shapes::scalar)
      .noGradient("Threads are not differentiable.")
      .cpu({}, threadPool);
  for (const char* name : {"LatencyStatsDataset", "BytesProducedStatsDataset"})
    declaresElements(
        add(name, "Records the time that elements take, or their bytes, if the iterator has a StatsAggregator.").input("tag: string", "Name of the statistic."))
        .cpu({}, datasetKernel(makeTagged));
  declaresElements(add("AssertNextDataset", "Passes elements through; fails unless the given transformations follow.")
                       .input("transformations: string", "Names of the expected transformations."))
      .cpu({}, datasetKernel(makeAssertNext));
  declaresElements(add("AutoShardDataset", "Restricts a pipeline to the files of one worker.")
                       .input("num_workers: int64", "Number of workers.")
                       .input("index: int64", "Index of this worker."))
      .cpu({}, datasetKernel(makeAutoShard));
  declaresElements(add("SleepDataset", "Delays each element.").input("sleep_microseconds: int64", "Delay in microseconds.")).cpu({}, datasetKernel(makeSleep));
  declaresElements(datasetOp(ops, "ChooseFastestDataset", "Chooses one of several equivalent data sets.")
                       .input("input_datasets: N * variant", "The data sets.")
                       .attr("N: int >= 2", "Number of data sets.")
                       .attr("num_experiments: int", "Number of timing experiments; ignored, the first data set is used."))
      .cpu({}, datasetKernel(makeChooseFastest));
  declaresElements(add("ChooseFastestBranchDataset", "Chooses one of several equivalent functions of a data set.")
                       .input("ratio_numerator: int64", "Input elements for each `ratio_denominator` elements of a branch.")
                       .input("ratio_denominator: int64", "See ratio_numerator.")
                       .input("other_arguments: list(Targuments)", "Tensors captured by the branches.")
                       .attr("Targuments: list(type) >= 0", "Types of the captured tensors.")
                       .attr("num_elements_per_branch: int >= 1", "Elements of a timing experiment; checked only, the first branch is used.")
                       .attr("branches: list(func) >= 1", "The functions.")
                       .attr("other_arguments_lengths: list(int) >= 1", "Number of captured tensors of each branch."))
      .cpu({}, chooseBranch);

  ops.add("DatasetCardinality")
      .category("Data")
      .keywords("tf.data size length count")
      .summary("Number of elements in a data set.")
      .input("input_dataset: variant", "The data set.")
      .output("cardinality: int64", "The count; -1: infinite, -2: unknown.")
      .shape(shapes::scalar)
      .noGradient("A count is not differentiable.")
      .cpu({}, simpleKernel(runCardinality));
  state(ops, OpRole::Dataset, Effect::Declared, "ThreadPoolDataset");
  state(ops, OpRole::Compute, Effect::Makes, "ThreadPoolHandle");
  for (const char* name : {"DatasetCardinality",
                           "AssertNextDataset",
                           "AutoShardDataset",
                           "BytesProducedStatsDataset",
                           "ChooseFastestDataset",
                           "DatasetToTFRecord",
                           "DenseToSparseBatchDataset",
                           "DirectedInterleaveDataset",
                           "GroupByReducerDataset",
                           "GroupByWindowDataset",
                           "IgnoreErrorsDataset",
                           "LMDBDataset",
                           "LatencyStatsDataset",
                           "MapAndBatchDataset",
                           "MapDataset",
                           "MatchingFilesDataset",
                           "MaxIntraOpParallelismDataset",
                           "NonSerializableDataset",
                           "ParallelInterleaveDataset",
                           "PrivateThreadPoolDataset",
                           "RandomDataset",
                           "RebatchDataset",
                           "ScanDataset",
                           "SleepDataset",
                           "SlidingWindowDataset",
                           "TakeWhileDataset",
                           "ThreadPoolDataset",
                           "ThreadPoolHandle",
                           "UnbatchDataset",
                           "UniqueDataset"}) {
    if (ops.find(name)) oldName(ops, std::string("Experimental") + name, name);
  }
}

}  // namespace weft
