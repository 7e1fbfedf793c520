#pragma once

#include <QStringList>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QTreeWidget;

namespace weft::app {

class Document;

/// The page that begins a sweep: parameters of the document with their ranges, method, number of runs, rule for stopping.
class SweepForm : public QWidget {
  Q_OBJECT

 public:
  explicit SweepForm(QWidget* parent = nullptr);

  /// Lists the parameters of a document. Chosen ones, and their ranges, stay where the new document has them too. Null has none.
  void setDocument(const Document* document);
  /// Why no sweep can begin now; empty: one can.
  void setWhyNot(const QString& reason);
  void retranslate();

 signals:
  /// The words of sweep.start.
  void startAsked(const QStringList& words);

 private:
  void check();
  QStringList chosen() const;

  QTreeWidget* list_;
  QComboBox *method_, *stop_, *metric_;
  QSpinBox *runs_, *parallel_, *epochs_;
  QLabel *methodLabel_, *stopLabel_, *metricLabel_, *runsLabel_, *parallelLabel_, *epochsLabel_, *problem_;
  QPushButton* start_;
  QString whyNot_;
};

}  // namespace weft::app
