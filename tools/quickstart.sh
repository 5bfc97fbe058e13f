#!/usr/bin/env bash
# From a clone to a store with example runs in it: installs packages, builds build/release/bin/runlog,
# makes the demo store build/demo anew and shows what is in it. Never asks; safe to run again.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
runlog=$root/build/release/bin/runlog
demo=$root/build/demo

"$root/tools/install_packages.sh"
echo "building $runlog" >&2
"$root/tools/build.sh" release runlog_cli >&2

rm -rf "$demo"
for shape in deerflow afk; do
  "$runlog" examples --shape "$shape" --seed 1 --runs 4 |
    "$runlog" append "$demo" --durability buffered >/dev/null
done

first_field() {  # FIELD, of the first JSON line
  sed -n "1s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"
}
thread=$("$runlog" threads "$demo" | first_field thread_id)
run=$("$runlog" runs "$demo" "$thread" | first_field run_id)

echo
echo "The threads in $demo"
"$runlog" threads "$demo" --format table
echo
echo "Run $run of thread $thread"
"$runlog" events "$demo" "$thread" "$run" --limit 20 --format table
cat <<TEXT

Go on with
  cd $root; runlog=build/release/bin/runlog demo=build/demo thread=$thread
  \$runlog runs \$demo \$thread --format table        the thread's runs: state, status, counts
  \$runlog messages \$demo \$thread --format table    what a chat window shows
  \$runlog tail \$demo \$thread                       follow it while another terminal appends
  \$runlog verify \$demo                              check every byte and every index
  \$runlog --help                                    all commands; tools/README.md explains them
README.md has the library in twenty lines of C++, format/FORMAT.md the bytes in the folder.
TEXT
