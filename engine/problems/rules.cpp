// Every kind of problem, stated once.
#include "weft/graph_problems.h"

namespace weft {
namespace {

constexpr DoctorWeight kNote = DoctorWeight::Note, kWarning = DoctorWeight::Warning, kError = DoctorWeight::Error;

constexpr GraphProblemRule kProblemRules[] = {
    // Nodes and wires that do not fit.
    {"shape", kError, "The inputs of a node do not fit its op"},
    {"layer", kError, "The inputs of a layer do not fit it"},
    {"graph", kError, "A node cannot be used as it is"},
    {"unknown-op", kWarning, "The engine does not know an op"},
    {"expression", kWarning, "An expression cannot be computed"},
    {"open-input", kWarning, "An input of a node or layer is not connected"},
    {"unknown-layer", kWarning, "This version does not know a layer"},
    {"training-waits", kWarning, "A training waits for its loss"},
    // Nodes that TensorFlow refuses.
    {"missing-attr", kError, "A node lacks an attribute"},
    {"bad-attr", kError, "An attribute has a value that its op does not take"},
    {"bad-value", kError, "An attribute cannot be read"},
    {"missing-input", kError, "An input names a node that is not in the file"},
    {"missing-control", kError, "A control input names a node that is not in the file"},
    {"no-such-output", kError, "An input names an output that its node does not have"},
    {"input-count", kError, "A node has too many or too few inputs"},
    {"input-type", kError, "An input has another type than its op takes"},
    {"cycle", kError, "Nodes wait for each other outside of a loop"},
    {"control-order", kError, "A control input comes before a data input"},
    {"duplicate-name", kError, "Two nodes have one name"},
    {"no-name", kError, "A node has no name"},
    {"bad-name", kError, "TensorFlow refuses the name of a node"},
    {"no-op", kError, "A node has no op"},
    {"removed-op", kError, "TensorFlow 1.15 no longer has an op"},
    {"version", kError, "The file is for a newer TensorFlow"},
    {"function", kError, "A function that a node calls cannot be built"},
    {"function-op", kWarning, "A function that a node calls needs an op that is unknown"},
    // Trainings.
    {"uninitialized", kError, "Nothing initialises a variable"},
    {"no-gradient", kWarning, "No optimizer changes a trainable variable"},
    {"labels-logits", kError, "Labels and logits of a loss do not match"},
    {"training-switch", kWarning, "A layer does not know whether it trains"},
    {"unread", kNote, "Nothing reads a node or layer"},
    {"updates-not-run", kWarning, "No training runs an update of a moving average"},
    {"softmax-twice", kWarning, "A loss gets probabilities where it expects logits"},
    {"global-step", kWarning, "Nothing increments global_step"},
    {"no-global-step", kWarning, "A graph for supervised sessions has no global_step"},
    {"sync-replicas", kWarning, "What replicas need so that they do not wait forever"},
    {"analysis", kError, "An analysis failed"},
};

}  // namespace

std::span<const GraphProblemRule> graphProblemRules() { return kProblemRules; }

}  // namespace weft
