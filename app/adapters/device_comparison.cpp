#include "adapters/device_comparison.h"

#include <QCoreApplication>
#include <QHash>
#include <algorithm>

#include "adapters/engine_graph.h"
#include "adapters/machine.h"
#include "adapters/profile_trace.h"
#include "common/format.h"
#include "support/device_times.h"
#include "weft/session.h"
#include "weft/train.h"

namespace weft::app {
namespace {

struct DeviceText {
  Q_DECLARE_TR_FUNCTIONS(DeviceComparison)
};

constexpr int64_t kWarmUp = 3;  // the first steps allocate, choose algorithms and plan

struct Timed {
  DeviceTime time;
  PassTimes passes;
};

Result<Timed> timeOn(const DeviceRequest& request, const std::string& device, const std::function<bool(double)>& report) {
  std::vector<std::shared_ptr<StepTrace>> steps;
  TrainOptions options;
  options.folder = request.documentFolder.toStdString();
  options.steps = kWarmUp + request.steps;
  options.logFolder = options.checkpointFolder = "";  // nothing is saved, whatever the document says
  for (const auto& [name, value] : request.set)
    if (name != QLatin1String("device")) options.set.emplace_back(name.toStdString(), value.toStdString());
  options.set.emplace_back("eval_every_steps", "0");
  options.session.defaultDevice = "/device:" + device;
  options.session.allowSoftPlacement = true;
  options.session.threads = request.threads;
  std::shared_ptr<Trainer> trainer;
  bool cancelled = false;
  options.prepareRun = [](int64_t step, RunOptions& run) { run.trace = step > kWarmUp; };
  options.stepReport = [&](int64_t step, const RunReport& done) {
    if (done.trace) steps.push_back(done.trace);
    if (report(double(step) / double(kWarmUp + request.steps))) return;
    cancelled = true;
    if (trainer) trainer->stop();
  };
  WEFT_LET(auto made, Trainer::create(request.contents->engine->loaded.meta, options));
  trainer = std::move(made);
  const Status ran = trainer->run();
  if (cancelled) return cancelledError("the comparison of devices was cancelled");
  WEFT_TRY(ran);
  Timed out;
  const EngineTrace trace(traceOfSteps(steps, *trainer->session().graph(), kWarmUp + 1));
  out.time = deviceTimeOf(trace.trace, device);
  out.passes = passTimesOf(trace);
  return out;
}

QString adviceOf(const std::vector<DeviceTime>& times) {
  if (times.size() == 1) return DeviceText::tr("This machine has one device, %1: there is nothing to choose.").arg(text(times[0].device));
  const DeviceChoice choice = chooseDevice(times);
  const QString best = text(times[choice.best].device), next = text(times[choice.next].device);
  QString out = choice.worthIt ? DeviceText::tr("%1 does a step %2 times as fast as %3.").arg(best, QString::number(choice.ratio, 'f', 1), next)
                               : DeviceText::tr("%1 and %2 take the same time: where it runs makes no difference.").arg(best, next);
  const auto add = [&](const QString& sentence) { out += (out.endsWith(u'。') ? QString() : QStringLiteral(" ")) + sentence; };
  bool hostBuild = false;
  for (const auto& [name, description] : foundGpus()) hostBuild = hostBuild || description.startsWith(QLatin1String("host build"));
  if (hostBuild) add(DeviceText::tr("The GPUs here are the host build of the device code, which is for tests: their times say nothing about a real GPU."));
  if (choice.gpuLoses && !hostBuild) add(DeviceText::tr("The steps are too small for the GPU, or copies take what it gains; a larger batch may change that."));
  for (const DeviceTime& t : times) {
    if (t.elsewhere <= kMuchElsewhere) continue;
    add(DeviceText::tr("Of the time on %1, %2 % went to other devices: some ops have no kernel there, or ask for another device.")
            .arg(text(t.device))
            .arg(int(t.elsewhere * 100)));
  }
  return out;
}

/// The parts in the order in which a step computes them.
QVector<int> partsInOrder(const PassTimes& passes) {
  QVector<int> out;
  for (const PassColumn& c : passes.columns)
    if (c.forward >= 0) out << c.forward;
  for (auto c = passes.columns.crbegin(); c != passes.columns.crend(); ++c)
    if (c->backward >= 0) out << c->backward;
  if (passes.update >= 0) out << passes.update;
  return out;
}

QVector<DeviceComparison::Layer> layersOf(const std::vector<Timed>& timed) {
  QVector<DeviceComparison::Layer> out;
  QHash<QPair<int, QString>, int> at;
  for (std::size_t d = 0; d < timed.size(); ++d) {
    const PassTimes& passes = timed[d].passes;
    for (const int i : partsInOrder(passes)) {
      const PassPart& part = passes.parts[i];
      const QPair<int, QString> key(int(part.way), part.scope);
      if (!at.contains(key)) {
        at.insert(key, int(out.size()));
        out << DeviceComparison::Layer{part.way, part.scope, QVector<double>(qsizetype(timed.size()), -1), part.nodes};
      }
      out[at[key]].ns[qsizetype(d)] = partNs(part, -1);
    }
  }
  return out;
}

}  // namespace

DeviceComparisonOutcome compareDevices(const DeviceRequest& request, const std::function<bool(double)>& report) {
  lookForDevices();
  auto out = std::make_shared<DeviceComparison>();
  out->document = request.title;
  out->steps = request.steps;
  out->devices << DeviceComparison::Device{QStringLiteral("CPU:0"), {}};
  for (const auto& [name, description] : foundGpus()) out->devices << DeviceComparison::Device{name, description};
  std::vector<Timed> timed;
  std::vector<DeviceTime> times;
  for (DeviceComparison::Device& d : out->devices) {
    const double before = double(timed.size()), share = 1.0 / double(out->devices.size());
    auto one = timeOn(request, d.name.toStdString(), [&](double done) { return report((before + done) * share); });
    if (!one.ok()) return {nullptr, DeviceText::tr("On %1: %2").arg(d.name, errorText(one.error()))};
    d.stepNs = one->time.stepNs;
    d.copiesNs = one->time.copiesNs;
    d.elsewhere = one->time.elsewhere;
    times.push_back(one->time);
    timed.push_back(std::move(*one));
  }
  out->layers = layersOf(timed);
  out->advice = adviceOf(times);
  return {out, {}};
}

}  // namespace weft::app
