// Groups in a document's format.
#include "proto/document_messages.h"
#include "proto/weft_document.pb.h"
#include "weft/groups.h"

namespace weft {
namespace {

constexpr const char* kDefinitions = "weft/group_definitions";
constexpr const char* kInstances = "weft/groups";

std::vector<GroupPort> portsOf(const google::protobuf::RepeatedPtrField<document::GroupPort>& from) {
  std::vector<GroupPort> out;
  for (const auto& p : from) {
    auto shape = Shape::parse(p.shape());
    out.push_back({p.name(), DType(p.type()), shape.ok() ? std::move(*shape) : Shape::unknown(), p.doc()});
  }
  return out;
}

void writePort(const GroupPort& p, document::GroupPort* to) {
  to->set_name(p.name);
  to->set_type(int(p.type));
  to->set_shape(p.shape.toString());
  to->set_doc(p.doc);
}

}  // namespace

const GroupParameter* GroupDefinition::find(std::string_view parameter) const {
  for (const GroupParameter& p : parameters)
    if (p.name == parameter) return &p;
  return nullptr;
}

std::vector<GroupDefinition> groupsOf(const MetaGraph& meta) {
  std::vector<GroupDefinition> out;
  document::readMessages<document::GroupDefinition>(meta, kDefinitions, [&](const document::GroupDefinition& m) {
    GroupDefinition d{m.name(), m.version(), m.doc(), portsOf(m.input()), portsOf(m.output()), {}, m.body()};
    for (const auto& p : m.parameter()) d.parameters.push_back({p.name(), p.type(), p.value(), p.doc(), {p.target().begin(), p.target().end()}});
    out.push_back(std::move(d));
  });
  return out;
}

std::vector<GroupInstance> groupInstancesOf(const MetaGraph& meta) {
  std::vector<GroupInstance> out;
  document::readMessages<document::GroupInstance>(meta, kInstances, [&](const document::GroupInstance& m) {
    out.push_back({m.scope(), m.kind(), m.version(), {m.parameter().begin(), m.parameter().end()}, {m.aside().begin(), m.aside().end()}});
  });
  return out;
}

std::optional<GroupInstance> groupInstanceAt(const MetaGraph& meta, const std::string& scope) {
  const auto it = meta.collections.find(kInstances);
  if (it == meta.collections.end()) return std::nullopt;
  for (const std::string& bytes : it->second.anys) {
    if (bytes.find(scope) == bytes.npos) continue;
    MetaGraph one;
    one.collections[kInstances].anys = {bytes};
    if (auto found = groupInstancesOf(one); !found.empty() && found[0].scope == scope) return std::move(found[0]);
  }
  return std::nullopt;
}

void setGroups(MetaGraph& meta, const std::vector<GroupDefinition>& definitions) {
  std::vector<std::string> anys;
  for (const GroupDefinition& d : definitions) {
    document::GroupDefinition m;
    m.set_name(d.name);
    m.set_version(d.version);
    m.set_doc(d.doc);
    for (const GroupPort& p : d.inputs) writePort(p, m.add_input());
    for (const GroupPort& p : d.outputs) writePort(p, m.add_output());
    for (const GroupParameter& p : d.parameters) {
      auto* to = m.add_parameter();
      to->set_name(p.name);
      to->set_type(p.type);
      to->set_value(p.value);
      to->set_doc(p.doc);
      for (const std::string& t : p.targets) to->add_target(t);
    }
    m.set_body(d.body);
    anys.push_back(document::packed(m));
  }
  document::writeMessages(meta, kDefinitions, std::move(anys));
}

void setGroupInstances(MetaGraph& meta, const std::vector<GroupInstance>& instances) {
  std::vector<std::string> anys;
  for (const GroupInstance& i : instances) {
    document::GroupInstance m;
    m.set_scope(i.scope);
    m.set_kind(i.group);
    m.set_version(i.version);
    std::string bytes = m.SerializeAsString();
    // One by one: a map of protobuf has no order.
    for (const auto& [name, text] : i.overrides) {
      document::GroupInstance one;
      (*one.mutable_parameter())[name] = text;
      bytes += one.SerializeAsString();
    }
    for (const auto& [name, text] : i.aside) {
      document::GroupInstance one;
      (*one.mutable_aside())[name] = text;
      bytes += one.SerializeAsString();
    }
    anys.push_back(document::packedAs(m, std::move(bytes)));
  }
  document::writeMessages(meta, kInstances, std::move(anys));
}

Result<LoadedGraph> groupBody(const GroupDefinition& definition) {
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(definition.body), "group " + definition.name);
  if (!loaded.ok()) return dataLoss("The body of the group ", definition.name, " cannot be read: ", loaded.error().message);
  return loaded;
}

}  // namespace weft
