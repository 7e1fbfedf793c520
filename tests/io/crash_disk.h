#pragma once

#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "memory_files.h"
#include "weft/file_system.h"

/// A disk that records every operation, so that a test can check which states a power loss after any of them may leave. Synced data is there; of everything
/// else any part may be: each directory entry (files created, renamed, removed) independently, and any number of the bytes appended to a file, the last of them
/// perhaps zeros, as left by file systems that record a file's length before its contents.
class CrashDisk final : public weft::FileSystem {
 public:
  using Files = std::map<std::string, std::string>;

  /// The disk's contents before the first operation.
  explicit CrashDisk(Files initial = {}) {
    for (auto& [path, content] : initial) {
      entries_[path] = int(inodes_.size());
      inodes_.push_back(std::move(content));
      folders_.insert(weft::folderOf(path));
    }
    first_ = entries_;
    firstInodes_ = inodes_;
  }

  size_t operations() const { return log_.size(); }

  /// Calls `judge` with possible states after the first `k` operations: all of them if there are at most `most`, otherwise that many random ones. Returns their
  /// number.
  template <typename Judge>
  size_t eachState(size_t k, size_t most, std::mt19937_64& random, Judge&& judge) const {
    const Open open = openAfter(k);
    const size_t entries = open.entries.size(), tails = open.tails.size();
    double ways = 1;
    for (size_t i = 0; i < entries; ++i) ways *= 2;
    for (size_t i = 0; i < tails; ++i) ways *= kTails;
    const bool all = ways <= double(most);
    const size_t count = all ? size_t(ways) : most;
    for (size_t n = 0; n < count; ++n) {
      size_t code = n;
      const auto pick = [&](size_t of) {
        if (!all) return size_t(random() % of);
        const size_t value = code % of;
        code /= of;
        return value;
      };
      std::set<size_t> kept;
      for (const size_t i : open.entries)
        if (pick(2)) kept.insert(i);
      std::map<int, size_t> tail;
      for (const int inode : open.tails) tail[inode] = pick(kTails);
      judge(materialize(k, open, kept, tail));
    }
    return count;
  }

  weft::Result<std::unique_ptr<weft::ReadableFile>> openForReading(const std::string& path) override { return live().openForReading(path); }
  weft::Result<std::unique_ptr<weft::WritableFile>> create(const std::string& path) override {
    const auto there = entries_.find(path);
    if (there != entries_.end()) {
      inodes_[size_t(there->second)].clear();
      log_.push_back({Kind::Truncate, there->second, path, {}, {}});
    } else {
      entries_[path] = int(inodes_.size());
      inodes_.emplace_back();
      log_.push_back({Kind::Create, entries_[path], path, {}, {}});
    }
    return std::unique_ptr<weft::WritableFile>(std::make_unique<Writer>(*this, entries_[path]));
  }
  weft::Result<std::unique_ptr<weft::WritableFile>> openForAppending(const std::string& path) override {
    const auto there = entries_.find(path);
    if (there == entries_.end()) return create(path);
    return std::unique_ptr<weft::WritableFile>(std::make_unique<Writer>(*this, there->second));
  }
  weft::Result<weft::FileInfo> stat(const std::string& path) override {
    if (const auto at = entries_.find(path); at != entries_.end()) return weft::FileInfo{inodes_[size_t(at->second)].size(), false, 0, uint64_t(at->second)};
    if (path == "." || path == "/" || folders_.count(path)) return weft::FileInfo{0, true, 0, 0};
    return weft::notFound(path, "; No such file or directory");
  }
  weft::Result<std::vector<std::string>> list(const std::string& folder) override { return live().list(folder); }
  weft::Status makeFolders(const std::string& path) override {
    folders_.insert(path);  // that a folder is lost with all in it is the same as losing its entries
    return {};
  }
  weft::Status rename(const std::string& from, const std::string& to) override {
    const auto at = entries_.find(from);
    if (at == entries_.end()) return weft::notFound(from, "; No such file or directory");
    const int inode = at->second;
    entries_.erase(at);
    entries_[to] = inode;
    log_.push_back({Kind::Rename, inode, from, to, {}});
    return {};
  }
  weft::Status remove(const std::string& path) override {
    const auto at = entries_.find(path);
    if (at == entries_.end()) return weft::notFound(path, "; No such file or directory");
    log_.push_back({Kind::Remove, at->second, path, {}, {}});
    entries_.erase(at);
    return {};
  }
  weft::Status syncFolder(const std::string& path) override {
    log_.push_back({Kind::SyncFolder, -1, path, {}, {}});
    return {};
  }

 private:
  enum class Kind { Create, Truncate, Append, Rename, Remove, SyncFile, SyncFolder };
  struct Operation {
    Kind kind;
    int inode;
    std::string path, to, bytes;
  };
  /// The part of the first operations that may not have reached the disk.
  struct Open {
    std::set<size_t> entries;    ///< Numbers of operations on entries of folders.
    std::set<int> tails;         ///< Files with unsynced bytes.
    std::map<int, size_t> safe;  ///< Number of the last operation before which a file is on the disk.
  };
  static constexpr size_t kTails = 5;  ///< Of unsynced bytes: none, a part, all but zeros for a part, zeros alone, all.

  Open openAfter(size_t k) const {
    Open open;
    std::map<std::string, size_t> folderSafe;
    for (size_t i = 0; i < k; ++i) {
      if (log_[i].kind == Kind::SyncFile) open.safe[log_[i].inode] = i;
      if (log_[i].kind == Kind::SyncFolder) folderSafe[log_[i].path] = i + 1;
    }
    for (size_t i = 0; i < k; ++i) {
      const Operation& o = log_[i];
      const auto synced = open.safe.find(o.inode);
      const bool fileSafe = synced != open.safe.end() && i < synced->second;
      const bool isEntry = o.kind == Kind::Create || o.kind == Kind::Rename || o.kind == Kind::Remove;
      if (isEntry && i >= folderSafe[weft::folderOf(o.path)]) open.entries.insert(i);
      if ((o.kind == Kind::Append || o.kind == Kind::Truncate) && !fileSafe) open.tails.insert(o.inode);
    }
    return open;
  }

  Files materialize(size_t k, const Open& open, const std::set<size_t>& kept, const std::map<int, size_t>& tails) const {
    std::vector<std::string> durable = firstInodes_, whole = firstInodes_;
    durable.resize(inodes_.size());
    whole.resize(inodes_.size());
    std::map<std::string, int> entries = first_;
    for (size_t i = 0; i < k; ++i) {
      const Operation& o = log_[i];
      const size_t inode = o.inode < 0 ? 0 : size_t(o.inode);
      const auto synced = open.safe.find(o.inode);
      const bool fileSafe = synced != open.safe.end() && i < synced->second;
      if (o.kind == Kind::Append) {
        whole[inode] += o.bytes;
        if (fileSafe) durable[inode] += o.bytes;
      } else if (o.kind == Kind::Truncate) {
        whole[inode].clear();
        if (fileSafe) durable[inode].clear();
      } else if (open.entries.count(i) && !kept.count(i)) {
        continue;
      } else if (o.kind == Kind::Create) {
        entries[o.path] = o.inode;
      } else if (o.kind == Kind::Rename) {
        entries.erase(o.path);
        entries[o.to] = o.inode;
      } else if (o.kind == Kind::Remove) {
        entries.erase(o.path);
      }
    }
    for (const auto& [inode, way] : tails) durable[size_t(inode)] = torn(durable[size_t(inode)], whole[size_t(inode)], way);
    Files files;
    for (const auto& [path, inode] : entries) files[path] = durable[size_t(inode)];
    return files;
  }

  /// A possible content of a file, of which `safe` is certainly on disk and `whole` was written.
  static std::string torn(const std::string& safe, const std::string& whole, size_t way) {
    if (whole.size() < safe.size() || whole.compare(0, safe.size(), safe) != 0) return way % 2 ? whole : safe;  // truncated and not yet rewritten
    const size_t half = safe.size() + (whole.size() - safe.size()) / 2;
    switch (way) {
      case 0: return safe;
      case 1: return whole.substr(0, half);
      case 2: return whole.substr(0, half) + std::string(whole.size() - half, '\0');
      case 3: return safe + std::string(whole.size() - safe.size(), '\0');
      default: return whole;
    }
  }

  /// The view of a running program.
  MemoryFiles& live() {
    seen_ = std::make_unique<MemoryFiles>();
    for (const auto& [path, inode] : entries_) seen_->files[path] = std::make_shared<std::string>(inodes_[size_t(inode)]);
    return *seen_;
  }

  class Writer final : public weft::WritableFile {
   public:
    Writer(CrashDisk& disk, int inode) : disk_(disk), inode_(inode) {}
    weft::Status append(std::string_view bytes) override {
      disk_.inodes_[size_t(inode_)] += bytes;
      disk_.log_.push_back({Kind::Append, inode_, {}, {}, std::string(bytes)});
      return {};
    }
    weft::Status flush() override { return {}; }
    weft::Status sync() override {
      disk_.log_.push_back({Kind::SyncFile, inode_, {}, {}, {}});
      return {};
    }
    weft::Status close() override { return {}; }

   private:
    CrashDisk& disk_;
    const int inode_;
  };

  std::map<std::string, int> entries_, first_;
  std::vector<std::string> inodes_, firstInodes_;
  std::set<std::string> folders_;
  std::vector<Operation> log_;
  std::unique_ptr<MemoryFiles> seen_;
};

/// The files of such a state, to be opened by a reader.
inline MemoryFiles filesOf(const CrashDisk::Files& state) {
  MemoryFiles files;
  for (const auto& [path, content] : state) {
    files.files[path] = std::make_shared<std::string>(content);
    files.folders.insert(weft::folderOf(path));
  }
  return files;
}
