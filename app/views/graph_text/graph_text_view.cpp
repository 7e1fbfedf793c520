#include "views/graph_text/graph_text_view.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "code_editor/code_editor.h"
#include "code_editor/find_bar.h"
#include "common/empty_state.h"
#include "common/icons.h"
#include "document/document.h"
#include "document/workspace.h"
#include "shell/action_registry.h"

namespace weft::app {

using widgets::CodeEditor;
using widgets::Role;

namespace {
constexpr int kSoonMs = 350;
}

GraphTextView::GraphTextView(const ViewContext& context, QWidget* parent)
    : QWidget(parent), context_(context), stack_(new QStackedWidget(this)), empty_(new widgets::EmptyState(QStringLiteral("file"), {}, {}, stack_)) {
  setProperty("helpPage", QStringLiteral("composing"));
  auto* page = new QWidget(stack_);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 4, 8, 4);
  row->setSpacing(8);
  what_ = new QLabel(page);
  what_->setMinimumWidth(1);
  state_ = new QLabel(page);
  state_->setObjectName(QStringLiteral("graph_text_state"));
  state_->setMinimumWidth(1);
  const auto button = [&](const char* name, const char* icon) {
    auto* b = new QToolButton(page);
    b->setObjectName(QLatin1String(name));
    b->setIcon(widgets::icon(QLatin1String(icon)));
    b->setToolButtonStyle(Qt::ToolButtonIconOnly);  // a dock at the side is narrow
    b->setAutoRaise(true);
    return b;
  };
  apply_ = button("graph_text_apply", "check");
  discard_ = button("graph_text_discard", "undo");
  row->addWidget(what_, 1);
  row->addWidget(discard_);
  row->addWidget(apply_);
  editor_ = new CodeEditor(CodeEditor::Language::TextProto, page);
  editor_->setObjectName(QStringLiteral("graph_text_editor"));
  find_ = new widgets::FindBar(editor_, page);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  state_->setContentsMargins(8, 0, 8, 4);
  state_->setWordWrap(true);
  column->addLayout(row);
  column->addWidget(state_);
  column->addWidget(find_);
  column->addWidget(editor_, 1);
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);

  soon_.setSingleShot(true);
  soon_.setInterval(kSoonMs);
  connect(&soon_, &QTimer::timeout, this, &GraphTextView::check);
  connect(editor_, &QsciScintilla::textChanged, this, [this] {
    if (following_) return;
    soon_.start();
    showState();
  });
  connect(editor_, &QsciScintilla::cursorPositionChanged, this, &GraphTextView::selectAtCursor);
  connect(apply_, &QToolButton::clicked, this, &GraphTextView::apply);
  connect(discard_, &QToolButton::clicked, this, &GraphTextView::discard);
  connect(&context.workspace, &Workspace::currentChanged, this, &GraphTextView::follow);
  connect(&context.workspace, &Workspace::contentsChanged, this, [this](Document* document) {
    if (document == context_.workspace.current()) follow();
  });
  connect(&context.workspace, &Workspace::currentSelectionChanged, this, [this] {
    if (!isVisible()) return;
    wantedNames() != names_ && !isEdited() ? follow() : goToSelection();
  });
  retranslate();
}

GraphTextView::~GraphTextView() {
  editor_->disconnect(this);
  for (const int task : {making_, checking_})
    if (task) context_.workspace.tasks().cancel(task);
}

bool GraphTextView::isEdited() const { return stack_->currentIndex() == 1 && editor_->text() != before_; }

/// Empty: the whole graph.
QStringList GraphTextView::wantedNames() const {
  const Document* document = context_.workspace.current();
  return !document || document->summary().nodes <= kMostNodes ? QStringList() : document->selection();
}

/// Shows the text of the graph in front, unless typed text would be lost.
void GraphTextView::follow() {
  if (!isVisible()) {
    stale_ = true;
    return;
  }
  Document* document = context_.workspace.current();
  if (isEdited() && document == document_ && !applying_) return showState();
  stale_ = false;
  if (making_) context_.workspace.tasks().cancel(making_);
  making_ = 0;
  const QStringList names = wantedNames();
  if (!document || (names.isEmpty() && document->summary().nodes > kMostNodes) || document->summary().nodes == 0) {
    document_ = nullptr;
    stack_->setCurrentIndex(0);
    retranslate();
    return;
  }
  struct Made {
    QString text, error;
    QVector<NodePlace> places;
  };
  auto made = std::make_shared<Made>();
  making_ = context_.workspace.tasks().start(
      tr("Writing the graph as text"),
      [made, contents = document->contents(), names](TaskState&) {
        made->text = graphText(*contents, names, &made->error);
        made->places = nodePlaces(made->text);
      },
      [this, made, names, document = QPointer<Document>(document), contents = document->contents()] {
        making_ = 0;
        if (!document || document != context_.workspace.current()) return;
        document_ = document;
        contents_ = contents;
        names_ = names;
        places_ = made->places;
        applying_ = false;
        stack_->setCurrentIndex(made->error.isEmpty() ? 1 : 0);
        if (made->error.isEmpty()) return show(made->text);
        empty_->setText(made->error);
      });
}

void GraphTextView::show(const QString& text) {
  following_ = true;
  const int line = editor_->cursorLine();
  before_ = text;
  if (editor_->text() != text) {
    editor_->load(text);
    editor_->goToLine(std::min(line, editor_->lineCount()));
  }
  editor_->setModified(false);
  following_ = false;
  found_ = {};
  editor_->setErrors({});
  goToSelection();
  showState();
}

/// Called when typing pauses: checks the text.
void GraphTextView::check() {
  if (!document_) return;
  if (checking_) context_.workspace.tasks().cancel(checking_);
  checking_ = 0;
  const QString text = editor_->text();
  if (text == before_) {
    found_ = {};
    editor_->setErrors({});
    return showState();
  }
  struct Work {
    TextCheck found;
    QVector<NodePlace> places;
  };
  auto work = std::make_shared<Work>();
  checking_ = context_.workspace.tasks().start(
      tr("Checking the text"),
      [work, contents = document_->contents(), before = before_, text](TaskState&) {
        work->found = checkText(*contents, before, text);
        work->places = nodePlaces(text);
      },
      [this, work, text] {
        checking_ = 0;
        if (text != editor_->text()) return;
        found_ = work->found;
        places_ = work->places;
        QMap<int, QString> all = found_.problems;
        for (auto it = found_.errors.begin(); it != found_.errors.end(); ++it) all.insert(it.key(), it.value());
        editor_->setErrors(all);
        showState();
      });
}

void GraphTextView::apply() {
  if (!document_ || !isEdited()) return;
  const QString before = before_, after = editor_->text();
  applying_ = true;
  document_->apply(textEdit(before, after), [this, guard = QPointer<GraphTextView>(this)](const QString& error) {
    if (!guard) return;
    if (error.isEmpty()) return follow();  // show the text as the graph writes it
    applying_ = false;
    emit context_.actions.failed(error);
    check();
  });
}

void GraphTextView::discard() {
  before_ = editor_->text();  // discard the typed text
  follow();
}

void GraphTextView::showState() {
  const bool edited = isEdited();
  apply_->setEnabled(edited && found_.errors.isEmpty());
  discard_->setEnabled(edited);
  QString words;
  Role role = Role::Text3;
  if (!found_.errors.isEmpty()) {
    words = tr("Line %1: %2").arg(found_.errors.firstKey()).arg(found_.errors.first());
    role = Role::Error;
  } else if (!found_.problems.isEmpty() && edited) {
    words = tr("Line %1: %2").arg(found_.problems.firstKey()).arg(found_.problems.first().section(u'\n', 0, 0));
    role = Role::Warning;
  } else if (edited && found_.isChange()) {
    QStringList parts;
    if (found_.changed) parts << tr("%n changed", nullptr, found_.changed);
    if (found_.added) parts << tr("%n new", nullptr, found_.added);
    if (found_.removed) parts << tr("%n removed", nullptr, found_.removed);
    words = parts.join(QStringLiteral(", "));
  }
  if (edited && document_ && contents_ && document_->contents()->engine != contents_->engine && role == Role::Text3) {
    words = tr("The graph was changed in the meantime; only the nodes that you edited here are applied.");
    role = Role::Warning;
  }
  state_->setText(words);
  state_->setVisible(!words.isEmpty());
  state_->setToolTip(words);
  state_->setStyleSheet(QStringLiteral("color: %1;").arg(widgets::Theme::current().color(role).name()));
  what_->setText(names_.isEmpty() ? tr("whole graph, %n node(s)", nullptr, int(places_.size()))
                                  : tr("%1, %n node(s)", nullptr, int(places_.size())).arg(names_.join(QStringLiteral(", "))));
  what_->setToolTip(what_->text());
}

void GraphTextView::selectAtCursor() {
  if (following_ || !document_ || !editor_->hasFocus()) return;
  const int line = editor_->cursorLine();
  for (const NodePlace& p : std::as_const(places_)) {
    if (line < p.first || line > p.last) continue;
    if (!document_->hasNode(p.name) || document_->selection() == QStringList{p.name} || !names_.isEmpty()) return;
    following_ = true;
    document_->requestSelection({p.name});
    following_ = false;
    return;
  }
}

void GraphTextView::goToSelection() {
  if (!document_ || stack_->currentIndex() != 1) return;
  const QStringList& selection = document_->selection();
  QVector<int> lines;
  for (const NodePlace& p : std::as_const(places_)) {
    const bool chosen =
        std::any_of(selection.begin(), selection.end(), [&](const QString& s) { return p.name == s || (names_.isEmpty() && p.name.startsWith(s + u'/')); });
    if (!chosen) continue;
    for (int line = p.first; line <= p.last && lines.size() < 2000; ++line) lines << line;
  }
  editor_->setMarked(lines);
  if (following_ || lines.isEmpty() || editor_->hasFocus()) return;
  following_ = true;
  editor_->goToLine(lines.first());
  following_ = false;
}

void GraphTextView::refreshNow() {
  if (stale_) follow();
}

void GraphTextView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  stale_ ? follow() : goToSelection();
}

void GraphTextView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_F && event->modifiers() == Qt::ControlModifier) return find_->open(false);
  if (event->key() == Qt::Key_Return && event->modifiers() == Qt::ControlModifier && apply_->isEnabled()) return apply();
  QWidget::keyPressEvent(event);
}

void GraphTextView::retranslate() {
  const Document* document = context_.workspace.current();
  const bool large = document && document->summary().nodes > kMostNodes;
  empty_->setTitle(large ? tr("Select a scope or nodes") : tr("No graph to show as text"));
  empty_->setText(large ? tr("This graph has %1 nodes. Select some on the canvas to see their text here.").arg(document->summary().nodes)
                        : tr("The text of the current graph appears here and can be edited, in the format of .pbtxt files."));
  apply_->setText(tr("Apply"));
  apply_->setToolTip(tr("Applies the edited text as one undoable step (Ctrl+Enter)"));
  discard_->setText(tr("Discard"));
  discard_->setToolTip(tr("Discards the edits and shows the graph as it is"));
  apply_->setAccessibleName(apply_->text());
  discard_->setAccessibleName(discard_->text());
  editor_->setAccessibleName(tr("Text of the graph"));
  showState();
}

void GraphTextView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) retranslate();
  QWidget::changeEvent(event);
}

const ViewRecord graph_textView = {"graph_text",
                                   QT_TRANSLATE_NOOP("Views", "Graph as text"),
                                   QT_TRANSLATE_NOOP("Views", "The graph as .pbtxt, editable and in sync with the canvas"),
                                   "file",
                                   Qt::RightDockWidgetArea,
                                   "",
                                   [](const ViewContext& context, QWidget* parent) -> QWidget* { return new GraphTextView(context, parent); }};

}  // namespace weft::app
