// Base of the card panels: the bar with its search field, the cards, and the empty state.
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

/// A panel with a card for each logged tag (or tag and run). GUI thread.
class CardPanel : public QWidget {
  Q_OBJECT

 public:
  CardPanel(const QString& emptyIcon, QSize card, QWidget* parent);

  /// Filters cards by a regular expression on their keys; an invalid expression is ignored.
  void setSearch(const QString& regex);
  int shownCount() const;
  CardGrid* cards() const { return cards_; }
  /// Sets the text of the empty panel and its button's label (empty: no button).
  void setEmptyText(const QString& title, const QString& text, const QString& button = {}, const QString& buttonIcon = QStringLiteral("play"));

  /// Gives each card a pin button; the cards of `tags` are pinned.
  void setPins(const QSet<QString>& tags);

 signals:
  /// The user asked to pin or unpin the card of that tag.
  void pinRequested(const QString& tag, bool pinned);
  void emptyButtonClicked();
  /// The user chose "Show in the graph" on the card of that tag.
  void nodeWanted(const QString& tag);

 protected:
  /// Creates the card of a key as a child of `parent`.
  virtual QWidget* makeCard(const QString& key, QWidget* parent) = 0;
  /// The card of that key was destroyed because it was out of view.
  virtual void cardDropped(const QString&) {}
  /// A valid expression was typed into the search field.
  virtual void searched(const QRegularExpression&) {}
  /// Sets all texts in the current language. Overrides must call the base.
  virtual void retranslate();
  void changeEvent(QEvent* event) override;

  /// Adds a group of widgets that stays on one line of the bar.
  QHBoxLayout* addGroup(int spacing = 4);
  /// Keeps the bar to one line; what does not fit moves behind a button at its end.
  void keepBarToOneLine();
  /// Adds exclusive buttons; the first one is checked.
  QButtonGroup* addChoice(int count);
  QToolButton* addSwitch(QHBoxLayout* row);
  QSlider* addSlider(QHBoxLayout* row, QLabel** label, int low, int high, int value, int width = 80);
  static void name(QAbstractButton* button, const QString& text, const QString& tip);
  static void name(QLabel* label, QSlider* slider, const QString& text, const QString& tip);
  /// Puts `content` in place of the cards; the cards must be placed in it.
  void setContent(QWidget* content);
  /// Shows the cards, or the empty state.
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
