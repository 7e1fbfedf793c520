#include "views/files/tensor_table.h"

#include <QMimeData>
#include <QRegularExpression>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"
#include "document/file_tab.h"

namespace weft::app {
namespace {

using Kind = TensorChange::Kind;

double nonFiniteCount(const TensorFacts& f) { return double(f.nan + f.infinite); }

/// Whether a term of the filter matches: a part of the name, or `shape:5x5`, `type:int`, `size>1000`, `nan`.
bool fits(const QString& term, const TensorEntry& e, const TensorFacts* facts) {
  static const QRegularExpression size(QStringLiteral("^(?:size|elements)([<>])(\\d+)([kKmM]?)$"));
  if (const auto m = size.match(term); m.hasMatch()) {
    const QString unit = m.captured(3).toLower();
    const qint64 bound = m.captured(2).toLongLong() * (unit == QLatin1String("k") ? 1000 : unit == QLatin1String("m") ? 1000000 : 1);
    return m.captured(1) == QLatin1String(">") ? e.elements > bound : e.elements < bound;
  }
  if (term.startsWith(QLatin1String("type:"))) return e.dtype.contains(QStringView(term).mid(5), Qt::CaseInsensitive);
  if (term.startsWith(QLatin1String("shape:"))) {
    const QString wanted = term.mid(6).replace(u'x', u'×').replace(u'*', u'×');
    return widgets::formatShape(e.shape).contains(wanted, Qt::CaseInsensitive);
  }
  if (term == QLatin1String("has:nan")) return facts && facts->nan + facts->infinite > 0;
  return e.name.contains(term, Qt::CaseInsensitive);
}

}  // namespace

TensorTable::TensorTable(FileTab* file, QObject* parent) : QAbstractTableModel(parent), file_(file) {
  onlyThere_.kind = Kind::OnlyThere;
  connect(file, &FileTab::factsArrived, this, [this](const QVector<int>& indices) {
    for (const int row : indices) emit dataChanged(index(row, kDistribution), index(row, kNonFinite));
  });
  connect(file, &FileTab::comparisonChanged, this, [this] {
    beginResetModel();
    endResetModel();
  });
}

int TensorTable::rowCount(const QModelIndex& parent) const {
  if (parent.isValid()) return 0;
  return int(file_->tensors()->entries().size() + (file_->comparison() ? file_->comparison()->onlyThere.size() : 0));
}

int TensorTable::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(kColumns); }

int TensorTable::tensorOf(int row) const { return row < file_->tensors()->entries().size() ? row : -1; }

Qt::ItemFlags TensorTable::flags(const QModelIndex& index) const {
  const Qt::ItemFlags usual = QAbstractTableModel::flags(index);
  return index.isValid() && tensorOf(index.row()) >= 0 ? usual | Qt::ItemIsDragEnabled : usual;
}

QMimeData* TensorTable::mimeData(const QModelIndexList& indexes) const {
  if (indexes.isEmpty()) return nullptr;
  auto* data = new QMimeData;
  const QString name = entry(indexes.first().row()).name;
  data->setText(name);
  data->setData(QStringLiteral("application/x-weft-checkpoint-key"), name.toUtf8());
  return data;
}

const TensorEntry& TensorTable::entry(int row) const {
  const auto& own = file_->tensors()->entries();
  return row < own.size() ? own[row] : file_->comparison()->onlyThere[row - own.size()];
}

const TensorChange* TensorTable::change(int row) const {
  const auto& comparison = file_->comparison();
  if (!comparison) return nullptr;
  return row < comparison->changes.size() ? &comparison->changes[row] : &onlyThere_;
}

QString TensorTable::changeText(const TensorChange& c) const {
  switch (c.kind) {
    case Kind::Same: return tr("same");
    case Kind::Changed: return c.cosine == 1 && c.norm == 0 ? tr("%1 differ").arg(widgets::formatCount(c.differing)) : widgets::formatValue(c.relative, 3);
    case Kind::OnlyHere: return tr("only here");
    case Kind::OnlyThere: return tr("only there");
    case Kind::ShapeDiffers: return widgets::formatShape(c.other.shape);
    case Kind::TypeDiffers: return c.other.dtype;
    case Kind::Unreadable: return tr("unreadable");
  }
  return {};
}

QString TensorTable::text(int row, int column) const {
  const TensorEntry& e = entry(row);
  const int tensor = tensorOf(row);
  switch (column) {
    case kName: return e.name;
    case kShape: return widgets::formatShape(e.shape);
    case kType: return e.dtype;
    case kElements: return widgets::formatCountShort(e.elements);
    case kBytes: return e.bytes < 0 ? QString() : widgets::formatBytes(e.bytes);
    default: break;
  }
  if (column >= kChange) {
    const TensorChange* c = change(row);
    if (!c) return {};
    if (column == kChange) return changeText(*c);
    if (c->kind != Kind::Changed || (c->norm == 0 && c->maxAbsolute == 0)) return {};
    return widgets::formatValue(column == kMaxChange ? c->maxAbsolute : c->cosine, 4);
  }
  if (tensor < 0) return {};
  const TensorFacts& f = file_->facts(tensor);
  if (!f.error.isEmpty()) return column == kMin ? tr("unreadable") : QString();
  if (!f.known || !f.numeric) return {};
  switch (column) {
    case kMin: return widgets::formatValue(f.min, 3);
    case kMax: return widgets::formatValue(f.max, 3);
    case kMean: return widgets::formatValue(f.mean, 3);
    case kStd: return widgets::formatValue(f.std, 3);
    case kZeros: return f.count && f.zeros ? QStringLiteral("%1 %").arg(100.0 * double(f.zeros) / double(f.count), 0, 'g', 3) : QStringLiteral("0");
    case kNonFinite: return nonFiniteCount(f) > 0 ? widgets::formatCountShort(f.nan + f.infinite) : QStringLiteral("0");
    default: return {};
  }
}

QVariant TensorTable::sortKey(int row, int column) const {
  const TensorEntry& e = entry(row);
  const int tensor = tensorOf(row);
  const TensorFacts none;
  const TensorFacts& f = tensor < 0 ? none : file_->facts(tensor);
  // Unknown values sort below all others.
  const auto number = [&](double v) { return f.known && f.numeric && !std::isnan(v) ? v : -INFINITY; };
  switch (column) {
    case kElements:
    case kShape: return e.elements;
    case kBytes: return e.bytes;
    case kDistribution:
    case kStd: return number(f.std);
    case kMin: return number(f.min);
    case kMax: return number(f.max);
    case kMean: return number(f.mean);
    case kZeros: return number(f.count ? double(f.zeros) / double(f.count) : 0);
    case kNonFinite: return number(nonFiniteCount(f));
    case kChange:
    case kMaxChange:
    case kCosine: {
      const TensorChange* c = change(row);
      if (!c) return 0.0;
      if (c->kind == Kind::Same) return column == kCosine ? 2.0 : -1.0;
      if (c->kind != Kind::Changed) return column == kCosine ? -2.0 : 1e308;  // entries that cannot be compared come first
      return column == kChange ? c->relative : column == kMaxChange ? c->maxAbsolute : c->cosine;
    }
    default: return text(row, column);
  }
}

QString TensorTable::toolTip(int row, int column) const {
  const TensorEntry& e = entry(row);
  const int tensor = tensorOf(row);
  if (tensor >= 0 && !file_->facts(tensor).error.isEmpty() && column >= kDistribution && column <= kNonFinite) return file_->facts(tensor).error;
  if (column == kElements) return tr("%1 elements").arg(widgets::formatCount(e.elements));
  if (column == kName && e.parts > 0) return e.name + u'\n' + tr("saved in %n part(s)", nullptr, e.parts);
  if (column == kName && !e.fullName.isEmpty() && e.fullName != e.name) return e.name + u'\n' + tr("variable %1").arg(e.fullName);
  const TensorChange* c = column >= kChange ? change(row) : nullptr;
  if (c && c->kind == Kind::Unreadable) return c->error;
  if (c && c->kind == Kind::Changed) {
    return tr("%1 of %2 values differ\n‖Δ‖/‖W‖ %3 · max |Δ| %4 · max |Δ|/|w| %5 · cosine %6")
        .arg(widgets::formatCount(c->differing), widgets::formatCount(c->count), widgets::formatValue(c->relative, 4), widgets::formatValue(c->maxAbsolute, 4),
             widgets::formatValue(c->maxRelative, 4), widgets::formatValue(c->cosine, 6));
  }
  if (c && (c->kind == Kind::ShapeDiffers || c->kind == Kind::TypeDiffers))
    return tr("here %1 %2, there %3 %4").arg(e.dtype, widgets::formatShape(e.shape), c->other.dtype, widgets::formatShape(c->other.shape));
  return column == kName ? e.name : text(row, column);
}

QVariant TensorTable::data(const QModelIndex& index, int role) const {
  const int row = index.row(), column = index.column();
  switch (role) {
    case Qt::DisplayRole: return text(row, column);
    case Qt::ToolTipRole: return toolTip(row, column);
    case Qt::TextAlignmentRole:
      return int(column <= kType || column == kDistribution || column == kChange ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
    case Qt::FontRole: return column == kName ? QVariant() : QVariant(widgets::Theme::current().monoFont());
    case Qt::ForegroundRole:
      if (column == kNonFinite && tensorOf(row) >= 0 && nonFiniteCount(file_->facts(tensorOf(row))) > 0)
        return widgets::Theme::current().color(widgets::Role::Nan);
      if (tensorOf(row) < 0) return widgets::Theme::current().color(widgets::Role::Text3);
      return {};
    case kSortRole: return sortKey(row, column);
    case kFactsRole: {
      if (tensorOf(row) < 0) return {};
      QVariantList bars;
      for (const qint64 n : file_->facts(tensorOf(row)).histogram) bars << n;
      return bars;
    }
    case kShareRole: {
      const TensorChange* c = change(row);
      return c && c->kind == Kind::Changed && std::isfinite(c->relative) ? QVariant(c->relative) : QVariant();
    }
    default: return {};
  }
}

QVariant TensorTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return int(section <= kType || section == kDistribution || section == kChange ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole) {
    switch (section) {
      case kDistribution: return tr("Distribution of the values from minimum to maximum");
      case kZeros: return tr("Share of values that are exactly zero");
      case kNonFinite: return tr("Number of NaN or infinite values");
      case kChange: return tr("Norm of the difference relative to the norm of the values: ‖Δ‖/‖W‖");
      case kMaxChange: return tr("Largest difference between corresponding values");
      case kCosine: return tr("Cosine similarity; 1 means the same direction");
      default: break;
    }
  }
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case kName: return file_->holdsVariables() ? tr("Variable") : tr("Array");
    case kShape: return tr("Shape");
    case kType: return tr("Type");
    case kElements: return tr("Elements");
    case kDistribution: return tr("Distribution");
    case kMin: return tr("Min");
    case kMax: return tr("Max");
    case kMean: return tr("Mean");
    case kStd: return tr("Std");
    case kZeros: return tr("Zeros");
    case kNonFinite: return tr("NaN/Inf");
    case kBytes: return tr("Bytes");
    case kChange: return tr("Change ‖Δ‖/‖W‖");
    case kMaxChange: return tr("Max |Δ|");
    case kCosine: return tr("Cosine");
    default: return {};
  }
}

void TensorFilter::setText(const QString& text) {
  words_ = text.split(u' ', Qt::SkipEmptyParts);
  invalidateFilter();
}
void TensorFilter::setScope(const QString& scope) {
  scope_ = scope;
  invalidateFilter();
}
void TensorFilter::setRole(int role) {
  role_ = role;
  invalidateFilter();
}
void TensorFilter::setOnlyDifferent(bool on) {
  onlyDifferent_ = on;
  invalidateFilter();
}

bool TensorFilter::filterAcceptsRow(int row, const QModelIndex&) const {
  const auto* table = static_cast<const TensorTable*>(sourceModel());
  const TensorEntry& e = table->entry(row);
  if (role_ >= 0 && int(e.role) != role_) return false;
  if (!scope_.isEmpty() && e.name != scope_ && !e.name.startsWith(scope_ + u'/')) return false;
  if (onlyDifferent_) {
    if (const TensorChange* c = table->change(row); c && c->kind == Kind::Same) return false;
  }
  TensorFacts facts;
  const QModelIndex odd = table->index(row, TensorTable::kNonFinite);
  facts.nan = odd.data(TensorTable::kSortRole).toDouble() > 0 ? 1 : 0;
  for (const QString& word : words_)
    if (!fits(word, e, &facts)) return false;
  return true;
}

}  // namespace weft::app
