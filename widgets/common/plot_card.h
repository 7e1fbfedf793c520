#pragma once

#include <QFrame>

#include "common/card_texts.h"

class QHBoxLayout;
class QLabel;
class QMenu;
class QToolButton;

namespace weft::widgets {

/// The frame of a card in a panel: title, chip, legend, buttons to enlarge and for more, the body, and a footer line.
class PlotCard : public QFrame {
  Q_OBJECT

 public:
  PlotCard(const QString& title, QWidget* body, QWidget* parent = nullptr);

  QString title() const { return full_; }
  void setTitle(const QString& title);
  /// Sets a word or two on a coloured ground after the title; empty: none.
  void setChip(const QString& text);
  /// Sets the legend between title and buttons; hidden where it does not fit. Like setFoot(), a change only repaints.
  void setLegend(const QVector<CardLegend::Entry>& entries);
  void setFoot(const QString& left, const QString& right = {});
  /// Shows a button that pins the card to a page of selected cards; without this call there is no button.
  void setPinned(bool pinned);
  QMenu* menu() const { return menu_; }
  QWidget* body() const { return body_; }

 signals:
  void maximizeRequested();
  void pinToggled(bool pinned);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void fit();
  void retranslate();

  QString full_;
  QWidget* body_;
  QFrame* line_;
  QLabel *title_, *chip_;
  CardLegend* legend_;
  CardFoot* foot_;
  QToolButton *maximize_, *more_;
  QToolButton* pin_ = nullptr;
  QMenu* menu_;
};

}  // namespace weft::widgets
