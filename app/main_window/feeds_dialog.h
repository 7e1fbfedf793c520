#pragma once

#include <QDialog>
#include <QMap>
#include <QVector>

#include "adapters/debug_feeds.h"
#include "document/debug_controller.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;
class QToolButton;

namespace weft::app {

class Document;
class Settings;

/// Chooses what a debugged run computes and how each needed placeholder is fed: a value, zeros, ones, random numbers, a file, or rows of the document's data
/// set.
class FeedsDialog : public QDialog {
  Q_OBJECT

 public:
  /// `settings`: for the folders offered by the file dialog. Both outlive the dialog.
  FeedsDialog(Document* document, const DebugController::RunInputs& runInputs, const Settings& settings, QWidget* parent = nullptr);

  /// The choice; complete once the dialog was accepted.
  DebugController::RunInputs runInputs() const;

 private:
  enum class Source { Value, Zeros, Ones, Random, Normal, Sample, File };
  struct Row {
    FeedSlot slot;
    QComboBox* source = nullptr;
    QLineEdit* text = nullptr;
    QToolButton* browse = nullptr;
    Source shown = Source::Value;  ///< The source that `text` belongs to.
  };

  void fillRows();
  void showRow(int row);
  void choose(int row);
  void check();
  QStringList fetches() const;
  QString feedOf(const Row& row) const;

  Document* document_;
  const Settings& settings_;
  QLineEdit* fetches_;
  QTableWidget* table_;
  QLabel *hint_, *error_;
  QPushButton* start_;
  QVector<Row> rows_;
  QMap<QString, QMap<Source, QString>> typed_;  ///< Texts by tensor and source, restored when that source is chosen again.
  QMap<QString, QString> known_;                ///< Feed words by tensor, including those of rows that are not needed now.
};

}  // namespace weft::app
