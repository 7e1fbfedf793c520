#include "adapters/event_follower.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <chrono>
#include <map>
#include <thread>

#include "adapters/engine_graph.h"
#include "adapters/event_queue.h"
#include "weft/cond_var.h"
#include "weft/events.h"

namespace weft::app {
namespace {

constexpr size_t kBatchItems = 256;
constexpr size_t kBatchBytes = size_t(1) << 20;
constexpr auto kPause = std::chrono::milliseconds(500);
constexpr size_t kHeadBytes = 64;  // they include the time of writing, so a rewritten file differs

struct FollowerWords {
  Q_DECLARE_TR_FUNCTIONS(EventFollower)
};

std::string headOf(const std::string& path) {
  auto file = posixFileSystem().openForReading(path);
  if (!file.ok()) return {};
  std::string head(kHeadBytes, '\0');
  const auto got = (*file)->read(0, head.data(), head.size());
  head.resize(got.ok() ? *got : 0);
  return head;
}

size_t bytesOf(const SummaryItem& item) {
  if (const auto* h = std::get_if<widgets::Histogram>(&item.value)) return 16 * h->limits.size();
  if (const auto* p = std::get_if<widgets::Picture>(&item.value)) return size_t(p->encoded.size());
  if (const auto* t = std::get_if<widgets::TextEntry>(&item.value)) return size_t(t->text.size());
  if (const auto* s = std::get_if<widgets::SoundClip>(&item.value)) return size_t(s->encoded.size());
  if (const auto* c = std::get_if<widgets::PrCurve>(&item.value)) return 6 * sizeof(double) * c->size();
  if (const auto* m = std::get_if<widgets::MeshPart>(&item.value)) return m->bytes();
  return 32;
}

/// One event file and its read position.
struct EventFile {
  std::string path;
  std::unique_ptr<EventReader> reader;  // closed while the file does not grow
  uint64_t offset = 0;
  FileInfo seen;  // when it was last read to its end
  std::string head;
  bool failed = false;  // tried again when the file changes
};

struct FollowedRun {
  QString name;
  SummaryDecoder decoder;
  std::map<std::string, EventFile> files;  // by path: the order of reading
  QString problem;
  bool told = false;
};

}  // namespace

struct EventFollower::Impl {
  QString path;
  EventQueue<SummaryBatchPtr> news;
  std::map<QString, FollowedRun> runs;
  std::atomic<bool> stop{false};
  std::thread thread;
  Mutex mutex;
  CondVar wake;
  TaskState* task = nullptr;  // of the initial read
  double bytesTotal = 0, bytesRead = 0;
  SummaryBatchPtr batch;
  size_t batchBytes = 0;
  std::chrono::steady_clock::time_point lookAgain;

  bool stopped() const { return stop.load(std::memory_order_relaxed) || (task && task->cancelled.load(std::memory_order_relaxed)); }
  void look();
  void read(FollowedRun& run);
  /// False if the file no longer holds what was read from it.
  bool isUnchanged(EventFile& file, const FileInfo& now);
  void readFile(FollowedRun& run, EventFile& file, const FileInfo& now, QString* problem);
  SummaryBatch& open(const FollowedRun& run);
  void flush();
};

EventFollower::EventFollower(QString path) : path_(QFileInfo(path).absoluteFilePath()), impl_(std::make_unique<Impl>()) { impl_->path = path_; }

void EventFollower::stop() {
  {
    const MutexLock lock(impl_->mutex);
    impl_->stop = true;
  }
  impl_->wake.notify_all();
}

EventFollower::~EventFollower() {
  stop();
  if (impl_->thread.joinable()) impl_->thread.join();
}

bool EventFollower::isEventFile(const QString& name) { return name.contains(QLatin1String("tfevents")) && !name.endsWith(QLatin1String(".profile-empty")); }

bool EventFollower::hasEvents(const QString& path) {
  const QFileInfo info(path);
  if (!info.isDir()) return info.isFile() && isEventFile(info.fileName());
  return !QDir(path).entryList({QStringLiteral("*tfevents*")}, QDir::Files).isEmpty();
}

SummaryBatchPtr EventFollower::next() {
  SummaryBatchPtr batch;
  return impl_->news.pop(batch) ? batch : nullptr;
}

SummaryBatch& EventFollower::Impl::open(const FollowedRun& run) {
  if (batch && batch->run != run.name) flush();
  if (!batch) {
    batch = std::make_shared<SummaryBatch>();
    batch->run = run.name;
  }
  return *batch;
}

void EventFollower::Impl::flush() {
  if (batch) news.push(std::move(batch));
  batch = nullptr;
  batchBytes = 0;
}

/// Finds new files. Deleted ones are noticed when they are read.
void EventFollower::Impl::look() {
  const QFileInfo info(path);
  const auto add = [&](const QString& file, const QString& run) {
    FollowedRun& r = runs[run];
    r.name = run;
    EventFile& f = r.files[file.toStdString()];
    f.path = file.toStdString();
  };
  if (!info.isDir()) {
    if (info.exists()) add(path, {});
    return;
  }
  const QDir root(path);
  // No name filters: with them, next() may scan a whole tree before it returns, and the search could not be stopped.
  QDirIterator it(path, QDir::Files | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
  while (it.hasNext() && !stopped()) {
    const QString file = it.next();
    if (!EventFollower::isEventFile(it.fileName())) continue;
    const QString folder = root.relativeFilePath(it.fileInfo().absolutePath());
    add(file, folder == QLatin1String(".") ? QString() : folder);
  }
}

bool EventFollower::Impl::isUnchanged(EventFile& file, const FileInfo& now) {
  if (file.offset == 0 && file.head.empty()) return true;
  if (now.inode != file.seen.inode || now.bytes < file.offset) return false;
  return now.modified == file.seen.modified || headOf(file.path).starts_with(file.head);
}

void EventFollower::Impl::readFile(FollowedRun& run, EventFile& file, const FileInfo& now, QString* problem) {
  if (!file.reader) {
    auto opened = EventReader::open(file.path);
    if (!opened.ok()) {
      *problem = errorText(opened.error());
      return;
    }
    file.reader = std::move(*opened);
    if (file.head.empty()) file.head = headOf(file.path);
  }
  Event event;
  while (!stopped()) {
    const uint64_t before = file.reader->offset();
    const auto got = file.reader->next(&event);
    if (!got.ok()) {
      *problem = FollowerWords::tr("%1 is damaged at byte %2 of %3; later events are not shown.")
                     .arg(QFileInfo(text(file.path)).fileName())
                     .arg(file.reader->offset())
                     .arg(now.bytes);
      file.failed = true;
      file.reader.reset();  // the damaged bytes are read again when the file has changed
      break;
    }
    if (!*got) break;
    if (before < file.offset) continue;  // already reported before the file was closed
    file.offset = file.reader->offset();
    if (task) task->progress.store((bytesRead + double(file.offset)) / std::max(1.0, bytesTotal), std::memory_order_relaxed);
    if (event.kind != Event::Kind::Summary) continue;
    SummaryBatch& b = open(run);
    const size_t first = b.items.size();
    run.decoder.add(event, b);
    for (size_t i = first; i < b.items.size(); ++i) batchBytes += bytesOf(b.items[i]);
    if (b.items.size() >= kBatchItems || batchBytes >= kBatchBytes) flush();
  }
  file.seen = now;
}

void EventFollower::Impl::read(FollowedRun& run) {
  QString problem;
  std::map<std::string, FileInfo> now;
  bool anew = false;
  for (auto& [path, file] : run.files) {
    const auto info = posixFileSystem().stat(path);
    if (!info.ok()) {
      problem = FollowerWords::tr("%1 was deleted; the events already read are kept.").arg(QFileInfo(text(path)).fileName());
      file.reader.reset();
      continue;
    }
    now[path] = *info;
    anew |= !isUnchanged(file, *info);
  }
  if (anew) {
    for (auto& [path, file] : run.files) {
      const std::string name = file.path;
      file = EventFile();
      file.path = name;
    }
    std::erase_if(run.files, [&](const auto& entry) { return !now.contains(entry.first); });
    run.decoder = SummaryDecoder();
    problem.clear();
    flush();
    open(run).restart = true;
  }
  for (auto& [path, file] : run.files) {
    const auto info = now.find(path);
    if (info == now.end() || stopped()) continue;
    const bool changed = info->second.bytes != file.seen.bytes || info->second.modified != file.seen.modified;
    if (changed || !file.head.size()) {
      file.failed = false;
      readFile(run, file, info->second, &problem);
      if (path != run.files.rbegin()->first) file.reader.reset();  // only the newest one is likely to grow
    } else if (file.failed) {
      problem = run.problem;
    }
    if (task) bytesRead += double(info->second.bytes);
  }
  if (problem != run.problem || !run.told) {
    SummaryBatch& b = open(run);
    b.problemChanged = problem != run.problem;
    b.problem = run.problem = problem;
    run.told = true;
  }
  flush();
}

QString EventFollower::readAll(TaskState& task) {
  impl_->task = &task;
  impl_->look();
  for (const auto& [name, run] : impl_->runs)
    for (const auto& [path, file] : run.files)
      if (const auto info = posixFileSystem().stat(path); info.ok()) impl_->bytesTotal += double(info->bytes);
  for (auto& [name, run] : impl_->runs) {
    if (!impl_->stopped()) impl_->read(run);
  }
  impl_->task = nullptr;
  if (!QFileInfo::exists(path_)) return FollowerWords::tr("%1 does not exist.").arg(path_);
  if (impl_->runs.empty()) return FollowerWords::tr("There are no event files (…tfevents…) in %1.").arg(path_);
  return {};
}

void EventFollower::follow() {
  impl_->thread = std::thread([impl = impl_.get()] {
    while (!impl->stop) {
      {
        const MutexLock lock(impl->mutex);
        if (!impl->stop) impl->wake.wait_for(impl->mutex, kPause);
        if (impl->stop) return;
      }
      // A tree that takes long to search is searched less often.
      const auto now = std::chrono::steady_clock::now();
      if (now >= impl->lookAgain) {
        impl->look();
        const auto took = std::chrono::steady_clock::now() - now;
        impl->lookAgain = now + 20 * took;
      }
      for (auto& [name, run] : impl->runs) {
        if (!impl->stopped()) impl->read(run);
      }
    }
  });
}

}  // namespace weft::app
