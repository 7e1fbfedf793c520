#pragma once

#include <QWidget>

#include "palette/palette_model.h"

class QLineEdit;
class QTreeView;
class QLabel;

namespace weft::widgets {

/// A search field over a PaletteModel. Typing filters, Up and Down select, Enter adds; items can be dragged out or double-clicked. GUI thread.
class PaletteView : public QWidget {
  Q_OBJECT

 public:
  explicit PaletteView(QWidget* parent = nullptr);

  PaletteModel* model() { return model_; }
  QLineEdit* field() { return field_; }
  QTreeView* tree() { return tree_; }
  /// Names of the open groups, for saving.
  QStringList openGroups() const;
  void setOpenGroups(const QStringList& titles);
  /// The selected type; empty: none.
  QString current() const;

 signals:
  /// Enter or a double-click.
  /// `parameters`: the text typed after the name.
  void chosen(const QString& type, const QString& parameters);
  /// From the context menu.
  void favouriteToggled(const QString& type);
  void helpRequested(const QString& type);
  void openGroupsChanged();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void filter(const QString& text);
  void showMenu(QPoint at);
  void retranslate();

  PaletteModel* model_;
  QLineEdit* field_;
  QTreeView* tree_;
  QLabel* nothing_;
  QStringList open_;  // open groups, saved while a search hides them
  bool restoring_ = false;
};

}  // namespace weft::widgets
