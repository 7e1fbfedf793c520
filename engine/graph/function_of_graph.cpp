#include "graph/function_of_graph.h"

#include <google/protobuf/util/message_differencer.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "graph/attr_proto.h"
#include "graph/function_hash.h"
#include "graph/function_library.h"
#include "graph/shape_context.h"
#include "proto/graph.pb.h"
#include "weft/op.h"

namespace weft {

namespace tf = ::tensorflow;

namespace {

/// Argument names consist of lower-case letters, digits and underscores, and begin with a letter.
std::string nameOfArgument(const std::string& node) {
  std::string name;
  for (const char c : node) {
    const auto u = static_cast<unsigned char>(c);
    if (name.empty() && !std::isalpha(u)) continue;
    name += std::isalnum(u) ? char(std::tolower(u)) : '_';
  }
  return name.empty() ? "unknown" : name;
}

class Names {
 public:
  std::string unique(const std::string& name) {
    if (used_.try_emplace(name, 0).second) return name;
    for (;;) {
      std::string candidate = name + "_" + std::to_string(used_[name]++);
      if (used_.try_emplace(candidate, 0).second) return candidate;
    }
  }

 private:
  std::map<std::string, int> used_;
};

class Maker {
 public:
  Maker(const Graph& graph, const GraphFunction& function) : graph_(graph), function_(function) {}

  Result<std::string> make() {
    tf::OpDef& signature = *def_.mutable_signature();
    signature.set_description(function_.description);
    std::set<int> inputs;
    for (size_t i = 0; i < function_.inputs.size(); ++i) {
      const Output o = function_.inputs[i];
      const Node& node = *graph_.node(o.node);
      tf::OpDef::ArgDef& arg = *signature.add_input_arg();
      arg.set_name(names_.unique(nameOfArgument(node.name)));
      arg.set_type(tf::DataType(int(graph_.dtype(o))));
      values_[o] = arg.name();
      inputs.insert(o.node);
      for (const auto& [key, value] : node.attrs) {
        if (key.starts_with('_')) WEFT_TRY(attrToProto(value, &(*(*def_.mutable_arg_attr())[unsigned(i)].mutable_attr())[std::string(key)]));
      }
    }
    for (size_t i = 0; i < function_.outputs.size(); ++i) {
      const Output o = function_.outputs[i];
      tf::OpDef::ArgDef& arg = *signature.add_output_arg();
      arg.set_name(i < function_.outputNames.size() ? function_.outputNames[i] : names_.unique(nameOfArgument(graph_.node(o.node)->name)));
      arg.set_type(tf::DataType(int(graph_.dtype(o))));
    }
    std::vector<const Node*> body;
    for (int id = 0; id < graph_.size(); ++id) {
      const Node* node = graph_.node(id);
      if (!node || inputs.contains(id)) continue;
      body.push_back(node);
      WEFT_TRY(nameValues(*node));
    }
    for (const Node* node : body) WEFT_TRY(addNode(*node));
    for (size_t i = 0; i < function_.outputs.size(); ++i) {
      const auto value = values_.find(function_.outputs[i]);
      if (value == values_.end()) return outside(graph_.tensorName(function_.outputs[i]));
      (*def_.mutable_ret())[signature.output_arg(int(i)).name()] = value->second;
    }
    for (const int id : function_.controlOutputs) {
      const auto name = nodes_.find(id);
      if (name == nodes_.end()) return outside(graph_.node(id)->name);
      (*def_.mutable_control_ret())[graph_.node(id)->name] = name->second;
      signature.add_control_output(graph_.node(id)->name);
    }
    // The hash is computed before the function has a name.
    if (function_.appendHash) {
      WEFT_LET(const uint64_t hash, functionHash(def_));
      signature.set_name(function_.name + "_" + hashText(hash));
    } else {
      signature.set_name(function_.name);
    }
    for (const auto& [key, value] : function_.attrs) WEFT_TRY(attrToProto(value, &(*def_.mutable_attr())[std::string(key)]));
    return def_.SerializeAsString();
  }

 private:
  Error outside(const std::string& what) const { return invalidArgument("Function ", function_.name, " depends on ", what, ", which lies outside of it"); }

  Status nameValues(const Node& node) {
    const std::string name = nodes_[node.id] = names_.unique(node.name);
    if (!node.record) return notFound("Op type not registered '", node.op, "'").atNode(node.name);
    AttrMap attrs = node.attrs;
    WEFT_LET(const NodeSignature signature, resolveSignature(*node.record, attrs));
    for (size_t k = 0; k < node.record->outputs.size(); ++k) {
      const auto [begin, end] = signature.outputRanges[k];
      for (int i = begin; i < end; ++i) values_[{node.id, i}] = concat(name, ":", node.record->outputs[k].name, ":", i - begin);
    }
    return {};
  }

  Status addNode(const Node& node) {
    tf::NodeDef& to = *def_.add_node_def();
    to.set_name(nodes_[node.id]);
    to.set_op(node.op);
    to.set_device(node.device);
    if (node.record->isStateful) def_.mutable_signature()->set_is_stateful(true);
    for (const Output o : node.inputs) {
      const auto value = values_.find(o);
      if (value == values_.end()) return outside(graph_.tensorName(o));
      to.add_input(value->second);
    }
    std::vector<std::string> controls;
    for (const int c : node.controls) {
      if (const auto name = nodes_.find(c); name != nodes_.end()) controls.push_back("^" + name->second);
    }
    std::sort(controls.begin(), controls.end());
    for (std::string& c : controls) to.add_input(std::move(c));
    for (const auto& [key, value] : node.attrs) {
      if (key == "_class") {
        std::vector<std::string> kept;
        for (const std::string& place : node.attrs.list<std::string>(key)) {
          const Node* with = place.starts_with("loc:@") ? graph_.find(place.substr(5)) : nullptr;
          const auto name = with ? nodes_.find(with->id) : nodes_.end();
          if (name != nodes_.end()) kept.push_back("loc:@" + name->second);
        }
        if (!kept.empty()) WEFT_TRY(attrToProto(kept, &(*to.mutable_attr())["_class"]));
        continue;
      }
      if (Status s = attrToProto(value, &(*to.mutable_attr())[std::string(key)]); !s.ok()) return s.error().atNode(node.name);
    }
    return {};
  }

  const Graph& graph_;
  const GraphFunction& function_;
  tf::FunctionDef def_;
  Names names_;
  std::map<int, std::string> nodes_;      // names in the function
  std::map<Output, std::string> values_;  // "argument" or "node:output:index"
};

}  // namespace

Result<std::string> functionOfGraph(const Graph& graph, const GraphFunction& function) { return Maker(graph, function).make(); }

std::string functionName(const std::string& functionDef) {
  tf::FunctionDef def;
  return def.ParseFromString(functionDef) ? def.signature().name() : std::string();
}

std::string otherFunction(const Graph& graph, const std::vector<std::string>& functionDefs) {
  tf::FunctionDefLibrary library;
  if (!graph.functions || !library.ParseFromString(graph.functions->bytes())) return {};
  for (const std::string& bytes : functionDefs) {
    tf::FunctionDef def;
    if (!def.ParseFromString(bytes)) continue;
    for (const auto& own : library.function())
      if (own.signature().name() == def.signature().name() && !google::protobuf::util::MessageDifferencer::Equals(own, def)) return def.signature().name();
  }
  return {};
}

std::string otherFunction(const Graph& graph, const Graph& from) {
  if (!from.functions || graph.functions == from.functions) return {};
  tf::FunctionDefLibrary theirs;
  if (!theirs.ParseFromString(from.functions->bytes())) return {};
  std::vector<std::string> definitions;
  for (const auto& own : theirs.function()) definitions.push_back(own.SerializeAsString());
  return otherFunction(graph, definitions);
}

Status addFunctions(Graph& graph, const std::vector<std::string>& functionDefs, const std::vector<std::string>& gradients) {
  tf::FunctionDefLibrary library;
  if (graph.functions && !library.ParseFromString(graph.functions->bytes())) return internalError("The graph's functions cannot be read");
  std::set<std::string> known, derived;
  for (const auto& f : library.function()) known.insert(f.signature().name());
  for (const auto& g : library.gradient()) derived.insert(g.function_name());
  for (size_t i = 0; i < functionDefs.size(); ++i) {
    tf::FunctionDef def;
    if (!def.ParseFromString(functionDefs[i])) return invalidArgument("This is no FunctionDef");
    const std::string name = def.signature().name();
    if (known.insert(name).second) *library.add_function() = std::move(def);
    if (i < gradients.size() && !gradients[i].empty() && derived.insert(name).second) {
      library.add_gradient()->set_function_name(name);
      library.mutable_gradient(library.gradient_size() - 1)->set_gradient_func(gradients[i]);
    }
  }
  setFunctions(graph, std::make_shared<FunctionLibrary>(library.SerializeAsString()));
  return {};
}

Status takeFunctions(Graph& graph, const Graph& from) {
  if (!from.functions || graph.functions == from.functions) return {};
  tf::FunctionDefLibrary theirs;
  if (!theirs.ParseFromString(from.functions->bytes())) return internalError("The graph's functions cannot be read");
  std::vector<std::string> definitions, gradients;
  for (const auto& f : theirs.function()) {
    definitions.push_back(f.SerializeAsString());
    const auto derived =
        std::find_if(theirs.gradient().begin(), theirs.gradient().end(), [&](const auto& g) { return g.function_name() == f.signature().name(); });
    gradients.push_back(derived == theirs.gradient().end() ? std::string() : derived->gradient_func());
  }
  return addFunctions(graph, definitions, gradients);
}

void describeArgument(Graph& function, int argument, const Graph& outside, Output handle) {
  const auto data = findHandleData(outside, handle);
  if (!data) return;
  (void)function.change(argument, [&](Node& n) {
    n.attrs.set("_handle_dtypes", std::vector<DType>{data->dtype});
    n.attrs.set("_handle_shapes", std::vector<Shape>{data->shape});
  });
}

}  // namespace weft
