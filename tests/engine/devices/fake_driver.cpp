// Stands where the driver of a GPU does: the engine only asks whether it can be loaded.
extern "C" __attribute__((visibility("default"))) int weftTestDriver() { return 0; }
