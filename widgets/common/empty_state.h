#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace weft::widgets {

/// The placeholder of a dock without data: an icon, what would appear here, and a button that makes it appear.
class EmptyState : public QWidget {
  Q_OBJECT

 public:
  EmptyState(const QString& iconName, const QString& title, const QString& text, QWidget* parent = nullptr);

  /// Room for title and button only: icon and explanation are dropped in a low window, so that they don't limit its height.
  QSize minimumSizeHint() const override;
  void setTitle(const QString& title);
  void setText(const QString& text);
  /// Shows a button with that label; an empty label hides it.
  void setButton(const QString& label, const QString& iconName = QStringLiteral("plus"));

 signals:
  void buttonClicked();

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void updateIcon();
  void fitText();
  int leastHeight() const;

  QString iconName_;
  QLabel* icon_;
  QLabel* title_;
  QLabel* text_;
  QPushButton* button_;
};

}  // namespace weft::widgets
