#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <variant>
#include <vector>

#include "weft/file_system.h"
#include "weft/tensor.h"

namespace weft {

/// A histogram as files hold it: `counts[i]` values lie below `limits[i]` (and not below the limit before).
struct HistogramValue {
  double min = 0, max = 0, num = 0, sum = 0, sumOfSquares = 0;
  std::vector<double> limits, counts;
};
/// A picture, encoded as PNG, JPEG or GIF. `colorspace`: number of channels.
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
  std::string tag;     ///< Of very old files the node's name.
  std::string plugin;  ///< Stated by the metadata, which files carry with the first value of a tag only; else empty.
  std::string pluginContent, displayName, description;
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

/// Decodes one record. DATA_LOSS (kind malformed) if it is no Event.
WEFT_API Result<Event> decodeEvent(std::string_view record);
/// Decodes a serialised Summary message.
WEFT_API Result<std::vector<SummaryValue>> decodeSummary(std::string_view bytes);
/// Encodes values as a Summary message.
WEFT_API Result<std::string> encodeSummary(const std::vector<SummaryValue>& values);

/// Writes one event file, FOLDER/events.out.tfevents.SECONDS.HOST, whose first record names the file version. Thread-safe.
/// What was added reaches the disk with flush(), close() or when the buffer (256 KiB) is full.
class WEFT_API EventWriter {
 public:
  struct Options {
    std::string suffix;           ///< Appended to the file's name.
    FileSystem* files = nullptr;  ///< Not owned; default: the machine's.
    double now = 0;               ///< Seconds since 1970 for the file's name and first record; 0: the clock.
  };
  /// Makes the folder if it is not there. An existing file of that name gets a number appended rather than being lost.
  static Result<std::unique_ptr<EventWriter>> create(const std::string& folder, const Options& options);
  static Result<std::unique_ptr<EventWriter>> create(const std::string& folder) { return create(folder, Options{}); }
  ~EventWriter();

  const std::string& path() const { return path_; }
  /// `wallTime` 0 stands for now in all of these.
  Status addScalar(const std::string& tag, float value, int64_t step, double wallTime = 0);
  Status addValues(const std::vector<SummaryValue>& values, int64_t step, double wallTime = 0);
  /// A serialised Summary message, as summary ops produce it. Metadata of a tag is written once only.
  Status addSummary(std::string_view summary, int64_t step, double wallTime = 0);
  Status addGraph(std::string_view graphDef, int64_t step = 0, double wallTime = 0);
  Status addMetaGraph(std::string_view metaGraphDef, int64_t step = 0, double wallTime = 0);
  /// ALREADY_EXISTS if this writer has written that tag.
  Status addRunMetadata(std::string_view runMetadata, const std::string& tag, int64_t step, double wallTime = 0);
  Status addSession(Event::Status status, const std::string& checkpointPath, int64_t step, double wallTime = 0);
  Status addLog(int level, const std::string& message, int64_t step, double wallTime = 0);
  Status flush();
  Status close();

 private:
  EventWriter() = default;
  Status write(std::string_view record);

  std::string path_;
  std::mutex mutex_;
  std::unique_ptr<WritableFile> file_;                // guarded by mutex_
  std::unordered_set<std::string> described_, runs_;  // tags whose metadata, run metadata was written; guarded by mutex_
};

/// Reads one event file, which may still be growing: after next() said that there is no more, it may be called again later.
class WEFT_API EventReader {
 public:
  static Result<std::unique_ptr<EventReader>> open(const std::string& path, FileSystem* files = nullptr);
  /// The next event, or false if there is no whole one (yet). DATA_LOSS of kind bad_checksum or malformed for a damaged record, again at each call.
  Result<bool> next(Event* event);
  /// The same, not decoded.
  Result<bool> nextRecord(std::string* record);
  /// Whether the file ends inside of a record's payload or its checksum: it was cut, or its writer has not finished.
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

}  // namespace weft
