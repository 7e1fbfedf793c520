#pragma once

#include <QObject>
#include <QTimer>
#include <QVariantMap>
#include <QVector>
#include <functional>
#include <memory>

namespace weft::app {

class Document;
class DocumentPage;
class Shell;
class Workspace;

/// Remembers the open documents with selection, open scopes, place and zoom, and brings them back at the next start. Also kept while the program
/// runs, so that a crash loses no more than the last moments.
class Session : public QObject {
  Q_OBJECT

 public:
  using PageOf = std::function<DocumentPage*(Document*)>;
  Session(Workspace& workspace, Shell& shell, PageOf pageOf, QObject* parent = nullptr);
  void remember();
  /// Opens what was remembered and is not open; says which files are gone. Returns how many are being opened.
  int restore();
  bool canRestore() const;

 private:
  void openFrom(const std::shared_ptr<QVector<QVariantMap>>& wanted, int index, const QString& current);
  Workspace& workspace_;
  Shell& shell_;
  PageOf pageOf_;
  QTimer timer_;
};

}  // namespace weft::app
