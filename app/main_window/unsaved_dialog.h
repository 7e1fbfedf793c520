#pragma once

#include <QDialog>
#include <QPointer>
#include <QVector>
#include <functional>

class QListWidget;
class QPushButton;

namespace weft::app {

class Document;

/// Asks which documents with unsaved work to save; the others are discarded. Cancel changes nothing.
class UnsavedDialog : public QDialog {
  Q_OBJECT

 public:
  enum class Answer { Save, Discard, Cancel };
  UnsavedDialog(const QVector<Document*>& documents, QWidget* parent);
  Answer answer() const { return answer_; }
  /// The documents to save, if the answer is Save.
  QVector<QPointer<Document>> chosen() const;

 private:
  void showChoice();

  QVector<QPointer<Document>> documents_;  ///< QPointers, because a program or a changed file may replace a document meanwhile.
  QListWidget* list_;
  QPushButton* save_;
  Answer answer_ = Answer::Cancel;
};

}  // namespace weft::app
