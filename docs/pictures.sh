#!/bin/sh
# The pictures of docs/gallery.md, by Chromium: pages of `rung view` at one time of the run, without their buttons.
# usage: sh docs/pictures.sh RUNG DIR [NAME...]     from the top of the source tree; the pages are left in DIR
rung=$1 dir=$2
shift 2
mkdir -p "$dir" || exit 1
# picture NAME TIME UP SCRIPT ARGUMENTS...: of `rung view ARGUMENTS`; SCRIPT runs in the page
wanted=" $* "
picture() {
    name=$1 time=$2 up=$3 script=$4
    shift 4
    case $wanted in "  " | *" $name "*) ;; *) return ;; esac
    "$rung" view "$@" --up "$up" -q -o "$dir/$name.html" || exit 1
    {
        cat "$dir/$name.html"
        printf '<style>#views, #list, #bar { display: none }</style>'
        printf '<script>setTimeout(() => { %s; show(%s); }, 400)</script>' "$script" "$time"
    } >"$dir/$name.at.html"
    timeout 120 chromium --headless --no-sandbox --use-gl=angle --use-angle=swiftshader \
        --enable-unsafe-swiftshader --user-data-dir="$dir/profile" --window-size=600,400 \
        --virtual-time-budget=4000 --screenshot="docs/$name.png" "file://$(realpath "$dir/$name.at.html")" 2>/dev/null
}
# the path of a frame
path='((f) => trace(runs[0], runs[0].frames.find((g) => g.name === f), f, true))'
nearer='camera.position.lerp(controls.target, 0.3)'
picture view-coupler 0.3 y "look('z'); $path('pen.frame_b')" examples/coupler.mo
picture view-engine 0.01 y '' examples/engine.mo
picture view-wishbone 0.4 y "$nearer" examples/wishbone.mo
picture view-stewart 0.8 y "$nearer" examples/stewart.mo
picture view-iltis 0.75 z '' --model Linkage.Vehicles.Iltis.Bump --method dopri5 --tolerance 1e-5
picture view-lane 3.6 z "$path('free.frame_b'); camera.position.lerp(controls.target, -0.6)" \
    --model Linkage.Vehicles.Iltis.DoubleLaneChange --method dopri5
picture view-gyroscope 1 y '' examples/gyroscope.mo
picture view-hills 0.5 z "$nearer" examples/hills.mo
picture view-crane 2 y "$nearer" examples/crane.mo
picture view-leg 0.5 y "look('z')" --model Linkage.Benchmarks.JansenLeg
picture view-governor 1 y '' --model Linkage.Benchmarks.FlyballGovernor
picture view-bricard 1 y "$nearer" --model Linkage.Benchmarks.Bricard
picture view-suspension 0.3 y "$nearer" --model Linkage.Examples.PointSuspension
