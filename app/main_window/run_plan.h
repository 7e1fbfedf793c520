// The settings that the run bar shows: those of the present run, else those that Train would use.
#pragma once

#include <QString>

namespace weft::app {

class Document;
class RunController;
struct GraphContents;

struct RunPlan {
  bool running = false;  ///< These settings belong to a present run and cannot be changed in it.
  QString run;           ///< "run 3", or "new run 4".
  QString data;
  QString batch, length;  ///< Whole numbers; empty: none.
  bool inSteps = false;   ///< The length counts steps, not epochs.
};

/// Of one document.
/// "Adam" of a graph with ApplyAdam, ResourceApplyAdam …; empty: nothing is updated. Looks at all nodes.
QString optimizerOf(const GraphContents& contents);
RunPlan runPlanOf(const RunController& runs, const Document& document);
/// Parses `500 steps`, `10 epochs`, or a number in the unit `inSteps`; returns the words for graph.set-training. Empty: invalid.
QString lengthWords(const QString& typed, bool inSteps, QString* number);

}  // namespace weft::app
