#include "views/log/log_view.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTextCursor>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "common/empty_state.h"
#include "common/theme.h"
#include "document/workspace.h"

namespace weft::app {
namespace {
constexpr double kOftenMs = 400, kSliceMs = 2;
}

LogView::LogView(const ViewContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      frame_(
          widgets::FrameGovernor::Stage::Drawing, "log", [this] { later(); }, kOftenMs) {
  stack_ = new QStackedWidget(this);
  text_ = new QPlainTextEdit(stack_);
  text_->setReadOnly(true);
  text_->setUndoRedoEnabled(false);
  text_->setMaximumBlockCount(5000);
  text_->setFrameShape(QFrame::NoFrame);
  text_->setProperty("kind", QStringLiteral("log"));
  text_->setStyleSheet(QStringLiteral("QPlainTextEdit { border: none; border-radius: 0; padding: 4px 8px; }"));
  empty_ = new widgets::EmptyState(QStringLiteral("file"), {}, {}, stack_);
  stack_->addWidget(empty_);
  stack_->addWidget(text_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);
  // A training may write many lines a second: they are shown in batches a few times a second, while the view is visible.
  connect(&context.workspace.log(), &Log::added, this, [this] {
    if (isVisible()) frame_.want();
  });
  connect(&context.workspace.log(), &Log::cleared, this, &LogView::refill);
  refill();
}

void LogView::later() {
  if (isVisible() && !appendNew(kSliceMs)) QTimer::singleShot(0, this, &LogView::later);
}

bool LogView::appendNew(double milliseconds) {
  const Log& log = context_.workspace.log();
  const qint64 first = log.count() - qint64(log.lines().size());
  next_ = std::max(next_, first);
  if (next_ >= log.count()) return true;
  QElapsedTimer clock;
  clock.start();
  const widgets::Theme& theme = widgets::Theme::current();
  QTextCharFormat time, text;
  time.setForeground(theme.color(widgets::Role::Text3));
  QScrollBar* bar = text_->verticalScrollBar();
  const bool atEnd = bar->value() >= bar->maximum();
  QTextCursor cursor(text_->document());
  cursor.movePosition(QTextCursor::End);
  cursor.beginEditBlock();
  for (; next_ < log.count(); ++next_) {
    if (double(clock.nsecsElapsed()) * 1e-6 > milliseconds) break;
    const Log::Line& line = log.lines()[size_t(next_ - first)];
    text.setForeground(theme.color(line.level == Log::Level::Error     ? widgets::Role::Error
                                   : line.level == Log::Level::Warning ? widgets::Role::Warning
                                                                       : widgets::Role::Text1));
    if (!text_->document()->isEmpty()) cursor.insertBlock();
    cursor.insertText(line.time.toLocalTime().toString(QStringLiteral("HH:mm:ss")) + QStringLiteral("\u00a0\u00a0"), time);
    cursor.insertText(line.text, text);
  }
  cursor.endEditBlock();
  if (atEnd) bar->setValue(bar->maximum());
  stack_->setCurrentWidget(text_);
  return next_ >= log.count();
}

void LogView::refreshNow() { appendNew(std::numeric_limits<double>::infinity()); }

void LogView::refill() {
  text_->setAccessibleName(QCoreApplication::translate("Views", "Log"));
  text_->clear();
  text_->setFont(widgets::Theme::current().monoFont());
  empty_->setTitle(tr("No messages yet"));
  empty_->setText(tr("Files read and written, runs and errors are logged here."));
  stack_->setCurrentWidget(empty_);
  next_ = 0;
  later();
}

void LogView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  later();
}

void LogView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) refill();
  QWidget::changeEvent(event);
}

const ViewRecord logView = {"log",
                            QT_TRANSLATE_NOOP("Views", "Log"),
                            QT_TRANSLATE_NOOP("Views", "Messages with their times"),
                            "file",
                            Qt::BottomDockWidgetArea,
                            "compose train debug profile",
                            [](const ViewContext& context, QWidget* parent) -> QWidget* { return new LogView(context, parent); }};

}  // namespace weft::app
