#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

#include "palette/palette_model.h"

namespace weft::app {

/// Pieces of graphs that somebody keeps to use again: text GraphDefs with their layers, a file for each in the user's data folder. As a type that is
/// added a snippet is called `snippet:NAME`. GUI thread, but for reading, which any thread may do.
bool isSnippet(const QString& type);
QStringList snippetNames();
/// Text of `snippet:NAME`; null with `error` if there is none.
QString snippetText(const QString& type, QString* error);
/// Takes the place of one that has the name. Each returns one sentence on why not, or nothing.
QString keepSnippet(const QString& name, const QString& text);
QString forgetSnippet(const QString& name);
/// A name that is free yet: `like`, or with a number behind it.
QString freeSnippetName(const QString& like);
/// As the palette shows them.
QVector<widgets::PaletteItem> snippetItems();
/// Another number whenever there are others.
int snippetGeneration();

}  // namespace weft::app
