#pragma once

#include <QString>
#include <QStringList>

namespace weft::app {

/// Splits a script line as a shell does: blanks separate, 'single' and "double" quotes group, a backslash escapes the next character, # at the beginning of a
/// word starts a comment. `error` gets a sentence if a quote is not closed.
QStringList commandWords(const QString& line, QString* error);
/// A command and its words as a script line; the inverse of commandWords.
QString commandLine(const QString& id, const QStringList& words);

}  // namespace weft::app
