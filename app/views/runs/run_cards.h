#pragma once

#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVector>

namespace weft::app {

/// Prefix of the keys of runs that are not trainings.
inline const QString kEventsKey = QStringLiteral("events:");

/// Horizontal padding of a row, as in cells of lists.
inline constexpr int kCellSide = 8;

/// The facts on a run shown in the list.
struct RunCard {
  QString key;      ///< Key for RunArchive::find(); `events:5` for event files from elsewhere.
  QString name;     ///< `run 3`
  QString state;    ///< "running", "done · 1:14"
  QString what;     ///< Title, or training settings; empty: unknown.
  QString numbers;  ///< Loss, accuracy, steps.
  QString note;     ///< First line of its notes.
  QString toolTip;
  int hue = -1;           ///< Index of its colour; -1: none yet.
  bool seen = false;      ///< Its curves are shown.
  bool hasCurves = true;  ///< Whether it has curves to show.
  bool running = false, failed = false;
  bool operator==(const RunCard&) const = default;
};

/// A list of runs: eye, colour, name, state, numbers. A run with hidden curves takes one line. A click on the eye toggles the curves of a run, the space bar
/// those of all selected runs. GUI thread.
class RunCards : public QTreeWidget {
  Q_OBJECT

 public:
  explicit RunCards(QWidget* parent);
  /// Keeps the selection and the scroll position; unchanged rows are left as they are.
  void setCards(const QVector<RunCard>& cards);
  const QVector<RunCard>& cards() const { return cards_; }
  QString keyAt(const QTreeWidgetItem* item) const;
  /// In the order of the list.
  QStringList selectedKeys() const;
  void select(const QStringList& keys);
  /// The rectangle of a row's eye, in the viewport.
  QRect eyeRect(int row) const;
  /// Height of all rows, or of as many as fill any dock.
  int contentHeight() const;
  void retranslate();

 signals:
  void eyeClicked(const QStringList& keys, bool show);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  void toggle(QTreeWidgetItem* item, bool allSelected);

  QVector<RunCard> cards_;
};

}  // namespace weft::app
