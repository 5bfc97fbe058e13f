// What jemalloc is told in the programs of this project. The installed library leaves the choice of
// an allocator to the program it is linked into.

// jemalloc looks for this name. Memory that was freed goes back to the system after a second, by a
// worker of its own: a cache that is full of blocks of changing sizes else keeps much more than it
// is allowed.
extern "C" const char* malloc_conf;
const char* malloc_conf = "background_thread:true,dirty_decay_ms:1000,muzzy_decay_ms:0";
