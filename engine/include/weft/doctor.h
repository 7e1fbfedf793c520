#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/graph.h"
#include "weft/graph_commands.h"
#include "weft/train.h"

namespace weft {

/// When a rule of the doctor looks.
enum class DoctorMoment { Before, During, Evaluation };
enum class DoctorWeight { Note, Warning, Error };

/// A rule of the doctor. Texts have slots %1, %2 … for a finding's words, so that a translation may reorder them.
struct DoctorRule {
  const char* code;  ///< "constant-weights"
  DoctorMoment moment;
  DoctorWeight weight;
  const char* title;   ///< What is wrong.
  const char* detail;  ///< What was measured or found.
  const char* advice;  ///< What to do.
};
/// All rules, by moment.
WEFT_API std::span<const DoctorRule> doctorRules();
/// A template with its slots filled.
WEFT_API std::string doctorText(const char* text, const std::vector<std::string>& words);

/// A change that may cure a finding: of a setting of the training, or an edit of the graph.
struct DoctorFix {
  std::string setting, value;  ///< For TrainOptions::set; empty: `command` is the change.
  bool tried = false;          ///< Both losses were measured, on copies, after the same number of steps.
  int64_t steps = 0;
  double lossWithout = 0, lossWith = 0;
  GraphCommand command = {};  ///< An edit of the graph, where `setting` is empty.
  bool helps() const { return tried && lossWith < 0.9 * lossWithout; }
};

/// Something that the doctor found.
struct DoctorFinding {
  const DoctorRule* rule = nullptr;
  std::string node;                ///< The node concerned; empty: the training as a whole.
  std::vector<std::string> words;  ///< For the slots of the rule's texts; numbers are formatted.
  int64_t step = 0;                ///< 0: before the first.
  /// What can be drawn: a curve over steps, or the bars of a histogram or of classes from `from` to `to`.
  enum class Evidence { None, Curve, Histogram, Bars } evidence = Evidence::None;
  std::vector<double> values;
  double from = 0, to = 0;
  std::optional<DoctorFix> fix;
  std::string file;  ///< The program's line that made the node, or ran the training as a whole; empty: no program.
  int line = 0;

  std::string title() const { return doctorText(rule->title, words); }
  std::string detail() const { return doctorText(rule->detail, words); }
  std::string advice() const { return doctorText(rule->advice, words); }
};

WEFT_API const char* doctorWord(DoctorMoment m);  ///< "before", "during", "evaluation"
WEFT_API const char* doctorWord(DoctorWeight w);  ///< "note", "warning", "error"
/// A finding as a few lines: weight, title, detail, advice, the program's line, and the fix that was tried.
WEFT_API std::string doctorReport(const DoctorFinding& f);
/// {"code", "moment", "weight", "node", "step", "title", "detail", "advice", "words", "evidence", "values", "from", "to", "fix", "file", "line"}; what is absent is left
/// out from "values" on.
WEFT_API std::string doctorJson(const DoctorFinding& f);
/// The finding of such an object; no rule if it is none or its code is unknown.
WEFT_API DoctorFinding doctorFindingOf(std::string_view json);

/// Mistakes in the structure of a graph. Needs neither data nor training settings; with settings, what they run and feed is known. Linear in the graph's size,
/// but for the paths between variables' writers.
WEFT_API std::vector<DoctorFinding> doctorReadsGraph(const MetaGraph& meta);

/// How a document is examined before its first step.
struct DoctorOptions {
  std::string folder;                                    ///< The document's, for relative paths.
  std::vector<std::pair<std::string, std::string>> set;  ///< As TrainOptions::set.
  SessionOptions session;
  int64_t rows = 512;                          ///< Of the training data that are looked at, at most.
  int64_t fitSteps = 300;                      ///< Steps in which a copy has to learn one batch; 0: not tried.
  bool triesFixes = true;                      ///< Trains copies with and without each fix.
  std::function<bool(double share)> progress;  ///< Called now and then; false cancels.
};
/// Everything that can be known before the first step: the graph, the data, the initial values, the first loss, whether one batch can be learned. Works on copies.
/// Errors are those of loading the data and running the graph; CANCELLED.
WEFT_API Result<std::vector<DoctorFinding>> doctorBeforeTraining(const MetaGraph& document, const DoctorOptions& options);

/// Watches a training: gradients, activations, weights and their updates, and the curves of loss and accuracy. A measured step costs as much as a few others, so
/// few are measured: as many as keep the whole cost below `mostCost`.
class WEFT_API TrainingDoctor {
 public:
  /// `mostCost`: share of the training's time; a short training may cost a quarter of a second.
  explicit TrainingDoctor(const MetaGraph& document, double mostCost = 0.03);
  ~TrainingDoctor();
  /// Adds itself to the options of a training, whose callbacks are kept. Must outlive it.
  void attach(TrainOptions& options);
  /// Called on the training thread for each new finding.
  void setListener(std::function<void(const DoctorFinding&)> listener);
  /// What was found so far, each rule once per node. Any thread.
  std::vector<DoctorFinding> findings() const;
  int64_t measuredSteps() const;
  /// The measured steps' extra time as a share of the training's. Any thread.
  double cost() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft
