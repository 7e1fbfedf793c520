// Things that can be added to a graph, as a list to choose from.
#pragma once

#include <QAbstractItemModel>
#include <QHash>
#include <QStringList>
#include <QVector>
#include <functional>

#include "graph_view/graph_model.h"

namespace weft::widgets {

struct PaletteItem {
  QString type;      ///< what is added: "MatMul", "layers.dense"
  QString name;      ///< as it is shown
  QString group;     ///< heading
  QString kind;      ///< a word beside the name where groups are not shown: "layer", "op"
  QString keywords;  ///< what else it is found by
  QString summary;   ///< one sentence
  OpCategory hue = OpCategory::Math;
};

/// How an item would go with the wire that waits for it.
struct PaletteFit {
  QString type;
  QString port;   ///< at which it would arrive
  QString shape;  ///< what would come out; empty: unknown
};

/// While nothing is typed and no wire waits, a tree of groups; else a flat list, best first. Groups come in the order of their first item, after
/// favourites and what was used last. GUI thread.
class PaletteModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Role { TypeRole = Qt::UserRole + 1, HueRole, KindRole, ShapeRole, GroupRole, CountRole, FavouriteRole, PortRole };
  /// Makes from typed text a function that says how well a name fits: 0 not at all, more is better.
  using Matcher = std::function<std::function<int(QStringView)>(const QString& typed)>;

  using QAbstractItemModel::QAbstractItemModel;

  void setItems(QVector<PaletteItem> items);
  void setMatcher(Matcher matcher) { matcher_ = std::move(matcher); }
  /// Only these, in that order where nothing is typed; `active` false: all.
  void setFits(const QVector<PaletteFit>& fits, bool active);
  /// One list even while nothing is typed, favourites and recent ones first.
  void setAlwaysFlat(bool flat);
  /// From the first word behind the name that begins as a number or list, or that sets something ("dense 10 relu"), it is no part of the name.
  void setFilter(const QString& typed);
  const QString& filter() const { return filter_; }
  /// The rest of what was typed: parameters for what is added.
  const QString& parameters() const { return parameters_; }
  void setFavourites(const QStringList& types);
  const QStringList& favourites() const { return favourites_; }
  /// Newest first.
  void setRecent(const QStringList& types);

  bool isFlat() const { return flat_; }
  int itemCount() const { return static_cast<int>(items_.size()); }
  /// Items that are listed now.
  int shownCount() const;
  const PaletteItem* itemAt(const QModelIndex& index) const;
  /// First item in the order shown; invalid if there is none.
  QModelIndex first() const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& = {}) const override { return 1; }
  QVariant data(const QModelIndex& index, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  QStringList mimeTypes() const override;
  QMimeData* mimeData(const QModelIndexList& indexes) const override;

 private:
  struct Group {
    QString title;
    QVector<int> items;
  };
  void rebuild();

  QVector<PaletteItem> items_;
  QHash<QString, int> byType_;
  QVector<PaletteFit> fits_;
  QHash<QString, int> fitOf_;
  bool fitsActive_ = false, flat_ = false, alwaysFlat_ = false;
  QString filter_, parameters_;
  QStringList favourites_, recent_;
  Matcher matcher_;
  QVector<Group> groups_;  // one without a title when flat
};

}  // namespace weft::widgets
