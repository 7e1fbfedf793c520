#pragma once

#include <deque>
#include <memory>
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

/// Puts a Graph together from NodeDefs in any order and checks it as TensorFlow's importer does.
class GraphAssembler {
 public:
  explicit GraphAssembler(const LoadOptions& options) : options_(options) {}

  /// Takes one node; `raw` are its bytes, from which `def` was read.
  Status addNode(const tensorflow::NodeDef& def, std::shared_ptr<const std::string> raw);
  /// Takes one node from its bytes alone; false if it has anything unusual: then it must be parsed and given to addNode().
  bool addPlainNode(std::string_view bytes);
  Status setVersions(const tensorflow::VersionDef& versions);
  void setLibrary(std::string bytes);
  void setLibrary(std::shared_ptr<const FunctionLibrary> library) { library_ = std::move(library); }

  /// Connects the nodes, resolves signatures, infers shapes. `problems` gets what is no reason to refuse.
  Result<Graph> finish(std::vector<Error>* problems);

 private:
  struct Pending {
    Node node;
    std::vector<std::string_view> inputs;  // as written, in the node's bytes
  };

  Status connect(Node& node, const std::vector<std::string_view>& inputs, const std::unordered_map<std::string_view, int>& ids);
  Status checkTypes();
  Status checkCycles(const Graph& graph) const;
  void listUnknownOps(std::vector<Error>* problems) const;

  LoadOptions options_;
  std::deque<Pending> pending_;
  AttrWireReader attrs_;
  GraphVersions versions_{0, 0, {}};
  std::shared_ptr<const FunctionLibrary> library_;
};

/// Names that TensorFlow accepts for a node: [A-Za-z0-9.][A-Za-z0-9_.\-/>]*, or one of its own that begin with '_'.
bool isValidNodeName(std::string_view name);

}  // namespace weft
