#include <cstdio>
#include "nobody_has_this.h"
int main() {}
