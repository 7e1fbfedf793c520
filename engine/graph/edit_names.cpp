// All references to nodes by name in a meta graph, except wires: collections, the saver, signatures, colocation, and a Weft document's training, data,
// layers and places.
#include <google/protobuf/any.pb.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <functional>
#include <unordered_set>

#include "graph/edit_internal.h"
#include "graph/graph_assembler.h"
#include "proto/graph.pb.h"
#include "proto/meta_graph.pb.h"
#include "proto/weft_document.pb.h"

namespace weft {
namespace {

namespace pb = ::google::protobuf;
using tensorflow::CondContextDef;
using tensorflow::QueueRunnerDef;
using tensorflow::VariableDef;
using tensorflow::WhileContextDef;

std::string bytesOf(const pb::Message& message) {
  std::string out;
  {
    pb::io::StringOutputStream stream(&out);
    pb::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    message.SerializeToCodedStream(&coded);
  }
  return out;
}

/// The node that "^node", "node:1", "loc:@node" or "node" refers to.
std::string_view nodeIn(std::string_view text) {
  if (text.starts_with("loc:@")) text.remove_prefix(5);
  if (text.starts_with('^')) text.remove_prefix(1);
  const size_t colon = text.rfind(':');
  return colon == text.npos ? text : text.substr(0, colon);
}

using Mapping = std::function<bool(std::string&)>;  // changes a text; returns whether it did

bool isName(const pb::FieldDescriptor& field) {
  static const std::set<std::string> kNot = {"context_name", "full_name", "kind",        "path",       "builtin",           "title",     "notes",   "text",
                                             "run",          "id",        "method_name", "log_folder", "checkpoint_folder", "parameter", "options", "filename",
                                             "result"};
  if (kNot.count(field.name())) return false;
  // The label of a shown tensor is not a node name.
  const std::string& owner = field.containing_type()->name();
  if (owner == "GroupInstance") return field.name() == "scope";
  return field.name() != "name" || (owner != "NamedTensor" && owner != "LiveScalar");
}

/// Applies `map` to all texts in a message that may name nodes.
bool mapTexts(pb::Message& message, const Mapping& map) {
  const pb::Reflection& r = *message.GetReflection();
  std::vector<const pb::FieldDescriptor*> fields;
  r.ListFields(message, &fields);
  bool changed = false;
  for (const pb::FieldDescriptor* f : fields) {
    if (!isName(*f)) continue;
    if (f->cpp_type() == pb::FieldDescriptor::CPPTYPE_MESSAGE) {
      if (f->is_repeated()) {
        for (int i = 0; i < r.FieldSize(message, f); ++i) changed |= mapTexts(*r.MutableRepeatedMessage(&message, f, i), map);
      } else {
        changed |= mapTexts(*r.MutableMessage(&message, f), map);
      }
    } else if (f->type() == pb::FieldDescriptor::TYPE_STRING) {
      for (int i = 0; i < (f->is_repeated() ? r.FieldSize(message, f) : 1); ++i) {
        std::string text = f->is_repeated() ? r.GetRepeatedString(message, f, i) : r.GetString(message, f);
        if (!map(text)) continue;
        changed = true;
        if (f->is_repeated()) r.SetRepeatedString(&message, f, i, text);
        else r.SetString(&message, f, text);
      }
    }
  }
  return changed;
}

template <typename Message>
bool mapBytes(std::string& bytes, const Mapping& map) {
  Message m;
  if (!m.ParseFromString(bytes) || !mapTexts(m, map)) return false;
  bytes = bytesOf(m);
  return true;
}

bool mapCollectionBytes(const std::string& key, std::string& bytes, const Mapping& map) {
  if (key == "cond_context") return mapBytes<CondContextDef>(bytes, map);
  if (key == "while_context") return mapBytes<WhileContextDef>(bytes, map);
  if (key == "queue_runners") return mapBytes<QueueRunnerDef>(bytes, map);
  if (key == "savers") return mapBytes<tensorflow::SaverDef>(bytes, map);
  VariableDef variable;
  return variable.ParseFromString(bytes) && !variable.variable_name().empty() && variable.GetReflection()->GetUnknownFields(variable).empty() &&
         mapBytes<VariableDef>(bytes, map);
}

/// Applies `change` to the message in one of our Any messages.
void changeAny(std::string& bytes, const std::function<bool(pb::Message&)>& change) {
  pb::Any any;
  if (!any.ParseFromString(bytes)) return;
  const std::string& url = any.type_url();
  const pb::Descriptor* type = pb::DescriptorPool::generated_pool()->FindMessageTypeByName(url.substr(url.rfind('/') + 1));
  if (!type || type->name() == "GroupDefinition") return;  // a definition names nodes of its own body only
  const std::unique_ptr<pb::Message> m(pb::MessageFactory::generated_factory()->GetPrototype(type)->New());
  if (!m->ParseFromString(any.value()) || !change(*m)) return;
  any.set_value(bytesOf(*m));
  bytes = any.SerializeAsString();
}

/// Applies to `_class` and other attributes that name nodes.
template <typename F>
void changeClasses(Graph& graph, F&& change) {
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    const Attr* a = n ? n->attrs.find("_class") : nullptr;
    const auto* list = a ? a->get<std::vector<std::string>>() : nullptr;
    if (!list) continue;
    std::vector<std::string> now = *list;
    if (!change(now)) continue;
    (void)graph
        .change(id,
                [&](Node& node) {
                  if (now.empty()) node.attrs.erase("_class");
                  else node.attrs.set("_class", now);
                })
        .ok();
  }
}

void changeSaver(MetaGraph& meta, const Mapping& map) {
  if (!meta.saver) return;
  for (std::string* s : {&meta.saver->filenameTensor, &meta.saver->saveTensor, &meta.saver->restoreOp}) map(*s);
}

void changeRest(MetaGraph& meta, const Mapping& map) {
  if (!meta.rest || meta.rest->empty()) return;
  tensorflow::MetaGraphDef rest;
  if (!rest.ParseFromString(*meta.rest)) return;
  bool changed = false;
  for (auto& [key, signature] : *rest.mutable_signature_def()) {
    for (auto* side : {signature.mutable_inputs(), signature.mutable_outputs()})
      for (auto& [name, info] : *side)
        if (info.encoding_case() == tensorflow::TensorInfo::kName) changed |= map(*info.mutable_name());
  }
  if (changed) meta.rest = std::make_shared<const std::string>(bytesOf(rest));
}

/// Names behind the equals signs of "kernel=W1;bias=b1".
bool mapKept(std::string& text, const Mapping& scope) {
  bool changed = false;
  std::string now;
  for (size_t from = 0; from < text.size();) {
    const size_t end = std::min(text.find(';', from), text.size()), equals = std::min(text.find('=', from), end);
    std::string name = text.substr(std::min(equals + 1, end), end - std::min(equals + 1, end));
    changed |= scope(name);
    now += (from ? ";" : "") + text.substr(from, equals - from) + "=" + name;
    from = end + 1;
  }
  if (changed) text = std::move(now);
  return changed;
}

/// Names within other texts: the scope whose variables an optimizer changes, the variables of a projector.
bool mapWithin(pb::Message& m, const Mapping& scope) {
  bool changed = false;
  if (auto* layer = dynamic_cast<document::LayerRecipe*>(&m)) {
    for (auto& [name, text] : *layer->mutable_parameter())
      if (name == "variables" || name.ends_with(".variables")) changed |= scope(text);
      else if (name == "~names") changed |= mapKept(text, scope);
  } else if (auto* binding = dynamic_cast<document::DatasetBinding*>(&m)) {
    const auto option = binding->mutable_options()->find("projector");
    if (option == binding->mutable_options()->end()) return false;
    std::string now, rest = option->second;
    while (!rest.empty()) {
      const size_t end = std::min(rest.find(';'), rest.size()), equals = std::min(rest.find('='), end);
      std::string variable = rest.substr(0, equals);
      changed |= scope(variable);
      now += (now.empty() ? "" : ";") + variable + rest.substr(equals, end - equals);
      rest.erase(0, end + 1);
    }
    if (changed) option->second = now;
  }
  return changed;
}

}  // namespace

void renameReferences(MetaGraph& meta, const std::map<std::string, std::string>& names) {
  const bool anyScope = std::any_of(names.begin(), names.end(), [](const auto& n) { return n.first.ends_with('/'); });
  const Mapping map = [&](std::string& text) {
    const std::string_view node = nodeIn(text);
    const auto it = names.find(std::string(node));
    if (it == names.end()) return false;
    const size_t begin = size_t(node.data() - text.data());
    text.replace(begin, node.size(), it->second);
    return true;
  };
  const Mapping scope = [&](std::string& text) {
    // The outermost scope that has another name.
    for (size_t end = 0; anyScope && end < text.size(); ++end) {
      end = std::min(text.find('/', end), text.size());
      const auto at = names.find(text.substr(0, end) + "/");
      if (at == names.end()) continue;
      text = at->second + text.substr(std::min(text.size(), end + 1));
      if (text.ends_with('/')) text.pop_back();
      return true;
    }
    return map(text);
  };
  for (auto& [key, c] : meta.collections) {
    for (std::string& n : c.nodes) map(n);
    for (std::string& b : c.bytes) mapCollectionBytes(key, b, map);
    const bool scoped = key == "weft/layers" || key == "weft/canvas" || key == "weft/groups" || key == "weft/names" || key == "weft/expressions";
    for (std::string& a : c.anys)
      changeAny(a, [&](pb::Message& m) {
        const bool texts = mapTexts(m, scoped ? scope : map);
        return mapWithin(m, scope) || texts;
      });
  }
  changeSaver(meta, map);
  changeRest(meta, map);
  changeClasses(meta.graph, [&](std::vector<std::string>& list) {
    bool changed = false;
    for (std::string& s : list) changed |= map(s);
    return changed;
  });
  // The former NodeDef of a muted node also names its inputs.
  for (int id = 0; id < meta.graph.size(); ++id) {
    const Node* n = meta.graph.node(id);
    tensorflow::NodeDef def;
    if (!n || !isMuted(*n) || !def.ParseFromString(n->attrs.text(kMutedAttr))) continue;
    bool changed = map(*def.mutable_name());
    for (std::string& input : *def.mutable_input()) changed |= map(input);
    if (changed) (void)meta.graph.change(id, [&](Node& node) { node.attrs.set(kMutedAttr, def.SerializeAsString()); }).ok();
  }
}

void removeReferences(MetaGraph& meta, const std::set<std::string>& names) {
  const auto gone = [&](std::string_view text) { return !text.empty() && names.count(std::string(nodeIn(text))) > 0; };
  // All names of nodes and scopes, made when the first layer or group asks.
  std::unordered_set<std::string_view> present;
  const auto hasNodes = [&](const std::string& scope) {
    if (present.empty()) {
      for (int id = 0; id < meta.graph.size(); ++id) {
        const Node* n = meta.graph.node(id);
        if (!n) continue;
        for (std::string_view name = n->name; !name.empty() && present.insert(name).second;) name = scopeOf(name);
      }
    }
    return present.count(scope) > 0;
  };
  const auto filter = [&](tensorflow::ValuesDef& values) {
    auto& list = *values.mutable_values();
    list.erase(std::remove_if(list.begin(), list.end(), gone), list.end());
    auto& outside = *values.mutable_external_values();
    for (auto it = outside.begin(); it != outside.end();) it = gone(it->first) || gone(it->second) ? outside.erase(it) : std::next(it);
  };
  for (auto it = meta.collections.begin(); it != meta.collections.end();) {
    auto& [key, c] = *it;
    const size_t before = c.nodes.size() + c.bytes.size() + c.anys.size();
    std::erase_if(c.nodes, gone);
    std::erase_if(c.bytes, [&, k = key](std::string& bytes) {
      if (k == "cond_context") {
        CondContextDef m;
        if (!m.ParseFromString(bytes) || gone(m.pivot_name()) || gone(m.pred_name())) return true;
        filter(*m.mutable_values_def());
        bytes = bytesOf(m);
        return false;
      }
      if (k == "while_context") {
        WhileContextDef m;
        if (!m.ParseFromString(bytes) || gone(m.pivot_name())) return true;
        filter(*m.mutable_values_def());
        for (auto* list : {m.mutable_loop_exit_names(), m.mutable_loop_enter_names()})
          list->erase(std::remove_if(list->begin(), list->end(), gone), list->end());
        bytes = bytesOf(m);
        return false;
      }
      if (k == "queue_runners") {
        QueueRunnerDef m;
        return m.ParseFromString(bytes) && gone(m.queue_name());
      }
      if (k == "savers") {
        tensorflow::SaverDef m;
        return m.ParseFromString(bytes) && (gone(m.save_tensor_name()) || gone(m.restore_op_name()));
      }
      VariableDef m;
      return m.ParseFromString(bytes) && (gone(m.variable_name()) || gone(m.initializer_name()) || gone(m.snapshot_name()));
    });
    bool dropped = false;
    std::erase_if(c.anys, [&](std::string& bytes) {
      bool away = false;
      changeAny(bytes, [&](pb::Message& m) {
        if (auto* training = dynamic_cast<document::TrainingSettings*>(&m)) {
          away = gone(training->train_op());
          if (gone(training->init_op())) training->clear_init_op();
          if (gone(training->loss())) training->clear_loss();
          if (gone(training->accuracy())) training->clear_accuracy();
          if (gone(training->global_step())) training->clear_global_step();
          const auto tensors = [&](auto* list) {
            list->erase(std::remove_if(list->begin(), list->end(), [&](const auto& t) { return gone(t.tensor()); }), list->end());
          };
          tensors(training->mutable_metric());
          tensors(training->mutable_live());
          auto* summaries = training->mutable_summary();
          summaries->erase(std::remove_if(summaries->begin(), summaries->end(), gone), summaries->end());
          for (auto* feed : {training->mutable_eval_feed(), training->mutable_train_feed()})
            for (auto f = feed->begin(); f != feed->end();) f = gone(f->first) ? feed->erase(f) : std::next(f);
        } else if (auto* binding = dynamic_cast<document::DatasetBinding*>(&m)) {
          auto& map = *binding->mutable_placeholders();
          for (auto p = map.begin(); p != map.end();) p = gone(p->first) ? map.erase(p) : std::next(p);
          away = map.empty();
        } else if (auto* layer = dynamic_cast<document::LayerRecipe*>(&m)) {
          for (std::string& input : *layer->mutable_input())
            if (gone(input)) input.clear();
          auto* own = layer->mutable_node();
          own->erase(std::remove_if(own->begin(), own->end(), gone), own->end());
          away = !layer->scope().empty() && !hasNodes(layer->scope());
        } else if (const auto* group = dynamic_cast<document::GroupInstance*>(&m)) {
          away = !hasNodes(group->scope());
        } else if (auto* places = dynamic_cast<document::CanvasPositions*>(&m)) {
          // Positions of scopes stay, because a rebuilt layer has the same name.
          auto* list = places->mutable_position();
          list->erase(std::remove_if(list->begin(), list->end(), [&](const auto& p) { return !p.is_scope() && gone(p.name()); }), list->end());
          away = places->position().empty() && places->annotation().empty() && places->bookmark().empty() && places->rule().empty();
        }
        return true;
      });
      dropped |= away;
      return away;
    });
    // A collection that lost its last entry is removed.
    it = before > 0 && c.nodes.size() + c.bytes.size() + c.anys.size() == 0 && (before > c.anys.size()) ? meta.collections.erase(it) : std::next(it);
  }
  if (meta.saver && (gone(meta.saver->saveTensor) || gone(meta.saver->restoreOp) || gone(meta.saver->filenameTensor))) meta.saver.reset();
  changeClasses(meta.graph, [&](std::vector<std::string>& list) { return std::erase_if(list, gone) > 0; });
}

Status GraphEditor::rename(int id, std::string_view name) {
  const std::string old = graph().node(id)->name, now(name);
  if (old == now) return {};
  if (!isValidNodeName(now) || now[0] == '_')
    return invalidArgument("'", now, "' is not a valid node name: it may have letters, digits and . _ - /").atNode(old);
  if (graph().find(now)) return alreadyExists("There is a node ", now, " already").atNode(old);
  WEFT_TRY(graph().change(id, [&](Node& n) { n.name = now; }));
  touched_.insert(id);
  renameReferences(meta_, {{old, now}});
  // Errors follow their node.
  for (Error& e : problems_)
    if (e.node == old) e.node = now;
  return {};
}

Status GraphEditor::changeNames(const std::vector<int>& ids, const std::map<std::string, std::string>& names) {
  // In two steps, because a new name may belong to a node that is renamed later.
  for (const int id : ids) WEFT_TRY(graph().change(id, [&](Node& n) { n.name = names.at(n.name) + "\x01"; }));
  for (const int id : ids) {
    WEFT_TRY(graph().change(id, [&](Node& n) { n.name.pop_back(); }));
    touched_.insert(id);
  }
  for (Error& e : problems_)
    if (const auto it = names.find(e.node); it != names.end()) e.node = it->second;
  return {};
}

Status GraphEditor::renameNodes(const std::map<std::string, std::string>& names) {
  std::map<std::string_view, std::string_view> targets;
  for (const auto& [old, now] : names)
    if (const auto [at, isNew] = targets.try_emplace(now, old); !isNew)
      return alreadyExists("Two nodes would be called ", now, ": ", at->second, " and ", old).atNode(old);
  std::vector<int> ids;
  for (const auto& [old, now] : names) {
    WEFT_LET(const int id, find(old));
    if (!isValidNodeName(now) || now[0] == '_')
      return invalidArgument("'", now, "' is not a valid node name: it may have letters, digits and . _ - /").atNode(old);
    if (now != old && graph().find(now) && !names.count(now)) return alreadyExists("There is a node ", now, " already").atNode(old);
    ids.push_back(id);
  }
  WEFT_TRY(changeNames(ids, names));
  renameReferences(meta_, names);
  return {};
}

Status GraphEditor::renameScope(std::string_view from, std::string_view to) {
  std::map<std::string, std::string> names;
  std::vector<int> ids;
  const std::string prefix = std::string(from) + "/";
  for (int id = 0; id < graph().size(); ++id) {
    const Node* n = graph().node(id);
    if (!n || (!n->name.starts_with(prefix) && n->name != from)) continue;
    std::string now = to.empty() ? (n->name == from ? n->name : n->name.substr(prefix.size())) : std::string(to) + n->name.substr(from.size());
    if (now == n->name) continue;
    if (!isValidNodeName(now) || now[0] == '_') return invalidArgument("'", now, "' is not a valid node name").atNode(n->name);
    if (graph().find(now) && !now.starts_with(prefix)) return alreadyExists("There is a node ", now, " already").atNode(n->name);
    names.emplace(n->name, std::move(now));
    ids.push_back(id);
  }
  if (ids.empty()) return notFound("There is no scope ", from, " in this graph");
  WEFT_TRY(changeNames(ids, names));
  names.emplace(prefix, to.empty() ? std::string() : std::string(to) + "/");
  renameReferences(meta_, names);
  return {};
}

}  // namespace weft
