#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "weft/error.h"

namespace weft::rpc {

/// Bytes over a socket, as they are or encrypted. Does not block; read() and write() may be called by two threads.
class Stream {
 public:
  virtual ~Stream() = default;
  int socket() const { return socket_; }
  /// Bytes read; 0: the other side has ended; -1: errno says why, EAGAIN if there are none at present.
  virtual ssize_t read(char* to, size_t most) = 0;
  /// Whether read() has more although the socket may have none.
  virtual bool hasMore() const { return false; }
  /// Bytes taken; -1: errno says why, EAGAIN if it takes none at present.
  virtual ssize_t write(const iovec* parts, size_t count) = 0;
  /// Whether it waits until the socket takes more: call write(), with nothing if there is nothing else, when it does.
  virtual bool waits() const = 0;

 protected:
  explicit Stream(int socket) : socket_(socket) {}
  const int socket_;  ///< Not owned.
};

/// Encrypts all connections of this process that are made from now on: TLS, of which both sides show a certificate. `folder` has cert.pem (this task's
/// certificate and those between it and the root), key.pem and ca.pem (the root, or roots, that others' certificates must come from).
Status useTls(const std::string& folder);

/// Of an accepted connection.
std::unique_ptr<Stream> serverStream(int socket);
/// Of a connection to `host`, whose certificate must be for that name or address. Waits until both sides have agreed or `stopped`. UNAUTHENTICATED if they do not;
/// UNAVAILABLE if the connection breaks meanwhile.
Result<std::unique_ptr<Stream>> clientStream(int socket, const std::string& host, const std::function<bool()>& stopped);

}  // namespace weft::rpc
