// Texts that change many times a second while they are visible.
#pragma once

#include <QColor>
#include <QString>
#include <QVector>
#include <QWidget>

namespace weft::widgets {

/// A one-line legend: coloured marks, each with a word or number, as many as fit, then the count of the rest; the tooltip lists all. A change only repaints:
/// labels would relayout the card and the panel each time.
class CardLegend : public QWidget {
  Q_OBJECT

 public:
  struct Entry {
    QColor color;
    QString text;
    QString name = {};  ///< for the tooltip; empty: `text` is used
    bool operator==(const Entry&) const = default;
  };
  explicit CardLegend(QWidget* parent = nullptr);
  void setEntries(const QVector<Entry>& entries);
  const QVector<Entry>& entries() const { return entries_; }
  /// Number of entries drawn at the current width.
  int drawn() const;
  QSize sizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QVector<Entry> entries_;
};

/// The footer line of a card: text at the left, and at the right as much as fits. Like the legend, a change only repaints.
class CardFoot : public QWidget {
  Q_OBJECT

 public:
  explicit CardFoot(QWidget* parent = nullptr);
  void setTexts(const QString& left, const QString& right);
  QString left() const { return left_; }
  QString right() const { return right_; }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString left_, right_;
};

/// A right-aligned line of plain text that changes many times a second. Its width is that of the longest text so far, so that its neighbours don't move.
class StableWidthLabel : public QWidget {
  Q_OBJECT

 public:
  enum class Kind { Plain, Mono };
  explicit StableWidthLabel(Kind kind, QWidget* parent = nullptr);
  void setText(const QString& text);
  QString text() const { return text_; }
  /// Shrinks the width to the current text.
  void fit();
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QFont textFont() const;
  int widthOf(const QString& text) const;

  Kind kind_;
  QString text_;
  int widest_ = 0;
};

}  // namespace weft::widgets
