#include "graph/function_body.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "graph/graph_assembler.h"
#include "proto/graph.pb.h"
#include "weft/op.h"

namespace weft {

namespace tf = ::tensorflow;

namespace {

class BodyBuilder {
 public:
  BodyBuilder(const tf::FunctionDef& def, const AttrMap& attrs, std::shared_ptr<const FunctionLibrary> library)
      : def_(def), name_(def.signature().name()), attrs_(attrs), library_(std::move(library)), assembler_(LoadOptions{}) {}

  Status build(FunctionBody& body) {
    WEFT_TRY(addArgs());
    for (const auto& node : def_.node_def()) WEFT_TRY(bindNode(node));
    for (tf::NodeDef& node : nodes_) {
      WEFT_TRY(renameInputs(node));
      WEFT_TRY(assembler_.addNode(node, std::make_shared<const std::string>(node.SerializeAsString())));
    }
    assembler_.setLibrary(library_);
    tf::VersionDef versions;
    versions.set_producer(kFunctionProducer);
    WEFT_TRY(assembler_.setVersions(versions));
    auto graph = assembler_.finish(nullptr);
    if (!graph.ok()) return inThis(graph.error());
    body.name = name_;
    body.graph = std::move(*graph);
    return connect(body);
  }

 private:
  /// The outputs of an argument or node, by the function's names.
  struct Outputs {
    int count = 1;
    bool isArg = false;
    std::vector<std::string> nodes;                     // a list argument has a node per element
    std::map<std::string, std::pair<int, int>> ranges;  // ranges of a node's outputs, by name
  };
  static constexpr int kFunctionProducer = 24;  // functions have no version, and deprecations are ignored in them

  Error inThis(Error e) const {
    e.message = "In function " + name_ + ": " + e.message;
    return e;
  }

  Status bind(tf::AttrValue& value) const {
    if (value.value_case() == tf::AttrValue::kPlaceholder) {
      const Attr* bound = attrs_.find(value.placeholder());
      if (!bound) return invalidArgument("Function ", name_, ": attribute ", value.placeholder(), " is not bound");
      tf::AttrValue concrete;
      WEFT_TRY(attrToProto(*bound, &concrete));
      value = std::move(concrete);
      return {};
    }
    if (value.has_func()) return bindAll(*value.mutable_func()->mutable_attr());
    if (value.has_list()) {
      for (auto& f : *value.mutable_list()->mutable_func()) WEFT_TRY(bindAll(*f.mutable_attr()));
    }
    return {};
  }
  template <typename Map>
  Status bindAll(Map& attrs) const {
    for (auto& [key, value] : attrs) WEFT_TRY(bind(value));
    return {};
  }

  Status addArgs() {
    const tf::OpDef& signature = def_.signature();
    int index = 0, position = 0;
    for (const auto& arg : signature.input_arg()) {
      std::vector<DType> types;
      if (!arg.type_list_attr().empty()) {
        types = attrs_.list<DType>(arg.type_list_attr());
      } else {
        const int64_t count = arg.number_attr().empty() ? 1 : attrs_.integer(arg.number_attr(), -1);
        const DType type = arg.type_attr().empty() ? DType(arg.type()) : attrs_.type(arg.type_attr());
        if (count < 0 || count > (1 << 16) || type == DType::Invalid)
          return invalidArgument("Function ", name_, ": the type of argument ", arg.name(), " is not bound");
        types.assign(size_t(count), type);
      }
      const bool isList = !arg.type_list_attr().empty() || !arg.number_attr().empty();
      Outputs& outputs = names_[arg.name()];
      outputs.count = int(types.size());
      outputs.isArg = true;
      for (size_t k = 0; k < types.size(); ++k) {
        tf::NodeDef node;
        node.set_name(isList ? concat(arg.name(), "_", k) : arg.name());
        node.set_op("_Arg");
        (*node.mutable_attr())["T"].set_type(tf::DataType(int(types[k])));
        (*node.mutable_attr())["index"].set_i(index++);
        if (const auto it = def_.arg_attr().find(unsigned(position)); it != def_.arg_attr().end()) {
          for (const auto& [key, value] : it->second.attr()) (*node.mutable_attr())[key] = value;
        }
        outputs.nodes.push_back(node.name());
        args_.push_back(node.name());
        nodes_.push_back(std::move(node));
      }
      ++position;
    }
    return {};
  }

  Status bindNode(const tf::NodeDef& def) {
    tf::NodeDef node = def;
    WEFT_TRY(bindAll(*node.mutable_attr()));
    Outputs outputs;
    const OpRecord* record = OpRegistry::instance().find(node.op());
    if (!record) record = library_->record(node.op());
    if (!record) {
      return notFound("Op type not registered '", node.op(), "' in this version of Weft. Function ", name_, " needs it.").atNode(node.name());
    }
    AttrMap attrs;
    for (const auto& [key, value] : node.attr()) {
      WEFT_LET(Attr a, attrFromProto(value));
      attrs.set(key, std::move(a));
    }
    auto signature = resolveSignature(*record, attrs);
    if (!signature.ok()) return inThis(signature.error().atNode(node.name()));
    outputs.count = int(signature->outputTypes.size());
    for (size_t k = 0; k < record->outputs.size(); ++k) outputs.ranges[record->outputs[k].name] = signature->outputRanges[k];
    if (record->isStateful) stateful_.push_back(node.name());
    if (!names_.emplace(node.name(), std::move(outputs)).second) return invalidArgument("Function ", name_, ": the name ", node.name(), " is not unique");
    nodes_.push_back(std::move(node));
    return {};
  }

  /// Translates "x", "list:2", "node:output:0" and "node:output" (the whole list) to graph names such as "node:3".
  Result<std::vector<std::string>> translate(const std::string& text) const {
    std::vector<std::string> parts;
    for (size_t at = 0; at <= text.size();) {
      const size_t colon = std::min(text.find(':', at), text.size());
      parts.push_back(text.substr(at, colon - at));
      at = colon + 1;
    }
    const Error bad = invalidArgument("Function ", name_, ": input ", text, " is not found");
    const auto number = [](const std::string& s) {
      int value = -1;
      const auto r = std::from_chars(s.data(), s.data() + s.size(), value);
      return r.ec == std::errc() && r.ptr == s.data() + s.size() ? value : -1;
    };
    const auto it = names_.find(parts[0]);
    if (it == names_.end() || parts.size() > 3) return bad;
    const Outputs& from = it->second;
    int begin = 0, end = from.count;
    if (from.isArg && parts.size() == 2 && number(parts[1]) >= 0) {
      begin = number(parts[1]);
      end = begin + 1;
    } else if (parts.size() >= 2) {
      if (const auto range = from.ranges.find(parts[1]); range != from.ranges.end()) {
        begin = range->second.first;
        end = range->second.second;
      } else {
        begin = number(parts[1]);
        end = begin + 1;
        if (begin < 0 || parts.size() == 3) return bad;
      }
      if (parts.size() == 3) {
        const int k = number(parts[2]);
        if (k < 0 || k >= end - begin) return bad;
        begin += k;
        end = begin + 1;
      }
    }
    if (end > from.count) return bad;
    std::vector<std::string> out;
    for (int k = begin; k < end; ++k) {
      if (from.isArg) out.push_back(from.nodes[size_t(k)]);
      else out.push_back(k == 0 ? parts[0] : concat(parts[0], ":", k));
    }
    return out;
  }

  Status renameInputs(tf::NodeDef& node) const {
    std::vector<std::string> renamed;
    for (const std::string& input : node.input()) {
      if (input.starts_with('^')) {
        renamed.push_back(input);
        continue;
      }
      WEFT_LET(auto names, translate(input));
      renamed.insert(renamed.end(), names.begin(), names.end());
    }
    node.clear_input();
    for (std::string& input : renamed) node.add_input(std::move(input));
    return {};
  }

  Status connect(FunctionBody& body) const {
    for (const std::string& arg : args_) body.args.push_back({body.graph.find(arg)->id, 0});
    for (const auto& result : def_.signature().output_arg()) {
      const auto it = def_.ret().find(result.name());
      if (it == def_.ret().end()) return invalidArgument("Function ", name_, ": output ", result.name(), " is missing");
      WEFT_LET(auto names, translate(it->second));
      for (const std::string& text : names) {
        WEFT_LET(const Output o, body.graph.findOutput(text.find(':') == text.npos ? text + ":0" : text));
        body.results.push_back(o);
      }
    }
    std::set<std::string> targets(stateful_.begin(), stateful_.end());
    for (const auto& [name, node] : def_.control_ret()) {
      if (!body.graph.find(node)) return invalidArgument("Function ", name_, ": control output ", node, " is missing");
      targets.insert(node);
    }
    body.targets.assign(targets.begin(), targets.end());
    return {};
  }

  const tf::FunctionDef& def_;
  const std::string name_;
  const AttrMap& attrs_;
  std::shared_ptr<const FunctionLibrary> library_;
  GraphAssembler assembler_;
  std::vector<tf::NodeDef> nodes_;
  std::vector<std::string> args_;
  std::map<std::string, Outputs> names_;
  std::vector<std::string> stateful_;
};

}  // namespace

Status buildFunctionBody(const tf::FunctionDef& def, const AttrMap& attrs, std::shared_ptr<const FunctionLibrary> library, FunctionBody& body) {
  // Attributes that the caller left out have the signature's defaults.
  AttrMap bound = attrs;
  for (const auto& attr : def.signature().attr()) {
    if (!attr.has_default_value() || bound.find(attr.name())) continue;
    WEFT_LET(Attr value, attrFromProto(attr.default_value()));
    bound.set(attr.name(), std::move(value));
  }
  return BodyBuilder(def, bound, std::move(library)).build(body);
}

}  // namespace weft
