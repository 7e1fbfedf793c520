#pragma once

#include <cstdint>

namespace weft::layout {

/// The purpose of a node, which decides its place: the network in the flow, weights beneath their readers, gradients and updates beneath the flow, everything
/// else in the column of helpers.
enum class Part : std::uint8_t { Network, Weight, Gradient, Update, Init, Save, Summary, Check, Step, Slot, Average, Queue };
inline constexpr int kPartCount = 12;

}  // namespace weft::layout
