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

/// Remembers the open documents with selection, open scopes, position and zoom, and restores them at the next start. Also saved at run time, so that a crash
/// loses only the last moments.
class Session : public QObject {
  Q_OBJECT

 public:
  using PageOf = std::function<DocumentPage*(Document*)>;
  Session(Workspace& workspace, Shell& shell, PageOf pageOf, QObject* parent = nullptr);
  void remember();
  /// Opens the remembered documents that are not open; reports deleted files. Returns how many are being opened.
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
