#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "weft/file_system.h"

/// In-memory files for tests: counts operations, can fail at a chosen one, and has limited capacity.
class MemoryFiles final : public weft::FileSystem {
 public:
  std::map<std::string, std::shared_ptr<std::string>> files;
  std::set<std::string> folders{".", "/"};
  uint64_t room = UINT64_MAX;  ///< Bytes that may still be written.
  int failAt = -1;             ///< The operation (counted from 0) that fails.
  int operations = 0;
  std::shared_ptr<std::atomic<uint64_t>> bytesRead = std::make_shared<std::atomic<uint64_t>>(0);

  using Reading = weft::Result<std::unique_ptr<weft::ReadableFile>>;
  using Writing = weft::Result<std::unique_ptr<weft::WritableFile>>;

  Reading openForReading(const std::string& path) override {
    if (fails()) return error(path);
    const auto at = files.find(path);
    if (at == files.end()) return weft::notFound(path, "; No such file or directory");
    return std::unique_ptr<weft::ReadableFile>(std::make_unique<Reader>(at->second, bytesRead));
  }
  Writing create(const std::string& path) override {
    if (fails()) return error(path);
    auto& file = files[path];
    file = std::make_shared<std::string>();
    return std::unique_ptr<weft::WritableFile>(std::make_unique<Writer>(*this, path, file));
  }
  Writing openForAppending(const std::string& path) override {
    if (fails()) return error(path);
    auto& file = files[path];
    if (!file) file = std::make_shared<std::string>();
    return std::unique_ptr<weft::WritableFile>(std::make_unique<Writer>(*this, path, file));
  }
  weft::Result<weft::FileInfo> stat(const std::string& path) override {
    if (const auto at = files.find(path); at != files.end()) return weft::FileInfo{at->second->size(), false, 0, 0};
    if (folders.count(path)) return weft::FileInfo{0, true, 0, 0};
    return weft::notFound(path, "; No such file or directory");
  }
  weft::Result<std::vector<std::string>> list(const std::string& folder) override {
    std::vector<std::string> names;
    for (const auto& [path, content] : files)
      if (weft::folderOf(path) == folder) names.push_back(weft::fileNameOf(path));
    return names;
  }
  weft::Status makeFolders(const std::string& path) override {
    if (fails()) return error(path);
    folders.insert(path);
    return {};
  }
  weft::Status rename(const std::string& from, const std::string& to) override {
    if (fails()) return error(from);
    const auto at = files.find(from);
    if (at == files.end()) return weft::notFound(from, "; No such file or directory");
    auto content = at->second;
    files.erase(at);
    files[to] = content;
    return {};
  }
  weft::Status remove(const std::string& path) override {
    if (!files.erase(path)) return weft::notFound(path, "; No such file or directory");
    return {};
  }
  weft::Status syncFolder(const std::string&) override { return {}; }

 private:
  bool fails() { return operations++ == failAt; }
  static weft::Error error(const std::string& path) { return weft::unknownError(path, "; Input/output error"); }

  class Reader final : public weft::ReadableFile {
   public:
    Reader(std::shared_ptr<std::string> content, std::shared_ptr<std::atomic<uint64_t>> bytesRead)
        : content_(std::move(content)), bytesRead_(std::move(bytesRead)) {}
    weft::Result<size_t> read(uint64_t offset, void* into, size_t bytes) override {
      if (offset >= content_->size()) return size_t(0);
      const size_t got = content_->copy(static_cast<char*>(into), bytes, size_t(offset));
      *bytesRead_ += got;
      return got;
    }
    weft::Result<uint64_t> size() override { return uint64_t(content_->size()); }

   private:
    std::shared_ptr<std::string> content_;
    std::shared_ptr<std::atomic<uint64_t>> bytesRead_;
  };

  class Writer final : public weft::WritableFile {
   public:
    Writer(MemoryFiles& owner, std::string path, std::shared_ptr<std::string> content) : owner_(owner), path_(std::move(path)), content_(std::move(content)) {}
    weft::Status append(std::string_view bytes) override {
      if (owner_.fails()) return error(path_);
      if (bytes.size() > owner_.room) {
        content_->append(bytes.substr(0, owner_.room));
        owner_.room = 0;
        return weft::resourceExhausted(path_, "; No space left on device");
      }
      owner_.room -= bytes.size();
      content_->append(bytes);
      return {};
    }
    weft::Status flush() override { return {}; }
    weft::Status sync() override { return owner_.fails() ? weft::Status(error(path_)) : weft::Status(); }
    weft::Status close() override { return owner_.fails() ? weft::Status(error(path_)) : weft::Status(); }

   private:
    MemoryFiles& owner_;
    const std::string path_;
    std::shared_ptr<std::string> content_;
  };
};
