// An SFTP server in memory behind a ByteChannel, which can lose its connection or answer nonsense.
#pragma once

#include <cstring>
#include <map>
#include <set>
#include <string>

#include "support/byte_channel.h"

class FakeSftp : public weft::ByteChannel {
 public:
  struct File {
    std::string bytes;
    uint32_t modified = 1000;
  };
  std::map<std::string, File> files;  // by absolute path
  std::map<std::string, std::string> links;
  std::set<std::string> forbidden;
  std::string strayName;          // also listed in every folder
  size_t breakAfter = SIZE_MAX;   // bytes of answers, then the connection is lost
  uint32_t mostData = 32 * 1024;  // of one answer
  bool nonsense = false;
  uint64_t dataBytes = 0;  // sent as contents of files
  int requests = 0;

  bool send(std::string_view bytes) override {
    in_ += bytes;
    while (in_.size() >= 4 && in_.size() >= 4 + number(in_.data())) {
      const size_t size = number(in_.data());
      handle(in_.substr(4, size));
      in_.erase(0, 4 + size);
    }
    return !lost_;
  }
  size_t receive(char* into, size_t bytes) override {
    const size_t n = std::min({bytes, out_.size(), breakAfter});
    if (n == 0) {
      lost_ = true;
      return 0;
    }
    std::memcpy(into, out_.data(), n);
    out_.erase(0, n);
    if (breakAfter != SIZE_MAX) breakAfter -= n;
    return n;
  }
  void interrupt() override { lost_ = true; }

 private:
  static uint32_t number(const char* p) { return uint32_t(uint8_t(p[0])) << 24 | uint32_t(uint8_t(p[1])) << 16 | uint32_t(uint8_t(p[2])) << 8 | uint8_t(p[3]); }
  static std::string packed(uint64_t v, int bytes = 4) {
    std::string s;
    while (bytes-- > 0) s.push_back(char(v >> 8 * bytes));
    return s;
  }
  static std::string packed(const std::string& s) { return packed(s.size()) + s; }
  void reply(uint8_t type, uint32_t id, const std::string& body) {
    const std::string rest = std::string(1, char(nonsense ? 199 : type)) + packed(id) + body;
    out_ += packed(rest.size()) + rest;
  }
  void status(uint32_t id, uint32_t code) { reply(101, id, packed(code) + packed(std::string("words")) + packed(std::string())); }
  bool isFolder(const std::string& path) const {
    const std::string prefix = path == "/" ? path : path + '/';
    const auto at = files.lower_bound(prefix);
    return at != files.end() && at->first.starts_with(prefix);
  }
  /// Of a file, a folder or a link.
  std::string attributes(const std::string& path, bool follow) const {
    const auto link = links.find(path);
    if (link != links.end()) return follow ? attributes(link->second, true) : packed(4) + packed(0120777);
    const auto file = files.find(path);
    if (file != files.end())
      return packed(1 | 4 | 8) + packed(file->second.bytes.size(), 8) + packed(0100644) + packed(file->second.modified) + packed(file->second.modified);
    return isFolder(path) ? packed(4) + packed(0040755) : std::string();
  }
  void handle(const std::string& packet) {
    ++requests;
    const uint8_t type = uint8_t(packet[0]);
    const uint32_t id = number(packet.data() + 1);
    if (type == 1) return reply(2, 3, "");
    const uint32_t size = number(packet.data() + 5);
    std::string path = packet.substr(9, size);
    const char* rest = packet.data() + 9 + size;
    if (type == 16) return reply(104, id, packed(1) + packed(path == "." ? std::string("/home/me") : path) + packed(std::string()) + packed(0));
    if (type == 17) return attributes(path, true).empty() ? status(id, 2) : reply(105, id, attributes(path, true));
    if (type == 11) {
      if (forbidden.contains(path)) return status(id, 3);
      if (!isFolder(path)) return status(id, 2);
      listed_.erase(path);
      return reply(102, id, packed(path));
    }
    if (type == 12) {
      if (!listed_.insert(path).second) return status(id, 1);
      const std::string prefix = path == "/" ? path : path + '/';
      std::set<std::string> names{".", ".."};
      if (!strayName.empty()) names.insert(strayName);
      for (const auto& [file, contents] : files)
        if (file.starts_with(prefix)) names.insert(file.substr(prefix.size(), file.find('/', prefix.size()) - prefix.size()));
      for (const auto& [link, to] : links)
        if (link.starts_with(prefix) && link.find('/', prefix.size()) == std::string::npos) names.insert(link.substr(prefix.size()));
      std::string body = packed(names.size());
      for (const std::string& name : names) {
        const std::string a = attributes(prefix + name, false);
        body += packed(name) + packed("-rw " + name) + (a.empty() ? packed(4) + packed(name == strayName ? 0100644 : 0040755) : a);
      }
      return reply(104, id, body);
    }
    if (type == 3) {
      const auto link = links.find(path);
      if (link != links.end()) path = link->second;
      if (forbidden.contains(path)) return status(id, 3);
      return files.contains(path) ? reply(102, id, packed(path)) : status(id, 2);
    }
    if (type == 4) return status(id, 0);
    if (type == 5) {
      const uint64_t offset = uint64_t(number(rest)) << 32 | number(rest + 4);
      const uint32_t bytes = std::min(number(rest + 8), mostData);
      const std::string& contents = files[path].bytes;
      if (offset >= contents.size()) return status(id, 1);
      const std::string data = contents.substr(offset, bytes);
      dataBytes += data.size();
      return reply(103, id, packed(data));
    }
    status(id, 8);
  }

  std::string in_, out_;
  std::set<std::string> listed_;
  bool lost_ = false;
};
