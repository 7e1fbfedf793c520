#include "runtime/device_requests.h"

namespace weft {
namespace {

bool statedApart(const std::string& a, const std::string& b) { return !a.empty() && !b.empty() && a != b; }
bool statedApart(int a, int b) { return a >= 0 && b >= 0 && a != b; }

}  // namespace

bool statesDevice(const DeviceSpec& r) { return !r.job.empty() || !r.type.empty() || r.replica >= 0 || r.task >= 0 || r.id >= 0; }

bool sameRequest(const DeviceSpec& a, const DeviceSpec& b) {
  return a.job == b.job && a.type == b.type && a.replica == b.replica && a.task == b.task && a.id == b.id;
}

bool compatibleRequests(const DeviceSpec& a, const DeviceSpec& b) {
  return !statedApart(a.job, b.job) && !statedApart(a.replica, b.replica) && !statedApart(a.task, b.task) && !statedApart(a.type, b.type) &&
         !statedApart(a.id, b.id);
}

Status mergeRequest(DeviceSpec& target, const DeviceSpec& other, bool soft) {
  const auto differing = [&](const char* part) {
    return invalidArgument("Cannot merge devices with incompatible ", part, ": '", requestText(target), "' and '", requestText(other), "'");
  };
  if (statedApart(target.job, other.job)) return differing("jobs");
  if (statedApart(target.replica, other.replica)) return differing("replicas");
  if (statedApart(target.task, other.task)) return differing("tasks");
  if (!other.job.empty()) target.job = other.job;
  if (other.replica >= 0) target.replica = other.replica;
  if (other.task >= 0) target.task = other.task;
  if (statedApart(target.type, other.type)) {
    if (!soft) return differing("types");
    target.type.clear();
    target.id = -1;
    return {};
  }
  if (!other.type.empty()) target.type = other.type;
  if (statedApart(target.id, other.id)) {
    if (!soft) return differing("ids");
    target.id = -1;
  } else if (other.id >= 0) {
    target.id = other.id;
  }
  return {};
}

void overrideRequest(DeviceSpec& target, const DeviceSpec& other) {
  if (!other.job.empty()) target.job = other.job;
  if (!other.type.empty()) target.type = other.type;
  for (int DeviceSpec::*part : {&DeviceSpec::replica, &DeviceSpec::task, &DeviceSpec::id}) {
    if (other.*part >= 0) target.*part = other.*part;
  }
}

std::string requestText(const DeviceSpec& r) {
  std::string out;
  if (!r.job.empty()) out += "/job:" + r.job;
  if (r.replica >= 0) out += "/replica:" + std::to_string(r.replica);
  if (r.task >= 0) out += "/task:" + std::to_string(r.task);
  if (!r.type.empty() || r.id >= 0) {
    out += "/device:" + (r.type.empty() ? "*" : r.type) + ":" + (r.id >= 0 ? std::to_string(r.id) : "*");
  }
  return out;
}

}  // namespace weft
