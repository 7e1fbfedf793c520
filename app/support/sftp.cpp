#include "support/sftp.h"

#include <algorithm>
#include <deque>
#include <utility>

namespace weft {
namespace {

// Packet types, status codes and flags of the protocol.
constexpr uint8_t kInit = 1, kVersionPacket = 2, kOpen = 3, kClose = 4, kRead = 5, kOpenDir = 11, kReadDir = 12, kRealPath = 16, kStat = 17;
constexpr uint8_t kStatus = 101, kHandle = 102, kData = 103, kName = 104, kAttributes = 105;
constexpr uint32_t kNoSuchFile = 2, kEndOfFile = 1, kDenied = 3;
constexpr uint32_t kHasSize = 1, kHasOwner = 2, kHasMode = 4, kHasTimes = 8, kHasMore = 0x80000000u;
constexpr uint32_t kModeKind = 0170000, kModeFile = 0100000, kModeFolder = 0040000, kModeLink = 0120000;

constexpr uint32_t kSpoken = 3;
constexpr uint32_t kMostPacket = 256 * 1024;  // OpenSSH's own limit
constexpr uint32_t kPiece = 32 * 1024;        // every server returns as much in one answer
constexpr size_t kMostOpen = 32;              // requests on their way: a megabyte of data, and less than a pipe's buffer of requests
constexpr size_t kMostEntries = 1000000;      // of one folder

void sftpPut32(std::string& out, uint32_t v) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(char(v >> shift));
}
void sftpPut64(std::string& out, uint64_t v) {
  sftpPut32(out, uint32_t(v >> 32));
  sftpPut32(out, uint32_t(v));
}
void sftpPutText(std::string& out, std::string_view text) {
  sftpPut32(out, uint32_t(text.size()));
  out += text;
}

/// Reads fields of an answer. After a field that is not there, ok() is false and all fields are 0 or empty.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : bytes_(bytes) {}
  bool ok() const { return ok_; }
  uint32_t u32() {
    const std::string_view b = take(4);
    uint32_t v = 0;
    for (const char c : b) v = v << 8 | uint8_t(c);
    return v;
  }
  uint64_t u64() {
    const uint64_t high = u32();
    return high << 32 | u32();
  }
  std::string_view text() { return take(u32()); }
  RemoteEntry attributes() {
    RemoteEntry entry;
    const uint32_t flags = u32();
    if (flags & kHasSize) entry.bytes = u64();
    if (flags & kHasOwner) take(8);
    if (flags & kHasMode) {
      const uint32_t kind = u32() & kModeKind;
      entry.kind = kind == kModeFile     ? RemoteEntry::Kind::File
                   : kind == kModeFolder ? RemoteEntry::Kind::Folder
                   : kind == kModeLink   ? RemoteEntry::Kind::Link
                                         : RemoteEntry::Kind::Other;
    }
    if (flags & kHasTimes) {
      take(4);
      entry.modified = u32();
    }
    if (flags & kHasMore) {
      for (uint32_t left = u32(); left > 0 && ok_; --left) {
        text();
        text();
      }
    }
    return entry;
  }

 private:
  std::string_view take(size_t bytes) {
    if (!ok_ || bytes > bytes_.size()) {
      ok_ = false;
      return {};
    }
    const std::string_view taken = bytes_.substr(0, bytes);
    bytes_.remove_prefix(bytes);
    return taken;
  }
  std::string_view bytes_;
  bool ok_ = true;
};

Error connectionLost() { return unavailable("the connection was lost"); }
Error notSftp(std::string_view what) { return dataLoss("the answer is not SFTP: " + std::string(what)); }

/// The error of a status answer; `path` for the message.
Error errorOf(std::string_view body, const std::string& path) {
  Fields fields(body);
  const uint32_t code = fields.u32();
  std::string words(fields.text());
  if (code == kNoSuchFile) return notFound(path + " does not exist");
  if (code == kDenied) return permissionDenied(path + ": permission denied");
  return failedPrecondition(path + ": " + (words.empty() ? "error " + std::to_string(code) : words));
}

bool isName(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos && name.find('\0') == std::string_view::npos;
}

}  // namespace

Status Sftp::lost(Status status) {
  if (failure_.ok()) failure_ = status;
  return status;
}

Status Sftp::receive(char* into, size_t bytes) {
  while (bytes > 0) {
    const size_t got = channel_.receive(into, bytes);
    if (got == 0) return lost(connectionLost());
    into += got;
    bytes -= got;
  }
  return {};
}

Status Sftp::request(uint8_t type, const std::string& body, uint32_t* id) {
  if (!failure_.ok()) return failure_;
  *id = nextId_++;
  std::string packet;
  sftpPut32(packet, uint32_t(body.size() + 5));
  packet.push_back(char(type));
  sftpPut32(packet, *id);
  packet += body;
  if (!channel_.send(packet)) return lost(connectionLost());
  return {};
}

Result<Sftp::Answer> Sftp::answer() {
  if (!failure_.ok()) return failure_;
  char head[9];
  if (Status s = receive(head, 9); !s.ok()) return s;
  Fields fields({head, 4});
  const uint32_t bytes = fields.u32();
  if (bytes < 5 || bytes > kMostPacket) return lost(notSftp("a packet of " + std::to_string(bytes) + " bytes"));
  Answer answer;
  answer.type = uint8_t(head[4]);
  answer.id = Fields({head + 5, 4}).u32();
  answer.body.resize(bytes - 5);
  if (Status s = receive(answer.body.data(), answer.body.size()); !s.ok()) return s;
  return answer;
}

Result<Sftp::Answer> Sftp::answerTo(uint32_t id) {
  while (true) {
    Result<Answer> got = answer();
    if (!got.ok() || got->id == id) return got;
    // OpenSSH answers in the order of the requests; the protocol allows another order only for requests that do not touch each other.
    if (unawaited_.erase(got->id) == 0) return lost(notSftp("an answer to request " + std::to_string(got->id) + " instead of " + std::to_string(id)));
  }
}

Status Sftp::start() {
  std::string packet;
  sftpPut32(packet, 5);
  packet.push_back(char(kInit));
  sftpPut32(packet, kSpoken);
  if (!channel_.send(packet)) return lost(connectionLost());
  const Result<Answer> got = answer();  // its number stands where answers have the request's
  if (!got.ok()) return got.status();
  if (got->type != kVersionPacket || got->id < kSpoken) return lost(notSftp("expected version 3"));
  return {};
}

Result<std::string> Sftp::realPath(const std::string& path) {
  uint32_t id = 0;
  std::string body;
  sftpPutText(body, path.empty() ? "." : path);
  if (Status s = request(kRealPath, body, &id); !s.ok()) return s;
  const Result<Answer> got = answerTo(id);
  if (!got.ok()) return got.error();
  if (got->type == kStatus) return errorOf(got->body, path);
  Fields fields(got->body);
  fields.u32();
  const std::string real(fields.text());
  if (got->type != kName || !fields.ok()) return lost(notSftp("a path was expected"));
  return real;
}

Result<std::vector<RemoteEntry>> Sftp::list(const std::string& folder) {
  uint32_t id = 0;
  std::string body;
  sftpPutText(body, folder.empty() ? "." : folder);
  if (Status s = request(kOpenDir, body, &id); !s.ok()) return s;
  Result<Answer> got = answerTo(id);
  if (!got.ok()) return got.error();
  if (got->type == kStatus) return errorOf(got->body, folder);
  Fields opened(got->body);
  const std::string handle(opened.text());
  if (got->type != kHandle || !opened.ok()) return lost(notSftp("a handle was expected"));
  std::vector<RemoteEntry> entries;
  body.clear();
  sftpPutText(body, handle);
  // Two requests are always on their way: the second usually returns the end of the list at once.
  std::deque<uint32_t> open;
  bool more = true;
  Status failed;
  while (true) {
    while (more && open.size() < 2) {
      if (Status s = request(kReadDir, body, &id); !s.ok()) return s;
      open.push_back(id);
    }
    if (open.empty()) break;
    got = answerTo(open.front());
    open.pop_front();
    if (!got.ok()) return got.error();
    if (got->type == kStatus) {
      if (more && Fields(got->body).u32() != kEndOfFile) failed = errorOf(got->body, folder);
      more = false;
      continue;
    }
    Fields fields(got->body);
    uint32_t count = fields.u32();
    for (; count > 0 && fields.ok(); --count) {
      const std::string name(fields.text());
      fields.text();  // the line of `ls -l`
      RemoteEntry entry = fields.attributes();
      entry.name = name;
      if (fields.ok() && isName(name) && entries.size() < kMostEntries) entries.push_back(std::move(entry));
    }
    if (got->type != kName || !fields.ok()) return lost(notSftp("a list of files was expected"));
  }
  close(handle);
  if (!failed.ok()) return failed;
  return entries;
}

Result<RemoteEntry> Sftp::stat(const std::string& path) { return std::move(stat(std::vector<std::string>{path}).front()); }

std::vector<Result<RemoteEntry>> Sftp::stat(const std::vector<std::string>& paths) {
  std::vector<Result<RemoteEntry>> found;
  found.reserve(paths.size());
  std::deque<uint32_t> open;
  size_t sent = 0;
  while (found.size() < paths.size()) {
    Status failed = failure_;
    for (; failed.ok() && sent < paths.size() && open.size() < kMostOpen; ++sent) {
      std::string body;
      sftpPutText(body, paths[sent]);
      uint32_t id = 0;
      failed = request(kStat, body, &id);
      open.push_back(id);
    }
    if (!failed.ok()) {
      found.emplace_back(failed);
      continue;
    }
    const std::string& path = paths[found.size()];
    const Result<Answer> got = answerTo(open.front());
    open.pop_front();
    if (!got.ok()) {
      found.emplace_back(got.error());
    } else if (got->type == kStatus) {
      found.emplace_back(errorOf(got->body, path));
    } else {
      Fields fields(got->body);
      RemoteEntry entry = fields.attributes();
      if (got->type == kAttributes && fields.ok()) found.emplace_back(std::move(entry));
      else found.emplace_back(lost(notSftp("attributes were expected")));
    }
  }
  return found;
}

Result<std::string> Sftp::open(const std::string& path) {
  uint32_t id = 0;
  std::string body;
  sftpPutText(body, path);
  sftpPut32(body, 1);  // for reading
  sftpPut32(body, 0);  // no attributes
  if (Status s = request(kOpen, body, &id); !s.ok()) return s;
  const Result<Answer> got = answerTo(id);
  if (!got.ok()) return got.error();
  if (got->type == kStatus) return errorOf(got->body, path);
  Fields fields(got->body);
  const std::string handle(fields.text());
  if (got->type != kHandle || !fields.ok()) return lost(notSftp("a handle was expected"));
  return handle;
}

void Sftp::close(const std::string& handle) {
  uint32_t id = 0;
  std::string body;
  sftpPutText(body, handle);
  if (request(kClose, body, &id).ok()) unawaited_.insert(id);
}

Status Sftp::read(const std::string& handle, uint64_t offset, uint64_t bytes, const std::function<bool(std::string_view)>& sink) {
  struct Piece {
    uint32_t id;
    uint32_t bytes;
  };
  std::deque<Piece> open;
  uint64_t asked = offset;
  const uint64_t end = offset + bytes;
  const auto drop = [&] {
    for (const Piece& piece : open) unawaited_.insert(piece.id);
    open.clear();
  };
  while (offset < end) {
    while (asked < end && open.size() < kMostOpen) {
      std::string body;
      sftpPutText(body, handle);
      sftpPut64(body, asked);
      Piece piece{0, uint32_t(std::min<uint64_t>(kPiece, end - asked))};
      sftpPut32(body, piece.bytes);
      if (Status s = request(kRead, body, &piece.id); !s.ok()) return s;
      asked += piece.bytes;
      open.push_back(piece);
    }
    const Piece piece = open.front();
    const Result<Answer> got = answerTo(piece.id);
    if (!got.ok()) return got.status();
    open.pop_front();
    if (got->type == kStatus) {
      drop();
      if (Fields(got->body).u32() == kEndOfFile) return {};
      return errorOf(got->body, "reading");
    }
    Fields fields(got->body);
    const std::string_view data = fields.text();
    if (got->type != kData || !fields.ok() || data.empty() || data.size() > piece.bytes) return lost(notSftp("data were expected"));
    offset += data.size();
    if (!sink(data)) {
      drop();
      return cancelledError("reading was stopped");
    }
    if (data.size() < piece.bytes) {  // the file ends here, or the server returns less at once: asked again from here on
      drop();
      asked = offset;
    }
  }
  return {};
}

}  // namespace weft
