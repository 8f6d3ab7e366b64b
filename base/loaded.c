#include "base/loaded.h"

#include <dlfcn.h>
#include <string.h>

bool loaded_functions(const char *file, const char *const *name, size_t n, void *to)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    bool ok = library;
    for (size_t k = 0; k < n && ok; k++) {
        // POSIX wants this detour: ISO C does not convert objects to functions
        void *at = dlsym(library, name[k]);
        ok = at;
        memcpy((char *)to + k * sizeof at, &at, sizeof at);
    }
    return ok;
}
