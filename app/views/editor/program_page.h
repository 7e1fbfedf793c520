#pragma once

#include <QFileSystemWatcher>
#include <QPointer>
#include <QTimer>

#include "document/text_buffer.h"
#include "shell/view.h"

class QLabel;
class QToolButton;

namespace weft::widgets {
class CodeEditor;
class FindBar;
}  // namespace weft::widgets

namespace weft::app {

class CrumbBar;
class FileTab;
class FixStrip;

/// The page of a Python program: its editor, and above it the call-site scope of the line, with names and shapes, run and debug. GUI thread.
class ProgramPage : public QWidget, public TextEditing {
  Q_OBJECT

 public:
  ProgramPage(const ViewContext& context, FileTab* file, QWidget* parent);
  ~ProgramPage() override;

  widgets::CodeEditor* editor() const { return editor_; }
  QString text() const override;
  QString whyNot(const QString& command) const override;
  void perform(const QString& command) override;
  void saved() override;
  void replaceAll(const QString& text) override;
  void insert(const QString& lines) override;
  void goTo(int line) override;

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void build();
  void retranslate();
  void edited();
  void showNotes();
  void showPoints();
  void movePoints();
  void showStop();
  void showCrumbs();
  void showMarked();
  void stripClicked(int line, const QPoint& at, bool menu);
  void selectMadeAt(int line);
  void showMenu(const QPoint& at);
  void askForFix();
  void convert();
  void checkDisk();
  void askAboutDisk(bool refused);
  void keepMine();
  void saveMine();
  void compare();
  void reload();

  ViewContext context_;
  FileTab* file_;
  QPointer<TextBuffer> buffer_;
  widgets::CodeEditor* editor_;
  widgets::FindBar* find_;
  FixStrip* fix_;
  CrumbBar* crumbs_;
  QLabel *icon_, *kind_, *more_;
  QToolButton *names_, *run_, *debug_;
  QTimer soon_;
  QString asked_;  ///< The text of the file that the user was asked about.
  QFileSystemWatcher watcher_;
  bool notesStale_ = true, moving_ = false;
  bool kept_ = false;  ///< The user chose to keep this text over the file's.
};

}  // namespace weft::app
