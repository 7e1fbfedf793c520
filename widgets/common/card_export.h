#pragma once

#include <QByteArray>
#include <QString>
#include <functional>

class QMenu;
class QWidget;

namespace weft::widgets {

/// Writes the widget as a PNG at twice its resolution.
bool writePng(QWidget* widget, const QString& path);
/// Writes the widget as vector graphics.
bool writeSvg(QWidget* widget, const QString& path);
bool writeText(const QByteArray& text, const QString& path);

/// Writes a card in the format of the path's extension: .png, .svg, .csv or .json. Returns an error in one sentence, or an empty string.
QString exportCard(QWidget* card, const QString& path, const std::function<QByteArray()>& csv, const std::function<QByteArray()>& json);

/// Adds "Save as PNG…", "SVG…", "CSV…" and "JSON…", each asking for a file.
void addExportActions(QMenu* menu, QWidget* card, std::function<QString()> name, std::function<QByteArray()> csv, std::function<QByteArray()> json);

}  // namespace weft::widgets
