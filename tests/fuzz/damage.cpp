// damage_NAME [--rounds 2000] [--seed 1] [--seconds 2] [--megabytes 1024] [--keep FOLDER] INPUT…: what fuzz_NAME asks of an input, asked of it cut after
// every byte (of long ones after 2,000 of them) and damaged at random. One process for each input; one that dies, takes longer or needs more memory is
// reported with the number of the case, which depends on seed and input alone, and the next one goes on after it. Prints one line of counts.
#include <dirent.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

constexpr int kMostCuts = 2000;

struct Settings {
  int rounds = 2000, seed = 1, seconds = 2, megabytes = 1024;
  std::string keep;
  std::vector<std::string> inputs;
};

/// Set by SIGTERM and SIGINT: the counts so far are printed.
volatile sig_atomic_t asked = 0;

/// What a child says while it works.
struct Shared {
  int current;            ///< Number of the case; all done: the number of cases.
  double slowest;         ///< Seconds of processor time of the slowest case.
  long before, greatest;  ///< Kilobytes in memory before the first case and at most.
};

int cutsOf(const std::string& input) { return int(std::min<size_t>(input.size(), kMostCuts)); }

/// The input of a case: first the cuts, then the random damages. The first byte, which names the kind of file, stays.
std::string caseOf(const std::string& input, int number, unsigned seed) {
  const int cuts = cutsOf(input);
  if (number < cuts) return input.substr(0, 1 + (input.size() - 1) * size_t(number) / size_t(cuts));
  std::string out = input;
  std::mt19937 random(seed * 1000003u + unsigned(number));
  const unsigned count = 1 + random() % 4;
  for (unsigned i = 0; i < count && out.size() > 1; ++i) {
    const size_t at = 1 + random() % (out.size() - 1);
    switch (random() % 8) {
      case 0: out[at] = char(random()); break;
      case 1: out[at] = char(out[at] ^ 1 << random() % 8); break;
      case 2: out.resize(at); break;
      case 3: out.insert(at, 1 + random() % 9, char(random() % 2 ? 0xff : 0)); break;
      case 4: out.erase(at, 1 + random() % 16); break;
      case 5: out.insert(at, out, 1 + random() % (out.size() - 1), 1 + random() % 64); break;
      case 6: {  // a number of four or eight bytes that is as large, small or negative as can be
        static const uint64_t kNumbers[] = {
            0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff, 0x80000000, 0x7fffffffffffffff, ~uint64_t(0), uint64_t(1) << 63, uint64_t(1) << 40};
        const uint64_t value = kNumbers[random() % std::size(kNumbers)];
        std::memcpy(&out[at], &value, std::min<size_t>(random() % 2 ? 4 : 8, out.size() - at));
        break;
      }
      default: {
        const size_t other = 1 + random() % (out.size() - 1), length = 1 + random() % 32;
        for (size_t k = 0; k < length && at + k < out.size() && other + k < out.size(); ++k) out[at + k] = out[other + k];
        break;
      }
    }
  }
  return out;
}

long kilobytesAtMost() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/// Of all its threads. The clock on the wall goes on while other programs use the machine.
double secondsOfProcess() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

/// SIGPROF ends an input that computes too long, SIGALRM after a minute one that waits; 0: neither.
void setTimers(int seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = seconds ? seconds + 1 : 0;
  setitimer(ITIMER_PROF, &timer, nullptr);
  alarm(seconds ? unsigned(std::max(60, 10 * seconds)) : 0);
}

[[noreturn]] void work(const std::string& input, int first, const Settings& settings, Shared* shared) {
  const int all = cutsOf(input) + settings.rounds;
  signal(SIGTERM, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  shared->before = kilobytesAtMost();
  for (int i = first; i < all; ++i) {
    shared->current = i;
    const std::string bytes = caseOf(input, i, unsigned(settings.seed));
    const double start = secondsOfProcess();
    setTimers(settings.seconds);
    (void)LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    setTimers(0);
    const double seconds = secondsOfProcess() - start;
    shared->slowest = std::max(shared->slowest, seconds);
    shared->greatest = kilobytesAtMost();
    if (seconds > settings.seconds) _exit(3);
    if (shared->greatest - shared->before > settings.megabytes * 1024L) _exit(4);
  }
  shared->current = all;
  _exit(0);
}

void collect(const std::string& path, std::vector<std::string>& out) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return;
  if (!S_ISDIR(info.st_mode)) return out.push_back(path);
  std::vector<std::string> names;
  if (DIR* folder = opendir(path.c_str())) {
    while (const dirent* entry = readdir(folder))
      if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    closedir(folder);
  }
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) collect(path + "/" + name, out);
}

Settings settingsOf(int count, char** words) {
  Settings out;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto number = [&](int& into) { into = ++i < count ? std::atoi(words[i]) : into; };
    if (word == "--rounds") number(out.rounds);
    else if (word == "--seed") number(out.seed);
    else if (word == "--seconds") number(out.seconds);
    else if (word == "--megabytes") number(out.megabytes);
    else if (word == "--keep") out.keep = ++i < count ? words[i] : "";
    else collect(word, out.inputs);
  }
  return out;
}

}  // namespace

int main(int count, char** words) {
  const Settings settings = settingsOf(count, words);
  auto* shared = static_cast<Shared*>(mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  struct sigaction stop {};
  stop.sa_handler = [](int) { asked = 1; };
  for (const int s : {SIGTERM, SIGINT}) sigaction(s, &stop, nullptr);
  size_t inputs = 0;
  long long cases = 0, cut = 0;
  int found = 0;
  double slowest = 0;
  long greatest = 0;
  for (const std::string& path : settings.inputs) {
    std::ifstream in(path, std::ios::binary);
    const std::string input{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (input.size() < 2) continue;
    if (asked) break;
    const int all = cutsOf(input) + settings.rounds;
    for (int next = 0; next < all;) {
      std::fflush(stdout);
      *shared = {};
      shared->current = next;
      const pid_t child = fork();
      if (child < 0) return 2;
      if (child == 0) work(input, next, settings, shared);
      int status = 0;
      while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        if (asked) kill(child, SIGKILL);
      if (asked) break;
      next = shared->current + (shared->current < all);
      slowest = std::max(slowest, shared->slowest);
      greatest = std::max(greatest, shared->greatest - shared->before);
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
      ++found;
      const bool late =
          (WIFEXITED(status) && WEXITSTATUS(status) == 3) || (WIFSIGNALED(status) && (WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGPROF));
      const bool large = WIFEXITED(status) && WEXITSTATUS(status) == 4;
      std::printf("%s case %d: %s (status %x)\n", path.c_str(), next - 1, late ? "takes too long" : large ? "needs too much memory" : "died", unsigned(status));
      if (!settings.keep.empty())
        std::ofstream(settings.keep + "/" + path.substr(path.find_last_of('/') + 1) + "." + std::to_string(next - 1), std::ios::binary)
            << caseOf(input, next - 1, unsigned(settings.seed));
    }
    if (asked) break;  // this input is not counted
    ++inputs;
    cases += all;
    cut += cutsOf(input);
  }
  std::printf("%zu inputs, %lld cases (%lld cut, %lld damaged), %d found; the slowest took %.2f s, the greatest %ld MB\n", inputs, cases, cut, cases - cut,
              found, slowest, greatest / 1024);
  return found ? 1 : 0;
}
