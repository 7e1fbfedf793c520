#include "views/editor/program_page.h"

#include <QContextMenuEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "code_editor/code_editor.h"
#include "code_editor/find_bar.h"
#include "common/icons.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/line_difference.h"
#include "document/program_debug.h"
#include "document/program_graphs.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/page_bar.h"
#include "shell/shell.h"
#include "shell/style.h"
#include "views/editor/fix_strip.h"
#include "views/editor/program_ghosts.h"

namespace weft::app {

using widgets::CodeEditor;
using widgets::Role;

namespace {
constexpr int kSoonMs = 300;  // hints are computed when typing pauses
constexpr int kDiskMs = 250;
}  // namespace

ProgramPage::ProgramPage(const ViewContext& context, FileTab* file, QWidget* parent) : QWidget(parent), context_(context), file_(file), buffer_(file->text()) {
  setObjectName(QStringLiteral("program_page"));
  build();
  editor_->load(file->text()->asRead());
  file->text()->setEditing(this);
  soon_.setSingleShot(true);
  soon_.setInterval(kSoonMs);
  connect(&soon_, &QTimer::timeout, this, &ProgramPage::edited);
  connect(editor_, &QsciScintilla::textChanged, this, [this] {
    fix_->hide();
    soon_.start();
    if (buffer_) buffer_->touch();
  });
  connect(editor_, &QsciScintilla::linesChanged, this, &ProgramPage::movePoints, Qt::QueuedConnection);
  // Undoing everything does not restore the file's state once the user chose to keep this text over the file's.
  connect(editor_, &QsciScintilla::modificationChanged, this,
          [this](bool modified) { buffer_->setModified(modified || (kept_ && buffer_->asRead() != editor_->text())); });
  connect(file->text(), &TextBuffer::refused, this, [this] { askAboutDisk(true); });
  connect(editor_, &QsciScintilla::cursorPositionChanged, this, &ProgramPage::showCrumbs);
  connect(editor_, &QsciScintilla::selectionChanged, &context_.actions, &ActionRegistry::refreshSoon);
  connect(editor_, &CodeEditor::stripClicked, this, &ProgramPage::stripClicked);
  connect(editor_, &CodeEditor::lineClicked, this, &ProgramPage::selectMadeAt);
  connect(fix_, &FixStrip::accepted, this, &ProgramPage::convert);
  connect(fix_, &FixStrip::rejected, this, [this] {
    fix_->hide();
    editor_->setFocus();
  });
  Workspace& workspace = context.workspace;
  connect(&workspace.programGraphs().notes(), &ProgramNotes::changed, this, [this] {
    notesStale_ = true;
    if (isVisible()) showNotes();
  });
  connect(&workspace.programDebug(), &ProgramDebug::pointsChanged, this, &ProgramPage::showPoints);
  connect(&workspace.programDebug(), &ProgramDebug::stopChanged, this, &ProgramPage::showStop);
  connect(&workspace, &Workspace::currentSelectionChanged, this, &ProgramPage::showMarked);
  connect(&workspace.settings(), &Settings::changed, this, [this](const QString& key) {
    if (key == QLatin1String("editor/variable-lint")) edited();
  });
  watcher_.addPath(file->path());
  auto* settle = new QTimer(this);
  settle->setSingleShot(true);
  settle->setInterval(kDiskMs);
  connect(&watcher_, &QFileSystemWatcher::fileChanged, settle, qOverload<>(&QTimer::start));
  connect(settle, &QTimer::timeout, this, &ProgramPage::checkDisk);
  setFocusProxy(editor_);
  retranslate();
  showPoints();
  showStop();
  edited();
}

ProgramPage::~ProgramPage() {
  editor_->disconnect(this);  // it emits signals while it is destroyed
  if (buffer_) buffer_->setEditing(nullptr);
}

void ProgramPage::build() {
  auto* bar = new QFrame(this);
  bar->setObjectName(QStringLiteral("program_bar"));
  bar->setFixedHeight(widgets::Theme::current().metrics().breadcrumbBar);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(12, 0, 8, 0);
  row->setSpacing(8);
  icon_ = new QLabel(bar);
  kind_ = new QLabel(bar);
  kind_->setProperty("kind", QStringLiteral("chip"));
  crumbs_ = new CrumbBar(bar);
  crumbs_->setObjectName(QStringLiteral("call_site"));
  more_ = new QLabel(bar);
  more_->setProperty("kind", QStringLiteral("muted"));
  more_->setMinimumWidth(1);
  row->addWidget(icon_);
  row->addWidget(kind_, 0, Qt::AlignVCenter);
  row->addWidget(crumbs_);
  row->addWidget(more_, 1);
  const auto button = [&](const char* id, const char* icon) {
    auto* b = new QToolButton(bar);
    b->setObjectName(QLatin1String(id));
    b->setIcon(widgets::icon(QLatin1String(icon)));
    b->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    b->setAutoRaise(true);
    connect(b, &QToolButton::clicked, this, [this, id] { context_.actions.action(QLatin1String(id))->trigger(); });
    row->addWidget(b);
    return b;
  };
  names_ = button("program.names", "graph");
  run_ = button("program.run", "play");
  debug_ = button("program.debug", "bug");
  editor_ = new CodeEditor(CodeEditor::Language::Python, this);
  editor_->setObjectName(QStringLiteral("program_editor"));
  editor_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(editor_, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) { showMenu(editor_->mapToGlobal(at)); });
  find_ = new widgets::FindBar(editor_, this);
  fix_ = new FixStrip(this);
  connect(crumbs_, &CrumbBar::chosen, this, [this](const QString& target) {
    const qsizetype colon = target.lastIndexOf(u':');
    const QString path = target.left(colon);
    const int line = target.mid(colon + 1).toInt();
    if (line < 1) return;
    if (path == file_->path()) return goTo(line);
    context_.actions.run(QStringLiteral("program.line"), {path, QString::number(line)});
  });
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(bar);
  column->addWidget(find_);
  column->addWidget(editor_, 1);
  column->addWidget(fix_);
}

QString ProgramPage::text() const { return editor_->text(); }

QString ProgramPage::whyNot(const QString& command) const {
  if (command == QLatin1String("undo")) return editor_->isUndoAvailable() ? QString() : tr("There is nothing to undo.");
  if (command == QLatin1String("redo")) return editor_->isRedoAvailable() ? QString() : tr("There is nothing to redo.");
  if (command == QLatin1String("cut") || command == QLatin1String("copy")) return editor_->hasSelectedText() ? QString() : tr("Nothing is selected.");
  if (command != QLatin1String("fix")) return {};
  const int line = editor_->cursorLine();
  const auto calls = variableCallsIn(editor_->text());
  return std::any_of(calls.begin(), calls.end(), [line](const VariableCall& c) { return line >= c.line && line <= std::max(c.line, c.lastLine); })
             ? QString()
             : tr("There is no tf.Variable in this line.");
}

void ProgramPage::perform(const QString& command) {
  if (command == QLatin1String("undo")) editor_->undo();
  else if (command == QLatin1String("redo")) editor_->redo();
  else if (command == QLatin1String("cut")) editor_->cut();
  else if (command == QLatin1String("copy")) editor_->copy();
  else if (command == QLatin1String("paste")) editor_->paste();
  else if (command == QLatin1String("select-all")) editor_->selectAll();
  else if (command == QLatin1String("find")) find_->open(false);
  else if (command == QLatin1String("replace")) find_->open(true);
  else if (command == QLatin1String("fix")) askForFix();
  else if (command == QLatin1String("convert")) convert();
}

void ProgramPage::saved() {
  editor_->setModified(false);
  asked_ = QString();
  kept_ = false;
  context_.shell.withdrawMessage(QStringLiteral("file/") + file_->path());         // the question is answered
  if (!watcher_.files().contains(file_->path())) watcher_.addPath(file_->path());  // an atomic save replaced the file
  const bool names = context_.workspace.settings().get(QStringLiteral("editor/names-on-save")).toBool();
  if (names && !context_.workspace.program().isAlive()) context_.actions.run(QStringLiteral("program.names"));
}

void ProgramPage::replaceAll(const QString& text) { editor_->replaceAll(text); }

void ProgramPage::insert(const QString& lines) {
  editor_->insertAt(lines, editor_->cursorLine() - 1, 0);
  editor_->setFocus();
}

void ProgramPage::goTo(int line) {
  editor_->goToLine(line);
  editor_->setFocus();
}

/// Called when typing pauses.
void ProgramPage::edited() {
  const bool explains = context_.workspace.settings().get(QStringLiteral("editor/variable-lint")).toString() == QLatin1String("explain");
  editor_->setHints(explains ? variableHints(editor_->text()) : QVector<CodeEditor::Hint>());
  context_.actions.refreshSoon();
}

void ProgramPage::showNotes() {
  notesStale_ = false;
  // The notes belong to the text that ran; an edited text would show them at the wrong lines.
  if (editor_->isModified()) return;
  const ProgramGhosts ghosts = ghostsOf(editor_->text(), file_->path(), context_.workspace.programGraphs().notes());
  editor_->setGhosts(ghosts.texts);
  editor_->setVerdicts(ghosts.verdicts);
  showCrumbs();
}

void ProgramPage::showCrumbs() {
  const ProgramNotes& notes = context_.workspace.programGraphs().notes();
  const auto& lines = notes.linesOf(file_->path());
  const auto note = lines.constFind(editor_->cursorLine());
  QVector<CrumbBar::Crumb> crumbs;
  int others = 0;
  if (note != lines.constEnd() && !editor_->isModified()) {
    const auto sites = callSitesOf(*note, notes);
    others = int(std::max<qsizetype>(0, sites.size() - 1));
    if (!sites.isEmpty()) {
      for (const ScopePart& part : sites.first()) crumbs << CrumbBar::Crumb{part.name, QStringLiteral("%1:%2").arg(part.file).arg(part.line)};
    }
    QStringList all;
    for (const auto& site : sites) {
      QStringList parts;
      for (const ScopePart& part : site) parts << tr("%1 (line %2)").arg(part.name).arg(part.line);
      all << parts.join(QStringLiteral(" ▸ "));
    }
    crumbs_->setToolTip(all.isEmpty()
                            ? QString()
                            : tr("The scopes that were open when this line created its nodes, with the lines that opened them") + u'\n' + all.join(u'\n'));
  }
  crumbs_->setPath(crumbs);
  more_->setText(others > 0 ? tr("and %n other call(s)", nullptr, others) : QString());
  more_->setToolTip(crumbs_->toolTip());
}

void ProgramPage::showPoints() {
  if (moving_) return;
  QMap<int, bool> points;
  for (const LinePoint& p : context_.workspace.programDebug().points(file_->path())) points.insert(p.line, !p.condition.isEmpty());
  editor_->setBreakpoints(points);
}

/// Moves breakpoints with their lines.
void ProgramPage::movePoints() {
  ProgramDebug& debug = context_.workspace.programDebug();
  const QVector<LinePoint> before = debug.points(file_->path());
  const QList<int> now = editor_->breakpoints().keys();
  QList<int> then;
  for (const LinePoint& p : before) then << p.line;
  if (then == now) return;
  moving_ = true;
  for (const int line : std::as_const(then)) debug.removePoint(file_->path(), line);
  for (qsizetype i = 0; i < now.size(); ++i) debug.setPoint(file_->path(), now[i], now.size() == before.size() ? before[i].condition : QString());
  moving_ = false;
  showPoints();
}

void ProgramPage::showStop() {
  const ProgramDebug& debug = context_.workspace.programDebug();
  int line = 0;
  for (const ProgramStop::Frame& frame : debug.stop().stack) {
    if (QFileInfo(frame.file) != QFileInfo(file_->path())) continue;
    line = frame.line;
    break;
  }
  editor_->setPresent(debug.isAtLine() ? line : 0);
}

/// Marks the lines that made the nodes selected on the canvas.
void ProgramPage::showMarked() {
  const Document* document = context_.workspace.current();
  QVector<int> lines;
  if (document && !editor_->isModified()) {
    for (const QString& node : document->selection()) {
      const auto place = context_.workspace.programGraphs().placeOf(document, node);
      if (place && place->file == file_->path() && !lines.contains(place->line)) lines << place->line;
    }
  }
  editor_->setMarked(lines);
}

void ProgramPage::selectMadeAt(int line) {
  Document* document = context_.workspace.current();
  if (!document || editor_->isModified()) return;
  const QStringList nodes = context_.workspace.programGraphs().nodesMadeAt(document, file_->path(), line);
  if (!nodes.isEmpty()) document->setSelection(nodes);
}

void ProgramPage::stripClicked(int line, const QPoint& at, bool menu) {
  ProgramDebug& debug = context_.workspace.programDebug();
  const QString file = file_->path();
  const bool there = editor_->breakpoints().contains(line);
  const auto toggle = [&debug, file, line, there] { there ? debug.removePoint(file, line) : debug.setPoint(file, line); };
  if (!menu) return toggle();
  auto* popup = new QMenu(this);
  popup->setAttribute(Qt::WA_DeleteOnClose);
  popup->addAction(there ? tr("Remove breakpoint") : tr("Set breakpoint"), this, toggle);
  popup->popup(at);
}

void ProgramPage::showMenu(const QPoint& at) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  for (const char* id : {"edit.undo", "edit.redo", "", "edit.cut", "edit.copy", "edit.paste", "edit.select-all", "", "problems.fix", "program.names",
                         "program.run", "program.debug"})
    *id ? menu->addAction(context_.actions.action(QLatin1String(id))) : void(menu->addSeparator());
  context_.actions.refresh();
  menu->popup(at);
}

void ProgramPage::askForFix() {
  const int line = editor_->cursorLine();
  for (const VariableCall& call : variableCallsIn(editor_->text())) {
    if (line < call.line || line > std::max(call.line, call.lastLine)) continue;
    const ProgramNotes& notes = context_.workspace.programGraphs().notes();
    fix_->propose(fixVariable(editor_->text(), call, editor_->isModified() ? QMap<int, LineNote>() : notes.linesOf(file_->path())));
    return;
  }
}

void ProgramPage::convert() {
  const VariableFix fix = fix_->fix();
  if (!fix_->isVisible() || !fix.error.isEmpty()) return;
  fix_->hide();
  editor_->replaceLines(fix.firstLine, fix.lastLine, fix.text);
  editor_->goToLine(fix.firstLine);
  editor_->setFocus();
}

void ProgramPage::checkDisk() {
  QString error;
  const QString path = file_->path();
  if (!watcher_.files().contains(path) && QFileInfo::exists(path)) watcher_.addPath(path);
  if (!QFileInfo::exists(path) || !context_.workspace.settings().get(QStringLiteral("file/watch")).toBool()) return;
  const QString now = readText(path, &error);
  if (!error.isEmpty() || now == buffer_->asRead() || now == asked_) return;
  if (!editor_->isModified()) return reload();
  asked_ = now;
  askAboutDisk(false);
}

/// `refused`: a save was refused.
void ProgramPage::askAboutDisk(bool refused) {
  const QPointer<ProgramPage> page(this);
  const auto answer = [page](void (ProgramPage::*method)()) {
    return [page, method] {
      if (page) (page->*method)();
    };
  };
  context_.shell.tell([answer, refused, path = file_->path()] {
    const QString text = refused ? tr("%1 was not saved: another program or window has changed the file since it was opened.")
                                 : tr("%1 was changed both here and by another program or window.");
    Message::Button mine{tr("Keep mine"), answer(&ProgramPage::keepMine)};
    if (refused) mine = {tr("Overwrite"), answer(&ProgramPage::saveMine)};
    return Message{Message::Kind::Warning,
                   QStringLiteral("file/") + path,
                   text.arg(QFileInfo(path).fileName()),
                   {{tr("Reload"), answer(&ProgramPage::reload)}, mine, {tr("Compare"), answer(&ProgramPage::compare)}}};
  });
}

void ProgramPage::keepMine() {
  QString error;
  const QString now = readText(file_->path(), &error);
  if (!error.isEmpty()) return context_.shell.showError(error);
  buffer_->acceptOnDisk(now);
  kept_ = true;
}

void ProgramPage::saveMine() {
  const QString error = saveText(context_.workspace, *file_, true);
  if (!error.isEmpty()) context_.shell.showError(error);
}

/// Marks the lines that differ from the file's, and lists both in the log.
void ProgramPage::compare() {
  QString error;
  const QString path = file_->path(), theirs = readText(path, &error);
  if (!error.isEmpty()) return context_.shell.showError(error);
  const LineDifference difference = lineDifference(theirs, editor_->text());
  for (const QString& line : difference.listing) context_.workspace.log().info(QFileInfo(path).fileName() + QStringLiteral(": ") + line);
  editor_->setMarked(difference.changedLines);
  if (!difference.changedLines.isEmpty()) goTo(difference.changedLines.first());
  const QPointer<ProgramPage> page(this);
  context_.shell.tell([page, path, difference] {
    const QString text = difference.isEmpty() ? tr("%1 is the same here as in the file.").arg(QFileInfo(path).fileName())
                                              : tr("%1: %2 only in the file, %3 only here. The log lists them; lines that exist only here are marked.")
                                                    .arg(QFileInfo(path).fileName(), tr("%n line(s)", nullptr, difference.onlyThere),
                                                         tr("%n line(s)", nullptr, difference.onlyHere));
    const auto reloads = [page] {
      if (page) page->reload();
    };
    const auto keeps = [page] {
      if (page) page->keepMine();
    };
    return Message{Message::Kind::Note, QStringLiteral("file/") + path, text, {{tr("Reload"), reloads}, {tr("Keep mine"), keeps}}};
  });
}

/// As one step, so that it can be undone.
void ProgramPage::reload() {
  QString error;
  const QString text = readText(file_->path(), &error);
  if (!error.isEmpty()) return context_.shell.showError(error);
  editor_->replaceAll(text);
  editor_->setModified(false);
  kept_ = false;
  buffer_->setSaved(text);
  context_.shell.withdrawMessage(QStringLiteral("file/") + file_->path());
}

void ProgramPage::retranslate() {
  const widgets::Theme& theme = widgets::Theme::current();
  setSheet(findChild<QFrame*>(QStringLiteral("program_bar")), QStringLiteral("#program_bar { background: %1; border: none; border-bottom: 1px solid %2; }")
                                                                  .arg(theme.color(Role::Surface1).name(), theme.color(Role::Border).name()));
  icon_->setPixmap(widgets::iconPixmap(QStringLiteral("file"), 16, theme.color(Role::Text2), devicePixelRatioF()));
  kind_->setText(tr("Python program"));
  kind_->setToolTip(tr("A TensorFlow 1.x program. It does not run until you run it."));
  names_->setText(tr("Names"));
  names_->setToolTip(tr("Runs the program up to its first step and shows the names and shapes that its lines create"));
  run_->setText(tr("Run"));
  run_->setToolTip(tr("Saves and runs the program in its own process (%1). It has all your rights on this machine.").arg(QStringLiteral("Ctrl+F7")));
  debug_->setText(tr("Debug"));
  debug_->setToolTip(tr("Saves and runs the program, and pauses before its first line"));
  editor_->setAccessibleName(tr("Text of the program"));
  crumbs_->setAccessibleName(tr("Scopes of the line"));
}

void ProgramPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (notesStale_) showNotes();
  showMarked();
}

void ProgramPage::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    notesStale_ = true;
    edited();
    if (isVisible()) showNotes();
  }
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace weft::app
