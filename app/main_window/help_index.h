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

/// All pages in the present language, in English where that has none; "first-steps" first, then by title.
QVector<HelpPage> helpPages();
/// Markdown of a page in the first language that has it; empty if there is none. `op/NAME` is made from the op's record, `api/NAME` from the function's.
QString helpText(const QString& page);
/// The page on what has the keyboard: the dynamic property `helpPage` of a widget or of one around it, a dock's id, or the op of the selected node.
QString helpPageFor(const QWidget* focus, Workspace& workspace, Shell& shell);

}  // namespace weft::app
