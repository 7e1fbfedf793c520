#include "document/file_tab.h"

#include <QDir>
#include <QFileInfo>
#include <QTimer>
#include <numeric>

#include "adapters/tasks.h"
#include "document/text_buffer.h"
#include "weft/mutex.h"

namespace weft::app {
namespace {
constexpr int kFactsMs = 100;
}

/// Results of the worker that the GUI has not taken yet.
struct FileTab::FactsJob {
  Mutex mutex;
  QVector<QPair<int, TensorFacts>> found WEFT_GUARDED_BY(mutex);
};

FileTab::FileTab(FileContentsPtr contents, Tasks& tasks, QObject* parent)
    : QObject(parent), contents_(std::move(contents)), tasks_(tasks), factsTimer_(new QTimer(this)) {
  factsTimer_->setInterval(kFactsMs);
  connect(factsTimer_, &QTimer::timeout, this, &FileTab::drainFacts);
  if (contents_->kind == QLatin1String("python")) text_ = new TextBuffer(contents_->text, this);
  if (!tensors()) return;
  facts_.resize(tensors()->entries().size());
  for (const TensorEntry& e : tensors()->entries()) {
    totalElements_ += e.elements;
    totalBytes_ += std::max<qint64>(0, e.bytes);
  }
}

FileTab::~FileTab() {
  for (const int task : {valuesTask_, factsTask_, compareTask_})
    if (task) tasks_.cancel(task);
}

bool FileTab::holdsVariables() const {
  return contents_->kind.startsWith(QLatin1String("checkpoint")) || contents_->kind.startsWith(QLatin1String("keras")) ||
         contents_->kind == QLatin1String("savedmodel");
}

QString FileTab::title() const {
  const QFileInfo info(path());
  // A SavedModel's folder name is often only a number.
  if (info.isDir() && contents_->kind == QLatin1String("savedmodel")) return QFileInfo(info.path()).fileName() + u'/' + info.fileName();
  return info.fileName() + (text_ && text_->isModified() ? QStringLiteral("*") : QString());
}

QString FileTab::openPath() const { return contents_->parts.isEmpty() ? path() : contents_->parts.first().path; }

QString FileTab::variables() const { return variablesOf(*contents_); }

void FileTab::select(int index) {
  if (!tensors() || index >= tensors()->entries().size()) index = -1;
  if (index == selection_) return;
  selection_ = index;
  readValues();
  emit selectionChanged();
}

void FileTab::setScope(const QString& scope) {
  if (scope == scope_) return;
  scope_ = scope;
  emit scopeChanged();
}

void FileTab::readValues() {
  if (valuesTask_) tasks_.cancel(valuesTask_);
  valuesTask_ = 0;
  values_ = otherValues_ = difference_ = nullptr;
  valuesError_.clear();
  emit valuesChanged();
  if (selection_ < 0) return;
  const TensorEntry& entry = tensors()->entries()[selection_];
  const FileTensorsPtr here = tensors(), there = comparison_ ? comparison_->other : nullptr;
  int other = there ? there->indexOf(entry.name) : -1;
  if (other >= 0 && (there->entries()[other].shape != entry.shape || there->entries()[other].dtype != entry.dtype)) other = -1;
  struct Found {
    TensorSourcePtr here, there, difference;
    QString error;
  };
  auto found = std::make_shared<Found>();
  valuesTask_ = tasks_.start(
      tr("Reading %1").arg(entry.name),
      [here, there, index = selection_, other, found](TaskState& task) {
        const TensorRead first = here->read(index);
        found->error = first.error;
        found->here = sourceOf(first.data, task);
        if (other < 0 || task.cancelled) return;
        const TensorRead second = there->read(other);
        found->there = sourceOf(second.data, task);
        found->difference = differenceSource(first.data, second.data, task);
      },
      [this, found] {
        valuesTask_ = 0;
        values_ = found->here;
        otherValues_ = found->there;
        difference_ = found->difference;
        valuesError_ = found->error;
        emit valuesChanged();
      },
      [this] { valuesTask_ = 0; });
}

void FileTab::computeFacts() {
  if (!tensors() || factsTask_ || factsKnown_ == facts_.size()) return;
  std::vector<int> order;
  for (int i = 0; i < facts_.size(); ++i)
    if (!facts_[i].known && facts_[i].error.isEmpty()) order.push_back(i);
  if (order.empty()) return;
  const auto& entries = tensors()->entries();
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return entries[a].elements < entries[b].elements; });
  factsJob_ = std::make_shared<FactsJob>();
  factsTask_ = tasks_.start(
      tr("Statistics of %1").arg(title()),
      [job = factsJob_, order, source = tensors()](TaskState& task) {
        double total = 1, done = 0;
        for (const int i : order) total += double(source->entries()[i].elements) + 1;
        for (const int i : order) {
          if (task.cancelled) return;
          const TensorRead read = source->read(i);
          TensorFacts facts;
          if (read.data) facts = read.data->facts(task);
          else facts.error = read.error;
          if (task.cancelled) return;
          done += double(source->entries()[i].elements) + 1;
          task.progress.store(done / total, std::memory_order_relaxed);
          const MutexLock lock(job->mutex);
          job->found.append({i, facts});
        }
      },
      [this] {
        drainFacts();
        factsTimer_->stop();
        factsTask_ = 0;
        emit factsArrived({});
      },
      [this] {
        drainFacts();
        factsTimer_->stop();
        factsTask_ = 0;
        emit factsArrived({});
      });
  factsTimer_->start();
  emit factsArrived({});
}

void FileTab::cancelFacts() {
  if (factsTask_) tasks_.cancel(factsTask_);
}

void FileTab::drainFacts() {
  QVector<QPair<int, TensorFacts>> found;
  {
    const MutexLock lock(factsJob_->mutex);
    found.swap(factsJob_->found);
  }
  if (found.isEmpty()) return;
  QVector<int> indices;
  for (const auto& [index, facts] : std::as_const(found)) {
    facts_[index] = facts;
    ++factsKnown_;
    indices << index;
  }
  emit factsArrived(indices);
}

void FileTab::compareWith(const QString& path, Done done) {
  if (!tensors()) {
    if (done) done(tr("%1 has no tensors to compare.").arg(title()));
    return;
  }
  if (compareTask_) tasks_.cancel(compareTask_);
  const QString absolute = QDir::cleanPath(QFileInfo(path).absoluteFilePath());
  auto result = std::make_shared<std::shared_ptr<FileComparison>>();
  auto error = std::make_shared<QString>();
  compareTask_ = tasks_.start(
      tr("Comparing %1 with %2").arg(title(), QFileInfo(path).fileName()),
      [here = tensors(), absolute, result, error](TaskState& task) {
        QString prefix;
        const FileTensorsPtr there = openTensors(absolute, &prefix, error.get());
        if (there && !task.cancelled) *result = compareTensors(*here, there, prefix, task);
      },
      [this, result, error, done] {
        compareTask_ = 0;
        if (*result) {
          comparison_ = *result;
          readValues();
        }
        emit comparisonChanged();
        if (done) done(*error);
      },
      [this, done] {
        compareTask_ = 0;
        emit comparisonChanged();
        if (done) done(tr("The comparison was cancelled."));
      });
  emit comparisonChanged();
}

void FileTab::endComparison() {
  if (compareTask_) tasks_.cancel(compareTask_);
  if (!comparison_) return;
  comparison_ = nullptr;
  readValues();
  emit comparisonChanged();
}

}  // namespace weft::app
