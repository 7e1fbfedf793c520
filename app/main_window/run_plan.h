// What the run bar says of a run: of the one that goes on, else of the one that Train would begin.
#pragma once

#include <QString>

namespace weft::app {

class Document;
class RunController;
struct GraphContents;

struct RunPlan {
  bool running = false;  ///< These are the settings of a run that goes on; they cannot be changed in it.
  QString run;           ///< "run 3", or "new run 4".
  QString data;
  QString batch, length;  ///< Whole numbers; empty: there is none.
  bool inSteps = false;   ///< The length counts steps, not epochs.
};

/// Of one document.
/// "Adam" of a graph with ApplyAdam, ResourceApplyAdam …; empty: nothing is updated. Looks at all nodes.
QString optimizerOf(const GraphContents& contents);
RunPlan runPlanOf(const RunController& runs, const Document& document);
/// `500 steps`, `10 epochs`, or a number alone in the unit `inSteps` as the words of graph.set-training; empty: it is none of these.
QString lengthWords(const QString& typed, bool inSteps, QString* number);

}  // namespace weft::app
