#pragma once

#include <QFont>

class QsciLexer;
class QObject;

namespace weft::widgets {

/// Creates a Python lexer in the theme's colours.
QsciLexer* makePythonLexer(QObject* parent);
/// Creates a lexer for the protocol buffer text format.
QsciLexer* makeTextProtoLexer(QObject* parent);
/// Converts a theme font to point size: Scintilla ignores pixel sizes.
QFont inPoints(QFont font);
/// Gives a lexer of this file the fonts and colours of the current theme.
void colorLexer(QsciLexer* lexer);

}  // namespace weft::widgets
