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
  using Phase = DebugState::Phase;
  static const char* const phases[] = {"idle", "starting", "running", "stopped", "ended"};
  static const char* const reasons[] = {"entry", "step", "breakpoint", "reached", "pause", "failure"};
  const bool stopped = s.phase == Phase::Stopped;
  QJsonArray frames;
  for (const DebugLoop& l : s.loops) frames << QJsonObject{{QStringLiteral("frame"), l.frame}, {QStringLiteral("iteration"), l.iteration}};
  QJsonObject out{{QStringLiteral("state"), QLatin1String(phases[int(s.phase)])},
                  {QStringLiteral("node"), stopped ? s.node : QString()},
                  {QStringLiteral("frame"), stopped && !s.loops.isEmpty() ? s.loops.last().frame : QString()},
                  {QStringLiteral("iteration"), stopped && !s.loops.isEmpty() ? QJsonValue(s.loops.last().iteration) : QJsonValue()}};
  if (stopped) {
    out.insert(QStringLiteral("op"), s.op);
    out.insert(QStringLiteral("computed"), s.computed);
    out.insert(QStringLiteral("index"), s.index);
    out.insert(QStringLiteral("reason"), QLatin1String(reasons[int(s.reason)]));
    out.insert(QStringLiteral("message"), s.message);
    out.insert(QStringLiteral("frames"), frames);
    if (!s.task.isEmpty()) out.insert(QStringLiteral("task"), s.task);
    if (s.breakpoint > 0) out.insert(QStringLiteral("breakpoint"), s.breakpoint);
  }
  if (!s.notStepped.isEmpty()) out.insert(QStringLiteral("not_stepped"), QJsonArray::fromStringList(s.notStepped));
  if (!s.setByHand.isEmpty()) out.insert(QStringLiteral("set_by_hand"), QJsonArray::fromStringList(s.setByHand));
  if (s.ofTraining) out.insert(QStringLiteral("of_training"), true);
  if (s.step > 0) out.insert(QStringLiteral("step"), s.step);
  if (s.phase == Phase::Ended) {
    out.insert(QStringLiteral("error"), s.error);
    if (!s.errorNode.isEmpty()) out.insert(QStringLiteral("error_node"), s.errorNode);
    if (!s.notReached.isEmpty()) out.insert(QStringLiteral("not_reached"), s.notReached);
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
    for (const DebugBreakpoint& b : debug.breakpoints(workspace.current()))
      out << QJsonObject{{QStringLiteral("id"), b.id},           {QStringLiteral("place"), b.place},      {QStringLiteral("condition"), b.condition},
                         {QStringLiteral("log"), b.log},         {QStringLiteral("from_hit"), b.fromHit}, {QStringLiteral("hits"), b.hits},
                         {QStringLiteral("enabled"), b.enabled}, {QStringLiteral("problem"), b.problem}};
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
