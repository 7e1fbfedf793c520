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

/// An operation of a graph. Plain data; belongs to its Graph and is changed through it alone.
struct Node {
  int id = -1;
  std::string name;
  std::string op;
  const OpRecord* record = nullptr;  ///< Null if this engine does not know the op; such a node is kept, shown and saved, not run.
  std::string device;                ///< As requested; empty = anywhere.
  std::vector<Output> inputs;
  std::vector<int> controls;               ///< Nodes that must have run before (the `^name` inputs).
  AttrMap attrs;                           ///< All that the file or builder gave; defaults of known ops filled in.
  std::vector<DType> outputTypes;          ///< Reference types included. Unknown op: as many as are used by others, Invalid if not stated.
  std::vector<Shape> outputShapes;         ///< By shape functions; as long as outputTypes.
  std::vector<DType> inputTypes;           ///< What the op expects at each input (references included).
  std::shared_ptr<const std::string> raw;  ///< The NodeDef's bytes as read; null once the node was changed or made here.
  std::vector<std::string> defaulted;      ///< Attributes that were absent in the file and got their default.
};

/// Versions that a GraphDef carries.
struct GraphVersions {
  int producer = 134;
  int minConsumer = 0;
  std::vector<int> badConsumers;
};

/// Opaque library of functions of a graph (FunctionDefLibrary), kept as read.
class FunctionLibrary;

/// A dataflow graph: nodes by id, names unique. Copies are cheap snapshots (nodes are shared until changed).
/// Not synchronised: a graph that several threads see must not be changed any more.
class WEFT_API Graph {
 public:
  Graph();
  /// Nodes ever made; ids run from 0; removed ones are null.
  int size() const { return int(nodes_.size()); }
  int nodeCount() const { return live_; }
  const Node* node(int id) const { return id >= 0 && id < size() ? nodes_[id].get() : nullptr; }
  const Node* find(std::string_view name) const;
  /// "name", "name:k" or "^name" is no output; NOT_FOUND and INVALID_ARGUMENT in TensorFlow's words.
  Result<Output> findOutput(std::string_view tensorName) const;
  std::string tensorName(Output o) const;  ///< "name:0"
  DType dtype(Output o) const { return nodes_[o.node]->outputTypes[o.index]; }
  const Shape& shape(Output o) const { return nodes_[o.node]->outputShapes[o.index]; }

  /// Adds a node with everything filled in by the caller (see GraphBuilder for the checked way). ALREADY_EXISTS if the name is taken.
  Result<int> add(Node node);
  /// Changes a node by a function on its private copy; forgets `raw`. Renaming keeps names unique: ALREADY_EXISTS.
  template <typename F>
  Status change(int id, F&& edit) {
    Node copy = *nodes_[id];
    edit(copy);
    return replace(id, std::move(copy));
  }
  Status remove(int id);  ///< FAILED_PRECONDITION names a consumer if there is one.
  /// Sets what shape inference found, without counting as a change of the node.
  void setOutputShapes(int id, std::vector<Shape> shapes);

  /// Ids of nodes that take one of `id`'s outputs or wait for it, in order of id, each once.
  std::vector<std::vector<int>> consumers() const;
  /// All live ids, producers before consumers (back edges NextIteration -> Merge ignored). INVALID_ARGUMENT names the nodes of a cycle.
  Result<std::vector<int>> topologicalOrder() const;

  GraphVersions versions;
  std::shared_ptr<const FunctionLibrary> functions;
  /// Whether some shape may be more than shape functions tell: set by setShape, copied or added with a node, or of a node changed since. Graphs show it; runs must not go by it.
  bool statesShapes = false;

 private:
  Status replace(int id, Node node);
  std::vector<std::shared_ptr<const Node>> nodes_;
  std::shared_ptr<std::unordered_map<std::string, int>> byName_;  // copied when shared and changed
  int live_ = 0;
};

/// One named collection of a MetaGraphDef; exactly one list is used.
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

/// A graph with what MetaGraphDef says beside it. `rest` holds everything that Weft does not interpret (meta info, signatures, assets).
struct WEFT_API MetaGraph {
  Graph graph;
  std::map<std::string, Collection> collections;
  std::optional<SaverInfo> saver;
  std::shared_ptr<const std::string> rest;  ///< a MetaGraphDef's bytes without graph, collections and saver
};

/// Which form a graph file has.
enum class GraphFormat { GraphBinary, GraphText, MetaBinary, MetaText };

/// How strict loading is.
struct LoadOptions {
  bool inferShapes = true;
  bool allowUnknownOps = true;  ///< Nodes of ops that the engine does not know are kept with record = nullptr.
};

struct LoadedGraph {
  MetaGraph meta;  ///< For GraphDefs only `graph` is filled.
  GraphFormat format = GraphFormat::GraphBinary;
  std::vector<Error> problems;                  ///< What is not in order but no reason to refuse: unknown ops with their counts, shape errors (with node).
  std::shared_ptr<const std::string> original;  ///< The file's bytes.
};

/// Reads a .pb, .pbtxt, .meta or .weft file; the form is found from the content. Errors name the file and the node, value or line.
WEFT_API Result<LoadedGraph> loadGraphFile(const std::string& path, const LoadOptions& options = {});
WEFT_API Result<LoadedGraph> loadGraphBytes(std::shared_ptr<const std::string> bytes, const std::string& nameForErrors, const LoadOptions& options = {});
/// Serialises; untouched nodes as their original bytes (binary forms).
WEFT_API Result<std::string> serializeGraph(const MetaGraph& meta, GraphFormat format);
/// Writes atomically. The format follows `format`.
WEFT_API Status saveGraphFile(const MetaGraph& meta, GraphFormat format, const std::string& path);

}  // namespace weft
