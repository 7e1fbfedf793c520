#pragma once

#include <cstddef>
#include <string_view>

namespace weft {

/// Both directions of a connection. One thread uses it; interrupt() may be called from any.
class ByteChannel {
 public:
  virtual ~ByteChannel() = default;
  /// Sends all bytes. False: the other side has gone, or the channel was interrupted.
  virtual bool send(std::string_view bytes) = 0;
  /// Waits for at least one byte and returns how many came. 0: as for send().
  virtual size_t receive(char* into, size_t bytes) = 0;
  /// Makes present and later calls return. Any thread.
  virtual void interrupt() = 0;
};

}  // namespace weft
