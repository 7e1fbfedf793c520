// Words that change while they are looked at.
#pragma once

#include <QColor>
#include <QString>
#include <QVector>
#include <QWidget>

namespace weft::widgets {

/// Colours with a word or a number each, on one line: as many as fit, then how many more there are; the tooltip names all. A change is painted and moves nothing else: labels would
/// have the card and the panel laid out anew each time.
class CardLegend : public QWidget {
  Q_OBJECT

 public:
  struct Entry {
    QColor color;
    QString text;
    QString name = {};  ///< for the tooltip; empty: the text says it
    bool operator==(const Entry&) const = default;
  };
  explicit CardLegend(QWidget* parent = nullptr);
  void setEntries(const QVector<Entry>& entries);
  const QVector<Entry>& entries() const { return entries_; }
  /// How many are drawn in the present width.
  int drawn() const;
  QSize sizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QVector<Entry> entries_;
};

/// The line at the foot of a card: some words at the left, and at the right what there is room for. As quiet as the legend.
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

/// A line of plain text that changes many times a second, at the right of its place. It takes the width of the longest text so far, so that what is
/// around it stays where it is.
class QuietText : public QWidget {
  Q_OBJECT

 public:
  enum class Kind { Plain, Mono };
  explicit QuietText(Kind kind, QWidget* parent = nullptr);
  void setText(const QString& text);
  QString text() const { return text_; }
  /// Takes no more room than the present text needs, from now on.
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
