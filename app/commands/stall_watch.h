#pragma once

#include <QApplication>
#include <QElapsedTimer>
#include <array>
#include <map>
#include <tuple>
#include <vector>

namespace weft::app {

/// The application object; measures, if asked to, how long each event on the GUI thread takes. An event is timed as a whole, with everything that
/// its handlers call; events within it are not counted again. Painting has a limit of its own.
class StudioApplication : public QApplication {
  Q_OBJECT

 public:
  using QApplication::QApplication;
  /// What a handler throws (memory that is short, say) is told and ends that handler, not the window.
  bool notify(QObject* receiver, QEvent* event) override;

  /// One event that took long: what it was and to whom it went.
  struct Stall {
    double ms = 0, cpuMs = 0;  ///< By the clock, and of this thread alone: what differs went to other programs or to waiting.
    QString text;              ///< `weft::app::StartPage "start_page" MetaCall`
  };
  /// What all events of one type to objects of one name took of this thread.
  struct Spent {
    double cpuMs = 0;
    int events = 0;
    QString text;  ///< As of a Stall.
  };
  /// Upper ends of the classes of the distribution, in ms; the last class has no end.
  static constexpr std::array<double, 7> kClassEndsMs{0.1, 0.5, 1, 2, 5, 16, 50};
  struct Stalls {
    int events = 0, over5ms = 0, paintsOver16ms = 0;
    int busyOver5ms = 0, busyPaintsOver16ms = 0;  ///< The same by this thread's processor time.
    double maxMs = 0, maxPaintMs = 0;
    std::array<int, kClassEndsMs.size() + 1> handlers{}, paints{};
    std::vector<Stall> worst;  ///< Beyond their limit, longest first, at most 12.
  };
  void setWatching(bool on) { watching_ = on; }
  const Stalls& stalls() const { return stalls_; }
  void resetStalls() { stalls_ = {}, spent_.clear(); }
  /// Where the time of this thread went while it was watched, the most first. With `setDetailed`, paintings of single widgets too, which lie within
  /// those of their windows.
  std::vector<Spent> spent() const;
  void setDetailed(bool on) { detailed_ = on; }
  /// Events to this object (the script driver) are not the program's own.
  void ignore(QObject* receiver) { ignored_ = receiver; }

 private:
  bool deliver(QObject* receiver, QEvent* event);
  void count(bool paint, double ms, double cpuMs, const char* className, const QString& name, QEvent::Type type);

  /// Class, name and type of what was done how often for how long.
  using Key = std::tuple<const char*, QEvent::Type, QString>;
  void add(const char* className, const QString& name, QEvent::Type type, double cpuMs);

  bool watching_ = false, detailed_ = false;
  int depth_ = 0;
  std::map<Key, std::pair<double, int>> spent_;
  QObject* ignored_ = nullptr;
  Stalls stalls_;
};

}  // namespace weft::app
