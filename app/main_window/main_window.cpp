#include "main_window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDropEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QStackedWidget>
#include <QStatusTipEvent>
#include <QStyle>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "adapters/document_version.h"
#include "common/discard.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/device_search.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "graph_view/graph_view.h"
#include "main_window/commit_pending_input.h"
#include "main_window/document_page.h"
#include "main_window/document_tabs.h"
#include "main_window/file_watch.h"
#include "main_window/find_field.h"
#include "main_window/help_window.h"
#include "main_window/message_bar.h"
#include "main_window/message_place.h"
#include "main_window/mode_bar.h"
#include "main_window/notifier.h"
#include "main_window/retranslator.h"
#include "main_window/run_bar.h"
#include "main_window/session.h"
#include "main_window/start_page.h"
#include "main_window/status_bar.h"
#include "main_window/system_theme.h"
#include "shell/all_actions.h"

namespace weft::app {

MainWindow::MainWindow(Settings::Kind settings, QWidget* parent) : QMainWindow(parent), workspace_(settings), systemTheme_(new SystemTheme(this)) {
  setObjectName(QStringLiteral("main_window"));
  setAcceptDrops(true);
  setContextMenuPolicy(Qt::NoContextMenu);
  setDockOptions(QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  language_.set(workspace_.settings().get(QStringLiteral("ui/language")).toString());
  registerActions(actions_, workspace_, *this);
  pendingInput_ = new PendingInputCommitter(workspace_, actions_, this);
  applyKeys();
  applyTheme();
  buildMiddle();
  buildBars();
  buildDocks();
  buildMenus();
  connectState();
  session_ = new Session(
      workspace_, *this, [this](Document* document) { return pages_.value(document); }, this);
  fileWatch_ = new FileWatch(workspace_, *this, this);
  notifier_ = new Notifier(workspace_, this);
  new Retranslator(this);
  retranslate();
  const QString last = workspace_.settings().value(QStringLiteral("layout/mode")).toString();
  if (layouts().contains(last)) mode_ = last;
  restoreMode();
  showCurrent();
  // Queued until the creator of the window has chosen its language.
  QMetaObject::invokeMethod(
      this, [this] { offerRecovery(actions_, workspace_, *this); }, Qt::QueuedConnection);
}

MainWindow::~MainWindow() {
  hide();  // the focused widget loses focus while everything that it may call still exists
  // Views and pages use documents and runs in their destructors.
  for (QDockWidget* dock : std::as_const(docks_)) delete dock;
  docks_.clear();
  delete stack_;
  stack_ = nullptr;
}

void MainWindow::buildMiddle() {
  auto* middle = new QWidget(this);
  auto* column = new QVBoxLayout(middle);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  tabs_ = new DocumentTabs(middle);
  tabs_->setObjectName(QStringLiteral("document_tabs"));
  tabs_->setTabsClosable(true);
  tabs_->setMovable(true);
  tabs_->setExpanding(false);
  tabs_->setDocumentMode(true);
  tabs_->setElideMode(Qt::ElideLeft);
  tabs_->setIconSize({16, 16});
  tabs_->setFocusPolicy(Qt::TabFocus);
  message_ = new MessageBar(middle);
  stack_ = new QStackedWidget(middle);
  connect(stack_, &QStackedWidget::currentChanged, this, [this](int current) {  // hidden pages must not limit the docks' height
    for (int i = 0; i < stack_->count(); ++i)
      stack_->widget(i)->setSizePolicy(QSizePolicy::Preferred, i == current ? QSizePolicy::Preferred : QSizePolicy::Ignored);
  });
  start_ = new StartPage(workspace_, actions_, stack_);
  start_->setObjectName(QStringLiteral("start_page"));
  stack_->addWidget(start_);
  auto* room = new QWidget(middle);
  column->addWidget(tabs_);
  column->addWidget(room);
  column->addWidget(stack_, 1);
  messagePlace_ = new MessagePlace(message_, room, stack_);
  setCentralWidget(middle);
}

void MainWindow::buildBars() {
  runBar_ = new RunBar(workspace_, actions_, this);
  addToolBar(Qt::TopToolBarArea, runBar_);
  QStringList modes;
  for (const QString& mode : layouts()) modes << QStringLiteral("layout.") + mode;
  modeBar_ = new ModeBar(actions_, modes, this);
  addToolBar(Qt::LeftToolBarArea, modeBar_);
  statusBar_ = new StatusBar(workspace_, *this, this);
  setStatusBar(statusBar_);
}

void MainWindow::connectState() {
  connect(&workspace_, &Workspace::documentAdded, this, &MainWindow::addPage);
  connect(&workspace_, &Workspace::documentRemoved, this, &MainWindow::removePage);
  connect(&workspace_, &Workspace::fileAdded, this, &MainWindow::addFilePage);
  connect(&workspace_, &Workspace::fileRemoved, this, &MainWindow::removeFilePage);
  connect(&workspace_, &Workspace::currentChanged, this, &MainWindow::showCurrent);
  connect(&workspace_, &Workspace::titleChanged, this, &MainWindow::updateTitle);
  connect(&workspace_, &Workspace::modelOpened, this, [this] { actions_.run(QStringLiteral("view.show"), {QStringLiteral("files")}); });
  connect(&workspace_, &Workspace::failed, message_, &MessageBar::addFailure);
  connect(&workspace_, &Workspace::contentsChanged, message_, &MessageBar::moveOn);
  connect(&workspace_, &Workspace::documentAdded, message_, &MessageBar::moveOn);
  connect(&workspace_, &Workspace::fileAdded, message_, &MessageBar::moveOn);
  connect(&workspace_, &Workspace::currentChanged, message_, &MessageBar::moveOn);
  // Errors of a run or the debugger are cleared when another one starts, the debugger goes on, or it ends well.
  connect(&workspace_.runs(), &RunController::runStarted, message_, &MessageBar::moveOn);
  connect(&workspace_.debugger(), &DebugController::stopped, message_, &MessageBar::moveOn);
  connect(&workspace_.debugger(), &DebugController::stateChanged, message_, [this, was = false]() mutable {
    const DebugController& debug = workspace_.debugger();
    if (std::exchange(was, debug.isActive()) != debug.isActive() && debug.state().failure.isEmpty()) message_->moveOn();
  });
  connect(&workspace_.settings(), &Settings::changed, this, &MainWindow::applySetting);
  applySetting(QStringLiteral("run/threads"));
  connect(&workspace_, &Workspace::currentSelectionChanged, &actions_, &ActionRegistry::refreshSoon);
  connect(&actions_, &ActionRegistry::failed, this, &MainWindow::showError);
  connect(&actions_, &ActionRegistry::shortcutsChanged, this, &MainWindow::showFindHint);
  RunController& runs = workspace_.runs();
  connect(&runs, &RunController::stateChanged, &actions_, &ActionRegistry::refreshSoon);
  connect(&runs, &RunController::stateChanged, this, [this, &runs] {
    showRunBar();
    const QString name = runs.currentRun() ? runs.currentRun()->name : QString();
    if (runs.state() == RunController::State::Finished || runs.state() == RunController::State::Stopped)
      statusBar_->notify([run = *runs.currentRun()] { return QStringLiteral("%1: %2").arg(run.name, endSentence(run)); });
    if (runs.state() == RunController::State::Failed) {
      // A watched run from the start ends at the first NaN. A run on a server cannot be watched, but resumed where the server was lost.
      const RunRecord& run = *runs.currentRun();
      const bool onServer = !serverOf(run).isEmpty();
      const bool diverged =
          runs.lastError().contains(QLatin1String("diverged")) && !onServer && !workspace_.settings().get(QStringLiteral("run/watch-nan")).toBool();
      const auto watch = [this] {
        actions_.run(QStringLiteral("run.watch-nan"), {QStringLiteral("on")});
        actions_.run(QStringLiteral("run.train"));
      };
      const qint64 last = onServer && !diverged && !run.checkpoints.isEmpty() ? run.checkpoints.last().step : -1;
      const auto resume = [this, last] {
        if (actions_.run(QStringLiteral("run.go-back"), {QString::number(last)}).ok) actions_.run(QStringLiteral("run.train"));
      };
      tell([text = QStringLiteral("%1: %2").arg(name, runs.lastError()), diverged, watch, last, resume] {
        Message message{Message::Kind::Error, QStringLiteral("run"), text};
        if (diverged) message.buttons << Message::Button{tr("Find the cause"), watch};
        if (last >= 0) message.buttons << Message::Button{tr("Resume from step %1").arg(last), resume};
        return message;
      });
    } else {
      withdrawMessage(QStringLiteral("run"));
    }
  });
  connect(systemTheme_, &SystemTheme::changed, this, [this] {
    if (theme() == QLatin1String("system")) applyTheme();
  });
  connect(tabs_, &QTabBar::currentChanged, this, [this](int index) {
    if (index < 0) return;
    startShown_ = false;
    auto* shown = tabs_->tabData(index).value<QObject*>();
    if (auto* d = qobject_cast<Document*>(shown)) workspace_.setCurrent(d);
    if (auto* f = qobject_cast<FileTab*>(shown)) workspace_.setCurrentFile(f);
    showCurrent();
  });
  connect(tabs_, &QTabBar::tabBarClicked, this, [this](int index) {
    if (index < 0 || !startShown_) return;
    startShown_ = false;
    showCurrent();
  });
  connect(tabs_, &QTabBar::tabCloseRequested, this, [this](int index) {
    auto* shown = tabs_->tabData(index).value<QObject*>();
    if (auto* d = qobject_cast<Document*>(shown)) workspace_.setCurrent(d);
    if (auto* f = qobject_cast<FileTab*>(shown)) workspace_.setCurrentFile(f);
    actions_.action(QStringLiteral("file.close"))->trigger();
  });
}

void MainWindow::addPage(Document* document) {
  auto* page = new DocumentPage(document, actions_, workspace_, stack_);
  pages_.insert(document, page);
  page->setMotion(workspace_.settings().get(QStringLiteral("ui/motion")).toBool());
  for (const DocumentPage* other : std::as_const(pages_)) {  // the same file, read again
    if (other != page && !document->path().isEmpty() && other->document()->path() == document->path()) page->restoreView(other->viewState());
  }
  stack_->addWidget(page);
  const int index = tabs_->addTab(widgets::icon(QStringLiteral("graph")), QString());
  tabs_->setTabData(index, QVariant::fromValue<QObject*>(document));
  connect(page->canvas(), &widgets::GraphView::expandedChanged, &actions_, &ActionRegistry::refreshSoon);
  startShown_ = false;
  page->canvas()->setFocus();
  const auto newer = [contents = document->contents(), title = document->title()] { return newerVersionText(*contents, title); };
  if (!newer().isEmpty()) tell([newer, key = QStringLiteral("newer/") + document->path()] { return Message{Message::Kind::Warning, key, newer()}; });
}

void MainWindow::removePage(Document* document) {
  removeTab(document);
  DocumentPage* page = pages_.take(document);
  keepPicture(page);
  stack_->removeWidget(page);
  widgets::discard(page);  // one of its own events may have closed it
  if (pages_.isEmpty() && filePages_.isEmpty()) startShown_ = true;
  showCurrent();
}

void MainWindow::showCurrent() {
  QObject* shown = front();
  const bool start = startShown_ || !shown;
  for (int i = 0; i < tabs_->count(); ++i) {
    if (tabs_->tabData(i).value<QObject*>() == shown) {
      const QSignalBlocker quiet(tabs_);
      tabs_->setCurrentIndex(i);
    }
  }
  QWidget* page = workspace_.currentFile() ? filePages_.value(workspace_.currentFile()) : static_cast<QWidget*>(pages_.value(workspace_.current()));
  stack_->setCurrentWidget(start ? static_cast<QWidget*>(start_) : page);
  messagePlace_->setFloating(!start && !workspace_.currentFile() ? widgets::Theme::current().metrics().breadcrumbBar : -1);
  tabs_->setVisible(tabs_->count() > 0);
  showRunBar();
  modeBar_->setVisible(!start);
  // While the start page is shown, no document is in front.
  if (tabs_->property("quiet").toBool() != start) {
    tabs_->setProperty("quiet", start);
    tabs_->style()->unpolish(tabs_);
    tabs_->style()->polish(tabs_);
  }
  QMetaObject::invokeMethod(statusBar_, &StatusBar::updateDocument, Qt::QueuedConnection);
  // The start page covers the whole window; the docks return with the document.
  for (const QString& id : viewIds()) {
    QDockWidget* dock = docks_.value(id);
    if (start && !dock->isHidden()) {
      dock->setProperty("hiddenByStart", true);
      dock->hide();
    } else if (!start && dock->property("hiddenByStart").toBool()) {
      // One event per dock: together they would take longer than a frame.
      ++comingDocks_;
      QMetaObject::invokeMethod(
          this,
          [this, dock] {
            --comingDocks_;
            if (isStartPageShown() || !dock->property("hiddenByStart").toBool()) return;
            dock->setProperty("hiddenByStart", false);
            dock->show();
            if (comingDocks_ == 0 && sizesPending_) sizeDocks();
          },
          Qt::QueuedConnection);
    }
  }
  QMetaObject::invokeMethod(
      this,
      [this] {
        updateTitle();
        updateDockTitles();
      },
      Qt::QueuedConnection);
  actions_.refreshSoon();
}

/// It belongs to graphs, but also shows for a running training, so that it can be stopped from anywhere, even after its document was closed.
void MainWindow::showRunBar() {
  const bool graph = !isStartPageShown() && !workspace_.currentFile();
  runBar_->setVisible(graph || workspace_.runs().isActive());
}

widgets::GraphView* MainWindow::canvas() {
  DocumentPage* page = isStartPageShown() || workspace_.currentFile() ? nullptr : pages_.value(workspace_.current());
  return page ? page->canvas() : nullptr;
}

/// Stores a picture of the document as it is seen now, for the list of recent files.
void MainWindow::keepPicture(DocumentPage* page) {
  if (!page || !page->isSettled() || page->document()->path().isEmpty() || page->canvas()->isLayoutPending()) return;
  QPixmap seen(page->canvas()->size() * devicePixelRatioF());
  seen.setDevicePixelRatio(devicePixelRatioF());
  page->canvas()->render(&seen, {}, {}, QWidget::DrawWindowBackground);  // without child widgets, which are the canvas's buttons
  start_->keepPicture(page->document()->path(), seen);
}

void MainWindow::showStartPage() {
  if (!workspace_.currentFile()) keepPicture(pages_.value(workspace_.current()));
  startShown_ = true;
  showCurrent();
}

bool MainWindow::isStartPageShown() const { return startShown_ || !front(); }
bool MainWindow::isSettled() const {
  if (comingDocks_ > 0) return false;
  for (const DocumentPage* page : pages_)
    if (page->canvas()->isLayoutPending() || (page->isVisible() && !page->isSettled())) return false;
  if (findChild<Retranslator*>(QString(), Qt::FindDirectChildrenOnly)->isBusy()) return false;
  return !start_->isVisible() || start_->isComplete();
}

void MainWindow::updateTitle() {
  for (int i = 0; i < tabs_->count(); ++i) {
    const auto* document = qobject_cast<Document*>(tabs_->tabData(i).value<QObject*>());
    if (const auto* file = qobject_cast<FileTab*>(tabs_->tabData(i).value<QObject*>())) {
      tabs_->setTabText(i, file->title());
      tabs_->setTabToolTip(i, file->path());
    }
    if (!document) continue;
    tabs_->setTabText(i, document->title() + (document->isModified() ? QStringLiteral("*") : QString()));
    tabs_->setTabToolTip(i, document->path().isEmpty() ? tr("Not saved yet") : document->path());
  }
  const FileTab* file = isStartPageShown() ? nullptr : workspace_.currentFile();
  const Document* document = isStartPageShown() ? nullptr : workspace_.current();
  setWindowTitle(file       ? file->title() + QStringLiteral(" — Weft")
                 : document ? document->title() + (document->isModified() ? QStringLiteral("*") : QString()) + QStringLiteral(" — Weft")
                            : QStringLiteral("Weft"));
  actions_.refreshSoon();
}

void MainWindow::showError(const QString& message) { message_->showMessage({Message::Kind::Error, {}, message}); }
void MainWindow::showMessage(const Message& message) { message_->showMessage(message); }
void MainWindow::withdrawMessage(const QString& key) { message_->withdraw(key); }
void MainWindow::notify(const QString& text) { statusBar_->notify(text); }
QStringList MainWindow::shownMessages() const { return message_->texts(); }
bool MainWindow::pressMessageButton(const QString& text) { return message_->press(text); }
QString MainWindow::shownError() const { return message_->error(); }

void MainWindow::showHelp(const QString& page) {
  searchDevices(workspace_.tasks(), this, {});  // pages on ops list the devices that run them
  auto* help = findChild<HelpWindow*>();
  if (!help) help = new HelpWindow(actions_, this);
  help->showPage(page);
}

void MainWindow::begin() {
  Settings& settings = workspace_.settings();
  if (settings.get(QStringLiteral("start/restore")).toBool()) session_->restore();
  if (!settings.value(QStringLiteral("tour/seen")).toBool()) {
    settings.setValue(QStringLiteral("tour/seen"), true);
    const auto tour = [this] { actions_.action(QStringLiteral("help.tour"))->trigger(); };
    tell([tour] {
      return Message{Message::Kind::Note, QStringLiteral("tour"), tr("New to Weft? Five steps show you around."), {{tr("Start the tour"), tour}}};
    });
  }
}

void MainWindow::showFindHint() {
  const QList<QKeySequence> keys = actions_.shortcuts(QStringLiteral("find.anything"));
  findField_->setKey(keys.isEmpty() ? QString() : keys.first().toString(QKeySequence::NativeText));
  findField_->setHint(tr("Find anything: op, tensor, command, setting"), tr("Find anything"));
  findField_->setToolTip(tr("Finds commands, nodes, tensors, ops, files and help"));
  findField_->setAccessibleName(tr("Find anything"));
}

void MainWindow::retranslate() {
  showFindHint();
  for (const auto& [menu, title] : menus_) menu->setTitle(QCoreApplication::translate("Menus", title));
  if (recentMenu_) recentMenu_->setTitle(tr("Open &recent"));
  if (layoutMenu_) layoutMenu_->setTitle(tr("&Layouts"));
  actions_.retranslate();
  updateDockTitles();
  updateTitle();
}

bool MainWindow::event(QEvent* event) {
  // Qt shows the reason of a disabled command until the pointer leaves its button, which never happens if the button is hidden first.
  if (event->type() == QEvent::StatusTip && statusBar_) {
    constexpr int kReadMs = 4000;
    const QString tip = static_cast<QStatusTipEvent*>(event)->tip();
    tip.isEmpty() ? statusBar_->clearMessage() : statusBar_->showMessage(tip, kReadMs);
    return true;
  }
  return QMainWindow::event(event);
}

void MainWindow::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange && statusBar_) retranslate();
  QMainWindow::changeEvent(event);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  PendingInputCommitter::commit();
  if (!mayClose_ && !workspace_.settings().isInMemory()) {
    if (workspace_.current() && workspace_.current()->isEditing()) {  // the last typed input is not in its document yet, and may need saving
      pendingInput_->afterEdits([this] { close(); });
      return event->ignore();
    }
    // Questions and saving continue after this handler, then close the window again. Within the handler a second close() would have no effect, because Qt
    // considers the window as closing.
    const auto within = std::make_shared<bool>(true);
    confirmQuit(workspace_, *this, [this, within] {
      mayClose_ = true;
      if (!*within) close();
    });
    *within = false;
    if (!mayClose_) return event->ignore();
  }
  rememberLayout();
  if (!isStartPageShown() && !workspace_.currentFile()) keepPicture(pages_.value(workspace_.current()));
  session_->remember();
  workspace_.settings().setValue(QStringLiteral("window/geometry"), saveGeometry());
  event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  QStringList paths;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) paths << url.toLocalFile();
  openDropped(paths, event->modifiers() & Qt::ControlModifier);
  event->acceptProposedAction();
}

}  // namespace weft::app
