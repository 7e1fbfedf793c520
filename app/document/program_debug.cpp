#include "document/program_debug.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

#include "adapters/program_link.h"
#include "document/document.h"
#include "document/program.h"
#include "document/program_graphs.h"
#include "document/workspace.h"

namespace weft::app {
namespace {

const QString kPointsKey = QStringLiteral("program/points");

QJsonArray breakpointList(const DebugController& debugger, const Document* document) {
  QJsonArray out;
  for (const Breakpoint& b : debugger.breakpoints(document)) {
    if (!debugger.problem(document, b.id).isEmpty()) continue;
    out << QJsonObject{{QStringLiteral("id"), b.id},
                       {QStringLiteral("place"), QString::fromStdString(b.place)},
                       {QStringLiteral("condition"), QString::fromStdString(b.condition)},
                       {QStringLiteral("log"), QString::fromStdString(b.log)},
                       {QStringLiteral("from"), qint64(b.fromHit)},
                       {QStringLiteral("enabled"), b.enabled}};
  }
  return out;
}

}  // namespace

ProgramDebug::ProgramDebug(Workspace& workspace, Program& program, ProgramGraphs& graphs) : workspace_(workspace), program_(program), graphs_(graphs) {
  const QVariantMap kept = workspace.settings().value(kPointsKey).toMap();
  for (auto it = kept.begin(); it != kept.end(); ++it) {
    for (const QVariant& each : it.value().toList()) {
      const QVariantMap point = each.toMap();
      points_[it.key()] << LinePoint{point.value(QStringLiteral("line")).toInt(), point.value(QStringLiteral("condition")).toString()};
    }
  }
  connect(&program, &Program::said, this, &ProgramDebug::handleMessage);
  connect(&program, &Program::stateChanged, this, [this] {
    if (!program_.isAlive()) endAll();
    if (link_) link_->setHeld(program_.state() == Program::State::Paused);
  });
  connect(&program, &Program::aboutToStart, this, &ProgramDebug::endAll);
  connect(&graphs, &ProgramGraphs::changed, this, [this] {
    sendPoints();
    attach();
  });
  connect(&workspace.debugger(), &DebugController::breakpointsChanged, this, &ProgramDebug::sendPoints);
  // The debugger's previous user has finished.
  connect(&workspace.debugger(), &DebugController::stateChanged, this, &ProgramDebug::attach, Qt::QueuedConnection);
}

ProgramDebug::~ProgramDebug() = default;

QVector<LinePoint> ProgramDebug::points(const QString& file) const { return points_.value(QFileInfo(file).canonicalFilePath()); }

QStringList ProgramDebug::files() const { return points_.keys(); }

void ProgramDebug::setPoint(const QString& file, int line, const QString& condition) {
  const QString path = QFileInfo(file).canonicalFilePath();
  if (path.isEmpty() || line < 1) return;
  QVector<LinePoint>& list = points_[path];
  const auto at = std::lower_bound(list.begin(), list.end(), line, [](const LinePoint& p, int l) { return p.line < l; });
  at != list.end() && at->line == line ? void(at->condition = condition) : void(list.insert(at, {line, condition}));
  keep();
}

void ProgramDebug::removePoint(const QString& file, int line) {
  const QString path = QFileInfo(file).canonicalFilePath();
  const auto list = points_.find(path);
  if (list == points_.end()) return;
  list->removeIf([line](const LinePoint& p) { return p.line == line; });
  if (list->isEmpty()) points_.erase(list);
  keep();
}

void ProgramDebug::keep() {
  QVariantMap kept;
  for (auto it = points_.begin(); it != points_.end(); ++it) {
    QVariantList list;
    for (const LinePoint& p : *it) list << QVariantMap{{QStringLiteral("line"), p.line}, {QStringLiteral("condition"), p.condition}};
    kept[it.key()] = list;
  }
  workspace_.settings().setValue(kPointsKey, kept);
  sendLines();
  emit pointsChanged();
}

static QJsonObject linesOf(const QMap<QString, QVector<LinePoint>>& points) {
  QJsonObject files;
  for (auto it = points.begin(); it != points.end(); ++it) {
    QJsonArray list;
    for (const LinePoint& p : *it) list << QJsonObject{{QStringLiteral("line"), p.line}, {QStringLiteral("condition"), p.condition}};
    files[it.key()] = list;
  }
  return files;
}

void ProgramDebug::sendLines() { program_.send({{QStringLiteral("do"), QStringLiteral("lines")}, {QStringLiteral("files"), linesOf(points_)}}); }

void ProgramDebug::connectDebugger(const QString& socket) {
  link_ = std::make_unique<ProgramLink>(program_.folder(), QFileInfo(socket).fileName());
  link_->setDetach([this](int graph, qint64 run) {
    program_.send({{QStringLiteral("do"), QStringLiteral("let-go")}, {QStringLiteral("graph"), graph}, {QStringLiteral("run"), run}});
  });
  link_->setPause([this] { breakSoon(); });
  sent_.clear();
  QJsonObject points;
  for (Document* document : graphs_.documents()) {
    const int number = graphs_.numberOf(document);
    if (number == 0) continue;
    const QJsonArray list = breakpointList(workspace_.debugger(), document);
    sent_[number] = QJsonDocument(list).toJson(QJsonDocument::Compact);
    link_->setPoints(number, sent_[number]);
    points[QString::number(number)] = list;
  }
  program_.send({{QStringLiteral("do"), QStringLiteral("start")},
                 {QStringLiteral("points"), points},
                 {QStringLiteral("lines"), linesOf(points_)},
                 {QStringLiteral("break"), breakAtStart_},
                 {QStringLiteral("build"), buildOnly_}});
  breakAtStart_ = buildOnly_ = false;
}

void ProgramDebug::sendPoints() {
  if (!link_ || !program_.isAlive()) return;
  for (Document* document : graphs_.documents()) {
    const int number = graphs_.numberOf(document);
    if (number == 0) continue;
    const QJsonArray list = breakpointList(workspace_.debugger(), document);
    const QByteArray text = QJsonDocument(list).toJson(QJsonDocument::Compact);
    if (sent_.value(number, "[]") == text) continue;
    sent_[number] = text;
    link_->setPoints(number, text);
    program_.send({{QStringLiteral("do"), QStringLiteral("points")}, {QStringLiteral("graph"), number}, {QStringLiteral("list"), list}});
  }
}

void ProgramDebug::handleMessage(const QString& event, const QByteArray& message) {
  const QJsonObject m = QJsonDocument::fromJson(message).object();
  if (event == QLatin1String("hello")) {
    connectDebugger(m[QStringLiteral("socket")].toString());
  } else if (event == QLatin1String("log")) {
    workspace_.log().info(m[QStringLiteral("text")].toString());
  } else if (event == QLatin1String("line")) {
    stop_ = {};
    stop_.why = m[QStringLiteral("why")].toString();
    for (const QJsonValue& v : m[QStringLiteral("stack")].toArray()) {
      const QJsonArray frame = v.toArray();
      stop_.stack << ProgramStop::Frame{frame.at(0).toString(), frame.at(1).toInt(), frame.at(2).toString()};
    }
    for (const QJsonValue& v : m[QStringLiteral("names")].toArray()) {
      const QJsonArray name = v.toArray();
      stop_.names << ProgramStop::Name{name.at(0).toString(), name.at(1).toString(), name.at(2).toString()};
    }
    emit stopChanged();
  } else if (event == QLatin1String("run") && link_) {
    const int graph = m[QStringLiteral("graph")].toInt();
    ProgramLink::StepEvent stepEvent;
    if (!link_->take(graph, message, &stepEvent)) return;
    if (stepEvent.ended && pending_ == graph) pending_ = 0;
    if (stepEvent.ended && followed_ == graph) followed_ = 0;
    // The graph may have grown by a later step.
    if (!stepEvent.stopped || (followed_ == graph && run_ == stepEvent.run)) return;
    pending_ = graph;
    run_ = stepEvent.run;
    attach();
  }
}

bool ProgramDebug::isWaiting() const { return pending_ != 0 && workspace_.debugger().isActive(); }

void ProgramDebug::attach() {
  DebugController& debugger = workspace_.debugger();
  if (pending_ == 0 || !link_ || (debugger.isActive() && followed_ == 0)) return;
  bool upToDate = false;
  Document* document = graphs_.document(pending_, &upToDate);
  if (!document || !upToDate) return;  // still being read
  const bool shown = followed_ == pending_ && debugger.isActive() && debugger.document() == document;
  followed_ = std::exchange(pending_, 0);
  if (shown) return;
  workspace_.setCurrent(document);
  workspace_.debugger().follow(document, [&](std::function<void()> changed) { return link_->job(followed_, document->contents(), std::move(changed)); });
  emit stepStopped();
}

void ProgramDebug::endAll() {
  link_.reset();
  pending_ = followed_ = 0;
  sent_.clear();
  if (!isAtLine()) return;
  stop_ = {};
  emit stopChanged();
}

QString ProgramDebug::goOn(const QString& how) {
  if (!isAtLine()) return tr("The Python program is not paused at a line.");
  program_.send({{QStringLiteral("do"), QStringLiteral("line")}, {QStringLiteral("how"), how}});
  return {};
}

void ProgramDebug::breakSoon() { program_.send({{QStringLiteral("do"), QStringLiteral("break")}}); }

}  // namespace weft::app
