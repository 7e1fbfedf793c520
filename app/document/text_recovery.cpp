#include "document/text_recovery.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDataStream>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QPointer>
#include <QSaveFile>
#include <optional>

#include "adapters/file_contents.h"
#include "common/background.h"
#include "document/file_guard.h"
#include "document/file_tab.h"
#include "document/text_buffer.h"
#include "document/workspace.h"
#include "weft/mutex.h"

namespace weft::app {
namespace {

constexpr int kSoonMs = 1000;
constexpr quint32 kMagic = 0x57544531;  // "WTE1"
const QString kEnding = QStringLiteral(".text");

QByteArray hashOf(const QString& text) { return QCryptographicHash::hash(text.toUtf8(), QCryptographicHash::Sha1); }

}  // namespace

QString unsavedTextFile(const QString& folder, int number) { return QDir(folder).filePath(QString::number(number) + kEnding); }

QVector<int> unsavedTextsIn(const QString& folder) {
  QVector<int> numbers;
  for (const QString& name : QDir(folder).entryList({u'*' + kEnding}, QDir::Files, QDir::Name)) numbers << name.chopped(kEnding.size()).toInt();
  return numbers;
}

QByteArray UnsavedText::bytes() const {
  QByteArray out;
  QDataStream stream(&out, QIODevice::WriteOnly);
  stream.setVersion(QDataStream::Qt_6_0);
  stream << kMagic << path << begun << text.toUtf8();
  return out;
}

UnsavedText UnsavedText::read(const QString& name) {
  UnsavedText out;
  QFile file(name);
  const bool opened = file.open(QIODevice::ReadOnly);
  QDataStream stream(&file);
  stream.setVersion(QDataStream::Qt_6_0);
  quint32 magic = 0;
  QByteArray text;
  if (opened) stream >> magic >> out.path >> out.begun >> text;
  if (!opened || magic != kMagic || stream.status() != QDataStream::Ok) {
    out.error = QCoreApplication::translate("TextRecovery", "%1 cannot be read: %2")
                    .arg(name, opened ? QCoreApplication::translate("TextRecovery", "it contains no unsaved program text") : file.errorString());
    return out;
  }
  out.text = QString::fromUtf8(text);
  return out;
}

bool UnsavedText::beganWith(const QString& onDisk) const { return begun == hashOf(onDisk); }

/// Writes the file of one text. The last request wins; only one write is in progress at a time.
class UnsavedTextWriter : public std::enable_shared_from_this<UnsavedTextWriter> {
 public:
  explicit UnsavedTextWriter(QString file) : file_(std::move(file)) {}

  /// Sets the text that the file should hold; empty: no file.
  void want(std::optional<UnsavedText> wanted) {
    const MutexLock lock(mutex_);
    if (!wanted && !written_) return;
    written_ = wanted.has_value();
    wanted_ = std::move(wanted);
    changed_ = true;
    if (busy_) return;
    busy_ = true;
    widgets::inBackground([self = shared_from_this()] { self->work(); });
  }
  /// Takes over a file of another session.
  void takeOver(const QString& from) {
    const MutexLock lock(mutex_);
    written_ = QFile::rename(from, file_);
  }
  QString error() const {
    const MutexLock lock(mutex_);
    return error_;
  }

 private:
  void work() {
    for (;;) {
      std::optional<UnsavedText> now;
      {
        const MutexLock lock(mutex_);
        if (!changed_) {
          busy_ = false;
          return;
        }
        changed_ = false;
        now = std::move(wanted_);
        wanted_.reset();
      }
      const QString problem = now ? write(now->bytes()) : QFile::exists(file_) && !QFile::remove(file_) ? file_ : QString();
      const MutexLock lock(mutex_);
      error_ = problem;
    }
  }
  QString write(const QByteArray& bytes) const {
    if (!QFileInfo(file_).dir().exists()) return {};  // the program is quitting
    QSaveFile out(file_);
    const bool ok = out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size() && out.commit();
    return ok ? QString() : QCoreApplication::translate("TextRecovery", "%1 could not be written: %2").arg(file_, out.errorString());
  }

  const QString file_;
  mutable Mutex mutex_;  // held briefly; guards the rest
  std::optional<UnsavedText> wanted_ WEFT_GUARDED_BY(mutex_);
  bool changed_ WEFT_GUARDED_BY(mutex_) = false, busy_ WEFT_GUARDED_BY(mutex_) = false, written_ WEFT_GUARDED_BY(mutex_) = false;
  QString error_ WEFT_GUARDED_BY(mutex_);
};

TextRecovery::TextRecovery(Workspace& workspace, QString folder, bool keeping, QObject* parent)
    : QObject(parent), workspace_(workspace), folder_(std::move(folder)) {
  if (!keeping) return;
  connect(&workspace, &Workspace::fileAdded, this, &TextRecovery::watch);
  connect(&workspace, &Workspace::fileRemoved, this, &TextRecovery::forget);
}

TextRecovery::~TextRecovery() = default;

void TextRecovery::watch(FileTab* file) {
  if (!file->text()) return;
  Kept& kept = kept_[file];
  kept.writer = std::make_shared<UnsavedTextWriter>(unsavedTextFile(folder_, next_++));
  kept.soon = std::make_unique<QTimer>();
  kept.soon->setSingleShot(true);
  kept.soon->setInterval(kSoonMs);
  connect(kept.soon.get(), &QTimer::timeout, this, [this, file] { write(file); });
  // Not restarted by each key, so that continuous typing also loses at most a second.
  const auto soon = [timer = kept.soon.get()] {
    if (!timer->isActive()) timer->start();
  };
  connect(file->text(), &TextBuffer::edited, this, soon);
  connect(file->text(), &TextBuffer::modifiedChanged, this, soon);
  connect(file->text(), &TextBuffer::saved, this, [this, file] { write(file); });
}

void TextRecovery::forget(const FileTab* file) {
  const auto it = kept_.find(file);
  if (it == kept_.end()) return;
  it->second.writer->want({});
  kept_.erase(it);
}

void TextRecovery::write(FileTab* file) {
  const Kept& kept = kept_.at(file);
  if (const QString error = kept.writer->error(); !error.isEmpty()) workspace_.log().warning(error);
  const TextBuffer* buffer = file->text();
  if (!buffer->isModified()) return kept.writer->want({});
  kept.writer->want(UnsavedText{file->path(), buffer->text(), buffer->asRead().isNull() ? QByteArray() : hashOf(buffer->asRead()), {}});
}

void TextRecovery::recover(const QString& from, const std::function<void(const QString&)>& done) {
  auto unsaved = std::make_shared<UnsavedText>();
  workspace_.tasks().start(
      {}, [unsaved, from](TaskState&) { *unsaved = UnsavedText::read(from); },
      [this, unsaved, from, done] {
        if (!unsaved->error.isEmpty()) return done(unsaved->error);
        const auto show = [this, unsaved, from, done](const QString& error) {
          for (FileTab* file : workspace_.files()) {
            if (!file->text() || !isSameFile(file->path(), unsaved->path)) continue;
            put(file, *unsaved, from);
            return done({});
          }
          done(error);
        };
        if (QFileInfo::exists(unsaved->path)) return workspace_.open(unsaved->path, show);
        auto contents = std::make_shared<FileContents>();  // the program's file is gone: saving creates it again
        contents->path = unsaved->path;
        contents->kind = QStringLiteral("python");
        workspace_.addFile(contents);
        show({});
      });
}

void TextRecovery::put(FileTab* file, const UnsavedText& unsaved, const QString& from) {
  TextBuffer* buffer = file->text();
  if (!unsaved.beganWith(buffer->asRead())) buffer->forgetFileText();
  if (buffer->editing()) buffer->editing()->replaceAll(unsaved.text);
  const auto kept = kept_.find(file);
  if (kept == kept_.end()) {
    QFile::remove(from);
  } else {
    kept->second.writer->takeOver(from);
    write(file);
  }
  workspace_.log().info(QCoreApplication::translate("TextRecovery", "The unsaved text of %1 was recovered.").arg(file->title()));
}

}  // namespace weft::app
