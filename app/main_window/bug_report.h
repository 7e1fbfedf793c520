#pragma once

#include <QString>

class QWidget;

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// Writes a .zip with the log, versions, settings (without the names of recent files), the last actions as a script, a picture of the window and, if wanted,
/// the current document. Returns an error, or empty.
QString writeBugReport(const QString& path, bool withDocument, const QString& words, Workspace& workspace, const ActionRegistry& actions, Shell& shell);
/// Asks for a description, the file name, and whether to include the document.
void askForBugReport(Workspace& workspace, ActionRegistry& actions, Shell& shell);

}  // namespace weft::app
