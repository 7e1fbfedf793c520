// Dialogs that ask for files: the desktop's own where Qt has it, else Qt's with what it lacks: folders used last, readable columns, and a typed path that opens with Enter.
#pragma once

#include <QString>
#include <QStringList>
#include <functional>

class QFileDialog;
class QWidget;

namespace weft::app {

class Settings;

/// Asks for files to open and calls `then` with them; not if nothing was chosen. Does not wait: the window goes on.
void askForFiles(QWidget* window, const Settings& settings, const QString& title, const QString& folder, const QString& filters,
                 std::function<void(const QStringList& paths)> then);
/// The same for one file.
void askForFile(QWidget* window, const Settings& settings, const QString& title, const QString& folder, const QString& filters,
                std::function<void(const QString& path)> then);
/// The same for a folder, which is there already.
void askForFolder(QWidget* window, const Settings& settings, const QString& title, const QString& folder, std::function<void(const QString& path)> then);
/// Asks for the name of a file to write, and waits; empty: nothing was chosen. `filter`: gets the filter that was chosen.
QString askForFileToSave(QWidget* window, const Settings& settings, const QString& title, const QString& suggestion, const QString& filters,
                         QString* filter = nullptr);
/// Gives a dialog what Qt's lacks. Does nothing to a native one.
void prepareFileDialog(QFileDialog& dialog, const Settings& settings);

}  // namespace weft::app
