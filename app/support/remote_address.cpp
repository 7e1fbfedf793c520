#include "support/remote_address.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>

namespace weft {
namespace {

constexpr std::string_view kScheme = "sftp://", kHome = "/~/";
constexpr int kMostPort = 65535;

Error wrong(const std::string& message) { return invalidArgument(message); }

/// Characters that a shell or ssh's own expansions (%h) could take for something else are no part of names.
bool isWord(const std::string& text, std::string_view more) {
  return !text.empty() && text[0] != '-' && std::all_of(text.begin(), text.end(), [more](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80 || more.find(c) != std::string_view::npos;
  });
}

int hexOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = char(std::tolower(static_cast<unsigned char>(c)));
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string decoded(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hexOf(text[i + 1]) >= 0 && hexOf(text[i + 2]) >= 0) {
      out.push_back(char(hexOf(text[i + 1]) * 16 + hexOf(text[i + 2])));
      i += 2;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

std::string encoded(const std::string& path) {
  std::string out;
  for (size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '%' && i + 2 < path.size() && hexOf(path[i + 1]) >= 0 && hexOf(path[i + 2]) >= 0) out += "%25";
    else out.push_back(path[i]);
  }
  return out;
}

std::string lower(std::string text) {
  for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

void addHost(std::vector<std::string>& hosts, const std::string& host) {
  if (isWord(host, "._-:") && std::find(hosts.begin(), hosts.end(), host) == hosts.end()) hosts.push_back(host);
}

}  // namespace

std::string RemoteAddress::hostText() const {
  std::string text = user.empty() ? host : user + '@';
  if (!user.empty()) text += host;
  if (port != 0) text = (user.empty() ? "" : user + '@') + (host.find(':') != std::string::npos ? '[' + host + ']' : host) + ':' + std::to_string(port);
  return text;
}

std::string RemoteAddress::text() const {
  std::string where = hostText();
  if (port == 0 && host.find(':') != std::string::npos) where = (user.empty() ? "" : user + '@') + '[' + host + ']';
  return std::string(kScheme) + where + (path.starts_with('/') ? "" : std::string(kHome)) + encoded(path);
}

bool isRemoteAddress(const std::string& text) { return text.starts_with(kScheme); }

Status checkRemoteAddress(const RemoteAddress& address) {
  if (address.host.empty()) return wrong("the host is missing");
  if (!isWord(address.host, "._-:")) return wrong("\"" + address.host + "\" is not the name of a host");
  if (!address.user.empty() && !isWord(address.user, "._-+@\\$")) return wrong("\"" + address.user + "\" is not the name of a user");
  if (address.port < 0 || address.port > kMostPort) return wrong("port " + std::to_string(address.port) + " is not between 1 and 65535");
  if (address.path.find('\0') != std::string::npos || address.path.find('\n') != std::string::npos) return wrong("the path contains a line break");
  return {};
}

Result<RemoteAddress> readRemoteAddress(const std::string& text) {
  RemoteAddress address;
  std::string where;
  if (isRemoteAddress(text)) {
    const std::string rest = text.substr(kScheme.size());
    const size_t slash = rest.find('/');
    where = rest.substr(0, slash);
    address.path = slash == std::string::npos ? std::string() : rest.substr(slash);
    if (address.path.starts_with(kHome)) address.path.erase(0, kHome.size());
    else if (address.path == "/~") address.path.clear();
    address.path = decoded(address.path);
  } else {
    const size_t bracket = text.find(']');
    const size_t colon = text.find(':', bracket == std::string::npos ? 0 : bracket);
    if (colon == std::string::npos || text.find('/') < colon) return wrong("expected sftp://user@host/folder or user@host:folder, got \"" + text + "\"");
    where = text.substr(0, colon);
    address.path = text.substr(colon + 1);
  }
  if (const size_t at = where.rfind('@'); at != std::string::npos) {
    address.user = where.substr(0, at);
    where.erase(0, at + 1);
    if (address.user.empty()) return wrong("the user before @ is missing in \"" + text + "\"");
    if (address.user.find(':') != std::string::npos) return wrong("a password does not belong into an address; ssh asks for it");
  }
  std::string port;
  if (where.starts_with('[')) {
    const size_t end = where.find(']');
    if (end == std::string::npos) return wrong("] is missing in \"" + text + "\"");
    address.host = where.substr(1, end - 1);
    port = where.substr(end + 1);
    if (!port.empty() && port[0] != ':') return wrong("expected a port after ] in \"" + text + "\"");
  } else {
    const size_t colon = where.find(':');
    address.host = where.substr(0, colon);
    if (colon != std::string::npos) port = where.substr(colon);
  }
  if (!port.empty()) {
    const char* end = port.data() + port.size();
    const auto parsed = std::from_chars(port.data() + 1, end, address.port);
    if (parsed.ec != std::errc() || parsed.ptr != end || address.port < 1) return wrong("\"" + port.substr(1) + "\" is not a port between 1 and 65535");
  }
  if (Status s = checkRemoteAddress(address); !s.ok()) return s;
  return address;
}

std::vector<std::string> hostsOfSshConfig(const std::string& contents) {
  std::vector<std::string> hosts;
  std::istringstream lines(contents);
  for (std::string line; std::getline(lines, line);) {
    for (char& c : line)
      if (c == '=' || c == '"') c = ' ';
    std::istringstream words(line);
    std::string word;
    if (!(words >> word) || lower(word) != "host") continue;
    while (words >> word && word[0] != '#')
      if (word.find_first_of("*?!") == std::string::npos) addHost(hosts, word);
  }
  return hosts;
}

std::vector<std::string> hostsOfKnownHosts(const std::string& contents) {
  std::vector<std::string> hosts;
  std::istringstream lines(contents);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string names;
    if (!(words >> names) || names[0] == '#' || names[0] == '|' || names[0] == '@') continue;
    std::istringstream list(names);
    for (std::string name; std::getline(list, name, ',');) {
      if (name.starts_with('[')) name = name.substr(1, name.find(']') - 1);
      if (name.find_first_of("*?!|") == std::string::npos) addHost(hosts, name);
    }
  }
  return hosts;
}

}  // namespace weft
