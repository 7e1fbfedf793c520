#pragma once

#include <string>

#include "kernel/device.h"

namespace weft {

// How TensorFlow's placer compares and joins device requests ("/job:ps/task:1", "/device:GPU:0"). Parts that a request leaves out agree with everything.

/// Whether the request states anything.
bool statesDevice(const DeviceSpec& request);
bool sameRequest(const DeviceSpec& a, const DeviceSpec& b);
/// Whether some device could satisfy both.
bool compatibleRequests(const DeviceSpec& a, const DeviceSpec& b);
/// Adds the parts of `other` to `target`. INVALID_ARGUMENT where they differ; with `soft`, a type or number that differs is dropped instead.
Status mergeRequest(DeviceSpec& target, const DeviceSpec& other, bool soft);
/// Replaces the parts of `target` that `other` states.
void overrideRequest(DeviceSpec& target, const DeviceSpec& other);
/// As TensorFlow writes it in messages: "/job:ps/task:1", "/device:GPU:*".
std::string requestText(const DeviceSpec& request);

}  // namespace weft
