#pragma once

#include <QDateTime>
#include <QObject>
#include <QString>
#include <deque>

namespace weft::app {

/// Log messages, newest last; at most 5,000 lines. GUI thread.
class Log : public QObject {
  Q_OBJECT

 public:
  enum class Level { Info, Warning, Error };
  struct Line {
    QDateTime time;  ///< UTC, because finding the local time takes longer than everything else
    Level level;
    QString text;
  };
  using QObject::QObject;

  void add(Level level, const QString& text) {
    lines_.push_back({QDateTime::currentDateTimeUtc(), level, text});
    ++count_;
    if (lines_.size() > kMaxLines) lines_.pop_front();
    emit added(lines_.back().level, lines_.back().text);
  }
  void info(const QString& text) { add(Level::Info, text); }
  void warning(const QString& text) { add(Level::Warning, text); }
  void error(const QString& text) { add(Level::Error, text); }
  void clear() {
    lines_.clear();
    emit cleared();
  }
  const std::deque<Line>& lines() const { return lines_; }
  /// Number of lines since the start, including dropped ones: the last of lines() is number count() - 1.
  qint64 count() const { return count_; }

 signals:
  void added(weft::app::Log::Level level, const QString& text);
  void cleared();

 private:
  static constexpr size_t kMaxLines = 5000;
  std::deque<Line> lines_;
  qint64 count_ = 0;
};

}  // namespace weft::app
