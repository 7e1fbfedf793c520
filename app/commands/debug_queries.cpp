#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "commands/script_queries.h"
#include "document/debug_controller.h"
#include "document/workspace.h"
#include "shell/queue_watch.h"

namespace weft::app {
namespace {

QByteArray line(const QJsonArray& array) { return QJsonDocument(array).toJson(QJsonDocument::Compact); }
QByteArray line(const QJsonObject& object) { return QJsonDocument(object).toJson(QJsonDocument::Compact); }

QJsonObject printDebug(const DebugState& s) {
  static const char* const phases[] = {"idle", "starting", "running", "stopped", "ended"};
  static const char* const reasons[] = {"entry", "step", "breakpoint", "reached", "pause", "failure"};
  const bool stopped = s.phase == DebugPhase::Stopped;
  const LoopPlace* loop = stopped ? s.loop() : nullptr;
  QJsonArray frames;
  for (const LoopPlace& l : s.stop.loops)
    frames << QJsonObject{{QStringLiteral("frame"), QString::fromStdString(l.frame)}, {QStringLiteral("iteration"), qint64(l.iteration)}};
  QJsonObject out{{QStringLiteral("state"), QLatin1String(phases[int(s.phase)])},
                  {QStringLiteral("node"), stopped ? s.node() : QString()},
                  {QStringLiteral("frame"), loop ? QString::fromStdString(loop->frame) : QString()},
                  {QStringLiteral("iteration"), loop ? QJsonValue(qint64(loop->iteration)) : QJsonValue()}};
  if (stopped) {
    out.insert(QStringLiteral("op"), s.op());
    out.insert(QStringLiteral("computed"), s.stop.computed);
    out.insert(QStringLiteral("index"), qint64(s.stop.index));
    out.insert(QStringLiteral("reason"), QLatin1String(reasons[int(s.stop.reason)]));
    out.insert(QStringLiteral("message"), QString::fromStdString(s.stop.message));
    out.insert(QStringLiteral("frames"), frames);
    if (!s.stop.task.empty()) out.insert(QStringLiteral("task"), s.task());
    if (s.stop.breakpoint > 0) out.insert(QStringLiteral("breakpoint"), s.stop.breakpoint);
  }
  if (!s.notStepped.empty()) out.insert(QStringLiteral("not_stepped"), QJsonArray::fromStringList(s.tasksApart()));
  if (!s.setByHand.empty()) out.insert(QStringLiteral("set_by_hand"), QJsonArray::fromStringList(s.changed()));
  if (s.ofTraining) out.insert(QStringLiteral("of_training"), true);
  if (s.step > 0) out.insert(QStringLiteral("step"), qint64(s.step));
  if (s.phase == DebugPhase::Ended) {
    out.insert(QStringLiteral("error"), s.failure);
    if (!s.failedNode.isEmpty()) out.insert(QStringLiteral("error_node"), s.failedNode);
    if (!s.notReached.empty()) out.insert(QStringLiteral("not_reached"), QString::fromStdString(s.notReached));
  }
  return out;
}

QJsonArray numbers(const QVector<qint64>& values) {
  QJsonArray out;
  for (const qint64 v : values) out << v;
  return out;
}

QJsonObject printOrigin(const DebugOrigin& o) {
  return {{QStringLiteral("tensor"), o.tensor}, {QStringLiteral("op"), o.op},         {QStringLiteral("place"), o.place},
          {QStringLiteral("shape"), o.shape},   {QStringLiteral("values"), o.values}, {QStringLiteral("positions"), o.positions},
          {QStringLiteral("reason"), o.reason}};
}

QJsonArray printOrigins(const QVector<DebugOrigin>& origins) {
  QJsonArray out;
  for (const DebugOrigin& o : origins) out << printOrigin(o);
  return out;
}

}  // namespace

std::optional<QueryResult> answerDebugQuery(Workspace& workspace, const QStringList& words) {
  DebugController& debug = workspace.debugger();
  const QString what = words.value(0);
  if (what == QLatin1String("debug")) {
    debug.update();
    return QueryResult{line(printDebug(debug.state())), {}};
  }
  if (what == QLatin1String("breakpoints")) {
    QJsonArray out;
    for (const Breakpoint& b : debug.breakpoints(workspace.current()))
      out << QJsonObject{{QStringLiteral("id"), b.id},
                         {QStringLiteral("place"), QString::fromStdString(b.place)},
                         {QStringLiteral("condition"), QString::fromStdString(b.condition)},
                         {QStringLiteral("log"), QString::fromStdString(b.log)},
                         {QStringLiteral("from_hit"), qint64(b.fromHit)},
                         {QStringLiteral("hits"), qint64(b.hits)},
                         {QStringLiteral("enabled"), b.enabled},
                         {QStringLiteral("problem"), debug.problem(workspace.current(), b.id)}};
    return QueryResult{line(out), {}};
  }
  if (what == QLatin1String("watches")) {
    QJsonArray out;
    for (const QString& expression : debug.watches(workspace.current())) {
      bool ok = false;
      const QString value = debug.evaluate(expression, &ok);
      out << QJsonObject{{QStringLiteral("expression"), expression}, {QStringLiteral("value"), ok ? QJsonValue(value) : QJsonValue()}};
    }
    return QueryResult{line(out), {}};
  }
  if (what == QLatin1String("queues")) {
    QJsonArray out;
    for (const QueueFacts& q : presentQueues(workspace))
      out << QJsonObject{{QStringLiteral("name"), q.name},
                         {QStringLiteral("kind"), q.kind},
                         {QStringLiteral("elements"), q.contents},
                         {QStringLiteral("size"), q.size},
                         {QStringLiteral("capacity"), q.capacity < 0 ? QJsonValue() : QJsonValue(q.capacity)},
                         {QStringLiteral("waiting_enqueues"), q.waitingEnqueues},
                         {QStringLiteral("waiting_dequeues"), q.waitingDequeues},
                         {QStringLiteral("wanted"), q.wanted},
                         {QStringLiteral("put"), q.put},
                         {QStringLiteral("taken"), q.taken},
                         {QStringLiteral("closed"), q.closed},
                         {QStringLiteral("blocked"), q.sentence()}};
    return QueryResult{line(out), {}};
  }
  if (what == QLatin1String("autopsy")) {
    const DebugAutopsy& a = debug.autopsy();
    return QueryResult{line(QJsonObject{{QStringLiteral("found"), a.found},
                                        {QStringLiteral("summary"), a.summary},
                                        {QStringLiteral("origin"), printOrigin(a.origin)},
                                        {QStringLiteral("inputs"), printOrigins(a.inputs)},
                                        {QStringLiteral("path"), printOrigins(a.path)},
                                        {QStringLiteral("sources"), printOrigins(a.sources)},
                                        {QStringLiteral("batch_rows"), numbers(a.batchRows)},
                                        {QStringLiteral("data_rows"), numbers(a.dataRows)}}),
                       {}};
  }
  // Once a debugged run has ended, the training's newer variables are preferred.
  if (what == QLatin1String("tensor") && (debug.isActive() || (debug.hasValues() && !workspace.runs().isActive()))) {
    QString json, error;
    return debug.tensorJson(words.value(1), &json, &error) ? QueryResult{json.toUtf8(), {}} : QueryResult{{}, error};
  }
  return std::nullopt;
}

}  // namespace weft::app
