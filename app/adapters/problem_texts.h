// The engine's sentences on problems, in the window's language. Only sources of this folder include it.
#pragma once

#include <QString>

namespace weft {
struct GraphCommand;
struct ProblemText;
}  // namespace weft

namespace weft::app {

/// Any thread.
QString translated(const ProblemText& text);
/// A command as an action with its words.
QStringList commandWords(const GraphCommand& command);

}  // namespace weft::app
