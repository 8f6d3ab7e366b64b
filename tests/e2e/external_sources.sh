#!/bin/sh
# C sources of a library whose binary is not there (MLS 12.9.4): files that no function of the model
# names, since another file calls what is in them; two functions of one Library in two files.
# usage: external_sources.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
mkdir -p Lib/Resources/C-Sources
cat >Lib/package.mo <<'END'
package Lib
  function twice
    input Real x;
    output Real y;
    external "C" y = lib_twice(x) annotation(Library = "LibExternalC",
      IncludeDirectory = "modelica://Lib/Resources/C-Sources");
  end twice;
  function square
    input Real x;
    output Real y;
    external "C" y = lib_square(x) annotation(Library = "LibExternalC",
      IncludeDirectory = "modelica://Lib/Resources/C-Sources");
  end square;
  model M
    Real a = twice(time), b = square(time);
  end M;
end Lib;
END
cd Lib/Resources/C-Sources || exit 1
cat >first.c <<'END'
double lib_scale(double x, double by);
double lib_twice(double x)
{
    return lib_scale(x, 2);
}
END
cat >second.c <<'END'
/* calls nothing: lib_broken(x) is in a comment */
double
    lib_unused(double x);
double lib_scale(double x,
                 double by)
{
    return x * by;
}
END
printf 'double lib_square(double x) { return x * x; }\n' >third.c
printf 'double lib_broken(double x) { does not compile; }\n' >broken.c
cd "$dir" || exit 1
"$rung" simulate -q --library "$dir" --model Lib.M --stop 3 --interval 1 -o R.csv || fail "no run"
tail -n 1 R.csv | grep -qx '3,6,9' || fail "values: $(tail -n 1 R.csv)"
# a C library of the model is built with them
cat >L.mo <<'END'
model L
  output Real x(start = 1, fixed = true), y = Lib.square(x);
equation
  der(x) = -Lib.twice(x);
end L;
END
"$rung" compile -q --library "$dir" L.mo --model L --kind library -o library &&
    make -s -C library lib example CFLAGS=-O0 >make.txt 2>&1 && ./library/example >example.txt || fail "library: $(cat make.txt)"
awk '/^x = / { x = $3 } /^y = / { y = $3 } END { e = exp(-2); exit !((x - e)^2 < 1e-12 && (y - e*e)^2 < 1e-12) }' example.txt ||
    fail "library: $(cat example.txt)"
# external objects, and functions with a memory, which are called once at each event
sed 's/^  discrete Real/  discrete output Real/; s/^  Real x(/  output Real x(/' \
    "$source/tests/sim/language/CalledAtEvents.mo" >counted.mo
"$rung" compile -q counted.mo --model CalledAtEvents --kind library -o counted 2>err.txt &&
    sed -i 's/k < 1000 &&/k < 1100 \&\&/; s/outputs(&m, 1,/outputs(\&m, 1.1,/' counted/example.c &&
    make -s -C counted lib example CFLAGS=-O0 >make.txt 2>&1 && ./counted/example >counted.txt || fail "counted: $(cat err.txt make.txt)"
for ends in 'n = 4' 'first = 7' 'second = 8' 'x = 1.9' 'again = 4' 'with = 14'; do
    grep -qx "$ends" counted.txt || fail "counted: not $ends: $(cat counted.txt)"
done
"$rung" compile -q --library "$dir" L.mo --model L --kind single-file -o single 2>err.txt && fail "one file with sources of others"
grep -q 'calls external C functions' err.txt || fail "single-file: $(cat err.txt)"
exit $failed
