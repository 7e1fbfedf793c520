#include "graph/collection_proto.h"

#include "proto/meta_graph.pb.h"

namespace weft {

namespace tf = ::tensorflow;

void collectionToProto(const Collection& c, tf::CollectionDef* def) {
  switch (c.kind) {
    case Collection::Kind::Nodes:
      def->mutable_node_list();
      for (const auto& v : c.nodes) def->mutable_node_list()->add_value(v);
      break;
    case Collection::Kind::Bytes:
      def->mutable_bytes_list();
      for (const auto& v : c.bytes) def->mutable_bytes_list()->add_value(v);
      break;
    case Collection::Kind::Ints:
      def->mutable_int64_list();
      for (int64_t v : c.ints) def->mutable_int64_list()->add_value(v);
      break;
    case Collection::Kind::Floats:
      def->mutable_float_list();
      for (float v : c.floats) def->mutable_float_list()->add_value(v);
      break;
    case Collection::Kind::Anys:
      def->mutable_any_list();
      for (const auto& v : c.anys) def->mutable_any_list()->add_value()->ParseFromString(v);
      break;
  }
}

void saverToProto(const SaverInfo& s, tf::SaverDef* def) {
  def->set_filename_tensor_name(s.filenameTensor);
  def->set_save_tensor_name(s.saveTensor);
  def->set_restore_op_name(s.restoreOp);
  def->set_max_to_keep(s.maxToKeep);
  def->set_sharded(s.sharded);
  def->set_keep_checkpoint_every_n_hours(s.keepCheckpointEveryHours);
  def->set_version(tf::SaverDef::CheckpointFormatVersion(s.version));
}

Collection collectionFromProto(const tf::CollectionDef& def) {
  Collection c;
  switch (def.kind_case()) {
    case tf::CollectionDef::kBytesList:
      c.kind = Collection::Kind::Bytes;
      c.bytes.assign(def.bytes_list().value().begin(), def.bytes_list().value().end());
      break;
    case tf::CollectionDef::kInt64List:
      c.kind = Collection::Kind::Ints;
      c.ints.assign(def.int64_list().value().begin(), def.int64_list().value().end());
      break;
    case tf::CollectionDef::kFloatList:
      c.kind = Collection::Kind::Floats;
      c.floats.assign(def.float_list().value().begin(), def.float_list().value().end());
      break;
    case tf::CollectionDef::kAnyList:
      c.kind = Collection::Kind::Anys;
      for (const auto& any : def.any_list().value()) c.anys.push_back(any.SerializeAsString());
      break;
    default: c.nodes.assign(def.node_list().value().begin(), def.node_list().value().end());
  }
  return c;
}

SaverInfo saverFromProto(const tf::SaverDef& def) {
  SaverInfo s;
  s.filenameTensor = def.filename_tensor_name();
  s.saveTensor = def.save_tensor_name();
  s.restoreOp = def.restore_op_name();
  s.maxToKeep = def.max_to_keep();
  s.sharded = def.sharded();
  s.keepCheckpointEveryHours = def.keep_checkpoint_every_n_hours();
  s.version = int(def.version());
  return s;
}

}  // namespace weft
