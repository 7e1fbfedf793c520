#include "views/console/console_view.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "common/follow_end.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/shell.h"
#include "views/console/console_input.h"

namespace weft::app {

using widgets::Role;

namespace {

constexpr int kMostBlocks = 5000;
constexpr qsizetype kMostCharacters = 4 << 20;
constexpr int kMostHelpLines = 9;

/// The first lines of a documentation, and the number of further ones.
QString beginning(const QString& text) {
  const QStringList lines = text.split(u'\n');
  if (lines.size() <= kMostHelpLines) return text;
  return lines.mid(0, kMostHelpLines).join(u'\n') + QStringLiteral("\n…");
}

}  // namespace

ConsoleView::ConsoleView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  setProperty("helpPage", QStringLiteral("console"));
  auto* row = new QHBoxLayout;
  row->setContentsMargins(10, 4, 8, 4);
  row->setSpacing(6);
  state_ = new QLabel(this);
  state_->setProperty("kind", QStringLiteral("muted"));
  state_->setMinimumWidth(1);
  takeOver_ = new QPushButton(this);
  row->addWidget(state_, 1);
  row->addWidget(takeOver_);
  for (const char* id : {"console.interrupt", "console.restart", "console.stop"}) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(context.actions.action(QLatin1String(id)));
    button->setAutoRaise(true);
    row->addWidget(button);
    buttons_ << button;
  }
  output_ = new QPlainTextEdit(this);
  output_->setReadOnly(true);
  output_->setUndoRedoEnabled(false);
  output_->setMaximumBlockCount(kMostBlocks);
  output_->setFrameShape(QFrame::NoFrame);
  output_->setProperty("kind", QStringLiteral("log"));
  output_->setStyleSheet(QStringLiteral("QPlainTextEdit { border: none; border-radius: 0; padding: 4px 8px; }"));
  widgets::followEnd(output_);
  help_ = new QLabel(this);
  help_->setTextFormat(Qt::PlainText);
  help_->setWordWrap(true);
  help_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  help_->setContentsMargins(12, 6, 12, 6);
  help_->setAutoFillBackground(true);
  help_->setMinimumWidth(1);
  help_->hide();
  input_ = new ConsoleInput(this);
  prompt_ = new QLabel(QStringLiteral(">>>"), input_);
  prompt_->setAttribute(Qt::WA_TransparentForMouseEvents);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(row);
  column->addWidget(output_, 1);
  column->addWidget(help_);
  column->addWidget(input_);
  setFocusProxy(input_);

  Console& console = context.workspace.console();
  input_->setHistory(console.history());
  connect(takeOver_, &QPushButton::clicked, this, [this] { context_.actions.action(QStringLiteral("console.take-over"))->trigger(); });
  connect(input_, &ConsoleInput::given, this, &ConsoleView::give);
  connect(input_, &ConsoleInput::completionWanted, &console, [this, &console](const QString& text, int cursor) {
    if (!console.isAlive()) console.start();
    console.complete(text, cursor);
  });
  connect(input_, &ConsoleInput::helpWanted, &console, &Console::describe);
  connect(input_, &ConsoleInput::interruptWanted, this, [this] {
    if (context_.actions.disabledReason(QStringLiteral("console.interrupt")).isEmpty()) context_.actions.action(QStringLiteral("console.interrupt"))->trigger();
  });
  connect(input_, &ConsoleInput::clearWanted, this, [this] {
    pieces_.clear();
    characters_ = 0;
    output_->clear();
  });
  connect(input_, &QPlainTextEdit::textChanged, this, [this] {
    if (input_->toPlainText().isEmpty()) help_->hide();
  });
  connect(&console, &Console::printed, this, &ConsoleView::print);
  connect(&console, &Console::more, input_, &ConsoleInput::goOn);
  connect(&console, &Console::completions, this, [this](const Console::Completions& c) { input_->offer(c.from, c.words, c.kinds); });
  connect(&console, &Console::helpArrived, this, [this](const QString& text) {
    help_->setText(beginning(text));
    help_->setVisible(!text.isEmpty());
  });
  connect(&console, &Console::stateChanged, this, &ConsoleView::showState);
  connect(&console, &Console::changesChanged, this, &ConsoleView::showState);
  connect(&context.workspace, &Workspace::currentChanged, this, &ConsoleView::showState);
  retranslate();
  refill();
}

void ConsoleView::retranslate() {
  output_->setAccessibleName(tr("What the console printed"));
  input_->setAccessibleName(tr("Statement for the console"));
  input_->setPlaceholderText(tr("Python on this graph: graph, session, tf, np. Tab completes, F1 explains, Up recalls"));
  takeOver_->setToolTip(tr("Adds the nodes created here to the document as one undoable step"));
  showState();
}

void ConsoleView::showState() {
  const Console& console = context_.workspace.console();
  const Document* current = context_.workspace.current();
  const QString title = console.title().isEmpty() ? tr("an empty graph") : console.title();
  QString text;
  switch (console.state()) {
    case Console::State::Off:
      text =
          current ? tr("Python on %1 starts with the first statement.").arg(current->title()) : tr("Python on an empty graph starts with the first statement.");
      break;
    case Console::State::Starting: text = tr("Python on %1 is starting…").arg(title); break;
    case Console::State::Ready: text = tr("Python on %1").arg(title); break;
    case Console::State::Busy: text = tr("Python on %1 is busy…").arg(title); break;
    case Console::State::Ended: text = tr("Python on %1 has ended; the next statement restarts it.").arg(title); break;
  }
  if (console.isAlive() && current && console.document() != current) text += QStringLiteral("   ") + tr("(not the current graph: restart to switch)");
  state_->setText(text);
  state_->setToolTip(text);
  takeOver_->setVisible(console.hasChanges());
  takeOver_->setText(tr("Import new nodes (%1)").arg(std::max(0, console.added())));
  prompt_->setVisible(true);
}

void ConsoleView::give(const QString& text) {
  help_->hide();
  context_.workspace.console().run(text);
}

void ConsoleView::print(Console::Kind kind, const QString& text) {
  QString shown = text;
  if (kind == Console::Kind::Input) {
    shown.clear();
    const QStringList lines = text.split(u'\n');
    for (qsizetype i = 0; i < lines.size(); ++i) shown += (i ? QStringLiteral("... ") : QStringLiteral(">>> ")) + lines[i] + u'\n';
    input_->setHistory(context_.workspace.console().history());
  }
  pieces_ << Piece{kind, shown};
  characters_ += shown.size();
  while (characters_ > kMostCharacters && pieces_.size() > 1) {
    characters_ -= pieces_.first().text.size();
    pieces_.removeFirst();
  }
  isVisible() ? append(kind, shown) : void(stale_ = true);
}

void ConsoleView::append(Console::Kind kind, const QString& text) {
  const widgets::Theme& theme = widgets::Theme::current();
  QTextCharFormat format;
  format.setForeground(theme.color(kind == Console::Kind::Input   ? Role::Accent
                                   : kind == Console::Kind::Error ? Role::Error
                                   : kind == Console::Kind::Note  ? Role::Text3
                                                                  : Role::Text1));
  QTextCursor cursor(output_->document());
  cursor.movePosition(QTextCursor::End);
  cursor.insertText(text, format);
  if (kind == Console::Kind::Input) output_->verticalScrollBar()->setValue(output_->verticalScrollBar()->maximum());
}

void ConsoleView::refill() {
  const widgets::Theme& theme = widgets::Theme::current();
  output_->setFont(theme.monoFont());
  help_->setFont(theme.monoFont());
  prompt_->setFont(theme.monoFont());
  QPalette palette = prompt_->palette();
  palette.setColor(QPalette::WindowText, theme.color(Role::Accent));
  prompt_->setPalette(palette);
  prompt_->move(12, 6);
  prompt_->adjustSize();
  QPalette strip = help_->palette();
  strip.setColor(QPalette::Window, theme.color(Role::Surface2));
  strip.setColor(QPalette::WindowText, theme.color(Role::Text2));
  help_->setPalette(strip);
  output_->clear();
  stale_ = false;
  for (const Piece& p : std::as_const(pieces_)) append(p.kind, p.text);
  output_->verticalScrollBar()->setValue(output_->verticalScrollBar()->maximum());
}

void ConsoleView::refreshNow() {
  if (stale_) refill();
  showState();
}

void ConsoleView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refreshNow();
}

void ConsoleView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  if (event->type() == QEvent::PaletteChange) refill();
  QWidget::changeEvent(event);
}

const ViewRecord consoleView = {"console",
                                QT_TRANSLATE_NOOP("Views", "Python console"),
                                QT_TRANSLATE_NOOP("Views", "Python statements on the current graph and its variables"),
                                "step",
                                Qt::BottomDockWidgetArea,
                                "",
                                [](const ViewContext& context, QWidget* parent) -> QWidget* { return new ConsoleView(context, parent); }};

}  // namespace weft::app
