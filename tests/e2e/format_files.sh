#!/bin/sh
# rung format: which files are written and which stay as they are, --check, --diff, standard input. That the
# layout keeps tokens and comments is checked in tests/format.
# usage: format_files.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

# status EXPECTED COMMAND...
status() {
    expected=$1
    shift
    "$@" >out 2>err
    got=$?
    [ $got -eq "$expected" ] || fail "status $got, not $expected, of: $*"
}

says() {
    grep -qF -- "$2" "$1" || { fail "$1 does not have '$2', but:"; cat "$1"; }
}

ugly='model A Real x( start=1 ); equation der( x )=-x; end A;'
cat >tidy.mo <<'END'
model A
  Real x(start = 1);
equation
  der(x) = -x;
end A;
END

# in place, quietly, once
printf '%s' "$ugly" >a.mo
chmod 640 a.mo
status 0 "$rung" format a.mo
[ ! -s out ] && [ ! -s err ] || fail "something is printed"
cmp -s a.mo tidy.mo || fail "a.mo is not tidy"
[ "$(stat -c %a a.mo)" = 640 ] || fail "permissions changed"
before=$(stat -c '%i %y' a.mo)
status 0 "$rung" format a.mo
[ "$(stat -c '%i %y' a.mo)" = "$before" ] || fail "a tidy file was written"

# a symbolic link stays one, a broken file is untouched and the next one is formatted
mkdir -p real tools/Inner
printf '%s' "$ugly" >real/b.mo
ln -s real/b.mo link.mo
printf 'model B Real x end B;' >broken.mo
cp broken.mo broken.before
printf '%s' "$ugly" >last.mo
status 1 "$rung" format link.mo broken.mo last.mo
says err "broken.mo:1:16: error P0"
[ -L link.mo ] && cmp -s real/b.mo tidy.mo || fail "the target of a link"
cmp -s broken.mo broken.before || fail "a file with an error was written"
cmp -s last.mo tidy.mo || fail "the file behind the one with an error"
status 1 "$rung" format --diagnostics json broken.mo
python3 -c 'import json, sys; assert json.load(open("err"))[0]["line"] == 1' || fail "diagnostics are no JSON"

# directories, with what is no Modelica in them left alone
printf 'within Tools.Inner; %s' "$ugly" >tools/Inner/C.mo
printf '%s' "$ugly" >tools/A.mo
printf '%s' "$ugly" >tools/notes.txt
status 1 "$rung" format --check tools tidy.mo
printf '%s\n' tools/A.mo tools/Inner/C.mo >expected
cmp -s out expected || { fail "--check lists other files:"; cat out; }
[ "$(cat tools/A.mo)" = "$ugly" ] || fail "--check wrote a file"
status 0 "$rung" format --diff tools
cp -r tools patched
patch -s -p1 -d patched <out || fail "patch does not take the difference"
[ "$(cat tools/A.mo)" = "$ugly" ] || fail "--diff wrote a file"
status 1 "$rung" format --check --diff tools
status 0 "$rung" format tools
diff -r tools patched || fail "the difference gives another layout"
[ "$(cat tools/notes.txt)" = "$ugly" ] || fail "a file that is no Modelica was written"
status 0 "$rung" format --check tools
[ ! -s out ] || fail "--check lists tidy files"

# standard input
printf '%s' "$ugly" | "$rung" format - >out || fail "standard input"
cmp -s out tidy.mo || fail "standard output is not tidy"
printf 'model B Real x end B;' | "$rung" format - >out 2>err && fail "a broken standard input"
[ ! -s out ] || fail "a broken input has an output"
says err "<standard input>:1:16: error P0"
printf '%s' "$ugly" | "$rung" format --diff - >out
says out '-model A Real x( start=1 ); equation der( x )=-x; end A;'

# what cannot be read or written
status 2 "$rung" format
status 1 "$rung" format missing.mo
says err "cannot read 'missing.mo'"
if [ "$(id -u)" -ne 0 ]; then
    printf '%s' "$ugly" >locked.mo
    chmod 444 locked.mo
    status 4 "$rung" format locked.mo
    says err "cannot write 'locked.mo'"
fi
[ -z "$(find . -name '*.part')" ] || fail "temporary files are left"

# a long list on one line, nested calls: linear, and short lines
awk 'BEGIN { printf "model L Real x[:] = {"; for (k = 1; k < 20000; k++) printf "f(%d, a + b*%d), ", k, k; print "0}; end L;" }' >long.mo
status 0 "$rung" format long.mo
[ "$(awk '{ if (length > n) n = length } END { print n }' long.mo)" -le 100 ] || fail "a line is too long"
[ "$(wc -l <long.mo)" -lt 10000 ] || fail "lines are not filled"
status 0 "$rung" format --check long.mo

# the layout of this repository's own
status 0 "$rung" format --check "$source/library" "$source/examples"
[ ! -s out ] || { fail "not formatted (rung format library examples):"; cat out; }

exit $failed
