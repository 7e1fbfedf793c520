#include "weft/events.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>

#include "base/record_frame.h"
#include "base/table.h"
#include "proto/convert.h"
#include "proto/summary.pb.h"
#include "proto/text.h"

namespace weft {
namespace {

constexpr int64_t kMaxElements = 1 << 28;

double secondsNow() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

tensorflow::Event eventAt(int64_t step, double wallTime) {
  tensorflow::Event event;
  event.set_wall_time(wallTime != 0 ? wallTime : secondsNow());
  event.set_step(step);
  return event;
}

Result<SummaryValue> valueFromProto(tensorflow::Summary::Value& proto) {
  SummaryValue out;
  out.tag = proto.tag().empty() ? std::move(*proto.mutable_node_name()) : std::move(*proto.mutable_tag());
  if (proto.has_metadata()) {
    out.plugin = proto.metadata().plugin_data().plugin_name();
    out.pluginContent = proto.metadata().plugin_data().content();
    out.displayName = proto.metadata().display_name();
    out.description = proto.metadata().summary_description();
  }
  switch (proto.value_case()) {
    case tensorflow::Summary::Value::kSimpleValue: out.value = proto.simple_value(); break;
    case tensorflow::Summary::Value::kObsoleteOldStyleHistogram: out.value = OldHistogram{proto.obsolete_old_style_histogram()}; break;
    case tensorflow::Summary::Value::kImage: {
      auto& image = *proto.mutable_image();
      out.value = ImageValue{image.height(), image.width(), image.colorspace(), std::move(*image.mutable_encoded_image_string())};
      break;
    }
    case tensorflow::Summary::Value::kAudio: {
      auto& audio = *proto.mutable_audio();
      out.value =
          AudioValue{audio.sample_rate(), audio.num_channels(), audio.length_frames(), std::move(*audio.mutable_encoded_audio_string()), audio.content_type()};
      break;
    }
    case tensorflow::Summary::Value::kHisto: {
      const auto& h = proto.histo();
      out.value = HistogramValue{
          h.min(), h.max(), h.num(), h.sum(), h.sum_squares(), {h.bucket_limit().begin(), h.bucket_limit().end()}, {h.bucket().begin(), h.bucket().end()}};
      break;
    }
    case tensorflow::Summary::Value::kTensor: {
      // A single stored value may fill all elements of the shape, so limit their number to what a summary can plausibly hold.
      WEFT_LET(const int64_t elements, checkTensorProto(proto.tensor()));
      if (elements > kMaxElements)
        return dataLoss("the tensor of tag ", out.tag, " has ", elements, " elements, over the limit of ", kMaxElements).ofKind("too_large");
      WEFT_LET(out.value, tensorFromProto(proto.tensor()));
      break;
    }
    case tensorflow::Summary::Value::VALUE_NOT_SET: break;
  }
  return out;
}

Result<std::vector<SummaryValue>> valuesFromProto(tensorflow::Summary& proto) {
  std::vector<SummaryValue> out;
  out.reserve(size_t(proto.value_size()));
  for (auto& value : *proto.mutable_value()) {
    WEFT_LET(auto v, valueFromProto(value));
    out.push_back(std::move(v));
  }
  return out;
}

Status valueToProto(const SummaryValue& in, tensorflow::Summary::Value* out) {
  out->set_tag(in.tag);
  if (!in.plugin.empty() || !in.displayName.empty() || !in.description.empty()) {
    auto* metadata = out->mutable_metadata();
    if (!in.plugin.empty()) {
      metadata->mutable_plugin_data()->set_plugin_name(in.plugin);
      metadata->mutable_plugin_data()->set_content(in.pluginContent);
    }
    metadata->set_display_name(in.displayName);
    metadata->set_summary_description(in.description);
  }
  if (const auto* v = std::get_if<float>(&in.value)) out->set_simple_value(*v);
  if (const auto* v = std::get_if<OldHistogram>(&in.value)) out->set_obsolete_old_style_histogram(v->bytes);
  if (const auto* v = std::get_if<ImageValue>(&in.value)) {
    auto* image = out->mutable_image();
    image->set_height(v->height);
    image->set_width(v->width);
    image->set_colorspace(v->colorspace);
    image->set_encoded_image_string(v->encoded);
  }
  if (const auto* v = std::get_if<AudioValue>(&in.value)) {
    auto* audio = out->mutable_audio();
    audio->set_sample_rate(v->sampleRate);
    audio->set_num_channels(v->channels);
    audio->set_length_frames(v->frames);
    audio->set_encoded_audio_string(v->encoded);
    audio->set_content_type(v->contentType);
  }
  if (const auto* v = std::get_if<HistogramValue>(&in.value)) {
    auto* h = out->mutable_histo();
    h->set_min(v->min);
    h->set_max(v->max);
    h->set_num(v->num);
    h->set_sum(v->sum);
    h->set_sum_squares(v->sumOfSquares);
    h->mutable_bucket_limit()->Add(v->limits.begin(), v->limits.end());
    h->mutable_bucket()->Add(v->counts.begin(), v->counts.end());
  }
  if (const auto* v = std::get_if<Tensor>(&in.value)) {
    out->mutable_metadata();  // TensorBoard ignores tensors without metadata, even if it is empty
    WEFT_TRY(tensorToProto(*v, TensorForm::Content, out->mutable_tensor()));
  }
  return {};
}

}  // namespace

Result<Event> decodeEvent(std::string_view record) {
  tensorflow::Event proto;
  Status parsed = parseWire(record, &proto);
  if (!parsed.ok()) return dataLoss("a record is no Event: ", parsed.error().message).ofKind("malformed");
  Event event;
  event.wallTime = proto.wall_time();
  event.step = proto.step();
  switch (proto.what_case()) {
    case tensorflow::Event::kFileVersion:
      event.kind = Event::Kind::FileVersion;
      event.bytes = std::move(*proto.mutable_file_version());
      break;
    case tensorflow::Event::kGraphDef:
      event.kind = Event::Kind::Graph;
      event.bytes = std::move(*proto.mutable_graph_def());
      break;
    case tensorflow::Event::kSummary: {
      event.kind = Event::Kind::Summary;
      WEFT_LET(event.values, valuesFromProto(*proto.mutable_summary()));
      break;
    }
    case tensorflow::Event::kLogMessage:
      event.kind = Event::Kind::Log;
      event.status = proto.log_message().level();
      event.bytes = std::move(*proto.mutable_log_message()->mutable_message());
      break;
    case tensorflow::Event::kSessionLog:
      event.kind = Event::Kind::Session;
      event.status = proto.session_log().status();
      event.checkpointPath = proto.session_log().checkpoint_path();
      event.bytes = proto.session_log().msg();
      break;
    case tensorflow::Event::kTaggedRunMetadata:
      event.kind = Event::Kind::RunMetadata;
      event.tag = proto.tagged_run_metadata().tag();
      event.bytes = std::move(*proto.mutable_tagged_run_metadata()->mutable_run_metadata());
      break;
    case tensorflow::Event::kMetaGraphDef:
      event.kind = Event::Kind::MetaGraph;
      event.bytes = std::move(*proto.mutable_meta_graph_def());
      break;
    case tensorflow::Event::WHAT_NOT_SET: break;
  }
  return event;
}

Result<std::vector<SummaryValue>> decodeSummary(std::string_view bytes) {
  tensorflow::Summary proto;
  WEFT_TRY(parseWire(bytes, &proto));
  return valuesFromProto(proto);
}

Result<std::string> encodeSummary(const std::vector<SummaryValue>& values) {
  tensorflow::Summary proto;
  for (const SummaryValue& v : values) WEFT_TRY(valueToProto(v, proto.add_value()));
  return proto.SerializeAsString();
}

Result<std::unique_ptr<EventWriter>> EventWriter::create(const std::string& folder, const Options& options) {
  FileSystem& files = options.files ? *options.files : posixFileSystem();
  const double now = options.now != 0 ? options.now : secondsNow();
  WEFT_TRY(files.makeFolders(folder));
  char host[256] = "";
  if (::gethostname(host, sizeof host - 1) != 0) std::strcpy(host, "localhost");
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%010lld", static_cast<long long>(now));
  const std::string base = joinPath(folder, concat("events.out.tfevents.", seconds, ".", host));
  std::unique_ptr<EventWriter> writer(new EventWriter);
  writer->path_ = base + options.suffix;
  for (int i = 1; files.exists(writer->path_); ++i) writer->path_ = concat(base, ".", i, options.suffix);
  {
    const MutexLock lock(writer->mutex_);
    WEFT_LET(writer->file_, files.create(writer->path_));
  }
  tensorflow::Event first;
  first.set_wall_time(now);
  first.set_file_version("brain.Event:2");
  WEFT_TRY(writer->write(first.SerializeAsString()));
  WEFT_TRY(writer->flush());
  return writer;
}

EventWriter::~EventWriter() { (void)close(); }

Status EventWriter::write(std::string_view record) {
  char header[kRecordHeader], footer[kRecordFooter];
  encodeRecordHeader(record.size(), header);
  const uint32_t crc = recordChecksum(record);
  std::memcpy(footer, &crc, 4);
  const MutexLock lock(mutex_);
  if (!file_) return failedPrecondition("the event file ", path_, " is closed");
  WEFT_TRY(file_->append({header, kRecordHeader}));
  WEFT_TRY(file_->append(record));
  return file_->append({footer, kRecordFooter});
}

Status EventWriter::addScalar(const std::string& tag, float value, int64_t step, double wallTime) {
  tensorflow::Event event = eventAt(step, wallTime);
  auto* v = event.mutable_summary()->add_value();
  v->set_tag(tag);
  v->set_simple_value(value);
  return write(event.SerializeAsString());
}

Status EventWriter::addValues(const std::vector<SummaryValue>& values, int64_t step, double wallTime) {
  WEFT_LET(const std::string summary, encodeSummary(values));
  return addSummary(summary, step, wallTime);
}

Status EventWriter::addSummary(std::string_view summary, int64_t step, double wallTime) {
  tensorflow::Event event = eventAt(step, wallTime);
  WEFT_TRY(parseWire(summary, event.mutable_summary()));
  {
    const MutexLock lock(mutex_);
    for (auto& value : *event.mutable_summary()->mutable_value())
      if (value.has_metadata() && !described_.insert(value.tag()).second) value.clear_metadata();
  }
  return write(event.SerializeAsString());
}

Status EventWriter::addGraph(std::string_view graphDef, int64_t step, double wallTime) {
  tensorflow::Event event = eventAt(step, wallTime);
  event.set_graph_def(graphDef.data(), graphDef.size());
  return write(event.SerializeAsString());
}

Status EventWriter::addMetaGraph(std::string_view metaGraphDef, int64_t step, double wallTime) {
  tensorflow::Event event = eventAt(step, wallTime);
  event.set_meta_graph_def(metaGraphDef.data(), metaGraphDef.size());
  return write(event.SerializeAsString());
}

Status EventWriter::addRunMetadata(std::string_view runMetadata, const std::string& tag, int64_t step, double wallTime) {
  {
    const MutexLock lock(mutex_);
    if (!runs_.insert(tag).second) return alreadyExists("The provided tag was already used for this event type: ", tag);
  }
  tensorflow::Event event = eventAt(step, wallTime);
  event.mutable_tagged_run_metadata()->set_tag(tag);
  event.mutable_tagged_run_metadata()->set_run_metadata(runMetadata.data(), runMetadata.size());
  return write(event.SerializeAsString());
}

Status EventWriter::addSession(Event::Status status, const std::string& checkpointPath, int64_t step, double wallTime) {
  tensorflow::Event event = eventAt(step, wallTime);
  event.mutable_session_log()->set_status(static_cast<tensorflow::SessionLog::SessionStatus>(status));
  event.mutable_session_log()->set_checkpoint_path(checkpointPath);
  return write(event.SerializeAsString());
}

Status EventWriter::addLog(int level, const std::string& message, int64_t step, double wallTime) {
  tensorflow::Event event = eventAt(step, wallTime);
  event.mutable_log_message()->set_level(static_cast<tensorflow::LogMessage::Level>(level));
  event.mutable_log_message()->set_message(message);
  return write(event.SerializeAsString());
}

Status EventWriter::flush() {
  const MutexLock lock(mutex_);
  return file_ ? file_->flush() : Status();
}

Status EventWriter::close() {
  const MutexLock lock(mutex_);
  if (!file_) return {};
  Status status = file_->close();
  file_.reset();
  return status;
}

Result<std::unique_ptr<EventReader>> EventReader::open(const std::string& path, FileSystem* files) {
  auto reader = std::make_unique<EventReader>();
  reader->path_ = path;
  WEFT_LET(reader->file_, (files ? *files : posixFileSystem()).openForReading(path));
  return reader;
}

Result<bool> EventReader::nextRecord(std::string* record) {
  // Makes [offset_, offset_ + bytes) available in buffer_, or returns false if the file is too short.
  const auto have = [&](uint64_t bytes) -> Result<bool> {
    if (offset_ + bytes <= bufferAt_ + buffer_.size()) return true;
    buffer_.erase(0, size_t(offset_ - bufferAt_));
    bufferAt_ = offset_;
    // Trust the record's claimed length only up to the end of the file.
    WEFT_LET(const uint64_t size, file_->size());
    if (size < offset_ || bytes > size - offset_) return false;
    const size_t before = buffer_.size();
    const uint64_t want = std::min<uint64_t>(std::max<uint64_t>(bytes, 1 << 18), size - offset_);
    buffer_.resize(size_t(want));
    WEFT_LET(const size_t got, file_->read(bufferAt_ + before, buffer_.data() + before, buffer_.size() - before));
    buffer_.resize(before + got);
    return buffer_.size() >= bytes;
  };
  cut_ = false;
  WEFT_LET(const bool header, have(kRecordHeader));
  if (!header) return false;
  uint64_t length;
  if (!decodeRecordHeader(buffer_.data() + (offset_ - bufferAt_), &length))
    return dataLoss("corrupted record at ", offset_).ofKind("bad_checksum").inFile(path_);
  if (length > UINT64_MAX - 64 - offset_) {
    cut_ = true;
    return false;
  }
  WEFT_LET(const bool all, have(kRecordHeader + length + kRecordFooter));
  if (!all) {
    cut_ = true;
    return false;
  }
  const char* payload = buffer_.data() + (offset_ - bufferAt_) + kRecordHeader;
  if (fixed32At(payload + length) != recordChecksum({payload, size_t(length)}))
    return dataLoss("corrupted record at ", offset_).ofKind("bad_checksum").inFile(path_);
  record->assign(payload, size_t(length));
  offset_ += kRecordHeader + length + kRecordFooter;
  return true;
}

Result<bool> EventReader::next(Event* event) {
  std::string record;
  const uint64_t before = offset_;
  WEFT_LET(const bool got, nextRecord(&record));
  if (!got) return false;
  auto decoded = decodeEvent(record);
  if (!decoded.ok()) {
    offset_ = before;
    return decoded.error().inFile(path_);
  }
  *event = std::move(*decoded);
  return true;
}

}  // namespace weft
