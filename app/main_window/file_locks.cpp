#include "main_window/file_locks.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include "document/file_guard.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

QString lockMessageKey(const QString& path) { return QStringLiteral("window/") + path; }

QString lockPath(const QString& path) {
  const QString folder = QDir(QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation)).filePath(QStringLiteral("weft/open"));
  QDir().mkpath(folder);
  const QString canonical = QFileInfo(path).canonicalFilePath();  // the same file through a link
  return QDir(folder).filePath(
      QString::fromLatin1(QCryptographicHash::hash((canonical.isEmpty() ? path : canonical).toUtf8(), QCryptographicHash::Sha1).toHex()) +
      QStringLiteral(".lock"));
}

}  // namespace

void FileLocks::hold(const QObject* owner, const QString& path) {
  Held& held = held_[owner];
  if (held.path == path) return;
  if (!held.path.isEmpty()) shell_.withdrawMessage(lockMessageKey(held.path));
  held = {path, nullptr};
  if (path.isEmpty()) return;
  for (auto& [other, of] : held_) {
    if (other == owner || !isSameFile(of.path, path)) continue;
    held.lock = std::move(of.lock);
    return;
  }
  held.lock = std::make_unique<QLockFile>(lockPath(path));
  held.lock->setStaleLockTime(0);
  if (held.lock->tryLock(0) || held.lock->error() != QLockFile::LockFailedError) return;
  held.lock = nullptr;
  shell_.tell([path] {
    return Message{
        Message::Kind::Warning, lockMessageKey(path),
        tr("%1 is also open in another window. If that window saves it, Weft asks here what to do with your changes.").arg(QFileInfo(path).fileName())};
  });
}

void FileLocks::release(const QObject* owner) {
  const auto it = held_.find(owner);
  if (it == held_.end()) return;
  shell_.withdrawMessage(lockMessageKey(it->second.path));
  held_.erase(it);
}

}  // namespace weft::app
