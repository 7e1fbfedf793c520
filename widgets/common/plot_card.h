#pragma once

#include <QFrame>

#include "common/card_texts.h"

class QHBoxLayout;
class QLabel;
class QMenu;
class QToolButton;

namespace weft::widgets {

/// The frame of a card in a panel: title, chips and a few words beside it, buttons to enlarge and for more, the body, and a line at the foot.
class PlotCard : public QFrame {
  Q_OBJECT

 public:
  PlotCard(const QString& title, QWidget* body, QWidget* parent = nullptr);

  QString title() const { return full_; }
  void setTitle(const QString& title);
  /// A word or two on a coloured ground after the title; empty: none.
  void setChip(const QString& text);
  /// Between title and buttons; left out where it does not fit. Changing it costs its painting and nothing else, and so does setFoot().
  void setLegend(const QVector<CardLegend::Entry>& entries);
  void setFoot(const QString& left, const QString& right = {});
  /// A button that pins the card to a page of chosen cards; without this call there is none.
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
