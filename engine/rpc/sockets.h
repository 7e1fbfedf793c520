#pragma once

#include <functional>
#include <string>

#include "weft/error.h"

namespace weft::rpc {

/// A connected socket, which does not block; -1 if nobody answers at "host:port" or `stopped` says so meanwhile.
int connectTo(const std::string& address, const std::function<bool()>& stopped);

struct Listener {
  int socket = -1;
  int port = 0;
};
/// A socket that listens on "host:port" (port 0: any free one). UNKNOWN, in gRPC's words, if the port cannot be had.
Result<Listener> listenOn(const std::string& address);

}  // namespace weft::rpc
