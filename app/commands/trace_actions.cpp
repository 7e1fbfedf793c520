// Questions to the current trace: what changed, why threads were idle, what if.
#include <QCoreApplication>

#include "commands/actions.h"
#include "commands/pending_result.h"
#include "document/document.h"
#include "document/profile_store.h"
#include "document/trace_questions.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "main_window/compose_gestures.h"
#include "shell/action_registry.h"
#include "shell/file_dialogs.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct TraceActions {
  Q_DECLARE_TR_FUNCTIONS(TraceActions)
};

/// Runs `start` with a callback, whose call completes the command.
template <typename F>
CommandResult answered(F&& start) {
  const PendingResult pending;
  start(pending.done());
  return pending.later();
}

void showPage(Shell& shell, const char* page) {
  shell.showView(QStringLiteral("profile"));
  bool shown = false;
  if (QWidget* view = shell.viewWidget(QStringLiteral("profile")))
    QMetaObject::invokeMethod(view, "setOption", Q_RETURN_ARG(bool, shown), Q_ARG(QString, QLatin1String(page)));
}

CommandResult compare(ProfileStore& store, Workspace& workspace, Shell& shell, ActionRegistry& registry, const QStringList& arguments) {
  const qsizetype run = arguments.indexOf(QStringLiteral("--run"));
  const QString path = arguments.mid(0, run).join(u' '), tag = run < 0 ? QString() : arguments.mid(run + 1).join(u' ');
  if (run >= 0 && (path.isEmpty() || tag.isEmpty()))
    return CommandResult::failed(TraceActions::tr("A session run is compared with by profile.compare EVENTS --run TAG."));
  if (path.isEmpty()) {
    askForFile(shell.window(), workspace.settings(), TraceActions::tr("Compare with a trace"), workspace.current() ? workspace.current()->folder() : QString(),
               TraceActions::tr("Traces and event files (*.json *.json.gz *.pb *.pbtxt *.profile profile_* run_meta* *tfevents*);;All files (*)"),
               [&registry](const QString& chosen) { registry.runChosen(QStringLiteral("profile.compare"), {chosen}); });
    return CommandResult::done();
  }
  return answered([&](ProfileStore::Done done) {
    store.compareWith(path, tag, [&shell, done](const QString& error) {
      if (error.isEmpty()) showPage(shell, "compare");
      done(error);
    });
  });
}

CommandResult compareEarlier(ProfileStore& store, TraceQuestions& questions, Shell& shell, const QString& word) {
  const QVector<EarlierTrace>& earlier = questions.earlier();
  bool ok = true;
  const int number = word.isEmpty() ? 1 : word.toInt(&ok);
  if (!ok || number < 1 || number > earlier.size())
    return CommandResult::failed(TraceActions::tr("profile.compare-earlier takes a number from 1, the latest, to %1, not %2.").arg(earlier.size()).arg(word));
  store.compareWith(earlier[number - 1].profile);
  showPage(shell, "compare");
  return CommandResult::done();
}

/// `CAUSE [back]`, counted from 1.
CommandResult showIdle(TraceQuestions& questions, Shell& shell, const QStringList& words) {
  bool ok = false;
  const int cause = words.value(0, QStringLiteral("1")).toInt(&ok);
  const bool back = words.value(1) == QLatin1String("back");
  if (!questions.idleTimes()) return CommandResult::failed(TraceActions::tr("Idle times are not known yet: profile.find-idle finds them."));
  const qsizetype count = questions.idleTimes()->causes.size();
  if (count == 0) return CommandResult::failed(TraceActions::tr("No thread was idle for a microsecond or more."));
  if (!ok || cause < 1 || cause > count || (words.size() > 1 && !back) || words.size() > 2)
    return CommandResult::failed(
        TraceActions::tr("profile.show-idle takes the number of a cause, from 1 to %1, and back for the gap before; not %2.").arg(count).arg(words.join(u' ')));
  shell.showView(QStringLiteral("timeline"));
  questions.selectGapOf(cause - 1, back);
  return CommandResult::done();
}

CommandResult idleTimes(TraceQuestions& questions, const QString& word) {
  if (!word.isEmpty() && word != QLatin1String("on") && word != QLatin1String("off"))
    return CommandResult::failed(TraceActions::tr("profile.idle-times takes on or off, not %1.").arg(word));
  const bool on = word.isEmpty() ? !questions.showsGaps() : word == QLatin1String("on");
  questions.setShowsGaps(on);
  if (!on) return CommandResult::done();
  return answered([&](TraceQuestions::Done done) { questions.findIdleTimes(std::move(done)); });
}

/// Changes as `weft profile --what-if` takes them; `clear`: none; nothing: shows the page.
CommandResult whatIf(TraceQuestions& questions, Shell& shell, const QStringList& words) {
  QVector<ImaginedChange> changes;
  if (words != QStringList{QStringLiteral("clear")}) {
    for (const QString& word : words) {
      ImaginedChange change;
      QString error;
      if (!readImaginedChange(word, &change, &error)) return CommandResult::failed(error);
      changes << change;
    }
  }
  showPage(shell, "what-if");
  if (words.isEmpty()) return CommandResult::done();
  return answered([&](TraceQuestions::Done done) { questions.setChanges(changes, std::move(done)); });
}

}  // namespace

void registerTraceActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  static const char* const inDock = QT_TRANSLATE_NOOP("Actions", "Rarely needed: the dock Profile has it");
  ProfileStore& store = ProfileStore::of(workspace);
  TraceQuestions& questions = TraceQuestions::of(workspace);
  const auto needsTrace = [&store] { return store.current() ? QString() : TraceActions::tr("There is no trace yet: record or open one."); };
  const auto needsCompared = [&store, needsTrace] {
    const QString why = needsTrace();
    return !why.isEmpty() ? why : store.compared() ? QString() : TraceActions::tr("The trace is not compared with another one.");
  };
  const auto add = [&registry](const char* id, const char* text, const char* tip, const char* icon, const char* usage,
                               std::function<CommandResult(const QStringList&)> run, std::function<QString()> why, std::function<bool()> checked = {}) {
    ActionRecord record{QLatin1String(id), text, tip, {}, QLatin1String(icon), usage, std::move(run), std::move(why), std::move(checked)};
    record.noKey = inDock;
    registry.add(std::move(record));
  };
  add(
      "profile.compare", QT_TRANSLATE_NOOP("Actions", "&Compare with a trace…"),
      QT_TRANSLATE_NOOP("Actions", "Shows what became slower or faster compared with another trace"), "layers", "[PATH [--run TAG]]",
      [&](const QStringList& a) { return compare(store, workspace, shell, registry, a); }, needsTrace);
  add(
      "profile.compare-earlier", QT_TRANSLATE_NOOP("Actions", "Compare with the trace &before"),
      QT_TRANSLATE_NOOP("Actions", "Shows what became slower or faster since an earlier trace of this session; 1 is the latest"), "layers", "[NUMBER]",
      [&](const QStringList& a) { return compareEarlier(store, questions, shell, a.value(0)); },
      [&questions, needsTrace] {
        const QString why = needsTrace();
        return !why.isEmpty() ? why : questions.earlier().isEmpty() ? TraceActions::tr("No other trace was recorded or opened in this session.") : QString();
      });
  add(
      "profile.compare-clear", QT_TRANSLATE_NOOP("Actions", "&End the comparison of traces"), QT_TRANSLATE_NOOP("Actions", "Shows the current trace alone"),
      "close", "",
      [&store](const QStringList&) {
        store.compareWith(ProfilePtr());
        return CommandResult::done();
      },
      needsCompared);
  add(
      "profile.color-difference", QT_TRANSLATE_NOOP("Actions", "Colour nodes by the &difference"),
      QT_TRANSLATE_NOOP("Actions", "Colours each node by how much its time changed since the compared trace: red takes longer, blue takes less"), "", "",
      [&registry](const QStringList&) { return registry.run(QStringLiteral("graph.color-by"), {QStringLiteral("difference")}); },
      [&shell, &store, needsCompared] {
        const QString why = needsCompared();
        return !shell.canvas()      ? TraceActions::tr("No graph is shown.")
               : !why.isEmpty()     ? why
               : store.comparison() ? QString()
                                    : TraceActions::tr("The traces are still being compared.");
      });
  add(
      "profile.find-idle", QT_TRANSLATE_NOOP("Actions", "Why were &threads idle?"),
      QT_TRANSLATE_NOOP("Actions", "Lists what threads and streams waited for: inputs, copies, data, the host, the scheduler"), "clock", "",
      [&](const QStringList&) {
        showPage(shell, "idle");
        return answered([&](TraceQuestions::Done done) { questions.findIdleTimes(std::move(done)); });
      },
      needsTrace);
  add(
      "profile.idle-times", QT_TRANSLATE_NOOP("Actions", "Show &idle times"),
      QT_TRANSLATE_NOOP("Actions", "Hatches in the timeline the times in which nothing ran, coloured by their reason"), "clock", "[on|off]",
      [&](const QStringList& a) { return idleTimes(questions, a.value(0)); }, needsTrace, [&questions] { return questions.showsGaps(); });
  add(
      "profile.show-idle", QT_TRANSLATE_NOOP("Actions", "Show the next gap of a cause"),
      QT_TRANSLATE_NOOP("Actions", "Shows in the timeline the next idle gap with a cause, counted from 1 by their time; the longest gap first"), "",
      "CAUSE [back]", [&](const QStringList& a) { return showIdle(questions, shell, a); }, needsTrace);
  add(
      "profile.what-if", QT_TRANSLATE_NOOP("Actions", "&What if…"),
      QT_TRANSLATE_NOOP("Actions", "Predicts how long a step would take if ops were faster, gone, fused or on another device"), "bulb", "[CHANGE…|clear]",
      [&](const QStringList& a) { return whatIf(questions, shell, a); }, needsTrace);
  QObject::connect(&store, &ProfileStore::comparisonChanged, &registry, &ActionRegistry::refreshSoon);
  // The colours follow the comparison.
  QObject::connect(&store, &ProfileStore::comparisonChanged, &registry, [&store, &shell, &registry] {
    const auto* gestures = shell.canvas() ? shell.canvas()->findChild<ComposeGestures*>() : nullptr;
    if (gestures && gestures->colorMode() == QLatin1String("difference"))
      registry.run(QStringLiteral("graph.color-by"), {store.comparison() ? QStringLiteral("difference") : QStringLiteral("category")});
  });
  QObject::connect(&questions, &TraceQuestions::showsGapsChanged, &registry, &ActionRegistry::refreshSoon);
  QObject::connect(&questions, &TraceQuestions::earlierChanged, &registry, &ActionRegistry::refreshSoon);
}

}  // namespace weft::app
