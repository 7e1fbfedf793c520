#include "adapters/sheet_table.h"

#include <QDateTime>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "adapters/engine_graph.h"
#include "common/format.h"
#include "weft/row_table.h"

namespace weft::app {
namespace {

std::vector<int32_t> ids(const QVector<int>& columns) { return {columns.begin(), columns.end()}; }

/// "conv1/w" of "conv1/w:0".
std::string_view nodeOf(std::string_view tensor) {
  const size_t colon = tensor.rfind(':');
  return colon == tensor.npos ? tensor : tensor.substr(0, colon);
}

}  // namespace

QString sheetKey(SheetKind kind) {
  static const char* const kKeys[kSheetKinds] = {"nodes", "variables", "tensors", "runs"};
  return QLatin1String(kKeys[int(kind)]);
}

SheetTable::SheetTable(std::shared_ptr<const RowTable> rows) : rows_(std::move(rows)) {
  byName_.reserve(rows_->rows());
  for (int row = 0; row < rows_->rows() && !rows_->columns().empty(); ++row) byName_.insert(text(row, 0), row);
}

int SheetTable::rows() const { return rows_->columns().empty() ? 0 : rows_->rows(); }

int SheetTable::column(const QString& name) const {
  for (int i = 0; i < columns.size(); ++i)
    if (columns[i].name == name) return i;
  return -1;
}

QString SheetTable::text(int row, int column) const { return app::text(rows_->columns()[size_t(column)].text(row)); }
bool SheetTable::isEmpty(int row, int column) const { return rows_->columns()[size_t(column)].isEmpty(row); }

bool SheetTable::isEditable(int row, int column) const {
  const SheetColumn& c = columns[column];
  return c.isEditable && (!c.isAttribute || !isEmpty(row, column));
}

QString SheetTable::shownNumber(double number, SheetColumn::Kind kind) {
  if (!std::isfinite(number)) return widgets::formatValue(number);
  switch (kind) {
    case SheetColumn::Kind::Bytes: return widgets::formatBytes(qint64(number));
    case SheetColumn::Kind::Flops: return widgets::formatSi(number, QStringLiteral("FLOP"));
    case SheetColumn::Kind::Seconds: return widgets::formatClock(number);
    case SheetColumn::Kind::Time: return QLocale().toString(QDateTime::fromSecsSinceEpoch(qint64(number)), QLocale::ShortFormat);
    case SheetColumn::Kind::Count: return widgets::formatCount(qint64(number));
    default: return widgets::formatValue(number, 5);
  }
}

QString SheetTable::shown(int row, int column) const {
  const RowColumn& c = rows_->columns()[size_t(column)];
  if (c.isEmpty(row)) return {};
  return c.isText() ? text(row, column) : shownNumber(c.numbers[size_t(row)], columns[column].kind);
}

QString SheetTable::name(int row) const {
  const QString own = text(row, 0);
  return kind == SheetKind::Tensors ? own.section(u':', 0, 0) : own;
}

std::vector<int> SheetTable::rowsOf(const QStringList& names) const {
  std::vector<int> out;
  QStringList scopes;
  for (const QString& name : names) {
    const QList<int> own = byName_.values(name);  // several tensors may have a name
    out.insert(out.end(), own.begin(), own.end());
    if (own.isEmpty()) scopes << name;
  }
  if (rows() > 0 && !scopes.isEmpty() && kind != SheetKind::Runs) {
    const RowColumn& c = rows_->columns()[0];
    std::vector<std::string> wanted;
    for (const QString& scope : scopes) wanted.push_back(scope.toStdString());
    for (int row = 0; row < rows(); ++row) {
      if (c.codes[size_t(row)] < 0) continue;
      const std::string_view own = nodeOf(c.words[size_t(c.codes[size_t(row)])]);
      for (const std::string& scope : wanted)
        if (own.starts_with(scope) && (own.size() == scope.size() || own[scope.size()] == '/')) out.push_back(row);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

SheetRows SheetTable::arranged(const QString& filter, const QVector<SheetOrder>& orders, const std::atomic<bool>& cancelled) const {
  SheetRows out;
  const auto stop = [&cancelled] { return cancelled.load(); };
  auto rows = rows_->filtered(filter.toStdString(), stop);
  if (!rows.ok()) {
    out.error = errorText(rows.error());
    rows = rows_->filtered({}, stop);
  }
  std::vector<RowOrder> by;
  for (const SheetOrder& order : orders)
    if (const int at = column(order.column); at >= 0) by.push_back({at, order.descending});
  if (rows.ok()) {
    rows_->sort(*rows, by, stop);
    out.rows.assign(rows->begin(), rows->end());
  }
  out.places.assign(size_t(this->rows()), -1);
  for (size_t i = 0; i < out.rows.size(); ++i) out.places[size_t(out.rows[i])] = int(i);
  return out;
}

QVector<QPair<QString, int>> SheetTable::frequent(int column, const std::vector<int>& rows, int most) const {
  const RowColumn& c = rows_->columns()[size_t(column)];
  QVector<QPair<QString, int>> out;
  if (!c.isText()) return out;
  std::vector<int> counts(c.words.size(), 0);
  for (const int row : rows)
    if (const int32_t code = c.codes[size_t(row)]; code >= 0) ++counts[size_t(code)];
  std::vector<int> order;
  for (size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0) order.push_back(int(i));
  const auto end = order.begin() + std::min<std::ptrdiff_t>(most, std::ptrdiff_t(order.size()));
  std::partial_sort(order.begin(), end, order.end(),
                    [&](int a, int b) { return counts[size_t(a)] != counts[size_t(b)] ? counts[size_t(a)] > counts[size_t(b)] : a < b; });
  for (auto it = order.begin(); it != end; ++it) out.append({app::text(c.words[size_t(*it)]), counts[size_t(*it)]});
  return out;
}

void SheetTable::addTo(SheetSummary& summary, int column, const std::vector<int>& rows) const {
  RowSummary sum;
  sum.cells = summary.cells;
  sum.numbers = summary.numbers;
  sum.sum = summary.sum;
  sum.min = summary.min;
  sum.max = summary.max;
  const qint64 before = summary.numbers;
  rows_->addTo(sum, column, rows);
  if (sum.numbers > before) summary.kind = before == 0 || summary.kind == columns[column].kind ? columns[column].kind : SheetColumn::Kind::Number;
  summary.cells = sum.cells;
  summary.numbers = sum.numbers;
  summary.sum = sum.sum;
  summary.min = sum.min;
  summary.max = sum.max;
  summary.mean = sum.mean();
}

QByteArray SheetTable::csv(const std::vector<int>& rows, const QVector<int>& columns) const {
  return QByteArray::fromStdString(rows_->text(rows, ids(columns), ',', true));
}

QString SheetTable::tsv(const std::vector<int>& rows, const QVector<int>& columns, bool heading) const {
  return app::text(rows_->text(rows, ids(columns), '\t', heading));
}

}  // namespace weft::app
