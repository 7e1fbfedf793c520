#pragma once

#include <cstdint>

namespace weft::layout {

/// What a node is for. Decides where it is put: the network in the flow, weights beneath what reads them, gradients and updates beneath the flow,
/// everything else in the column of helpers.
enum class Part : std::uint8_t { Network, Weight, Gradient, Update, Init, Save, Summary, Check, Step, Slot, Average, Queue };
inline constexpr int kPartCount = 12;

}  // namespace weft::layout
