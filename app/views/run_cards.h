// What the panels with a card per tag and run share.
#pragma once

#include "common/run_card_panel.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/view.h"

namespace weft::app {

/// Hides, shows and removes the cards of `panel` with their runs. "Show in the graph" on a card selects its op; the button of the empty panel runs the action
/// `emptyAction`.
inline void connectRunCards(widgets::RunCardPanel* panel, const ViewContext& context, const QString& emptyAction) {
  Summaries& summaries = context.workspace.summaries();
  const auto follow = [panel, &summaries](int run) {
    if (const SummaryRun* r = summaries.run(run)) panel->setRunVisible(r->name, r->visible);
  };
  QObject::connect(&summaries, &Summaries::runAdded, panel, follow);
  QObject::connect(&summaries, &Summaries::runChanged, panel, follow);
  for (const auto& run : summaries.runs()) follow(run->id);
  QObject::connect(&summaries, &Summaries::runRestarted, panel, [panel, &summaries](int run) {
    if (const SummaryRun* r = summaries.run(run)) panel->removeRun(r->name);
  });
  QObject::connect(&summaries, &Summaries::runNameGone, panel, &widgets::RunCardPanel::removeRun);
  const auto perform = [&actions = context.actions](const QString& id, const QStringList& words) {
    const CommandResult result = actions.run(id, words);
    if (!result.ok) emit actions.failed(result.message);
  };
  QObject::connect(panel, &widgets::CardPanel::nodeWanted, panel, [perform](const QString& tag) { perform(QStringLiteral("graph.go-tag"), {tag}); });
  QObject::connect(panel, &widgets::CardPanel::emptyButtonClicked, panel, [perform, emptyAction] { perform(emptyAction, {}); });
}

}  // namespace weft::app
