// Stand-in for a GPU driver: the engine only checks that it can be loaded.
extern "C" __attribute__((visibility("default"))) int weftTestDriver() { return 0; }
