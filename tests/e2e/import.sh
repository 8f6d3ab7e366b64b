#!/bin/sh
# Robots in URDF and MJCF as models (rung import): accelerations by MuJoCo, messages about wrong files, limits and
# mimicry in closed form, shapes and meshes in the viewer.
# usage: import.sh RUNG DIR SOURCE CLIENT [large]; CLIENT: the program of robots/mujoco_client.cpp, or none
client=$4
set -- "$1" "$2" "$3" "$5"
. "$(dirname "$0")/common.sh"

# link NAME MASS: a body; joint NAME KIND PARENT CHILD MORE
link() {
    printf '<link name="%s"><inertial><origin xyz="0 0 -0.5"/><mass value="%s"/>' "$1" "$2"
    printf '<inertia ixx="0.1" iyy="0.1" izz="0.02"/></inertial></link>\n'
}
joint() {
    printf '<joint name="%s" type="%s"><parent link="%s"/><child link="%s"/><axis xyz="0 1 0"/>%s</joint>\n' "$@"
}
robot() {
    echo '<robot name="r">'
    cat
    echo '</robot>'
}

if small; then
# A pendulum of 1 kg at 0.5 m: w' = -m g l sin(phi)/(I + m l^2), with its damping and torque.
{
    echo '<link name="world"/>'
    link arm 1
    joint hinge continuous world arm '<origin xyz="0 0 1"/><dynamics damping="0.3"/>'
} | robot >pendulum.urdf
"$rung" import pendulum.urdf -o Pendulum.mo || fail "pendulum"
"$rung" check --strict Pendulum.mo >check.txt 2>&1 || fail "pendulum: $(cat check.txt)"
"$rung" simulate Pendulum.mo --stop 0 --start hinge.phi=0.4 --start hinge.w=2 --set tau_hinge=1 --signals hinge.a \
    -q -o p.csv || fail "pendulum: no run"
awk -F, 'FNR == 2 { want = (-9.81*0.5*sin(0.4) - 0.3*2 + 1)/(0.1 + 0.25); exit !($2 - want < 1e-9 && want - $2 < 1e-9) }' \
    p.csv || fail "pendulum: $(cat p.csv)"
"$rung" import pendulum.urdf >out.mo && grep -q '^model r ' out.mo && "$rung" format --check out.mo ||
    fail "to standard output"
"$rung" import pendulum.urdf --model Other -o - | grep -q '^end Other;' || fail "--model"

# A mimicking joint keeps q = 2 q of the leader + 0.1; both feel the leader's torque.
{
    echo '<link name="base"/>'
    link first 1
    link second 0.5
    joint lead continuous base first ''
    joint follow continuous base second '<mimic joint="lead" multiplier="2" offset="0.1"/>'
} | robot >mimic.urdf
"$rung" import mimic.urdf -o Mimic.mo && "$rung" simulate Mimic.mo --stop 1 --set tau_lead=2 -q -o m.csv \
    --signals lead.phi,follow.phi || fail "mimic: no run"
awk -F, 'FNR > 1 { d = $3 - 2*$2 - 0.1; if (d > 1e-9 || d < -1e-9) bad = 1 } END { exit bad || FNR < 10 }' m.csv ||
    fail "mimic: the joint does not follow"

# A limit holds within the stop's give, and `limits = false` leaves it out.
{
    echo '<link name="base"/>'
    link arm 1
    joint hinge revolute base arm '<limit lower="-0.5" upper="0.5" effort="100" velocity="1"/><dynamics damping="1"/>'
} | robot >limit.urdf
"$rung" import limit.urdf -o Limit.mo || fail "limit"
for limits in true false; do
    "$rung" simulate Limit.mo --model "Limit(limits=$limits)" --stop 5 --set tau_hinge=20 -q -o l.csv --signals hinge.phi ||
        fail "limit: no run"
    tail -1 l.csv | awk -F, -v held=$limits '{ exit !(held == "true" ? $2 > 0.5 && $2 < 0.51 : $2 > 2) }' ||
        fail "limits=$limits: $(tail -1 l.csv)"
done

# A body that nothing holds falls.
link arm 1 | robot >free.urdf
"$rung" import free.urdf --base free -o Free.mo && "$rung" simulate Free.mo --stop 1 -q -o f.csv \
    --signals 'base.r_rel[3]' || fail "free: no run"
tail -1 f.csv | awk -F, '{ d = $2 + 9.81/2; exit !(d < 1e-6 && d > -1e-6) }' || fail "free: $(tail -1 f.csv)"

# All joints, names that are none in Modelica, a line end in a name.
{
    echo '<link name="end&#10;model"/>'
    link Boolean 1
    link 'a.b/c' 2
    link connect 1
    link 'say &quot;x&quot;' 1
    joint limits planar 'end&#10;model' Boolean ''
    joint Boolean prismatic Boolean a.b/c '<limit lower="-9" upper="9" effort="0" velocity="1"/>'
    joint der floating 'end&#10;model' connect ''
    joint 'n n' prismatic connect 'say &quot;x&quot;' '<origin rpy="0.1 0.2 0.3"/><limit lower="-1" upper="1" effort="5" velocity="1"/><dynamics damping="1" friction="2"/>'
} | robot >all.urdf
"$rung" import all.urdf -o All.mo && "$rung" check --strict All.mo >check.txt 2>&1 &&
    "$rung" simulate All.mo --stop 0.5 -q -o all.csv || fail "all joints: $(cat check.txt)"

# Shapes, a mesh beside the file among them.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >mesh.obj
{
    echo '<link name="base"><visual><geometry><mesh filename="package://here/mesh.obj" scale="0.1 0.2 0.3"/></geometry></visual>'
    echo '<visual><geometry><cylinder radius="1" length="2"/></geometry></visual></link>'
} | robot >shapes.urdf
"$rung" import shapes.urdf -o Shapes.mo && "$rung" view Shapes.mo -o shapes.html >view.txt || fail "shapes"
grep -q '2 solids' view.txt || fail "shapes: $(cat view.txt)"

# Wrong files
wrong() {
    text=$1
    robot >wrong.urdf
    expect 1 "$text" "$rung" import wrong.urdf -o Wrong.mo
    [ ! -e Wrong.mo ] || fail "a file is left behind: $text"
}
{ link a 1; joint j fixed a b ''; } | wrong "wrong.urdf:3:48: error I07: there is no link 'b'"
{ link a 1; link a 1; } | wrong "a second link 'a'"
{ link a 1; link b 1; } | wrong "two trees"
{ link a 1; link b 1; joint j fixed a b ''; joint k fixed a b ''; } | wrong "two joints that carry it"
{ link a 1; link b 1; joint j fixed a b ''; joint k fixed b a ''; } | wrong "no link is the root"
{ link a 1; echo '<link name="b"/>'; joint j continuous a b ''; } | wrong "joint 'j' moves link 'b', which has no mass"
{ link a 1; link b 1; joint j hinge a b ''; } | wrong "not 'hinge'"
{ link a x; } | wrong "value of <mass> should be a number, not 'x'"
{ link a -1; } | wrong 'a mass is not negative'
{ link a 1; link b 1; joint j revolute a b '<origin xyz="1 2"/>'; } | wrong "should be 3 numbers, not '1 2'"
{ link a 1; link b 1; joint j continuous a b '<mimic joint="j"/>'; } | wrong 'mimics a joint that mimics it in turn'
echo '<link name="a">' | wrong 'not XML'
echo '<sdf/>' >s.urdf
expect 1 'no robot: the file begins with <sdf>' "$rung" import s.urdf
expect 1 'P10' "$rung" import missing.urdf
expect 2 'one file' "$rung" import

# MJCF. The pendulum of above: 1 kg at 0.5 m, turned about a point 0.2 m above its body's origin, in degrees.
mjcf() {
    echo '<mujoco model="m">'
    cat
    echo '</mujoco>'
}
pendulum='<inertial pos="0 0 -0.3" mass="1" diaginertia="0.1 0.1 0.02"/>'
world() {
    echo "<worldbody><body name=\"a\"><joint name=\"hinge\" axis=\"0 1 0\" pos=\"0 0 0.2\" $1/>$pendulum$2</body></worldbody>"
}
world 'damping="0.3" stiffness="4" springref="30" armature="0.05"' | mjcf >pendulum.xml
"$rung" import pendulum.xml -o Pendulum.mo && "$rung" check --strict Pendulum.mo >check.txt 2>&1 &&
    "$rung" simulate Pendulum.mo --stop 0 --start hinge.phi=0.4 --start hinge.w=2 --set tau_hinge=1 --signals hinge.a \
        -q -o p.csv || fail "MJCF: pendulum: $(cat check.txt)"
awk -F, 'FNR == 2 { pi = atan2(0, -1); want = (-9.81*0.5*sin(0.4) - 0.3*2 + 1 - 4*(0.4 - pi/6))/(0.1 + 0.25 + 0.05)
    exit !($2 - want < 1e-9 && want - $2 < 1e-9) }' p.csv || fail "MJCF: pendulum: $(cat p.csv)"

# Where the file places the bodies is where a run starts: coordinates are `ref`, or the place in the world.
{
    echo '<compiler angle="radian"/><option><flag gravity="disable"/></option><worldbody>'
    echo "<body name=\"a\" pos=\"0 0 1\"><joint name=\"h\" ref=\"0.7\"/>$pendulum</body>"
    echo "<body name=\"b\" pos=\"1 2 3\" euler=\"0 0 0.5\"><freejoint name=\"f\"/>$pendulum</body></worldbody>"
} | mjcf >start.xml
"$rung" import start.xml -o Start.mo && "$rung" simulate Start.mo --stop 1 -q -o s.csv \
    --signals 'h.phi,h.frame_b.m.T[1,1],f.r_rel[2],f.Q[4]' || fail "MJCF: start: no run"
tail -1 s.csv | awk -F, '{ exit !(($2 - 0.7)^2 + ($3 - 1)^2 + ($4 - 2)^2 + ($5 - sin(0.25))^2 < 1e-12) }' ||
    fail "MJCF: start: $(tail -1 s.csv)"

# Elements that cannot change the motion of bodies are left out, each kind with one warning.
{
    world '' '<site/><site/><geom type="mesh" mesh="here" mass="0"/>'
    echo '<asset><mesh name="here" file="mesh.obj"/></asset><sensor><clock/></sensor>'
    echo '<actuator><position joint="hinge"/></actuator>'
} | mjcf >left.xml
"$rung" import left.xml -o Left.mo >left.txt 2>&1 && grep -q 'mesh.obj' Left.mo || fail "MJCF: $(cat left.txt)"
for text in 'left.xml:2:.*<site>: 2 of these' '<sensor> is left out' '<position>: the input of a joint'; do
    grep -q "$text" left.txt || fail "MJCF: no warning of $text"
done

# Wrong files
wrong_mjcf() {
    text=$1
    mjcf >wrong.xml
    expect 1 "$text" "$rung" import wrong.xml -o Wrong.mo
    [ ! -e Wrong.mo ] || fail "a file is left behind: $text"
}
world '' '<geom size="1 x"/>' | wrong_mjcf "wrong.xml:2:.*error I03: size of <geom> should be 2 numbers, not '1 x'"
world 'axiss="1 0 0"' | wrong_mjcf 'error I12: axiss of <joint> is not read'
world 'class="b"' | wrong_mjcf "there is no default class 'b'"
world 'type="hing"' | wrong_mjcf "is one of free ball slide hinge, not 'hing'"
world '' '<freejoint/>' | wrong_mjcf 'a free joint is the only one'
world '' '<body><joint name="hinge"/><geom size="1"/></body>' | wrong_mjcf "a second <joint> 'hinge'"
world '' '<body><joint/><geom type="mesh" mesh="m"/></body>' | wrong_mjcf 'needs its mesh'
world '' '<body euler="1 2 3" quat="1 0 0 0"/>' | wrong_mjcf 'more than one orientation'
world '' '<composite/>' | wrong_mjcf '<composite> is not read'
{ world ''; echo '<equality><joint joint1="hinge"/></equality>'; } | wrong_mjcf '<joint> is not read: an equality constraint'
{ world ''; echo '<actuator><motor joint="none"/></actuator>'; } | wrong_mjcf "there is no joint 'none'"
{ world ''; echo '<include file="none.xml"/>'; } | wrong_mjcf "there is no file 'none.xml'"
{ world ''; echo '<include file="wrong.xml"/>'; } | wrong_mjcf "'wrong.xml' is included a second time"
echo '<worldbody><body name="a"><joint name="j"/></body></worldbody>' | wrong_mjcf 'has no mass'
expect 1 'a <freejoint> makes a body free' "$rung" import pendulum.xml --base free

fi

# Accelerations by MuJoCo
python=
find_python json || { echo "skipped: no Python"; exit $failed; }
mkdir -p robots
"$python" "$source/tests/e2e/robots/robots.py" write robots || fail "robots.py"
if [ "$client" = none ]; then
    echo "skipped: no MuJoCo"
else
    robots="classes floating" samples=1
    ! large || robots="arm quadruped humanoid"
    ! night || robots="$robots classes floating" samples=2
    # shellcheck disable=SC2086
    "$python" "$source/tests/e2e/robots/robots.py" compare "$rung" "$client" robots $samples $robots || fail "by MuJoCo"
fi
if large; then
    robots=quadruped
    ! night || robots='quadruped humanoid'
    for robot in $robots; do
        "$rung" import robots/$robot.urdf -o V.mo && "$rung" verify V.mo --points 1 >verify.txt || fail "$robot: $(cat verify.txt)"
    done
fi
exit $failed
