#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rpc/bytes.h"
#include "weft/error.h"

struct nghttp2_session;

namespace weft::rpc {

/// What happened to a stream of a connection.
struct StreamEvent {
  enum class Kind : uint8_t {
    Request,   ///< Of a server: a whole request. `path`, `message`, `timeoutMicros`.
    Response,  ///< Of a client: a whole response, or an error status. `code`, `text`, `message`.
    GivenUp,   ///< Of a server: the client wants no answer any more.
    NotTaken,  ///< Of a client: the server did not begin with the request; it may be repeated.
  };
  Kind kind = Kind::Request;
  int32_t stream = 0;
  std::string path;
  Bytes message;
  int64_t timeoutMicros = 0;  ///< 0: none.
  int code = 0;               ///< gRPC's status.
  std::string text;
};

/// gRPC's protocol over HTTP/2, without a socket: bytes go in, bytes and events come out. nghttp2 does HTTP/2. Unary calls of identity encoding. Not thread-safe.
class Http2Session {
 public:
  enum class Side : uint8_t { Client, Server };
  explicit Http2Session(Side side);
  ~Http2Session();
  Http2Session(const Http2Session&) = delete;
  Http2Session& operator=(const Http2Session&) = delete;

  /// Client: sends a request. The number of its stream; negative if the connection takes no more.
  int32_t request(const std::string& authority, const std::string& path, Bytes message, int64_t timeoutMs, AlignedPart part);
  /// Server: the answer to a request, or its failure. No effect if the stream has ended.
  void respond(int32_t stream, Bytes message);
  void fail(int32_t stream, int code, const std::string& text);
  /// Ends a stream early.
  void giveUp(int32_t stream);

  /// Where the next received bytes should be read to, if they are of a large message; else null. `owner` keeps the memory.
  struct Target {
    char* data = nullptr;
    size_t size = 0;
    std::shared_ptr<const void> owner;
  };
  Target target() const;
  /// Takes received bytes. An error means that the other side does not speak the protocol: the connection must be closed.
  Status receive(const char* data, size_t size);
  /// What happened since the last call.
  std::vector<StreamEvent> takeEvents() { return std::exchange(events_, {}); }

  /// The bytes to send, as up to `most` parts of memory that stay until sent() is called. 0: none at present.
  size_t toSend(iovec* parts, size_t most);
  void sent(size_t bytes);
  bool hasToSend() const { return !queue_.empty(); }
  /// Memory was short: the connection must be closed.
  bool isBroken() const { return broken_; }
  /// Whether a client may begin another stream.
  bool takesRequests() const;

 private:
  struct Stream;
  struct Callbacks;
  friend struct Callbacks;

  Stream* find(int32_t id);
  void queueBytes(const char* data, size_t size);
  /// Bytes of a DATA frame. False if memory is short or the message is none.
  void takeData(Stream& stream, const char* data, size_t size);
  bool beginMessage(Stream& stream, std::string_view beginning);
  void end(Stream& stream, uint32_t http2Code);
  void submit(Stream& stream);
  void failStream(Stream& stream, int code, std::string text);
  /// Lets nghttp2 write what it has into the queue.
  void collect();

  struct Part {
    std::string bytes;
    Bytes::Piece piece;  ///< Instead of `bytes`, if it has data.
  };

  const Side side_;
  nghttp2_session* session_ = nullptr;
  std::map<int32_t, std::unique_ptr<Stream>> streams_;
  std::vector<StreamEvent> events_;
  std::deque<Part> queue_;
  size_t queueOffset_ = 0;  ///< Bytes of the first part that were sent.
  bool broken_ = false;     ///< nghttp2 could not go on.
  int32_t frameStream_ = 0;
  size_t frameLeft_ = 0;  ///< Bytes of the DATA frame that is being received.
};

}  // namespace weft::rpc
