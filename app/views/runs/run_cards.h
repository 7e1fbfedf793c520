#pragma once

#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVector>

namespace weft::app {

/// What the key of a run begins with that is none of a training.
inline const QString kEventsKey = QStringLiteral("events:");

/// Pixels left and right in a row, as the cells of lists have.
inline constexpr int kCellSide = 8;

/// What a run shows of itself in the list.
struct RunCard {
  QString key;      ///< As RunArchive::find() knows it; `events:5` for event files from elsewhere.
  QString name;     ///< `run 3`
  QString state;    ///< "running", "done · 1:14"
  QString what;     ///< Title, or what it was trained with; empty: nothing is known.
  QString numbers;  ///< Loss, accuracy, steps.
  QString note;     ///< First line of its notes.
  QString toolTip;
  int hue = -1;           ///< Number of its colour; -1: none yet.
  bool seen = false;      ///< Its curves are shown.
  bool hasCurves = true;  ///< Something to be shown.
  bool running = false, failed = false;
  bool operator==(const RunCard&) const = default;
};

/// Runs one beneath the other: eye, colour, name, state, numbers. One whose curves are hidden takes one line. A click on the eye shows
/// or hides the curves of a run, the space bar those of all that are selected. GUI thread.
class RunCards : public QTreeWidget {
  Q_OBJECT

 public:
  explicit RunCards(QWidget* parent);
  /// Keeps the selection and the place; rows that are the same are left as they are.
  void setCards(const QVector<RunCard>& cards);
  const QVector<RunCard>& cards() const { return cards_; }
  QString keyAt(const QTreeWidgetItem* item) const;
  /// In the order of the list.
  QStringList selectedKeys() const;
  void select(const QStringList& keys);
  /// Where the eye of a row is, in the viewport.
  QRect eyeRect(int row) const;
  /// Of all rows, or of as many as fill any dock.
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
