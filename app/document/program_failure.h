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
  QVector<ProgramStop::Frame> stack;  ///< Innermost first; only the program's own files, if it goes through any.
  QString message;                    ///< "ValueError: Dimensions must be equal, but are 3 and 4"
  QString text;                       ///< All of it, as it was written, with the hints below it.
};

/// The last traceback among what a program wrote to standard error, syntax errors included; none: there is no traceback. `script` is the program's file.
std::optional<ProgramFailure> failureOf(const std::deque<Program::Line>& lines, const QString& script);

}  // namespace weft::app
