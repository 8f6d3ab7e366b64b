#!/bin/sh
# Mistakes that modellers make, each with the whole message: tests/errors/mistakes/X.mo and X.out. The
# first line names a place in the modeller's own file, the second says what to do. Components come
# from another file, as those of a library do.
# mistakes.sh RUNG DIR SOURCE; with RUNG_BLESS=1 the .out files are written anew.
. "${0%/*}/common.sh"

cases="$source/tests/errors/mistakes"
cp -r "$cases"/*.mo "$cases/library" .
n=0
for model in *.mo; do
    name=${model%.mo}
    if "$rung" check "$model" --library library >"$name.said" 2>&1; then
        fail "$model is accepted"
    fi
    case $(grep -v "warning" "$name.said" | grep -m 1 ": error ") in
    "$model":*) ;;
    *) fail "$model: the first line is not of this file: $(head -1 "$name.said")" ;;
    esac
    if [ -n "${RUNG_BLESS:-}" ]; then
        cp "$name.said" "$cases/$name.out"
    elif ! cmp -s "$name.said" "$cases/$name.out"; then
        fail "$model is told of in other words:"
        diff "$cases/$name.out" "$name.said"
    fi
    n=$((n + 1))
done
[ $n -gt 0 ] || fail "no models"

# Warnings and messages of runs begin in the modeller's file, too.
cat >library/Site.mo <<'MO'
package Site
  model World "of every part"
    parameter Real g = 9.81;
  end World;
  model Weight
    outer Site.World world;
    parameter Real m(start = 1);
    Real v(start = 1, fixed = true), f = m*world.g;
  equation
    der(v) = world.g;
  end Weight;
  package Water
    partial model State "of a medium that is not chosen"
      Real h;
    end State;
  end Water;
  model Volume
    replaceable package Medium = Site.Water;
    Medium.State state;
  end Volume;
  model Wire
    parameter Real R = 1, k = 0;
    Real v, i, R_actual = R*(1 + 10*k);
  equation
    v = R_actual*i;
  end Wire;
  model Limit
    parameter Real most = 1, least = 0;
    parameter Integer n(min = 1) = 2;
    Real a[n] = ones(n);
  equation
    assert(most > least, "most is " + String(most));
    assert(n < 10, "n is too large");
  end Limit;
  model Held
    extends Weight;
  initial equation
    v = 2;
  end Held;
end Site;
MO
cat >runs.mo <<'MO'
model Lonely
  Site.Weight weight;
end Lonely;
model Contrary
  Site.Held weight(m = 2);
  inner Site.World world;
end Contrary;
model Shorted
  Site.Wire wire(R = 0);
equation
  wire.v = 5;
end Shorted;
model Unchosen
  Site.Volume tank;
end Unchosen;
model Swapped
  Site.Limit limit(least = 2);
end Swapped;
model Many
  Site.Limit limit(final n = 20);
end Many;
model Endless
  Integer n(start = 0);
  Real x = n;
algorithm
  n := n + 1;
end Endless;
MO
# told STATUS MODEL TEXT...: a run ends with that status, its messages hold the texts
told() {
    status=$1
    model=$2
    shift 2
    "$rung" simulate runs.mo --model "$model" --library library --stop 1 -o r.csv -q >said 2>&1
    [ $? -eq "$status" ] || fail "$model: $(cat said)"
    for text; do
        grep -q -- "$text" said || fail "$model: no '$text' in: $(cat said)"
    done
}
told 0 Lonely "^runs.mo:2:15: warning N08: no component around has an 'inner Site.World world'" \
    "Site.mo:6:22: note: the outer component is here, in 'weight'" \
    "^runs.mo:2:15: warning F51: parameter 'weight.m' has no value"
told 1 Contrary "runs.mo:5:13: the initial conditions contradict each other: this one (weight)"
told 1 Shorted "cannot be computed: the pivot that determines 'wire.i' vanished .* in wire$"
told 1 Unchosen "^runs.mo:14:15: error N12: .*Medium.State is partial: 'state' needs a complete class" \
    "^runs.mo:14:15: note: redeclare 'Medium' where 'tank' is declared"
told 1 Swapped "^rung: runs.mo:17:14, in 'limit' (.*Site.mo:32:5): assertion violated at t = 0: most is 1"
told 1 Many "^runs.mo:20:14: error F35: assertion fails: n is too large" "Site.mo:33:5: note: the assertion is here"
told 1 Endless "finds no end: 'n' changes again and again (runs.mo:2[2-5]:"
echo "$n mistakes"
exit $failed
