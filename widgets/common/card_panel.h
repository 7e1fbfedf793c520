// What the panels of cards have in common: the bar with its search field, the cards, and what is said while there are none.
#pragma once

#include <QSet>
#include <QString>
#include <QWidget>
#include <initializer_list>

class QAbstractButton;
class QButtonGroup;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QRegularExpression;
class QSlider;
class QStackedLayout;
class QToolButton;
class QVBoxLayout;

namespace weft::widgets {

class CardGrid;
class EmptyState;
class FoldingBar;

/// A panel that shows what was logged, a card for each tag (or tag and run). GUI thread.
class CardPanel : public QWidget {
  Q_OBJECT

 public:
  CardPanel(const QString& emptyIcon, QSize card, QWidget* parent);

  /// Cards whose keys match a regular expression; one that is half typed changes nothing.
  void setSearch(const QString& regex);
  int shownCount() const;
  CardGrid* cards() const { return cards_; }
  /// What the empty panel says, and the label of its button (empty: none).
  void setEmptyText(const QString& title, const QString& text, const QString& button = {}, const QString& buttonIcon = QStringLiteral("play"));

  /// Gives each card a button that pins it; those of these tags are pinned.
  void setPins(const QSet<QString>& tags);

 signals:
  /// The card of that tag shall be pinned, or not any more.
  void pinWished(const QString& tag, bool pinned);
  void emptyButtonClicked();
  /// "Show in the graph" of the card of that tag.
  void nodeWanted(const QString& tag);

 protected:
  /// Makes the card of a key, as a child of `parent`.
  virtual QWidget* makeCard(const QString& key, QWidget* parent) = 0;
  /// The card of that key was destroyed, for lack of being seen.
  virtual void cardDropped(const QString&) {}
  /// A valid expression was typed into the search field.
  virtual void searched(const QRegularExpression&) {}
  /// All texts in the present language. Whoever overrides it calls this one too.
  virtual void retranslate();
  void changeEvent(QEvent* event) override;

  /// Widgets that stay on one line of the bar.
  QHBoxLayout* addGroup(int spacing = 4);
  /// The whole bar takes one line; what does not fit stands behind a button at its end.
  void keepBarToOneLine();
  /// Buttons of which one is chosen: 0 at first.
  QButtonGroup* addChoice(int count);
  QToolButton* addSwitch(QHBoxLayout* row);
  QSlider* addSlider(QHBoxLayout* row, QLabel** label, int low, int high, int value, int width = 80);
  static void name(QAbstractButton* button, const QString& text, const QString& tip);
  static void name(QLabel* label, QSlider* slider, const QString& text, const QString& tip);
  /// Puts `content` where the cards were; the cards belong into it.
  void setContent(QWidget* content);
  /// Cards, or what the empty panel says.
  void showCards(bool any);
  /// The part of a tag before its first slash.
  static QString groupOf(const QString& tag);

 private:
  FoldingBar* bar_;
  QLineEdit* search_;
  CardGrid* cards_;
  EmptyState* empty_;
  QStackedLayout* stack_;
  QSet<QString> pins_;
  bool hasPins_ = false;
};

}  // namespace weft::widgets
