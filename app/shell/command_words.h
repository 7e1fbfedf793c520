#pragma once

#include <QString>
#include <QStringList>

namespace weft::app {

/// Splits a line of a script as a shell does: blanks separate, 'single' and "double" quotes group, a backslash takes the next character as it is,
/// # at the beginning of a word begins a comment. `error` gets a sentence if a quote is not closed.
QStringList commandWords(const QString& line, QString* error);
/// A command and its words as a line of a script; commandWords gives them back.
QString commandLine(const QString& id, const QStringList& words);

}  // namespace weft::app
