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

/// The margin's verdict on a line's result.
enum class Verdict { None, Right, Wrong };

/// Edits a text with line numbers, colours, marks in the margin and ghost texts at line ends. Lines count from 1. GUI thread.
class CodeEditor : public QsciScintilla {
  Q_OBJECT

 public:
  enum class Language { Python, TextProto };
  explicit CodeEditor(Language language, QWidget* parent = nullptr);
  ~CodeEditor() override;

  /// Loads another text: unmodified, without history or marks.
  void load(const QString& text);
  /// Replaces the whole text as one undo step.
  void replaceAll(const QString& text);
  /// Replaces lines `first` to `last` as one undo step.
  void replaceLines(int first, int last, const QString& text);
  /// The text of a line without its line end.
  QString lineText(int line) const;
  int lineCount() const { return lines(); }
  int cursorLine() const;
  /// Moves the cursor there and scrolls it into view.
  void goToLine(int line, int column = 0);

  void setBreakpoints(const QMap<int, bool>& conditionalByLine);
  QMap<int, bool> breakpoints() const;
  /// The line that is executed next; 0: none.
  void setPresent(int line);
  /// Marks lines in the margin, for example those of nodes that are selected elsewhere.
  void setMarked(const QVector<int>& lines);
  QVector<int> marked() const;
  void setGhosts(const QMap<int, GhostText>& ghosts);
  /// The current ghost texts: they have moved with their lines; edited lines have none.
  QMap<int, GhostText> ghosts() const;
  void setVerdicts(const QMap<int, Verdict>& verdicts);
  QMap<int, Verdict> verdicts() const;
  /// Errors by line: a red sign in the margin, a squiggle beneath the line, the text as tooltip.
  void setErrors(const QMap<int, QString>& errors);
  const QMap<int, QString> errors() const;

  /// A part of a line with a dotted underline and a tooltip.
  struct Hint {
    int line = 0, column = 0, length = 0;
    QString text;
    bool operator==(const Hint&) const = default;
  };
  void setHints(const QVector<Hint>& hints);
  const QVector<Hint>& hints() const { return hints_; }

  /// The rectangle of a line's ghost text in viewport coordinates; empty: none, or out of view.
  QRect ghostRect(int line) const;
  int stripWidth() const;
  /// The tooltip at a point: of a hint, an error, or an elided ghost text.
  QString toolTipAt(const QPoint& at) const;

 signals:
  /// A click in the margin beside the line numbers; `menu`: with the right button.
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
  int present_ = -1;  // marker handle
  int hovered_ = 0;
  bool loading_ = false;
};

}  // namespace weft::widgets
