#include "main_window/recent_pictures.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QStandardPaths>

#include "common/background.h"

namespace weft::app {
namespace {
constexpr int kMostKept = 60;
QString folder() { return QDir(QStandardPaths::writableLocation(QStandardPaths::CacheLocation)).filePath(QStringLiteral("pictures")); }
}  // namespace

QString RecentPictures::fileOf(const QString& path) {
  return QDir(folder()).filePath(QString::fromLatin1(QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha1).toHex()) + QStringLiteral(".png"));
}

void RecentPictures::keep(const QString& path, const QPixmap& seen, double ratio) {
  if (path.isEmpty() || seen.isNull()) return;
  const QSize size(int(kWidth * ratio), int(kHeight * ratio));
  QPixmap small = seen.scaled(size, Qt::KeepAspectRatioByExpanding, Qt::SmoothTransformation);
  small = small.copy(QRect(QPoint((small.width() - size.width()) / 2, (small.height() - size.height()) / 2), size));
  small.setDevicePixelRatio(ratio);
  pictures_.insert(path, small);
  if (!onDisk_) return;
  // Encoding and writing take longer than a handler may.
  widgets::inBackground([image = small.toImage(), file = fileOf(path)] {
    QDir().mkpath(QFileInfo(file).absolutePath());
    image.save(file, "PNG");
    const QFileInfoList all = QDir(QFileInfo(file).absolutePath()).entryInfoList(QDir::Files, QDir::Time);
    for (qsizetype i = kMostKept; i < all.size(); ++i) QFile::remove(all[i].filePath());
  });
}

QPixmap RecentPictures::picture(const QString& path) const {
  if (const auto it = pictures_.constFind(path); it != pictures_.constEnd()) return *it;
  QPixmap found;
  if (onDisk_ && found.load(fileOf(path), "PNG")) {
    found.setDevicePixelRatio(double(found.width()) / kWidth);
    pictures_.insert(path, found);
  }
  return found;
}

}  // namespace weft::app
