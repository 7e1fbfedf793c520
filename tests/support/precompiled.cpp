// Nothing of its own: the target that this file makes compiles the headers that tests share (cmake/precompile.cmake).
int main() { return 0; }
