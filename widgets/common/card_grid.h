// A grid of many cards in groups; only visible cards exist as widgets.
#pragma once

#include <QMap>
#include <QRegularExpression>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <vector>

class QScrollArea;
class QToolButton;

namespace weft::widgets {

/// Returns the rectangles of a group's `count` cards: each at least `cardWidth` wide, as many side by side as fit into `width`. Large cards take a full row of
/// double height. Rectangles start at (0, 0). Pure function.
std::vector<QRect> placeCards(int width, int count, const std::function<bool(int)>& isLarge, QSize card, int gap);

/// A scrolled grid of cards in groups with collapsible headers. A card is created when it becomes visible and may be destroyed when it is far out of view, so
/// its data must live elsewhere. Cards are created in slices of a few milliseconds. GUI thread.
class CardGrid : public QWidget {
  Q_OBJECT

 public:
  /// Creates the card of a key as a child of the given parent.
  using Maker = std::function<QWidget*(const QString& key, QWidget* parent)>;
  CardGrid(Maker maker, QSize card, QWidget* parent = nullptr);

  /// Cards are sorted by key within their group, groups by name; the group "" comes first under `setGeneralName`.
  void add(const QString& key, const QString& group);
  void remove(const QString& key);
  void clear();
  bool contains(const QString& key) const { return items_.contains(key); }
  QStringList keys() const { return items_.keys(); }
  /// Null while the card does not exist.
  QWidget* card(const QString& key) const { return items_.value(key).card; }
  /// Creates the card if necessary. Null for an unknown key.
  QWidget* makeCard(const QString& key);
  /// Destroys the card, so that it is recreated when it becomes visible.
  void dropCard(const QString& key);
  QList<QWidget*> cards() const;

  /// Opens or folds a group that has been added.
  void setGroupOpen(const QString& group, bool open);
  void setGeneralName(const QString& name);
  /// Hides cards whose keys do not match. If the filter has a capture group, its match replaces the cards' groups.
  void setFilter(const QRegularExpression& filter);
  int shownCount() const;
  void setCardSize(QSize card);
  /// Shrinks cards to the grid's height, down to `least`, where the grid is lower than a card: a whole chart is shown rather than its upper third. 0: never.
  void setLeastHeight(int least);
  /// Hides the group headers, for a grid with a single group.
  void setHeadless(bool on);
  /// Toggles a card between normal size and large (full width, double height).
  void toggleLarge(const QString& key);
  void scrollTo(const QString& key);
  /// Creates all visible cards now (screenshots, tests).
  void settle();

 signals:
  /// The card of that key was destroyed; it is recreated when it becomes visible.
  void dropped(const QString& key);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Item {
    QString own, group;  // group as added, and after the filter
    bool large = false;
    QWidget* card = nullptr;
    QRect rect;  // in content coordinates; empty: hidden
  };
  struct Group {
    QToolButton* header = nullptr;
    bool open = true;
    int shown = 0;
    QRect rect;
  };
  void regroup();
  void arrange();
  void place(bool all);
  void soon();
  QToolButton* headerOf(const QString& name, Group& group);
  void setHeaderText(const QString& name, const Group& group);

  Maker maker_;
  QSize size_;
  int leastHeight_ = 0;
  bool headless_ = false;
  QMap<QString, Item> items_;
  QMap<QString, Group> groups_;
  QString generalName_;
  QRegularExpression filter_;
  QScrollArea* area_;
  QWidget* content_;
  QTimer timer_;
  bool arranged_ = false;
};

/// Tool tip of a panel's search field.
QString searchToolTip();

}  // namespace weft::widgets
