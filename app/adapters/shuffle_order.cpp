#include "adapters/shuffle_order.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <random>

#include "adapters/engine_graph.h"
#include "weft/op_traits.h"
#include "weft/tensor.h"

namespace weft::app {
namespace {

struct Shuffles {
  Q_DECLARE_TR_FUNCTIONS(Shuffles)
};

/// The integer value of a constant, else `otherwise`.
int constantOf(const Graph& graph, Output output, int otherwise) {
  const Node* n = output.valid() ? graph.node(output.node) : nullptr;
  if (!n || !isConstant(*n)) return otherwise;
  const Attr* attr = n->attrs.find("value");
  const Tensor* value = attr ? attr->get<Tensor>() : nullptr;
  if (!value || value->elements() != 1) return otherwise;
  if (value->dtype() == DType::Int64) return int(std::clamp<int64_t>(value->data<int64_t>()[0], 1, 1 << 24));
  return value->dtype() == DType::Int32 ? std::max(1, value->data<int32_t>()[0]) : otherwise;
}

}  // namespace

QString ShuffleSetup::problem() const {
  if (kind == Kind::Dataset) return {};
  if (minAfterDequeue >= capacity)
    return Shuffles::tr("min_after_dequeue must be less than the capacity: %1 elements must stay, %2 fit.").arg(minAfterDequeue).arg(capacity);
  if (minAfterDequeue + batch > capacity)
    return Shuffles::tr("The queue never holds enough: a batch of %1 and min_after_dequeue %2 need a capacity of %3 or more.")
        .arg(batch)
        .arg(minAfterDequeue)
        .arg(minAfterDequeue + batch);
  return {};
}

ShuffleOrder shuffleOrder(const ShuffleSetup& s) {
  ShuffleOrder out;
  if (!s.problem().isEmpty()) return out;
  std::mt19937_64 random(static_cast<uint64_t>(s.seed));
  QVector<int> held;
  int next = 0;
  const auto fill = [&](int most) {
    while (held.size() < most && next < s.elements) held << next++;
  };
  const auto draw = [&] {
    const qsizetype at = qsizetype(std::uniform_int_distribution<uint64_t>(0, uint64_t(held.size()) - 1)(random));
    out.order << held[at];
    held[at] = held.back();
    held.removeLast();
  };
  out.order.reserve(s.elements);
  if (s.kind == ShuffleSetup::Kind::Dataset) {
    out.waitForFirst = std::min(s.elements, std::max(s.buffer, 0) + s.batch - 1);
    for (fill(s.buffer); !held.isEmpty(); fill(s.buffer)) draw();
  } else {
    // A batch waits until minAfterDequeue elements remain after it; meanwhile the producers refill the queue. At the end the remaining elements go out.
    out.waitForFirst = std::min(s.elements, s.minAfterDequeue + s.batch);
    fill(out.waitForFirst);
    while (!held.isEmpty()) {
      for (int i = 0; i < s.batch && !held.isEmpty(); ++i) draw();
      fill(s.capacity);
    }
  }
  const qsizetype n = out.order.size();
  double sum = 0, shift = 0;
  for (qsizetype i = 0; i < n; ++i) {
    const double d = double(out.order[i] - i);
    sum += d * d;
    shift += std::abs(d);
    out.earliest = std::max(out.earliest, int(out.order[i] - i));
  }
  if (n > 1) {
    out.correlation = 1 - 6 * sum / (double(n) * (double(n) * double(n) - 1));
    out.meanShift = shift / double(n) / ((double(n) * double(n) - 1) / (3 * double(n)));  // divided by the mean distance of two random places
  }
  return out;
}

bool shuffleSetupOf(const GraphContents& contents, const QString& node, ShuffleSetup* setup) {
  const Graph& graph = contents.engine->loaded.meta.graph;
  const Node* n = graph.find(node.toStdString());
  if (!n) return false;
  const auto number = [n](const char* name, int otherwise) { return int(std::clamp<int64_t>(n->attrs.integer(name, otherwise), 0, 1 << 24)); };
  if (roleOf(*n) == OpRole::ShuffleQueue) {
    setup->kind = ShuffleSetup::Kind::Queue;
    setup->capacity = std::max(1, number("capacity", 200));
    setup->minAfterDequeue = std::max(0, number("min_after_dequeue", 0));
    setup->seed = number("seed", 1);
    for (int id = 0; id < graph.size(); ++id) {  // the batch size of the reader
      const Node* reader = graph.node(id);
      if (reader && roleOf(*reader) == OpRole::Dequeue && !reader->inputs.empty() && reader->inputs[0].node == n->id && reader->inputs.size() > 1)
        setup->batch = constantOf(graph, reader->inputs[1], setup->batch);
    }
    return true;
  }
  if (roleOf(*n) != OpRole::ShuffleDataset || n->inputs.size() < 2) return false;
  setup->kind = ShuffleSetup::Kind::Dataset;
  setup->buffer = constantOf(graph, n->inputs[1], 100);
  for (int id = 0; id < graph.size(); ++id) {
    const Node* reader = graph.node(id);
    if (reader && roleOf(*reader) == OpRole::BatchDataset && reader->inputs.size() > 1 && reader->inputs[0].node == n->id)
      setup->batch = constantOf(graph, reader->inputs[1], setup->batch);
  }
  return true;
}

}  // namespace weft::app
