#include "commands/curves.h"

#include <QCoreApplication>

#include "main_window/shell.h"

namespace weft::app {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(Curves)
};

const QString kScalars = QStringLiteral("scalars");

bool belongToLayout(const Shell& shell) { return shell.layout() == QLatin1String("compose") || shell.layout() == QLatin1String("train"); }

}  // namespace

void bringCurvesForward(Shell& shell) {
  for (const char* id : {"scalars", "histograms", "images", "text"})
    if (shell.isViewVisible(QLatin1String(id))) return;
  if (belongToLayout(shell)) return shell.showView(kScalars);
  shell.notify(Words::tr("The curves are in the Train layout (Ctrl+2)."));
}

void showCurves(Shell& shell) {
  for (const char* id : {"scalars", "histograms", "images", "text"})
    if (shell.isViewVisible(QLatin1String(id))) return;
  if (!belongToLayout(shell)) shell.useLayout(QStringLiteral("train"));
  shell.showView(kScalars);
}

}  // namespace weft::app
