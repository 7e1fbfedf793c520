// Texts of problems, shared by the sources that find them.
#pragma once

#include <QCoreApplication>

namespace weft::app {

/// Translation context.
struct ProblemWords {
  Q_DECLARE_TR_FUNCTIONS(GraphProblems)
};

}  // namespace weft::app
