#pragma once

#include <QHash>
#include <QPixmap>
#include <QString>

namespace weft::app {

/// Small pictures of documents as they were last seen, for the list of recent files; kept in the user's cache. GUI thread.
class RecentPictures {
 public:
  /// `onDisk` false: only as long as the program runs (scripts).
  explicit RecentPictures(bool onDisk) : onDisk_(onDisk) {}
  static constexpr int kWidth = 96, kHeight = 48;

  /// Keeps a picture of the file, scaled to the size above; `ratio` is that of the screen.
  void keep(const QString& path, const QPixmap& seen, double ratio);
  /// Null: there is none, or the file is gone.
  QPixmap picture(const QString& path) const;

 private:
  static QString fileOf(const QString& path);

  bool onDisk_;
  mutable QHash<QString, QPixmap> pictures_;
};

}  // namespace weft::app
