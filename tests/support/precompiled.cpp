// Empty: this file's target compiles the headers that tests share (cmake/precompile.cmake).
int main() { return 0; }
