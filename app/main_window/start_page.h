#pragma once

#include <QPointer>
#include <QVector>
#include <QWidget>
#include <memory>
#include <vector>

#include "main_window/recent_pictures.h"

class QGridLayout;
class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace weft::widgets {
class Theme;
}

namespace weft::app {

class ActionRegistry;
class Card;
class ThumbnailDrawing;
class Workspace;
struct OpenOutcome;

/// What is seen while no document is: recent files, graphs to start from with pictures of them, keys, this machine.
class StartPage : public QWidget {
  Q_OBJECT

 public:
  StartPage(Workspace& workspace, ActionRegistry& actions, QWidget* parent = nullptr);
  ~StartPage() override;
  /// Shows the file with a picture of it among the recent ones, when the list is next made.
  void keepPicture(const QString& path, const QPixmap& seen) {
    pictures_.keep(path, seen, devicePixelRatioF());
    rebuildWhenShown_ = true;
  }
  /// Whether all pictures are there.
  bool isComplete() const { return waiting_ == 0 && !building_ && !rebuildQueued_; }

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void rebuild();
  void build(int step);
  void makeLeft();
  void makeRecent();
  void makeRight();
  void makeCard(int index);
  Card* makeEmptyCard(QWidget* box);
  void loadTemplates();
  void take(const std::vector<OpenOutcome>& outcomes);
  void drawPictures();
  void drawSlice();
  void fillCard(qsizetype index);
  void arrangeCards();

  struct Thumbnails;
  Workspace& workspace_;
  ActionRegistry& actions_;
  std::unique_ptr<Thumbnails> thumbnails_;
  std::unique_ptr<ThumbnailDrawing> drawing_;
  const widgets::Theme* drawnIn_ = nullptr;
  QWidget* content_ = nullptr;
  QPointer<QWidget> left_, machineFacts_;
  QPointer<QScrollArea> leftScroll_;
  QGridLayout* cardGrid_ = nullptr;
  QVBoxLayout* right_ = nullptr;
  QVector<Card*> cards_;
  QVector<QLabel*> facts_;  ///< One for each card: its size, or why there is none.
  RecentPictures pictures_;
  int waiting_ = 0;
  bool rebuildWhenShown_ = false, loadStarted_ = false, rebuildQueued_ = false, building_ = false;
};

}  // namespace weft::app
