#pragma once

#include <memory>
#include <string>

#include "support/remote_cache.h"
#include "weft/error.h"

namespace weft::cli {

/// A local copy of a file, folder or checkpoint of another machine.
struct RemoteCopy {
  std::unique_ptr<CachePlace> place;  ///< Keeps it.
  std::string path;                   ///< The copy.
};

/// Copies what `address` (sftp://user@host/path) names into the cache; what is there already is not transferred again. ssh may ask on the terminal. A path that
/// does not exist is taken for the prefix of a checkpoint. Errors name the host and what to do.
Result<RemoteCopy> copyFromRemote(const std::string& address);

}  // namespace weft::cli
