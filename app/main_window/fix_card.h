#pragma once

#include <QFrame>
#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"
#include "common/theme.h"

class QVBoxLayout;

namespace weft::app {

/// A problem at one place of the canvas, with its fixes.
struct FixNote {
  struct Fix {
    QString text;         ///< "Insert Flatten"
    QString result;       ///< "50×784"; may be empty
    QStringList command;  ///< an action and its words
  };
  Problem::Severity severity = Problem::Severity::Error;
  QString title;  ///< one sentence: the value and what was expected
  QString said;   ///< TensorFlow's message, for the tooltip
  QVector<Fix> fixes;
};

/// A card over the canvas: each note with its fixes as buttons, the first fix highlighted, and the keys below. It takes no focus.
class FixCard : public QFrame {
  Q_OBJECT

 public:
  explicit FixCard(QWidget* canvas);

  /// `applyKey` and `nextKey` are shown as given; an empty one is left out. `searching`: fixes are still being looked for.
  void setNotes(const QVector<FixNote>& notes, const QString& applyKey, const QString& nextKey, bool searching = false);
  const QVector<FixNote>& notes() const { return notes_; }
  /// Places the card beside `item` (in canvas coordinates), below it if there is room.
  void placeAt(const QRectF& item);

 signals:
  void chosen(const QStringList& command);
  void closeRequested();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void fill();
  void addNote(const FixNote& note, QVBoxLayout* column);
  QWidget* footer();

  QVector<FixNote> notes_;
  QString applyKey_, nextKey_;
  bool searching_ = false, marked_ = false;
  widgets::Theme::Kind shownIn_ = widgets::Theme::Kind::Light;
};

}  // namespace weft::app
