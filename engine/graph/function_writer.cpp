#include "graph/function_writer.h"

#include <algorithm>
#include <cctype>

#include "graph/attr_proto.h"
#include "proto/graph.pb.h"
#include "weft/op.h"

namespace weft {

namespace tf = ::tensorflow;

namespace {

/// Argument names consist of lower-case letters, digits and underscores, and begin with a letter.
std::string argumentName(const std::string& node) {
  std::string name;
  for (const char c : node) name += std::isalnum(static_cast<unsigned char>(c)) ? char(std::tolower(static_cast<unsigned char>(c))) : '_';
  return name.empty() || !std::isalpha(static_cast<unsigned char>(name[0])) ? "arg_" + name : name;
}

class FunctionWriter {
 public:
  FunctionWriter(const Graph& graph, const FunctionPart& part) : graph_(graph), part_(part) {}

  Status write(tf::FunctionDef& def) {
    tf::OpDef& signature = *def.mutable_signature();
    signature.set_name(part_.name);
    std::set<std::string> taken;
    for (const int id : part_.nodes) taken.insert(graph_.node(id)->name);
    const auto unique = [&taken](const std::string& name) {
      std::string out = name;
      for (int k = 1; !taken.insert(out).second; ++k) out = name + "_" + std::to_string(k);
      return out;
    };
    for (size_t i = 0; i < part_.args.size(); ++i) {
      const Node& arg = *graph_.node(part_.args[i].node);
      tf::OpDef::ArgDef& to = *signature.add_input_arg();
      to.set_name(unique(argumentName(arg.name)));
      to.set_type(tf::DataType(int(arg.attrs.type("T"))));
      args_[arg.id] = to.name();
      for (const auto& [key, value] : arg.attrs) {
        if (key.starts_with('_')) WEFT_TRY(attrToProto(value, &(*(*def.mutable_arg_attr())[unsigned(i)].mutable_attr())[key]));
      }
    }
    for (const int id : part_.nodes) {
      const Node& node = *graph_.node(id);
      if (roleOf(node) == OpRole::Argument) continue;
      if (node.record && node.record->isStateful) signature.set_is_stateful(true);
      WEFT_TRY(writeNode(node, *def.add_node_def()));
    }
    std::set<std::string> outputs;
    for (const Output o : part_.results) {
      const Node& node = *graph_.node(o.node);
      std::string base = argumentName(node.name.substr(node.name.rfind('/') + 1)), name = base;
      for (int k = 1; !outputs.insert(name).second; ++k) name = base + "_" + std::to_string(k);
      tf::OpDef::ArgDef& to = *signature.add_output_arg();
      to.set_name(name);
      to.set_type(tf::DataType(int(baseType(graph_.dtype(o)))));
      WEFT_LET((*def.mutable_ret())[name], nameOf(o));
    }
    for (const std::string& target : part_.targets) {
      (*def.mutable_control_ret())[target] = target;
      signature.add_control_output(target);
    }
    return {};
  }

 private:
  /// A value's name in functions: "argument" or "node:output:index".
  Result<std::string> nameOf(Output o) const {
    if (const auto arg = args_.find(o.node); arg != args_.end()) return arg->second;
    const Node& node = *graph_.node(o.node);
    if (!part_.nodes.contains(o.node)) return internalError("Function ", part_.name, ": ", node.name, " lies outside of it");
    const OpRecord* record = node.record;
    if (!record) return notFound("Op type not registered '", node.op, "'").atNode(node.name);
    AttrMap attrs = node.attrs;
    WEFT_LET(const NodeSignature signature, resolveSignature(*record, attrs));
    for (size_t k = 0; k < record->outputs.size(); ++k) {
      const auto [begin, end] = signature.outputRanges[k];
      if (o.index >= begin && o.index < end) return concat(node.name, ":", record->outputs[k].name, ":", o.index - begin);
    }
    return internalError("Node ", node.name, " has no output ", o.index);
  }

  Status writeNode(const Node& node, tf::NodeDef& to) const {
    to.set_name(node.name);
    to.set_op(node.op);
    to.set_device(node.device);
    for (const Output o : node.inputs) {
      WEFT_LET(const std::string name, nameOf(o));
      to.add_input(name);
    }
    for (const int c : node.controls) {
      if (part_.nodes.contains(c) && !args_.contains(c)) to.add_input("^" + graph_.node(c)->name);
    }
    // All attributes are written, because readers of functions do not fill in defaults.
    for (const auto& [key, value] : node.attrs) {
      if (key == "_class") {
        std::vector<std::string> kept;
        for (const std::string& place : node.attrs.list<std::string>(key)) {
          const Node* with = place.starts_with("loc:@") ? graph_.find(place.substr(5)) : nullptr;
          if (with && part_.nodes.contains(with->id) && !args_.contains(with->id)) kept.push_back(place);
        }
        if (!kept.empty()) WEFT_TRY(attrToProto(kept, &(*to.mutable_attr())[key]));
        continue;
      }
      if (Status s = attrToProto(value, &(*to.mutable_attr())[key]); !s.ok()) return s.error().atNode(node.name);
    }
    return {};
  }

  const Graph& graph_;
  const FunctionPart& part_;
  std::map<int, std::string> args_;
};

}  // namespace

Result<std::shared_ptr<const FunctionLibrary>> withFunction(const Graph& graph, const FunctionPart& part) {
  tf::FunctionDefLibrary library;
  if (graph.functions && !library.ParseFromString(graph.functions->bytes())) return internalError("The graph's functions cannot be read");
  WEFT_TRY(FunctionWriter(graph, part).write(*library.add_function()));
  return std::shared_ptr<const FunctionLibrary>(std::make_shared<FunctionLibrary>(library.SerializeAsString()));
}

std::string freeFunctionName(const FunctionLibrary* library, const std::string& name) {
  std::string out = name;
  for (int k = 1; library && library->contains(out); ++k) out = name + "_" + std::to_string(k);
  return out;
}

}  // namespace weft
