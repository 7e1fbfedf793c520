#pragma once

#include <QApplication>
#include <QElapsedTimer>

namespace weft::app {

/// The application object; measures, if asked to, how long each event on the GUI thread takes. An event is timed as a whole, with everything that
/// its handlers call; events within it are not counted again. Painting has a limit of its own.
class StudioApplication : public QApplication {
  Q_OBJECT

 public:
  using QApplication::QApplication;
  bool notify(QObject* receiver, QEvent* event) override;

  struct Stalls {
    int events = 0, over5ms = 0, paintsOver16ms = 0;
    double maxMs = 0, maxPaintMs = 0;
    QString worst;  ///< Class of the receiver and number of the event's type.
  };
  void setWatching(bool on) { watching_ = on; }
  const Stalls& stalls() const { return stalls_; }
  void resetStalls() { stalls_ = {}; }
  /// Events to this object (the script driver) are not the program's own.
  void ignore(QObject* receiver) { ignored_ = receiver; }

 private:
  bool watching_ = false;
  int depth_ = 0;
  QObject* ignored_ = nullptr;
  Stalls stalls_;
};

}  // namespace weft::app
