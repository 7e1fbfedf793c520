#include "proto/debug_event.h"

#include "proto/convert.h"
#include "proto/summary.pb.h"

namespace weft {

Status debugEvent(const std::string& device, const std::string& node, int slot, const std::string& op, const Tensor& tensor, int64_t micros,
                  std::string* bytes) {
  tensorflow::Event event;
  event.set_wall_time(double(micros));
  auto* value = event.mutable_summary()->add_value();
  value->set_tag(node);
  value->set_node_name(concat(node, ":", slot, ":", op));
  if (tensor.hasValue()) {
    WEFT_TRY(tensorToProto(tensor, TensorForm::Content, value->mutable_tensor()));
  } else {
    value->mutable_tensor()->set_dtype(tensorflow::DataType(int(tensor.dtype())));
  }
  auto* plugin = value->mutable_metadata()->mutable_plugin_data();
  plugin->set_plugin_name("debugger");
  plugin->set_content(concat("{\"device\":\"", device, "\",\"outputSlot\":", slot, ",\"numChunks\":1,\"chunkIndex\":0}"));
  if (!event.SerializeToString(bytes)) return internalError("The event could not be written");
  return {};
}

}  // namespace weft
