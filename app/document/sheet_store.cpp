#include "document/sheet_store.h"

#include <QPointer>
#include <QSaveFile>
#include <QSet>
#include <QTimer>
#include <algorithm>

#include "adapters/graph_edit.h"
#include "document/document.h"
#include "document/run_archive.h"
#include "document/workspace.h"

namespace weft::app {
namespace {

const QString kAttributes = QStringLiteral("sheet/attributes");
constexpr int kMostOrders = 4;
constexpr qint64 kLeastMs = 3000;  // between two readings of the values of a running training

QString hiddenKey(SheetKind kind) { return QStringLiteral("sheet/hidden-%1").arg(sheetKey(kind)); }

QString orderKey(SheetKind kind) { return QStringLiteral("sheet/order-%1").arg(sheetKey(kind)); }

QStringList defaultHidden(SheetKind kind) {
  switch (kind) {
    case SheetKind::Nodes:
      return {QStringLiteral("scope"), QStringLiteral("controls"), QStringLiteral("outputs"), QStringLiteral("elements"), QStringLiteral("known")};
    case SheetKind::Variables: return {QStringLiteral("op"), QStringLiteral("scope"), QStringLiteral("inf"), QStringLiteral("zeros")};
    case SheetKind::Tensors: return {};
    case SheetKind::Runs: return {QStringLiteral("folder")};
  }
  return {};
}

/// What an edit calls the column.
QString keyOf(const SheetColumn& c) { return c.isAttribute && c.name.startsWith(QLatin1String("attr:")) ? c.name.mid(5) : c.name; }

}  // namespace

SheetStore& SheetStore::of(Workspace& workspace) {
  if (auto* known = workspace.findChild<SheetStore*>(QString(), Qt::FindDirectChildrenOnly)) return *known;
  return *new SheetStore(workspace);
}

SheetStore::SheetStore(Workspace& workspace) : QObject(&workspace), workspace_(workspace) {
  for (int k = 0; k < kSheetKinds; ++k) {
    const auto kind = SheetKind(k);
    states_[size_t(k)].hidden = workspace.settings().value(hiddenKey(kind), defaultHidden(kind)).toStringList();
    states_[size_t(k)].order = workspace.settings().value(orderKey(kind)).toStringList();
  }
  attributes_ = workspace.settings().value(kAttributes).toStringList();
  sinceRead_.start();
  connect(&workspace, &Workspace::currentChanged, this, [this] {
    drop();
    stale();
  });
  connect(&workspace, &Workspace::contentsChanged, this, [this](Document* document) {
    if (document == workspace_.current()) stale();
  });
  connect(&workspace, &Workspace::textsChanged, this, &SheetStore::stale);
  const auto ifKind = [this](std::initializer_list<SheetKind> kinds) {
    if (std::find(kinds.begin(), kinds.end(), kind_) != kinds.end()) stale();
  };
  connect(&workspace, &Workspace::fileAdded, this, [ifKind] { ifKind({SheetKind::Tensors}); });
  connect(&workspace, &Workspace::fileRemoved, this, [ifKind] { ifKind({SheetKind::Tensors}); });
  connect(&workspace.debugger(), &DebugController::stateChanged, this, [ifKind] { ifKind({SheetKind::Tensors}); });
  connect(&workspace.debugger(), &DebugController::watchesChanged, this, [ifKind] { ifKind({SheetKind::Tensors}); });
  connect(&workspace.runs(), &RunController::stateChanged, this, [ifKind] { ifKind({SheetKind::Variables, SheetKind::Runs}); });
  connect(&workspace.runs(), &RunController::runChanged, this, [ifKind] { ifKind({SheetKind::Runs}); });
  connect(&workspace.runs(), &RunController::progressChanged, this, [this, ifKind] {
    if (sinceRead_.elapsed() > kLeastMs && reading_ == 0) ifKind({SheetKind::Variables, SheetKind::Runs});
  });
  connect(&RunArchive::of(workspace), &RunArchive::changed, this, [ifKind] { ifKind({SheetKind::Variables, SheetKind::Runs}); });
  connect(&workspace.summaries(), &Summaries::runAdded, this, [ifKind] { ifKind({SheetKind::Runs}); });
  connect(&workspace.summaries(), &Summaries::runGone, this, [ifKind] { ifKind({SheetKind::Runs}); });
}

void SheetStore::setShown(bool shown) {
  shown_ = shown;
  if (shown_ && stale_) readSoon();
}

void SheetStore::stale() {
  stale_ = true;
  if (shown_) readSoon();
}

void SheetStore::refresh() { stale(); }

/// Several changes in one event are one reading.
void SheetStore::readSoon() {
  if (queued_) return;
  queued_ = true;
  QTimer::singleShot(0, this, [this] {
    queued_ = false;
    if (shown_ && stale_) read();
    else emit changed();
  });
}

void SheetStore::cancel() {
  for (int* task : {&reading_, &arranging_})
    if (const int id = std::exchange(*task, 0)) workspace_.tasks().cancel(id);
  next_ = nullptr;
}

void SheetStore::read() {
  cancel();
  stale_ = false;
  sinceRead_.restart();
  if (kind_ == SheetKind::Runs || kind_ == SheetKind::Variables) RunArchive::of(workspace_).show(workspace_.current());
  struct Work {
    SheetSources sources;
    SheetTablePtr table;
    QString error;
    SheetTablePtr old;  // a large one takes long to free, so that is done here and not on the GUI thread
  };
  auto work = std::make_shared<Work>();
  work->sources = sheetSources(workspace_, kind_, attributes_);
  work->old = std::move(old_);
  reading_ = workspace_.tasks().start(
      tr("Reading the spreadsheet"),
      [work](TaskState& task) {
        work->old.reset();
        work->table = readSheet(work->sources, task.cancelled, &work->error);
      },
      [this, work] {
        reading_ = 0;
        error_ = work->error;
        if (work->table) return arrange(work->table);
        table_ = nullptr;
        rows_ = std::make_shared<const SheetRows>();
        selected_.clear();
        emit arranged();
        emit changed();
      },
      [this] {
        reading_ = 0;
        emit changed();
      });
  emit changed();
}

void SheetStore::arrange(const SheetTablePtr& table) {
  if (const int id = std::exchange(arranging_, 0)) workspace_.tasks().cancel(id);
  next_ = table;
  auto rows = std::make_shared<SheetRows>();
  arranging_ = workspace_.tasks().start(
      tr("Sorting the spreadsheet"),
      [table, rows, filter = filter(), orders = orders()](TaskState& task) { *rows = table->arranged(filter, orders, task.cancelled); },
      [this, table, rows] {
        arranging_ = 0;
        next_ = nullptr;
        if (table != table_) {
          selected_.clear();
          old_ = std::exchange(table_, table);
        }
        rows_ = rows;
        emit arranged();
        emit changed();
      },
      [this] {
        arranging_ = 0;
        next_ = nullptr;
        emit changed();
      });
  emit changed();
}

/// Lets go of the sheet, which belongs to another document or is another one.
void SheetStore::drop() {
  cancel();
  if (table_) old_ = std::move(table_);
  rows_ = std::make_shared<const SheetRows>();
  selected_.clear();
  error_.clear();
  refusal_.clear();
  emit arranged();
}

void SheetStore::setKind(SheetKind kind) {
  if (kind == kind_) return;
  kind_ = kind;
  drop();
  stale();
  emit changed();
}

void SheetStore::setFilter(const QString& text) {
  if (text == state().filter) return;
  state().filter = text;
  if (const SheetTablePtr table = next_ ? next_ : table_) arrange(table);
  else emit changed();
}

void SheetStore::setOrders(const QVector<SheetOrder>& orders) {
  state().orders = orders;
  if (const SheetTablePtr table = next_ ? next_ : table_) arrange(table);
  else emit changed();
}

void SheetStore::sortBy(const QString& column) {
  QVector<SheetOrder> orders = state().orders;
  const bool first = !orders.isEmpty() && orders.first().column == column;
  const bool descending = first && orders.first().descending;
  orders.removeIf([&](const SheetOrder& o) { return o.column == column; });
  if (descending) return setOrders({});
  orders.prepend({column, first});
  setOrders(orders.mid(0, kMostOrders));
}

void SheetStore::keepHidden() {
  workspace_.settings().setValue(hiddenKey(kind_), state().hidden);
  emit columnsChanged();
}

void SheetStore::setColumnShown(const QString& column, bool shown) {
  state().hidden.removeAll(column);
  if (!shown) state().hidden << column;
  keepHidden();
}

void SheetStore::showDefaultColumns() {
  state().hidden = defaultHidden(kind_);
  setColumnOrder({});
  keepHidden();
}

void SheetStore::setColumnOrder(const QStringList& columns) {
  if (columns == state().order) return;
  state().order = columns;
  workspace_.settings().setValue(orderKey(kind_), columns);
  emit columnsChanged();
}

void SheetStore::setAttributeShown(const QString& attribute, bool shown) {
  if (attributes_.contains(attribute) == shown) return;
  if (shown) attributes_ << attribute;
  else attributes_.removeAll(attribute);
  workspace_.settings().setValue(kAttributes, attributes_);
  stale();
}

QVector<int> SheetStore::shownColumns() const {
  QVector<int> out;
  for (int c = 0; table_ && c < table_->columns.size(); ++c)
    if (!hidden().contains(table_->columns[c].name)) out << c;
  const auto place = [this](int c) {
    const qsizetype at = columnOrder().indexOf(table_->columns[c].name);
    return at < 0 ? columnOrder().size() : at;
  };
  std::stable_sort(out.begin(), out.end(), [&](int a, int b) { return place(a) < place(b); });
  return out;
}

QStringList SheetStore::selectedNodes() const {
  const Document* document = workspace_.current();
  QStringList out;
  if (!document || !table_ || kind_ == SheetKind::Runs) return out;
  QSet<QString> known;
  for (const int row : selected_) {
    const QString name = table_->name(row);
    if (known.contains(name) || !document->hasNode(name)) continue;
    known << name;
    out << name;
  }
  return out;
}

void SheetStore::set(const std::vector<int>& rows, const QString& column, const QString& value, const QString& replaced, Done done) {
  refusal_.clear();
  done = [this, done = std::move(done)](const QString& error) {
    refusal_ = error;
    emit changed();
    done(error);
  };
  Document* document = workspace_.current();
  const int at = table_ ? table_->column(column) : -1;
  if (!document || !table_ || table_->of != document->contents()) return done(tr("The graph has changed; the sheet is being read again."));
  if (at < 0) return done(tr("There is no column %1.").arg(column));
  const SheetColumn& c = table_->columns[at];
  if (!c.isEditable) return done(tr("The column %1 cannot be changed here.").arg(column));
  std::vector<int> ordered = rows;  // numbers follow the order that is seen
  std::sort(ordered.begin(), ordered.end(), [this](int a, int b) { return rows_->placeOf(a) < rows_->placeOf(b); });
  QStringList names;
  for (const int row : ordered) names << table_->name(row);
  if (names.isEmpty()) return done(tr("No rows are selected."));
  apply(setAllOf(names, keyOf(c), value, replaced), std::move(done));
}

void SheetStore::refuse(const QString& why) {
  refusal_ = why;
  emit changed();
}

void SheetStore::setCells(const SheetTablePtr& of, const std::vector<Cell>& cells, Done done) {
  refusal_.clear();
  done = [this, done = std::move(done)](const QString& error) {
    refusal_ = error;
    emit changed();
    done(error);
  };
  const Document* document = workspace_.current();
  if (!document || !table_ || table_ != of || table_->of != document->contents()) return done(tr("The graph has changed; the sheet is being read again."));
  QVector<NodeValue> values;
  for (const Cell& cell : cells) {
    const SheetColumn& c = table_->columns[cell.column];
    if (table_->text(cell.row, cell.column) == cell.value) continue;  // as in rows that were copied from here
    if (!table_->isEditable(cell.row, cell.column)) return done(tr("%1 of %2 cannot be changed here.").arg(c.name, table_->name(cell.row)));
    values << NodeValue{table_->name(cell.row), keyOf(c), cell.value};
  }
  if (values.isEmpty()) return done({});  // they have these values
  apply(setEach(values), std::move(done));
}

void SheetStore::apply(GraphEdit edit, Done done) {
  Document* document = workspace_.current();
  ++editing_;
  emit changed();
  // A document that is closed meanwhile never answers.
  auto once = std::make_shared<Done>([this, done = std::move(done), guard = QPointer<SheetStore>(this)](const QString& error) {
    if (!guard) return;
    --editing_;
    done(error);
  });
  const auto answer = [once](const QString& error) {
    if (const Done now = std::exchange(*once, nullptr)) now(error);
  };
  connect(document, &QObject::destroyed, this, [answer] { answer(SheetStore::tr("The document was closed.")); });
  document->apply(std::move(edit), answer);
}

QString SheetStore::exportCsv(const QString& path) const {
  if (!table_) return tr("There is nothing to write.");
  QSaveFile file(path);
  const QByteArray bytes = table_->csv(rows_->rows, shownColumns());
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
    return tr("%1 cannot be written: %2").arg(path, file.errorString());
  return {};
}

}  // namespace weft::app
