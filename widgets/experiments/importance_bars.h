#pragma once

#include <QString>
#include <QWidget>
#include <vector>

namespace weft::widgets {

/// Bars of how much each parameter matters, with the direction in which it acts. GUI thread.
class ImportanceBars : public QWidget {
  Q_OBJECT

 public:
  explicit ImportanceBars(QWidget* parent = nullptr);

  struct Bar {
    QString title;
    double share = 0;        ///< 0…1
    double correlation = 0;  ///< −1…1
  };
  void setContents(std::vector<Bar> bars);
  /// A sentence instead of bars.
  void setMessage(const QString& message);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {120, 60}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  std::vector<Bar> bars_;
  QString message_;
};

}  // namespace weft::widgets
