#include "views/program/program_view.h"

#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "common/empty_state.h"
#include "common/follow_end.h"
#include "common/name_delegate.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/program.h"
#include "document/program_debug.h"
#include "document/program_graphs.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/shell.h"
#include "views/program/migration_dialog.h"
#include "views/program/program_source.h"
#include "views/program/session_list.h"

namespace weft::app {

using widgets::Role;

ProgramView::ProgramView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  setProperty("helpPage", QStringLiteral("python"));
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("file"), {}, {}, stack_);
  auto* page = new QWidget(stack_);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 4, 8, 4);
  row->setSpacing(6);
  tabs_ = new QTabBar(page);
  for (int i = 0; i < 3; ++i) tabs_->addTab({});
  tabs_->setDrawBase(false);
  tabs_->setProperty("kind", QStringLiteral("pages"));
  tabs_->setExpanding(false);
  name_ = new QLabel(page);
  state_ = new QLabel(page);
  state_->setProperty("kind", QStringLiteral("muted"));
  row->addWidget(tabs_);
  row->addSpacing(8);
  row->addWidget(name_);
  row->addWidget(state_, 1);
  translate_ = new QToolButton(page);
  translate_->setObjectName(QStringLiteral("program_translate"));
  translate_->hide();
  row->addWidget(translate_);
  connect(translate_, &QToolButton::clicked, this, &ProgramView::translate);
  for (const char* id : {"program.continue", "program.step-over", "program.step-into", "program.step-out", "program.break", "program.restart", "program.pause",
                         "program.stop"}) {
    auto* button = new QToolButton(page);
    button->setDefaultAction(context.actions.action(QLatin1String(id)));
    button->setAutoRaise(true);
    row->addWidget(button);
    if (steps_.size() < 4) steps_ << button;
  }
  pages_ = new QStackedWidget(page);
  output_ = new QPlainTextEdit(pages_);
  output_->setReadOnly(true);
  output_->setUndoRedoEnabled(false);
  output_->setMaximumBlockCount(int(Program::kMaxLines));
  output_->setFrameShape(QFrame::NoFrame);
  output_->setProperty("kind", QStringLiteral("log"));
  output_->setStyleSheet(QStringLiteral("QPlainTextEdit { border: none; border-radius: 0; padding: 4px 8px; }"));
  widgets::followEnd(output_);
  auto* split = new QSplitter(Qt::Horizontal, pages_);
  split->setChildrenCollapsible(false);
  source_ = new ProgramSource(split);
  stand_ = new QSplitter(Qt::Vertical, split);
  frames_ = new QListWidget(stand_);
  widgets::elideNames(frames_);
  names_ = new QTreeWidget(stand_);
  names_->setColumnCount(3);
  names_->setRootIsDecorated(false);
  names_->setUniformRowHeights(true);
  names_->header()->resizeSection(0, 110);
  names_->header()->resizeSection(1, 90);
  trace_ = new QPlainTextEdit(stand_);
  trace_->setObjectName(QStringLiteral("program_traceback"));
  trace_->setReadOnly(true);
  trace_->setFrameShape(QFrame::NoFrame);
  trace_->setLineWrapMode(QPlainTextEdit::WidgetWidth);
  trace_->setProperty("kind", QStringLiteral("log"));
  trace_->hide();
  for (QWidget* list : {static_cast<QWidget*>(frames_), static_cast<QWidget*>(names_), static_cast<QWidget*>(trace_)}) list->setMinimumSize(160, 40);
  static_cast<QSplitter*>(stand_)->setSizes({50, 200});
  static_cast<QSplitter*>(stand_)->setStretchFactor(0, 0);
  static_cast<QSplitter*>(stand_)->setStretchFactor(1, 1);
  static_cast<QSplitter*>(stand_)->setStretchFactor(2, 1);
  split->setStretchFactor(0, 3);
  split->setStretchFactor(1, 2);
  stand_->hide();
  pages_->addWidget(output_);
  pages_->addWidget(split);
  auto* sessions = new SessionList(context.workspace, pages_);
  pages_->addWidget(sessions);
  column->addLayout(row);
  column->addWidget(pages_, 1);
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);

  connect(empty_, &widgets::EmptyState::buttonClicked, this, [this] { context_.actions.action(QStringLiteral("program.run"))->trigger(); });
  second_.setInterval(1000);
  connect(&second_, &QTimer::timeout, this, &ProgramView::showState);
  connect(tabs_, &QTabBar::currentChanged, this, [this](int i) {
    pages_->setCurrentIndex(i);
    followSelection();
  });
  Program& program = context.workspace.program();
  connect(&program, &Program::stateChanged, this, &ProgramView::showState);
  connect(&program, &Program::stateChanged, this, &ProgramView::followEnd);
  connect(&program, &Program::linesAdded, this, &ProgramView::append);
  connect(&context.workspace.programGraphs(), &ProgramGraphs::changed, this, &ProgramView::followSelection);
  connect(&context.workspace, &Workspace::currentSelectionChanged, this, &ProgramView::followSelection);
  connect(source_, &ProgramSource::lineClicked, this, &ProgramView::selectMadeAt);
  connect(source_, &ProgramSource::stripClicked, this, &ProgramView::stripClicked);
  connect(sessions, &SessionList::lineChosen, this, &ProgramView::showLine);
  connect(frames_, &QListWidget::currentRowChanged, this, &ProgramView::showFrame);
  ProgramDebug& debug = context.workspace.programDebug();
  connect(&debug, &ProgramDebug::stopChanged, this, &ProgramView::followStop);
  connect(&debug, &ProgramDebug::pointsChanged, this, &ProgramView::showPoints);
  connect(&context.workspace.debugger(), &DebugController::stateChanged, this, [this] {
    if (isVisible()) showState();
  });
  retranslate();
}

void ProgramView::retranslate() {
  tabs_->setTabText(0, tr("Output"));
  tabs_->setTabText(1, tr("Source"));
  tabs_->setTabText(2, tr("Sessions"));
  tabs_->setTabToolTip(2, tr("The program's sessions with their graphs, steps and states"));
  tabs_->setTabToolTip(0, tr("What the program prints; standard error is red"));
  tabs_->setTabToolTip(
      1,
      tr("Source of the program. Lines that created the selected nodes are marked. Click a line to select its nodes; click a line number to set a breakpoint"));
  tabs_->setAccessibleName(tr("Output, source or sessions of the program"));
  output_->setAccessibleName(tr("Output of the program"));
  source_->setAccessibleName(tr("Source of the program"));
  frames_->setAccessibleName(tr("Call stack where the program is paused"));
  names_->setAccessibleName(tr("Variables where the program is paused"));
  trace_->setAccessibleName(tr("Traceback of the program"));
  translate_->setText(tr("Translate…"));
  translate_->setToolTip(tr("The program is for Python 2, or for TensorFlow before 1.0. Shows what has to change, and writes the new program"));
  names_->setHeaderLabels({tr("Variable"), tr("Type"), tr("Value")});
  empty_->setTitle(tr("No Python program has run"));
  empty_->setText(tr("Run a TensorFlow 1.x program on Weft's engine: its output appears here, its graphs on the canvas, its summaries in the panels."));
  empty_->setButton(tr("Run Python program…"), QStringLiteral("play"));
  refill();
}

void ProgramView::showState() {
  const Program& program = context_.workspace.program();
  program.isAlive() && isVisible() ? second_.start() : second_.stop();
  stack_->setCurrentIndex(program.state() == Program::State::None && source_->file().isEmpty() ? 0 : 1);
  if (program.state() == Program::State::None) return;
  name_->setText(QFileInfo(program.script()).fileName());
  name_->setToolTip((QStringList{program.script()} + program.arguments()).join(u' '));
  const QString seconds = tr("%1 s").arg(program.seconds(), 0, 'f', program.isAlive() ? 0 : 1);
  const ProgramDebug& debug = context_.workspace.programDebug();
  const DebugController& steps = context_.workspace.debugger();
  QString what = program.state() == Program::State::Paused ? tr("suspended") : program.isAlive() ? tr("running") : program.ending();
  if (debug.isAtLine()) what = tr("paused at line %1").arg(debug.stop().stack.first().line);
  else if (debug.isWaiting()) what = tr("paused in a step; the debugger is busy with another run");
  else if (program.isAlive() && steps.isStopped() && steps.state().ofProgram) what = tr("paused in a step at %1").arg(steps.state().node());
  state_->setText(tr("%1, %2").arg(what, seconds));
  for (QToolButton* button : steps_) button->setVisible(debug.isAtLine());
}

void ProgramView::append(int count) {
  const Program& program = context_.workspace.program();
  if (program.lines().empty() && count == 0 && program.isAlive()) {  // a new start
    output_->clear();
    return;
  }
  if (!isVisible()) {
    stale_ = true;
    return;
  }
  const widgets::Theme& theme = widgets::Theme::current();
  QTextCursor cursor(output_->document());
  cursor.movePosition(QTextCursor::End);
  cursor.beginEditBlock();
  const auto& lines = program.lines();
  // Show at most this many at once: the rest would scroll past unread.
  for (size_t i = lines.size() - std::min(lines.size(), size_t(std::min(count, 1000))); i < lines.size(); ++i) {
    QTextCharFormat format;
    format.setForeground(theme.color(lines[i].isError ? Role::Error : Role::Text1));
    if (!output_->document()->isEmpty()) cursor.insertBlock();
    cursor.insertText(lines[i].text, format);
  }
  cursor.endEditBlock();
}

void ProgramView::refill() {
  output_->setFont(widgets::Theme::current().monoFont());
  output_->clear();
  stale_ = false;
  append(int(context_.workspace.program().lines().size()));
  output_->verticalScrollBar()->setValue(output_->verticalScrollBar()->maximum());
  showState();
  followSelection();
}

void ProgramView::followSelection() {
  if (!isVisible() || pages_->currentIndex() != 1) return;
  if (context_.workspace.programDebug().isAtLine()) return;
  const Document* document = context_.workspace.current();
  const ProgramGraphs& graphs = context_.workspace.programGraphs();
  QVector<int> lines;
  QString file = source_->file().isEmpty() ? context_.workspace.program().script() : source_->file();
  if (document) {
    for (const QString& node : document->selection()) {
      const auto place = graphs.placeOf(document, node);
      if (!place) continue;
      if (lines.isEmpty()) file = place->file;
      if (place->file == file && !lines.contains(place->line)) lines << place->line;
    }
  }
  if (file.isEmpty()) return;
  const QString error = source_->showFile(file);
  if (!error.isEmpty()) source_->setPlainText(error);
  source_->markLines(lines);
  showPoints();
}

void ProgramView::showPoints() {
  QVector<int> lines, conditional;
  for (const LinePoint& p : context_.workspace.programDebug().points(source_->file())) {
    lines << p.line;
    if (!p.condition.isEmpty()) conditional << p.line;
  }
  source_->setPoints(lines, conditional);
}

QVector<ProgramStop::Frame> ProgramView::calls() const {
  const ProgramDebug& debug = context_.workspace.programDebug();
  return debug.isAtLine() ? debug.stop().stack : failure_ ? failure_->stack : QVector<ProgramStop::Frame>();
}

void ProgramView::fillCalls() {
  const QSignalBlocker quiet(frames_);
  frames_->clear();
  for (const ProgramStop::Frame& f : calls()) {
    const QString where = f.function == QLatin1String("<module>") ? QFileInfo(f.file).fileName() : f.function;
    auto* item = new QListWidgetItem(tr("%1, line %2").arg(where).arg(f.line), frames_);
    item->setToolTip(f.file);
  }
}

void ProgramView::followEnd() {
  const Program& program = context_.workspace.program();
  if (program.state() == Program::State::Running && failure_) {  // a new start
    failure_.reset();
    translate_->hide();
    source_->setFailed(0);
    stand_->hide();
  }
  if (program.state() != Program::State::Ended || context_.workspace.programDebug().isAtLine()) return;
  failure_ = failureOf(program.lines(), program.script());
  // The hint below the traceback names the command (hints.py).
  translate_->setVisible(failure_ && failure_->text.contains(QLatin1String("`weft py --migrate ")));
  if (!failure_) return;
  context_.shell.showView(QStringLiteral("program"));
  fillCalls();
  trace_->setFont(widgets::Theme::current().monoSmallFont());
  trace_->setPlainText(failure_->text);
  names_->hide();
  trace_->show();
  stand_->show();
  static_cast<QSplitter*>(stand_)->setSizes({70, 0, 200});
  tabs_->setCurrentIndex(1);
  const QSignalBlocker quiet(frames_);
  frames_->setCurrentRow(0);
  showFrame(0);
}

void ProgramView::translate() {
  // The hint names the file that failed, which may be a module of the program, from the program's folder.
  static const QRegularExpression command(QStringLiteral("`weft py --migrate ([^`]+)`"));
  const QString script = context_.workspace.program().script();
  const QString failed = QDir(QFileInfo(script).absolutePath()).absoluteFilePath(command.match(failure_ ? failure_->text : QString()).captured(1));
  auto* dialog = new MigrationDialog(QFileInfo(failed).isFile() ? QDir::cleanPath(failed) : script, this);
  connect(dialog, &MigrationDialog::written, this, [this](const QString& path) {
    translate_->hide();
    context_.workspace.open(path);
  });
  dialog->open();
}

void ProgramView::followStop() {
  const ProgramDebug& debug = context_.workspace.programDebug();
  showState();
  stand_->setVisible(debug.isAtLine() || failure_);
  names_->setVisible(debug.isAtLine());
  trace_->setVisible(!debug.isAtLine());
  if (!debug.isAtLine()) {
    source_->setPresent(0);
    followSelection();
    return;
  }
  const QSignalBlocker quiet(frames_);
  fillCalls();
  names_->clear();
  for (const ProgramStop::Name& n : debug.stop().names) {
    auto* item = new QTreeWidgetItem(names_, {n.name, n.type, n.text});
    item->setToolTip(2, n.text);
  }
  tabs_->setCurrentIndex(1);
  frames_->setCurrentRow(0);
  showFrame(0);
}

void ProgramView::showFrame(int index) {
  const QVector<ProgramStop::Frame> stack = calls();
  if (index < 0 || index >= stack.size()) return;
  const bool stands = context_.workspace.programDebug().isAtLine();
  source_->setPresent(0);
  source_->setFailed(0);
  const QString error = source_->showFile(stack[index].file);
  if (!error.isEmpty()) source_->setPlainText(error);
  source_->markLines({});
  showPoints();
  if (stands) source_->setPresent(stack[index].line);
  else source_->setFailed(stack[index].line, failure_ ? failure_->message : QString());
}

QString ProgramView::showLine(const QString& file, int line) {
  tabs_->setCurrentIndex(1);
  source_->setPresent(0);
  if (QString error = source_->showFile(file); !error.isEmpty()) return error;
  stack_->setCurrentIndex(1);
  showPoints();
  source_->markLines({line});
  return {};
}

void ProgramView::stripClicked(int line, const QPoint& at, bool menu) {
  ProgramDebug& debug = context_.workspace.programDebug();
  const QString file = source_->file();
  const QVector<LinePoint> points = debug.points(file);
  const bool there = std::any_of(points.begin(), points.end(), [line](const LinePoint& p) { return p.line == line; });
  if (!menu) return there ? debug.removePoint(file, line) : debug.setPoint(file, line);
  auto* popup = new QMenu(this);
  popup->setAttribute(Qt::WA_DeleteOnClose);
  popup->addAction(there ? tr("Remove breakpoint") : tr("Set breakpoint"), this,
                   [&debug, file, line, there] { there ? debug.removePoint(file, line) : debug.setPoint(file, line); });
  popup->addAction(tr("Breakpoint with condition…"), this, [this, line] { askCondition(line); });
  popup->popup(at);
}

void ProgramView::askCondition(int line) {
  ProgramDebug& debug = context_.workspace.programDebug();
  const QString file = source_->file();
  auto* dialog = new QInputDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Breakpoint on line %1").arg(line));
  dialog->setLabelText(tr("Stop only if this Python expression is true (i > 100, loss_value != loss_value):"));
  for (const LinePoint& p : debug.points(file)) {
    if (p.line == line) dialog->setTextValue(p.condition);
  }
  connect(dialog, &QInputDialog::textValueSelected, this, [&debug, file, line](const QString& text) { debug.setPoint(file, line, text.trimmed()); });
  dialog->open();
}

void ProgramView::selectMadeAt(int line) {
  Document* document = context_.workspace.current();
  if (!document) return;
  const QStringList nodes = context_.workspace.programGraphs().nodesMadeAt(document, source_->file(), line);
  if (!nodes.isEmpty()) document->requestSelection(nodes);
}

void ProgramView::refreshNow() {
  if (stale_) refill();
  showState();
  context_.workspace.programDebug().isAtLine() ? followStop() : followSelection();
}

void ProgramView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refreshNow();
}

void ProgramView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  if (event->type() == QEvent::PaletteChange) refill();
  QWidget::changeEvent(event);
}

const ViewRecord programView = {"program",
                                QT_TRANSLATE_NOOP("Views", "Python program"),
                                QT_TRANSLATE_NOOP("Views", "The Python program running on the engine: output, source, and which line created which node"),
                                "file",
                                Qt::BottomDockWidgetArea,
                                "",
                                [](const ViewContext& context, QWidget* parent) -> QWidget* { return new ProgramView(context, parent); }};

}  // namespace weft::app
