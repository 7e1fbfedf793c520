#include "rpc/http2_session.h"

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "rpc/grpc_text.h"
#include "weft/tensor.h"

namespace weft::rpc {
namespace {

constexpr int32_t kWholeWindow = INT32_MAX;     // nothing waits for permission to send: messages are bounded by gRPC's limit, steps by the plan
constexpr uint32_t kMostFrame = (1 << 24) - 1;  // HTTP/2's limit
constexpr size_t kPrefix = 5;                   // of a gRPC message: whether it is compressed, and its length
constexpr size_t kReference = 4096;             // from this size on, bytes are sent from where they lie
constexpr size_t kAlignment = 64;               // of tensors
constexpr size_t kHead = 512;                   // bytes of a message that say where its aligned part is
constexpr size_t kMostQueuedSmall = 64 << 10;
constexpr int kUnimplemented = 12, kInternal = 13, kUnavailable = 14, kCancelled = 1, kUnknown = 2, kExhausted = 8;

uint32_t messageLength(const char* prefix) {
  const auto byte = [&](int i) { return uint32_t(uint8_t(prefix[i])); };
  return byte(1) << 24 | byte(2) << 16 | byte(3) << 8 | byte(4);
}

nghttp2_nv field(std::string_view name, std::string_view value) {
  return {reinterpret_cast<uint8_t*>(const_cast<char*>(name.data())), reinterpret_cast<uint8_t*>(const_cast<char*>(value.data())), name.size(), value.size(),
          NGHTTP2_NV_FLAG_NONE};
}

}  // namespace

struct Http2Session::Stream {
  int32_t id = 0;
  // What comes in.
  std::string path, status, message, contentType, timeout, httpStatus, encoding;
  char prefix[kPrefix] = {};
  size_t prefixHas = 0;
  std::string head;                ///< The beginning of a message whose place depends on it.
  std::shared_ptr<Tensor> memory;  ///< Of the message, from the engine's allocator, which keeps large blocks for the next one.
  char* begin = nullptr;
  size_t length = 0, has = 0;
  bool begun = false, done = false;  ///< The message; the stream, as far as the caller is concerned.
  std::string problem;               ///< Why the message cannot be read.
  int problemCode = kInternal;
  AlignedPart part = nullptr;
  // What goes out.
  Bytes out;
  char outPrefix[kPrefix] = {};
  size_t outOffset = 0;  ///< Bytes sent, prefix included.
  bool answered = false;

  bool complete() const { return begun && has == length; }
};

/// nghttp2's callbacks.
struct Http2Session::Callbacks {
  static Http2Session& self(void* user) { return *static_cast<Http2Session*>(user); }

  static ssize_t send(nghttp2_session*, const uint8_t* data, size_t length, int, void* user) {
    self(user).queueBytes(reinterpret_cast<const char*>(data), length);
    return ssize_t(length);
  }

  static int sendData(nghttp2_session*, nghttp2_frame* frame, const uint8_t* header, size_t length, nghttp2_data_source*, void* user) {
    Http2Session& s = self(user);
    if (frame->data.padlen > 0) return NGHTTP2_ERR_CALLBACK_FAILURE;  // not asked for
    Stream* stream = s.find(frame->hd.stream_id);
    if (!stream) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    s.queueBytes(reinterpret_cast<const char*>(header), 9);
    size_t at = stream->outOffset;
    stream->outOffset += length;
    if (at < kPrefix) {
      const size_t n = std::min(kPrefix - at, length);
      s.queueBytes(stream->outPrefix + at, n);
      at += n;
      length -= n;
    }
    at -= kPrefix;
    for (const Bytes::Piece& piece : stream->out.pieces()) {
      if (length == 0) break;
      if (at >= piece.size) {
        at -= piece.size;
        continue;
      }
      const size_t n = std::min(piece.size - at, length);
      if (n < kReference) s.queueBytes(piece.data + at, n);
      else s.queue_.push_back({{}, {piece.data + at, n, piece.owner}});
      length -= n;
      at = 0;
    }
    return 0;
  }

  static ssize_t readLength(nghttp2_session*, uint8_t, int32_t, int32_t sessionWindow, int32_t streamWindow, uint32_t mostFrame, void*) {
    return std::min<ssize_t>({sessionWindow, streamWindow, ssize_t(mostFrame)});
  }

  static ssize_t read(nghttp2_session* session, int32_t id, uint8_t*, size_t length, uint32_t* flags, nghttp2_data_source*, void* user) {
    Http2Session& s = self(user);
    Stream* stream = s.find(id);
    if (!stream) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    const size_t left = kPrefix + stream->out.size() - stream->outOffset;
    *flags |= NGHTTP2_DATA_FLAG_NO_COPY;
    if (left > length) return ssize_t(length);
    *flags |= NGHTTP2_DATA_FLAG_EOF;
    if (s.side_ == Side::Server) {
      *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
      const nghttp2_nv trailer = field("grpc-status", "0");
      if (nghttp2_submit_trailer(session, id, &trailer, 1) != 0) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    }
    return ssize_t(left);
  }

  static int beginHeaders(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    Http2Session& s = self(user);
    if (frame->hd.type != NGHTTP2_HEADERS || s.side_ != Side::Server || s.find(frame->hd.stream_id)) return 0;
    auto stream = std::make_unique<Stream>();
    stream->id = frame->hd.stream_id;
    s.streams_[stream->id] = std::move(stream);
    return 0;
  }

  static int header(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name, size_t nameSize, const uint8_t* value, size_t valueSize, uint8_t,
                    void* user) {
    Stream* stream = self(user).find(frame->hd.stream_id);
    if (!stream) return 0;
    const std::string_view key(reinterpret_cast<const char*>(name), nameSize), text(reinterpret_cast<const char*>(value), valueSize);
    if (key == ":path") stream->path = text;
    else if (key == ":status") stream->httpStatus = text;
    else if (key == "grpc-status") stream->status = text;
    else if (key == "grpc-message") stream->message = text;
    else if (key == "grpc-timeout") stream->timeout = text;
    else if (key == "grpc-encoding") stream->encoding = text;
    else if (key == "content-type") stream->contentType = text;
    return 0;
  }

  static int beginFrame(nghttp2_session*, const nghttp2_frame_hd* header, void* user) {
    Http2Session& s = self(user);
    const bool plain = header->type == NGHTTP2_DATA && !(header->flags & NGHTTP2_FLAG_PADDED);
    s.frameStream_ = header->stream_id;
    s.frameLeft_ = plain ? header->length : 0;
    return 0;
  }

  static int data(nghttp2_session*, uint8_t, int32_t id, const uint8_t* data, size_t length, void* user) {
    Http2Session& s = self(user);
    s.frameLeft_ -= std::min(s.frameLeft_, length);
    if (Stream* stream = s.find(id)) s.takeData(*stream, reinterpret_cast<const char*>(data), length);
    return 0;
  }

  static int frame(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    Http2Session& s = self(user);
    if (s.side_ != Side::Server || !(frame->hd.flags & NGHTTP2_FLAG_END_STREAM)) return 0;
    if (frame->hd.type != NGHTTP2_DATA && frame->hd.type != NGHTTP2_HEADERS) return 0;
    Stream* stream = s.find(frame->hd.stream_id);
    if (!stream || stream->done) return 0;
    stream->done = true;
    if (!stream->contentType.starts_with("application/grpc")) s.fail(stream->id, kInternal, "the request is not of gRPC");
    else if (!stream->problem.empty()) s.fail(stream->id, stream->problemCode, stream->problem);
    else if (!stream->complete()) s.fail(stream->id, kInternal, "the request has no whole message");
    else {
      StreamEvent event;
      event.kind = StreamEvent::Kind::Request;
      event.stream = stream->id;
      event.path = std::move(stream->path);
      event.message.append({stream->begin, stream->length, std::move(stream->memory)});
      event.timeoutMicros = timeoutMicros(stream->timeout);
      s.events_.push_back(std::move(event));
    }
    return 0;
  }

  static int close(nghttp2_session*, int32_t id, uint32_t code, void* user) {
    Http2Session& s = self(user);
    const auto it = s.streams_.find(id);
    if (it == s.streams_.end()) return 0;
    const auto stream = std::move(it->second);
    s.streams_.erase(it);
    s.end(*stream, code);
    return 0;
  }
};

Http2Session::Http2Session(Side side) : side_(side) {
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_option* option = nullptr;
  if (nghttp2_session_callbacks_new(&callbacks) != 0 || nghttp2_option_new(&option) != 0) throw std::bad_alloc();
  nghttp2_session_callbacks_set_send_callback(callbacks, Callbacks::send);
  nghttp2_session_callbacks_set_send_data_callback(callbacks, Callbacks::sendData);
  nghttp2_session_callbacks_set_data_source_read_length_callback(callbacks, Callbacks::readLength);
  nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, Callbacks::beginHeaders);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, Callbacks::header);
  nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks, Callbacks::beginFrame);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, Callbacks::data);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, Callbacks::frame);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, Callbacks::close);
  nghttp2_option_set_no_closed_streams(option, 1);
  nghttp2_option_set_stream_reset_rate_limit(option, 100000, 10000);  // a master that ends a step cancels all of its calls at once
  const int made =
      side_ == Side::Client ? nghttp2_session_client_new2(&session_, callbacks, this, option) : nghttp2_session_server_new2(&session_, callbacks, this, option);
  nghttp2_session_callbacks_del(callbacks);
  nghttp2_option_del(option);
  if (made != 0) throw std::bad_alloc();
  const nghttp2_settings_entry settings[] = {
      {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, uint32_t(kWholeWindow)},
      {NGHTTP2_SETTINGS_MAX_FRAME_SIZE, kMostFrame},
      {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, uint32_t(INT32_MAX)},
      {NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
  };
  nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings, side_ == Side::Client ? 4 : 3);
  nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0, kWholeWindow);
}

Http2Session::~Http2Session() { nghttp2_session_del(session_); }

Http2Session::Stream* Http2Session::find(int32_t id) {
  const auto it = streams_.find(id);
  return it == streams_.end() ? nullptr : it->second.get();
}

void Http2Session::submit(Stream& stream) {
  const uint32_t length = uint32_t(stream.out.size());
  for (int i = 0; i < 4; ++i) stream.outPrefix[1 + i] = char(length >> (24 - 8 * i));
}

int32_t Http2Session::request(const std::string& authority, const std::string& path, Bytes message, int64_t timeoutMs, AlignedPart part) {
  if (!takesRequests()) return -1;
  auto stream = std::make_unique<Stream>();
  stream->out = std::move(message);
  stream->part = part;
  submit(*stream);
  const std::string timeout = timeoutMs > 0 ? timeoutText(timeoutMs) : std::string();
  nghttp2_nv headers[8] = {field(":method", "POST"),        field(":scheme", "http"), field(":path", path),
                           field(":authority", authority),  field("te", "trailers"),  field("content-type", "application/grpc"),
                           field("user-agent", "grpc-weft")};
  size_t count = 7;
  if (!timeout.empty()) headers[count++] = field("grpc-timeout", timeout);
  nghttp2_data_provider provider{{}, Callbacks::read};
  stream->id = nghttp2_submit_request(session_, nullptr, headers, count, &provider, nullptr);
  const int32_t id = stream->id;
  if (id > 0) streams_[id] = std::move(stream);
  return id;
}

void Http2Session::respond(int32_t id, Bytes message) {
  Stream* stream = find(id);
  if (!stream || stream->answered) return;
  if (message.size() > size_t(INT32_MAX)) return fail(id, kExhausted, concat("the answer has ", message.size(), " bytes; a message holds at most ", INT32_MAX));
  stream->answered = true;
  stream->out = std::move(message);
  submit(*stream);
  const nghttp2_nv headers[] = {field(":status", "200"), field("content-type", "application/grpc")};
  nghttp2_data_provider provider{{}, Callbacks::read};
  nghttp2_submit_response(session_, id, headers, 2, &provider);
}

void Http2Session::fail(int32_t id, int code, const std::string& text) {
  Stream* stream = find(id);
  if (!stream || stream->answered) return;
  stream->answered = true;
  constexpr size_t kMost = 6000;  // a status travels in a header, which gRPC limits to 8 KB
  const std::string number = std::to_string(code), message = percentEncoded(text.size() > kMost ? text.substr(0, kMost) + "..." : text);
  const nghttp2_nv headers[] = {field(":status", "200"), field("content-type", "application/grpc"), field("grpc-status", number),
                                field("grpc-message", message)};
  nghttp2_submit_response(session_, id, headers, 4, nullptr);
}

void Http2Session::giveUp(int32_t id) {
  if (Stream* stream = find(id)) {
    stream->done = stream->answered = true;
    nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
  }
}

bool Http2Session::beginMessage(Stream& stream, std::string_view beginning) {
  stream.begun = true;
  const uint32_t length = messageLength(stream.prefix);
  if (stream.prefix[0] != 0) {
    stream.problem = concat("the message is compressed", stream.encoding.empty() ? "" : " by ", stream.encoding, ", which this program does not read");
    stream.problemCode = kUnimplemented;
    return false;
  }
  if (length > uint32_t(INT32_MAX)) {
    stream.problem = concat("a message of ", length, " bytes arrived; one holds at most ", INT32_MAX);
    stream.problemCode = kExhausted;
    return false;
  }
  auto memory = Tensor::allocate(DType::UInt8, Shape{int64_t(length) + int64_t(kAlignment)});
  if (!memory.ok()) {
    stream.problem = memory.error().message;
    stream.problemCode = kExhausted;
    return false;
  }
  stream.memory = std::make_shared<Tensor>(std::move(*memory));
  stream.length = length;
  const size_t aligned = stream.part && length >= kReference ? stream.part(beginning) : 0;
  stream.begin = static_cast<char*>(stream.memory->mutableRaw()) + (kAlignment - aligned % kAlignment) % kAlignment;
  return true;
}

void Http2Session::takeData(Stream& stream, const char* data, size_t size) {
  if (stream.done && side_ == Side::Client) return;
  if (!stream.begun) {
    const size_t n = std::min(kPrefix - stream.prefixHas, size);
    std::memcpy(stream.prefix + stream.prefixHas, data, n);
    stream.prefixHas += n;
    data += n;
    size -= n;
    if (stream.prefixHas < kPrefix) return;
    if (stream.part && messageLength(stream.prefix) >= kReference && stream.head.size() + size < kHead) {
      stream.head.append(data, size);
      return;
    }
    const std::string head = std::exchange(stream.head, {});
    const std::string beginning = stream.part ? head + std::string(data, std::min(size, kHead)) : std::string();
    if (!beginMessage(stream, beginning)) return;
    if (!head.empty()) takeData(stream, head.data(), head.size());
  }
  if (!stream.problem.empty()) return;
  if (size > stream.length - stream.has) {
    stream.problem = "more than one message arrived";
    return;
  }
  if (data != stream.begin + stream.has && size > 0) std::memcpy(stream.begin + stream.has, data, size);
  stream.has += size;
}

Http2Session::Target Http2Session::target() const {
  if (frameLeft_ < kReference) return {};
  const auto it = streams_.find(frameStream_);
  if (it == streams_.end()) return {};
  const Stream& s = *it->second;
  if (!s.begun || !s.problem.empty() || s.length - s.has < frameLeft_ || !s.memory) return {};
  return {s.begin + s.has, frameLeft_, s.memory};
}

void Http2Session::end(Stream& stream, uint32_t code) {
  StreamEvent event;
  event.stream = stream.id;
  if (side_ == Side::Server) {
    event.kind = StreamEvent::Kind::GivenUp;
    if (!stream.answered) events_.push_back(std::move(event));
    return;
  }
  if (stream.done) return;
  event.kind = StreamEvent::Kind::Response;
  int status = -1;
  std::from_chars(stream.status.data(), stream.status.data() + stream.status.size(), status);
  if (code == NGHTTP2_REFUSED_STREAM) {
    event.kind = StreamEvent::Kind::NotTaken;
  } else if (status > 0) {
    event.code = status;
    event.text = percentDecoded(stream.message);
  } else if (!stream.problem.empty()) {
    event.code = stream.problemCode;
    event.text = stream.problem;
  } else if (status == 0 && stream.complete()) {
    event.message.append({stream.begin, stream.length, std::move(stream.memory)});
  } else if (code == NGHTTP2_CANCEL) {
    event.code = kCancelled;
    event.text = "the server ended the call";
  } else if (!stream.httpStatus.empty() && stream.httpStatus != "200") {
    event.code = stream.httpStatus == "404" ? kUnimplemented : stream.httpStatus == "503" ? kUnavailable : kUnknown;
    event.text = concat("the server answered with HTTP status ", stream.httpStatus);
  } else {
    event.code = kInternal;
    event.text = concat("the answer ended early (HTTP/2 code ", code, ")");
  }
  events_.push_back(std::move(event));
}

Status Http2Session::receive(const char* data, size_t size) {
  if (broken_) return resourceExhausted("memory is short for a connection");
  const ssize_t taken = nghttp2_session_mem_recv(session_, reinterpret_cast<const uint8_t*>(data), size);
  if (taken == ssize_t(size)) return {};
  return internalError("the other side does not speak HTTP/2: ", taken < 0 ? nghttp2_strerror(int(taken)) : "bytes were left over");
}

void Http2Session::queueBytes(const char* data, size_t size) {
  if (queue_.empty() || queue_.back().piece.data || queue_.back().bytes.size() > kMostQueuedSmall) queue_.emplace_back();
  queue_.back().bytes.append(data, size);
}

void Http2Session::collect() { broken_ = broken_ || nghttp2_session_send(session_) != 0; }

size_t Http2Session::toSend(iovec* parts, size_t most) {
  collect();
  size_t count = 0, offset = queueOffset_;
  for (const Part& part : queue_) {
    if (count == most) break;
    const char* data = part.piece.data ? part.piece.data : part.bytes.data();
    const size_t size = part.piece.data ? part.piece.size : part.bytes.size();
    parts[count++] = {const_cast<char*>(data) + offset, size - offset};
    offset = 0;
  }
  return count;
}

void Http2Session::sent(size_t bytes) {
  while (bytes > 0 && !queue_.empty()) {
    const Part& part = queue_.front();
    const size_t left = (part.piece.data ? part.piece.size : part.bytes.size()) - queueOffset_;
    if (bytes < left) {
      queueOffset_ += bytes;
      return;
    }
    bytes -= left;
    queueOffset_ = 0;
    queue_.pop_front();
  }
}

bool Http2Session::takesRequests() const { return !broken_ && nghttp2_session_check_request_allowed(session_) != 0; }

}  // namespace weft::rpc
