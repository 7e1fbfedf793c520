#pragma once

#include <QWidget>

#include "adapters/projection.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QTreeWidget;
class QVBoxLayout;

namespace weft::app {

/// Where points come from.
struct ProjectorSource {
  QString path;  ///< Empty: the training.
  QString tensor;
  bool isOutput = false;  ///< Of a layer, for the test samples.
  bool operator==(const ProjectorSource&) const = default;
};

/// The choices of a projection.
class ProjectorChoices : public QWidget {
  Q_OBJECT

 public:
  explicit ProjectorChoices(QWidget* parent = nullptr);
  /// Lists what can be shown; `shown` is the current one.
  void setSources(const QVector<ProjectorSource>& sources, const ProjectorSource& shown);
  void setColumns(const QStringList& columns, int current);
  void setHues(const LabelHues& hues, const std::function<QColor(int)>& colorOf);
  void setRunning(bool running, const QString& state);
  void setFollows(bool canFollow, bool follows);
  const ProjectionOptions& options() const { return options_; }
  void setOptions(const ProjectionOptions& options);

 signals:
  void sourceChosen(const weft::app::ProjectorSource& source);
  void optionsChanged();
  void runWanted();
  void stopWanted();
  void columnChosen(int column);
  void groupChosen(const QString& label);
  void searched(const QString& text);
  void followsChosen(bool follows);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void retranslate();
  void readOptions();
  void showOptions();

  ProjectionOptions options_;
  QVector<ProjectorSource> sources_;
  bool filling_ = false, running_ = false;
  QFormLayout* form_;
  QComboBox *source_, *method_, *dimensions_, *metric_, *column_;
  QDoubleSpinBox *perplexity_, *distance_;
  QSpinBox *neighbors_, *steps_;
  QPushButton* run_;
  QCheckBox* follow_;
  QLabel *state_, *names_[9];
  QLineEdit* search_;
  QTreeWidget* legend_;
};

/// The selected points and the neighbours of the current one.
class ProjectorSelection : public QWidget {
  Q_OBJECT

 public:
  explicit ProjectorSelection(QWidget* parent = nullptr);
  void setSelection(const ProjectedPointsPtr& points, const std::vector<int32_t>& rows, int current);
  void setNeighbors(const QVector<PointNeighbor>& neighbors, const QString& error);
  bool usesCosine() const;
  void setCosine(bool cosine);

 signals:
  void rowChosen(int row);
  void metricChanged();
  void cellWanted(int actual, int predicted);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void retranslate();
  void fill(QTreeWidget* list, const QVector<PointNeighbor>& rows, bool withDistance);

  ProjectedPointsPtr points_;
  int current_ = -1;
  qsizetype count_ = 0;
  QLabel *title_, *picture_, *about_, *neighborsTitle_;
  QPushButton* cell_;
  QComboBox* metric_;
  QTreeWidget *selected_, *neighbors_;
};

}  // namespace weft::app
