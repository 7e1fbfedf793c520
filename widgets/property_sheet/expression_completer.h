#pragma once

#include <QObject>
#include <QStringList>
#include <functional>

class QCompleter;
class QLineEdit;
class QStringListModel;

namespace weft::widgets {

/// Completes the word before the cursor of a field that holds an expression. Owned by the field. GUI thread.
class ExpressionCompleter : public QObject {
  Q_OBJECT

 public:
  /// `words` is asked when the user begins to type an expression. With `always`, the whole text is one, else one that begins with =.
  ExpressionCompleter(QLineEdit* field, std::function<QStringList()> words, bool always = false);

  /// The word before the cursor: its begin in the text, and what of it is typed.
  static QString wordAt(const QString& text, qsizetype cursor, qsizetype* begin);

 signals:
  /// A word was put in.
  void completed();

 private:
  void offer();
  void take(const QString& word);

  QLineEdit* field_;
  std::function<QStringList()> words_;
  bool always_;
  QCompleter* completer_ = nullptr;
  QStringListModel* model_ = nullptr;
};

}  // namespace weft::widgets
