#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "support/sftp.h"
#include "weft/error.h"

namespace weft {

/// What a mirror holds, and how much of it has come over the network.
struct MirrorState {
  size_t files = 0;
  uint64_t bytes = 0;        ///< Of the files on the other machine, as last seen.
  uint64_t held = 0;         ///< Of them here.
  uint64_t transferred = 0;  ///< Data read from the other machine since the mirror was made, including what was read again.
  std::string problem;       ///< A file that could not be read; the others were.
};

struct MirrorOptions {
  std::function<bool(const std::string& name)> wants;  ///< By name, without path; empty: all files.
  uint64_t mostBytes = uint64_t(16) << 30;
  size_t mostFiles = 100000;
  int mostDepth = 24;  ///< Of folders below the first one.
  /// Asked often; true ends the pass with CANCELLED.
  std::function<bool()> stop;
  /// Called often, at the latest after each megabyte.
  std::function<void(const MirrorState&)> progress;
};

/// A copy of the wanted files below a folder of the other machine (or of that one file), kept up to date by calls of sync(). A file that has grown is appended to:
/// only its new bytes are transferred. A file that was cut or rewritten is fetched again and replaced in one step, so that readers notice. A deleted file is deleted
/// here, but only after a complete search. What an earlier program fetched is used again once its first and last bytes are found to agree. Linked folders
/// below the first are not entered, linked files are read. One thread.
class RemoteMirror {
 public:
  /// `local`: a folder for this mirror alone.
  RemoteMirror(std::string remote, std::string local, MirrorOptions options);

  /// One pass. UNAVAILABLE, DATA_LOSS: the connection failed, what came is kept. NOT_FOUND, PERMISSION_DENIED: of the first folder. RESOURCE_EXHAUSTED: more data or
  /// files than allowed, or the disk is full. A new connection between two passes is no matter.
  Status sync(Sftp& sftp);
  const MirrorState& state() const { return state_; }
  const std::string& local() const { return local_; }

 private:
  struct File {
    std::string remote, local;
    RemoteEntry seen;       // on the other machine, when last searched for
    RemoteEntry copied;     // the same, when the copy was last compared
    bool compared = false;  // in this program
  };
  Status search(Sftp& sftp);
  Status look(Sftp& sftp);
  Status fetch(Sftp& sftp, File& file);
  Status append(Sftp& sftp, const std::string& handle, File& file, uint64_t from, const std::string& into);
  Result<bool> agrees(Sftp& sftp, const std::string& handle, const File& file, uint64_t held);
  bool stopped() const { return options_.stop && options_.stop(); }
  void count();

  std::string remote_, local_;
  MirrorOptions options_;
  std::map<std::string, File> files_;  // by the path below the folder
  MirrorState state_;
  double nextSearch_ = 0;  // seconds of the steady clock
};

}  // namespace weft
