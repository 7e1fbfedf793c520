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

/// The curves, histograms and pictures on the overview: the user's pins, in their order, or a default choice if there are none. Stored in the settings, and
/// with named layouts. Belongs to a workspace; GUI thread.
class Pins : public QObject {
  Q_OBJECT

 public:
  /// The workspace's pins; created on the first call.
  static Pins& of(Workspace& workspace);

  /// The pins shown now.
  QVector<Pin> shown() const;
  /// Whether the user chose them.
  bool isChosen() const { return chosen_; }
  bool contains(const Pin& pin) const { return shown().contains(pin); }
  QSet<QString> tagsOf(SummaryKind kind) const;
  /// Adds or removes a pin. The first call makes the shown default the user's own choice.
  void set(const Pin& pin, bool pinned);
  void move(const Pin& pin, int by);
  /// Returns to the default choice.
  void reset();

  /// The form in settings and layouts: "scalar loss"; empty: no choice was made. A list with one empty word: all were removed.
  QStringList words() const;
  void setWords(const QStringList& words);
  static QString kindWord(SummaryKind kind);
  /// False if the overview has no cards of that kind.
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
