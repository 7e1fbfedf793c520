#include "profile/transfers.h"

#include <algorithm>
#include <charconv>
#include <tuple>

namespace weft {

std::string_view clusterTaskOf(std::string_view device) {
  if (!device.starts_with("/job:") || device.starts_with("/job:localhost/")) return {};
  for (const char* unit : {"/device:", "/host:"})
    if (const size_t at = device.find(unit); at != device.npos) return device.substr(0, at);
  return device;
}

int64_t TraceTransfer::transitNs() const {
  if (receivedNs == kUnknownTime || (sentNs == kUnknownTime && askedNs == kUnknownTime)) return 0;
  return receivedNs - std::max(sentNs, askedNs);
}

int64_t TraceTransfer::waitNs() const { return receivedNs == kUnknownTime || askedNs == kUnknownTime ? 0 : receivedNs - askedNs; }

bool isSend(std::string_view op) { return op == "_Send" || op == "_HostSend"; }
bool isReceive(std::string_view op) { return op == "_Recv" || op == "_HostRecv"; }

std::string_view nodeOfTensor(std::string_view tensor) {
  if (!tensor.starts_with("edge_")) return tensor;
  const size_t at = tensor.find('_', 5);
  if (at == tensor.npos || tensor.substr(5, at - 5).find_first_not_of("0123456789") != tensor.npos) return tensor;
  return tensor.substr(at + 1);
}

TransferEdge readTransferLabel(std::string_view label) {
  const size_t to = label.rfind(" to ");
  const size_t from = to == label.npos ? to : label.rfind(" from ", to);
  if (from == label.npos || !label.starts_with('[')) return {};
  const size_t begin = label.rfind(' ', from - 1);
  if (begin == label.npos || begin + 1 >= from) return {};
  TransferEdge edge;
  edge.tensor = label.substr(begin + 1, from - begin - 1);
  edge.from = label.substr(from + 6, to - from - 6);
  edge.to = label.substr(to + 4);
  return edge;
}

TransferEdge readEdgeLabel(std::string_view label, std::string_view ownDevice, bool sends) {
  const size_t open = label.find('('), at = label.find(" @", open == label.npos ? 0 : open);
  if (open == label.npos || at == label.npos) return {};
  TransferEdge edge;
  edge.tensor = label.substr(open + 1, at - open - 1);
  std::string_view other = label.substr(at + 2);
  if (other.ends_with(')')) other.remove_suffix(1);
  edge.from = sends ? ownDevice : other;
  edge.to = sends ? other : ownDevice;
  return edge;
}

namespace {

/// `w/read_S4` as `w/read` and 4: a master numbers the ends that it adds, a receive one after its send. -1: no such name.
std::pair<std::string_view, int64_t> endNumber(std::string_view name) {
  const size_t at = name.rfind("_S");
  int64_t number = -1;
  if (at == name.npos) return {name, -1};
  const auto [end, error] = std::from_chars(name.data() + at + 2, name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size()) return {name, -1};
  return {name.substr(0, at), number};
}

}  // namespace

void TransferFinder::sent(int32_t slice, const std::string& node, const std::string& device, TransferEdge edge) {
  sends_.push_back({slice, node, device, std::move(edge)});
}

void TransferFinder::received(int32_t slice, const std::string& node, const std::string& device, TransferEdge edge, bool asksOnly) {
  receives_.push_back({slice, node, device, std::move(edge), asksOnly});
}

void TransferFinder::onTheWay(int32_t slice, TransferEdge edge) {
  std::string device = edge.to;
  ways_.push_back({slice, {}, std::move(device), std::move(edge)});
}

// Without partition graphs, TensorFlow's traces tell the names of sends and receives, but not of their edges.
void TransferFinder::pairByName() {
  std::map<std::pair<std::string_view, int64_t>, const End*> sends;
  for (const End& send : sends_) {
    const auto [node, number] = endNumber(send.node);
    if (number >= 0) sends.emplace(std::pair(node, number), &send);
  }
  std::map<std::tuple<std::string_view, std::string, std::string>, std::vector<const TransferEdge*>> ways;  // by node and tasks
  for (const End& way : ways_) {
    auto& list = ways[{nodeOfTensor(way.edge.tensor), std::string(clusterTaskOf(way.edge.from)), std::string(clusterTaskOf(way.edge.to))}];
    if (std::none_of(list.begin(), list.end(), [&](const TransferEdge* e) { return e->tensor == way.edge.tensor; })) list.push_back(&way.edge);
  }
  std::unordered_map<std::string, TransferEdge> found;  // by name of the send or receive
  for (const End& receive : receives_) {
    const auto [node, number] = endNumber(receive.node);
    if (!receive.edge.tensor.empty() || number < 1 || found.contains(receive.node)) continue;
    const auto send = sends.find(std::pair(node, number - 1));
    if (send == sends.end() || clusterTaskOf(send->second->device) == clusterTaskOf(receive.device)) continue;
    TransferEdge edge{std::string(node), send->second->device, receive.device, number};
    if (!send->second->edge.tensor.empty()) {
      found.emplace(receive.node, send->second->edge);
      continue;
    }
    const auto way = ways.find({node, std::string(clusterTaskOf(edge.from)), std::string(clusterTaskOf(edge.to))});
    if (way != ways.end() && way->second.size() == 1) edge = *way->second.front();
    found.emplace(send->second->node, edge);
    found.emplace(receive.node, std::move(edge));
  }
  for (auto* ends : {&sends_, &receives_}) {
    for (End& end : *ends)
      if (const auto it = found.find(end.node); end.edge.tensor.empty() && it != found.end()) end.edge = it->second;
  }
}

int64_t TransferFinder::bytesOf(const TransferEdge& edge, int32_t step) {
  const auto it = outputs_.find({step, std::string(nodeOfTensor(edge.tensor))});
  return it == outputs_.end() ? -1 : it->second;
}

/// The first op that used what a receive got, if the trace has only its beginning; -1: unknown.
int32_t TransferFinder::firstUse(const End& receive) {
  if (!indexed_) {
    indexed_ = true;
    std::unordered_map<std::string_view, bool> wanted;
    for (const End& r : receives_)
      if (r.asksOnly) wanted.emplace(r.node, true);
    for (size_t i = 0; i < trace_.slices.size(); ++i) {
      const TraceSlice& s = trace_.slices[i];
      const TraceNode* node = trace_.node(trace_.nameOf(s));
      if (!node || trace_.tracks[size_t(s.track)].transfers || !trace_.counts(s)) continue;
      for (const std::string& input : node->inputs)
        if (wanted.contains(input)) uses_[{s.step, input}].push_back(int32_t(i));
    }
    for (auto& [key, slices] : uses_)
      std::sort(slices.begin(), slices.end(), [&](int32_t a, int32_t b) { return trace_.slices[size_t(a)].startNs < trace_.slices[size_t(b)].startNs; });
  }
  const TraceSlice& asks = trace_.slices[size_t(receive.slice)];
  const auto it = uses_.find({asks.step, receive.node});
  if (it == uses_.end()) return -1;
  for (const int32_t use : it->second)
    if (trace_.slices[size_t(use)].startNs >= asks.startNs) return use;
  return -1;
}

void TransferFinder::join(const TransferEdge& edge, int32_t step, Ends& ends) {
  const auto byTime = [&](const End& a, const End& b) { return trace_.slices[size_t(a.slice)].startNs < trace_.slices[size_t(b.slice)].startNs; };
  for (auto* list : {&ends.sends, &ends.receives, &ends.ways}) std::stable_sort(list->begin(), list->end(), byTime);
  const auto slice = [&](const End& end) -> const TraceSlice& { return trace_.slices[size_t(end.slice)]; };
  // In a loop, an edge is used once an iteration.
  const size_t count = std::max({ends.sends.size(), ends.receives.size(), ends.ways.size()});
  for (size_t i = 0; i < count; ++i) {
    TraceTransfer t;
    t.tensor = edge.tensor;
    t.node = nodeOfTensor(edge.tensor);
    t.from = edge.from;
    t.to = edge.to;
    t.step = step;
    if (i < ends.sends.size()) {
      t.send = ends.sends[i].slice;
      t.sentNs = slice(ends.sends[i]).startNs;
    }
    if (i < ends.receives.size()) {
      const End& receive = ends.receives[i];
      t.ask = t.receive = receive.slice;
      t.askedNs = slice(receive).startNs;
      if (!receive.asksOnly) {
        t.receivedNs = t.askedNs + slice(receive).durationNs;
        t.bytes = slice(receive).bytes;
      } else if (const int32_t use = i < ends.ways.size() ? -1 : firstUse(receive); use >= 0) {
        t.receive = use;
        t.latest = true;
        t.receivedNs = trace_.slices[size_t(use)].startNs;
      }
    }
    if (i < ends.ways.size()) {
      t.receive = ends.ways[i].slice;
      t.receivedNs = slice(ends.ways[i]).startNs + slice(ends.ways[i]).durationNs;
      t.bytes = slice(ends.ways[i]).bytes;
    }
    if (t.bytes < 0) t.bytes = bytesOf(edge, step);
    trace_.transfers.push_back(std::move(t));
  }
}

void TransferFinder::end() {
  for (auto* ends : {&sends_, &receives_}) {
    for (End& end : *ends)
      if (const auto it = known_.find(end.node); end.edge.tensor.empty() && it != known_.end()) end.edge = it->second;
  }
  pairByName();
  std::map<std::pair<int32_t, std::string>, int> outputs;
  for (const TraceTensor& t : trace_.tensors) {
    const TraceSlice& s = trace_.slices[size_t(t.slice)];
    if (trace_.tracks[size_t(s.track)].transfers) continue;
    const std::pair key(s.step, trace_.nameOf(s));
    const int seen = outputs[key] |= 1 << std::clamp(t.slot, 0, 30);
    outputs_[key] = (seen & (seen - 1)) == 0 ? t.bytes : -1;  // the edge's name does not tell which of several outputs
  }
  std::map<std::tuple<int32_t, std::string, std::string, std::string, int64_t>, Ends> edges;
  const auto collect = [&](const std::vector<End>& from, std::vector<End> Ends::*to) {
    for (const End& end : from) {
      const TransferEdge& e = end.edge;
      if (e.tensor.empty() || clusterTaskOf(e.from) == clusterTaskOf(e.to)) continue;
      (edges[{trace_.slices[size_t(end.slice)].step, e.tensor, e.from, e.to, e.number}].*to).push_back(end);
    }
  };
  collect(sends_, &Ends::sends);
  collect(receives_, &Ends::receives);
  collect(ways_, &Ends::ways);
  for (auto& [key, ends] : edges) join({std::get<1>(key), std::get<2>(key), std::get<3>(key), -1}, std::get<0>(key), ends);
}

}  // namespace weft
