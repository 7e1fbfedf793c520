#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

#include "palette/palette_model.h"

namespace weft::app {

/// The user's reusable parts of graphs: text GraphDefs with their layers, one file each in the user's data folder. As a type, a snippet is called
/// `snippet:NAME`. GUI thread, except for reading, which any thread may do.
bool isSnippet(const QString& type);
QStringList snippetNames();
/// The text of `snippet:NAME`; null, with `error`, if there is none.
QString snippetText(const QString& type, QString* error);
/// Replaces a snippet of the same name. Returns an error sentence, or empty.
QString keepSnippet(const QString& name, const QString& text);
QString forgetSnippet(const QString& name);
/// An unused name: `like`, or `like` with a number appended.
QString freeSnippetName(const QString& like);
/// The snippets as palette items.
QVector<widgets::PaletteItem> snippetItems();
/// Changes whenever the snippets change.
int snippetGeneration();

}  // namespace weft::app
