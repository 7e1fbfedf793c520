// The words of problems, for the sources that find them.
#pragma once

#include <QCoreApplication>

namespace weft::app {

/// Context of the translations.
struct ProblemWords {
  Q_DECLARE_TR_FUNCTIONS(GraphProblems)
};

}  // namespace weft::app
