#include "proto/tensor_bytes.h"

#include "proto/convert.h"
#include "proto/graph.pb.h"

namespace weft {

Result<Tensor> tensorFromBytes(std::string_view message) {
  tensorflow::TensorProto proto;
  if (message.size() > size_t(INT32_MAX) || !proto.ParseFromArray(message.data(), int(message.size())))
    return invalidArgument("Cannot parse tensor from proto: ", message.size(), " bytes that are no TensorProto");
  return tensorFromProto(proto);
}

Result<std::string> tensorToBytes(const Tensor& tensor) {
  tensorflow::TensorProto proto;
  WEFT_TRY(tensorToProto(tensor, TensorForm::Content, &proto));
  return proto.SerializeAsString();
}

}  // namespace weft
