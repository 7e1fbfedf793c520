#pragma once

#include <QWidget>

#include "adapters/file_projector.h"

class QLabel;
class QTableView;
class QTableWidget;

namespace weft::app {

class FileTab;

/// The page of a projector configuration: its embeddings, and the labels and pictures of the chosen one.
class ProjectorPage : public QWidget {
  Q_OBJECT

 public:
  ProjectorPage(FileTab* file, QWidget* parent);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void retranslate();
  void showLabels();

  FileProjectorPtr projector_;
  QLabel *problems_, *title_;
  QTableWidget* tensors_;
  QTableView* labels_;
};

}  // namespace weft::app
