#pragma once

#include <QPointer>
#include <QVector>
#include <QWidget>
#include <memory>

#include "main_window/recent_pictures.h"

class QGridLayout;
class QScrollArea;
class QVBoxLayout;

namespace weft::widgets {
class Theme;
}

namespace weft::app {

class ActionRegistry;
class Card;
class Workspace;

/// The page without a document: recent files, templates with pictures, keys, facts on this machine.
class StartPage : public QWidget {
  Q_OBJECT

 public:
  StartPage(Workspace& workspace, ActionRegistry& actions, QWidget* parent = nullptr);
  ~StartPage() override;
  /// Shows this picture with the file among the recent ones, when the list is next made.
  void keepPicture(const QString& path, const QPixmap& seen) {
    pictures_.keep(path, seen, devicePixelRatioF());
    rebuildWhenShown_ = true;
  }
  /// Whether it is completely built.
  bool isComplete() const { return !building_ && !rebuildQueued_; }

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
  QWidget* makeSmallOnes(QWidget* parent);
  void arrangeCards();

  Workspace& workspace_;
  ActionRegistry& actions_;
  const widgets::Theme* drawnIn_ = nullptr;
  QWidget* content_ = nullptr;
  QPointer<QWidget> left_, machineFacts_;
  QPointer<QScrollArea> leftScroll_;
  QGridLayout* cardGrid_ = nullptr;
  QVBoxLayout* right_ = nullptr;
  QVector<Card*> cards_;
  RecentPictures pictures_;
  bool rebuildWhenShown_ = false, searchStarted_ = false, rebuildQueued_ = false, building_ = false;
};

}  // namespace weft::app
