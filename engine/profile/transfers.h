#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "weft/profile.h"

// What tasks of a cluster sent each other, found in a trace before Trace::finish().
namespace weft {

/// The edge that a `_Send` or `_Recv` belongs to.
struct TransferEdge {
  std::string tensor, from, to;  ///< Devices; empty tensor: unknown.
  int64_t number = -1;           ///< Distinguishes edges of which only the node is known.
};

/// Whether it is an op that sends to, or receives from, another device.
bool isSend(std::string_view op);
bool isReceive(std::string_view op);
/// The node whose output an edge carries: `edge_4_w/read` -> `w/read`.
std::string_view nodeOfTensor(std::string_view tensor);
/// `[12B] [0.04Mb/s] edge_7_b/read from DEVICE to DEVICE`; empty tensor: something else.
TransferEdge readTransferLabel(std::string_view label);
/// `name = _Recv(edge_7_b/read @DEVICE)`, as Weft and TensorFlow label their sends and receives; empty tensor: something else.
TransferEdge readEdgeLabel(std::string_view label, std::string_view ownDevice, bool sends);

class TransferFinder {
 public:
  explicit TransferFinder(Trace& trace) : trace_(trace) {}

  /// A `_Send` or `_Recv` of a partition graph.
  void know(const std::string& node, TransferEdge edge) { known_.insert_or_assign(node, std::move(edge)); }
  /// Slice number `slice` sends. `edge` may be unknown.
  void sent(int32_t slice, const std::string& node, const std::string& device, TransferEdge edge);
  /// It receives. `asksOnly`: it ends when the tensor has been asked for, not when it has come.
  void received(int32_t slice, const std::string& node, const std::string& device, TransferEdge edge, bool asksOnly);
  /// It is the way of a tensor, as TensorFlow's master records it: from the answer's beginning to its end.
  void onTheWay(int32_t slice, TransferEdge edge);
  /// Fills trace.transfers.
  void end();

 private:
  struct End {
    int32_t slice = -1;
    std::string node, device;
    TransferEdge edge;
    bool asksOnly = false;
  };
  struct Ends {
    std::vector<End> sends, receives, ways;
  };

  void pairByName();
  void join(const TransferEdge& edge, int32_t step, Ends& ends);
  int32_t firstUse(const End& receive);
  int64_t bytesOf(const TransferEdge& edge, int32_t step);

  Trace& trace_;
  std::unordered_map<std::string, TransferEdge> known_;
  std::vector<End> sends_, receives_, ways_;
  std::map<std::pair<int32_t, std::string>, std::vector<int32_t>> uses_;  // slices that use a receive's tensor, by step and its name
  std::map<std::pair<int32_t, std::string>, int64_t> outputs_;            // bytes of nodes with one output, by step and name
  bool indexed_ = false;
};

/// Moves the clocks of the tasks so that no receive ends before its send began. Fills trace.tasks.
void correctClocks(Trace& trace);

}  // namespace weft
