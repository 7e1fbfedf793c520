// Problems of a graph that can be seen without running it, and edits that mend them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "weft/defects.h"
#include "weft/doctor.h"
#include "weft/graph_commands.h"

namespace weft {

/// A sentence: a template with slots %1, %2 … for its words, so that a translation may reorder them.
struct ProblemText {
  const char* context = "";  ///< Of the translation; empty: the text is not translated.
  const char* text = "%1";
  std::vector<std::string> words = {};
  int64_t count = -1;  ///< For %n; a noun then ends in "(s)".
  /// In English, with its slots filled.
  WEFT_API std::string toString() const;
};

/// An edit that mends a problem.
struct ProblemFix {
  ProblemText text;
  GraphCommand command;
  bool tried = false;              ///< It ran on a copy, and the problem was gone. Otherwise its effect is certain.
  Shape shape = Shape::unknown();  ///< The output of an inserted node.
};

struct GraphProblem {
  std::string code;  ///< One of graphProblemRules().
  DoctorWeight weight = DoctorWeight::Error;
  std::string node;  ///< A node, layer or scope; empty: the graph.
  ProblemText text;
  /// Conditions below the sentence.
  struct Point {
    enum class Mark { Holds, Fails, Open } mark = Mark::Open;
    ProblemText text;
  };
  std::vector<Point> points = {};
  std::vector<std::string> sources = {};  ///< With the codes "shape" and "layer", whose text is TensorFlow's message: the tensors at the inputs.
  std::vector<ProblemFix> fixes = {};     ///< The likeliest first.
  /// In English: the sentence, and a line for each point.
  WEFT_API std::string message() const;
};

/// A kind of problem.
struct GraphProblemRule {
  const char* code;
  DoctorWeight weight;  ///< The worst.
  const char* title;
};
WEFT_API std::span<const GraphProblemRule> graphProblemRules();

/// Everything that can be said of a graph as it is: nodes that TensorFlow refuses, shapes and types that do not fit, unknown ops, open inputs, layers that wait, variables
/// that nothing initialises or trains, losses that do not take their labels, layers and nodes that nothing reads, mistakes of trainings.
///
/// Uncertain fixes are tried on copies, up to a few dozen of them and only in graphs of up to 3,000 nodes; the rest is linear in the graph's size. An analysis that fails is
/// itself a problem ("analysis"), and the others go on. `loaded`: of openGraphFile() or after an edit; see findLayerProblems() for a graph that was read. Any thread.
WEFT_API std::vector<GraphProblem> findGraphProblems(const LoadedGraph& loaded);

/// One sentence on a defect.
WEFT_API ProblemText defectSentence(const Graph& graph, const Defect& defect);

/// An op or layer to insert into a wire, so that it fits.
struct WireOffer {
  ProblemText text;                   ///< "Insert Flatten"
  std::string type;                   ///< For graph.add and graph.insert.
  std::vector<std::string> settings;  ///< "target_shape=[-1,28,28,1]"
  Shape shape = Shape::unknown();     ///< Of its output.
};
/// Up to three insertions that make a wire from `tensor` ("x:0") to `input` ("pool:0") fit, each tried on a copy. None in graphs of over 20,000 nodes. Any thread; slow.
WEFT_API std::vector<WireOffer> wireOffers(const LoadedGraph& loaded, const std::string& tensor, const std::string& input);

/// A problem as a few lines: weight, message, node, and a line for each fix with its command.
WEFT_API std::string problemReport(const GraphProblem& p);
/// {"code", "weight", "node", "text", "fixes": [{"text", "command": [action, words…], "tried", "shape"}]}; "shape" is left out where it is not known.
WEFT_API std::string problemJson(const GraphProblem& p);

}  // namespace weft
