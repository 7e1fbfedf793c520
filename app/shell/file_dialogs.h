// File dialogs: the desktop's own where Qt supports it, else Qt's with additions: recent folders, readable columns, and Enter opens a typed path.
#pragma once

#include <QString>
#include <QStringList>
#include <functional>

class QFileDialog;
class QWidget;

namespace weft::app {

class Settings;

/// Asks for files to open and calls `then` with them, unless nothing was chosen. Returns at once.
void askForFiles(QWidget* window, const Settings& settings, const QString& title, const QString& folder, const QString& filters,
                 std::function<void(const QStringList& paths)> then);
/// Asks for one file.
void askForFile(QWidget* window, const Settings& settings, const QString& title, const QString& folder, const QString& filters,
                std::function<void(const QString& path)> then);
/// Asks for an existing folder.
void askForFolder(QWidget* window, const Settings& settings, const QString& title, const QString& folder, std::function<void(const QString& path)> then);
/// Asks for the name of a file to write, and waits; empty: cancelled. `filter` gets the chosen filter.
QString askForFileToSave(QWidget* window, const Settings& settings, const QString& title, const QString& suggestion, const QString& filters,
                         QString* filter = nullptr);
/// Adds what Qt's dialog lacks. Does nothing to a native one.
void prepareFileDialog(QFileDialog& dialog, const Settings& settings);

}  // namespace weft::app
