#pragma once

#include <QObject>
#include <QSet>
#include <QString>
#include <QStringList>
#include <QVector>

#include "document/summaries.h"

namespace weft::app {

class Workspace;

/// A card on the overview of a training.
struct Pin {
  SummaryKind kind = SummaryKind::Scalar;
  QString tag;
  bool operator==(const Pin&) const = default;
};

/// Which curves, histograms and pictures stand on the overview: those that the user pinned, in that order, and until then a choice of what there is.
/// Kept in the settings, and with layouts that the user named. Belongs to a workspace; GUI thread.
class Pins : public QObject {
  Q_OBJECT

 public:
  /// The workspace's; made when first asked for.
  static Pins& of(Workspace& workspace);

  /// Those that are shown now.
  QVector<Pin> shown() const;
  /// Whether the user chose them.
  bool isChosen() const { return chosen_; }
  bool contains(const Pin& pin) const { return shown().contains(pin); }
  QSet<QString> tagsOf(SummaryKind kind) const;
  /// The first one takes what is shown as the user's own choice.
  void set(const Pin& pin, bool pinned);
  void move(const Pin& pin, int by);
  /// A choice of what there is, again.
  void reset();

  /// As settings and layouts keep them: "scalar loss"; empty: nothing was chosen. A list with one empty word: everything was taken off.
  QStringList words() const;
  void setWords(const QStringList& words);
  static QString kindWord(SummaryKind kind);
  /// False if no card on the overview is of that kind.
  static bool kindOf(const QString& word, SummaryKind* kind);

 signals:
  void changed();

 private:
  explicit Pins(Workspace& workspace);
  QVector<Pin> automatic() const;
  void keep();

  Workspace& workspace_;
  QVector<Pin> pins_;
  bool chosen_ = false;
};

}  // namespace weft::app
