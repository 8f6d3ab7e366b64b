#!/bin/sh
# C sources of a library whose binary is not there (MLS 12.9.4): files that no function of the model
# names, since another file calls what is in them; two functions of one Library in two files.
# usage: external_sources.sh RUNG DIR SOURCE [large]
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
# what goes elsewhere has these sources with it, and headers that they include, side by side under
# names that are free: folders, one file, sources of FMUs
mkdir -p Lib/Resources/C-Sources/inner
cd Lib/Resources/C-Sources || exit 1
printf '#include "inner/scale.h"\n#include <constant.h>\ndouble lib_twice(double x)\n{\n    return lib_scale(x, TWO);\n}\n' >first.c
printf '#include "deep.h"\ndouble lib_scale(double x, double by);\n' >inner/scale.h
printf '#define TWO 2\n' >constant.h
: >inner/deep.h
mv third.c delay.c # as a file of the runtime is called
cd "$dir" || exit 1
export CFLAGS=-O0
kinds='library single-file' versions=3
large && kinds=program versions='2 3'
night && kinds='program library single-file'
for kind in $kinds; do
    "$rung" compile -q --library "$dir" L.mo --model L --kind $kind -o $kind.away || fail "$kind, to go"
done
for version in $versions; do
    "$rung" fmu -q --library "$dir" L.mo --model L --fmi $version --sources -o L.fmu &&
        python3 -m zipfile -e L.fmu "L.$version" || fail "FMI $version with sources"
done
"$rung" compile -q --library "$dir" L.mo --model L --kind embedded -o none 2>err.txt && fail "embedded with external functions"
grep -q "calls the external C function 'lib_" err.txt || fail "embedded: $(cat err.txt)"
# what cannot be beside the model is named
mv Lib/Resources/C-Sources/constant.h Lib/Resources/C-Sources/event.h
sed -i 's/constant.h/event.h/' Lib/Resources/C-Sources/first.c
"$rung" fmu -q --library "$dir" L.mo --model L --sources -o none.fmu 2>err.txt && fail "a header like one of rung"
grep -q "event.h' is called like a file of the model or of rung" err.txt || fail "a header: $(cat err.txt)"
mv Lib gone
if large; then
    make_program program.away >make.txt 2>&1 && ./program.away/L --stop 2 -o - 2>log | tail -n 1 >values.txt ||
        fail "a program elsewhere: $(cat make.txt)"
    awk -F, '{ e = exp(-4); exit !(($2 - e)^2 < 1e-8) }' values.txt || fail "a program elsewhere: $(cat values.txt)"
fi
for kind in $kinds; do
    [ $kind != program ] || continue
    make -s -C $kind.away lib example CFLAGS=-O0 >make.txt 2>&1 && ./$kind.away/example >elsewhere.txt ||
        fail "$kind elsewhere: $(cat make.txt)"
    cmp elsewhere.txt example.txt || fail "$kind elsewhere: $(cat elsewhere.txt)"
done
for version in $versions; do
    ! large || (cd L.$version/sources && ${CC:-cc} -w -D_POSIX_C_SOURCE=200809L -O0 -fPIC -shared -Wl,-z,defs -o ../L.so ./*.c -lm) \
        >make.txt 2>&1 || fail "FMI $version elsewhere: $(cat make.txt)"
    listed=L.$version/sources/buildDescription.xml
    [ $version = 3 ] || listed=L.$version/modelDescription.xml
    for source_file in first.c second.c L_external.c; do
        grep -q "name=\"$source_file\"" $listed || fail "FMI $version: $source_file is not listed"
    done
    for source_file in L.$version/sources/*.c; do
        grep -q "name=\"${source_file##*/}\"" $listed || fail "FMI $version: $source_file is not listed"
    done
done
# a static library without sources goes along as it is
mkdir -p Arch/Resources/Library/linux64
printf 'double arch_half(double x) { return x / 2; }\n' >half.c
${CC:-cc} -fPIC -c -o half.o half.c && ar rcs Arch/Resources/Library/linux64/libhalf.a half.o || fail "an archive"
cat >Arch/package.mo <<'END'
package Arch
  function half
    input Real x;
    output Real y;
    external "C" y = arch_half(x) annotation(Library = "half");
  end half;
  model M
    output Real x(start = 1, fixed = true);
  equation
    der(x) = -half(x);
  end M;
end Arch;
END
"$rung" compile -q --library "$dir" --model Arch.M --kind library -o arch || fail "arch"
"$rung" fmu -q --library "$dir" --model Arch.M --sources -o none.fmu 2>err.txt && fail "FMI 2 with an archive"
grep -q "static library 'libhalf.a'" err.txt || fail "FMI 2 with an archive: $(cat err.txt)"
"$rung" fmu -q --library "$dir" --model Arch.M --fmi 3 --sources -o arch.fmu && python3 -m zipfile -e arch.fmu arch.3 ||
    fail "FMI 3 with an archive"
grep -q '<Library name="libhalf.a" external="false"/>' arch.3/sources/buildDescription.xml &&
    cmp Arch/Resources/Library/linux64/libhalf.a arch.3/binaries/x86_64-linux/libhalf.a || fail "FMI 3: the archive"
mv Arch gone.too
make -s -C arch lib example CFLAGS=-O0 >make.txt 2>&1 && ./arch/example | grep -qx 'x = 0.606531' || fail "arch elsewhere: $(cat make.txt)"
# the C of others is not built where that is not wanted
cat >others.mo <<'END'
model Others
  function twice
    input Real x;
    output Real y;
    external "C" y = sqrt(x);
  end twice;
  Real a = twice(time);
end Others;
END
for command in 'simulate -o refused.csv' 'check ' 'compile -o refused'; do
    # shellcheck disable=SC2086
    "$rung" ${command%% *} others.mo --no-external ${command#* } >log 2>&1
    [ $? -eq 1 ] && grep -q "others.mo:2:3: error G08: 'Others.twice' is an external function" log || fail "$command: $(cat log)"
done
ls refused* 2>/dev/null && fail "a result in spite of --no-external"
exit $failed
