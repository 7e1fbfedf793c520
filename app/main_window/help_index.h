#pragma once

#include <QString>
#include <QVector>

class QWidget;

namespace weft::app {

class Shell;
class Workspace;

/// A page of resources/help.
struct HelpPage {
  QString id;     ///< "first-steps": the file's name
  QString title;  ///< its first heading, in the present language
};

/// All pages in the present language, or in English where not translated; "first-steps" first, then by title.
QVector<HelpPage> helpPages();
/// Markdown of a page in the first language that has it; empty if it does not exist. `op/NAME` is made from the op's record, `api/NAME` from the function's.
QString helpText(const QString& page);
/// The help page for the focused widget: the dynamic property `helpPage` of the widget or an ancestor, a dock's id, or the op of the selected node.
QString helpPageFor(const QWidget* focus, Workspace& workspace, Shell& shell);

}  // namespace weft::app
