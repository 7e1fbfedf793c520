#pragma once

#include <QByteArray>
#include <QString>
#include <functional>

class QMenu;
class QWidget;

namespace weft::widgets {

/// The widget as it looks, at twice the resolution.
bool writePng(QWidget* widget, const QString& path);
/// The widget as it looks, as vectors.
bool writeSvg(QWidget* widget, const QString& path);
bool writeText(const QByteArray& text, const QString& path);

/// Writes a card by the ending of the path: .png, .svg, .csv or .json. An error in one sentence, or empty.
QString exportCard(QWidget* card, const QString& path, const std::function<QByteArray()>& csv, const std::function<QByteArray()>& json);

/// Adds "Save as PNG…", "SVG…", "CSV…" and "JSON…", each asking for a file.
void addExportActions(QMenu* menu, QWidget* card, std::function<QString()> name, std::function<QByteArray()> csv, std::function<QByteArray()> json);

}  // namespace weft::widgets
