#include "commands/run_choices.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QMenu>
#include <QWidget>

#include "common/format.h"
#include "common/icons.h"
#include "document/run_archive.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct RunChoices {
  Q_DECLARE_TR_FUNCTIONS(RunChoices)
};

constexpr int kMostCheckpoints = 12;  // in the menu; the dock has all
constexpr int kMostAsked = 200;       // files checked for existence; of a long run only the newest exist
const QString kCurvesKey = QStringLiteral("curves");

}  // namespace

void offerCurves(Shell& shell) {
  const QString mode = shell.layout();
  if (mode == QLatin1String("compose") || mode == QLatin1String("train")) {
    shell.withdrawMessage(kCurvesKey);
    shell.showView(QStringLiteral("scalars"));
    return;
  }
  if (shell.isViewVisible(QStringLiteral("scalars"))) return;
  shell.tell([&shell] {
    return Message{Message::Kind::Note, kCurvesKey, RunChoices::tr("There are new curves in Scalars."), {{RunChoices::tr("Go to Train"), [&shell] {
                                                                                                            shell.useLayout(QStringLiteral("train"));
                                                                                                            shell.showView(QStringLiteral("scalars"));
                                                                                                          }}}};
  });
}

bool chooseStep(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  const RunArchive& archive = RunArchive::of(workspace);
  auto* menu = new QMenu(shell.window());
  menu->setObjectName(QStringLiteral("go_back_menu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  int shown = 0, asked = 0;
  for (const RunRecord* run : archive.listed(workspace.current())) {
    bool headed = false;
    for (auto c = run->checkpoints.rbegin(); c != run->checkpoints.rend() && shown < kMostCheckpoints && asked < kMostAsked; ++c, ++asked) {
      if (!QFileInfo::exists(c->prefix + QStringLiteral(".index"))) continue;
      if (!headed) menu->addSection(archive.label(*run));
      headed = true;
      ++shown;
      const QString step = widgets::formatCount(c->step);
      const QString text = c->testAccuracy >= 0
                               ? RunChoices::tr("%1 · step %2 · test accuracy %3 %").arg(archive.name(*run), step).arg(c->testAccuracy * 100, 0, 'f', 1)
                               : RunChoices::tr("%1 · step %2").arg(archive.name(*run), step);
      const QString word = run->earlier ? QFileInfo(run->folder).fileName() : QString::number(run->number);
      QObject::connect(menu->addAction(widgets::icon(QStringLiteral("undo")), text), &QAction::triggered, &registry,
                       [&registry, at = QString::number(c->step), word] {
                         const CommandResult result = registry.run(QStringLiteral("run.go-back"), {at, word});
                         if (!result.ok) emit registry.failed(result.message);
                       });
    }
  }
  if (shown == 0) {
    delete menu;
    return false;
  }
  menu->addSeparator();
  QObject::connect(menu->addAction(widgets::icon(QStringLiteral("save")), RunChoices::tr("All checkpoints")), &QAction::triggered, shell.window(),
                   [&shell] { shell.showView(QStringLiteral("checkpoints")); });
  const QWidget* window = shell.window();
  menu->popup(window->mapToGlobal(QPoint((window->width() - menu->sizeHint().width()) / 2, window->height() / 6)));
  menu->setActiveAction(menu->actions().value(1));
  return true;
}

}  // namespace weft::app
