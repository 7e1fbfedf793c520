#include "commands/projector_actions.h"

#include <QCoreApplication>
#include <QWidget>

#include "adapters/projection.h"
#include "document/file_tab.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct ProjectorActions {
  Q_DECLARE_TR_FUNCTIONS(ProjectorActions)
};

QWidget* viewOf(Shell& shell) { return shell.viewWidget(QStringLiteral("projector")); }

/// Shows the dock and gives it an order; the command ends when the dock has nothing more to compute.
CommandResult give(Shell& shell, const QStringList& words) {
  shell.showView(QStringLiteral("projector"));
  QWidget* view = viewOf(shell);
  QString error;
  QMetaObject::invokeMethod(view, "give", Q_RETURN_ARG(QString, error), Q_ARG(QStringList, words));
  if (!error.isEmpty()) return CommandResult::failed(error);
  return CommandResult::when([view]() -> std::optional<CommandResult> {
    if (view->property("busy").toBool()) return std::nullopt;
    const QString problem = view->property("lastError").toString();
    return problem.isEmpty() ? CommandResult::done() : CommandResult::failed(problem);
  });
}

/// The file in front, if something of it can be projected.
QString fileInFront(const Workspace& workspace) {
  const FileTab* file = workspace.currentFile();
  return file && !projectableTensors(*file->contents()).isEmpty() ? file->path() : QString();
}

struct Order {
  const char* id;
  const char* order;
  const char* text;
  const char* toolTip;
  const char* usage;
};

}  // namespace

void registerProjectorActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  static const char* const noKey = QT_TRANSLATE_NOOP("Actions", "Rarely needed: the dock Projector has it");
  registry.add({QStringLiteral("projector.open"),
                QT_TRANSLATE_NOOP("Actions", "Open in the &projector"),
                QT_TRANSLATE_NOOP("Actions", "Shows the rows of a matrix of the current file as points"),
                {},
                QStringLiteral("scatter"),
                "[FILE [TENSOR]]",
                [&workspace, &shell](const QStringList& a) {
                  const QString file = a.isEmpty() ? fileInFront(workspace) : a[0];
                  if (file.isEmpty()) return CommandResult::failed(ProjectorActions::tr("The current tab has no matrix that could be shown as points."));
                  return give(shell, {QStringLiteral("open"), file,
                                      a.size() > 1  ? a[1]
                                      : a.isEmpty() ? projectableTensors(*workspace.currentFile()->contents()).first()
                                                    : QString()});
                },
                {},
                {},
                false,
                "Actions",
                noKey});
  registry.add({QStringLiteral("projector.open-trained"),
                QT_TRANSLATE_NOOP("Actions", "Project a tensor of the &training"),
                QT_TRANSLATE_NOOP("Actions", "Shows the rows of a variable, or the outputs of a layer for the test samples, as points"),
                {},
                QStringLiteral("scatter"),
                "TENSOR",
                [&shell](const QStringList& a) {
                  return give(shell, {QStringLiteral("trained"), a.value(0)});
                },
                [&workspace] { return workspace.runs().model() ? QString() : ProjectorActions::tr("Nothing has been trained yet."); },
                {},
                false,
                "Actions",
                noKey});
  static const Order orders[] = {
      {"projector.method", "method", QT_TRANSLATE_NOOP("Actions", "Projection's &method"),
       QT_TRANSLATE_NOOP("Actions", "Chooses PCA, t-SNE or UMAP, and 2 or 3 dimensions"), "pca|tsne|umap [2|3]"},
      {"projector.set", "set", QT_TRANSLATE_NOOP("Actions", "Projection's option"), QT_TRANSLATE_NOOP("Actions", "Sets an option of t-SNE or UMAP"),
       "perplexity|neighbors|distance|steps|seed|metric VALUE"},
      {"projector.run", "run", QT_TRANSLATE_NOOP("Actions", "&Project"), QT_TRANSLATE_NOOP("Actions", "Computes the positions of the points"), ""},
      {"projector.stop", "stop", QT_TRANSLATE_NOOP("Actions", "Stop projecting"),
       QT_TRANSLATE_NOOP("Actions", "Ends the projection; the points stay where they are"), ""},
      {"projector.select", "select", QT_TRANSLATE_NOOP("Actions", "Select points"),
       QT_TRANSLATE_NOOP("Actions", "Selects points by the numbers of their rows; none without words"), "[ROW,…]"},
      {"projector.search", "search", QT_TRANSLATE_NOOP("Actions", "Search points"),
       QT_TRANSLATE_NOOP("Actions", "Selects points with a label, or else those whose labels contain the text"), "TEXT|#ROW"},
      {"projector.select-cell", "cell", QT_TRANSLATE_NOOP("Actions", "Select points of a class"),
       QT_TRANSLATE_NOOP("Actions", "Selects the test samples of a class that were predicted as another"), "ACTUAL PREDICTED"},
      {"projector.color", "color", QT_TRANSLATE_NOOP("Actions", "Colour points"), QT_TRANSLATE_NOOP("Actions", "Colours points by a column of their labels"),
       "COLUMN|none"},
      {"projector.tool", "tool", QT_TRANSLATE_NOOP("Actions", "Tool of the projector"),
       QT_TRANSLATE_NOOP("Actions", "What dragging does: moves or turns the points, or selects"), "move|rectangle|lasso"},
      {"projector.fit", "fit", QT_TRANSLATE_NOOP("Actions", "Show all points"), QT_TRANSLATE_NOOP("Actions", "Brings all points into view"), ""},
      {"projector.follow", "follow", QT_TRANSLATE_NOOP("Actions", "Follow the training in the projector"),
       QT_TRANSLATE_NOOP("Actions", "Projects again at each evaluation, from the present positions"), "[on|off]"},
      {"projector.export", "export", QT_TRANSLATE_NOOP("Actions", "Export points"),
       QT_TRANSLATE_NOOP("Actions", "Writes positions and labels as comma-separated values"), "FILE.csv"},
  };
  for (const Order& o : orders) {
    registry.add({QString::fromLatin1(o.id),
                  o.text,
                  o.toolTip,
                  {},
                  {},
                  o.usage,
                  [&shell, order = QString::fromLatin1(o.order)](const QStringList& a) { return give(shell, QStringList{order} + a); },
                  {},
                  {},
                  false,
                  "Actions",
                  noKey});
  }
  registry.add({QStringLiteral("run.show-cell"),
                QT_TRANSLATE_NOOP("Actions", "Show a cell of the confusion matrix"),
                QT_TRANSLATE_NOOP("Actions", "Shows the samples of a class that were predicted as another"),
                {},
                {},
                "ACTUAL PREDICTED",
                [&workspace, &shell](const QStringList& a) {
                  shell.showView(QStringLiteral("evaluation"));
                  QMetaObject::invokeMethod(shell.viewWidget(QStringLiteral("evaluation")), "showCell", Q_ARG(int, a.value(0).toInt()),
                                            Q_ARG(int, a.value(1).toInt()));
                  return CommandResult::when([&workspace]() -> std::optional<CommandResult> {
                    return workspace.tasks().isEmpty() ? std::optional(CommandResult::done()) : std::nullopt;
                  });
                },
                [&workspace] { return workspace.runs().model() ? QString() : ProjectorActions::tr("Nothing has been trained yet."); },
                {},
                false,
                "Actions",
                QT_TRANSLATE_NOOP("Actions", "Rarely needed: a click on the cell does it")});
}

}  // namespace weft::app
