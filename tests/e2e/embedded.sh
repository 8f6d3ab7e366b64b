#!/bin/sh
# rung compile --kind embedded: an arm with six hinges on a Cortex-M7 with 64 KiB of flash and 16 KiB of
# RAM, under qemu: its numbers are those of this machine, and those of `rung simulate`.
# usage: embedded.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
for tool in arm-none-eabi-gcc qemu-system-arm; do
    command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 0; }
done
echo 'int main(void) { return 0; }' | arm-none-eabi-gcc --specs=nosys.specs -x c -o nothing - 2>/dev/null ||
    { echo "skipped: no newlib for arm-none-eabi-gcc"; exit 0; }
from=$source/tests/e2e/embedded
for real in double float; do
    "$rung" compile "$from/robot.mo" --kind embedded --real $real -q -o $real || fail "$real: compile"
    fpu=fpv5-d16
    [ $real = double ] || fpu=fpv5-sp-d16
    arm-none-eabi-gcc -std=gnu11 -mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=$fpu -Os -ffp-contract=off \
        -ffunction-sections -fdata-sections -Wl,--gc-sections -nostartfiles -T "$from/target.ld" -DTARGET \
        -I$real -o $real.elf "$from/target.c" $real/Robot.c -lm || fail "$real: does not fit"
    arm-none-eabi-size $real.elf
    timeout 60 qemu-system-arm -machine mps2-an500 -nographic -semihosting-config enable=on,target=native \
        -kernel $real.elf </dev/null >$real.target 2>&1 || fail "$real: qemu"
    ${CC:-cc} -std=gnu11 -O1 -ffp-contract=off -I$real -o $real.home "$from/target.c" $real/Robot.c -lm &&
        ./$real.home >$real.here || fail "$real: here"
done
sed 's/input Real tau\[6\](/input Real tau[6](start = {8, 3, 1, 0.25, 0, -0.0625}, /' "$from/robot.mo" >moved.mo
"$rung" simulate moved.mo --stop 0.1 --interval 0.1 --tolerance 1e-11 -q -o moved.csv || fail "run"
python3 - <<'END' || fail "numbers"
import csv, struct, sys
def read(name, form):
    return [struct.unpack(form, bytes.fromhex(x))[0] for x in open(name).read().split()]
rows = list(csv.reader(open("moved.csv")))
at = lambda n: float(rows[-1][rows[0].index(n)])
bad = 0
for real, form, near, right in ("double", ">d", 1e-11, 1e-8), ("float", ">f", 1e-4, 1e-3):
    target, here = read(real + ".target", form), read(real + ".here", form)
    if len(target) != 15 or len(here) != 15:
        print(real, target, here); bad = 1; continue
    far = max(abs(a - b)/(1 + abs(b)) for a, b in zip(target, here))
    states = sorted([at("joint[%d].%s" % (k, v)) for k in range(1, 7) for v in ("phi", "w")])
    off = max(abs(a - b)/(1 + abs(b)) for a, b in zip(sorted(here[:12]), states))
    tip = max(abs(a - at("tip[%d]" % k)) for k, a in zip((1, 2, 3), here[12:]))
    print("%s: target against here %.1e, here against simulate %.1e, tool %.1e" % (real, far, off, tip))
    if far > near or off > right or tip > right:
        print(target, here, states); bad = 1
sys.exit(bad)
END
exit $failed
