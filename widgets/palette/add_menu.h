#pragma once

#include <QFrame>

#include "palette/palette_model.h"

class QLabel;
class QLineEdit;
class QListView;

namespace weft::widgets {

/// The popup for adding a node at a point of the canvas: type, choose, Enter. Shift+Enter adds and stays open. It deletes itself when it closes. With a pending
/// wire, only fitting types are listed, best first, with the resulting shape. GUI thread.
class AddMenu : public QFrame {
  Q_OBJECT

 public:
  explicit AddMenu(QWidget* parent);

  PaletteModel* model() { return model_; }
  QLineEdit* field() { return field_; }
  QListView* list() { return list_; }
  /// `placeholder`: "Add after images:0"; `accepts`: "Accepts float32 50×28×28×1", empty without a wire.
  void setWords(const QString& placeholder, const QString& accepts);
  void popup(QPoint globalPos);

 signals:
  /// `parameters`: the text typed after the name.
  void chosen(const QString& type, const QString& parameters);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter(const QString& text);
  void choose(bool stay);
  void updateFoot();

  PaletteModel* model_;
  QLineEdit* field_;
  QListView* list_;
  QLabel *accepts_, *result_, *foot_;
};

}  // namespace weft::widgets
