#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <variant>
#include <vector>

#include "weft/file_system.h"
#include "weft/mutex.h"
#include "weft/tensor.h"

namespace weft {

/// A histogram as stored in files: `counts[i]` values are below `limits[i]` and not below the previous limit.
struct HistogramValue {
  double min = 0, max = 0, num = 0, sum = 0, sumOfSquares = 0;
  std::vector<double> limits, counts;
};
/// An image, encoded as PNG, JPEG or GIF. `colorspace`: number of channels.
struct ImageValue {
  int height = 0, width = 0, colorspace = 0;
  std::string encoded;
};
struct AudioValue {
  float sampleRate = 0;
  int64_t channels = 0, frames = 0;
  std::string encoded, contentType;
};
struct OldHistogram {
  std::string bytes;
};

/// One tagged value of a step.
struct SummaryValue {
  std::string tag;     ///< In very old files, the node's name.
  std::string plugin;  ///< From the metadata, which files have only with the first value of a tag; else empty.
  std::string pluginContent, displayName, description;
  /// monostate: no value. TensorFlow 1.x writes hparams so, with the metadata alone.
  std::variant<std::monostate, float, HistogramValue, ImageValue, AudioValue, Tensor, OldHistogram> value;
};

/// One record of an event file.
struct Event {
  enum class Kind { None, FileVersion, Graph, Summary, Log, Session, RunMetadata, MetaGraph };
  enum Status { Unspecified = 0, Start = 1, Stop = 2, Checkpoint = 3 };
  double wallTime = 0;  ///< Seconds since 1970.
  int64_t step = 0;
  Kind kind = Kind::None;
  std::vector<SummaryValue> values;  ///< Summary
  std::string bytes;                 ///< FileVersion: text; Log: message; Graph, RunMetadata, MetaGraph: the serialised message
  std::string tag;                   ///< RunMetadata
  int status = 0;                    ///< Session: Status; Log: level
  std::string checkpointPath;        ///< Session
};

/// Decodes one record. DATA_LOSS (kind malformed) if it is not an Event.
WEFT_API Result<Event> decodeEvent(std::string_view record);
/// Decodes a serialised Summary message.
WEFT_API Result<std::vector<SummaryValue>> decodeSummary(std::string_view bytes);
/// Encodes values as a Summary message.
WEFT_API Result<std::string> encodeSummary(const std::vector<SummaryValue>& values);

/// Writes one event file, FOLDER/events.out.tfevents.SECONDS.HOST, whose first record names the file version. Thread-safe.
/// Data reaches the disk on flush(), on close(), or when the buffer (256 KiB) is full.
class WEFT_API EventWriter {
 public:
  struct Options {
    std::string suffix;           ///< Appended to the file's name.
    FileSystem* files = nullptr;  ///< Not owned; default: the machine's.
    double now = 0;               ///< Seconds since 1970, for the file's name and first record; 0: use the clock.
  };
  /// Creates the folder if needed. If the file name exists, a number is appended to the new name.
  static Result<std::unique_ptr<EventWriter>> create(const std::string& folder, const Options& options);
  static Result<std::unique_ptr<EventWriter>> create(const std::string& folder) { return create(folder, Options{}); }
  ~EventWriter();

  const std::string& path() const { return path_; }
  /// In these methods, `wallTime` 0 means now.
  Status addScalar(const std::string& tag, float value, int64_t step, double wallTime = 0);
  Status addValues(const std::vector<SummaryValue>& values, int64_t step, double wallTime = 0);
  /// A serialised Summary message, as summary ops produce it. A tag's metadata is written only once.
  Status addSummary(std::string_view summary, int64_t step, double wallTime = 0);
  Status addGraph(std::string_view graphDef, int64_t step = 0, double wallTime = 0);
  Status addMetaGraph(std::string_view metaGraphDef, int64_t step = 0, double wallTime = 0);
  /// ALREADY_EXISTS if this writer has already written that tag.
  Status addRunMetadata(std::string_view runMetadata, const std::string& tag, int64_t step, double wallTime = 0);
  Status addSession(Event::Status status, const std::string& checkpointPath, int64_t step, double wallTime = 0);
  Status addLog(int level, const std::string& message, int64_t step, double wallTime = 0);
  Status flush();
  Status close();

 private:
  EventWriter() = default;
  Status write(std::string_view record);

  std::string path_;
  Mutex mutex_;
  std::unique_ptr<WritableFile> file_ WEFT_GUARDED_BY(mutex_);
  std::unordered_set<std::string> described_ WEFT_GUARDED_BY(mutex_), runs_ WEFT_GUARDED_BY(mutex_);  // tags whose metadata, run metadata was written
};

/// Reads one event file, which may still be growing. After next() returned false, it can be called again later.
class WEFT_API EventReader {
 public:
  static Result<std::unique_ptr<EventReader>> open(const std::string& path, FileSystem* files = nullptr);
  /// Reads the next event; false if there is no complete one yet. DATA_LOSS of kind bad_checksum or malformed for a damaged record, on every call.
  Result<bool> next(Event* event);
  /// The same without decoding.
  Result<bool> nextRecord(std::string* record);
  /// Whether the file ends inside a record's payload or checksum: it was truncated, or its writer has not finished.
  bool endsInsideRecord() const { return cut_; }
  uint64_t offset() const { return offset_; }  ///< Of the next record.

 private:
  std::string path_;
  std::unique_ptr<ReadableFile> file_;
  uint64_t offset_ = 0;
  std::string buffer_;  // the file's bytes from bufferAt_ on
  uint64_t bufferAt_ = 0;
  bool cut_ = false;
};

/// The graph in event files: the last MetaGraphDef, else the last GraphDef, serialised. `path`: an event file, or a folder that directly contains some, which are
/// read in the order of their names. Damaged files are read up to the damage, which is the error only if nothing was found. NOT_FOUND if there is no graph;
/// CANCELLED if `stop` returned true.
WEFT_API Result<std::string> readEventGraph(const std::string& path, FileSystem* files = nullptr, const std::function<bool()>& stop = {});
/// The tags of the session runs (RunMetadata) in event files, each once, in the order of the files; empty if there are none. `path` and damage as for
/// readEventGraph().
WEFT_API Result<std::vector<std::string>> eventRunTags(const std::string& path, FileSystem* files = nullptr);
/// The serialised RunMetadata of the last session run with that tag. NOT_FOUND, naming the tags there are, if there is none. `path` and damage as for
/// readEventGraph().
WEFT_API Result<std::string> readEventRun(const std::string& path, const std::string& tag, FileSystem* files = nullptr);

}  // namespace weft
