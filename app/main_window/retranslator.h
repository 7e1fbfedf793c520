#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <QVector>

class QWidget;

namespace weft::app {

/// Sends QEvent::LanguageChange to the widgets of a window one by one, a few milliseconds per turn of the event loop; Qt would send all at once. Parents come
/// before their children. GUI thread.
class Retranslator : public QObject {
  Q_OBJECT

 public:
  /// Watches `window`, which becomes its parent.
  explicit Retranslator(QWidget* window);
  /// Whether some widgets still show the previous language.
  bool isBusy() const { return !waiting_.isEmpty(); }
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void deliverNext();
  void deliver(QWidget* widget);

  QWidget* window_;
  QWidget* receiver_ = nullptr;  // the widget whose event is being delivered
  QVector<QPointer<QWidget>> waiting_;
  QTimer timer_;
};

}  // namespace weft::app
