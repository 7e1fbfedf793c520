#include "code_editor/code_colors.h"

#include <Qsci/qscilexercustom.h>
#include <Qsci/qscilexerpython.h>
#include <Qsci/qsciscintilla.h>

#include <QFontInfo>

#include "common/theme.h"

namespace weft::widgets {
namespace {

/// Python, with TensorFlow's and Python's common names in a separate colour.
class PythonLexer final : public QsciLexerPython {
 public:
  using QsciLexerPython::QsciLexerPython;
  const char* keywords(int set) const override {
    if (set == 1)
      return "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try "
             "while with yield";
    return set == 2
               ? "abs all any bool bytes dict enumerate float int isinstance len list map max min np object open print range reversed round self set sorted str sum super tf tuple type zip"
               : nullptr;
  }
};

/// Lexes `name: value`, `name { … }`, `"text"`, numbers, DT_FLOAT and # comments.
class TextProtoLexer final : public QsciLexerCustom {
 public:
  enum Style { Plain, Field, Text, Number, Word, Remark };
  using QsciLexerCustom::QsciLexerCustom;
  const char* language() const override { return "TextProto"; }
  QString description(int style) const override { return style >= Plain && style <= Remark ? QStringLiteral("style %1").arg(style) : QString(); }
  void styleText(int start, int end) override {
    if (!editor()) return;
    // Strings never span lines, so each line is coloured independently.
    start = int(editor()->SendScintilla(QsciScintilla::SCI_POSITIONFROMLINE, editor()->SendScintilla(QsciScintilla::SCI_LINEFROMPOSITION, start)));
    QByteArray bytes(end - start + 1, '\0');
    editor()->SendScintilla(QsciScintilla::SCI_GETTEXTRANGE, start, end, bytes.data());
    bytes.chop(1);
    startStyling(start);
    const auto isWord = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' || c == '+';
    };
    for (qsizetype i = 0; i < bytes.size();) {
      const char c = bytes[i];
      qsizetype to = i + 1;
      int style = Plain;
      if (c == '#') {
        while (to < bytes.size() && bytes[to] != '\n') ++to;
        style = Remark;
      } else if (c == '"' || c == '\'') {
        while (to < bytes.size() && bytes[to] != c && bytes[to] != '\n') to += bytes[to] == '\\' ? 2 : 1;
        to = std::min(to + 1, bytes.size());
        style = Text;
      } else if (isWord(c)) {
        while (to < bytes.size() && isWord(bytes[to])) ++to;
        qsizetype next = to;
        while (next < bytes.size() && bytes[next] == ' ') ++next;
        const bool field = next < bytes.size() && (bytes[next] == ':' || bytes[next] == '{');
        style = field ? Field : (c >= '0' && c <= '9') || c == '-' ? Number : Word;
      }
      setStyling(int(to - i), style);
      i = to;
    }
  }
};

}  // namespace

QsciLexer* makePythonLexer(QObject* parent) { return new PythonLexer(parent); }
QsciLexer* makeTextProtoLexer(QObject* parent) { return new TextProtoLexer(parent); }

QFont inPoints(QFont font) {
  font.setPointSizeF(QFontInfo(font).pointSizeF());
  return font;
}

void colorLexer(QsciLexer* lexer) {
  const Theme& theme = Theme::current();
  const QFont font = inPoints(theme.monoFont());
  const QColor paper = theme.color(Role::Surface0);
  lexer->setDefaultFont(font);
  lexer->setDefaultPaper(paper);
  lexer->setDefaultColor(theme.color(Role::Text1));
  lexer->setFont(font, -1);
  lexer->setPaper(paper, -1);
  lexer->setColor(theme.color(Role::Text1), -1);
  const auto color = [&](int style, Role role) { lexer->setColor(theme.color(role), style); };
  if (dynamic_cast<TextProtoLexer*>(lexer)) {
    color(TextProtoLexer::Field, Role::Accent);
    color(TextProtoLexer::Text, Role::Warning);
    color(TextProtoLexer::Number, Role::Ok);
    color(TextProtoLexer::Word, Role::Info);
    color(TextProtoLexer::Remark, Role::Text3);
    return;
  }
  using P = QsciLexerPython;
  color(P::Comment, Role::Text3);
  color(P::CommentBlock, Role::Text3);
  color(P::Number, Role::Ok);
  color(P::Keyword, Role::Accent);
  color(P::HighlightedIdentifier, Role::Info);
  color(P::Decorator, Role::Info);
  for (const int style :
       {int(P::SingleQuotedString), int(P::DoubleQuotedString), int(P::TripleSingleQuotedString), int(P::TripleDoubleQuotedString), int(P::UnclosedString),
        int(P::SingleQuotedFString), int(P::DoubleQuotedFString), int(P::TripleSingleQuotedFString), int(P::TripleDoubleQuotedFString)})
    color(style, Role::Warning);
  QFont bold = font;
  bold.setWeight(QFont::DemiBold);
  lexer->setFont(bold, P::FunctionMethodName);
  lexer->setFont(bold, P::ClassName);
}

}  // namespace weft::widgets
