#pragma once

#include <QLayout>
#include <vector>

namespace weft::widgets {

/// Lays out widgets like words in a paragraph: those that do not fit wrap to the next line. For toolbars that must stay complete in narrow docks.
class FlowLayout : public QLayout {
 public:
  explicit FlowLayout(QWidget* parent, int margin, int spacing);
  ~FlowLayout() override;

  void addItem(QLayoutItem* item) override { items_.push_back(item); }
  int count() const override { return static_cast<int>(items_.size()); }
  QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return arrange(QRect(0, 0, width, 0), false); }
  void setGeometry(const QRect& rect) override;
  QSize sizeHint() const override { return minimumSize(); }
  QSize minimumSize() const override;

 private:
  int arrange(const QRect& rect, bool apply) const;

  int spacing_;
  std::vector<QLayoutItem*> items_;
};

}  // namespace weft::widgets
