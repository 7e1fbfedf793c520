#include "io/onnx/node_order.h"

#include <functional>
#include <queue>
#include <string_view>
#include <unordered_map>

namespace weft::onnx_io {
namespace {

using Producers = std::unordered_map<std::string_view, int>;

/// Adds the nodes that a node reads, also by the graphs in it.
void addSources(const ::onnx::NodeProto& node, const Producers& producers, std::vector<int>* sources) {
  for (const std::string& input : node.input())
    if (const auto found = producers.find(input); found != producers.end()) sources->push_back(found->second);
  for (const auto& attr : node.attribute()) {
    if (!attr.has_g()) continue;
    for (const auto& inner : attr.g().node()) addSources(inner, producers, sources);
    for (const auto& output : attr.g().output())
      if (const auto found = producers.find(output.name()); found != producers.end()) sources->push_back(found->second);
  }
}

}  // namespace

std::vector<const ::onnx::NodeProto*> inOrder(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes) {
  Producers producers;
  for (int i = 0; i < nodes.size(); ++i)
    for (const std::string& output : nodes[i].output())
      if (!output.empty()) producers.emplace(output, i);
  std::vector<std::vector<int>> readers(size_t(nodes.size()));
  std::vector<int> missing(size_t(nodes.size()), 0);
  std::vector<int> sources;
  for (int i = 0; i < nodes.size(); ++i) {
    sources.clear();
    addSources(nodes[i], producers, &sources);
    for (const int source : sources) {
      readers[size_t(source)].push_back(i);
      ++missing[size_t(i)];
    }
  }
  // Of the nodes that can be next, the first of the model.
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  std::vector<const ::onnx::NodeProto*> out;
  for (int i = 0; i < nodes.size(); ++i)
    if (missing[size_t(i)] == 0) ready.push(i);
  while (!ready.empty()) {
    const int next = ready.top();
    ready.pop();
    out.push_back(&nodes[next]);
    for (const int reader : readers[size_t(next)])
      if (--missing[size_t(reader)] == 0) ready.push(reader);
  }
  for (int i = 0; i < nodes.size(); ++i)
    if (missing[size_t(i)] > 0) out.push_back(&nodes[i]);
  return out;
}

}  // namespace weft::onnx_io
