#include "commands/script_queries.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>

#include "adapters/graph_files.h"
#include "commands/inspect_query.h"
#include "commands/stall_watch.h"
#include "commands/sweep_actions.h"
#include "document/document.h"
#include "document/program_graphs.h"
#include "document/program_sessions.h"
#include "document/step_estimate.h"
#include "graph_view/graph_view.h"
#include "main_window/finder.h"
#include "main_window/main_window.h"
#include "main_window/notifier.h"
#include "main_window/probes.h"
#include "main_window/schedule_window.h"

namespace weft::app {
namespace {

struct ScriptQueries {
  Q_DECLARE_TR_FUNCTIONS(ScriptQueries)
};

QueryResult json(const QJsonObject& object) { return {QJsonDocument(object).toJson(QJsonDocument::Compact), {}}; }
QueryResult json(const QJsonArray& array) { return {QJsonDocument(array).toJson(QJsonDocument::Compact), {}}; }
QueryResult failed(const QString& why) { return {{}, why}; }

QueryResult printDocument(const Document& document) {
  const GraphSummary& s = document.summary();
  return json(QJsonObject{{QStringLiteral("file"), document.path()},
                          {QStringLiteral("title"), document.title()},
                          {QStringLiteral("nodes"), s.nodes},
                          {QStringLiteral("scopes"), s.scopes},
                          {QStringLiteral("variables"), s.variables},
                          {QStringLiteral("parameters"), s.parameters},
                          {QStringLiteral("modified"), document.isModified()},
                          {QStringLiteral("undo"), document.history().index()},
                          {QStringLiteral("redo"), document.history().count() - document.history().index()}});
}

QueryResult printProblems(const Document& document) {
  QJsonArray list;
  for (const Problem& p : document.problems()) {
    list << QJsonObject{{QStringLiteral("node"), p.node},
                        {QStringLiteral("code"), p.code},
                        {QStringLiteral("message"), p.message},
                        {QStringLiteral("fixes"), QJsonArray::fromStringList(p.fixes)}};
  }
  return json(list);
}

QueryResult printViews(const MainWindow& window) {
  QJsonArray list;
  for (const QString& id : window.viewIds())
    list << QJsonObject{{QStringLiteral("dock"), id},
                        {QStringLiteral("visible"), window.isViewVisible(id)},
                        {QStringLiteral("open"), window.isViewOpen(id)},
                        {QStringLiteral("floating"), window.isViewFloating(id)}};
  return json(list);
}

QueryResult printSchedule(const MainWindow& window) {
  const auto* shown = window.findChild<ScheduleWindow*>();
  if (!shown) return failed(ScriptQueries::tr("No chart over steps is shown."));
  const ScheduleCurve& c = shown->curve();
  QJsonArray steps, values;
  for (const widgets::Sample& s : c.points) {
    steps << s.step;
    values << jsonNumber(s.value);
  }
  return json(QJsonObject{{QStringLiteral("tensor"), c.tensor},
                          {QStringLiteral("step"), c.step},
                          {QStringLiteral("error"), c.error},
                          {QStringLiteral("steps"), steps},
                          {QStringLiteral("values"), values}});
}

QueryResult printRun(RunController& runs) {
  runs.drain();
  static const char* kStates[] = {"idle", "running", "paused", "stopping", "finished", "stopped", "failed"};
  const RunProgress& p = runs.progress();
  QJsonObject object{{QStringLiteral("state"), QLatin1String(kStates[int(runs.state())])},
                     {QStringLiteral("step"), p.step},
                     {QStringLiteral("epoch"), p.epoch},
                     {QStringLiteral("loss"), p.hasLoss ? jsonNumber(p.loss) : QJsonValue()},
                     {QStringLiteral("accuracy"), p.hasAccuracy ? jsonNumber(p.accuracy) : QJsonValue()}};
  if (const RunRecord* run = runs.currentRun()) {
    object.insert(QStringLiteral("document"), run->document);
    object.insert(QStringLiteral("name"), run->name);
    object.insert(QStringLiteral("folder"), run->folder);
  }
  if (!runs.lastError().isEmpty()) object.insert(QStringLiteral("error"), runs.lastError());
  return json(object);
}

QJsonObject seriesJson(const widgets::SeriesStore& series) {
  QJsonArray steps, values;
  for (const widgets::Sample& sample : series.samples()) {
    steps << qint64(sample.step);
    values << jsonNumber(sample.value);
  }
  return {{QStringLiteral("steps"), steps}, {QStringLiteral("values"), values}};
}

/// `TAG [RUN]`: from the named run, else the present training, else the newest run with that tag.
QueryResult printSeries(Workspace& workspace, const QString& tag, const QString& runName) {
  workspace.runs().drain();
  workspace.summaries().drainAll();
  const auto& all = workspace.summaries().runs();
  if (all.empty()) return failed(ScriptQueries::tr("Nothing has been trained yet."));
  const SummaryRun* found = workspace.summaries().run(runName);
  if (!runName.isEmpty() && !found) return failed(ScriptQueries::tr("There is no run %1.").arg(runName));
  if (!found && workspace.runs().currentRun()) found = workspace.summaries().runOf(workspace.runs().currentRun()->folder);
  if (!found || (runName.isEmpty() && !found->scalars.count(tag))) {
    for (const auto& run : all)
      if (run->scalars.count(tag)) found = run.get();
  }
  if (!found) found = all.back().get();
  const auto it = found->scalars.find(tag);
  if (it != found->scalars.end()) return json(seriesJson(*it->second));
  QStringList tags;
  for (const auto& [name, series] : found->scalars) tags << name;
  return failed(ScriptQueries::tr("There is no series %1; there are %2.").arg(tag, tags.join(QStringLiteral(", "))));
}

/// Every run with its numbers of values by tag.
QueryResult printSummaries(Workspace& workspace) {
  workspace.runs().drain();
  workspace.summaries().drainAll();
  QJsonArray list;
  const auto counts = [](const auto& map) {
    QJsonObject object;
    for (const auto& [tag, series] : map) object.insert(tag, qint64(series->size()));
    return object;
  };
  for (const auto& run : workspace.summaries().runs()) {
    list << QJsonObject{{QStringLiteral("run"), run->name},
                        {QStringLiteral("source"), run->source},
                        {QStringLiteral("visible"), run->visible},
                        {QStringLiteral("shown"), run->visible && !run->foreign},
                        {QStringLiteral("color"), run->hue},
                        {QStringLiteral("problem"), run->problem},
                        {QStringLiteral("scalars"), counts(run->scalars)},
                        {QStringLiteral("histograms"), counts(run->histograms)},
                        {QStringLiteral("images"), counts(run->pictures)},
                        {QStringLiteral("texts"), counts(run->texts)},
                        {QStringLiteral("sounds"), counts(run->sounds)}};
  }
  return json(list);
}

/// Sessions of the Python program.
QueryResult printSessions(Workspace& workspace) {
  static const char* kStates[] = {"open", "closed", "ended"};
  QJsonArray list;
  for (const ProgramSession& s : workspace.programGraphs().sessions().list()) {
    list << QJsonObject{{QStringLiteral("number"), s.number},     {QStringLiteral("kind"), s.kind},
                        {QStringLiteral("graph"), s.graph},       {QStringLiteral("nodes"), s.nodesThen},
                        {QStringLiteral("line"), s.line},         {QStringLiteral("steps"), s.steps},
                        {QStringLiteral("default"), s.isDefault}, {QStringLiteral("state"), QLatin1String(kStates[int(s.state)])}};
  }
  return json(list);
}

QueryResult printStalls() {
  const auto* application = qobject_cast<StudioApplication*>(QCoreApplication::instance());
  if (!application) return failed(ScriptQueries::tr("Handler timing is off."));
  const StudioApplication::Stalls& s = application->stalls();
  QJsonArray worst;
  for (const StudioApplication::Stall& stall : s.worst)
    worst << QStringLiteral("%1 ms (processor %2) %3").arg(stall.ms, 0, 'f', 1).arg(stall.cpuMs, 0, 'f', 1).arg(stall.text);
  const auto distribution = [](const auto& counts) {
    QJsonObject classes;
    for (size_t i = 0; i < counts.size(); ++i) {
      const QString name =
          i < StudioApplication::kClassEndsMs.size() ? QStringLiteral("to_%1ms").arg(StudioApplication::kClassEndsMs[i]) : QStringLiteral("above");
      classes.insert(name, counts[i]);
    }
    return classes;
  };
  return json(QJsonObject{{QStringLiteral("over_5ms"), s.over5ms},
                          {QStringLiteral("max_ms"), s.maxMs},
                          {QStringLiteral("paints_over_16ms"), s.paintsOver16ms},
                          {QStringLiteral("max_paint_ms"), s.maxPaintMs},
                          {QStringLiteral("events"), s.events},
                          {QStringLiteral("busy_over_5ms"), s.busyOver5ms},
                          {QStringLiteral("busy_paints_over_16ms"), s.busyPaintsOver16ms},
                          {QStringLiteral("handlers"), distribution(s.handlers)},
                          {QStringLiteral("paints"), distribution(s.paints)},
                          {QStringLiteral("worst"), worst}});
}

/// {"batch", "flops", "outputBytes", "unknown"} of a node, a scope or the whole graph.
QueryResult printCost(Document& document, const QString& name) {
  const StepCostsPtr costs = stepCosts(*document.contents(), StepEstimate::of(document).batch());
  const StepCost cost = name.isEmpty() ? costs->total() : costOf(*costs, name, document.hasScope(name));
  if (!name.isEmpty() && !document.hasScope(name) && !document.hasNode(name))
    return failed(ScriptQueries::tr("There is no node or scope %1 in this graph.").arg(name));
  return json(QJsonObject{{QStringLiteral("batch"), costs->batch()},
                          {QStringLiteral("flops"), cost.flops},
                          {QStringLiteral("outputBytes"), qint64(cost.outputBytes)},
                          {QStringLiteral("unknown"), cost.unknown}});
}

}  // namespace

QJsonValue jsonNumber(double value) { return std::isfinite(value) ? QJsonValue(value) : QJsonValue(QString::number(value)); }

QueryResult answerQuery(MainWindow& window, const QStringList& words) {
  const QString what = words.value(0), argument = words.value(1);
  Document* document = window.workspace().current();
  RunController& runs = window.workspace().runs();
  if (what == QLatin1String("views")) return printViews(window);
  if (what == QLatin1String("layouts")) {
    return json(QJsonObject{{QStringLiteral("mode"), window.layout()},
                            {QStringLiteral("modes"), QJsonArray::fromStringList(window.layouts())},
                            {QStringLiteral("named"), QJsonArray::fromStringList(window.namedLayouts())}});
  }
  if (what == QLatin1String("found")) {
    const auto* finder = window.findChild<Finder*>();
    return finder ? json(QJsonArray::fromStringList(finder->rows())) : failed(ScriptQueries::tr("No search is open."));
  }
  if (what == QLatin1String("inspect")) return printInspect(window.workspace());
  if (what == QLatin1String("notification")) return json(QJsonObject{{QStringLiteral("text"), window.notifier().last()}});
  if (what == QLatin1String("view")) {
    const QWidget* view = window.viewWidget(argument);
    const QString report = view ? view->property("report").toString() : QString();
    return report.isEmpty() ? failed(ScriptQueries::tr("The dock %1 has nothing to print.").arg(argument)) : QueryResult{report.toUtf8(), {}};
  }
  if (what == QLatin1String("messages")) return json(QJsonArray::fromStringList(window.shownMessages()));
  if (what == QLatin1String("previews")) {
    const auto* probes = window.canvas() ? window.canvas()->findChild<Probes*>() : nullptr;
    return json(QJsonArray::fromStringList(probes ? probes->shown() : QStringList()));
  }
  if (what == QLatin1String("schedule")) return printSchedule(window);
  if (what == QLatin1String("run")) return printRun(runs);
  if (what == QLatin1String("experiments")) return {experimentsJson(window.workspace()), {}};
  if (what == QLatin1String("series")) return printSeries(window.workspace(), argument, words.value(2));
  if (what == QLatin1String("summaries")) return printSummaries(window.workspace());
  if (what == QLatin1String("sessions")) return printSessions(window.workspace());
  if (what == QLatin1String("stalls")) return printStalls();
  if (auto answer = answerDebugQuery(window.workspace(), words)) return *answer;
  if (what == QLatin1String("tensor")) {
    QString text, error;
    return runs.tensorJson(argument, &text, &error) ? QueryResult{text.toUtf8(), {}} : failed(error);
  }
  if (what == QLatin1String("templates")) {
    QJsonArray names;
    for (const TemplateInfo& info : templates()) names << info.name;
    return json(names);
  }
  if (what == QLatin1String("error")) return json(QJsonObject{{QStringLiteral("message"), window.shownError()}});
  const bool needsDocument = what == QLatin1String("document") || what == QLatin1String("selection") || what == QLatin1String("problems") ||
                             what == QLatin1String("cost") || what == QLatin1String("frame-times");
  if (!needsDocument) return failed(ScriptQueries::tr("There is no query %1.").arg(what));
  if (!document) return failed(ScriptQueries::tr("No graph is open."));
  if (what == QLatin1String("document")) return printDocument(*document);
  if (what == QLatin1String("cost")) return printCost(*document, argument);
  if (what == QLatin1String("selection")) return json(QJsonArray::fromStringList(document->selection()));
  if (what == QLatin1String("problems")) return printProblems(*document);
  if (!window.canvas()) return failed(ScriptQueries::tr("No graph is shown."));
  const widgets::FrameStats stats = window.canvas()->frameTimes();
  return json(QJsonObject{{QStringLiteral("count"), stats.count},
                          {QStringLiteral("median_ms"), stats.medianMs},
                          {QStringLiteral("p99_ms"), stats.p99Ms},
                          {QStringLiteral("max_ms"), stats.maxMs}});
}

}  // namespace weft::app
