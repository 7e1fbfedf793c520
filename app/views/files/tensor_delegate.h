#pragma once

#include "common/padded_delegate.h"

namespace weft::app {

/// Draws names (last part first, then the scope in a quiet colour), small histograms and change bars in a table of tensors.
class TensorDelegate : public widgets::PaddedDelegate {
  Q_OBJECT

 public:
  using PaddedDelegate::PaddedDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace weft::app
