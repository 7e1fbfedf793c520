#pragma once

#include <Qsci/qsciscintilla.h>

#include <QMap>
#include <QString>
#include <QVector>
#include <functional>

#include "common/theme.h"

class QsciLexer;

namespace weft::widgets {

/// A piece of the ghost text at the end of a line.
struct GhostPart {
  QString text;
  Role role = Role::Text3;
  bool operator==(const GhostPart&) const = default;
};
using GhostText = QVector<GhostPart>;

/// What the margin says of a line's result.
enum class Verdict { None, Right, Wrong };

/// Edits a text with line numbers, colours, marks in the margin and ghost texts at line ends. Lines count from 1. GUI thread.
class CodeEditor : public QsciScintilla {
  Q_OBJECT

 public:
  enum class Language { Python, TextProto };
  explicit CodeEditor(Language language, QWidget* parent = nullptr);
  ~CodeEditor() override;

  /// Another text, without history: unmodified, no marks.
  void load(const QString& text);
  /// Puts `text` in place of what is there as one step of the history.
  void replaceAll(const QString& text);
  /// Puts `text` in place of lines `first` to `last` as one step.
  void replaceLines(int first, int last, const QString& text);
  /// The text of a line, without its end.
  QString lineText(int line) const;
  int lineCount() const { return lines(); }
  int cursorLine() const;
  /// Puts the cursor there and brings it into view.
  void goToLine(int line, int column = 0);

  void setBreakpoints(const QMap<int, bool>& conditionalByLine);
  QMap<int, bool> breakpoints() const;
  /// The line that is computed next; 0: none.
  void setPresent(int line);
  /// Lines behind which something stands that is selected elsewhere.
  void setMarked(const QVector<int>& lines);
  QVector<int> marked() const;
  void setGhosts(const QMap<int, GhostText>& ghosts);
  /// As they stand now: lines move, those that were edited have none.
  QMap<int, GhostText> ghosts() const;
  void setVerdicts(const QMap<int, Verdict>& verdicts);
  QMap<int, Verdict> verdicts() const;
  /// Errors by line: a red sign in the margin, a wave beneath the line, the text as its tooltip.
  void setErrors(const QMap<int, QString>& errors);
  const QMap<int, QString> errors() const;

  /// A part of a line that is underlined with dots and says something when the pointer is over it.
  struct Hint {
    int line = 0, column = 0, length = 0;
    QString text;
    bool operator==(const Hint&) const = default;
  };
  void setHints(const QVector<Hint>& hints);
  const QVector<Hint>& hints() const { return hints_; }

  /// Where the ghost text of a line is drawn, in coordinates of the viewport; empty: out of sight, or none.
  QRect ghostRect(int line) const;
  int stripWidth() const;
  /// The text under the point: of a hint, an error or a ghost that is cut.
  QString toolTipAt(const QPoint& at) const;

 signals:
  /// In the strip beside the numbers; `menu`: with the right button.
  void stripClicked(int line, const QPoint& global, bool menu);
  void lineClicked(int line);

 protected:
  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Mark {
    int handle = -1;
    GhostText ghost;
    Verdict verdict = Verdict::None;
    QString error;
    bool breakpoint = false, conditional = false;
  };
  void restyle();
  void fitNumbers();
  int lineOf(int handle) const;
  int track(int line);
  void release(int handle);
  void changed(int position, int type, int linesAdded);
  int lineAtY(int y) const;
  QRect lineRect(int line) const;
  void paintMargin(QPainter& painter);
  void paintGhosts(QPainter& painter);
  void showHints();

  Language language_;
  QsciLexer* lexer_;
  QVector<Mark> breakpoints_, ghosts_, verdicts_, errors_;
  QVector<int> marked_;
  QVector<Hint> hints_;
  int present_ = -1;  // handle
  int hovered_ = 0;
  bool loading_ = false;
};

}  // namespace weft::widgets
