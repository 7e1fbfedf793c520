#pragma once

#include <QFont>

class QsciLexer;
class QObject;

namespace weft::widgets {

/// Colours Python in the theme's colours.
QsciLexer* makePythonLexer(QObject* parent);
/// Colours the text form of protocol buffers.
QsciLexer* makeTextProtoLexer(QObject* parent);
/// A font of the theme as Scintilla takes it: in points; of fonts in pixels it knows no size.
QFont inPoints(QFont font);
/// Gives a lexer of this file the fonts and colours of the current theme.
void colorLexer(QsciLexer* lexer);

}  // namespace weft::widgets
