#pragma once

#include <cstdint>
#include <string_view>

#include "rpc/bytes.h"
#include "weft/error.h"
#include "weft/tensor.h"

// RecvTensorResponse, the message that carries most of a cluster's bytes. It is written and read by hand: a tensor's memory is sent as it lies, and received into the
// memory of a tensor.
namespace weft::cluster {

/// A tensor that another task sent, or word that it is dead.
struct ReceivedTensor {
  Tensor value;
  bool dead = false;
  int64_t sentMicros = 0;  ///< When the sender handed it over, in microseconds since 1970 by its own clock.
};

/// UNIMPLEMENTED for variants and resources, which do not leave a process.
Result<rpc::Bytes> encodeReceived(const ReceivedTensor& received);
/// INTERNAL for bytes that are no such message; INVALID_ARGUMENT for a tensor whose parts do not agree. A large tensor whose content is aligned stays where it is.
Result<ReceivedTensor> decodeReceived(const rpc::Bytes& bytes);

/// Where the tensor's content lies in such a message, to be aligned there (rpc::AlignedPart).
size_t contentOffset(std::string_view beginning);

}  // namespace weft::cluster
