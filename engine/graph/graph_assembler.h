#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/attr_wire.h"
#include "weft/graph.h"

namespace tensorflow {
class NodeDef;
class VersionDef;
}  // namespace tensorflow

namespace weft {

/// Assembles a Graph from NodeDefs in any order and checks it as TensorFlow's importer does, or keeps what that would refuse (weft/defects.h).
class GraphAssembler {
 public:
  enum class Broken { Refused, Kept };
  explicit GraphAssembler(const LoadOptions& options, Broken broken = Broken::Refused) : options_(options), keeps_(broken == Broken::Kept) {}

  /// Adds one node; `def` was parsed from `raw`.
  Status addNode(const tensorflow::NodeDef& def, std::shared_ptr<const std::string> raw);
  /// Adds nodes from their bytes, on all threads. For each node in an unusual form, `unusual` is called, in order, with its index in `nodes`: it must
  /// parse the node and call addNode(). Stops at the first error of `unusual`.
  Status addNodes(std::span<const std::string_view> nodes, const std::function<Status(size_t)>& unusual);
  Status setVersions(const tensorflow::VersionDef& versions);
  void setLibrary(std::string bytes);
  void setLibrary(std::shared_ptr<const FunctionLibrary> library) { library_ = std::move(library); }

  /// Adds the nodes, functions and versions of a graph as they would be written. Values of attributes are shared.
  void addGraph(const Graph& graph);

  /// Connects the nodes, resolves signatures, infers shapes. `problems` receives non-fatal errors.
  Result<Graph> finish(std::vector<Error>* problems);

 private:
  struct Pending {
    Node node;
    std::vector<std::string_view> inputs;  // as written, in the node's bytes
  };

  /// Index in pending_ by name. Open addressing in one block of memory; a node-based table would cost several times as much.
  class Ids {
   public:
    explicit Ids(const std::vector<std::unique_ptr<Pending>>& nodes);
    int find(std::string_view name) const;  ///< -1 if there is none.
    int twice() const { return twice_; }    ///< The first node whose name was already in use; -1: none.

   private:
    struct Slot {
      uint32_t hash = 0;
      int node = -1;
    };
    const std::vector<std::unique_ptr<Pending>>& nodes_;
    std::vector<Slot> slots_;  // a power of two
    int twice_ = -1;
  };
  static std::unique_ptr<Pending> plainNode(std::string_view bytes, AttrWireReader& attrs);
  /// Calls f for every node, on all threads; returns the error of the first failing node.
  template <typename F>
  Status eachNode(F&& f);
  Status sign(Node& node) const;
  Status connect(Node& node, const std::vector<std::string_view>& inputs, const Ids& ids) const;
  void countOutputsOfUnknownOps();
  Status checkTypes(Node& node) const;
  /// `counts`: number of nodes by op.
  void listUnknownOps(std::map<std::string, int> counts, std::vector<Error>* problems) const;
  // For graphs that TensorFlow would refuse (broken_graphs.cpp).
  void nameApart();
  Status connectAvailable(Graph& graph, const std::vector<std::vector<std::string>>& inputs) const;
  Result<Graph> finishBroken(std::vector<Error>* problems);

  LoadOptions options_;
  const bool keeps_;
  std::vector<std::unique_ptr<Pending>> pending_;
  std::deque<std::string> written_;  ///< Inputs of nodes that were not read from bytes.
  GraphVersions versions_{0, 0, {}};
  std::shared_ptr<const FunctionLibrary> library_;
};

/// Whether TensorFlow accepts the name: [A-Za-z0-9.][A-Za-z0-9_.\-/>]*, or one of its internal names, which begin with '_'.
bool isValidNodeName(std::string_view name);

}  // namespace weft
