#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <QVector>

class QWidget;

namespace weft::app {

/// Gives QEvent::LanguageChange to the widgets of a window one after the other, a few milliseconds in each turn of the event loop: Qt gives it to all
/// of them in one. Parents come before their children. GUI thread.
class LanguageSpread : public QObject {
  Q_OBJECT

 public:
  /// Watches `window`, and is its child.
  explicit LanguageSpread(QWidget* window);
  /// Whether some widgets still show the language before.
  bool isBusy() const { return !waiting_.isEmpty(); }
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void deliverSome();
  void deliver(QWidget* widget);

  QWidget* window_;
  QWidget* receiver_ = nullptr;  // whose event goes through now
  QVector<QPointer<QWidget>> waiting_;
  QTimer timer_;
};

}  // namespace weft::app
