#pragma once

#include <QHash>
#include <QPixmap>
#include <QString>

namespace weft::app {

/// Small pictures of documents as last seen, for the list of recent files; stored in the user's cache. GUI thread.
class RecentPictures {
 public:
  /// `onDisk` false: keep them in memory only (scripts).
  explicit RecentPictures(bool onDisk) : onDisk_(onDisk) {}
  static constexpr int kWidth = 96, kHeight = 48;

  /// Stores a picture of the file, scaled to the size above; `ratio` is the screen's device pixel ratio.
  void keep(const QString& path, const QPixmap& seen, double ratio);
  /// Null: there is none, or the file was deleted.
  QPixmap picture(const QString& path) const;

 private:
  static QString fileOf(const QString& path);

  bool onDisk_;
  mutable QHash<QString, QPixmap> pictures_;
};

}  // namespace weft::app
