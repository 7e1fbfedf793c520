#include "adapters/training_server.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include "adapters/engine_graph.h"
#include "weft/session.h"

namespace weft::app {
namespace {

constexpr int kHighestPort = 65535;
const QString kGrpc = QStringLiteral("grpc://");

struct ServerWords {
  Q_DECLARE_TR_FUNCTIONS(TrainingServer)
};

}  // namespace

QString serverTarget(const QString& address) {
  // A name, an IPv4 address, or an IPv6 address in brackets; then the port.
  static const QRegularExpression pattern(QStringLiteral(R"(^(?:grpc://)?([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):([0-9]{1,5})$)"));
  const QRegularExpressionMatch match = pattern.match(address.trimmed());
  const int port = match.captured(2).toInt();
  if (!match.hasMatch() || port < 1 || port > kHighestPort) return {};
  return kGrpc + match.captured(1) + u':' + QString::number(port);
}

QString serverAddress(const QString& device) { return device.startsWith(kGrpc) ? device.mid(kGrpc.size()) : QString(); }

struct ServerCheck::Impl {
  SessionOptions options;
};

ServerCheck::ServerCheck(const QString& target) : impl_(std::make_unique<Impl>()) {
  impl_->options.target = target.toStdString();
  impl_->options.operationTimeoutMs = int64_t(kPatienceSeconds) * 1000;
}

ServerCheck::~ServerCheck() = default;

void ServerCheck::run() {
  const QString address = serverAddress(text(impl_->options.target));
  const auto session = Session::create(Graph(), impl_->options);
  if (!session.ok()) {
    const bool late = session.error().code == Code::DeadlineExceeded;
    error_ =
        late ? ServerWords::tr("%1 did not answer within %2 s. Check that a TensorFlow server listens there and that all tasks of its cluster have started.")
                   .arg(address)
                   .arg(kPatienceSeconds)
             : errorText(session.error());
    return;
  }
  for (const std::string& device : (*session)->devices()) devices_ << text(device);
  if (devices_.isEmpty()) error_ = ServerWords::tr("%1 answered, but did not list its devices.").arg(address);
}

void ServerCheck::cancel() { impl_->options.connecting.cancel(); }

}  // namespace weft::app
