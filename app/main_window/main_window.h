#pragma once

#include <QHash>
#include <QMainWindow>
#include <QMap>
#include <memory>

#include "document/workspace.h"
#include "main_window/language.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

class QDockWidget;
class QStackedWidget;
class QTabBar;

namespace weft::app {

class DocumentPage;
class FileTab;
class FileWatch;
class FindField;
class MessageBar;
class MessagePlace;
class ModeBar;
class Notifier;
class PendingInputCommitter;
class RunBar;
struct MenuRecord;
class Session;
class StartPage;
class StatusBar;
class SystemTheme;

/// The frame: menus and bars made from the registry, docks made from the ViewRecords, documents in the middle. It knows no view by name.
class MainWindow : public QMainWindow, public Shell {
  Q_OBJECT

 public:
  explicit MainWindow(Settings::Kind settings, QWidget* parent = nullptr);
  ~MainWindow() override;

  Workspace& workspace() { return workspace_; }
  ActionRegistry& actionRegistry() { return actions_; }

  QWidget* window() override { return this; }
  widgets::GraphView* canvas() override;
  QStringList viewIds() const override;
  bool isViewVisible(const QString& id) const override;
  bool isViewOpen(const QString& id) const override;
  void showView(const QString& id, bool show = true) override;
  QWidget* viewWidget(const QString& id) const override;
  void setViewBadge(const QString& id, const QString& badge) override;
  bool isViewFloating(const QString& id) const override;
  void setViewFloating(const QString& id, bool floating) override;
  QStringList layouts() const override;
  QString layout() const override { return mode_; }
  void useLayout(const QString& mode) override;
  void resetLayout() override;
  QStringList namedLayouts() const override;
  void saveLayout(const QString& name) override;
  bool useNamedLayout(const QString& name) override;
  void removeLayout(const QString& name) override;
  void focusPane(int step) override;
  void showStartPage() override;
  bool isStartPageShown() const override;
  void showError(const QString& message) override;
  void showMessage(const Message& message) override;
  void withdrawMessage(const QString& key) override;
  void notify(const QString& text) override;
  void showHelp(const QString& page) override;
  QString language() const override { return language_.choice(); }
  void setLanguage(const QString& language) override;
  QString theme() const override { return const_cast<Workspace&>(workspace_).settings().get(QStringLiteral("ui/theme")).toString(); }
  void setTheme(const QString& theme) override;
  /// The error shown in the message bar; empty: none.
  QString shownError() const;
  /// All texts in the message bar, newest first; the next function presses a button of the newest.
  QStringList shownMessages() const;
  bool pressMessageButton(const QString& text);
  Session& session() { return *session_; }
  FileWatch& fileWatch() { return *fileWatch_; }
  const Notifier& notifier() const { return *notifier_; }
  /// Shows what a start without files shows: the last session's documents, and for new users an offer of the tour.
  void begin();
  /// Whether the start page has finished drawing and loading (for pictures in scripts).
  bool isSettled() const;

 protected:
  bool event(QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  static constexpr int kLayoutVersion = 2;  // of the remembered arrangements; other versions are ignored
  void buildBars();
  void buildMenus();
  void buildDocks();
  void buildMiddle();
  void connectState();
  void keepPicture(DocumentPage* page);
  void addPage(Document* document);
  void removePage(Document* document);
  void addFilePage(FileTab* file);
  void removeFilePage(FileTab* file);
  void removeTab(const QObject* shown);
  /// Opens files; `compare`: compares the single file with the one in front. Offers a comparison for two files that can be compared.
  void openDropped(const QStringList& paths, bool compare);
  /// The Document or FileTab in front, or null.
  QObject* front() const;
  void showCurrent();
  void showRunBar();
  void applyDefaultLayout();
  void sizeDocks();
  void updateDockTitles();
  void updateTitle();
  void applyTheme();
  void applySetting(const QString& key);
  void applyKeys();
  void retranslate();
  void showFindHint();
  void fillMenu(QMenu* menu, const MenuRecord& record);
  void fillRecentMenu();
  void fillLayoutMenu();
  void restoreMode();
  QVariantMap arrangement() const;
  bool restoreArrangement(const QVariantMap& kept);
  void bringDocksOnScreen();
  void rememberLayout();

  Workspace workspace_;
  ActionRegistry actions_;
  Language language_;
  QString mode_ = QStringLiteral("compose");
  SystemTheme* systemTheme_;
  RunBar* runBar_ = nullptr;
  ModeBar* modeBar_ = nullptr;
  StatusBar* statusBar_ = nullptr;
  MessageBar* message_ = nullptr;
  MessagePlace* messagePlace_ = nullptr;
  Session* session_ = nullptr;
  FileWatch* fileWatch_ = nullptr;
  Notifier* notifier_ = nullptr;
  PendingInputCommitter* pendingInput_ = nullptr;
  FindField* findField_ = nullptr;
  QTabBar* tabs_ = nullptr;
  QStackedWidget* stack_ = nullptr;
  StartPage* start_ = nullptr;
  QMenu *recentMenu_ = nullptr, *layoutMenu_ = nullptr;
  QList<QPair<QMenu*, const char*>> menus_;
  QHash<Document*, DocumentPage*> pages_;
  QHash<FileTab*, QWidget*> filePages_;
  QHash<QString, QDockWidget*> docks_;
  QHash<QString, QWidget*> views_;                        // in the docks
  QMap<Qt::DockWidgetArea, QList<QDockWidget*>> firsts_;  // of each side; the initial size is applied to it
  QHash<QString, QString> badges_;
  bool startShown_ = true, mayClose_ = false, sizesPending_ = false;
  int comingDocks_ = 0;  // docks that showCurrent() still has to show
};

}  // namespace weft::app
