#include <algorithm>

#include "kernel/device.h"
#include "ops/session_objects.h"
#include "ops/state_ops.h"
#include "proto/boosted_trees.pb.h"
#include "weft/mutex.h"

// Predictions of decision trees: ensembles of tf.estimator's BoostedTrees and single trees of TensorForest. Training is not supported.
namespace weft {
namespace {

namespace boosted = tensorflow::boosted_trees;

/// The object behind a handle; empty until an op creates its contents.
template <typename T>
class Slot final : public SessionResource {
 public:
  std::string kind() const override { return T::kKind; }
  std::shared_ptr<const T> get() const {
    const MutexLock lock(mutex_);
    return value_;
  }
  void set(std::shared_ptr<const T> value) {
    const MutexLock lock(mutex_);
    value_ = std::move(value);
  }

 private:
  mutable Mutex mutex_;
  std::shared_ptr<const T> value_ WEFT_GUARDED_BY(mutex_);
};

struct Ensemble {
  static constexpr const char *kKind = "tree ensemble", *kTypeName = "N10tensorflow26BoostedTreesEnsembleResourceE";
  int64_t stamp = 0;
  boosted::TreeEnsemble trees;
};
struct Boundaries {
  static constexpr const char *kKind = "quantile stream", *kTypeName = "N10tensorflow33BoostedTreesQuantileStreamResourceE";
  std::vector<Tensor> streams;
};
struct ForestTree {
  static constexpr const char *kKind = "decision tree", *kTypeName = "N10tensorflow31TensorForestDecisionTreeResourceE";
  boosted::Tree tree;
};

template <typename T>
Result<std::shared_ptr<Slot<T>>> slotOf(KernelContext& c) {
  const ResourceHandle& handle = handleOf(c, 0);
  auto slot = std::dynamic_pointer_cast<Slot<T>>(handle.resource);
  if (!slot) return noSuchObject({handle.container, handle.name}, T::kTypeName);
  return slot;
}
template <typename T>
Result<std::shared_ptr<const T>> contentsOf(KernelContext& c) {
  WEFT_LET(const auto slot, slotOf<T>(c));
  auto value = slot->get();
  if (!value) return noSuchObject({handleOf(c, 0).container, handleOf(c, 0).name}, T::kTypeName);
  return value;
}

template <typename T>
Result<std::unique_ptr<Kernel>> handleKernel(KernelInit& init) {
  ResourceHandle handle;
  const std::string container = init.attrs().text("container"), shared = init.attrs().text("shared_name");
  handle.container = container.empty() ? std::string(SessionState::kDefaultContainer) : container;
  handle.name = shared.empty() ? init.node().name : shared;
  handle.device = init.device().name();
  WEFT_LET(handle.resource,
           init.session().lookupOrCreate<Slot<T>>(
               handle.container, handle.name, []() -> Result<std::shared_ptr<Slot<T>>> { return std::make_shared<Slot<T>>(); }));
  Tensor t = Tensor::zeros(DType::Resource, {});
  *t.mutableData<ResourceHandle>() = std::move(handle);
  return functionKernel([t](KernelContext& c) -> Status {
    c.setOutput(0, t);
    return {};
  });
}

template <typename T>
Status isInitialized(KernelContext& c) {
  WEFT_LET(const auto slot, slotOf<T>(c));
  c.setOutput(0, Tensor::scalar(slot->get() != nullptr));
  return {};
}

/// Every split must lead to later nodes of its tree, so that evaluation terminates.
Status checkTree(const boosted::Tree& tree) {
  for (int i = 0; i < tree.nodes_size(); ++i) {
    const auto check = [&](int left, int right) -> Status {
      if (left > i && right > i && left < tree.nodes_size() && right < tree.nodes_size()) return {};
      return invalidArgument("Node ", i, " of a decision tree leads to nodes ", left, " and ", right, ", which do not come after it");
    };
    const boosted::Node& n = tree.nodes(i);
    if (n.has_bucketized_split()) WEFT_TRY(check(n.bucketized_split().left_id(), n.bucketized_split().right_id()));
    if (n.has_categorical_split()) WEFT_TRY(check(n.categorical_split().left_id(), n.categorical_split().right_id()));
    if (n.has_dense_split()) WEFT_TRY(check(n.dense_split().left_id(), n.dense_split().right_id()));
  }
  return {};
}

/// Adds a leaf's values multiplied by `weight`.
void addLeaf(const boosted::Node& node, float weight, float* to, int64_t count) {
  const auto& leaf = node.leaf();
  if (leaf.has_vector()) {
    for (int64_t k = 0; k < std::min<int64_t>(count, leaf.vector().value_size()); ++k) to[k] += weight * leaf.vector().value(int(k));
  } else if (count > 0) {
    to[0] += weight * leaf.scalar();
  }
}

// ---- BoostedTrees

Result<std::shared_ptr<const Ensemble>> readEnsemble(KernelContext& c) {
  for (int i = 1; i < 3; ++i)
    if (!c.input(i).shape().isScalar())
      return invalidArgument(i == 1 ? "stamp_token" : "tree_ensemble_serialized", " must be a scalar, but has shape ", c.input(i).shape().toString());
  auto made = std::make_shared<Ensemble>();
  made->stamp = c.input(1).at<int64_t>(0);
  if (!made->trees.ParseFromString(c.input(2).at<std::string>(0))) return invalidArgument("Unable to parse tree ensemble proto.");
  for (const boosted::Tree& t : made->trees.trees()) {
    if (t.nodes_size() == 0) return invalidArgument("A tree of the ensemble has no nodes");
    WEFT_TRY(checkTree(t));
  }
  if (made->trees.tree_weights_size() < made->trees.trees_size())
    return invalidArgument("The ensemble has ", made->trees.trees_size(), " trees, but ", made->trees.tree_weights_size(), " weights");
  return std::shared_ptr<const Ensemble>(std::move(made));
}

Status createEnsemble(KernelContext& c) {
  WEFT_LET(const auto slot, slotOf<Ensemble>(c));
  WEFT_LET(auto made, readEnsemble(c));
  if (!slot->get()) slot->set(std::move(made));  // existing contents are kept
  return {};
}
Status deserializeEnsemble(KernelContext& c) {
  WEFT_TRY(contentsOf<Ensemble>(c).status());
  WEFT_LET(const auto slot, slotOf<Ensemble>(c));
  WEFT_LET(auto made, readEnsemble(c));
  slot->set(std::move(made));
  return {};
}
Status serializeEnsemble(KernelContext& c) {
  WEFT_LET(const auto ensemble, contentsOf<Ensemble>(c));
  c.setOutput(0, Tensor::scalar(ensemble->stamp));
  c.setOutput(1, Tensor::scalar(ensemble->trees.SerializeAsString()));
  return {};
}
Status ensembleStates(KernelContext& c) {
  WEFT_LET(const auto ensemble, contentsOf<Ensemble>(c));
  int32_t finalized = 0;
  for (const auto& m : ensemble->trees.tree_metadata()) finalized += m.is_finalized();
  const auto& growing = ensemble->trees.growing_metadata();
  c.setOutput(0, Tensor::scalar(ensemble->stamp));
  c.setOutput(1, Tensor::scalar(int32_t(ensemble->trees.trees_size())));
  c.setOutput(2, Tensor::scalar(finalized));
  c.setOutput(3, Tensor::scalar(int32_t(growing.num_layers_attempted())));
  c.setOutput(4, Tensor::vector(std::vector<int32_t>{growing.last_layer_node_start(), growing.last_layer_node_end()}));
  return {};
}

Status predict(KernelContext& c) {
  WEFT_LET(const auto ensemble, contentsOf<Ensemble>(c));
  const int features = c.inputCount() - 1;
  const int64_t width = c.node().attrs.integer("logits_dimension");
  if (width < 0) return invalidArgument("logits_dimension must not be negative: ", width);
  const Shape& first = c.input(1).shape();
  const int64_t rows = first.rank() > 0 ? first.dim(0) : 0;
  for (int i = 1; i <= features; ++i) {
    const Shape& s = c.input(i).shape();
    if (s.rank() < 1 || s.rank() > 2 || s.dim(0) != rows)
      return invalidArgument("bucketized_features must be vectors or matrices with as many rows; feature ", i - 1, " has shape ", s.toString());
  }
  WEFT_LET(Tensor * out, c.allocate(0, {rows, width}));
  float* logits = out->mutableData<float>();
  std::fill_n(logits, out->elements(), 0.0f);
  for (int64_t row = 0; row < rows; ++row) {
    for (int t = 0; t < ensemble->trees.trees_size(); ++t) {
      const boosted::Tree& tree = ensemble->trees.trees(t);
      int at = 0;
      for (;;) {
        const boosted::Node& n = tree.nodes(at);
        const auto bucket = [&](int feature, int dimension) -> Result<int32_t> {
          if (feature < 0 || feature >= features) return invalidArgument("A tree asks for feature ", feature, ", but there are ", features);
          const Tensor& f = c.input(1 + feature);
          const int64_t columns = f.rank() == 2 ? f.dim(1) : 1;
          if (dimension < 0 || dimension >= columns)
            return invalidArgument("A tree asks for dimension ", dimension, " of feature ", feature, ", which has ", columns);
          return f.at<int32_t>(row * columns + dimension);
        };
        if (n.has_bucketized_split()) {
          const auto& s = n.bucketized_split();
          WEFT_LET(const int32_t value, bucket(s.feature_id(), s.dimension_id()));
          at = value <= s.threshold() ? s.left_id() : s.right_id();
        } else if (n.has_categorical_split()) {
          const auto& s = n.categorical_split();
          WEFT_LET(const int32_t value, bucket(s.feature_id(), s.dimension_id()));
          at = value == s.value() ? s.left_id() : s.right_id();
        } else {
          addLeaf(n, ensemble->trees.tree_weights(t), logits + row * width, width);
          break;
        }
      }
    }
  }
  return {};
}

Status predictShape(ShapeContext& c) {
  int64_t rows = Shape::kUnknownDim;
  for (int i = 1; i < c.inputCount(); ++i) {
    if (!c.input(i).hasRank() || c.input(i).rank() == 0) continue;
    WEFT_LET(rows, c.mergeDims(rows, c.input(i).dim(0)));
  }
  c.setOutput(0, {rows, c.attrs().integer("logits_dimension")});
  return {};
}

/// The index of the first boundary that is not below a value; the last one for larger values.
Status bucketize(KernelContext& c) {
  const int features = c.inputCount() / 2;
  for (int i = 0; i < features; ++i) {
    const Tensor &values = c.input(i), &boundaries = c.input(features + i);
    if (boundaries.elements() == 0) return invalidArgument("Got empty buckets for feature ", i);
    WEFT_LET(Tensor * out, c.allocate(i, values.shape()));
    const float *begin = boundaries.data<float>(), *end = begin + boundaries.elements();
    for (int64_t k = 0; k < values.elements(); ++k) {
      const float* at = std::lower_bound(begin, end, values.at<float>(k));
      out->mutableData<int32_t>()[k] = int32_t((at == end ? end - 1 : at) - begin);
    }
  }
  return {};
}

Status bucketizeShape(ShapeContext& c) {
  const int features = c.inputCount() / 2;
  int64_t rows = Shape::kUnknownDim;
  for (int i = 0; i < features; ++i) {
    WEFT_TRY(c.requireRank(c.input(i), 1));
    WEFT_TRY(c.requireRank(c.input(features + i), 1));
    if (!c.input(i).hasRank()) continue;
    WEFT_LET(rows, c.mergeDims(c.input(i).dim(0), rows));
  }
  for (int i = 0; i < features; ++i) c.setOutput(i, {rows});
  return {};
}

// ---- bucket boundaries

Status createBoundaries(KernelContext& c) {
  WEFT_LET(const auto slot, slotOf<Boundaries>(c));
  if (c.input(1).elements() != 1 || c.input(2).elements() != 1) return invalidArgument("epsilon and num_streams must be scalars");
  const int64_t streams = c.input(2).at<int64_t>(0);
  if (streams < 0 || streams > (int64_t(1) << 24)) return invalidArgument("Num streams input cannot be ", streams);
  auto made = std::make_shared<Boundaries>();
  made->streams.assign(size_t(streams), Tensor::zeros(DType::Float, {0}));
  if (!slot->get()) slot->set(std::move(made));
  return {};
}
Status setBoundaries(KernelContext& c) {
  WEFT_TRY(contentsOf<Boundaries>(c).status());
  WEFT_LET(const auto slot, slotOf<Boundaries>(c));
  auto made = std::make_shared<Boundaries>();
  for (int i = 1; i < c.inputCount(); ++i) {
    WEFT_LET(Tensor own, c.input(i).clone());
    made->streams.push_back(std::move(own));
  }
  slot->set(std::move(made));
  return {};
}
Status getBoundaries(KernelContext& c) {
  WEFT_LET(const auto boundaries, contentsOf<Boundaries>(c));
  if (int(boundaries->streams.size()) < c.outputCount())
    return invalidArgument("The stream has boundaries for ", boundaries->streams.size(), " features, but ", c.outputCount(), " are asked for");
  for (int i = 0; i < c.outputCount(); ++i) c.setOutput(i, boundaries->streams[size_t(i)]);
  return {};
}
Status getBoundariesShape(ShapeContext& c) {
  for (int i = 0; i < c.outputCount(); ++i) c.setOutput(i, Shape::unknownOfRank(1));
  return {};
}

// ---- TensorForest

template <bool fresh>
Status setTree(KernelContext& c) {
  WEFT_LET(const auto slot, slotOf<ForestTree>(c));
  if (!fresh) WEFT_TRY(contentsOf<ForestTree>(c).status());
  if (!c.input(1).shape().isScalar()) return invalidArgument("Tree config must be a scalar.");
  auto made = std::make_shared<ForestTree>();
  if (!made->tree.ParseFromString(c.input(1).at<std::string>(0))) return invalidArgument("Unable to parse tree config.");
  WEFT_TRY(checkTree(made->tree));
  if (!fresh || !slot->get()) slot->set(std::move(made));
  return {};
}
Status serializeTree(KernelContext& c) {
  WEFT_LET(const auto tree, contentsOf<ForestTree>(c));
  c.setOutput(0, Tensor::scalar(tree->tree.SerializeAsString()));
  return {};
}
Status treeSize(KernelContext& c) {
  WEFT_LET(const auto tree, contentsOf<ForestTree>(c));
  c.setOutput(0, Tensor::scalar(int32_t(tree->tree.nodes_size())));
  return {};
}
Status predictTree(KernelContext& c) {
  WEFT_LET(const auto tree, contentsOf<ForestTree>(c));
  const Tensor& x = c.input(1);
  const int64_t width = c.node().attrs.integer("logits_dimension");
  if (x.rank() != 2) return invalidArgument("dense_features must be a matrix, but has shape ", x.shape().toString());
  if (width < 0) return invalidArgument("logits_dimension must not be negative: ", width);
  WEFT_LET(Tensor * out, c.allocate(0, {x.dim(0), width}));
  float* logits = out->mutableData<float>();
  std::fill_n(logits, out->elements(), 0.0f);
  for (int64_t row = 0; row < x.dim(0) && tree->tree.nodes_size() > 0; ++row) {
    int at = 0;
    while (tree->tree.nodes(at).has_dense_split()) {
      const auto& s = tree->tree.nodes(at).dense_split();
      if (s.feature_id() < 0 || s.feature_id() >= x.dim(1)) return invalidArgument("The tree asks for feature ", s.feature_id(), ", but there are ", x.dim(1));
      at = x.at<float>(row * x.dim(1) + s.feature_id()) <= s.threshold() ? s.left_id() : s.right_id();
    }
    addLeaf(tree->tree.nodes(at), 1, logits + row * width, width);
  }
  return {};
}

}  // namespace

void registerDecisionTrees(OpRegistry& ops) {
  const auto add = [&](const char* name, const char* summary) -> OpRecord& {
    return ops.add(name)
        .category("Decision trees")
        .keywords("boosted trees forest estimator")
        .summary(summary)
        .stateful()
        .shape(shapes::none)
        .noGradient("Decision trees are not differentiable.");
  };
  const char *const container = "Resource container.", *const shared = "Ops with the same name share the resource; empty: the node's name.";
  const auto handle = [&](const char* name, const char* summary, KernelFactory kernel) {
    add(name, summary)
        .output("resource: resource", "The handle.")
        .attr("container: string = ''", container)
        .attr("shared_name: string = ''", shared)
        .shape(shapes::scalar)
        .cpu({}, std::move(kernel));
  };
  handle("BoostedTreesEnsembleResourceHandleOp", "Handle of an ensemble of boosted decision trees.", handleKernel<Ensemble>);
  handle("BoostedTreesQuantileStreamResourceHandleOp", "Handle of the quantile boundaries for bucketizing features.", handleKernel<Boundaries>);
  handle("TensorForestTreeResourceHandleOp", "Handle of a decision tree.", handleKernel<ForestTree>);

  const char *const ensemble = "tree_ensemble_handle: resource", *const ensembleDoc = "Handle of the ensemble.", *const stamp = "Version of the ensemble.";
  for (const bool create : {true, false}) {
    add(create ? "BoostedTreesCreateEnsemble" : "BoostedTreesDeserializeEnsemble",
        create ? "Creates an ensemble of boosted trees, unless it exists." : "Replaces an ensemble of boosted trees by a serialized one.")
        .input(ensemble, ensembleDoc)
        .input("stamp_token: int64", stamp)
        .input("tree_ensemble_serialized: string", "A serialized TreeEnsemble message.")
        .cpu({}, simpleKernel(create ? createEnsemble : deserializeEnsemble));
  }
  add("BoostedTreesSerializeEnsemble", "Serializes an ensemble of boosted trees.")
      .input(ensemble, ensembleDoc)
      .output("stamp_token: int64", stamp)
      .output("tree_ensemble_serialized: string", "A serialized TreeEnsemble message.")
      .shape(shapes::scalar)
      .cpu({}, simpleKernel(serializeEnsemble));
  add("IsBoostedTreesEnsembleInitialized", "Whether an ensemble of boosted trees is initialized.")
      .input(ensemble, ensembleDoc)
      .output("is_initialized: bool", "True if initialized; a scalar.")
      .shape(shapes::scalar)
      .cpu({}, simpleKernel(isInitialized<Ensemble>));
  add("BoostedTreesGetEnsembleStates", "Growth state of an ensemble of boosted trees.")
      .input(ensemble, ensembleDoc)
      .output("stamp_token: int64", stamp)
      .output("num_trees: int32", "Number of trees.")
      .output("num_finalized_trees: int32", "Number of finished trees.")
      .output("num_attempted_layers: int32", "Number of layers attempted so far.")
      .output("last_layer_nodes_range: int32", "[first, end): range of node ids in the last layer.")
      .shape([](ShapeContext& c) -> Status {
        for (int i = 0; i < 4; ++i) c.setOutput(i, Shape());
        c.setOutput(4, {2});
        return {};
      })
      .cpu({}, simpleKernel(ensembleStates));
  add("BoostedTreesPredict", "Predicts logits with an ensemble of boosted trees: sums over the leaves that each example reaches.")
      .input(ensemble, ensembleDoc)
      .input("bucketized_features: num_bucketized_features * int32", "Bucket index of each example, for each feature.")
      .output("logits: float", "[batch, logits_dimension].")
      .attr("num_bucketized_features: int >= 1", "Number of features.")
      .attr("logits_dimension: int", "Number of logits per leaf.")
      .shape(predictShape)
      .cpu({}, simpleKernel(predict));
  OpRecord& buckets = add("BoostedTreesBucketize", "Bucketizes features by given boundaries.")
                          .input("float_values: num_features * float", "Values of each feature.")
                          .input("bucket_boundaries: num_features * float", "Ascending bucket boundaries of each feature.")
                          .output("buckets: num_features * int32", "Bucket index of each value.")
                          .attr("num_features: int >= 0", "Number of features.")
                          .shape(bucketizeShape)
                          .cpu({}, simpleKernel(bucketize));
  buckets.isStateful = false;

  const char *const stream = "quantile_stream_resource_handle: resource", *const streamDoc = "Handle of the quantile boundaries.";
  add("BoostedTreesCreateQuantileStreamResource", "Creates storage for the bucket boundaries of features.")
      .input(stream, streamDoc)
      .input("epsilon: float", "Accuracy of the quantiles; ignored.")
      .input("num_streams: int64", "Number of features.")
      .attr("max_elements: int = 1099511627776", "Expected maximum number of values; ignored.")
      .cpu({}, simpleKernel(createBoundaries));
  add("BoostedTreesQuantileStreamResourceDeserialize", "Sets the bucket boundaries of features.")
      .input(stream, streamDoc)
      .input("bucket_boundaries: num_streams * float", "Bucket boundaries of each feature.")
      .attr("num_streams: int >= 1", "Number of features.")
      .cpu({}, simpleKernel(setBoundaries));
  add("BoostedTreesQuantileStreamResourceGetBucketBoundaries", "Reads the bucket boundaries of features.")
      .input(stream, streamDoc)
      .output("bucket_boundaries: num_features * float", "Bucket boundaries of each feature.")
      .attr("num_features: int >= 0", "Number of features.")
      .shape(getBoundariesShape)
      .cpu({}, simpleKernel(getBoundaries));
  add("IsBoostedTreesQuantileStreamResourceInitialized", "Whether the bucket boundaries are initialized.")
      .input(stream, streamDoc)
      .output("is_initialized: bool", "True if initialized; a scalar.")
      .shape(shapes::scalar)
      .cpu({}, simpleKernel(isInitialized<Boundaries>));

  const char *const tree = "tree_handle: resource", *const treeDoc = "Handle of the tree.";
  add("TensorForestCreateTreeVariable", "Creates a decision tree, unless it exists.")
      .input(tree, treeDoc)
      .input("tree_config: string", "A serialized decision tree message.")
      .cpu({}, simpleKernel(setTree<true>));
  add("TensorForestTreeDeserialize", "Replaces a decision tree by a serialized one.")
      .input(tree, treeDoc)
      .input("tree_config: string", "A serialized decision tree message.")
      .cpu({}, simpleKernel(setTree<false>));
  add("TensorForestTreeSerialize", "Serializes a decision tree.")
      .input(tree, treeDoc)
      .output("tree_config: string", "A serialized decision tree message.")
      .shape(shapes::scalar)
      .cpu({}, simpleKernel(serializeTree));
  add("TensorForestTreeSize", "Number of nodes of a decision tree.")
      .input(tree, treeDoc)
      .output("tree_size: int32", "The count; a scalar.")
      .shape(shapes::scalar)
      .cpu({}, simpleKernel(treeSize));
  add("TensorForestTreeIsInitializedOp", "Whether a decision tree is initialized.")
      .input(tree, treeDoc)
      .output("is_initialized: bool", "True if initialized; a scalar.")
      .shape(shapes::scalar)
      .cpu({}, simpleKernel(isInitialized<ForestTree>));
  add("TensorForestTreePredict", "Predicts logits with a decision tree: the values of the leaf that each example reaches.")
      .input(tree, treeDoc)
      .input("dense_features: float", "Features, one row per example.")
      .output("logits: float", "[batch, logits_dimension]: values of the leaves.")
      .attr("logits_dimension: int", "Number of logits per leaf.")
      .shape([](ShapeContext& c) -> Status {
        WEFT_TRY(c.requireRank(c.input(1), 2));
        c.setOutput(0, {c.input(1).hasRank() ? c.input(1).dim(0) : Shape::kUnknownDim, c.attrs().integer("logits_dimension")});
        return {};
      })
      .cpu({}, simpleKernel(predictTree));
  state(ops, OpRole::Compute, Effect::Makes,
        "BoostedTreesEnsembleResourceHandleOp BoostedTreesQuantileStreamResourceHandleOp TensorForestTreeResourceHandleOp");
  state(
      ops, OpRole::Compute, Effect::Object,
      "BoostedTreesCreateEnsemble BoostedTreesCreateQuantileStreamResource BoostedTreesDeserializeEnsemble BoostedTreesQuantileStreamResourceDeserialize TensorForestCreateTreeVariable TensorForestTreeDeserialize");
  state(
      ops, OpRole::Compute, Effect::Reads,
      "BoostedTreesGetEnsembleStates BoostedTreesPredict BoostedTreesQuantileStreamResourceGetBucketBoundaries BoostedTreesSerializeEnsemble IsBoostedTreesEnsembleInitialized IsBoostedTreesQuantileStreamResourceInitialized TensorForestTreeIsInitializedOp TensorForestTreePredict TensorForestTreeSerialize TensorForestTreeSize");
}

}  // namespace weft
