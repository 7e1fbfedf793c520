#pragma once

#include <QFrame>
#include <QWidget>
#include <memory>
#include <vector>

class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace weft::widgets {
class Theme;
}

namespace weft::app {

class ActionRegistry;
class Workspace;
struct OpenOutcome;

/// A button that looks like a card: picture, title, lines of text.
class Card : public QFrame {
  Q_OBJECT

 public:
  explicit Card(QWidget* parent = nullptr);

 signals:
  void clicked();

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
};

/// What is seen while no document is: recent files, graphs to start from with pictures of them, keys, this machine.
class StartPage : public QWidget {
  Q_OBJECT

 public:
  StartPage(Workspace& workspace, ActionRegistry& actions, QWidget* parent = nullptr);
  ~StartPage() override;
  /// Whether all pictures are there.
  bool isComplete() const { return waiting_ == 0; }

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void rebuild();
  QWidget* makeLeft();
  QWidget* makeRight();
  QWidget* makeRecent();
  QWidget* makeTemplates();
  QWidget* makeFacts();
  void loadTemplates();
  void drawNext(std::shared_ptr<std::vector<OpenOutcome>> outcomes, size_t index);
  void arrangeCards();

  struct Thumbnails;
  Workspace& workspace_;
  ActionRegistry& actions_;
  std::unique_ptr<Thumbnails> thumbnails_;
  const widgets::Theme* drawnIn_ = nullptr;
  QWidget* content_ = nullptr;
  QGridLayout* cardGrid_ = nullptr;
  QVector<Card*> cards_;
  int waiting_ = 0;
  bool loadStarted_ = false, rebuildQueued_ = false;
};

}  // namespace weft::app
