#include "graph/device_parts.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace weft {
namespace {

std::optional<int> number(std::string_view text) {
  int v = 0;
  const auto r = std::from_chars(text.data(), text.data() + text.size(), v);
  return r.ec == std::errc() && r.ptr == text.data() + text.size() && v >= 0 ? std::optional(v) : std::nullopt;
}

std::string upper(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
  return out;
}

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> out;
  while (true) {
    const size_t end = std::min(text.find(by), text.size());
    out.push_back(text.substr(0, end));
    if (end == text.size()) return out;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

Result<DeviceParts> DeviceParts::parse(std::string_view text) {
  DeviceParts spec;
  const auto bad = [&](std::string_view part) { return invalidArgument("Unknown attribute: '", part, "' in '", text, "'"); };
  for (std::string_view part : split(text, '/')) {
    if (part.empty()) continue;
    const auto fields = split(part, ':');
    const std::string key = upper(fields[0]);
    if (fields.size() == 2 && fields[0] == "job") {
      spec.job = std::string(fields[1]);
    } else if (fields.size() == 2 && (fields[0] == "replica" || fields[0] == "task")) {
      auto& field = fields[0] == "task" ? spec.task : spec.replica;
      if (!(field = number(fields[1]))) return bad(part);
    } else if (fields[0] == "device" && fields.size() == 3) {
      spec.type = upper(fields[1]);
      if (fields[2] != "*" && !number(fields[2])) return bad(part);
      if (fields[2] != "*") spec.index = std::string(fields[2]);
      else spec.index = "*";
    } else if ((key == "CPU" || key == "GPU") && fields.size() <= 2) {
      spec.type = key;
      if (fields.size() == 2) {
        if (fields[1] != "*" && !number(fields[1])) return bad(part);
        spec.index = std::string(fields[1]);
      }
    } else {
      return bad(fields[0]);
    }
  }
  return spec;
}

std::string DeviceParts::toString() const {
  std::string out;
  if (job) out += "/job:" + *job;
  if (replica) out += "/replica:" + std::to_string(*replica);
  if (task) out += "/task:" + std::to_string(*task);
  if (type) out += "/device:" + *type + ":" + index.value_or("*");
  return out;
}

void DeviceParts::mergeFrom(const DeviceParts& inner) {
  if (inner.job) job = inner.job;
  if (inner.replica) replica = inner.replica;
  if (inner.task) task = inner.task;
  if (inner.type) type = inner.type;
  if (inner.index) index = inner.index;
}

}  // namespace weft
