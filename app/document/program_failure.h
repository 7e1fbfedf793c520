#pragma once

#include <QString>
#include <QVector>
#include <deque>
#include <optional>

#include "document/program.h"
#include "document/program_debug.h"

namespace weft::app {

/// The traceback that a Python program ended with.
struct ProgramFailure {
  QVector<ProgramStop::Frame> stack;  ///< Innermost first; only the user's own files, if there are any.
  QString message;                    ///< "ValueError: Dimensions must be equal, but are 3 and 4"
  QString text;                       ///< The whole text as written, with the hints below it.
};

/// The last traceback in a program's standard error, including syntax errors; empty: none. `script` is the program's file.
std::optional<ProgramFailure> failureOf(const std::deque<Program::Line>& lines, const QString& script);

}  // namespace weft::app
