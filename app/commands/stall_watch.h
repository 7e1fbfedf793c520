#pragma once

#include <QApplication>
#include <QElapsedTimer>
#include <array>
#include <map>
#include <tuple>
#include <vector>

namespace weft::app {

/// The application object. On request it measures how long each event on the GUI thread takes, including everything its handlers call; nested events are not
/// counted again. Painting has its own limit.
class StudioApplication : public QApplication {
  Q_OBJECT

 public:
  using QApplication::QApplication;
  /// Reports an exception from a handler (such as lack of memory), which ends that handler but not the program.
  bool notify(QObject* receiver, QEvent* event) override;

  /// One slow event: its type and its receiver.
  struct Stall {
    double ms = 0, cpuMs = 0;  ///< Wall time, and processor time of this thread; the difference went to other programs or to waiting.
    QString text;              ///< `weft::app::StartPage "start_page" MetaCall`
  };
  /// Total time of this thread for all events of one type to objects of one name.
  struct Spent {
    double cpuMs = 0;
    int events = 0;
    QString text;  ///< As in Stall.
  };
  /// Upper limits of the distribution's bins, in ms; the last bin is unbounded.
  static constexpr std::array<double, 7> kClassEndsMs{0.1, 0.5, 1, 2, 5, 16, 50};
  struct Stalls {
    int events = 0, over5ms = 0, paintsOver16ms = 0;
    int busyOver5ms = 0, busyPaintsOver16ms = 0;  ///< The same counts by this thread's processor time.
    double maxMs = 0, maxPaintMs = 0;
    std::array<int, kClassEndsMs.size() + 1> handlers{}, paints{};
    std::vector<Stall> worst;  ///< Events over their limit, longest first, at most 12.
  };
  void setWatching(bool on) { watching_ = on; }
  const Stalls& stalls() const { return stalls_; }
  void resetStalls() { stalls_ = {}, spent_.clear(); }
  /// This thread's time by event while it was watched, largest first. With `setDetailed`, also paintings of single widgets, which are part of their windows'
  /// paintings.
  std::vector<Spent> spent() const;
  void setDetailed(bool on) { detailed_ = on; }
  /// Excludes events to this object (the script driver).
  void ignore(QObject* receiver) { ignored_ = receiver; }

 private:
  bool deliver(QObject* receiver, QEvent* event);
  void count(bool paint, double ms, double cpuMs, const char* className, const QString& name, QEvent::Type type);

  /// Class, event type and name.
  using Key = std::tuple<const char*, QEvent::Type, QString>;
  void add(const char* className, const QString& name, QEvent::Type type, double cpuMs);

  bool watching_ = false, detailed_ = false;
  int depth_ = 0;
  std::map<Key, std::pair<double, int>> spent_;
  QObject* ignored_ = nullptr;
  Stalls stalls_;
};

}  // namespace weft::app
