#include "adapters/preview_words.h"

#include <QCoreApplication>

#include "adapters/engine_graph.h"
#include "adapters/queue_facts.h"
#include "weft/preview.h"

namespace weft::app {
namespace {

struct PipelineWords {
  Q_DECLARE_TR_FUNCTIONS(PipelineFeeder)
};
struct ScheduleWords {
  Q_DECLARE_TR_FUNCTIONS(Schedule)
};
struct GradientNormWords {
  Q_DECLARE_TR_FUNCTIONS(GradientNorms)
};

}  // namespace

QString previewErrorText(const Error& error) {
  const QString node = text(error.node);
  if (error.kind == "no_gradients") return GradientNormWords::tr("This graph has no gradients: add training first.");
  if (error.kind == "no_optimizer") return ScheduleWords::tr("This graph has no optimizer, and no tensor was named.");
  if (error.kind == "not_scalar") return ScheduleWords::tr("%1 is not a scalar.").arg(node);
  if (error.kind == "no_iterator_initializer") return PipelineWords::tr("Nothing in this graph initialises the iterator %1: it has no initializer.").arg(node);
  if (error.kind == "no_enqueue") return PipelineWords::tr("Nothing in this graph fills the queue %1: it has no enqueue op.").arg(node);
  if (error.kind == "no_handle") return PipelineWords::tr("The iterator that %1 reads is chosen by a feed, and this graph has no handle to feed.").arg(node);
  return errorText(error);
}

QString whyNoElement(const PipelineFeeder& feeder, const Session& session) {
  if (const Status failed = feeder.failure(); !failed.ok()) return previewErrorText(failed.error());
  for (const QueueFacts& q : queueFacts(session))
    if (const QString sentence = q.sentence(); !sentence.isEmpty()) return sentence;
  return PipelineWords::tr("No element arrived in time.");
}

}  // namespace weft::app
