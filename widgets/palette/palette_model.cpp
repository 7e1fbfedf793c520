#include "palette/palette_model.h"

#include <QMimeData>
#include <algorithm>

#include "graph_view/graph_view.h"

namespace weft::widgets {
namespace {

constexpr int kMaxHits = 300;
// A name counts for more than a keyword, a keyword for more than the words of the sentence.
constexpr int kNameWeight = 4, kKeywordWeight = 2, kRecentBonus = 300, kExactBonus = 1000, kFitBonus = 2000;

std::function<int(QStringView)> plainMatcher(const QString& typed) {
  return [typed](QStringView text) { return text.contains(typed, Qt::CaseInsensitive) ? 1000 : 0; };
}

}  // namespace

void PaletteModel::setItems(QVector<PaletteItem> items) {
  beginResetModel();
  items_ = std::move(items);
  byType_.clear();
  for (qsizetype i = 0; i < items_.size(); ++i) byType_.insert(items_[i].type, static_cast<int>(i));
  rebuild();
  endResetModel();
}

void PaletteModel::setFits(const QVector<PaletteFit>& fits, bool active) {
  beginResetModel();
  fits_ = fits;
  fitsActive_ = active;
  fitOf_.clear();
  for (qsizetype i = 0; i < fits_.size(); ++i)
    if (!fitOf_.contains(fits_[i].type)) fitOf_.insert(fits_[i].type, static_cast<int>(i));
  rebuild();
  endResetModel();
}

void PaletteModel::setAlwaysFlat(bool flat) {
  beginResetModel();
  alwaysFlat_ = flat;
  rebuild();
  endResetModel();
}

void PaletteModel::setFilter(const QString& text) {
  const QStringList words = text.split(u' ', Qt::SkipEmptyParts);
  qsizetype name = std::min<qsizetype>(1, words.size());
  const auto isParameter = [](const QString& word) {
    const QChar first = word[0] == u'-' && word.size() > 1 ? word[1] : word[0];
    return first.isDigit() || first == u'[' || word.indexOf(u'=') > 0;
  };
  while (name < words.size() && !isParameter(words[name])) ++name;
  parameters_ = words.mid(name).join(u' ');
  const QString typed = parameters_.isEmpty() ? text : words.mid(0, name).join(u' ');
  if (typed == filter_) return;
  beginResetModel();
  filter_ = typed;
  rebuild();
  endResetModel();
}

void PaletteModel::setFavourites(const QStringList& types) {
  beginResetModel();
  favourites_ = types;
  rebuild();
  endResetModel();
}

void PaletteModel::setRecent(const QStringList& types) {
  beginResetModel();
  recent_ = types;
  rebuild();
  endResetModel();
}

void PaletteModel::rebuild() {
  groups_.clear();
  const QString typed = filter_.trimmed();
  flat_ = !typed.isEmpty() || fitsActive_ || alwaysFlat_;
  if (!flat_) {
    const auto special = [this](const QString& title, const QStringList& types) {
      Group group{title, {}};
      for (const QString& type : types)
        if (const auto it = byType_.constFind(type); it != byType_.cend()) group.items << *it;
      if (!group.items.isEmpty()) groups_ << group;
    };
    special(tr("Favourites"), favourites_);
    special(tr("Recent"), recent_);
    QHash<QString, int> at;
    for (qsizetype i = 0; i < items_.size(); ++i) {
      auto it = at.find(items_[i].group);
      if (it == at.end()) {
        it = at.insert(items_[i].group, static_cast<int>(groups_.size()));
        groups_ << Group{items_[i].group, {}};
      }
      groups_[*it].items << static_cast<int>(i);
    }
    return;
  }
  struct Hit {
    int score, item;
  };
  QVector<Hit> hits;
  const auto score = typed.isEmpty() ? std::function<int(QStringView)>() : matcher_ ? matcher_(typed) : plainMatcher(typed);
  for (qsizetype i = 0; i < items_.size(); ++i) {
    const PaletteItem& item = items_[i];
    int value = 0;
    if (fitsActive_) {
      const auto fit = fitOf_.constFind(item.type);
      if (fit == fitOf_.cend()) continue;
      value = typed.isEmpty() ? kFitBonus - *fit : std::max(0, 200 - *fit);
    }
    if (score) {
      const int name = score(item.name), words = score(item.keywords), sentence = score(item.summary);
      const int best = std::max({name * kNameWeight, words * kKeywordWeight, sentence});
      if (best <= 0) continue;
      value += best;
      // An exact match comes first, before one that differs only in case.
      if (item.name.compare(typed, Qt::CaseInsensitive) == 0) value += kExactBonus + (item.name == typed ? 1 : 0);
    }
    if (recent_.contains(item.type) || favourites_.contains(item.type)) value += kRecentBonus;
    hits.append({value, static_cast<int>(i)});
  }
  std::stable_sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.score > b.score; });
  Group all;
  for (qsizetype i = 0; i < std::min<qsizetype>(hits.size(), kMaxHits); ++i) all.items << hits[i].item;
  groups_ << all;
}

int PaletteModel::shownCount() const {
  int count = 0;
  for (const Group& group : groups_) count += static_cast<int>(group.items.size());
  return count;
}

// Items carry the index of their group, groups -1.
QModelIndex PaletteModel::index(int row, int column, const QModelIndex& parent) const {
  if (column != 0 || row < 0 || row >= rowCount(parent)) return {};
  if (flat_) return createIndex(row, 0, quintptr(0));
  return parent.isValid() ? createIndex(row, 0, quintptr(parent.row())) : createIndex(row, 0, ~quintptr(0));
}

QModelIndex PaletteModel::parent(const QModelIndex& index) const {
  if (!index.isValid() || flat_ || index.internalId() == ~quintptr(0)) return {};
  return createIndex(static_cast<int>(index.internalId()), 0, ~quintptr(0));
}

int PaletteModel::rowCount(const QModelIndex& parent) const {
  if (flat_) return parent.isValid() || groups_.isEmpty() ? 0 : static_cast<int>(groups_.first().items.size());
  if (!parent.isValid()) return static_cast<int>(groups_.size());
  return parent.internalId() == ~quintptr(0) ? static_cast<int>(groups_[parent.row()].items.size()) : 0;
}

const PaletteItem* PaletteModel::itemAt(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == ~quintptr(0)) return nullptr;
  const auto group = static_cast<qsizetype>(index.internalId());
  if (group >= groups_.size() || index.row() >= groups_[group].items.size()) return nullptr;
  return &items_[groups_[group].items[index.row()]];
}

QModelIndex PaletteModel::first() const {
  if (flat_) return index(0, 0);
  return groups_.isEmpty() ? QModelIndex() : index(0, 0, index(0, 0));
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const {
  const PaletteItem* item = itemAt(index);
  if (item == nullptr) {
    if (!index.isValid() || flat_ || index.row() >= groups_.size()) return {};
    const Group& group = groups_[index.row()];
    switch (role) {
      case Qt::DisplayRole: return group.title;
      case CountRole: return static_cast<int>(group.items.size());
      default: return {};
    }
  }
  const auto fit = fitsActive_ ? fitOf_.constFind(item->type) : fitOf_.cend();
  switch (role) {
    case Qt::DisplayRole: return item->name;
    case Qt::ToolTipRole: {
      QString tip = QStringLiteral("<b>%1</b> %2").arg(item->name.toHtmlEscaped(), item->kind.toHtmlEscaped());
      if (!item->summary.isEmpty()) tip += QStringLiteral("<br>") + item->summary.toHtmlEscaped();
      return tip;
    }
    case Qt::AccessibleDescriptionRole: return item->kind + u' ' + item->summary;
    case TypeRole: return item->type;
    case HueRole: return static_cast<int>(item->hue);
    case KindRole: return flat_ ? item->kind : QString();
    case GroupRole: return item->group;
    case FavouriteRole: return favourites_.contains(item->type);
    case ShapeRole: return fit != fitOf_.cend() ? QVariant(fits_[*fit].shape.isEmpty() ? QStringLiteral("?") : fits_[*fit].shape) : QVariant();
    case PortRole: return fit != fitOf_.cend() ? QVariant(fits_[*fit].port) : QVariant();
    default: return {};
  }
}

Qt::ItemFlags PaletteModel::flags(const QModelIndex& index) const {
  if (itemAt(index) == nullptr) return Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren;
}

QStringList PaletteModel::mimeTypes() const { return {QLatin1String(kPaletteMime)}; }

QMimeData* PaletteModel::mimeData(const QModelIndexList& indexes) const {
  const PaletteItem* item = indexes.isEmpty() ? nullptr : itemAt(indexes.first());
  if (item == nullptr) return nullptr;
  auto* data = new QMimeData;
  data->setData(QLatin1String(kPaletteMime), item->type.toUtf8());
  data->setText(item->type);
  return data;
}

}  // namespace weft::widgets
