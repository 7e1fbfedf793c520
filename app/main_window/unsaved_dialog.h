#pragma once

#include <QDialog>
#include <QVector>
#include <functional>

class QListWidget;
class QPushButton;

namespace weft::app {

class Document;

/// Asks for each document with unsaved work whether it is saved; the others are discarded. Cancel changes nothing.
class UnsavedDialog : public QDialog {
  Q_OBJECT

 public:
  enum class Answer { Save, Discard, Cancel };
  UnsavedDialog(const QVector<Document*>& documents, QWidget* parent);
  Answer answer() const { return answer_; }
  /// Those to save, if the answer is Save.
  QVector<Document*> chosen() const;

 private:
  void showChoice();

  QVector<Document*> documents_;
  QListWidget* list_;
  QPushButton* save_;
  Answer answer_ = Answer::Cancel;
};

}  // namespace weft::app
