#include "views/sheet/sheet_view.h"

#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "common/empty_state.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/name_delegate.h"
#include "common/sort_header.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/sheet_store.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "shell/action_registry.h"
#include "shell/shell.h"
#include "views/sheet/sheet_parts.h"

namespace weft::app {
namespace {

constexpr int kFilterMs = 150, kSumsMs = 40;
constexpr qsizetype kMostRevealed = 100;   // nodes whose scopes the canvas opens
constexpr qsizetype kMostFollowed = 5000;  // nodes that the canvas selects

QToolButton* makeTool(const QString& icon, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setIcon(widgets::icon(icon));
  button->setAutoRaise(true);
  return button;
}

QLabel* makeLine(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setTextFormat(Qt::PlainText);
  label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  label->setProperty("kind", "muted");
  return label;
}

}  // namespace

SheetView::SheetView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context), store_(SheetStore::of(context.workspace)) {
  setProperty("helpPage", QStringLiteral("spreadsheet"));
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("layers"), {}, {}, stack_);
  table_ = new QTableView(stack_);
  model_ = new SheetModel(table_);
  table_->setModel(model_);
  table_->setHorizontalHeader(new widgets::SortHeader(table_));
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
  table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setMinimumHeight(60);
  widgets::elideNames(table_);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  // A click sorts; the menu of the header selects the column.
  disconnect(table_->horizontalHeader(), &QHeaderView::sectionPressed, table_, nullptr);
  disconnect(table_->horizontalHeader(), &QHeaderView::sectionEntered, table_, nullptr);
  table_->horizontalHeader()->setSectionsMovable(true);
  connect(table_->horizontalHeader(), &QHeaderView::sectionMoved, this, &SheetView::keepColumnOrder);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
  table_->setContextMenuPolicy(Qt::CustomContextMenu);
  table_->installEventFilter(this);
  stack_->addWidget(empty_);
  stack_->addWidget(table_);
  makeBars();
  filterLater_.setSingleShot(true);
  filterLater_.setInterval(kFilterMs);
  sumsLater_.setSingleShot(true);
  sumsLater_.setInterval(kSumsMs);
  connect(&filterLater_, &QTimer::timeout, this, [this] { store_.setFilter(filter_->text().trimmed()); });
  connect(&sumsLater_, &QTimer::timeout, this, &SheetView::showSums);
  connect(filter_, &QLineEdit::textEdited, &filterLater_, qOverload<>(&QTimer::start));
  connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
    if (text.isEmpty()) filterLater_.start();
  });
  connect(filter_, &QLineEdit::returnPressed, this, [this] {
    filterLater_.stop();
    store_.setFilter(filter_->text().trimmed());
  });
  connect(kinds_, &QTabBar::currentChanged, this, [this](int kind) {
    if (selecting_) return;
    filterLater_.stop();
    store_.setKind(SheetKind(kind));
  });
  connect(table_, &QWidget::customContextMenuRequested, this, &SheetView::showCellMenu);
  connect(table_->horizontalHeader(), &QWidget::customContextMenuRequested, this, &SheetView::showHeaderMenu);
  connect(table_->horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int section) {
    if (const SheetTablePtr table = model_->table(); table && section < table->columns.size()) store_.sortBy(table->columns[section].name);
  });
  connect(table_, &QTableView::doubleClicked, this, &SheetView::showNode);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &SheetView::selected);
  connect(model_, &SheetModel::typed, this, [this](const QModelIndex& index, const QString& text) {
    // A value typed into one of several selected cells of a column is for all of them.
    std::vector<int> rows = rowsIn(table_->selectionModel()->selection(), index.column());
    if (!std::binary_search(rows.begin(), rows.end(), index.row())) rows = {index.row()};
    if (rows.size() == 1 && text == model_->data(index, Qt::EditRole).toString()) return;
    for (int& row : rows) row = model_->tableRow(row);
    std::erase_if(rows, [&](int row) { return !model_->table()->isEditable(row, index.column()); });
    given(rows, model_->table()->columns[index.column()].name, text, {});
  });
  connect(table_->itemDelegate(), &QAbstractItemDelegate::closeEditor, this, [this] {
    QTimer::singleShot(0, this, [this] {
      if (late_) showSheet();
    });
  });
  connectStore();
  retranslate();
  showSheet();
}

void SheetView::makeBars() {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 6, 8, 6);
  layout->setSpacing(6);
  auto* top = new QHBoxLayout;
  top->setSpacing(4);
  kinds_ = new QTabBar(this);
  kinds_->setDrawBase(false);
  kinds_->setExpanding(false);
  for (int k = 0; k < kSheetKinds; ++k) kinds_->addTab(QString());
  filter_ = new QLineEdit(this);
  filter_->setClearButtonEnabled(true);
  filter_->installEventFilter(this);
  filter_->setMinimumWidth(80);
  columns_ = makeTool(QStringLiteral("layers"), this);
  columns_->setPopupMode(QToolButton::InstantPopup);
  columns_->setMenu(new QMenu(columns_));
  set_ = makeTool(QStringLiteral("select"), this);
  more_ = makeTool(QStringLiteral("menu-dots"), this);
  more_->setPopupMode(QToolButton::InstantPopup);
  more_->setMenu(new QMenu(more_));
  connect(columns_->menu(), &QMenu::aboutToShow, this, [this] { fillColumns(columns_->menu()); });
  for (const char* id : {"sheet.set", "sheet.copy", "sheet.paste", "sheet.export", "sheet.refresh"})
    if (QAction* action = context_.actions.action(QLatin1String(id))) more_->menu()->addAction(action);
  connect(set_, &QToolButton::clicked, this, [this] { run("sheet.set"); });
  top->addWidget(kinds_);
  top->addWidget(filter_, 1);
  for (QToolButton* b : {columns_, set_, more_}) top->addWidget(b);
  layout->addLayout(top);
  message_ = makeLine(this);
  message_->setWordWrap(true);
  message_->setProperty("kind", "error");
  layout->addWidget(message_);
  layout->addWidget(stack_, 1);
  bar_ = new SheetEditBar(this);
  bar_->hide();
  layout->addWidget(bar_);
  auto* foot = new QHBoxLayout;
  rowsLine_ = makeLine(this);
  sums_ = makeLine(this);
  sums_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  foot->addWidget(rowsLine_, 1);
  foot->addWidget(sums_, 2);
  layout->addLayout(foot);
  connect(bar_, &SheetEditBar::closed, this, [this] {
    bar_->hide();
    table_->setFocus();
  });
  connect(bar_, &SheetEditBar::given, this, [this](const QString& column, const QString& value, const QString& replaced) {
    std::vector<int> rows = store_.selected();
    const int at = model_->table() ? model_->table()->column(column) : -1;
    std::erase_if(rows, [&](int row) { return at >= 0 && !model_->table()->isEditable(row, at); });
    given(rows, column, value, replaced);
  });
}

void SheetView::connectStore() {
  connect(&store_, &SheetStore::arranged, this, &SheetView::showSheet);
  connect(&store_, &SheetStore::changed, this, &SheetView::showState);
  connect(&store_, &SheetStore::columnsChanged, this, &SheetView::showColumns);
  connect(&context_.workspace, &Workspace::currentSelectionChanged, this, [this] {
    if (isVisible()) follow();
  });
}

void SheetView::run(const char* id, const QStringList& words) { context_.actions.runChosen(QLatin1String(id), words); }

void SheetView::edit() {
  filter_->setFocus(Qt::OtherFocusReason);
  filter_->selectAll();
}

void SheetView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  store_.setShown(true);
  follow(true);
}

void SheetView::hideEvent(QHideEvent* event) {
  store_.setShown(false);
  QWidget::hideEvent(event);
}

bool SheetView::isEditing() const { return table_->currentIndex().isValid() && table_->isPersistentEditorOpen(table_->currentIndex()); }

/// Takes over the rows, and keeps the selection by name.
void SheetView::showSheet() {
  // Values of a running training arrive every few seconds: what is being typed must not be lost for them.
  const bool other = store_.table() && model_->table() && store_.table()->kind == model_->table()->kind;
  if (other && isEditing()) {
    late_ = true;
    return;
  }
  late_ = false;
  const QItemSelection before = table_->selectionModel()->selection();
  const SheetTablePtr old = model_->table();
  const SheetTablePtr now = store_.table();
  const bool same = old && now && old->kind == now->kind;
  int first = model_->columnCount(), last = -1;
  for (const QItemSelectionRange& range : before) {
    first = std::min(first, range.left());
    last = std::max(last, range.right());
  }
  std::vector<int> rows = same ? rowsIn(before) : std::vector<int>();
  for (int& row : rows) row = model_->tableRow(row);
  if (old != now && rows.size() > size_t(kMostFollowed)) rows.clear();  // so many names take long to find
  if (old != now && !rows.empty()) {
    QStringList names;
    for (const int row : rows) names << old->text(row, 0);
    rows = now->rowsOf(names);
  }
  const int scroll = table_->verticalScrollBar()->value();
  selecting_ = true;
  model_->setSheet(now, store_.rows());
  selecting_ = false;
  showColumns();
  measureColumns();
  showSort();
  std::erase_if(rows, [this](int row) { return store_.rows()->placeOf(row) < 0; });
  const bool all = last < 0 || last >= model_->columnCount();
  select(rows, all ? 0 : first, all ? model_->columnCount() - 1 : last);
  if (same) table_->verticalScrollBar()->setValue(scroll);
  if (rows.empty()) follow(true);
  showState();
}

/// Selects rows of the table, those that are shown.
void SheetView::select(const std::vector<int>& tableRows, int firstColumn, int lastColumn) {
  std::vector<int> places;
  for (const int row : tableRows)
    if (const int place = store_.rows()->placeOf(row); place >= 0) places.push_back(place);
  std::sort(places.begin(), places.end());
  QItemSelection chosen;
  for (size_t i = 0; i < places.size();) {
    size_t end = i + 1;
    while (end < places.size() && places[end] == places[end - 1] + 1) ++end;
    chosen.append(QItemSelectionRange(model_->index(places[i], firstColumn), model_->index(places[end - 1], lastColumn)));
    i = end;
  }
  selecting_ = true;
  table_->selectionModel()->select(chosen, QItemSelectionModel::ClearAndSelect);
  if (!places.empty()) table_->selectionModel()->setCurrentIndex(model_->index(places.front(), firstColumn), QItemSelectionModel::NoUpdate);
  selecting_ = false;
  std::vector<int> rows;
  for (const int place : places) rows.push_back(model_->tableRow(place));
  std::sort(rows.begin(), rows.end());
  bar_->setRows(int(rows.size()));
  store_.setSelected(std::move(rows));
  sumsLater_.start();
}

/// Selects the rows of what is selected on the canvas. While the keyboard is here, the sheet leads: the canvas does late what it was asked for, and has fewer
/// nodes selected after an edit.
void SheetView::follow(bool always) {
  const Document* document = context_.workspace.current();
  const SheetTablePtr table = model_->table();
  if (selecting_ || isEditing() || !document || !table || table->kind == SheetKind::Runs) return;
  const QWidget* focus = QApplication::focusWidget();
  if (!always && focus && isAncestorOf(focus)) return;
  const std::vector<int> rows = table->rowsOf(document->selection());
  if (rows == store_.selected()) return;
  select(rows, 0, model_->columnCount() - 1);
  if (table_->currentIndex().isValid() && !rows.empty()) table_->scrollTo(table_->currentIndex().siblingAtColumn(0));
}

void SheetView::selected() {
  if (selecting_ || model_->table() != store_.table()) return;
  std::vector<int> rows = rowsIn(table_->selectionModel()->selection());
  for (int& row : rows) row = model_->tableRow(row);
  bar_->setRows(int(rows.size()));
  std::sort(rows.begin(), rows.end());
  store_.setSelected(std::move(rows));
  sumsLater_.start();
  widgets::GraphView* canvas = context_.shell.canvas();
  if (!canvas || qsizetype(store_.selected().size()) > kMostFollowed) return;
  const QStringList nodes = store_.selectedNodes();
  if (nodes.isEmpty()) return;
  selecting_ = true;  // the canvas tells what it selects
  canvas->selectNames(nodes, nodes.size() <= kMostRevealed);
  selecting_ = false;
}

void SheetView::showNode() {
  widgets::GraphView* canvas = context_.shell.canvas();
  const SheetTablePtr table = model_->table();
  if (!table || !table_->currentIndex().isValid()) return;
  if (table->kind == SheetKind::Runs) return context_.shell.showView(QStringLiteral("runs"));
  const QString name = table->name(model_->tableRow(table_->currentIndex().row()));
  if (!canvas || !context_.workspace.current()->hasNode(name)) return;
  canvas->selectNames({name});
  canvas->setFocus();
}

void SheetView::given(const std::vector<int>& rows, const QString& column, const QString& value, const QString& replaced) {
  std::vector<int> own = rows;
  if (model_->table() != store_.table() && model_->table() && store_.table()) {  // it was read again meanwhile
    QStringList names;
    for (const int row : rows) names << model_->table()->text(row, 0);
    own = store_.table()->rowsOf(names);
  }
  store_.set(own, column, value, replaced, [](const QString&) {});  // the store tells why it was refused
}

void SheetView::openEditBar() {
  const SheetTablePtr table = model_->table();
  if (!table) return;
  QStringList columns;
  for (const SheetColumn& c : table->columns)
    if (c.isEditable) columns << c.name;
  bar_->setColumns(columns, table_->currentIndex().isValid() ? table->columns[table_->currentIndex().column()].name : QString());
  bar_->setRows(int(store_.selected().size()));
  bar_->show();
  bar_->edit();
}

void SheetView::showColumns() {
  const SheetTablePtr table = model_->table();
  for (int c = 0; table && c < table->columns.size(); ++c) table_->setColumnHidden(c, store_.hidden().contains(table->columns[c].name));
  showColumnOrder();
}

void SheetView::showState() {
  selecting_ = true;
  kinds_->setCurrentIndex(int(store_.kind()));
  selecting_ = false;
  if (!filterLater_.isActive() && filter_->text().trimmed() != store_.filter()) {
    const QSignalBlocker blocker(filter_);
    filter_->setText(store_.filter());
  }
  const SheetTablePtr table = model_->table();
  QStringList wrong;
  for (const QString& text : {store_.error(), store_.rows()->error, store_.refusal()})
    if (!text.isEmpty()) wrong << text;
  message_->setText(wrong.join(QStringLiteral(" · ")));
  message_->setVisible(!wrong.isEmpty());
  QPalette colors = message_->palette();
  colors.setColor(QPalette::WindowText, widgets::Theme::current().color(widgets::Role::Error));
  message_->setPalette(colors);
  const bool editable = table && (table->kind == SheetKind::Nodes || table->kind == SheetKind::Variables);
  set_->setEnabled(editable);
  if (!editable) bar_->hide();
  stack_->setCurrentIndex(table && table->rows() > 0 ? 1 : 0);
  QStringList parts;
  if (table && table->rows() > 0) {
    const QString all = widgets::formatCount(table->rows());
    parts << (store_.rows()->rows.size() == size_t(table->rows()) ? tr("%n row(s)", nullptr, table->rows())
                                                                  : tr("%1 of %2 rows").arg(widgets::formatCount(qint64(store_.rows()->rows.size())), all));
    if (!table->valuesOf.isEmpty()) parts << tr("values: %1").arg(table->valuesOf);
    else if (table->kind == SheetKind::Variables) parts << tr("no values yet: train the network");
    parts << table->notes;
  }
  if (store_.isBusy()) parts << tr("working…");
  rowsLine_->setText(parts.join(QStringLiteral(" · ")));
  rowsLine_->setToolTip(rowsLine_->text());
  retranslateEmpty();
}

bool SheetView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && watched == table_ &&
      (static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy) || static_cast<QKeyEvent*>(event)->matches(QKeySequence::Paste))) {
    event->accept();
    return true;
  }
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  auto* key = static_cast<QKeyEvent*>(event);
  const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
  if (watched == table_ && enter && table_->currentIndex().isValid()) {
    if (!isEditing()) showNode();  // a field passes on the key that ends its input
    return true;
  }
  if (watched == table_ && key->matches(QKeySequence::Copy)) {
    run("sheet.copy");
    return true;
  }
  if (watched == table_ && key->matches(QKeySequence::Paste)) {
    run("sheet.paste");
    return true;
  }
  // Else the view would search all rows for the letter.
  const bool letter = !key->text().isEmpty() && key->text()[0].isPrint() && !(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier));
  if (watched == table_ && letter && !(model_->flags(table_->currentIndex()) & Qt::ItemIsEditable)) return true;
  if (watched == filter_ && key->key() == Qt::Key_Escape) {
    filter_->clear();
    return true;
  }
  if (watched == filter_ && key->key() == Qt::Key_Down && model_->rowCount() > 0) {
    table_->setFocus();
    if (!table_->currentIndex().isValid()) table_->setCurrentIndex(model_->index(0, 0));
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

void SheetView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    retranslate();
    store_.refresh();
  }
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) showState();
  QWidget::changeEvent(event);
}

const ViewRecord sheetView = {"sheet",
                              QT_TRANSLATE_NOOP("Views", "Spreadsheet"),
                              QT_TRANSLATE_NOOP("Views", "Nodes, variables, tensors and runs as tables"),
                              "layers",
                              Qt::BottomDockWidgetArea,
                              "",
                              [](const ViewContext& context, QWidget* parent) -> QWidget* { return new SheetView(context, parent); }};

}  // namespace weft::app
