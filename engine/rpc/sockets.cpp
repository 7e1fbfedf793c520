#include "rpc/sockets.h"

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>

namespace weft::rpc {
namespace {

constexpr std::chrono::seconds kMostConnect{20};
constexpr int kSliceMs = 50, kBacklog = 512;

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

/// The addresses of "host:port", "[v6]:port"; null if there are none.
Addresses resolve(const std::string& address, bool passive) {
  const size_t colon = address.rfind(':');
  if (colon == std::string::npos) return {nullptr, ::freeaddrinfo};
  std::string host = address.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = passive ? AI_PASSIVE : 0;
  if (::getaddrinfo(host.empty() ? nullptr : host.c_str(), address.c_str() + colon + 1, &hints, &found) != 0) found = nullptr;
  return {found, ::freeaddrinfo};
}

bool finishConnect(int socket, const std::function<bool()>& stopped) {
  const auto end = std::chrono::steady_clock::now() + kMostConnect;
  while (std::chrono::steady_clock::now() < end && !stopped()) {
    pollfd watched{socket, POLLOUT, 0};
    if (::poll(&watched, 1, kSliceMs) <= 0) continue;
    int error = 0;
    socklen_t length = sizeof(error);
    return ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) == 0 && error == 0;
  }
  return false;
}

}  // namespace

int connectTo(const std::string& address, const std::function<bool()>& stopped) {
  const Addresses found = resolve(address, false);
  for (const addrinfo* at = found.get(); at && !stopped(); at = at->ai_next) {
    const int socket = ::socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, at->ai_protocol);
    if (socket < 0) continue;
    if (::connect(socket, at->ai_addr, at->ai_addrlen) == 0 || (errno == EINPROGRESS && finishConnect(socket, stopped))) return socket;
    ::close(socket);
  }
  return -1;
}

Result<Listener> listenOn(const std::string& address) {
  const Addresses found = resolve(address, true);
  int error = found ? 0 : EADDRNOTAVAIL;
  for (const addrinfo* at = found.get(); at; at = at->ai_next) {
    const int socket = ::socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, at->ai_protocol);
    if (socket < 0) {
      error = errno;
      continue;
    }
    const int one = 1;  // a restarted task need not wait until its predecessor's connections are forgotten
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
    sockaddr_storage bound{};
    socklen_t length = sizeof(bound);
    if (::bind(socket, at->ai_addr, at->ai_addrlen) == 0 && ::listen(socket, kBacklog) == 0 &&
        ::getsockname(socket, reinterpret_cast<sockaddr*>(&bound), &length) == 0) {
      const in_port_t port = bound.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(bound).sin6_port : reinterpret_cast<sockaddr_in&>(bound).sin_port;
      return Listener{socket, ntohs(port)};
    }
    error = errno;
    ::close(socket);
  }
  return unknownError("Could not start gRPC server: ", address, " cannot be listened on (", std::strerror(error), "); is another program using the port?");
}

}  // namespace weft::rpc
