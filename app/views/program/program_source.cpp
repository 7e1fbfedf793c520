#include "views/program/program_source.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QEvent>
#include <QFile>
#include <QFileInfo>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSyntaxHighlighter>
#include <QTextBlock>
#include <QWheelEvent>
#include <algorithm>

#include "common/theme.h"

namespace weft::app {

using widgets::Role;

namespace {

constexpr qint64 kLargestFile = 4 << 20;

/// Highlights Python's keywords, strings, numbers and comments.
class PythonColours final : public QSyntaxHighlighter {
 public:
  using QSyntaxHighlighter::QSyntaxHighlighter;

 protected:
  void highlightBlock(const QString& text) override {
    static const QRegularExpression words(
        QStringLiteral("\\b(?:False|None|True|and|as|assert|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|"
                       "nonlocal|not|or|pass|raise|return|try|while|with|yield)\\b"));
    static const QRegularExpression numbers(QStringLiteral("\\b\\d[\\w.]*"));
    const widgets::Theme& theme = widgets::Theme::current();
    const auto colour = [&](const QRegularExpression& what, Role role) {
      for (auto it = what.globalMatch(text); it.hasNext();) {
        const auto match = it.next();
        setFormat(int(match.capturedStart()), int(match.capturedLength()), theme.color(role));
      }
    };
    colour(words, Role::Accent);
    colour(numbers, Role::Ok);
    quote(text, theme);
  }

 private:
  // Strings may span several lines; a line's state is the quote that is open at its end.
  void quote(const QString& text, const widgets::Theme& theme) {
    static const QString quotes[] = {QStringLiteral("\"\"\""), QStringLiteral("'''"), QStringLiteral("\""), QStringLiteral("'")};
    int open = previousBlockState() > 0 ? previousBlockState() : 0, start = 0;
    for (int i = 0; i < text.size();) {
      if (open > 0) {
        const QString& end = quotes[open - 1];
        if (text[i] == u'\\') {
          i += 2;
        } else if (QStringView(text).mid(i).startsWith(end)) {
          i += int(end.size());
          setFormat(start, i - start, theme.color(Role::Warning));
          open = 0;
        } else {
          ++i;
        }
        continue;
      }
      if (text[i] == u'#') {
        setFormat(i, int(text.size()) - i, theme.color(Role::Text3));
        break;
      }
      for (int q = 0; q < 4 && open == 0; ++q) {
        if (QStringView(text).mid(i).startsWith(quotes[q])) open = q + 1;
      }
      if (open > 0) {
        start = i;
        i += int(quotes[open - 1].size());
      } else {
        ++i;
      }
    }
    if (open > 0) setFormat(start, int(text.size()) - start, theme.color(Role::Warning));
    setCurrentBlockState(open == 1 || open == 2 ? open : 0);
  }
};

}  // namespace

/// The strip with line numbers and breakpoints.
class LineNumbers final : public QWidget {
 public:
  explicit LineNumbers(ProgramSource* source) : QWidget(source), source_(source) {
    setMouseTracking(true);
    setCursor(Qt::PointingHandCursor);
  }

 protected:
  void paintEvent(QPaintEvent* event) override { source_->paintNumbers(event); }
  void mousePressEvent(QMouseEvent* event) override {
    const int line = source_->lineAt(int(event->position().y()));
    if (line > 0) emit source_->stripClicked(line, event->globalPosition().toPoint(), event->button() == Qt::RightButton);
  }
  void mouseMoveEvent(QMouseEvent* event) override { hover(source_->lineAt(int(event->position().y()))); }
  void leaveEvent(QEvent*) override { hover(0); }
  void wheelEvent(QWheelEvent* event) override { QCoreApplication::sendEvent(source_->viewport(), event); }

 private:
  void hover(int line) {
    if (source_->hovered_ == line) return;
    source_->hovered_ = line;
    update();
  }
  ProgramSource* source_;
};

ProgramSource::ProgramSource(QWidget* parent) : QPlainTextEdit(parent), numbers_(new LineNumbers(this)) {
  setReadOnly(true);
  setFrameShape(QFrame::NoFrame);
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  setStyleSheet(QStringLiteral("QPlainTextEdit { border: none; border-radius: 0; padding: 0; }"));
  new PythonColours(document());
  connect(this, &QPlainTextEdit::updateRequest, this,
          [this](const QRect& rect, int dy) { dy ? numbers_->scroll(0, dy) : numbers_->update(0, rect.y(), numbers_->width(), rect.height()); });
  connect(this, &QPlainTextEdit::blockCountChanged, this, [this] { setViewportMargins(numbersWidth(), 0, 0, 0); });
  restyle();
}

QString ProgramSource::showFile(const QString& path) {
  const QFileInfo info(path);
  const qint64 time = info.lastModified().toMSecsSinceEpoch();
  if (path == file_ && time == fileTime_) return {};
  if (info.size() > kLargestFile) return tr("%1 is too large to show.").arg(path);
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return tr("%1 cannot be read: %2").arg(path, file.errorString());
  file_ = path;
  fileTime_ = time;
  marked_.clear();
  present_ = failed_ = 0;
  setPlainText(QString::fromUtf8(file.readAll()));
  showSelections();
  return {};
}

void ProgramSource::bringIntoView(int line) {
  const QTextCursor at(document()->findBlockByNumber(line - 1));
  if (viewport()->rect().contains(cursorRect(at))) return;
  setTextCursor(at);
  centerCursor();
}

void ProgramSource::showSelections() {
  QList<QTextEdit::ExtraSelection> selections;
  const auto add = [&](int line, Role role) {
    QTextEdit::ExtraSelection s;
    QColor colour = widgets::Theme::current().color(role);
    if (role == Role::Warning) colour.setAlpha(60);
    s.format.setBackground(colour);
    s.format.setProperty(QTextFormat::FullWidthSelection, true);
    s.cursor = QTextCursor(document()->findBlockByNumber(line - 1));
    selections << s;
  };
  for (const int line : std::as_const(marked_)) add(line, Role::AccentSoft);
  if (failed_ > 0) add(failed_, Role::ErrorSoft);
  if (present_ > 0) add(present_, Role::Warning);
  setExtraSelections(selections);
  numbers_->update();
}

void ProgramSource::markLines(const QVector<int>& lines) {
  if (lines == marked_) return;
  marked_ = lines;
  showSelections();
  if (!lines.isEmpty() && present_ == 0) bringIntoView(lines.first());
}

void ProgramSource::setPoints(const QVector<int>& lines, const QVector<int>& conditional) {
  if (lines == points_ && conditional == conditional_) return;
  points_ = lines;
  conditional_ = conditional;
  numbers_->update();
}

void ProgramSource::setPresent(int line) {
  if (line == present_) return;
  present_ = line;
  showSelections();
  if (line > 0) bringIntoView(line);
}

void ProgramSource::setFailed(int line, const QString& why) {
  why_ = why.section(u'\n', 0, 0);
  failed_ = line;
  showSelections();
  if (line > 0) bringIntoView(line);
}

// Shows the error after the line, where there is room.
void ProgramSource::paintEvent(QPaintEvent* event) {
  QPlainTextEdit::paintEvent(event);
  const QTextBlock block = failed_ > 0 ? document()->findBlockByNumber(failed_ - 1) : QTextBlock();
  if (!block.isValid() || why_.isEmpty()) return;
  const QRectF at = blockBoundingGeometry(block).translated(contentOffset());
  const double left = std::max(0.0, at.left()) + fontMetrics().horizontalAdvance(block.text()) + 24;
  QPainter painter(viewport());
  painter.setFont(font());
  painter.setPen(widgets::Theme::current().color(Role::Error));
  const QRectF room(left, at.top(), viewport()->width() - left - 6, at.height());
  if (room.width() > 60) painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(why_, Qt::ElideRight, int(room.width())));
}

void ProgramSource::mouseReleaseEvent(QMouseEvent* event) {
  QPlainTextEdit::mouseReleaseEvent(event);
  if (event->button() == Qt::LeftButton && !textCursor().hasSelection()) emit lineClicked(cursorForPosition(event->position().toPoint()).blockNumber() + 1);
}

int ProgramSource::numbersWidth() const {
  return fontMetrics().horizontalAdvance(QString::number(std::max(100, blockCount()))) + 10 + fontMetrics().height() + 4;
}

int ProgramSource::lineAt(int y) const {
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF at = blockBoundingGeometry(block).translated(contentOffset());
    if (y < at.top()) break;
    if (y < at.bottom()) return block.blockNumber() + 1;
  }
  return 0;
}

void ProgramSource::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  numbers_->setGeometry(contentsRect().left(), contentsRect().top(), numbersWidth(), contentsRect().height());
}

void ProgramSource::paintNumbers(QPaintEvent* event) {
  const widgets::Theme& theme = widgets::Theme::current();
  QPainter painter(numbers_);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(event->rect(), theme.color(Role::Surface1));
  painter.setFont(font());
  const double strip = fontMetrics().height() + 4;
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF at = blockBoundingGeometry(block).translated(contentOffset());
    if (at.top() > event->rect().bottom()) break;
    const int line = block.blockNumber() + 1;
    const QPointF middle(strip / 2 + 1, at.center().y());
    const bool stands = line == present_, held = points_.contains(line);
    const double r = fontMetrics().height() * (stands && held ? 0.44 : 0.33);
    if (points_.contains(line) || line == hovered_) {
      QColor colour = theme.color(Role::Error);
      if (!points_.contains(line)) colour.setAlpha(70);
      painter.setPen(Qt::NoPen);
      painter.setBrush(colour);
      painter.drawEllipse(middle, r, r);
      if (conditional_.contains(line)) {  // a conditional breakpoint, drawn as on the canvas
        painter.setBrush(theme.color(Role::Surface1));
        painter.drawEllipse(middle, r * 0.4, r * 0.4);
      }
    }
    if (stands) {  // within a breakpoint's circle, in the background colour
      const double a = held ? r * 0.55 : r;
      QPainterPath arrow;
      arrow.moveTo(middle + QPointF(-a * 0.8, -a));
      arrow.lineTo(middle + QPointF(a * 1.1, 0));
      arrow.lineTo(middle + QPointF(-a * 0.8, a));
      arrow.closeSubpath();
      painter.fillPath(arrow, theme.color(held ? Role::Surface1 : Role::Accent));
    }
    if (line == failed_ && !stands && !held) {
      painter.setPen(QPen(theme.color(Role::Error), 2, Qt::SolidLine, Qt::RoundCap));
      painter.drawLine(middle + QPointF(-r * 0.8, -r * 0.8), middle + QPointF(r * 0.8, r * 0.8));
      painter.drawLine(middle + QPointF(-r * 0.8, r * 0.8), middle + QPointF(r * 0.8, -r * 0.8));
    }
    painter.setPen(theme.color(line == failed_ ? Role::Error : marked_.contains(line) ? Role::Accent : Role::Text3));
    painter.drawText(QRectF(0, at.top(), numbers_->width() - 6, at.height()), Qt::AlignRight | Qt::AlignVCenter, QString::number(line));
  }
}

void ProgramSource::restyle() {
  setFont(widgets::Theme::current().monoFont());
  setViewportMargins(numbersWidth(), 0, 0, 0);
}

void ProgramSource::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) {
    restyle();
    showSelections();
  }
  QPlainTextEdit::changeEvent(event);
}

}  // namespace weft::app
