#include "api/training.h"
#include "ops/grad_ops.h"

namespace weft::api {
namespace {

// Replaces characters of summary names that node names do not allow by '_'.
std::string cleanName(std::string_view name) {
  std::string out(name);
  for (char& c : out) {
    const bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' || c == '/';
    if (!fine) c = '_';
  }
  while (out.starts_with('/')) out.erase(0, 1);
  return out;
}

Output summary(GraphBuilder& b, std::string_view op, std::string_view tagName, std::string_view name, Output value, AttrMap attrs = {}) {
  const py::Scope scope(b, cleanName(name));
  const std::string tag = scope.name().substr(0, scope.name().empty() ? 0 : scope.name().size() - 1);
  const Output tags = b.constant(Tensor::scalar(tag), tagName);
  const Output out = b.op(op, {tags, value}, std::move(attrs), scope.name());
  if (b.ok()) b.addToCollection("summaries", b.graph().tensorName(out));
  return out;
}

}  // namespace

Output scalarSummary(GraphBuilder& b, std::string_view name, Output value) { return summary(b, "ScalarSummary", "tags", name, value); }
Output histogramSummary(GraphBuilder& b, std::string_view name, Output values) { return summary(b, "HistogramSummary", "tag", name, values); }
Output imageSummary(GraphBuilder& b, std::string_view name, Output images, int64_t maxOutputs) {
  return summary(b, "ImageSummary", "tag", name, images, {{"max_images", maxOutputs}});
}

Output mergeAllSummaries(GraphBuilder& b) {
  if (!b.ok()) return {};
  const auto it = b.meta().collections.find("summaries");
  if (it == b.meta().collections.end() || it->second.nodes.empty()) return {};
  std::vector<Output> all;
  for (const std::string& name : it->second.nodes) {
    auto o = b.graph().findOutput(name);
    if (!o.ok()) {
      b.fail(o.error());
      return {};
    }
    all.push_back(*o);
  }
  const auto scope = b.nameScope("Merge");
  return b.op("MergeSummary", Inputs(all));
}

}  // namespace weft::api
