#!/bin/sh
# Input that is no model: each case ends with the right status and a message, within seconds.
# usage: bad_input.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

# expect STATUS TEXT ARGUMENTS...: the status, and TEXT on standard error
expect() {
    want=$1
    text=$2
    shift 2
    # a crash by running out of stack or memory must not pass for a diagnostic
    timeout 20 "$rung" "$@" >out 2>err
    got=$?
    if [ $got -ne "$want" ]; then
        echo "FAILED: status $got instead of $want: rung $*"
        head -c 600 err
        failed=1
    elif ! grep -q -- "$text" err; then
        echo "FAILED: '$text' not said by: rung $*"
        head -c 600 err
        failed=1
    fi
}

# A text N times, without a newline
repeat() {
    awk -v n="$1" -v s="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", s }'
}

printf 'model A\n  Real x = 1;\nend A;\n' >a.mo
expect 4 nowhere.mo check nowhere.mo --model A
expect 1 Nope check a.mo --model Nope
expect 1 Nope check a.mo --model Linkage.Examples.Nope
expect 1 q check a.mo --model 'A(q = 3)'
expect 1 error check a.mo --model 'A('
expect 1 error check a.mo --model ''
expect 2 . check a.mo --no-such-option
expect 2 . no-such-command
expect 2 . check

# cut off everywhere inside a token, a comment, a string
whole='model A "text"\n  /* a comment */ Real x(start = 1.5e3) = 2; // c\nend A;\n'
for n in 1 6 9 12 20 30 40 50 60; do
    printf "$whole" | head -c $n >cut.mo
    expect 1 'cut.mo:' check cut.mo --model A
done
: >empty.mo
expect 1 . check empty.mo --model A

head -c 20000 "$rung" >binary.mo
expect 1 'binary.mo:' check binary.mo --model A
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "%c", 128 + i % 128 }' >high.mo
expect 1 'high.mo:' check high.mo --model A

# 10,000-fold nesting: works (0) or is refused (1), never a crash
nested() {
    timeout 60 "$rung" check "$1" --model A >out 2>err
    got=$?
    if [ $got -gt 1 ] || { [ $got -eq 1 ] && ! grep -q "$1:" err; }; then
        echo "FAILED: status $got from $1"
        head -c 600 err
        failed=1
    fi
}
{ printf 'model A\n  Real x = '; repeat 10000 '('; printf 1; repeat 10000 ')'; printf ';\nend A;\n'; } >parentheses.mo
nested parentheses.mo
{ printf 'model A\n  Real x = '; repeat 10000 '-('; printf time; repeat 10000 ')'; printf ';\nend A;\n'; } >minus.mo
nested minus.mo
{ printf 'model A\n  Real x = '; repeat 10000 'sin('; printf time; repeat 10000 ')'; printf ';\nend A;\n'; } >calls.mo
nested calls.mo
{ printf 'model A\n  Real x = '; repeat 10000 '{'; printf 1; repeat 10000 '}'; printf ';\nend A;\n'; } >braces.mo
nested braces.mo
{ printf 'model A\n  Real x = time'; repeat 10000 ' + 1'; printf ';\nend A;\n'; } >sum.mo
nested sum.mo
{ printf 'model A\n  Real x = time'; repeat 10000 '^2'; printf ';\nend A;\n'; } >power.mo
nested power.mo
{ printf 'model A\n  Real x = '; repeat 10000 'if time > 1 then 1 else '; printf '2;\nend A;\n'; } >ifs.mo
nested ifs.mo
{ printf 'model A\n  Real x;\nequation\n'; repeat 10000 'if true then '; printf 'x = 1; '; repeat 10000 'end if; '; printf '\nend A;\n'; } >ifequations.mo
nested ifequations.mo
{ printf 'model A\n  Real x = 1;\n'; repeat 10000 'package P '; repeat 10000 'end P; '; printf '\nend A;\n'; } >packages.mo
nested packages.mo
{ printf 'model A\n  Real x('; repeat 10000 'start('; printf 'y = 1'; repeat 10000 ')'; printf ');\nend A;\n'; } >modifiers.mo
nested modifiers.mo
{ printf 'model A\n  Real x = a'; repeat 10000 '.a'; printf ';\nend A;\n'; } >dots.mo
nested dots.mo
{ printf 'model B0 Real y = 1; end B0;\n'
  awk 'BEGIN { for (i = 1; i <= 10000; i++) printf "model B%d extends B%d; end B%d;\n", i, i - 1, i }'
} >extends.mo
printf 'model A extends B10000; end A;\n' >>extends.mo
nested extends.mo
{ printf 'model B0 Real y = 1; end B0;\n'
  awk 'BEGIN { for (i = 1; i <= 10000; i++) printf "model B%d B%d b; end B%d;\n", i, i - 1, i }'
  printf 'model A B10000 b; end A;\n'
} >components.mo
nested components.mo

# not bad, but long: the texts between would take 5 GB
{ printf 'model A\n  parameter String s = "a"'; repeat 100000 ' + "b"'; printf ';\n  Real x = time;\nend A;\n'; } >texts.mo
"$rung" check texts.mo >out 2>&1 || fail "a text of 100,000 pieces: $(head -c 300 out)"

[ $failed -eq 0 ] && echo "all bad input was refused"
exit $failed
