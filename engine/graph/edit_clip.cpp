// Nodes as text, for the clipboard. Data without a field in GraphDef (trained variables, layers, places) goes into a comment line, so that every
// reader of GraphDefs accepts the text.
#include <google/protobuf/any.pb.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "graph/attr_proto.h"
#include "graph/collection_proto.h"
#include "graph/edit_internal.h"
#include "graph/function_library.h"
#include "graph/missing_nodes.h"
#include "proto/meta_graph.pb.h"
#include "proto/weft_document.pb.h"
#include "weft/defects.h"
#include "weft/expressions.h"
#include "weft/groups.h"

namespace weft {
namespace {

/// The layer recipe in one of our Any messages.
std::optional<document::LayerRecipe> recipeIn(const std::string& bytes) {
  google::protobuf::Any any;
  document::LayerRecipe recipe;
  if (!any.ParseFromString(bytes) || !any.UnpackTo(&recipe)) return std::nullopt;
  return recipe;
}

/// Name of the group definition in one of our Any messages; empty: it is none.
std::string groupIn(const std::string& bytes) {
  google::protobuf::Any any;
  document::GroupDefinition group;
  return any.ParseFromString(bytes) && any.UnpackTo(&group) ? group.name() : std::string();
}

/// Whether two definitions are the same but for the values that the document's names had when they were last kept.
bool sameGroup(const std::string& a, const std::string& b) {
  const auto plain = [](const std::string& bytes) {
    MetaGraph m;
    m.collections["weft/group_definitions"].kind = Collection::Kind::Anys;
    m.collections["weft/group_definitions"].anys = {bytes};
    std::vector<GroupDefinition> all = groupsOf(m);
    for (GroupDefinition& d : all) {
      auto body = groupBody(d);
      if (!body.ok()) continue;
      setNamedValues(body->meta, {});
      if (auto text = serializeGraph(body->meta, GraphFormat::MetaBinary); text.ok()) d.body = std::move(*text);
    }
    setGroups(m, all);
    return m.collections["weft/group_definitions"].anys;
  };
  return a == b || plain(a) == plain(b);
}

std::optional<document::GroupInstance> instanceIn(const std::string& bytes) {
  google::protobuf::Any any;
  document::GroupInstance instance;
  if (!any.ParseFromString(bytes) || !any.UnpackTo(&instance)) return std::nullopt;
  return instance;
}

std::string bytesOf(const document::LayerRecipe& recipe) {
  google::protobuf::Any any;
  any.PackFrom(recipe);
  return any.SerializeAsString();
}

namespace tf = ::tensorflow;

constexpr std::string_view kExtra = "# weft: ";
constexpr std::string_view kBase = "# scope: ";

std::string hex(std::string_view bytes) {
  static const char* const kDigits = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    out += kDigits[(unsigned char)(c) >> 4];
    out += kDigits[c & 15];
  }
  return out;
}

std::string unhex(std::string_view text) {
  const auto digit = [](char c) { return c >= 'a' ? c - 'a' + 10 : c - '0'; };
  std::string out;
  for (size_t i = 0; i + 1 < text.size(); i += 2) out += char(digit(text[i]) << 4 | digit(text[i + 1]));
  return out;
}

bool printText(const google::protobuf::Message& m, std::string* out) {
  google::protobuf::TextFormat::Printer printer;
  return printer.PrintToString(m, out);
}

}  // namespace

Result<Node> nodeFromDef(const Graph& graph, const tf::NodeDef& def, bool keeps) {
  Node n;
  n.name = def.name();
  n.op = def.op();
  n.device = def.device();
  n.record = recordOf(graph, n.op);
  for (const auto& [name, value] : def.attr()) {
    auto a = attrFromProto(value);
    if (a.ok()) n.attrs.set(name, std::move(*a));
    else if (keeps) n.attrs.set(concat(kUnreadAttr, name), value.SerializeAsString());
    else return a.error();
  }
  if (!n.record) return n;
  auto signature = resolveSignature(*n.record, n.attrs, &n.defaulted);
  if (!signature.ok() && keeps) {
    n.record = nullptr;
    return n;
  }
  if (!signature.ok()) return signature.error().atNode(n.name);
  n.inputTypes = signature->inputTypes;
  n.outputTypes = signature->outputTypes;
  return n;
}

/// Keeps the fields of copied nodes and scopes that follow expressions, and the names that these use. A part of a scope has no fields of it.
void keepExpressionsOf(MetaGraph& own, const std::set<std::string>& nodes, const std::set<std::string>& others) {
  std::vector<FollowedField> fields = followedFieldsOf(own);
  std::vector<NamedValue> names = namedValuesOf(own);
  if (fields.empty() && names.empty()) return;
  std::erase_if(fields, [&](const FollowedField& f) {
    const size_t dot = f.field.rfind('.');
    if (dot == f.field.npos) return true;  // a training setting
    const std::string owner = f.field.substr(0, dot);
    const auto hasPart = [&](const std::set<std::string>& all) {
      const auto within = all.lower_bound(owner + "/");
      return within != all.end() && within->starts_with(owner + "/");
    };
    return !nodes.count(owner) && (!hasPart(nodes) || hasPart(others));
  });
  std::set<std::string> used;
  const auto use = [&](const std::string& expression) {
    bool more = false;
    if (const auto parsed = Expression::parse(expression); parsed.ok())
      for (const std::string& r : parsed->references()) more |= used.insert(r).second;
    return more;
  };
  for (const FollowedField& f : fields) use(f.expression);
  for (bool more = true; more;) {
    more = false;
    for (const NamedValue& n : names)
      if (used.count(n.name)) more |= use(n.expression);
  }
  std::erase_if(names, [&](const NamedValue& n) { return !used.count(n.name); });
  setFollowedFields(own, fields);
  setNamedValues(own, names);
}

Result<std::string> copyNodes(const MetaGraph& meta, const std::vector<int>& nodes, std::optional<std::string> base) {
  const Graph& graph = meta.graph;
  tf::GraphDef def;
  std::set<std::string> names;
  std::vector<int> ids = nodes;
  std::sort(ids.begin(), ids.end());
  for (const int id : ids) {
    const Node* n = graph.node(id);
    // The stand-in for a waiting layer's output is part of the layer; other stand-ins are recreated.
    if (!n || isMissing(*n) || (isOpenInput(*n) && n->attrs.text(kOpenAttr) != kWaitingLayer)) continue;
    WEFT_TRY(nodeToProto(graph, *n, def.add_node()));
    names.insert(n->name);
  }
  def.mutable_versions()->set_producer(graph.versions.producer);
  // Keep only the parts of collections that concern just these nodes.
  MetaGraph own = meta;
  std::set<std::string> others;
  for (int id = 0; id < graph.size(); ++id)
    if (const Node* n = graph.node(id); n && !names.count(n->name)) others.insert(n->name);
  std::vector<int> away;
  for (const char* key :
       {"weft/training", "weft/dataset", "weft/document", "train_op", "summaries", "losses", "init_op", "cond_context", "while_context", "queue_runners"})
    own.collections.erase(key);
  for (int id = 0; id < own.graph.size(); ++id)
    if (const Node* n = own.graph.node(id); n && others.count(n->name)) away.push_back(id);
  for (const int id : away) WEFT_TRY(own.graph.change(id, [](Node& n) { n.inputs.clear(), n.controls.clear(); }));
  for (int id = 0; id < own.graph.size(); ++id) {
    const Node* n = own.graph.node(id);
    if (!n || others.count(n->name)) continue;
    WEFT_TRY(own.graph.change(id, [](Node& node) { node.inputs.clear(), node.controls.clear(); }));
  }
  Graph only;
  for (int id = 0; id < own.graph.size(); ++id) {
    const Node* n = own.graph.node(id);
    if (!n || others.count(n->name)) continue;
    Node copy = *n;
    copy.attrs.erase("_class");
    WEFT_TRY(only.add(std::move(copy)));
  }
  own.graph = std::move(only);
  // Layers store their inputs; those whose sources exist at the destination are reconnected.
  std::map<std::string, document::LayerRecipe> whole;
  if (const auto layers = own.collections.find("weft/layers"); layers != own.collections.end())
    for (const std::string& bytes : layers->second.anys)
      if (auto recipe = recipeIn(bytes)) whole[recipe->scope()] = *recipe;
  removeReferences(own, others);
  if (const auto layers = own.collections.find("weft/layers"); layers != own.collections.end()) {
    // Training belongs to the whole document.
    std::erase_if(layers->second.anys, [](const std::string& bytes) {
      const auto recipe = recipeIn(bytes);
      return recipe && recipe->kind().starts_with("train.");
    });
    for (std::string& bytes : layers->second.anys) {
      auto recipe = recipeIn(bytes);
      if (!recipe) continue;
      *recipe->mutable_input() = whole[recipe->scope()].input();
      bytes = bytesOf(*recipe);
    }
  }
  keepExpressionsOf(own, names, others);
  // A part of an instance is plain ops.
  if (const auto groups = own.collections.find("weft/groups"); groups != own.collections.end())
    std::erase_if(groups->second.anys, [&](const std::string& bytes) {
      const auto instance = instanceIn(bytes);
      return instance && std::any_of(others.begin(), others.end(), [&](const std::string& name) { return name.starts_with(instance->scope() + "/"); });
    });
  if (const auto groups = own.collections.find("weft/groups"); groups == own.collections.end() || groups->second.anys.empty())
    own.collections.erase("weft/group_definitions");
  tf::MetaGraphDef extra;
  for (const auto& [key, c] : own.collections)
    if (!c.bytes.empty() || !c.anys.empty()) collectionToProto(c, &(*extra.mutable_collection_def())[key]);
  std::string text;
  if (!printText(def, &text)) return internalError("the nodes cannot be printed as text");
  if (extra.collection_def_size() > 0) text = std::string(kExtra) + hex(extra.SerializeAsString()) + "\n" + text;
  if (base) text = std::string(kBase) + *base + "\n" + text;
  return text;
}

Result<std::vector<int>> GraphEditor::paste(std::string_view text, std::string_view into) {
  tf::GraphDef def;
  google::protobuf::TextFormat::Parser parser;
  if (!parser.ParseFromString(std::string(text), &def) || def.node_size() == 0)
    return invalidArgument("The clipboard holds no nodes: expected a GraphDef in text form");
  std::string_view common = scopeOf(def.node(0).name());
  for (const tf::NodeDef& n : def.node()) common = commonScope(common, scopeOf(n.name()));
  if (text.starts_with(kBase)) {
    const std::string_view line = text.substr(kBase.size(), text.find('\n') - kBase.size());
    if (line.empty() || common == line || common.starts_with(std::string(line) + "/")) common = common.substr(0, line.size());
    text.remove_prefix(std::min(text.size(), kBase.size() + line.size() + 1));
  }
  const std::string skip = common.empty() ? std::string() : std::string(common) + "/";
  std::string prefix = into.empty() ? skip : std::string(into) + "/";
  // The first part of each name is made unique; the rest follows.
  std::map<std::string, std::string> firsts, names;
  std::set<std::string> taken;
  for (const tf::NodeDef& n : def.node()) {
    const std::string rest = n.name().substr(skip.size()), first = rest.substr(0, rest.find('/'));
    if (!firsts.count(first)) {
      std::string free = uniqueName(prefix + first);
      while (taken.count(free)) free += "_1";
      taken.insert(free);
      firsts[first] = free;
    }
    names[n.name()] = firsts[first] + rest.substr(first.size());
  }
  std::vector<int> ids;
  std::vector<Node> made;
  for (const tf::NodeDef& source : def.node()) {
    WEFT_LET(Node n, nodeFromDef(graph(), source));
    n.name = names.at(source.name());
    if (n.attrs.find("_class")) {
      auto list = n.attrs.list<std::string>("_class");
      for (std::string& c : list)
        if (c.starts_with("loc:@")) c = names.count(c.substr(5)) ? "loc:@" + names.at(c.substr(5)) : graph().find(c.substr(5)) ? c : std::string();
      std::erase(list, std::string());
      if (list.empty()) n.attrs.erase("_class");
      else n.attrs.set("_class", list);
    }
    WEFT_LET(const int id, graph().add(std::move(n)));
    ids.push_back(id);
    touched_.insert(id);
  }
  for (int i = 0; i < def.node_size(); ++i) {
    const int id = ids[size_t(i)];
    std::vector<Output> inputs;
    std::vector<int> controls;
    for (const std::string& input : def.node(i).input()) {
      const bool control = input.starts_with('^');
      const std::string_view ref = control ? std::string_view(input).substr(1) : std::string_view(input);
      const size_t colon = control ? ref.npos : ref.rfind(':');
      const std::string node(ref.substr(0, colon));
      const auto mapped = names.find(node);
      const Node* from = graph().find(mapped != names.end() ? mapped->second : node);
      if (control) {
        if (from) controls.push_back(from->id);
        continue;
      }
      const int index = colon == ref.npos ? 0 : std::atoi(std::string(ref.substr(colon + 1)).c_str());
      if (from && !from->record && index >= int(from->outputTypes.size())) {
        WEFT_TRY(graph().change(
            from->id, [&](Node& n) { n.outputTypes.resize(size_t(index) + 1, DType::Invalid), n.outputShapes.resize(size_t(index) + 1, Shape::unknown()); }));
        from = graph().find(mapped != names.end() ? mapped->second : node);
      }
      const Node& self = *graph().node(id);
      const DType want = inputs.size() < self.inputTypes.size() ? self.inputTypes[inputs.size()] : DType::Invalid;
      bool fits = from && index < int(from->outputTypes.size());
      if (fits && want != DType::Invalid) {
        const DType given = from->outputTypes[size_t(index)];
        fits = given == DType::Invalid || given == want || (!isRef(want) && baseType(given) == want);
      }
      inputs.push_back(fits ? Output{from->id, index} : Output{});
    }
    const Node& self = *graph().node(id);
    if (self.record) inputs.resize(self.inputTypes.size());
    WEFT_TRY(graph().change(id, [&](Node& n) {
      n.inputs = inputs;
      n.controls = controls;
      if (!n.record) n.inputTypes.assign(inputs.size(), DType::Invalid);
    }));
    for (size_t k = 0; k < inputs.size(); ++k) {
      if (inputs[k].valid()) continue;
      const Node& n = *graph().node(id);
      WEFT_LET(const int openInput, addOpenInput(n, int(k), k < n.inputTypes.size() ? n.inputTypes[k] : DType::Float));
      WEFT_TRY(graph().change(id, [&](Node& node) { node.inputs[k] = {openInput, 0}; }));
    }
  }
  if (text.starts_with(kExtra)) {
    tf::MetaGraphDef extra;
    const std::string_view line = text.substr(kExtra.size(), text.find('\n') - kExtra.size());
    if (line.find_first_not_of("0123456789abcdef") == line.npos && extra.ParseFromString(unhex(line))) {
      MetaGraph collections;
      for (const auto& [key, proto] : extra.collection_def()) collections.collections[key] = collectionFromProto(proto);
      std::map<std::string, std::string> all = names;
      for (const auto& [from, to] : firsts) all.emplace(skip + from + "/", to + "/");
      renameReferences(collections, all);
      std::set<std::string> foreign;  // groups that this document has under the same name, with another body
      for (auto& [key, c] : collections.collections) {
        Collection& mine = meta_.collections[key];
        if (mine.bytes.empty() && mine.anys.empty()) mine.kind = c.kind;
        mine.bytes.insert(mine.bytes.end(), c.bytes.begin(), c.bytes.end());
        if (key == "weft/canvas") continue;     // copies are placed where there is room
        if (key == "weft/group_definitions") {  // the document's own come first
          std::map<std::string, std::string> present;
          for (const std::string& bytes : mine.anys) present.emplace(groupIn(bytes), bytes);
          for (const std::string& bytes : c.anys)
            if (const auto own = present.find(groupIn(bytes)); own != present.end() && !sameGroup(own->second, bytes)) foreign.insert(own->first);
          std::erase_if(c.anys, [&](const std::string& bytes) { return present.count(groupIn(bytes)) > 0; });
        }
        if (key == "weft/names") {  // here as well
          const std::vector<NamedValue> present = namedValuesOf(meta_);
          std::vector<NamedValue> added = namedValuesOf(collections);
          std::erase_if(added, [&](const NamedValue& n) {
            return std::any_of(present.begin(), present.end(), [&](const NamedValue& own) { return own.name == n.name; });
          });
          MetaGraph rest;
          setNamedValues(rest, added);
          c.anys = rest.collections[key].anys;
        }
        if (key == "weft/expressions") {  // a field follows one expression
          std::set<std::string> present;
          for (const FollowedField& f : followedFieldsOf(meta_)) present.insert(f.field);
          std::vector<FollowedField> added = followedFieldsOf(collections);
          std::erase_if(added, [&](const FollowedField& f) { return present.count(f.field) > 0; });
          MetaGraph rest;
          setFollowedFields(rest, added);
          c.anys = rest.collections[key].anys;
        }
        // Their instances are pasted as plain ops: they would be built again from the other body.
        if (key == "weft/groups")
          std::erase_if(c.anys, [&](const std::string& bytes) {
            const auto instance = instanceIn(bytes);
            return instance && foreign.count(instance->kind()) > 0;
          });
        for (std::string& bytes : c.anys) {
          auto recipe = key == "weft/layers" ? recipeIn(bytes) : std::nullopt;
          if (!recipe) continue;
          for (std::string& source : *recipe->mutable_input())
            if (!output(source).ok()) source.clear();
          bytes = bytesOf(*recipe);
        }
        mine.anys.insert(mine.anys.end(), c.anys.begin(), c.anys.end());
      }
    }
  }
  return ids;
}

}  // namespace weft
