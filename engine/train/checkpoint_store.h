#pragma once

#include <map>
#include <optional>
#include <string>

#include "weft/checkpoint.h"
#include "weft/session.h"

namespace weft {

/// The state needed, besides the variables, to resume a training exactly. Stored next to a checkpoint as PREFIX.weft-state (JSON).
struct TrainingPosition {
  int64_t step = 0;
  int64_t epoch = 0, stepInEpoch = 0;          ///< Position in the data, both from 0.
  std::map<std::string, std::string> streams;  ///< Session::opStates()
};

/// The checkpoints of one training in one folder: FOLDER/model.ckpt-STEP.
///
/// A crash at any moment leaves the checkpoint named by the file `checkpoint` intact: first the checkpoint's own files are written, then PREFIX.weft-state,
/// then `checkpoint` is replaced, and only then are the oldest files deleted.
class CheckpointStore {
 public:
  CheckpointStore(std::string folder, int maxToKeep, FileSystem& files = posixFileSystem());

  /// Saves the session's variables (by the document's saver, else all by name) and `position`. Returns the prefix.
  Result<std::string> save(Session& session, const MetaGraph& meta, const TrainingPosition& position);

  struct Resumed {
    std::string prefix;
    std::optional<TrainingPosition> position;  ///< Empty if there is no PREFIX.weft-state (a checkpoint written by another program).
  };
  /// Restores the newest checkpoint; returns nothing if the folder has none.
  Result<std::optional<Resumed>> resume(Session& session, const MetaGraph& meta);
  /// Restores a checkpoint from any path.
  static Result<Resumed> resumeFrom(Session& session, const MetaGraph& meta, const std::string& prefix, FileSystem& files = posixFileSystem());

 private:
  double now() const;
  /// Deletes leftovers of a crash: files of checkpoints without an index, and temporary files.
  void removeLeftovers();

  std::string folder_;
  FileSystem& files_;
  CheckpointKeeper keeper_;
};

}  // namespace weft
