#include "graph/function_library.h"

#include <algorithm>
#include <set>

#include "graph/attr_proto.h"
#include "graph/function_body.h"
#include "proto/graph.pb.h"
#include "weft/mutex.h"
#include "weft/op.h"

namespace weft {

namespace tf = ::tensorflow;

namespace {

/// Names of the functions that an attribute mentions.
void namesIn(const tf::AttrValue& value, std::set<std::string>& names) {
  const auto take = [&](const tf::NameAttrList& f) {
    names.insert(f.name());
    for (const auto& [key, inner] : f.attr()) namesIn(inner, names);
  };
  if (value.has_func()) take(value.func());
  if (value.has_list()) {
    for (const auto& f : value.list().func()) take(f);
  }
}

std::string typeText(const tf::OpDef::ArgDef& arg) {
  std::string type =
      arg.type_list_attr().empty() ? arg.type_attr().empty() ? dtypeName(baseType(DType(arg.type()))) : arg.type_attr() : "list(" + arg.type_list_attr() + ")";
  if (arg.is_ref() || isRef(DType(arg.type()))) type = "Ref(" + type + ")";
  return arg.number_attr().empty() ? type : arg.number_attr() + " * " + type;
}

}  // namespace

FunctionLibrary::FunctionLibrary(std::string bytes) : bytes_(std::move(bytes)), library_(std::make_unique<tf::FunctionDefLibrary>()) {
  if (!library_->ParseFromString(bytes_)) library_->Clear();
  for (const auto& f : library_->function()) defs_.try_emplace(f.signature().name(), &f);
  for (const auto& g : library_->gradient()) gradients_.try_emplace(g.function_name(), g.gradient_func());
}

FunctionLibrary::~FunctionLibrary() = default;

std::vector<std::string> FunctionLibrary::names() const {
  std::vector<std::string> out;
  for (const auto& [name, def] : defs_) out.push_back(name);
  return out;
}

std::map<std::string, int> FunctionLibrary::unknownOps() const {
  std::map<std::string, int> out;
  for (const auto& [name, def] : defs_) {
    for (const auto& node : def->node_def()) {
      if (!contains(node.op()) && !OpRegistry::instance().find(node.op())) ++out[node.op()];
    }
  }
  return out;
}

std::string FunctionLibrary::gradientOf(const std::string& name) const {
  const auto it = gradients_.find(name);
  return it == gradients_.end() ? std::string() : it->second;
}

const OpRecord* FunctionLibrary::record(const std::string& name) const {
  const auto it = defs_.find(name);
  if (it == defs_.end()) return nullptr;
  // Nodes are shared by snapshots that outlive the graph and its library, so records are never freed: one per distinct signature.
  static Mutex mutex;
  static auto* const kept WEFT_PT_GUARDED_BY(mutex) = new std::map<std::string, std::unique_ptr<OpRecord>>;
  const tf::OpDef& signature = it->second->signature();
  const MutexLock lock(mutex);
  std::unique_ptr<OpRecord>& record = (*kept)[signature.SerializeAsString()];
  if (record) return record.get();
  record = std::make_unique<OpRecord>();
  record->name = name;
  record->category("Control flow").summary("A function of this graph.").description(signature.description());
  for (const auto& arg : signature.input_arg()) record->input(arg.name() + ": " + typeText(arg), arg.description());
  for (const auto& arg : signature.output_arg()) record->output(arg.name() + ": " + typeText(arg), arg.description());
  for (const auto& attr : signature.attr()) {
    AttrSpec spec;
    spec.name = attr.name();
    spec.type = attr.type();
    spec.doc = attr.description();
    if (attr.has_default_value()) {
      if (auto value = attrFromProto(attr.default_value()); value.ok()) spec.defaultValue = std::move(*value);
    }
    record->attrs.push_back(std::move(spec));
  }
  record->isStateful = signature.is_stateful();
  record->effects(Effect::Declared).retains();
  completeFunctionRecord(*record);
  return record.get();
}

void setFunctions(Graph& graph, std::shared_ptr<const FunctionLibrary> functions) {
  graph.functions = std::move(functions);
  if (graph.functions && !graph.functions->names().empty()) graph.versions.minConsumer = std::max(graph.versions.minConsumer, kFunctionConsumer);
}

const OpRecord* recordOf(const Graph& graph, std::string_view op) {
  const OpRecord* record = OpRegistry::instance().find(op);
  return record || !graph.functions ? record : graph.functions->record(std::string(op));
}

Status FunctionLibrary::visit(const std::string& name, std::vector<std::string>& path, std::map<std::string, Calls>& seen) const {
  const auto it = defs_.find(name);
  if (it == defs_.end()) return notFound("Function ", name, " is not defined.");
  Calls& mine = seen[name];
  if (mine.depth > 0) return {};
  path.push_back(name);
  if (mine.depth < 0) {
    std::string circle;
    for (auto at = std::find(path.begin(), path.end(), name); at != path.end(); ++at) circle += (circle.empty() ? "" : " -> ") + *at;
    return invalidArgument("Function ", name, " calls itself (", circle, "); recursive functions are not supported.");
  }
  if (int(path.size()) > kMaxDepth) return invalidArgument("Calls of functions nest deeper than ", kMaxDepth, " at function ", name, ".");
  mine.depth = -1;
  int depth = 1;
  bool stateful = false;
  for (const auto& node : it->second->node_def()) {
    std::set<std::string> called;
    if (contains(node.op())) called.insert(node.op());
    const OpRecord* record = OpRegistry::instance().find(node.op());
    if (record && record->isStateful) stateful = true;
    for (const auto& [key, value] : node.attr()) {
      if (!key.starts_with('_')) namesIn(value, called);
    }
    called.erase(std::string());
    for (const std::string& f : called) {
      if (Status s = visit(f, path, seen); !s.ok()) return s.error().atNode(node.name());
      depth = std::max(depth, seen[f].depth + 1);
      stateful |= seen[f].isStateful;
    }
  }
  path.pop_back();
  seen[name] = {depth, stateful};
  if (depth > kMaxDepth) return invalidArgument("Calls of functions nest deeper than ", kMaxDepth, " from function ", name, " on.");
  return {};
}

Status FunctionLibrary::checkCalls(const std::string& name) const {
  const MutexLock lock(mutex_);
  std::map<std::string, Calls> seen = calls_;
  std::vector<std::string> path;
  WEFT_TRY(visit(name, path, seen));
  calls_ = std::move(seen);
  return {};
}

Result<std::shared_ptr<const FunctionBody>> FunctionLibrary::instantiate(const std::string& name, const AttrMap& attrs) const {
  WEFT_TRY(checkCalls(name));
  auto body = std::make_shared<FunctionBody>();
  WEFT_TRY(buildFunctionBody(*defs_.at(name), attrs, shared_from_this(), *body));
  const MutexLock lock(mutex_);
  body->isStateful = calls_[name].isStateful;
  return std::shared_ptr<const FunctionBody>(std::move(body));
}

}  // namespace weft
