#include "views/query/query_view.h"

#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSaveFile>
#include <QShortcut>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "common/card_export.h"
#include "common/empty_state.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/profile_store.h"
#include "document/query_store.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

constexpr int kWidestColumn = 340, kLeastColumn = 60, kRowsMeasured = 200;

QToolButton* makeTool(const QString& icon, QWidget* parent, bool menu = false) {
  auto* button = new QToolButton(parent);
  button->setIcon(widgets::icon(icon));
  button->setAutoRaise(true);
  if (menu) {
    button->setPopupMode(QToolButton::InstantPopup);
    button->setMenu(new QMenu(button));
  }
  return button;
}

}  // namespace

QueryView::QueryView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context), store_(QueryStore::of(context.workspace)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 6, 8, 6);
  layout->setSpacing(6);
  layout->addWidget(makeBar());
  state_ = new QLabel(this);
  state_->setTextFormat(Qt::PlainText);
  state_->setWordWrap(true);
  state_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  state_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  layout->addWidget(makeActions());
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("search"), {}, {}, stack_);
  table_ = new QTableView(stack_);
  model_ = new QueryTableModel(table_);
  table_->setModel(model_);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setMinimumHeight(60);
  table_->setTextElideMode(Qt::ElideMiddle);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  table_->horizontalHeader()->setSectionsClickable(true);
  table_->setContextMenuPolicy(Qt::CustomContextMenu);
  stack_->addWidget(empty_);
  stack_->addWidget(table_);
  layout->addWidget(stack_, 1);
  connect(field_, &QueryField::given, this, [this](const QString& sql) { run(QStringLiteral("query.run"), {sql}); });
  connect(field_, &QPlainTextEdit::textChanged, this, [this] { store_.setDraft(field_->toPlainText().trimmed()); });
  connect(run_, &QToolButton::clicked, this, [this] {
    const QString sql = field_->toPlainText().trimmed();
    if (!sql.isEmpty()) run(QStringLiteral("query.run"), {sql});
  });
  connect(cancel_, &QToolButton::clicked, this, [this] { run(QStringLiteral("query.cancel")); });
  connect(empty_, &widgets::EmptyState::buttonClicked, this, [this] {
    const bool graph = context_.workspace.current();
    for (const QueryExampleInfo& e : queryExampleInfos()) {
      if ((e.table == QLatin1String("nodes")) != graph) continue;
      setQuery(e.sql);
      return run(QStringLiteral("query.run"), {e.sql});
    }
  });
  connect(table_, &QWidget::customContextMenuRequested, this, &QueryView::showMenu);
  connect(table_->horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int section) {
    const bool again = table_->horizontalHeader()->isSortIndicatorShown() && table_->horizontalHeader()->sortIndicatorSection() == section;
    const Qt::SortOrder order = again && table_->horizontalHeader()->sortIndicatorOrder() == Qt::DescendingOrder ? Qt::AscendingOrder : Qt::DescendingOrder;
    table_->horizontalHeader()->setSortIndicatorShown(true);
    table_->sortByColumn(section, order);
  });
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    if (selecting_) return;
    QVector<int> rows;
    for (const QModelIndex& i : table_->selectionModel()->selectedRows()) rows << model_->pageRow(i.row());
    selecting_ = true;
    store_.setSelectedRows(rows);
    // The canvas follows the table, as from every other list of nodes.
    if (!rows.isEmpty() && model_->page().nodeColumn() >= 0 && context_.shell.canvas())
      if (const QStringList nodes = store_.nodes(); !nodes.isEmpty()) context_.workspace.current()->requestSelection(nodes);
    selecting_ = false;
  });
  auto* copy = new QShortcut(QKeySequence::Copy, table_);
  copy->setContext(Qt::WidgetShortcut);
  connect(copy, &QShortcut::activated, this, [this] { QApplication::clipboard()->setText(chosenText()); });
  connect(&store_, &QueryStore::answered, this, &QueryView::showAnswer);
  connect(&store_, &QueryStore::changed, this, &QueryView::showState);
  connect(&store_, &QueryStore::selectionChanged, this, &QueryView::select);
  connect(&context.workspace, &Workspace::currentChanged, this, [this] {
    showState();
    if (isVisible()) fillWords();
  });
  connect(&ProfileStore::of(context.workspace), &ProfileStore::currentChanged, this, &QueryView::showState);
  connect(&context.workspace, &Workspace::currentSelectionChanged, this, [this] {
    const Document* document = context_.workspace.current();
    if (selecting_ || !document || !isVisible() || model_->page().nodeColumn() < 0) return;
    store_.selectNodes(document->selection());
  });
  clock_.setInterval(200);
  connect(&clock_, &QTimer::timeout, this, &QueryView::showState);
  retranslate();
  showAnswer();
}

QWidget* QueryView::makeBar() {
  auto* bar = new QWidget(this);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(4);
  field_ = new QueryField(bar);
  run_ = makeTool(QStringLiteral("play"), bar);
  cancel_ = makeTool(QStringLiteral("stop"), bar);
  examples_ = makeTool(QStringLiteral("bulb"), bar, true);
  past_ = makeTool(QStringLiteral("clock"), bar, true);
  more_ = makeTool(QStringLiteral("menu-dots"), bar, true);
  connect(examples_->menu(), &QMenu::aboutToShow, this, &QueryView::fillExamples);
  connect(past_->menu(), &QMenu::aboutToShow, this, &QueryView::fillHistory);
  for (const char* id : {"query.add-file", "query.remove-files", "query.copy-command", "query.export"})
    if (QAction* action = context_.actions.action(QLatin1String(id))) more_->menu()->addAction(action);
  row->addWidget(field_, 1);
  for (QToolButton* b : {run_, cancel_, examples_, past_, more_}) row->addWidget(b, 0, Qt::AlignTop);
  return bar;
}

/// What there is to say of the result, and what can be done with its nodes.
QWidget* QueryView::makeActions() {
  auto* foot = new QWidget(this);
  auto* row = new QHBoxLayout(foot);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  row->addWidget(state_, 1);
  selectNodes_ = new QPushButton(foot);
  highlight_ = new QPushButton(foot);
  color_ = new QPushButton(foot);
  color_->setMenu(new QMenu(color_));
  connect(color_->menu(), &QMenu::aboutToShow, this, &QueryView::fillColumns);
  break_ = new QPushButton(foot);
  for (QWidget* w : std::initializer_list<QWidget*>{selectNodes_, highlight_, color_, break_}) row->addWidget(w);
  connect(selectNodes_, &QPushButton::clicked, this, [this] { run(QStringLiteral("query.select-nodes")); });
  connect(highlight_, &QPushButton::clicked, this, [this] { run(QStringLiteral("query.highlight")); });
  connect(break_, &QPushButton::clicked, this, [this] { run(QStringLiteral("query.break")); });
  return foot;
}

void QueryView::run(const QString& id, const QStringList& words) { context_.actions.runChosen(id, words); }

void QueryView::edit() {
  field_->setFocus(Qt::OtherFocusReason);
  field_->moveCursor(QTextCursor::End);
}

void QueryView::setQuery(const QString& sql) {
  field_->setPlainText(sql);
  field_->moveCursor(QTextCursor::End);
}

void QueryView::fillWords() {
  const Document* shown = context_.workspace.current();
  if (!words_.isEmpty() && wordsOf_ == (shown ? shown->contents() : nullptr)) return;
  wordsOf_ = shown ? shown->contents() : nullptr;
  QVector<QueryWord> words = queryWords();
  if (const Document* document = context_.workspace.current()) words += opWords(*document->contents());
  std::sort(words.begin(), words.end(), [](const QueryWord& a, const QueryWord& b) { return a.text.compare(b.text, Qt::CaseInsensitive) < 0; });
  words_ = words;
  field_->setWords(words);
}

void QueryView::showEvent(QShowEvent* event) {
  fillWords();
  showState();
  QWidget::showEvent(event);
}

void QueryView::showAnswer() {
  const QueryPagePtr page = store_.page();
  table_->horizontalHeader()->setSortIndicatorShown(false);
  model_->setPage(page);
  stack_->setCurrentIndex(page->columns.isEmpty() ? 0 : 1);
  if (!page->sql.isEmpty() && field_->toPlainText().trimmed() != page->sql) setQuery(page->sql);
  field_->setHistory(store_.history());
  const QFontMetrics metrics(widgets::Theme::current().monoFont());
  for (int c = 0; c < page->columns.size(); ++c) {
    QString longest;  // all letters are of the same width
    for (size_t r = 0; r < std::min<size_t>(page->rows.size(), kRowsMeasured); ++r)
      if (const QString text = QueryPage::text(page->rows[r][c]); text.size() > longest.size()) longest = text;
    const int width = std::max(table_->horizontalHeader()->sectionSizeHint(c), metrics.horizontalAdvance(longest) + 16);
    table_->setColumnWidth(c, std::clamp(width, kLeastColumn, kWidestColumn));
  }
  showState();
}

void QueryView::showState() {
  const QueryPage& page = *store_.page();
  const bool busy = store_.isBusy(), failed = !busy && !page.error.isEmpty() && !page.cancelled;
  if (busy && !clock_.isActive()) clock_.start();
  if (!busy) clock_.stop();
  run_->setEnabled(!busy);
  cancel_->setEnabled(busy);
  QString text;
  if (busy) {
    text = tr("Running for %1 · %2").arg(widgets::formatSeconds(store_.secondsSoFar()), tr("%n row(s)", nullptr, int(store_.rowsSoFar())));
  } else if (!page.error.isEmpty()) {
    text = page.error;
  } else if (!page.columns.isEmpty()) {
    text = page.more ? tr("The first %n row(s); there are more", nullptr, int(page.rows.size())) : tr("%n row(s)", nullptr, int(page.rows.size()));
    text += QStringLiteral(" · ") + widgets::formatSeconds(page.seconds);
    if (page.reading > 0.05) text += QStringLiteral(" · ") + tr("reading the sources took %1").arg(widgets::formatSeconds(page.reading));
    if (!page.notes.isEmpty()) text += QStringLiteral(" · ") + page.notes.join(QStringLiteral(" · "));
  } else {
    const QStringList contents = store_.contents();
    text =
        contents.isEmpty() ? tr("Nothing is open to ask about. Open a graph, or add a file.") : tr("Queries read %1.").arg(contents.join(QStringLiteral(", ")));
  }
  state_->setText(text);
  state_->setProperty("kind", failed ? "error" : "muted");
  QPalette colors = state_->palette();
  colors.setColor(QPalette::WindowText, widgets::Theme::current().color(failed ? widgets::Role::Error : widgets::Role::Text2));
  state_->setPalette(colors);
  const bool nodes = !busy && page.nodeColumn() >= 0 && context_.workspace.current() && !store_.nodes().isEmpty();
  for (QWidget* w : std::initializer_list<QWidget*>{selectNodes_, highlight_, break_}) w->setEnabled(nodes);
  color_->setEnabled(nodes && std::any_of(page.columns.begin(), page.columns.end(), [](const QueryPage::Column& c) { return c.isNumber; }));
}

void QueryView::select(const QVector<int>& rows) {
  if (selecting_) return;
  selecting_ = true;
  QItemSelection chosen;
  for (const int row : rows) {
    const QModelIndex index = model_->index(model_->rowOf(row), 0);
    chosen.select(index, index);
  }
  table_->selectionModel()->select(chosen, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  if (!rows.isEmpty()) table_->scrollTo(model_->index(model_->rowOf(rows.first()), 0));
  selecting_ = false;
}

void QueryView::fillExamples() {
  QMenu* menu = examples_->menu();
  menu->clear();
  QString table;
  for (const QueryExampleInfo& e : queryExampleInfos()) {
    if (!table.isEmpty() && table != e.table) menu->addSeparator();
    table = e.table;
    QAction* action = menu->addAction(e.title);
    action->setToolTip(e.sql);
    connect(action, &QAction::triggered, this, [this, sql = e.sql] {
      setQuery(sql);
      run(QStringLiteral("query.run"), {sql});
    });
  }
  menu->setToolTipsVisible(true);
}

void QueryView::fillHistory() {
  QMenu* menu = past_->menu();
  menu->clear();
  const QStringList& history = store_.history();
  for (qsizetype i = history.size() - 1; i >= std::max<qsizetype>(0, history.size() - 20); --i) {
    const QString sql = history[i];
    connect(menu->addAction(fontMetrics().elidedText(sql.simplified().replace(u'&', QStringLiteral("&&")), Qt::ElideRight, 500)), &QAction::triggered, this,
            [this, sql] {
              setQuery(sql);
              edit();
            });
  }
  if (history.isEmpty()) menu->addAction(tr("No queries yet"))->setEnabled(false);
}

void QueryView::fillColumns() {
  QMenu* menu = color_->menu();
  menu->clear();
  for (const QueryPage::Column& c : store_.page()->columns)
    if (c.isNumber) connect(menu->addAction(c.name), &QAction::triggered, this, [this, name = c.name] { run(QStringLiteral("query.color"), {name}); });
}

QString QueryView::chosenText() const {
  const QueryPage& page = model_->page();
  QStringList lines, names;
  for (const QueryPage::Column& c : page.columns) names << c.name;
  lines << names.join(u'\t');
  QVector<int> rows;
  for (const QModelIndex& i : table_->selectionModel()->selectedRows()) rows << i.row();
  std::sort(rows.begin(), rows.end());
  if (rows.isEmpty())
    for (int i = 0; i < model_->rowCount(); ++i) rows << i;
  for (const int row : rows) {
    QStringList words;
    for (const QVariant& v : page.rows[size_t(model_->pageRow(row))]) words << v.toString();
    lines << words.join(u'\t');
  }
  return lines.join(u'\n');
}

void QueryView::showMenu(QPoint at) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  for (const char* id : {"query.select-nodes", "query.highlight", "query.break"}) menu->addAction(context_.actions.action(QLatin1String(id)));
  menu->addSeparator();
  connect(menu->addAction(widgets::icon(QStringLiteral("copy")), tr("Copy")), &QAction::triggered, this,
          [this] { QApplication::clipboard()->setText(chosenText()); });
  menu->addAction(context_.actions.action(QStringLiteral("query.copy-command")));
  widgets::addExportActions(
      menu, this, [] { return QStringLiteral("query"); }, [this] { return store_.page()->csv(); }, [this] { return store_.page()->json(); });
  menu->popup(table_->viewport()->mapToGlobal(at));
}

QString QueryView::exportTag(const QString&, const QString& path) {
  QSaveFile file(path);
  const QByteArray bytes = path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive) ? store_.page()->json() : store_.page()->csv();
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
    return tr("%1 cannot be written: %2").arg(path, file.errorString());
  return {};
}

QString QueryView::report() const {
  const QueryPage& page = *store_.page();
  QJsonArray columns, rows;
  for (const QueryPage::Column& c : page.columns) columns << c.name;
  for (int i = 0; i < model_->rowCount(); ++i) {
    QJsonArray row;
    for (const QVariant& v : page.rows[size_t(model_->pageRow(i))]) row << QJsonValue::fromVariant(v);
    rows << row;
  }
  return QString::fromUtf8(QJsonDocument(QJsonObject{{QStringLiteral("sql"), page.sql},
                                                     {QStringLiteral("error"), page.error},
                                                     {QStringLiteral("columns"), columns},
                                                     {QStringLiteral("rows"), rows},
                                                     {QStringLiteral("more"), page.more},
                                                     {QStringLiteral("seconds"), page.seconds},
                                                     {QStringLiteral("busy"), store_.isBusy()},
                                                     {QStringLiteral("nodes"), QJsonArray::fromStringList(store_.nodes())},
                                                     {QStringLiteral("selected"), store_.selectedRows().size()},
                                                     {QStringLiteral("files"), QJsonArray::fromStringList(store_.files())},
                                                     {QStringLiteral("contents"), QJsonArray::fromStringList(store_.contents())}})
                               .toJson(QJsonDocument::Compact));
}

void QueryView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    retranslate();
    words_.clear();
    fillWords();
  }
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) showState();
  QWidget::changeEvent(event);
}

void QueryView::retranslate() {
  field_->setPlaceholderText(tr("SELECT … (Enter runs it, Shift+Enter begins a line)"));
  field_->setAccessibleName(tr("Query"));
  table_->setAccessibleName(tr("Result of the query"));
  const auto say = [](QWidget* w, const QString& text) {
    w->setToolTip(text);
    w->setAccessibleName(text);
  };
  say(run_, tr("Run the query (Enter)"));
  say(cancel_, tr("Cancel the query"));
  say(examples_, tr("Examples"));
  say(past_, tr("Past queries"));
  say(more_, tr("Files, export, command"));
  selectNodes_->setText(tr("Select"));
  selectNodes_->setToolTip(tr("Selects the nodes of the selected rows, or of all, on the canvas"));
  highlight_->setText(tr("Highlight"));
  highlight_->setToolTip(tr("Highlights these nodes on the canvas and dims the others; again: ends that"));
  color_->setText(tr("Colour by"));
  color_->setToolTip(tr("Colours the nodes on the canvas by a column of numbers"));
  break_->setText(tr("Set breakpoints"));
  break_->setToolTip(tr("Sets a breakpoint at each of these nodes"));
  empty_->setTitle(tr("Ask anything"));
  empty_->setText(tr("SQL over the graph, its checkpoints, curves, runs and traces. The bulb has queries that can be run as they are."));
  empty_->setButton(tr("Run an example"), QStringLiteral("play"));
}

const ViewRecord queryView = {"query",
                              QT_TRANSLATE_NOOP("Views", "Query"),
                              QT_TRANSLATE_NOOP("Views", "SQL over what is open"),
                              "search",
                              Qt::BottomDockWidgetArea,
                              "",
                              [](const ViewContext& context, QWidget* parent) -> QWidget* { return new QueryView(context, parent); }};

}  // namespace weft::app
