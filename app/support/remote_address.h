#pragma once

#include <string>
#include <vector>

#include "weft/error.h"

namespace weft {

/// A file or folder on another machine.
struct RemoteAddress {
  std::string user;  ///< Empty: what the SSH configuration says.
  std::string host;  ///< A name of the SSH configuration, a host name or an address.
  int port = 0;      ///< 0: what the SSH configuration says.
  std::string path;  ///< Absolute, or relative to the home folder ("" is the home folder itself).

  bool operator==(const RemoteAddress&) const = default;
  /// "user@host:port", without the parts that are not given.
  std::string hostText() const;
  /// "sftp://user@host:port/path"; a relative path is written as "/~/path".
  std::string text() const;
};

/// Whether the text begins with "sftp://".
bool isRemoteAddress(const std::string& text);
/// Reads "sftp://user@host:port/path", or "user@host:path" as scp takes it. INVALID_ARGUMENT says which part is wrong. Host and user never begin with "-", so that
/// ssh cannot take them for options.
Result<RemoteAddress> readRemoteAddress(const std::string& text);
/// The same checks for parts typed one by one.
Status checkRemoteAddress(const RemoteAddress& address);

/// The names in the `Host` lines of an SSH configuration, without patterns, in their order.
std::vector<std::string> hostsOfSshConfig(const std::string& contents);
/// The readable names in a known_hosts file ("[host]:2222" as "host"); hashed ones cannot be read.
std::vector<std::string> hostsOfKnownHosts(const std::string& contents);

}  // namespace weft
