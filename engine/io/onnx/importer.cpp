#include "io/onnx/importer.h"

#include <algorithm>
#include <cctype>

#include "graph/builder_hooks.h"
#include "graph/flow_context.h"
#include "io/foreign_model.h"
#include "io/onnx/import_foreign.h"
#include "io/onnx/node_order.h"
#include "proto/meta_graph.pb.h"
#include "proto/text.h"
#include "weft/onnx.h"

namespace weft::onnx_io {
namespace {

constexpr int kDeepest = 32;  // functions within functions, graphs within graphs
constexpr size_t kMostWarnings = 200;
constexpr int64_t kMostNodes = 200000;  // of a model with its functions inlined

bool isStandardDomain(const std::string& domain) { return domain.empty() || domain == "ai.onnx"; }

/// What a warning or an error calls a node.
std::string nodeTitle(const ::onnx::NodeProto& node) {
  const std::string& name = !node.name().empty() || node.output_size() == 0 ? node.name() : node.output(0);
  return concat("node '", name, "' (", node.op_type(), ")");
}

}  // namespace

Status Importer::readOpsets() {
  for (const auto& set : model_.opset_import()) {
    const std::string domain = isStandardDomain(set.domain()) ? std::string() : set.domain();
    opsets_[domain] = int(std::clamp<int64_t>(set.version(), 0, 1 << 20));
    if (domain.empty() && set.version() > kNewestOnnxImport)
      warnings_.push_back(concat("The model is of operator set ", set.version(), "; Weft knows those up to ", kNewestOnnxImport,
                                 ", so an op that changed since then may compute something else."));
  }
  // Models of the first IR versions may lack the statement.
  if (!opsets_.count("")) opsets_[""] = 1;
  return {};
}

void Importer::undoSince(const Mark& mark) {
  bool controlFlow = false;
  for (int id = mark.nodes; id < meta_.graph.size() && !controlFlow; ++id) {
    const Node* n = meta_.graph.node(id);
    controlFlow = n && (n->op == "Enter" || n->op == "Switch");
  }
  meta_.graph.removeFrom(mark.nodes);
  if (controlFlow) forgetRemovedNodes(*builder_, mark.nodes);
  for (size_t i = mark.changes; i < changed_.size(); ++i)
    for (Scope* s = scope_; s; s = s->outer) {
      const auto found = s->values.find(changed_[i]);
      if (found == s->values.end()) continue;
      for (Output* o : {&found->second.plain, &found->second.last})
        if (o->node >= mark.nodes) *o = {};
    }
  changed_.resize(mark.changes);
  made_ = mark.made;
}

void Importer::setValue(const std::string& name, ImportedValue value) {
  changed_.push_back(name);
  scope_->values[name] = value;
}

void Importer::grant(const void* holder, int64_t bytes) {
  if (granted_.insert(holder).second) mostMade_ += 2 * bytes;
}

bool Importer::spend(int64_t bytes) {
  if (bytes > mostMade_ - made_) return false;
  made_ += bytes;
  return true;
}

const ImportedValue* Importer::find(const std::string& name) const {
  for (const Scope* s = scope_; s; s = s->outer)
    if (const auto found = s->values.find(name); found != s->values.end()) return &found->second;
  return nullptr;
}

Output Importer::plain(const std::string& name) {
  const ImportedValue* found = find(name);
  if (!found) {
    builder_->fail(invalidArgument("'", name, "' is read before anything computes it"));
    return {};
  }
  if (found->plain.valid() || !found->last.valid()) return found->plain;
  const int rank = builder_->shape(found->last).rank();
  ImportedValue both = *found;
  both.plain = builder_->op("Transpose", {both.last, builder_->constant(Tensor::vector(toChannelsFirst(rank)), "channels_first")}, {}, "to_channels_first");
  setValue(name, both);
  return both.plain;
}

Output Importer::last(const std::string& name) {
  const ImportedValue* found = find(name);
  if (!found) return plain(name);
  if (found->last.valid() || !found->plain.valid()) return found->last;
  ImportedValue both = *found;
  const int rank = builder_->shape(both.plain).rank();
  both.last = builder_->op("Transpose", {both.plain, builder_->constant(Tensor::vector(toChannelsLast(rank)), "channels_last")}, {}, "to_channels_last");
  setValue(name, both);
  return both.last;
}

const ::onnx::AttributeProto* Importer::argumentOf(const std::string& parameter) const {
  if (!scope_->arguments) return nullptr;
  const auto found = scope_->arguments->find(parameter);
  return found == scope_->arguments->end() ? nullptr : found->second;
}

const ::onnx::ValueInfoProto* Importer::infoOf(const std::string& name) const {
  if (depth_ > 0) return nullptr;  // the infos are those of the model's own graph; a function or subgraph may use the same names for others
  const auto found = infos_.find(name);
  return found == infos_.end() ? nullptr : found->second;
}

Status Importer::addUnheld(const std::string& name, const char* op, const std::string& why) {
  Node node;
  node.op = op;
  node.name = builder_->uniqueName(nodeNameFrom(name, op));
  node.outputTypes = {DType::Invalid};
  node.outputShapes = {Shape::unknown()};
  WEFT_LET(const int id, meta_.graph.add(std::move(node)));
  setValue(name, {{id, 0}, {}});
  if (warnings_.size() < kMostWarnings) {
    warnings_.push_back(why + ".");
    warnings_.back()[0] = char(std::toupper(warnings_.back()[0]));
  }
  return {};
}

Status Importer::addInitializers(const ::onnx::GraphProto& graph) {
  for (const auto& tensor : graph.initializer()) {
    auto read = reader_.read(tensor);
    if (!read.ok() && read.error().code == Code::Unimplemented) {
      WEFT_TRY(addUnheld(tensor.name(), "OnnxConstant", read.error().message));
      continue;
    }
    WEFT_LET(Tensor value, std::move(read));
    grant(&tensor, int64_t(value.bytes()));
    const Output made = builder_->constant(std::move(value), nodeNameFrom(tensor.name(), "Const"));
    setValue(tensor.name(), {made, {}});
  }
  if (graph.sparse_initializer_size() > 0)
    return unimplemented("initializer '", graph.sparse_initializer(0).values().name(), "' is sparse; expected dense tensors").ofKind("unsupported_type");
  return builder_->status();
}

Status Importer::addInputs() {
  const auto& graph = model_.graph();
  for (const auto& input : graph.input()) {
    if (scope_->values.count(input.name())) {
      // Before IR version 4, each initializer had to be listed as an input too.
      if (model_.ir_version() >= 4) warnings_.push_back(concat("Input '", input.name(), "' has a default value; it became a constant."));
      continue;
    }
    const auto& type = input.type();
    if (!type.has_tensor_type()) {
      WEFT_TRY(addUnheld(input.name(), "OnnxInput", concat("input '", input.name(), "' is a sequence, a map or optional; expected a tensor")));
      continue;
    }
    const DType dtype = dtypeOfOnnx(type.tensor_type().elem_type());
    if (dtype == DType::Invalid) {
      const std::string name = onnxTypeName(type.tensor_type().elem_type());
      WEFT_TRY(addUnheld(input.name(), "OnnxInput", concat("input '", input.name(), "' is of type ", name, ", which TensorFlow's graphs do not have")));
      continue;
    }
    const Output made = builder_->placeholder(dtype, shapeOfOnnx(type), nodeNameFrom(input.name(), "input"));
    WEFT_TRY(builder_->status());
    setValue(input.name(), {made, {}});
    inputs_.emplace_back(input.name(), made);
  }
  return {};
}

Status Importer::addNodes(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes) {
  for (const ::onnx::NodeProto* node : inOrder(nodes)) WEFT_TRY(addNode(*node));
  return {};
}

void Importer::nameAfterScope(int mark, const std::string& scope) {
  int made = -1;
  for (int id = mark; id < meta_.graph.size(); ++id) {
    if (!meta_.graph.node(id)) continue;
    if (made >= 0) return;
    made = id;
  }
  if (made < 0 || scope.empty() || meta_.graph.node(made)->name.compare(0, scope.size(), scope) != 0) return;
  const std::string name = scope.substr(0, scope.size() - 1);
  if (!meta_.graph.find(name)) (void)meta_.graph.change(made, [&](Node& n) { n.name = name; });
}

Translation Importer::translated(const ::onnx::NodeProto& node, bool* channelsLast) {
  for (const auto& f : model_.functions())
    if (f.name() == node.op_type() && f.domain() == node.domain() && f.overload() == node.overload()) return callFunction(f, node);
  const ImportRule* rule = importRule(node.domain(), node.op_type());
  if (!rule) return unimplemented("the op has no counterpart in TensorFlow");
  for (const std::string& input : node.input())
    if (const ImportedValue* v = input.empty() ? nullptr : find(input); v && v->plain.valid() && builder_->dtype(v->plain) == DType::Invalid)
      return unimplemented("the type of its input '", input, "' is not known");
  const auto set = opsets_.find(isStandardDomain(node.domain()) ? std::string() : node.domain());
  ImportNode view(*this, *builder_, node, set == opsets_.end() ? 1 : set->second);
  auto outputs = rule->translate(view);
  WEFT_TRY(builder_->status());
  *channelsLast = view.channelsLast;
  return outputs;
}

Status Importer::addNode(const ::onnx::NodeProto& node) {
  for (const std::string& input : node.input())
    if (!input.empty() && !find(input))
      return invalidArgument(nodeTitle(node), " reads '", input, "', which nothing before it computes").ofKind("invalid_graph");
  if (++translated_ > kMostNodes) return invalidArgument("the model has more than ", kMostNodes, " nodes with its functions inlined").ofKind("too_large");
  const Mark before = mark();
  std::string name = nodeNameFrom(!node.name().empty() || node.output_size() == 0 ? node.name() : node.output(0), node.op_type());
  bool channelsLast = false;
  std::string scope;
  const auto outputs = [&]() -> Translation {
    const auto guard = builder_->nameScope(name);
    scope = builder_->currentScope();
    return translated(node, &channelsLast);
  }();
  if (outputs.ok()) {
    nameAfterScope(before.nodes, scope);
    bind(node, *outputs, channelsLast);
    if (depth_ == 0) changed_.clear();
    return builder_->status();
  }
  const Error why = outputs.error();
  // In a branch or a loop, what was made cannot be taken back alone.
  if (controlDepth_ > 0) return Error(why).ofKind("unsupported_op");
  undoSince(before);
  (void)takeError(*builder_);
  return keepForeign(node, scope, why.message);
}

void Importer::bind(const ::onnx::NodeProto& node, const Outputs& outputs, bool channelsLast) {
  if (outputs.size() < size_t(node.output_size())) {
    for (int i = int(outputs.size()); i < node.output_size(); ++i)
      if (!node.output(i).empty()) return builder_->fail(unimplemented(nodeTitle(node), ": its output '", node.output(i), "' is not computed"));
  }
  for (int i = 0; i < node.output_size() && i < int(outputs.size()); ++i) {
    if (node.output(i).empty()) continue;
    const bool turned = channelsLast && builder_->shape(outputs[size_t(i)]).rank() >= 3;
    setValue(node.output(i), turned ? ImportedValue{{}, outputs[size_t(i)]} : ImportedValue{outputs[size_t(i)], {}});
    // A shape that the model states helps where the ops do not tell.
    if (turned) continue;
    const auto* info = infoOf(node.output(i));
    if (!info || !outputs[size_t(i)].valid()) continue;
    const Shape stated = shapeOfOnnx(info->type()), known = builder_->shape(outputs[size_t(i)]);
    if (stated.hasRank() && !known.hasRank()) builder_->setShape(outputs[size_t(i)], Shape::unknownOfRank(stated.rank()));
  }
}

Status Importer::keepForeign(const ::onnx::NodeProto& node, const std::string& scope, const std::string& why) {
  Node made;
  std::vector<std::string> lost;
  const auto argument = [this](const std::string& parameter) { return argumentOf(parameter); };
  WEFT_TRY(foreignNode(node, argument, reader_, &made, &lost));
  made.name = scope.substr(0, scope.empty() ? 0 : scope.size() - 1);
  if (made.name.empty() || meta_.graph.find(made.name)) made.name = builder_->uniqueName(nodeNameFrom(made.name, node.op_type()));
  for (const std::string& input : node.input()) {
    if (input.empty()) continue;
    made.inputs.push_back(plain(input));
    made.inputTypes.push_back(builder_->dtype(made.inputs.back()));
  }
  WEFT_TRY(builder_->status());
  for (const std::string& output : node.output()) {
    const auto* info = infoOf(output);
    made.outputTypes.push_back(info && info->type().has_tensor_type() ? dtypeOfOnnx(info->type().tensor_type().elem_type()) : DType::Invalid);
    made.outputShapes.push_back(info ? shapeOfOnnx(info->type()) : Shape::unknown());
  }
  if (warnings_.size() < kMostWarnings) {
    std::string text = concat(nodeTitle(node), " cannot run: ", why);
    for (const std::string& attr : lost) text += concat("; its attribute '", attr, "' is left out");
    text[0] = 'N';
    warnings_.push_back(text + ".");
  }
  WEFT_LET(const int id, meta_.graph.add(std::move(made)));
  for (int i = 0; i < node.output_size(); ++i)
    if (!node.output(i).empty()) setValue(node.output(i), {{id, i}, {}});
  return {};
}

Result<Outputs> Importer::subgraph(const ::onnx::GraphProto& graph, const Outputs& arguments) {
  if (depth_ >= kDeepest) return invalidArgument("graphs are nested more than ", kDeepest, " deep").ofKind("too_deep");
  Scope inner{scope_, {}, scope_->arguments};
  scope_ = &inner;
  ++depth_;
  ++controlDepth_;
  const auto run = [&]() -> Result<Outputs> {
    if (graph.input_size() != int(arguments.size())) return invalidArgument("a graph of it has ", graph.input_size(), " inputs; expected ", arguments.size());
    for (int i = 0; i < graph.input_size(); ++i) inner.values[graph.input(i).name()] = {arguments[size_t(i)], {}};
    WEFT_TRY(addInitializers(graph));
    WEFT_TRY(addNodes(graph.node()));
    Outputs out;
    for (const auto& output : graph.output()) out.push_back(plain(output.name()));
    WEFT_TRY(builder_->status());
    return out;
  };
  auto out = run();
  scope_ = inner.outer;
  --depth_;
  --controlDepth_;
  return out;
}

Result<std::vector<std::pair<DType, Shape>>> Importer::typesOf(const ::onnx::GraphProto& graph, const Outputs& arguments) {
  const Mark before = mark();
  WEFT_LET(const Outputs made, subgraph(graph, arguments));
  std::vector<std::pair<DType, Shape>> out;
  for (const Output& o : made) out.emplace_back(builder_->dtype(o), builder_->shape(o));
  undoSince(before);
  return out;
}

Translation Importer::callFunction(const ::onnx::FunctionProto& function, const ::onnx::NodeProto& node) {
  if (depth_ >= kDeepest) return invalidArgument("functions call each other more than ", kDeepest, " deep").ofKind("too_deep");
  std::unordered_map<std::string, const ::onnx::AttributeProto*> arguments;
  for (const auto& attr : function.attribute_proto()) arguments[attr.name()] = &attr;
  for (const auto& attr : node.attribute()) arguments[attr.name()] = attr.ref_attr_name().empty() ? &attr : argumentOf(attr.ref_attr_name());
  Scope inner{scope_, {}, &arguments};
  for (int i = 0; i < function.input_size() && i < node.input_size(); ++i)
    if (const ImportedValue* v = node.input(i).empty() ? nullptr : find(node.input(i))) inner.values[function.input(i)] = *v;
  // A function sees nothing of its caller.
  inner.outer = nullptr;
  Scope* const caller = std::exchange(scope_, &inner);
  const Opsets callerOpsets = opsets_;
  for (const auto& set : function.opset_import()) opsets_[isStandardDomain(set.domain()) ? std::string() : set.domain()] = int(set.version());
  ++depth_;
  const auto run = [&]() -> Translation {
    WEFT_TRY(addNodes(function.node()));
    Outputs out;
    for (const std::string& output : function.output()) out.push_back(plain(output));
    return out;
  };
  auto out = run();
  --depth_;
  opsets_ = callerOpsets;
  scope_ = caller;
  return out;
}

Result<std::vector<std::pair<std::string, Output>>> Importer::addOutputs() {
  std::vector<std::pair<std::string, Output>> outputs;
  for (const auto& output : model_.graph().output()) {
    if (!find(output.name())) return invalidArgument("output '", output.name(), "' is computed by no node").ofKind("invalid_graph");
    Output made = plain(output.name());
    const std::string name = nodeNameFrom(output.name(), "output");
    const Node* node = meta_.graph.node(made.node);
    const bool named = node && made.index == 0 && node->name == name;
    // An Identity bears the output's name, so that it is found in the graph too. One without a type would be none.
    if (!named && builder_->dtype(made) != DType::Invalid) made = builder_->identity(made, name);
    WEFT_TRY(builder_->status());
    outputs.emplace_back(output.name(), made);
  }
  return outputs;
}

void Importer::removeUnreadConstants(const std::vector<std::pair<std::string, Output>>& outputs) {
  const auto consumers = meta_.graph.consumers();
  for (int id = meta_.graph.size() - 1; id >= 0; --id) {
    const Node* n = meta_.graph.node(id);
    const bool shown = std::any_of(outputs.begin(), outputs.end(), [&](const auto& o) { return o.second.node == id; });
    if (n && roleOf(*n) == OpRole::Constant && consumers[size_t(id)].empty() && !shown) (void)meta_.graph.remove(id);
  }
}

Result<ImportedModel> Importer::import() {
  if (!model_.has_graph()) return dataLoss("the model has no graph").ofKind("malformed");
  WEFT_TRY(readOpsets());
  for (const auto* list : {&model_.graph().value_info(), &model_.graph().input(), &model_.graph().output()})
    for (const auto& info : *list) infos_[info.name()] = &info;
  holdControlFlowCollections(*builder_);
  WEFT_TRY(addInitializers(model_.graph()));
  WEFT_TRY(addInputs());
  WEFT_TRY(addNodes(model_.graph().node()));
  releaseControlFlowCollections(*builder_);
  WEFT_LET(const auto outputs, addOutputs());
  removeUnreadConstants(outputs);
  return servedModel(std::move(meta_), inputs_, outputs, std::move(warnings_));
}

}  // namespace weft::onnx_io

namespace weft {
namespace {

constexpr size_t kLongestMessage = 600;

/// Names of a damaged model may hold anything; a message is one line.
void makeOneLine(std::string* text) {
  for (char& c : *text)
    if (uint8_t(c) < 32 || c == 127) c = ' ';
  if (text->size() > kLongestMessage) text->replace(kLongestMessage, text->npos, "…");
}

}  // namespace

Result<ImportedModel> onnxToGraph(std::string_view bytes, const std::string& folder, FileSystem* files) {
  ::onnx::ModelProto model;
  WEFT_TRY(parseWire(bytes, &model));
  auto made = onnx_io::Importer(model, {folder, files ? *files : posixFileSystem()}).import();
  if (made.ok()) {
    for (std::string& warning : made->warnings) makeOneLine(&warning);
    return made;
  }
  Error error = made.error();
  makeOneLine(&error.message);
  return error;
}

}  // namespace weft
