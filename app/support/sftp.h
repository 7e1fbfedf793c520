#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include "support/byte_channel.h"
#include "weft/error.h"

namespace weft {

/// A file or folder of the other machine.
struct RemoteEntry {
  enum class Kind { File, Folder, Link, Other };
  std::string name;  ///< Without path; empty from stat().
  Kind kind = Kind::Other;
  uint64_t bytes = 0;
  uint32_t modified = 0;  ///< Seconds since 1970, of the other machine's clock.
};

/// The reading half of SFTP, version 3 (draft-ietf-secsh-filexfer-02), as OpenSSH's server speaks it. Requests that belong together are sent together, so that a
/// slow connection delays them once. Errors: UNAVAILABLE when the connection is lost (no later call succeeds); DATA_LOSS when the answer is not SFTP (likewise);
/// NOT_FOUND, PERMISSION_DENIED, FAILED_PRECONDITION of one path. One thread.
class Sftp {
 public:
  /// `channel` outlives this.
  explicit Sftp(ByteChannel& channel) : channel_(channel) {}
  /// Agrees on the version. REQUIRES: first call.
  Status start();

  /// The absolute path; "." and "" are the folder where the session starts.
  Result<std::string> realPath(const std::string& path);
  /// A folder's entries, unsorted, without "." and "..". Names that are no names of files ("a/b") are dropped. Links are reported as such.
  Result<std::vector<RemoteEntry>> list(const std::string& folder);
  /// Follows links.
  Result<RemoteEntry> stat(const std::string& path);
  /// The same for many paths, in their order.
  std::vector<Result<RemoteEntry>> stat(const std::vector<std::string>& paths);

  Result<std::string> open(const std::string& path);
  void close(const std::string& handle);
  /// Reads `bytes` bytes from `offset` on; fewer only at the end of the file. `sink` gets them in order; it ends the reading by returning false, which is
  /// CANCELLED.
  Status read(const std::string& handle, uint64_t offset, uint64_t bytes, const std::function<bool(std::string_view)>& sink);

 private:
  struct Answer {
    uint32_t id = 0;
    uint8_t type = 0;
    std::string body;
  };
  Status request(uint8_t type, const std::string& body, uint32_t* id);
  Result<Answer> answer();
  /// Waits for the answer to the request `id`, the oldest open one.
  Result<Answer> answerTo(uint32_t id);
  Status receive(char* into, size_t bytes);
  Status lost(Status status);

  ByteChannel& channel_;
  Status failure_;
  uint32_t nextId_ = 1;
  std::unordered_set<uint32_t> unawaited_;  // requests whose answers are dropped
};

}  // namespace weft
