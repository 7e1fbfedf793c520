#include "commands/curves.h"

#include <QString>

#include "shell/shell.h"

namespace weft::app {
namespace {

const QString kScalars = QStringLiteral("scalars");

bool layoutShowsCurves(const Shell& shell) { return shell.layout() == QLatin1String("compose") || shell.layout() == QLatin1String("train"); }

}  // namespace

void showCurves(Shell& shell) {
  for (const char* id : {"overview", "scalars", "histograms", "images", "text"})
    if (shell.isViewVisible(QLatin1String(id))) return;
  if (!layoutShowsCurves(shell)) shell.useLayout(QStringLiteral("train"));
  shell.showView(kScalars);
}

}  // namespace weft::app
