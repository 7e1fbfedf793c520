#include "adapters/why_answers.h"

#include <QStringList>
#include <algorithm>
#include <atomic>

#include "adapters/engine_graph.h"
#include "adapters/training_job_impl.h"
#include "weft/mutex.h"
#include "weft/provenance.h"
#include "weft/train.h"

namespace weft::app {
namespace {

QVector<qint64> positions(const std::vector<int64_t>& index) { return QVector<qint64>(index.begin(), index.end()); }

WhyPart partOf(const OriginPart& p) {
  WhyPart out;
  out.tensor = QString::fromStdString(p.element.tensor);
  out.index = positions(p.element.index);
  out.step = p.element.step;
  out.whole = p.whole;
  out.kind = WhyPart::Kind(int(p.kind));
  out.op = QString::fromStdString(p.op);
  out.input = QString::fromStdString(p.input);
  out.value = p.value;
  out.slope = p.slope;
  out.contribution = p.contribution;
  out.order = p.order;
  return out;
}

OriginPart engineOf(const WhyPart& p) {
  OriginPart out;
  out.element = {p.tensor.toStdString(), {p.index.begin(), p.index.end()}, p.step};
  out.whole = p.whole;
  out.kind = OriginKind(int(p.kind));
  out.op = p.op.toStdString();
  out.input = p.input.toStdString();
  out.value = p.value;
  out.slope = p.slope;
  out.contribution = p.contribution;
  out.order = p.order;
  return out;
}

WhyPath pathOf(const std::vector<Origin>& origins) {
  WhyPath out;
  for (const Origin& o : origins) {
    WhyLink link;
    link.self = partOf(o.self);
    link.rule = WhyLink::Rule(int(o.rule));
    for (const OriginPart& p : o.parts) link.parts << partOf(p);
    link.count = o.count;
    link.rest = o.rest;
    link.dataRow = o.dataRow;
    out.links << link;
  }
  return out;
}

}  // namespace

QString WhyPart::text() const {
  if (index.isEmpty()) return tensor;
  QStringList numbers;
  for (const qint64 i : index) numbers << QString::number(i);
  return QStringLiteral("%1[%2]").arg(tensor, numbers.join(u','));
}

struct WhyEngine::Impl {
  Mutex working;  // of one call
  std::unique_ptr<Provenance> provenance WEFT_GUARDED_BY(working);
  Mutex tokenMutex;  // held briefly
  CancellationToken token WEFT_GUARDED_BY(tokenMutex);

  /// Of the calls until the next cancel().
  CancellationToken present() WEFT_EXCLUDES(tokenMutex) {
    const MutexLock lock(tokenMutex);
    return token;
  }
  Result<Provenance*> ready(const TrainedModelPtr& model, const CancellationToken& asked) WEFT_REQUIRES(working) {
    if (asked.cancelled()) return cancelledError("Cancelled.");
    if (!provenance) {
      WEFT_LET(auto replay, model->trainer()->replay());
      WEFT_LET(provenance, Provenance::create(std::move(replay), {}));
    }
    provenance->setCancellation(asked);
    return provenance.get();
  }
};

WhyEngine::WhyEngine(TrainedModelPtr model) : model_(std::move(model)), impl_(std::make_unique<Impl>()) {}
WhyEngine::~WhyEngine() = default;

WhyRange WhyEngine::range() const {
  const RecordedSteps r = model_->trainer()->recordedSteps();
  return {r.first, r.last, r.copies, r.bytes, QString::fromStdString(r.whyNot)};
}

void WhyEngine::cancel() {
  const MutexLock lock(impl_->tokenMutex);
  impl_->token.cancel();
  impl_->token = CancellationToken();
}

WhyPath WhyEngine::ask(const QString& element, qint64 step) {
  const CancellationToken asked = impl_->present();
  const MutexLock lock(impl_->working);
  const auto answer = [&]() WEFT_REQUIRES(impl_->working) -> Result<WhyPath> {
    WEFT_LET(Element wanted, parseElement(element.trimmed().toStdString()));
    wanted.step = step;
    WEFT_LET(Provenance * provenance, impl_->ready(model_, asked));
    if (wanted.index.empty()) {
      WEFT_LET(wanted, provenance->largest(wanted.tensor, step));
    }
    WEFT_LET(const auto path, provenance->path(wanted));
    WhyPath out = pathOf(path);
    for (const auto& [done, value] : provenance->history(wanted)) out.history << QPointF(double(done), value);
    return out;
  };
  auto made = answer();
  if (made.ok()) return std::move(*made);
  WhyPath failed;
  failed.error = errorText(made.error());
  return failed;
}

WhyPath WhyEngine::follow(const WhyPart& part) {
  const CancellationToken asked = impl_->present();
  const MutexLock lock(impl_->working);
  const auto answer = [&]() WEFT_REQUIRES(impl_->working) -> Result<WhyPath> {
    WEFT_LET(Provenance * provenance, impl_->ready(model_, asked));
    WEFT_LET(const auto path, provenance->pathFrom(engineOf(part)));
    return pathOf(path);
  };
  auto made = answer();
  if (made.ok()) return std::move(*made);
  WhyPath failed;
  failed.error = errorText(made.error());
  return failed;
}

WhyRows WhyEngine::rows(const WhyPart& element) {
  const CancellationToken asked = impl_->present();
  const MutexLock lock(impl_->working);
  const auto answer = [&]() WEFT_REQUIRES(impl_->working) -> Result<RowShares> {
    WEFT_LET(Provenance * provenance, impl_->ready(model_, asked));
    return provenance->rows(engineOf(element).element);
  };
  const auto made = answer();
  WhyRows out;
  if (!made.ok()) {
    out.error = errorText(made.error());
    return out;
  }
  out.kind = WhyRows::Kind(int(made->kind));
  out.tensor = QString::fromStdString(made->tensor);
  out.value = made->value;
  for (const RowShare& r : made->rows) out.rows << WhyRow{r.batchRow, r.row, r.value, r.contribution};
  return out;
}

namespace {

WhyDifference shown(const Result<StepDifference>& made) {
  WhyDifference out;
  if (!made.ok()) {
    out.error = errorText(made.error());
    return out;
  }
  out.firstStep = made->firstStep;
  out.secondStep = made->secondStep;
  out.compared = made->compared;
  out.differing = made->differing;
  out.same = made->firstStep == 0;
  const auto add = [&](const DifferingTensor& t, bool cause) {
    out.tensors << WhyDiffering{QString::fromStdString(t.tensor),
                                QString::fromStdString(t.op),
                                QString::fromStdString(t.why),
                                positions(t.index),
                                t.first,
                                t.second,
                                t.largest,
                                t.elements,
                                cause};
  };
  for (const DifferingTensor& t : made->causes) add(t, true);
  for (const DifferingTensor& t : made->tensors) {
    const bool known = std::any_of(made->causes.begin(), made->causes.end(), [&](const DifferingTensor& c) { return c.tensor == t.tensor; });
    if (!known) add(t, false);
  }
  return out;
}

}  // namespace

WhyDifference WhyEngine::difference(qint64 firstStep, qint64 secondStep) {
  const CancellationToken asked = impl_->present();
  const MutexLock lock(impl_->working);
  const auto answer = [&]() WEFT_REQUIRES(impl_->working) -> Result<StepDifference> {
    WEFT_LET(Provenance * provenance, impl_->ready(model_, asked));
    return differenceOfSteps(*provenance, firstStep, *provenance, secondStep);
  };
  return shown(answer());
}

WhyDifference WhyEngine::differenceFrom(WhyEngine& other, qint64 step) {
  const CancellationToken asked = impl_->present();
  // Questions run one after the other in a task each, and only a question to this engine waits for another one: there is no circle.
  const MutexLock lock(impl_->working);
  const MutexLock otherLock(other.impl_->working);
  const auto answer = [&]() WEFT_REQUIRES(impl_->working, other.impl_->working) -> Result<StepDifference> {
    WEFT_LET(Provenance * mine, impl_->ready(model_, asked));
    WEFT_LET(Provenance * its, other.impl_->ready(other.model_, asked));
    int64_t at = step;
    if (at == 0) {
      WEFT_LET(at, firstDifferingStep(*mine, *its));
    }
    if (at == 0) return StepDifference();
    return differenceOfSteps(*mine, at, *its, at);
  };
  return shown(answer());
}

TrainedModelPtr trainAgain(const TrainAgain& wanted, const std::function<bool(double)>& report, QString* error) {
  constexpr int64_t kSteps = 1000;
  TrainOptions options;
  options.folder = wanted.request.documentFolder.toStdString();
  options.logFolder = options.checkpointFolder = std::string();
  options.resumeFrom = wanted.request.resumeFrom.toStdString();
  if (wanted.request.carried) {
    options.carried = wanted.request.carried->variables;
    options.carriedStep = wanted.request.carried->step;
  }
  QVector<QPair<QString, QString>> set = wanted.request.set;
  for (const QPair<QString, QString>& change : wanted.set) {
    set.removeIf([&](const QPair<QString, QString>& known) { return known.first == change.first; });
    set << change;
  }
  for (const auto& [name, value] : set) {
    if (name == QLatin1String("device")) options.session.defaultDevice = "/device:" + value.toStdString();
    else options.set.emplace_back(name.toStdString(), value.toStdString());
  }
  options.session.threads = wanted.request.threads;
  options.session.memoryLimitFraction = wanted.request.memoryFraction;
  options.session.memoryLimitBytes = wanted.request.stepBytes;
  options.steps = wanted.steps;
  options.recording = {kSteps, std::max<int64_t>(wanted.request.recordBytes, 64 << 20)};
  options.callbacks.gradients = [](int64_t, const std::vector<GradientNorm>&) {};  // as in a training of the window, so that a step computes the same
  std::atomic<bool> stop{false};
  options.interrupted = &stop;
  options.callbacks.step = [&](const TrainStep& s) {
    if (!report(double(s.step) / double(std::max<int64_t>(1, wanted.steps)))) stop = true;
  };
  auto made = Trainer::create(wanted.contents->engine->loaded.meta, std::move(options));
  if (!made.ok()) {
    *error = errorText(made.error());
    return nullptr;
  }
  const std::shared_ptr<Trainer> trainer = std::move(*made);
  const Status trained = trainer->run();
  // A training that diverged can be compared up to there.
  if (!trained.ok() && trainer->step() == 0) {
    *error = errorText(trained.error());
    return nullptr;
  }
  return std::make_shared<const TrainedModel>(trainer);
}

}  // namespace weft::app
