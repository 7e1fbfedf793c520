#pragma once

#include <QString>
#include <QVector>
#include <vector>

namespace weft::app {

/// What somebody typed to find something. Words are separated by blanks; each must be found, in any order, as it is or with other letters between.
class FuzzyPattern {
 public:
  explicit FuzzyPattern(const QString& text);
  bool isEmpty() const { return words_.empty(); }

  /// How well `text` fits: 0 not at all, else more is better. First comes the very name that was typed, then what begins with it; of the others, letters
  /// in a row, beginnings of words (`_`, `/`, capitals) and the last part of a name count more. Linear in the length of the text, without memory: tens of thousands of names take milliseconds.
  int score(QStringView text) const;
  /// Places of the letters that were found, sorted.
  QVector<int> matches(QStringView text) const;

 private:
  QString whole_;  // both in small letters
  std::vector<QString> words_;
};

}  // namespace weft::app
