#include "main_window/probes.h"

#include <QDir>
#include <QFile>
#include <QPixmap>
#include <QPointer>
#include <QRegularExpression>

#include "adapters/tensor_probe.h"
#include "document/document.h"
#include "document/program_graphs.h"
#include "document/program_notes.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"

namespace weft::app {
namespace {

constexpr int kErrorWidth = 48, kMostError = 400;
constexpr int kProbeDelayMs = 150;  // typing a number changes the graph with every key

/// Wraps a text at about this many characters, for display beside a node.
QString wrapped(const QString& text, int width) {
  QString out;
  qsizetype line = 0;
  for (const QString& word : text.split(u' ')) {
    if (line > 0 && line + word.size() >= width) {
      out += u'\n';
      line = 0;
    } else if (!out.isEmpty()) {
      out += u' ';
      ++line;
    }
    out += word;
    line += word.size();
  }
  return out;
}

QString nodeOf(const QString& tensor) { return tensor.section(u':', 0, 0); }

}  // namespace

QString newestCheckpoint(Workspace& workspace, const Document& document) {
  const auto& runs = workspace.runs().runs();
  for (auto it = runs.rbegin(); it != runs.rend(); ++it) {
    if ((*it)->document != document.title() || (*it)->folder.isEmpty()) continue;
    for (const QString& folder : {(*it)->folder, (*it)->folder + QStringLiteral("/checkpoints")}) {
      QFile file(folder + QStringLiteral("/checkpoint"));
      if (!file.open(QIODevice::ReadOnly)) continue;
      static const QRegularExpression line(QStringLiteral("^model_checkpoint_path: \"([^\"]*)\""), QRegularExpression::MultilineOption);
      const auto match = line.match(QString::fromUtf8(file.readAll()));
      if (match.hasMatch()) return QDir(folder).absoluteFilePath(match.captured(1));
    }
  }
  return {};
}

Probes::Probes(Document* document, widgets::GraphView* canvas, Workspace& workspace)
    : QObject(canvas), document_(document), canvas_(canvas), workspace_(workspace) {
  soon_.setSingleShot(true);
  soon_.setInterval(kProbeDelayMs);
  connect(&soon_, &QTimer::timeout, this, &Probes::compute);
  connect(&workspace.programGraphs().notes(), &ProgramNotes::changed, this, [this] {
    if (!tensors_.isEmpty() && workspace_.programGraphs().numberOf(document_) > 0) soon_.start();
  });
  connect(document, &Document::contentsChanged, this, [this] {
    if (!tensors_.isEmpty()) soon_.start();
  });
}

void Probes::toggle(const QStringList& tensors) {
  for (const QString& tensor : tensors) {
    if (tensors_.removeOne(tensor)) canvas_->setPreview(nodeOf(tensor), {}, {});
    else tensors_ << tensor;
  }
  compute();
}

void Probes::clear() {
  tensors_.clear();
  shown_.clear();
  canvas_->clearPreviews();
}

void Probes::setSample(qint64 sample) {
  sample_ = sample;
  if (!tensors_.isEmpty()) compute();
}

void Probes::compute() {
  soon_.stop();
  if (task_ != 0) workspace_.tasks().cancel(task_);
  task_ = 0;
  tensors_.removeIf([this](const QString& tensor) {
    const bool gone = !document_->hasNode(nodeOf(tensor));
    if (gone) canvas_->setPreview(nodeOf(tensor), {}, {});
    return gone;
  });
  if (tensors_.isEmpty()) {
    shown_.clear();
    return;
  }
  struct Work {
    ProbeRequest request;
    QVector<ProbeResult> results;
    QString note;
  };
  auto work = std::make_shared<Work>();
  // The variables of a Python program are in its own process, so the last fetched values are shown.
  const ProgramNotes& notes = workspace_.programGraphs().notes();
  QStringList computed;
  shown_.clear();
  for (const QString& tensor : std::as_const(tensors_)) {
    const auto value = notes.valueOf(document_, tensor);
    if (!value) {
      computed << tensor;
      continue;
    }
    const QString type = (value->shape.isEmpty() ? tr("scalar") : value->shape) + u' ' + value->dtype;
    shown_ << tensor + QStringLiteral(": ") + value->words();
    canvas_->setPreview(nodeOf(tensor), {}, type + u'\n' + value->words() + u'\n' + tr("of run %1").arg(value->run));
  }
  if (computed.isEmpty()) return;
  const QStringList noted = shown_;
  work->request = {document_->contents(), computed, document_->folder(), newestCheckpoint(workspace_, *document_), sample_};
  for (const QString& tensor : std::as_const(computed)) canvas_->setPreview(nodeOf(tensor), {}, tr("computing…"));
  task_ = workspace_.tasks().start(
      tr("Live preview"), [work](TaskState&) { work->results = probeTensors(work->request, &work->note); },
      [this, guard = QPointer<Probes>(this), work, noted] {
        if (!guard) return;
        task_ = 0;
        shown_ = noted;
        for (const ProbeResult& result : std::as_const(work->results)) {
          if (!tensors_.contains(result.tensor)) continue;
          QString line = result.error.isEmpty() ? result.text : wrapped(result.error.left(kMostError), kErrorWidth);
          shown_ << result.tensor + QStringLiteral(": ") + line.replace(u'\n', u' ');
          const QString text = result.error.isEmpty() ? result.text + u'\n' + (result.note.isEmpty() ? work->note : result.note) : result.error;
          canvas_->setPreview(nodeOf(result.tensor), result.picture.isNull() ? QPixmap() : QPixmap::fromImage(result.picture), text);
        }
      });
}

}  // namespace weft::app
