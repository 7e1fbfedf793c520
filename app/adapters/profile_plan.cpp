#include "adapters/profile_plan.h"

#include <QCoreApplication>

#include "adapters/engine_graph.h"
#include "adapters/profile_trace.h"
#include "weft/profile_views.h"

namespace weft::app {
namespace {

struct PlanTexts {
  Q_DECLARE_TR_FUNCTIONS(PlanTexts)
};

// Texts of the engine with placeholders for its numbers, listed here for translation.
[[maybe_unused]] constexpr const char* kDone[] = {
    QT_TRANSLATE_NOOP("PlanPasses", "%1 nodes"),
    QT_TRANSLATE_NOOP("PlanPasses", "%1 nodes in %2 groups"),
    QT_TRANSLATE_NOOP("PlanPasses", "%1 edges and %2 nodes less"),
    QT_TRANSLATE_NOOP("PlanPasses", "%1 convolutions"),
    QT_TRANSLATE_NOOP("PlanPasses", "%1 pools"),
    QT_TRANSLATE_NOOP("PlanPasses", "%1 product"),
    QT_TRANSLATE_NOOP("PlanPasses", "%1 products"),
    QT_TRANSLATE_NOOP("PlanPasses", "%1 products added to %2 sum"),
    QT_TRANSLATE_NOOP("PlanPasses", "%1 products added to %2 sums"),
    QT_TRANSLATE_NOOP("PlanPasses", "%1 node computed again"),
    QT_TRANSLATE_NOOP("PlanPasses", "%1 nodes computed again"),
    QT_TRANSLATE_NOOP("PlanPasses", "%1 matrix"),
    QT_TRANSLATE_NOOP("PlanPasses", "%1 matrices"),
};

struct Meaning {
  const char *name, *text;
};
constexpr Meaning kMeanings[] = {
    {"native_loops", QT_TRANSLATE_NOOP("PlanPasses", "Runs a while loop as one op, without scheduling each iteration.")},
    {"scalar_loops", QT_TRANSLATE_NOOP("PlanPasses", "Runs a loop over scalars as a small program, without tensors.")},
    {"loop_products",
     QT_TRANSLATE_NOOP("PlanPasses", "Computes the gradient of a loop's weights as one product over all iterations instead of one per iteration.")},
    {"loop_transposes", QT_TRANSLATE_NOOP("PlanPasses", "Transforms a loop-invariant matrix once before the loop instead of in each iteration.")},
    {"unread_removal", QT_TRANSLATE_NOOP("PlanPasses", "Removes computations without consumers, such as the gradient of the input images.")},
    {"constant_folding", QT_TRANSLATE_NOOP("PlanPasses", "Computes what is constant, including shapes, once before the first step.")},
    {"control_simplification", QT_TRANSLATE_NOOP("PlanPasses", "Removes control edges that make no difference, so that more nodes can be fused.")},
    {"identity_removal", QT_TRANSLATE_NOOP("PlanPasses", "Removes nodes that only pass a value on.")},
    {"convolution_fusion", QT_TRANSLATE_NOOP("PlanPasses", "Adds the bias and applies Relu while the convolution writes its result.")},
    {"pool_gradient_fusion", QT_TRANSLATE_NOOP("PlanPasses", "Computes the gradients of a pooling op and the preceding Relu together.")},
    {"product_slicing", QT_TRANSLATE_NOOP("PlanPasses", "Computes only the columns of a matrix product that are read.")},
    {"product_sums", QT_TRANSLATE_NOOP("PlanPasses", "Accumulates matrix products as they are computed instead of storing each and adding them afterwards.")},
    {"elementwise_fusion",
     QT_TRANSLATE_NOOP("PlanPasses", "Fuses chains of element-wise nodes: memory is read and written once, and intermediate results need none.")},
    {"side_by_side", QT_TRANSLATE_NOOP("PlanPasses", "Runs nodes that use one thread beside each other, where that was measured to be faster.")},
    {"recomputation",
     QT_TRANSLATE_NOOP("PlanPasses", "Computes values a second time instead of keeping them, so that the step stays within its memory limit.")},
    {"device copies", QT_TRANSLATE_NOOP("PlanPasses", "Inserts the copies that move tensors between devices.")},
};

PlanPass passOf(const std::string& line) {
  const QString all = text(line);
  const qsizetype colon = all.indexOf(QLatin1String(": ")), end = all.indexOf(u'\n');
  PlanPass out;
  out.name = all.left(colon);
  out.did = colon < 0 ? QString() : all.mid(colon + 2, end < 0 ? -1 : end - colon - 2);
  out.details = end < 0 ? QString() : all.mid(end + 1).trimmed();
  return out;
}

std::shared_ptr<const widgets::MemoryMapData> memoryOf(const PlanReport& report) {
  if (report.blocks.empty()) return nullptr;
  auto out = std::make_shared<widgets::MemoryMapData>();
  QHash<QString, QString> categories;
  for (const PlannedStep& s : report.steps) {
    out->steps << text(s.name);
    categories.insert(out->steps.constLast(), opCategoryOf(text(s.op)));
  }
  for (const PlannedBlock& b : report.blocks) {
    widgets::MemoryBlock block;
    block.tensor = text(b.tensor);
    block.node = block.tensor.left(block.tensor.lastIndexOf(u':'));
    block.opCategory = categories.value(block.node);
    block.offset = qint64(b.offset);
    block.bytes = qint64(b.bytes);
    block.first = b.first;
    block.last = b.last;
    out->blocks << block;
  }
  for (const size_t bytes : report.bytesOverTime()) out->inUse << qint64(bytes);
  out->arenaBytes = qint64(report.arenaBytes);
  out->leastBytes = qint64(report.leastBytes);
  return out;
}

}  // namespace

QString passEffect(const PlanPass& pass) {
  QString form;
  QStringList numbers;
  for (qsizetype i = 0; i < pass.did.size();) {
    if (!pass.did[i].isDigit()) {
      form += pass.did[i++];
      continue;
    }
    const qsizetype begin = i;
    while (i < pass.did.size() && pass.did[i].isDigit()) ++i;
    numbers << pass.did.mid(begin, i - begin);
    form += QStringLiteral("%%1").arg(numbers.size());
  }
  QString out = QCoreApplication::translate("PlanPasses", form.toUtf8().constData());
  // Backwards, because %1 is a prefix of %10.
  for (qsizetype n = numbers.size(); n > 0; --n) out.replace(QStringLiteral("%%1").arg(n), numbers[n - 1]);
  return out;
}

QString passDescription(const QString& name) {
  for (const Meaning& m : kMeanings)
    if (name == QLatin1String(m.name)) return QCoreApplication::translate("PlanPasses", m.text);
  return {};
}

ProfilePlanPtr makePlan(const StepPlan& plan) {
  auto out = std::make_shared<ProfilePlan>();
  for (const std::string& line : plan.passes) out->passes << passOf(line);
  out->calls = int(plan.report.steps.size());
  out->isDataflow = plan.isDataflow;
  out->report = std::make_shared<const PlanReport>(plan.report);
  for (const PlannedStep& s : plan.report.steps) {
    if (s.merged.empty()) continue;
    PlanGroup group;
    group.node = text(s.name);
    group.op = text(s.op);
    group.bytes = s.bytes;
    for (const int id : s.merged) {
      const auto at = plan.names.find(id);
      if (at != plan.names.end()) group.merged << text(at->second);
    }
    for (const QString& node : group.all()) out->groupOf.insert(node, int(out->groups.size()));
    out->groups << group;
  }
  out->memory = memoryOf(plan.report);
  if (out->memory)
    for (qsizetype i = 0; i < out->memory->blocks.size(); ++i) out->blocksOf[out->memory->blocks[i].node] << int(i);
  return out;
}

ProfilePlanPtr planOf(const ProfileContents& profile, QString* why) {
  const EngineTrace& engine = *profile.engine;
  if (engine.plan) return engine.plan;
  *why =
      !engine.whyNoPlan.isEmpty()
          ? engine.whyNoPlan
          : PlanTexts::tr(
                "This trace was read from a file. A file records when ops ran, but not how the step was planned: which nodes were fused and where tensors were placed in memory. Trace training steps here to see that.");
  return nullptr;
}

QVector<PlanFloor> floorsOf(const ProfileContents& profile, const ProfileRoof& roof) {
  QVector<PlanFloor> out;
  const PlanReport* const plan = profile.engine->plan ? profile.engine->plan->report.get() : nullptr;
  for (const NodeFloor& f : nodeFloors(profile.engine->trace, {roof.gflops, roof.gigabytes}, plan)) {
    PlanFloor floor;
    floor.node = text(f.name);
    floor.op = text(f.op);
    floor.ns = f.ns;
    floor.floorNs = f.floorNs;
    floor.flops = f.flops;
    floor.bytes = f.bytes;
    if (f.floorNs > 0) floor.limit = f.flops / roof.gflops > f.bytes / roof.gigabytes ? PlanFloor::Limit::Arithmetic : PlanFloor::Limit::Memory;
    switch (f.gap) {
      case NodeFloor::Gap::None: floor.gap = PlanFloor::Gap::None; break;
      case NodeFloor::Gap::Short: floor.gap = PlanFloor::Gap::Short; break;
      case NodeFloor::Gap::OneThread: floor.gap = PlanFloor::Gap::OneThread; break;
      case NodeFloor::Gap::Double: floor.gap = PlanFloor::Gap::Double; break;
      case NodeFloor::Gap::Unknown: floor.gap = f.floorNs > 0 ? PlanFloor::Gap::Kernel : PlanFloor::Gap::NoFloor; break;
    }
    out << floor;
  }
  return out;
}

}  // namespace weft::app
