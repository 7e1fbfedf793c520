#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>

namespace weft::widgets {
class GraphView;
}

namespace weft::app {

class Document;
class Workspace;

/// Prefix of the newest checkpoint of the document's last run, as recorded in TensorFlow's `checkpoint` file; empty: none.
QString newestCheckpoint(Workspace& workspace, const Document& document);

/// Tensors whose values are shown beside their nodes during composing: computed on one sample in a task, again after every edit. GUI thread.
class Probes : public QObject {
  Q_OBJECT

 public:
  Probes(Document* document, widgets::GraphView* canvas, Workspace& workspace);

  const QStringList& tensors() const { return tensors_; }
  /// Shows or hides the values of these tensors.
  void toggle(const QStringList& tensors);
  void clear();
  void setSample(qint64 sample);
  qint64 sample() const { return sample_; }
  /// Whether values are being computed.
  bool isBusy() const { return task_ != 0; }
  /// The shown values as `tensor: text`.
  QStringList shown() const { return shown_; }

 private:
  void compute();

  Document* document_;
  widgets::GraphView* canvas_;
  Workspace& workspace_;
  QStringList tensors_, shown_;
  QTimer soon_;
  qint64 sample_ = 0;
  int task_ = 0;
};

}  // namespace weft::app
