// The list of things that can be added to a graph.
#pragma once

#include <QAbstractItemModel>
#include <QHash>
#include <QStringList>
#include <QVector>
#include <functional>

#include "graph_view/graph_model.h"

namespace weft::widgets {

struct PaletteItem {
  QString type;      ///< the type to add: "MatMul", "layers.dense"
  QString name;      ///< displayed name
  QString group;     ///< heading
  QString kind;      ///< a word beside the name where groups are hidden: "layer", "op"
  QString keywords;  ///< additional search words
  QString summary;   ///< one sentence
  OpCategory hue = OpCategory::Math;
};

/// How well an item fits the pending wire.
struct PaletteFit {
  QString type;
  QString port;   ///< at which the wire would arrive
  QString shape;  ///< the resulting shape; empty: unknown
};

/// A tree of groups while nothing is typed and no wire is pending, otherwise a flat list, best first. Favourites and recent items come first, then groups in
/// the order of their first item. GUI thread.
class PaletteModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Role { TypeRole = Qt::UserRole + 1, HueRole, KindRole, ShapeRole, GroupRole, CountRole, FavouriteRole, PortRole };
  /// Creates, from the typed text, a function that rates how well a name fits: 0 not at all, more is better.
  using Matcher = std::function<std::function<int(QStringView)>(const QString& typed)>;

  using QAbstractItemModel::QAbstractItemModel;

  void setItems(QVector<PaletteItem> items);
  void setMatcher(Matcher matcher) { matcher_ = std::move(matcher); }
  /// Lists only these, in that order while nothing is typed; `active` false: all.
  void setFits(const QVector<PaletteFit>& fits, bool active);
  /// Always shows a flat list, favourites and recent items first.
  void setAlwaysFlat(bool flat);
  /// From the first word after the name that starts like a number or list, or sets a value ("dense 10 relu"), the text is parameters.
  void setFilter(const QString& typed);
  const QString& filter() const { return filter_; }
  /// The rest of the typed text: parameters of the item to add.
  const QString& parameters() const { return parameters_; }
  void setFavourites(const QStringList& types);
  const QStringList& favourites() const { return favourites_; }
  /// Newest first.
  void setRecent(const QStringList& types);

  bool isFlat() const { return flat_; }
  int itemCount() const { return static_cast<int>(items_.size()); }
  /// Number of items listed now.
  int shownCount() const;
  const PaletteItem* itemAt(const QModelIndex& index) const;
  /// First item in display order; invalid if there is none.
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
  QVector<Group> groups_;  // a single one without a title when flat
};

}  // namespace weft::widgets
