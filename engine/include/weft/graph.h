#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "weft/attr.h"
#include "weft/error.h"

namespace weft {

struct OpRecord;

/// Output `index` of node `node` of some graph: the tensor "name:index".
struct Output {
  int node = -1;
  int index = 0;
  bool valid() const { return node >= 0; }
  bool operator==(const Output&) const = default;
  auto operator<=>(const Output&) const = default;
};

/// An operation of a graph. Plain data, owned by its Graph and changed only through it.
struct Node {
  int id = -1;
  std::string name;
  std::string op;
  const OpRecord* record = nullptr;  ///< Null if the engine does not know the op. Such a node is kept, shown and saved, but not run.
  std::string device;                ///< As requested; empty = anywhere.
  std::vector<Output> inputs;
  std::vector<int> controls;               ///< Nodes that must run first (the `^name` inputs).
  AttrMap attrs;                           ///< Attributes from the file or builder, with defaults of known ops filled in.
  std::vector<DType> outputTypes;          ///< Including reference types. Unknown op: as many as other nodes use, Invalid where not stated.
  std::vector<Shape> outputShapes;         ///< From shape functions; same length as outputTypes.
  std::vector<DType> inputTypes;           ///< Types that the op expects, including references.
  std::shared_ptr<const std::string> raw;  ///< The NodeDef's bytes as read; null for nodes that were changed or built.
  std::vector<std::string> defaulted;      ///< Attributes absent from the file that got their default.
};

/// Versions that a GraphDef carries.
struct GraphVersions {
  int producer = 134;
  int minConsumer = 0;
  std::vector<int> badConsumers;
};

/// Opaque library of functions of a graph (FunctionDefLibrary), kept as read.
class FunctionLibrary;

/// A dataflow graph: nodes by id, with unique names. Copies are cheap snapshots; nodes are shared until changed.
/// Not synchronised: do not change a graph that several threads can see.
class WEFT_API Graph {
 public:
  Graph();
  /// Number of ids ever used. Ids start at 0; removed nodes are null.
  int size() const { return int(nodes_.size()); }
  int nodeCount() const { return live_; }
  const Node* node(int id) const { return id >= 0 && id < size() ? nodes_[id].get() : nullptr; }
  const Node* find(std::string_view name) const;
  /// The output that "name" or "name:k" names; "^name" is not an output. NOT_FOUND and INVALID_ARGUMENT in TensorFlow's words.
  Result<Output> findOutput(std::string_view tensorName) const;
  std::string tensorName(Output o) const;  ///< "name:0"
  DType dtype(Output o) const { return nodes_[o.node]->outputTypes[o.index]; }
  const Shape& shape(Output o) const { return nodes_[o.node]->outputShapes[o.index]; }

  /// Adds a node that the caller filled in completely. GraphBuilder is the checked way. ALREADY_EXISTS if the name is taken.
  Result<int> add(Node node);
  /// Applies `edit` to a private copy of the node and replaces it; `raw` is dropped. ALREADY_EXISTS if a new name is taken.
  template <typename F>
  Status change(int id, F&& edit) {
    Node copy = *nodes_[id];
    edit(copy);
    return replace(id, std::move(copy));
  }
  Status remove(int id);  ///< FAILED_PRECONDITION names a consumer if the node has one.
  /// Removes all nodes from the number `first` on, which may form loops. Their numbers are not used again. REQUIRES: no earlier node depends on them.
  void removeFrom(int first);
  /// Stores inferred shapes. This does not count as a change of the node.
  void setOutputShapes(int id, std::vector<Shape> shapes);

  /// For each node, the ids of the nodes that read its outputs or wait for it, ascending, each once.
  std::vector<std::vector<int>> consumers() const;
  /// All live ids, producers before consumers; back edges NextIteration -> Merge are ignored. INVALID_ARGUMENT names the nodes of a cycle.
  Result<std::vector<int>> topologicalOrder() const;

  GraphVersions versions;
  std::shared_ptr<const FunctionLibrary> functions;
  /// Whether some shape may say more than shape functions infer: it was set by setShape, copied or added with a node, or its node was changed since. Such shapes are
  /// shown; runs must not rely on them.
  bool statesShapes = false;

 private:
  Status replace(int id, Node node);
  std::vector<std::shared_ptr<const Node>> nodes_;
  std::shared_ptr<std::unordered_map<std::string, int>> byName_;  // copied when shared and changed
  int live_ = 0;
};

/// One named collection of a MetaGraphDef. `kind` says which list is used.
struct Collection {
  enum class Kind { Nodes, Bytes, Ints, Floats, Anys } kind = Kind::Nodes;
  std::vector<std::string> nodes;  ///< names of nodes or tensors
  std::vector<std::string> bytes;  ///< serialised messages (VariableDef, WhileContextDef, …)
  std::vector<int64_t> ints;
  std::vector<float> floats;
  std::vector<std::string> anys;  ///< serialised google.protobuf.Any
};

/// A saver's ops in a graph (SaverDef).
struct SaverInfo {
  std::string filenameTensor, saveTensor, restoreOp;
  int maxToKeep = 5;
  bool sharded = false;
  float keepCheckpointEveryHours = 10000;
  int version = 2;
};

/// A graph with the other contents of a MetaGraphDef. `rest` holds what Weft does not interpret (meta info, signatures, assets).
struct WEFT_API MetaGraph {
  Graph graph;
  std::map<std::string, Collection> collections;
  std::optional<SaverInfo> saver;
  std::shared_ptr<const std::string> rest;  ///< a MetaGraphDef's bytes without graph, collections and saver
};

/// The form of a graph file.
enum class GraphFormat { GraphBinary, GraphText, MetaBinary, MetaText };

/// How strict loading is.
struct LoadOptions {
  bool inferShapes = true;
  bool allowUnknownOps = true;  ///< Keep nodes of unknown ops, with record = nullptr.
};

struct LoadedGraph {
  MetaGraph meta;  ///< For GraphDefs only `graph` is filled.
  GraphFormat format = GraphFormat::GraphBinary;
  std::vector<Error> problems;                  ///< Problems that do not prevent loading: unknown ops with their counts, shape errors with their node.
  std::shared_ptr<const std::string> original;  ///< The file's bytes.
};

/// Reads a .pb, .pbtxt, .meta or .weft file. The content determines the form. Errors name the file and the node, value or line.
WEFT_API Result<LoadedGraph> loadGraphFile(const std::string& path, const LoadOptions& options = {});
WEFT_API Result<LoadedGraph> loadGraphBytes(std::shared_ptr<const std::string> bytes, const std::string& nameForErrors, const LoadOptions& options = {});
/// The graph as if it were written and read again: shapes are inferred from the ops alone, unknown ops are listed. Values of attributes are shared, not copied.
/// `original` is null. INVALID_ARGUMENT if TensorFlow would refuse the graph.
WEFT_API Result<LoadedGraph> rereadGraph(MetaGraph meta, const std::string& nameForErrors);
/// Serialises a meta graph. In binary forms, unchanged nodes keep their original bytes.
WEFT_API Result<std::string> serializeGraph(const MetaGraph& meta, GraphFormat format);
/// Writes a graph file atomically, in the given format.
WEFT_API Status saveGraphFile(const MetaGraph& meta, GraphFormat format, const std::string& path);

}  // namespace weft
