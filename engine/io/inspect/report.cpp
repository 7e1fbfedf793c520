#include "io/inspect/report.h"

#include <algorithm>

#include "weft/records.h"

namespace weft::inspect {
namespace {

constexpr uint64_t kMaxWhole = uint64_t(4) << 30;
constexpr size_t kFirstBytes = 8192, kInflatedBytes = 4096;

}  // namespace

Report::Report(FileSystem& fileSystem, std::string where) : files(fileSystem), path(std::move(where)), name(fileNameOf(path)) {
  const auto info = files.stat(path);
  if (!info.ok()) {
    if (info.error().code != Code::NotFound) unreadable = info.error();
    return;
  }
  place = info->isFolder ? Place::Folder : Place::File;
  size = info->bytes;
  // A pipe would be waited for.
  if (info->isDevice) unreadable = bad("unsupported", "neither a file nor a folder: a device, pipe or socket");
}

std::string_view Report::head() {
  if (head_) return *head_;
  head_.emplace();
  if (!isFile() || !unreadable.ok()) return *head_;
  auto file = files.openForReading(path);
  head_->resize(size_t(std::min<uint64_t>(size, std::max<uint64_t>(kFirstBytes, glance))));
  const auto got = file.ok() ? (*file)->read(0, head_->data(), head_->size()) : Result<size_t>(file.error());
  head_->resize(got.ok() ? *got : 0);
  if (!got.ok()) unreadable = got.error();
  return *head_;
}

std::string_view Report::bytes() {
  if (glance) return head();
  return *whole();
}

std::shared_ptr<const std::string> Report::whole() {
  if (bytes_) return bytes_;
  std::string read;
  if (isFile() && unreadable.ok()) {
    auto all = files.readAll(path, kMaxWhole);
    if (all.ok()) read = std::move(*all);
    else unreadable = all.error();
  }
  return bytes_ = std::make_shared<const std::string>(std::move(read));
}

Result<std::string_view> Report::content() {
  const std::string_view all = bytes();
  if (!unreadable.ok()) return unreadable.error();
  return all;
}

std::string_view Report::inflatedHead() {
  if (inflated_) return *inflated_;
  inflated_.emplace();
  if (!starts("\x1f\x8b")) return *inflated_;
  auto stream = ByteStream::open(path, Compression::Gzip, &files);
  if (!stream.ok()) return *inflated_;
  inflated_->resize(kInflatedBytes);
  const auto got = (*stream)->read(inflated_->data(), inflated_->size());
  inflated_->resize(got.ok() ? *got : 0);
  return *inflated_;
}

const std::vector<std::string>& Report::entries() {
  if (entries_) return *entries_;
  entries_.emplace();
  if (!isFolder()) return *entries_;
  auto names = files.list(path);
  if (!names.ok()) {
    unreadable = names.error();
    return *entries_;
  }
  *entries_ = std::move(*names);
  std::sort(entries_->begin(), entries_->end());
  return *entries_;
}

ProtoKind Report::message() {
  if (message_) return *message_;
  message_ = ProtoKind::Unknown;
  if (!isFile() || size == 0 || looksLikeJson(head())) return *message_;
  message_ = isText() ? classifyText(bytes()) : classifyWire(bytes());
  // Truncated within its first field, so that only the file name identifies it.
  if (*message_ == ProtoKind::Unknown && !isText() && ends(".meta") && starts("\n")) message_ = ProtoKind::MetaGraph;
  return *message_;
}

bool Report::isText() { return isFile() && looksLikeText(head()); }

}  // namespace weft::inspect
