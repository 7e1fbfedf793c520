#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <functional>

#include "commands/actions.h"
#include "document/document.h"
#include "document/profile_store.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "shell/action_registry.h"
#include "shell/file_dialogs.h"
#include "shell/shell.h"
#include "timeline/timeline_view.h"

namespace weft::app {
namespace {

struct ProfileActions {
  Q_DECLARE_TR_FUNCTIONS(ProfileActions)
};

constexpr double kSlow = 2;  // times the median
constexpr qint64 kComparedSteps = 5;

/// Runs `start` with a callback, whose call completes the command.
template <typename F>
CommandResult later(F&& start) {
  auto outcome = std::make_shared<std::optional<CommandResult>>();
  start([outcome](const QString& error) { *outcome = error.isEmpty() ? CommandResult::done() : CommandResult::failed(error); });
  return CommandResult::when([outcome] { return *outcome; });
}

widgets::TimelineView* timelineOf(Shell& shell) {
  QWidget* view = shell.viewWidget(QStringLiteral("timeline"));
  return view ? view->findChild<widgets::TimelineView*>() : nullptr;
}

void showDocks(Shell& shell) {
  shell.showView(QStringLiteral("profile"));
  shell.showView(QStringLiteral("timeline"));
}

CommandResult trace(ProfileStore& store, Shell& shell, const QStringList& arguments) {
  qint64 steps = 10;
  for (qsizetype i = 0; i < arguments.size(); i += 2) {
    bool ok = false;
    steps = arguments.value(i + 1).toLongLong(&ok);
    if (arguments[i] != QLatin1String("--steps") || !ok || steps <= 0 || steps > 10000) {
      return CommandResult::failed(ProfileActions::tr("profile.trace takes --steps N with N from 1 to 10000, not %1.").arg(arguments.mid(i).join(u' ')));
    }
  }
  return later([&](ProfileStore::Done done) {
    store.trace(steps, [&shell, done](const QString& error) {
      if (error.isEmpty()) showDocks(shell);
      done(error);
    });
  });
}

CommandResult compareDevices(ProfileStore& store, Shell& shell, const QStringList& arguments) {
  qint64 steps = kComparedSteps;
  if (!arguments.isEmpty()) {
    bool ok = false;
    steps = arguments.value(1).toLongLong(&ok);
    if (arguments[0] != QLatin1String("--steps") || arguments.size() != 2 || !ok || steps < 1 || steps > 1000)
      return CommandResult::failed(ProfileActions::tr("profile.compare-devices takes --steps N with N from 1 to 1000, not %1.").arg(arguments.join(u' ')));
  }
  return later([&](ProfileStore::Done done) {
    store.compareDevices(steps, [&shell, done](const QString& error) {
      if (error.isEmpty()) shell.showView(QStringLiteral("profile"));
      done(error);
    });
  });
}

/// The folder of the current document, where traces may be; empty: it has no file.
QString folderOfDocument(const Workspace& workspace) { return workspace.current() ? workspace.current()->folder() : QString(); }

CommandResult open(ProfileStore& store, Workspace& workspace, Shell& shell, ActionRegistry& registry, const QStringList& arguments) {
  const qsizetype run = arguments.indexOf(QStringLiteral("--run"));
  const QString path = arguments.mid(0, run).join(u' '), tag = run < 0 ? QString() : arguments.mid(run + 1).join(u' ');
  if (run >= 0 && (path.isEmpty() || tag.isEmpty()))
    return CommandResult::failed(ProfileActions::tr("A session run is opened by profile.open EVENTS --run TAG."));
  if (path.isEmpty()) {
    askForFile(shell.window(), workspace.settings(), ProfileActions::tr("Open a trace"), folderOfDocument(workspace),
               ProfileActions::tr("Traces (*.json *.json.gz *.pb *.pbtxt *.profile profile_* run_meta*);;All files (*)"),
               [&registry](const QString& chosen) { registry.runChosen(QStringLiteral("profile.open"), {chosen}); });
    return CommandResult::done();
  }
  return later([&](ProfileStore::Done done) {
    const auto shown = [&shell, done](const QString& error) {
      if (error.isEmpty()) showDocks(shell);
      done(error);
    };
    if (!tag.isEmpty()) store.openEventRun(path, tag, shown);
    else store.open(path, shown);
  });
}

CommandResult save(ProfileStore& store, Workspace& workspace, Shell& shell, const QStringList& arguments) {
  QString path = arguments.join(u' ');
  if (path.isEmpty()) {
    path = askForFileToSave(shell.window(), workspace.settings(), ProfileActions::tr("Save the trace"),
                            QDir(folderOfDocument(workspace)).filePath(QStringLiteral("trace.json")),
                            ProfileActions::tr("Chrome's trace format (*.json);;RunMetadata (*.pb);;pprof (*.pb.gz *.pprof);;tfprof (*.profile *.op_log)"));
    if (path.isEmpty()) return CommandResult::done();
  }
  return later([&](ProfileStore::Done done) { store.save(path, std::move(done)); });
}

/// Selects the nodes of a piece of advice, on the canvas and in the tables.
CommandResult showAdvice(ProfileStore& store, Workspace& workspace, Shell& shell, const QStringList& arguments) {
  bool ok = false;
  const int number = arguments.value(0, QStringLiteral("1")).toInt(&ok);
  const QVector<ProfileAdvice>& advice = store.current()->advice;
  if (!ok || number < 1 || number > advice.size())
    return CommandResult::failed(ProfileActions::tr("profile.show-advice takes a number from 1 to %1, not %2.").arg(advice.size()).arg(arguments.value(0)));
  const QStringList& nodes = advice[number - 1].nodes;
  if (nodes.isEmpty()) return CommandResult::failed(ProfileActions::tr("This advice does not name any nodes."));
  store.selectNode(nodes.first());
  const Document* document = workspace.current();
  QStringList known;
  for (const QString& node : nodes) {
    if (document && document->hasNode(node)) known << node;
  }
  if (known.isEmpty() || !shell.canvas()) return CommandResult::done();
  shell.canvas()->selectNames(known);
  shell.canvas()->fitSelection();
  return CommandResult::done();
}

/// `FACTOR`, `off`, or nothing to toggle.
CommandResult watchSlow(ProfileStore& store, const QStringList& arguments) {
  double factor = store.slowFactor() > 0 ? 0 : kSlow;
  if (arguments.value(0) == QLatin1String("off")) {
    factor = 0;
  } else if (!arguments.isEmpty()) {
    bool ok = false;
    factor = arguments[0].toDouble(&ok);
    if (!ok || factor <= 1 || factor > 1000 || arguments.size() > 1)
      return CommandResult::failed(ProfileActions::tr("profile.watch-slow takes a number above 1, how many times the median a slow step takes, or off; not %1.")
                                       .arg(arguments.join(u' ')));
  }
  store.watchSlow(factor);
  return CommandResult::done();
}

/// Chooses the meaning of the slices' colours.
CommandResult colorSlices(ProfileStore& store, const QStringList& arguments) {
  static const QStringList kWords = {QStringLiteral("category"), QStringLiteral("type"), QStringLiteral("scope"), QStringLiteral("device"),
                                     QStringLiteral("difference")};
  const qsizetype at = kWords.indexOf(arguments.value(0));
  if (at < 0)
    return CommandResult::failed(
        ProfileActions::tr("profile.color-slices takes one of %1, not %2.").arg(kWords.join(QStringLiteral(", ")), arguments.value(0)));
  return later([&](ProfileStore::Done done) { store.setColors(SliceColors(at), std::move(done)); });
}

/// `all`, `slowest`, or the number of a traced step.
CommandResult goToStep(ProfileStore& store, const QString& word) {
  const std::vector<TraceStep>& steps = store.current()->stepTimes;
  if (word == QLatin1String("all")) {
    store.setStep(-1);
    return CommandResult::done();
  }
  if (word == QLatin1String("slowest")) {
    store.setStep(store.slowestStep());
    return CommandResult::done();
  }
  const auto step = std::find_if(steps.begin(), steps.end(), [&](const TraceStep& s) { return QString::number(s.number) == word; });
  if (step == steps.end()) {
    return CommandResult::failed(steps.empty() ? ProfileActions::tr("This trace has no steps.")
                                               : ProfileActions::tr("profile.step takes all, slowest, or the number of a traced step (%1 to %2), not %3.")
                                                     .arg(steps.front().number)
                                                     .arg(steps.back().number)
                                                     .arg(word));
  }
  store.setStep(int(step - steps.begin()));
  return CommandResult::done();
}

/// From all steps, forward goes to the first one and back to the last.
CommandResult stepOn(ProfileStore& store, int by) {
  const int count = int(store.current()->stepTimes.size());
  store.setStep(store.step() < 0 ? (by > 0 ? 0 : count - 1) : std::clamp(store.step() + by, 0, count - 1));
  return CommandResult::done();
}

void registerStepActions(ActionRegistry& registry, ProfileStore& store, const std::function<QString()>& needsTrace) {
  const auto needsSteps = [&store, needsTrace] {
    const QString why = needsTrace();
    return !why.isEmpty() ? why : store.current()->stepTimes.empty() ? ProfileActions::tr("This trace has no steps.") : QString();
  };
  registry.add({QStringLiteral("profile.step"),
                QT_TRANSLATE_NOOP("Actions", "Show a traced step"),
                QT_TRANSLATE_NOOP("Actions", "Shows one of the traced steps in the timeline with the times of its layers, or all steps"),
                {},
                {},
                "all|slowest|NUMBER",
                [&store](const QStringList& a) { return goToStep(store, a.value(0)); },
                needsSteps});
  registry.add({QStringLiteral("profile.step-before"), QT_TRANSLATE_NOOP("Actions", "Pr&evious step"),
                QT_TRANSLATE_NOOP("Actions", "Shows the previous traced step"), QStringLiteral("Alt+PgUp"), QStringLiteral("chevron-left"), "",
                [&store](const QStringList&) { return stepOn(store, -1); },
                [&store, needsSteps] {
                  const QString why = needsSteps();
                  return !why.isEmpty() ? why : store.step() == 0 ? ProfileActions::tr("This is the first traced step.") : QString();
                }});
  registry.add({QStringLiteral("profile.step-after"), QT_TRANSLATE_NOOP("Actions", "Ne&xt step"), QT_TRANSLATE_NOOP("Actions", "Shows the next traced step"),
                QStringLiteral("Alt+PgDown"), QStringLiteral("chevron-right"), "", [&store](const QStringList&) { return stepOn(store, 1); },
                [&store, needsSteps] {
                  const QString why = needsSteps();
                  return !why.isEmpty()                                               ? why
                         : store.step() == int(store.current()->stepTimes.size()) - 1 ? ProfileActions::tr("This is the last traced step.")
                                                                                      : QString();
                }});
  registry.add({QStringLiteral("profile.step-slowest"), QT_TRANSLATE_NOOP("Actions", "S&lowest step"),
                QT_TRANSLATE_NOOP("Actions", "Shows the slowest traced step"), QStringLiteral("Alt+End"), QStringLiteral("clock"), "",
                [&store](const QStringList&) { return goToStep(store, QStringLiteral("slowest")); }, needsSteps});
  registry.add({QStringLiteral("profile.step-all"), QT_TRANSLATE_NOOP("Actions", "&All traced steps"), QT_TRANSLATE_NOOP("Actions", "Shows all traced steps"),
                QStringLiteral("Alt+Home"), QStringLiteral("fit"), "", [&store](const QStringList&) { return goToStep(store, QStringLiteral("all")); },
                needsSteps});
  QObject::connect(&store, &ProfileStore::stepChanged, &registry, &ActionRegistry::refreshSoon);
}

/// Selects a time range in milliseconds in the timeline.
CommandResult range(Shell& shell, const QStringList& arguments) {
  bool a = false, b = false;
  const double from = arguments.value(0).toDouble(&a), to = arguments.value(1).toDouble(&b);
  if (!a || !b || from >= to) return CommandResult::failed(ProfileActions::tr("profile.range takes two times in milliseconds, the earlier one first."));
  shell.showView(QStringLiteral("timeline"));
  timelineOf(shell)->setMeasured(qint64(from * 1e6), qint64(to * 1e6));
  return CommandResult::done();
}

CommandResult find(Shell& shell, const QString& text, bool backward) {
  widgets::TimelineView* view = timelineOf(shell);
  if (!text.isEmpty()) view->setSearch(text);
  return view->findNext(backward) ? CommandResult::done() : CommandResult::failed(ProfileActions::tr("No slice is called %1.").arg(text));
}

CommandResult lightRunning(ProfileStore& store, Workspace& workspace, Shell& shell, const QStringList& a) {
  const QString word = a.value(0);
  if (word.isEmpty() || word == QLatin1String("on") || word == QLatin1String("off")) {
    store.setLightsRunning(word.isEmpty() ? !store.lightsRunning() : word == QLatin1String("on"));
    return CommandResult::done();
  }
  bool ok = false;
  const double ms = word.toDouble(&ok);
  if (!ok || ms < 0) return CommandResult::failed(ProfileActions::tr("profile.light-running takes on, off or a time in milliseconds, not %1.").arg(word));
  const QStringList names = store.runningAt(qint64(ms * 1e6));
  if (names.isEmpty()) return CommandResult::failed(ProfileActions::tr("Nothing ran at %1 ms.").arg(word));
  const Document* document = workspace.current();
  QVector<widgets::Item> items;
  for (const QString& name : names)
    if (const int node = document ? document->nodeIndex(name) : -1; node >= 0) items << widgets::Item::node(node);
  if (items.isEmpty() || !shell.canvas())
    return CommandResult::failed(ProfileActions::tr("This graph has no op %1, which ran at that time.").arg(names.first()));
  shell.canvas()->setHighlight(items);
  return CommandResult::done();
}

}  // namespace

void registerProfileActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  ProfileStore& store = ProfileStore::of(workspace);
  QObject::connect(&store, &ProfileStore::currentChanged, &registry, &ActionRegistry::refreshSoon);
  QObject::connect(&store, &ProfileStore::busyChanged, &registry, &ActionRegistry::refreshSoon);
  const auto needsTrace = [&store] { return store.current() ? QString() : ProfileActions::tr("There is no trace yet: record or open one."); };
  registry.add({QStringLiteral("profile.trace"), QT_TRANSLATE_NOOP("Actions", "&Trace steps"),
                QT_TRANSLATE_NOOP("Actions", "Traces ten training steps op by op and shows where the time goes"), QStringLiteral("Ctrl+Shift+R"),
                QStringLiteral("record"), "[--steps N]", [&](const QStringList& a) { return trace(store, shell, a); },
                [&store] { return store.whyNoTrace(); }});
  ActionRecord devices{
      QStringLiteral("profile.compare-devices"),
      QT_TRANSLATE_NOOP("Actions", "Compare &devices"),
      QT_TRANSLATE_NOOP("Actions", "Trains a few steps on each device of this machine and shows which is faster, layer by layer; nothing is saved"),
      {},
      QStringLiteral("layers"),
      "[--steps N]",
      [&](const QStringList& a) { return compareDevices(store, shell, a); },
      [&store] { return store.whyNotCompared(); }};
  devices.noKey = QT_TRANSLATE_NOOP("Actions", "the button is on the Devices page of the Profile dock");
  registry.add(std::move(devices));
  registry.add(
      {QStringLiteral("profile.watch-slow"),
       QT_TRANSLATE_NOOP("Actions", "Trace s&low steps"),
       QT_TRANSLATE_NOOP("Actions", "During training, keeps traces of steps that take more than twice the median and compares them with a typical step"),
       {},
       QStringLiteral("clock"),
       "[FACTOR|off]",
       [&store, &registry](const QStringList& a) {
         const CommandResult result = watchSlow(store, a);
         registry.refreshSoon();
         return result;
       },
       {},
       [&store] { return store.slowFactor() > 0; }});
  registry.add({QStringLiteral("profile.show-advice"),
                QT_TRANSLATE_NOOP("Actions", "Show nodes of an advice"),
                QT_TRANSLATE_NOOP("Actions", "Selects the nodes named in an item of the advisor"),
                {},
                {},
                "NUMBER",
                [&](const QStringList& a) { return showAdvice(store, workspace, shell, a); },
                needsTrace});
  registerStepActions(registry, store, needsTrace);
  registry.add({QStringLiteral("profile.color-slices"),
                QT_TRANSLATE_NOOP("Actions", "Colour slices"),
                QT_TRANSLATE_NOOP("Actions", "Sets the colouring of timeline slices: category, type, scope, device, or difference from the compared trace"),
                {},
                {},
                "category|type|scope|device|difference",
                [&](const QStringList& a) { return colorSlices(store, a); },
                needsTrace});
  registry.add({QStringLiteral("profile.open"),
                QT_TRANSLATE_NOOP("Actions", "&Open trace…"),
                QT_TRANSLATE_NOOP("Actions", "Opens RunMetadata, a tfprof profile, an XPlane, a Chrome trace, or a session run in event files"),
                {},
                QStringLiteral("open"),
                "[PATH [--run TAG]]",
                [&](const QStringList& a) { return open(store, workspace, shell, registry, a); }});
  registry.add({QStringLiteral("profile.save"),
                QT_TRANSLATE_NOOP("Actions", "&Save trace…"),
                QT_TRANSLATE_NOOP("Actions", "Saves the trace as a Chrome trace (.json), as RunMetadata (.pb), or for pprof (.pb.gz) and tfprof (.profile)"),
                {},
                QStringLiteral("save"),
                "[PATH]",
                [&](const QStringList& a) { return save(store, workspace, shell, a); },
                needsTrace});
  registry.add({QStringLiteral("profile.find"),
                QT_TRANSLATE_NOOP("Actions", "&Find slice"),
                QT_TRANSLATE_NOOP("Actions", "Goes to the next slice whose name contains the text"),
                {},
                QStringLiteral("search"),
                "TEXT",
                [&](const QStringList& a) { return find(shell, a.join(u' '), false); },
                needsTrace});
  registry.add({QStringLiteral("profile.range"),
                QT_TRANSLATE_NOOP("Actions", "&Measure a range"),
                QT_TRANSLATE_NOOP("Actions", "Selects a time range in milliseconds and lists what ran in it"),
                {},
                {},
                "FROM TO",
                [&](const QStringList& a) { return range(shell, a); },
                needsTrace});
  ActionRecord running{QStringLiteral("profile.light-running"),
                       QT_TRANSLATE_NOOP("Actions", "Show &running ops"),
                       QT_TRANSLATE_NOOP("Actions", "Highlights on the canvas what ran at the time under the pointer, or at a given time in milliseconds"),
                       {},
                       QStringLiteral("eye"),
                       "[on|off|MS]",
                       [&](const QStringList& a) { return lightRunning(store, workspace, shell, a); },
                       needsTrace,
                       [&store] { return store.lightsRunning(); }};
  running.noKey = QT_TRANSLATE_NOOP("Actions", "the switch is above the timeline");
  registry.add(std::move(running));
  registry.add({QStringLiteral("profile.fit"),
                QT_TRANSLATE_NOOP("Actions", "Show the &whole trace"),
                QT_TRANSLATE_NOOP("Actions", "Shows all steps in the timeline"),
                {},
                QStringLiteral("fit"),
                "",
                [&](const QStringList&) {
                  timelineOf(shell)->fitAll();
                  return CommandResult::done();
                },
                needsTrace});
  const auto heat = [&](const char* id, const char* text, const char* tip, const char* what) {
    registry.add({QLatin1String(id),
                  text,
                  tip,
                  {},
                  {},
                  "",
                  [&registry, what](const QStringList&) { return registry.run(QStringLiteral("graph.color-by"), {QLatin1String(what)}); },
                  [needsTrace, &shell] { return shell.canvas() ? needsTrace() : ProfileActions::tr("No graph is shown."); }});
  };
  heat("profile.color-time", QT_TRANSLATE_NOOP("Actions", "Colour nodes by &time"),
       QT_TRANSLATE_NOOP("Actions", "Colours each node by its self time in the trace"), "time");
  heat("profile.color-memory", QT_TRANSLATE_NOOP("Actions", "Colour nodes by &memory"),
       QT_TRANSLATE_NOOP("Actions", "Colours each node by the bytes of its outputs"), "memory");
}

}  // namespace weft::app
