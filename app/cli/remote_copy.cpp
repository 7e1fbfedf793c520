#include "cli/remote_copy.h"

#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "support/remote_address.h"
#include "support/remote_mirror.h"
#include "support/sftp.h"
#include "support/ssh_channel.h"

namespace weft::cli {
namespace {

constexpr uint64_t kMostCopied = uint64_t(4) << 30;

std::string cacheFolder() {
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  return (cache && *cache ? std::string(cache) : std::string(home ? home : "/tmp") + "/.cache") + "/weft/remote";
}

}  // namespace

Result<RemoteCopy> copyFromRemote(const std::string& text) {
  WEFT_LET(RemoteAddress address, readRemoteAddress(text));
  SshOptions options;
  options.mayAsk = ::isatty(STDIN_FILENO) != 0;
  auto channel = SshChannel::start(address, options);
  if (!channel.ok()) return channel.error().code == Code::NotFound ? unavailable(sshFailureText(SshFailure::NoProgram, address, {})) : channel.error();
  Sftp sftp(**channel);
  const auto lost = [&](const Status& status) {
    if (status.code() != Code::Unavailable) return status.error();
    const std::string& messages = (*channel)->messages();
    return unavailable(sshFailureText(sshFailureOf(messages), address, sshMessageOf(messages)));
  };
  if (Status s = sftp.start(); !s.ok()) return lost(s);
  const auto path = sftp.realPath(address.path);
  if (!path.ok()) return lost(path.status());
  const auto found = sftp.stat(*path);
  if (!found.ok() && found.error().code != Code::NotFound) return lost(found.status());
  const std::string cache = cacheFolder();
  trimCache(cache, kMostCopied);
  RemoteCopy copy;
  WEFT_LET(copy.place, CachePlace::take(cache, address));
  copy.path = copy.place->files();
  MirrorOptions mirrored;
  mirrored.mostBytes = kMostCopied;
  std::string folder = *path;
  const size_t slash = path->rfind('/');
  const std::string name = path->substr(slash + 1);
  if (!found.ok()) {
    folder = path->substr(0, slash == 0 ? 1 : slash);
    mirrored.mostDepth = 0;
    mirrored.wants = [name](const std::string& file) { return file.starts_with(name + '.'); };
  }
  if (!found.ok() || found->kind != RemoteEntry::Kind::Folder) copy.path += '/' + name;
  RemoteMirror mirror(folder, copy.place->files(), std::move(mirrored));
  if (Status s = mirror.sync(sftp); !s.ok()) return lost(s);
  if (!mirror.state().problem.empty()) return failedPrecondition(mirror.state().problem);
  if (mirror.state().files == 0) return notFound(*path, found.ok() ? " is an empty folder" : " does not exist");
  return copy;
}

}  // namespace weft::cli
