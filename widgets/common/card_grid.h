// Many cards in groups, of which only those in sight exist.
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

/// Where the cards of a group lie: `count` cards at least `cardWidth` wide, as many beside each other as fit into `width`; those marked large
/// take a row of their own, twice as high. Rectangles from (0, 0) on; pure.
std::vector<QRect> placeCards(int width, int count, const std::function<bool(int)>& isLarge, QSize card, int gap);

/// A scrolled grid of cards under the headers of their groups, which open and close. A card is made when it comes into sight and may be
/// destroyed when it is far out of it: what it shows must live elsewhere. Making cards takes a few milliseconds at a time. GUI thread.
class CardGrid : public QWidget {
  Q_OBJECT

 public:
  /// Makes the card of a key, as a child of the given parent.
  using Maker = std::function<QWidget*(const QString& key, QWidget* parent)>;
  CardGrid(Maker maker, QSize card, QWidget* parent = nullptr);

  /// Cards are sorted by key within their group, groups by name; the group "" comes first under `setGeneralName`.
  void add(const QString& key, const QString& group);
  void remove(const QString& key);
  void clear();
  bool contains(const QString& key) const { return items_.contains(key); }
  QStringList keys() const { return items_.keys(); }
  /// Null while it does not exist.
  QWidget* card(const QString& key) const { return items_.value(key).card; }
  /// Makes it if need be. Null if there is no such key.
  QWidget* makeCard(const QString& key);
  /// Destroys the card so that it is made anew when it is seen.
  void dropCard(const QString& key);
  QList<QWidget*> cards() const;

  void setGeneralName(const QString& name);
  /// Cards whose keys do not match are hidden. What a first pair of parentheses finds takes the place of the cards' own groups.
  void setFilter(const QRegularExpression& filter);
  int shownCount() const;
  void setCardSize(QSize card);
  /// Where the grid is lower than a card, cards become as low as it is, down to `least`: a whole chart instead of its upper third. 0: never.
  void setLeastHeight(int least);
  /// Without the heads of groups, for a grid that has one group.
  void setHeadless(bool on);
  /// A card as wide as the grid and twice as high; the same again makes it small.
  void toggleLarge(const QString& key);
  void scrollTo(const QString& key);
  /// Makes all that is in sight now (screenshots, tests).
  void settle();

 signals:
  /// The card of that key is destroyed; it is made anew when it is seen again.
  void dropped(const QString& key);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Item {
    QString own, group;  // as added, and as it is now
    bool large = false;
    QWidget* card = nullptr;
    QRect rect;  // in the content; empty: hidden
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

/// How to search in a panel, for the tool tip of its field.
QString searchToolTip();

}  // namespace weft::widgets
