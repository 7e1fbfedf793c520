#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <set>

#include "graph/flow_context.h"
#include "proto/meta_graph.pb.h"

namespace weft {

namespace tf = ::tensorflow;

namespace {

// All contexts of a builder's graph: outermost ones in the order of their collections.
struct FlowContexts {
  bool read = false, held = false;
  size_t written[2] = {};  // of conds and loops: how many of them, from the first, the collections had when they were last written here
  std::vector<std::shared_ptr<FlowContext>> conds, loops, alive;
};

// Ignores names of tensors that were removed since.
Output tensorOf(GraphBuilder& b, const std::string& name) {
  const auto o = b.graph().findOutput(name);
  return o.ok() ? *o : Output{};
}

void readValues(GraphBuilder& b, const tf::ValuesDef& def, const std::shared_ptr<FlowContext>& c) {
  for (const auto& [outside, inside] : def.external_values()) {
    const Output from = tensorOf(b, outside), to = tensorOf(b, inside);
    if (from.valid() && to.valid()) c->external[from] = to;
  }
  for (const std::string& name : def.values()) {
    const Output o = tensorOf(b, name);
    if (!o.valid()) continue;
    c->values.insert(o);
    if (!def.external_values().contains(name)) b.setContextOf(o.node, c);
  }
}

void readNested(GraphBuilder& b, const tf::ControlFlowContextDef& def, const std::shared_ptr<FlowContext>& outer);

std::shared_ptr<FlowContext> readCond(GraphBuilder& b, const tf::CondContextDef& def, const std::shared_ptr<FlowContext>& outer) {
  auto c = std::make_shared<CondContext>();
  c->outer = outer.get();
  keepContext(b, c);
  c->name = def.context_name();
  c->pred = tensorOf(b, def.pred_name());
  c->pivot = tensorOf(b, def.pivot_name());
  c->branch = def.branch();
  if (!c->pred.valid() || !c->pivot.valid()) return nullptr;
  if (outer) outer->nested.push_back(c);
  readValues(b, def.values_def(), c);
  for (const auto& n : def.nested_contexts()) readNested(b, n, c);
  return c;
}

std::shared_ptr<FlowContext> readWhile(GraphBuilder& b, const tf::WhileContextDef& def, const std::shared_ptr<FlowContext>& outer) {
  auto c = std::make_shared<WhileContext>();
  c->outer = outer.get();
  keepContext(b, c);
  c->name = def.context_name();
  c->parallelIterations = std::max(1, def.parallel_iterations());
  c->backProp = def.back_prop();
  c->swapMemory = def.swap_memory();
  c->pivot = tensorOf(b, def.pivot_name());
  c->pivotForPred = tensorOf(b, def.pivot_for_pred_name());
  c->pivotForBody = tensorOf(b, def.pivot_for_body_name());
  if (!def.maximum_iterations_name().empty()) c->maximumIterations = tensorOf(b, def.maximum_iterations_name());
  if (!c->pivot.valid() || !c->pivotForBody.valid()) return nullptr;
  for (const auto& n : def.loop_exit_names()) {
    if (const Output o = tensorOf(b, n); o.valid()) c->loopExits.push_back(o);
  }
  for (const auto& n : def.loop_enter_names()) {
    if (const Output o = tensorOf(b, n); o.valid()) c->loopEnters.push_back(o);
  }
  if (outer) outer->nested.push_back(c);
  readValues(b, def.values_def(), c);
  for (const auto& n : def.nested_contexts()) readNested(b, n, c);
  return c;
}

void readNested(GraphBuilder& b, const tf::ControlFlowContextDef& def, const std::shared_ptr<FlowContext>& outer) {
  if (def.has_cond_ctxt()) readCond(b, def.cond_ctxt(), outer);
  if (def.has_while_ctxt()) readWhile(b, def.while_ctxt(), outer);
}

void writeValues(GraphBuilder& b, const FlowContext& c, tf::ValuesDef* def) {
  std::vector<std::string> names;
  for (Output o : c.values) names.push_back(b.graph().tensorName(o));
  std::sort(names.begin(), names.end());
  for (auto& n : names) def->add_values(std::move(n));
  for (const auto& [from, to] : c.external) (*def->mutable_external_values())[b.graph().tensorName(from)] = b.graph().tensorName(to);
}

void writeContext(GraphBuilder& b, const FlowContext& c, tf::CondContextDef* cond, tf::WhileContextDef* loop);

template <typename Def>
void writeNested(GraphBuilder& b, const FlowContext& c, Def* def) {
  for (const auto& n : c.nested) {
    auto* inner = def->add_nested_contexts();
    writeContext(b, *n, n->isWhile() ? nullptr : inner->mutable_cond_ctxt(), n->isWhile() ? inner->mutable_while_ctxt() : nullptr);
  }
}

void writeContext(GraphBuilder& b, const FlowContext& c, tf::CondContextDef* cond, tf::WhileContextDef* loop) {
  const auto nameOf = [&](Output o) { return o.valid() ? b.graph().tensorName(o) : std::string(); };  // a rejected loop has no exits
  if (cond) {
    const auto& k = static_cast<const CondContext&>(c);
    cond->set_context_name(k.name);
    cond->set_pred_name(nameOf(k.pred));
    cond->set_pivot_name(nameOf(k.pivot));
    cond->set_branch(k.branch);
    writeValues(b, c, cond->mutable_values_def());
    writeNested(b, c, cond);
    return;
  }
  const auto& k = static_cast<const WhileContext&>(c);
  loop->set_context_name(k.name);
  loop->set_parallel_iterations(int(k.parallelIterations));
  if (k.maximumIterations.valid()) loop->set_maximum_iterations_name(nameOf(k.maximumIterations));
  loop->set_back_prop(k.backProp);
  loop->set_swap_memory(k.swapMemory);
  loop->set_pivot_for_pred_name(nameOf(k.pivotForPred));
  loop->set_pivot_for_body_name(nameOf(k.pivotForBody));
  loop->set_pivot_name(nameOf(k.pivot));
  for (Output o : k.loopExits) loop->add_loop_exit_names(nameOf(o));
  for (Output o : k.loopEnters) loop->add_loop_enter_names(nameOf(o));
  writeValues(b, c, loop->mutable_values_def());
  writeNested(b, c, loop);
}

std::string flowBytes(const google::protobuf::MessageLite& message) {
  std::string out;
  {
    google::protobuf::io::StringOutputStream stream(&out);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    message.SerializeToCodedStream(&coded);
  }
  return out;
}

constexpr const char *kConds = "cond_context", *kLoops = "while_context";

// A frame has the name of its context, which changed with an import scope.
void nameFrames(GraphBuilder& b, const FlowContext& c) {
  if (!c.isWhile()) return;
  std::set<int> enters;
  for (Output o : static_cast<const WhileContext&>(c).loopEnters) enters.insert(o.node);
  for (Output o : c.values) enters.insert(o.node);
  for (const int id : enters) {
    const Node& n = b.nodeAt(id);
    if (!flow::isLoopEnter(n) || b.contextOf(id).get() != &c || n.attrs.text("frame_name") == c.name) continue;
    if (Status s = b.graph().change(id, [&](Node& enter) { enter.attrs.set("frame_name", c.name); }); !s.ok()) b.fail(s.error());
  }
}

// Ignores unparsable messages, and contexts whose own tensors are missing.
void readContexts(GraphBuilder& b, FlowContexts& all, std::string_view collection, const std::vector<std::string>& messages) {
  for (const std::string& bytes : messages) {
    if (collection == kConds) {
      tf::CondContextDef def;
      if (!def.ParseFromString(bytes)) continue;
      if (auto c = readCond(b, def, nullptr)) all.conds.push_back(std::move(c));
    } else {
      tf::WhileContextDef def;
      if (!def.ParseFromString(bytes)) continue;
      if (auto c = readWhile(b, def, nullptr)) all.loops.push_back(std::move(c));
    }
  }
}

bool isLive(GraphBuilder& b, const FlowContext& c) {
  const Output pivot = c.isWhile() ? static_cast<const WhileContext&>(c).pivot : static_cast<const CondContext&>(c).pivot;
  return b.graph().node(pivot.node) != nullptr;
}

// Contexts are in the order in which they were begun, so the removed ones are the last.
void dropRemoved(GraphBuilder& b, std::vector<std::shared_ptr<FlowContext>>& contexts) {
  while (!contexts.empty() && !isLive(b, *contexts.back())) contexts.pop_back();
}

// Replaces the entries of a collection from one on by those of the contexts.
void writeFrom(GraphBuilder& b, FlowContexts& all, bool loops, size_t first) {
  const auto& list = loops ? all.loops : all.conds;
  all.written[loops] = list.size();
  if (list.empty()) return;
  Collection& out = b.meta().collections[loops ? kLoops : kConds];
  out.kind = Collection::Kind::Bytes;
  out.bytes.resize(first);
  for (size_t i = first; i < list.size(); ++i) {
    if (loops) {
      tf::WhileContextDef def;
      writeContext(b, *list[i], nullptr, &def);
      out.bytes.push_back(flowBytes(def));
    } else {
      tf::CondContextDef def;
      writeContext(b, *list[i], &def, nullptr);
      out.bytes.push_back(flowBytes(def));
    }
  }
}

}  // namespace

void readControlFlowCollections(GraphBuilder& b) {
  auto& all = b.extension<FlowContexts>();
  if (all.read) return;
  all.read = true;
  for (const char* name : {kConds, kLoops}) {
    if (const auto it = b.meta().collections.find(name); it != b.meta().collections.end()) readContexts(b, all, name, it->second.bytes);
  }
}

void addControlFlowContexts(GraphBuilder& b, std::string_view collection, const std::vector<std::string>& messages) {
  readControlFlowCollections(b);
  auto& all = b.extension<FlowContexts>();
  const size_t before = all.alive.size();
  readContexts(b, all, collection, messages);
  for (size_t i = before; i < all.alive.size(); ++i) nameFrames(b, *all.alive[i]);
  writeControlFlowCollections(b);
}

void keepContext(GraphBuilder& b, std::shared_ptr<FlowContext> context) { b.extension<FlowContexts>().alive.push_back(std::move(context)); }

void addRootContext(GraphBuilder& b, const std::shared_ptr<FlowContext>& context) {
  auto& all = b.extension<FlowContexts>();
  (context->isWhile() ? all.loops : all.conds).push_back(context);
}

void holdControlFlowCollections(GraphBuilder& b) { b.extension<FlowContexts>().held = true; }

void releaseControlFlowCollections(GraphBuilder& b) {
  b.extension<FlowContexts>().held = false;
  writeControlFlowCollections(b);
}

void writeControlFlowCollections(GraphBuilder& b) {
  auto& all = b.extension<FlowContexts>();
  if (all.held) return;
  for (const bool loops : {false, true}) writeFrom(b, all, loops, 0);
}

void writeFinishedContext(GraphBuilder& b, const FlowContext& context) {
  auto& all = b.extension<FlowContexts>();
  if (all.held || context.outer) return;
  const bool loops = context.isWhile();
  const auto& list = loops ? all.loops : all.conds;
  size_t first = all.written[loops];
  const auto found = b.meta().collections.find(loops ? kLoops : kConds);
  if ((found == b.meta().collections.end() ? 0 : found->second.bytes.size()) != first) first = 0;  // it was changed elsewhere
  // It may have been written while it was unfinished.
  const auto at = std::find_if(list.begin(), list.begin() + std::ptrdiff_t(first), [&](const auto& c) { return c.get() == &context; });
  writeFrom(b, all, loops, size_t(at - list.begin()));
}

void forgetRemovedNodes(GraphBuilder& b, int first) {
  auto& all = b.extension<FlowContexts>();
  dropRemoved(b, all.conds);
  dropRemoved(b, all.loops);
  // Those that are still being built are in no list yet.
  for (auto* open = static_cast<FlowContext*>(b.controlFlowContext().get()); open; open = open->outerFlow()) {
    open->values.erase(open->values.lower_bound({first, 0}), open->values.end());
    std::erase_if(open->external, [&](const auto& entry) { return entry.first.node >= first || entry.second.node >= first; });
    dropRemoved(b, open->nested);
  }
  if (all.conds.empty()) b.meta().collections.erase(kConds);
  if (all.loops.empty()) b.meta().collections.erase(kLoops);
  writeControlFlowCollections(b);
}

}  // namespace weft
