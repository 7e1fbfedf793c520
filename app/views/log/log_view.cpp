#include "views/log/log_view.h"

#include <QEvent>
#include <QPlainTextEdit>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "common/empty_state.h"
#include "common/theme.h"
#include "document/workspace.h"

namespace weft::app {

LogView::LogView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  stack_ = new QStackedWidget(this);
  text_ = new QPlainTextEdit(stack_);
  text_->setReadOnly(true);
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
  connect(&context.workspace.log(), &Log::added, this, [this] { append(context_.workspace.log().lines().back()); });
  connect(&context.workspace.log(), &Log::cleared, this, &LogView::refill);
  refill();
}

void LogView::append(const Log::Line& line) {
  const widgets::Theme& theme = widgets::Theme::current();
  const widgets::Role role = line.level == Log::Level::Error     ? widgets::Role::Error
                             : line.level == Log::Level::Warning ? widgets::Role::Warning
                                                                 : widgets::Role::Text1;
  text_->appendHtml(QStringLiteral("<span style=\"color:%1\">%2</span>&nbsp;&nbsp;<span style=\"color:%3\">%4</span>")
                        .arg(theme.color(widgets::Role::Text3).name(), line.time.toString(QStringLiteral("HH:mm:ss")), theme.color(role).name(),
                             line.text.toHtmlEscaped()));
  stack_->setCurrentWidget(text_);
}

void LogView::refill() {
  text_->clear();
  text_->setFont(widgets::Theme::current().monoFont());
  empty_->setTitle(tr("Nothing has happened yet"));
  empty_->setText(tr("Files that were read and written, runs and errors are noted here."));
  stack_->setCurrentWidget(empty_);
  for (const Log::Line& line : context_.workspace.log().lines()) append(line);
}

void LogView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) refill();
  QWidget::changeEvent(event);
}

const ViewRecord logView = {"log",
                            QT_TRANSLATE_NOOP("Views", "Log"),
                            QT_TRANSLATE_NOOP("Views", "What the program did, with times"),
                            "file",
                            Qt::BottomDockWidgetArea,
                            "compose train debug profile",
                            [](const ViewContext& context, QWidget* parent) -> QWidget* { return new LogView(context, parent); }};

}  // namespace weft::app
