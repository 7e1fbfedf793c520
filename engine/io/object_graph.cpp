#include "weft/object_graph.h"

#include <google/protobuf/arena.h>

#include <algorithm>

#include "io/object_paths.h"
#include "proto/meta_graph.pb.h"
#include "proto/text.h"

// An object-based checkpoint names its tensors by paths of objects ("model/layers/0/kernel/.ATTRIBUTES/VARIABLE_VALUE") and describes the objects in a tensor of
// its own: a serialised TrackableObjectGraph, whose nodes refer to one another by their numbers.
namespace weft {
namespace {

constexpr size_t kMostPathBytes = size_t(64) << 20;

Error malformedObjects(const auto&... parts) { return dataLoss(parts...).ofKind("malformed"); }

Status checkObject(int object, int by, size_t count) {
  if (object >= 0 && size_t(object) < count) return {};
  return malformedObjects("object ", by, " refers to object ", object, ", but there are ", count);
}

/// Slots are not children of anything. Their path is the one from which TensorFlow makes their keys.
void nameSlots(std::vector<CheckpointObject>& objects) {
  std::vector<std::pair<int, std::string>> found;
  for (const CheckpointObject& optimizer : objects)
    for (const CheckpointObject::Slot& slot : optimizer.slotVariables)
      if (slot.object != 0 && objects[size_t(slot.object)].path.empty())
        found.emplace_back(slot.object, concat(objects[size_t(slot.variable)].path, "/.OPTIMIZER_SLOT/", optimizer.path, "/", slot.name));
  size_t bytes = 0;
  for (auto& [object, path] : found)
    if ((bytes += path.size()) <= kMostPathBytes) objects[size_t(object)].path = std::move(path);
}

}  // namespace

Result<std::vector<std::string>> objectPaths(const std::vector<NamedChildren>& objects) {
  for (size_t i = 0; i < objects.size(); ++i)
    for (const auto& [name, child] : objects[i]) WEFT_TRY(checkObject(child, int(i), objects.size()));
  std::vector<std::string> paths(objects.size());
  if (objects.empty()) return paths;
  std::vector<bool> seen(objects.size());
  seen[0] = true;
  std::vector<int> queue = {0};
  size_t bytes = 0;
  for (size_t next = 0; next < queue.size(); ++next) {
    const std::string parent = paths[size_t(queue[next])];
    for (const auto& [name, child] : objects[size_t(queue[next])]) {
      if (seen[size_t(child)]) continue;
      seen[size_t(child)] = true;
      bytes += parent.size() + 1 + name.size();
      if (bytes > kMostPathBytes) return malformedObjects("the paths of the objects are longer than 64 MB");
      paths[size_t(child)] = parent.empty() ? name : parent + "/" + name;
      queue.push_back(child);
    }
  }
  return paths;
}

Result<std::vector<CheckpointObject>> parseObjectGraph(std::string_view bytes) {
  google::protobuf::Arena arena;
  auto* graph = google::protobuf::Arena::CreateMessage<tensorflow::TrackableObjectGraph>(&arena);
  if (const Status parsed = parseWire(bytes, graph); !parsed.ok())
    return Error{Code::DataLoss, concat(kObjectGraphKey, ": ", parsed.error().message), {}, {}, parsed.error().kind};
  const size_t count = size_t(graph->nodes_size());
  std::vector<CheckpointObject> objects(count);
  std::vector<NamedChildren> children(count);
  for (size_t i = 0; i < count; ++i) {
    const auto& node = graph->nodes(int(i));
    CheckpointObject& object = objects[i];
    for (const auto& child : node.children()) {
      children[i].emplace_back(child.local_name(), child.node_id());
      object.children.push_back({child.local_name(), child.node_id()});
    }
    for (const auto& value : node.attributes()) object.values.push_back({value.name(), value.full_name(), value.checkpoint_key()});
    for (const auto& slot : node.slot_variables()) {
      WEFT_TRY(checkObject(slot.original_variable_node_id(), int(i), count));
      WEFT_TRY(checkObject(slot.slot_variable_node_id(), int(i), count));
      object.slotVariables.push_back({slot.slot_name(), slot.original_variable_node_id(), slot.slot_variable_node_id()});
    }
  }
  WEFT_LET(auto paths, objectPaths(children));
  for (size_t i = 0; i < count; ++i) objects[i].path = std::move(paths[i]);
  nameSlots(objects);
  return objects;
}

Result<std::vector<CheckpointObject>> readObjectGraph(const CheckpointReader& checkpoint) {
  const CheckpointEntry* entry = checkpoint.find(kObjectGraphKey);
  if (!entry) return notFound("the checkpoint is not object-based: it has no ", kObjectGraphKey).inFile(checkpoint.prefix());
  if (entry->dtype != DType::String || entry->shape.rank() != 0)
    return malformedObjects(kObjectGraphKey, " is ", dtypeName(entry->dtype), entry->shape.toString(), ", not a string").inFile(checkpoint.prefix());
  WEFT_LET(const Tensor tensor, checkpoint.read(kObjectGraphKey));
  auto objects = parseObjectGraph(*tensor.data<std::string>());
  if (!objects.ok()) return Error(objects.error()).inFile(checkpoint.prefix());
  return objects;
}

KeysByName keysByFullName(const std::vector<CheckpointObject>& objects) {
  KeysByName out;
  for (const CheckpointObject& object : objects) {
    for (const CheckpointObject::Value& value : object.values) {
      if (value.fullName.empty()) continue;
      std::vector<std::string>& keys = out[value.fullName];
      if (std::find(keys.begin(), keys.end(), value.key) == keys.end()) keys.push_back(value.key);
    }
  }
  return out;
}

}  // namespace weft
