#include "main_window/unsaved_dialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include "document/document.h"
#include "shell/dialog_parts.h"

namespace weft::app {

UnsavedDialog::UnsavedDialog(const QVector<Document*>& documents, QWidget* parent) : QDialog(parent), documents_(documents.begin(), documents.end()) {
  setObjectName(QStringLiteral("unsaved_dialog"));
  setWindowTitle(tr("Unsaved work"));
  auto* layout = dialogColumn(this, 12);
  auto* text = new QLabel(documents.size() == 1
                              ? tr("%1 has unsaved changes.").arg(documents[0]->title())
                              : tr("%n documents have unsaved changes. Ticked ones are saved, the others are discarded.", nullptr, int(documents.size())),
                          this);
  text->setWordWrap(true);
  layout->addWidget(text);
  list_ = new QListWidget(this);
  list_->setAccessibleName(tr("Documents with unsaved changes"));
  for (Document* document : documents) {
    auto* item = new QListWidgetItem(document->title(), list_);
    item->setToolTip(document->path().isEmpty() ? tr("Not saved yet") : document->path());
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(Qt::Checked);
  }
  list_->setVisible(documents.size() > 1);
  layout->addWidget(list_);
  auto* buttons = new QDialogButtonBox(this);
  save_ = buttons->addButton(tr("&Save"), QDialogButtonBox::AcceptRole);
  save_->setDefault(true);
  QPushButton* discard = buttons->addButton(tr("&Discard"), QDialogButtonBox::DestructiveRole);
  QPushButton* cancel = buttons->addButton(tr("&Cancel"), QDialogButtonBox::RejectRole);
  layout->addWidget(buttons);
  setMinimumWidth(440);
  connect(list_, &QListWidget::itemChanged, this, &UnsavedDialog::showChoice);
  connect(save_, &QPushButton::clicked, this, [this] {
    answer_ = Answer::Save;
    accept();
  });
  connect(discard, &QPushButton::clicked, this, [this] {
    answer_ = Answer::Discard;
    accept();
  });
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
}

void UnsavedDialog::showChoice() { save_->setEnabled(!chosen().isEmpty()); }

QVector<QPointer<Document>> UnsavedDialog::chosen() const {
  QVector<QPointer<Document>> documents;
  for (int i = 0; i < list_->count(); ++i) {
    if (list_->item(i)->checkState() == Qt::Checked && documents_[i]) documents << documents_[i];
  }
  return documents;
}

}  // namespace weft::app
