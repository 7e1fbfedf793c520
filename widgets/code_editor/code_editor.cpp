#include "code_editor/code_editor.h"

#include <Qsci/qscicommandset.h>
#include <Qsci/qscilexer.h>

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QRegularExpression>
#include <QToolTip>
#include <algorithm>

#include "code_editor/code_colors.h"

namespace weft::widgets {
namespace {

constexpr int kStrip = 0, kNumbers = 1;       // margins
constexpr int kTrack = 1;                     // an invisible marker that only tracks its line
constexpr int kHintMark = 8, kErrorMark = 9;  // indicators
constexpr int kMarkedLine = 2, kPresentLine = 3;

bool isOfTheWindow(int key) {
  for (const char* text : {"Ctrl+D", "Ctrl+T", "Ctrl+L", "Ctrl+U", "Ctrl+Shift+T", "Ctrl+Shift+L", "Ctrl+Shift+U", "Ctrl+Shift+C"})
    if (key != 0 && QKeySequence(QLatin1String(text))[0].toCombined() == key) return true;
  return false;
}

/// Indentation width of a text, taken from its first indented line.
int indentationOf(const QString& text) {
  static const QRegularExpression indented(QStringLiteral("^( +)\\S"), QRegularExpression::MultilineOption);
  const auto match = indented.match(text);
  const int width = match.hasMatch() ? int(match.capturedLength(1)) : 4;
  return width == 2 || width == 3 || width == 8 ? width : 4;
}

}  // namespace

CodeEditor::CodeEditor(Language language, QWidget* parent)
    : QsciScintilla(parent), language_(language), lexer_(language == Language::Python ? makePythonLexer(this) : makeTextProtoLexer(this)) {
  setFrameShape(QFrame::NoFrame);
  setUtf8(true);
  setAutoIndent(true);
  setIndentationsUseTabs(false);
  setBackspaceUnindents(true);
  setTabIndents(true);
  setBraceMatching(SloppyBraceMatch);
  setCaretLineVisible(true);
  setWrapMode(WrapNone);
  setExtraAscent(2);
  setExtraDescent(2);
  SendScintilla(SCI_SETMARGINLEFT, 0, 6L);
  setScrollWidth(100);
  setScrollWidthTracking(true);
  setMarginType(kStrip, SymbolMargin);
  setMarginMarkerMask(kStrip, 0);
  setMarginSensitivity(kStrip, true);
  setMarginType(kNumbers, NumberMargin);
  setMarginSensitivity(kNumbers, true);
  setMarginMarkerMask(kNumbers, 0);
  for (int margin = 2; margin < 5; ++margin) setMarginWidth(margin, 0);
  markerDefine(Invisible, kTrack);
  markerDefine(Background, kMarkedLine);
  markerDefine(Background, kPresentLine);
  indicatorDefine(DotsIndicator, kHintMark);
  indicatorDefine(SquiggleIndicator, kErrorMark);
  setLexer(lexer_);
  // Keys that the window uses are left to the window.
  for (QsciCommand* command : standardCommands()->commands()) {
    if (isOfTheWindow(command->key())) command->setKey(0);
    if (isOfTheWindow(command->alternateKey())) command->setAlternateKey(0);
  }
  setMouseTracking(true);
  viewport()->setMouseTracking(true);
  connect(this, &QsciScintillaBase::SCN_MODIFIED, this,
          [this](int position, int type, const char*, int, int linesAdded, int, int, int, int, int) { changed(position, type, linesAdded); });
  const auto clicked = [this](bool menu) { return [this, menu](int, int line, Qt::KeyboardModifiers) { emit stripClicked(line + 1, QCursor::pos(), menu); }; };
  connect(this, &QsciScintilla::marginClicked, this, clicked(false));
  connect(this, &QsciScintilla::marginRightClicked, this, clicked(true));
  connect(this, &QsciScintilla::linesChanged, this, &CodeEditor::fitNumbers);
  restyle();
}

CodeEditor::~CodeEditor() { disconnect(this, nullptr, this, nullptr); }  // Scintilla emits signals while it is destroyed

void CodeEditor::load(const QString& text) {
  loading_ = true;
  markerDeleteAll();
  breakpoints_.clear();
  ghosts_.clear();
  verdicts_.clear();
  errors_.clear();
  marked_.clear();
  hints_.clear();
  present_ = -1;
  setEolMode(text.contains(QLatin1String("\r\n")) ? EolWindows : EolUnix);
  setIndentationWidth(indentationOf(text));
  setTabWidth(language_ == Language::Python ? 8 : 2);  // Python expands a tab to the next multiple of eight
  setText(text);
  SendScintilla(SCI_EMPTYUNDOBUFFER);
  setModified(false);
  loading_ = false;
  fitNumbers();
  viewport()->update();
}

void CodeEditor::replaceAll(const QString& text) {
  if (text == this->text()) return;
  const int line = cursorLine();
  beginUndoAction();
  SendScintilla(SCI_SETTARGETSTART, 0);
  SendScintilla(SCI_SETTARGETEND, SendScintilla(SCI_GETLENGTH));
  const QByteArray bytes = text.toUtf8();
  SendScintilla(SCI_REPLACETARGET, static_cast<unsigned long>(bytes.size()), bytes.constData());
  endUndoAction();
  setCursorPosition(std::min(line, lines()) - 1, 0);
}

void CodeEditor::replaceLines(int first, int last, const QString& text) {
  beginUndoAction();
  SendScintilla(SCI_SETTARGETSTART, SendScintilla(SCI_POSITIONFROMLINE, first - 1));
  SendScintilla(SCI_SETTARGETEND, SendScintilla(SCI_GETLINEENDPOSITION, last - 1));
  const QByteArray bytes = text.toUtf8();
  SendScintilla(SCI_REPLACETARGET, static_cast<unsigned long>(bytes.size()), bytes.constData());
  endUndoAction();
}

QString CodeEditor::lineText(int line) const {
  QString out = text(line - 1);
  while (out.endsWith(u'\n') || out.endsWith(u'\r')) out.chop(1);
  return out;
}

int CodeEditor::cursorLine() const {
  int line = 0, column = 0;
  getCursorPosition(&line, &column);
  return line + 1;
}

void CodeEditor::goToLine(int line, int column) {
  setCursorPosition(std::clamp(line, 1, std::max(1, lines())) - 1, column);
  ensureLineVisible(line - 1);
  const long first = SendScintilla(SCI_GETFIRSTVISIBLELINE), shown = SendScintilla(SCI_LINESONSCREEN);
  if (line - 1 < first + 1 || line - 1 > first + shown - 4) SendScintilla(SCI_SETFIRSTVISIBLELINE, std::max(0L, line - 1 - shown / 2));
}

int CodeEditor::lineOf(int handle) const { return handle < 0 ? 0 : markerLine(handle) + 1; }
int CodeEditor::track(int line) { return line < 1 || line > lines() ? -1 : markerAdd(line - 1, kTrack); }
void CodeEditor::release(int handle) {
  if (handle >= 0) markerDeleteHandle(handle);
}

void CodeEditor::setBreakpoints(const QMap<int, bool>& conditionalByLine) {
  if (breakpoints() == conditionalByLine) return;
  for (const Mark& m : std::as_const(breakpoints_)) release(m.handle);
  breakpoints_.clear();
  for (auto it = conditionalByLine.begin(); it != conditionalByLine.end(); ++it) {
    Mark m;
    m.handle = track(it.key());
    m.breakpoint = true;
    m.conditional = it.value();
    if (m.handle >= 0) breakpoints_ << m;
  }
  viewport()->update();
}

QMap<int, bool> CodeEditor::breakpoints() const {
  QMap<int, bool> out;
  for (const Mark& m : breakpoints_)
    if (const int line = lineOf(m.handle)) out.insert(line, m.conditional);
  return out;
}

void CodeEditor::setPresent(int line) {
  if (line == lineOf(present_)) return;
  markerDeleteAll(kPresentLine);
  present_ = line > 0 && line <= lines() ? markerAdd(line - 1, kPresentLine) : -1;
  if (line > 0) goToLine(line);
  viewport()->update();
}

void CodeEditor::setMarked(const QVector<int>& lines) {
  if (lines == marked_) return;
  marked_ = lines;
  markerDeleteAll(kMarkedLine);
  for (const int line : lines) markerAdd(line - 1, kMarkedLine);
}

QVector<int> CodeEditor::marked() const { return marked_; }

void CodeEditor::setGhosts(const QMap<int, GhostText>& ghosts) {
  for (const Mark& m : std::as_const(ghosts_)) release(m.handle);
  ghosts_.clear();
  for (auto it = ghosts.begin(); it != ghosts.end(); ++it) {
    Mark m;
    m.handle = track(it.key());
    m.ghost = it.value();
    if (m.handle >= 0 && !m.ghost.isEmpty()) ghosts_ << m;
  }
  viewport()->update();
}

QMap<int, GhostText> CodeEditor::ghosts() const {
  QMap<int, GhostText> out;
  for (const Mark& m : ghosts_)
    if (const int line = lineOf(m.handle)) out.insert(line, m.ghost);
  return out;
}

void CodeEditor::setVerdicts(const QMap<int, Verdict>& verdicts) {
  for (const Mark& m : std::as_const(verdicts_)) release(m.handle);
  verdicts_.clear();
  for (auto it = verdicts.begin(); it != verdicts.end(); ++it) {
    Mark m;
    m.handle = track(it.key());
    m.verdict = it.value();
    if (m.handle >= 0) verdicts_ << m;
  }
  viewport()->update();
}

QMap<int, Verdict> CodeEditor::verdicts() const {
  QMap<int, Verdict> out;
  for (const Mark& m : verdicts_)
    if (const int line = lineOf(m.handle)) out.insert(line, m.verdict);
  return out;
}

void CodeEditor::setErrors(const QMap<int, QString>& errors) {
  if (errors == this->errors()) return;
  for (const Mark& m : std::as_const(errors_)) release(m.handle);
  errors_.clear();
  clearIndicatorRange(0, 0, std::max(0, lines() - 1), lineLength(std::max(0, lines() - 1)), kErrorMark);
  for (auto it = errors.begin(); it != errors.end(); ++it) {
    const int line = std::clamp(it.key(), 1, std::max(1, lines()));
    Mark m;
    m.handle = track(line);
    m.error = it.value();
    errors_ << m;
    const QString text = lineText(line);
    const qsizetype begin = text.size() - text.trimmed().size();
    fillIndicatorRange(line - 1, int(std::min(begin, text.size())), line - 1, int(text.size()), kErrorMark);
  }
  viewport()->update();
}

const QMap<int, QString> CodeEditor::errors() const {
  QMap<int, QString> out;
  for (const Mark& m : errors_)
    if (const int line = lineOf(m.handle)) out.insert(line, m.error);
  return out;
}

void CodeEditor::setHints(const QVector<Hint>& hints) {
  if (hints == hints_) return;
  hints_ = hints;
  showHints();
}

void CodeEditor::showHints() {
  clearIndicatorRange(0, 0, std::max(0, lines() - 1), lineLength(std::max(0, lines() - 1)), kHintMark);
  for (const Hint& h : std::as_const(hints_)) fillIndicatorRange(h.line - 1, h.column, h.line - 1, h.column + h.length, kHintMark);
}

void CodeEditor::changed(int position, int type, int linesAdded) {
  if (loading_ || !(type & (SC_MOD_INSERTTEXT | SC_MOD_DELETETEXT))) return;
  // Annotations hold only for the line as it was. Enter at a line's end does not change that line.
  const int line = int(SendScintilla(SCI_LINEFROMPOSITION, position)) + 1;
  const bool atEnd = (type & SC_MOD_INSERTTEXT) && linesAdded > 0 && position == SendScintilla(SCI_GETLINEENDPOSITION, line - 1);
  const auto drop = [&](QVector<Mark>& marks) {
    marks.removeIf([&](const Mark& m) {
      const int at = lineOf(m.handle);
      const bool gone = at == 0 || (!atEnd && at == line);
      if (gone) release(m.handle);
      return gone;
    });
  };
  drop(ghosts_);
  drop(verdicts_);
  breakpoints_.removeIf([&](const Mark& m) { return lineOf(m.handle) == 0; });
  viewport()->update();
}

void CodeEditor::fitNumbers() {
  setMarginWidth(kNumbers, QFontMetrics(Theme::current().monoSmallFont()).horizontalAdvance(QString::number(std::max(100, lines()))) + 14);
  setMarginWidth(kStrip, stripWidth());
}

int CodeEditor::stripWidth() const { return QFontMetrics(Theme::current().monoFont()).height() + 4; }

void CodeEditor::restyle() {
  const Theme& theme = Theme::current();
  colorLexer(lexer_);
  setPaper(theme.color(Role::Surface0));
  setColor(theme.color(Role::Text1));
  setCaretForegroundColor(theme.color(Role::Text1));
  setCaretLineBackgroundColor(theme.color(Role::Surface1));
  setSelectionBackgroundColor(theme.color(Role::Selection));
  setSelectionForegroundColor(theme.color(Role::SelectionText));
  setMarginsBackgroundColor(theme.color(Role::Surface1));
  setMarginsForegroundColor(theme.color(Role::Text3));
  setMarginsFont(inPoints(theme.monoSmallFont()));
  setMarginBackgroundColor(kStrip, theme.color(Role::Surface1));
  SendScintilla(SCI_SETMARGINTYPEN, kStrip, SC_MARGIN_COLOUR);
  SendScintilla(SCI_SETMARGINBACKN, kStrip, theme.color(Role::Surface1));
  setMatchedBraceBackgroundColor(theme.color(Role::AccentSoft));
  setMatchedBraceForegroundColor(theme.color(Role::Text1));
  setUnmatchedBraceForegroundColor(theme.color(Role::Error));
  setMarkerBackgroundColor(theme.color(Role::AccentSoft), kMarkedLine);
  setMarkerBackgroundColor(mix(theme.color(Role::Warning), theme.color(Role::Surface0), 0.25), kPresentLine);
  setIndicatorForegroundColor(theme.color(Role::Info), kHintMark);
  setIndicatorForegroundColor(theme.color(Role::Error), kErrorMark);
  setEdgeMode(EdgeNone);
  fitNumbers();
}

int CodeEditor::lineAtY(int y) const {
  const int line = int(SendScintilla(SCI_GETFIRSTVISIBLELINE)) + y / std::max(1, int(SendScintilla(SCI_TEXTHEIGHT, 0L))) + 1;
  return line >= 1 && line <= lines() ? line : 0;
}

bool CodeEditor::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = toolTipAt(help->pos());
    text.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), text, this);
    return true;
  }
  if (event->type() == QEvent::MouseMove || event->type() == QEvent::Leave) {
    const QPoint at = event->type() == QEvent::Leave ? QPoint(-1, -1) : static_cast<QMouseEvent*>(event)->pos();
    const int line = at.x() >= 0 && at.x() < stripWidth() && receivers(SIGNAL(stripClicked(int, QPoint, bool))) > 0 ? lineAtY(at.y()) : 0;
    if (line != hovered_) {
      hovered_ = line;
      viewport()->update();
    }
  }
  return QsciScintilla::viewportEvent(event);
}

void CodeEditor::mouseReleaseEvent(QMouseEvent* event) {
  QsciScintilla::mouseReleaseEvent(event);
  const int x = int(event->position().x());
  if (event->button() == Qt::LeftButton && !hasSelectedText() && x > marginWidth(kStrip) + marginWidth(kNumbers))
    emit lineClicked(lineAtY(int(event->position().y())));
}

void CodeEditor::contextMenuEvent(QContextMenuEvent* event) { event->ignore(); }  // handled by the page

void CodeEditor::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && !isListActive()) return event->ignore();  // closes the find bar
  QsciScintilla::keyPressEvent(event);
}

void CodeEditor::changeEvent(QEvent* event) {
  QsciScintilla::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && lexer_) restyle();
}

}  // namespace weft::widgets
