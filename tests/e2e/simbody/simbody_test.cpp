/* simbody_test.cpp -- accelerations of random trees, rung against Simbody.
 *
 * Each seed gives a tree of bodies: chains, stars or random branches; all joints; axes, masses,
 * inertias, offsets, states, springs and loads at random, with many exact zeros among them. It is
 * written as a Modelica model on the library Linkage and built in Simbody. Both give the
 * accelerations of every body's origin at the initial state, and they must agree to 1e-9.
 *
 * usage: simbody_test RUNG DIR [FIRST_SEED [SEEDS]]
 */
#include <Simbody.h>

#include <cinttypes>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

using SimTK::Inertia;
using SimTK::MassProperties;
using SimTK::MobilizedBody;
using SimTK::Real;
using SimTK::Rotation;
using SimTK::Transform;
using SimTK::UnitVec3;
using SimTK::Vec3;
using SimTK::Vec4;

namespace
{

/* relative to the larger of the body's acceleration and one unit */
const Real TOLERANCE = 1e-9;

class Random
{
  public:
    explicit Random(uint64_t seed) : s(seed * 0x9e3779b97f4a7c15u + 1)
    {
    }

    uint64_t next()
    {
        s += 0x9e3779b97f4a7c15u;
        uint64_t z = s;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    int below(int n)
    {
        return static_cast<int>(next() % static_cast<uint64_t>(n));
    }
    bool one_in(int n)
    {
        return below(n) == 0;
    }
    Real real(Real lo, Real hi)
    {
        return lo + (hi - lo) * Real(next() >> 11) * 0x1p-53;
    }
    /* components of which some are exactly zero */
    Vec3 vector(Real size)
    {
        Vec3 v(0);
        for (int i = 0; i < 3; i++)
            if (!one_in(3))
                v[i] = real(-size, size);
        return v;
    }
    /* not zero; every other one along a coordinate axis */
    Vec3 axis()
    {
        Vec3 v(0);
        if (one_in(2)) {
            v[below(3)] = one_in(4) ? -2 : 1;
            return v;
        }
        do
            v = vector(1);
        while (v.norm() < 0.1);
        return v;
    }

  private:
    uint64_t s;
};

/* --- the model's text --------------------------------------------------------------------- */

class Text
{
  public:
    std::string components, equations;

    static std::string number(Real x)
    {
        char buf[40];
        snprintf(buf, sizeof buf, "%.17g", x);
        return buf;
    }
    template <int N> static std::string array(const SimTK::Vec<N> &v)
    {
        std::string s = "{";
        for (int i = 0; i < N; i++)
            s += (i ? ", " : "") + number(v[i]);
        return s + "}";
    }
    void component(const std::string &line)
    {
        components += "  Linkage." + line + ";\n";
    }
    void connect(const std::string &a, const std::string &b)
    {
        equations += "  connect(" + a + ", " + b + ");\n";
    }
    std::string model(const std::string &name) const
    {
        return "model " + name + "\n" + components + "equation\n" + equations + "end " + name +
               ";\n";
    }
};

std::string fixed_scalar(const char *name, Real start)
{
    return std::string(name) + "(start = " + Text::number(start) + ", fixed = true)";
}
template <int N> std::string fixed_array(const char *name, const SimTK::Vec<N> &start)
{
    return std::string(name) + "(start = " + Text::array(start) + ", each fixed = true)";
}

/* --- a tree, in both worlds ----------------------------------------------------------------- */

struct Tree {
    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter{system};
    SimTK::GeneralForceSubsystem forces{system};
    std::vector<MobilizedBody> body;
    std::vector<std::string> frame; /* of body k in the Modelica model */
    /* coordinates and speeds of body k, to be put into the state */
    std::vector<SimTK::Vector> q, u;
    Vec3 gravity;
    Text text;
};

SimTK::Vector vector_of(std::initializer_list<Real> list)
{
    SimTK::Vector v(static_cast<int>(list.size()));
    int i = 0;
    for (Real x : list)
        v[i++] = x;
    return v;
}

MassProperties random_mass(Random &r, const std::string &name, Tree &t, const std::string &frame)
{
    Real m = r.real(0.2, 3);
    Vec3 com = r.vector(0.5);
    /* principal moments of a box-like body, turned unless they shall stay in the axes */
    Vec3 half(r.real(0.1, 0.5), r.real(0.1, 0.5), r.real(0.1, 0.5));
    Real x = half[0] * half[0], y = half[1] * half[1], z = half[2] * half[2];
    Inertia principal(m / 3 * (y + z), m / 3 * (x + z), m / 3 * (x + y));
    Inertia I = principal;
    if (!r.one_in(3))
        I = principal.reexpress(Rotation(r.real(-3, 3), UnitVec3(r.axis())));
    SimTK::SymMat33 i = I.asSymMat33();

    std::string line =
        "Parts.Body " + name + "(m = " + Text::number(m) + ", r_CM = " + Text::array(com);
    const char *element[] = {"I_11", "I_22", "I_33", "I_21", "I_31", "I_32"};
    Real value[] = {i(0, 0), i(1, 1), i(2, 2), i(1, 0), i(2, 0), i(2, 1)};
    for (int k = 0; k < 6; k++)
        line += std::string(", ") + element[k] + " = " + Text::number(value[k]);
    t.text.component(line + ")");
    t.text.connect(frame, name + ".frame_a");
    return MassProperties(m, com, I.shiftFromMassCenter(com, m));
}

/* Rotation whose given axis is along e. */
Rotation along(const Vec3 &e, SimTK::CoordinateAxis which)
{
    return Rotation(UnitVec3(e), which);
}

void add_joint_and_body(Random &r, Tree &t, int k, MobilizedBody &parent,
                        const std::string &parent_frame)
{
    std::string id = std::to_string(k);
    std::string at = parent_frame;

    /* from the parent's frame to the joint's: moved, then perhaps turned */
    Vec3 offset = r.vector(1);
    Rotation turn;
    t.text.component("Parts.FixedTranslation arm" + id + "(r = " + Text::array(offset) + ")");
    t.text.connect(at, "arm" + id + ".frame_a");
    at = "arm" + id + ".frame_b";
    if (r.one_in(3)) {
        Vec3 n = r.axis();
        Real angle = r.real(-3, 3);
        turn = Rotation(angle, UnitVec3(n));
        t.text.component("Parts.FixedRotation turn" + id + "(n = " + Text::array(n) +
                         ", angle = " + Text::number(angle) + ")");
        t.text.connect(at, "turn" + id + ".frame_a");
        at = "turn" + id + ".frame_b";
    }

    std::string joint = "joint" + id;
    std::string frame = joint + ".frame_b";
    t.text.connect(at, joint + ".frame_a");
    MassProperties mass = random_mass(r, "body" + id, t, frame);
    SimTK::Body::Rigid rigid(mass);
    auto inboard = [&](const Rotation &S) { return Transform(turn * S, offset); };
    auto outboard = [](const Rotation &S) { return Transform(S, Vec3(0)); };

    MobilizedBody made;
    SimTK::Vector q, u;
    switch (r.below(8)) {
    case 0:
    case 1:
    case 2: {
        Vec3 n = r.axis();
        Rotation S = along(n, SimTK::ZAxis);
        q = vector_of({r.real(-3, 3)});
        u = vector_of({r.real(-2, 2)});
        made = MobilizedBody::Pin(parent, inboard(S), rigid, outboard(S));
        bool spring = r.one_in(3);
        t.text.component("Joints.Revolute " + joint + "(n = " + Text::array(n) +
                         (spring ? ", useFlange = true, " : ", ") + fixed_scalar("phi", q[0]) +
                         ", " + fixed_scalar("w", u[0]) + ")");
        if (spring) {
            Real c = r.real(0, 20), d = r.real(0, 2), q0 = r.real(-1, 1);
            SimTK::Force::MobilityLinearSpring(t.forces, made, SimTK::MobilizerQIndex(0), c, q0);
            SimTK::Force::MobilityLinearDamper(t.forces, made, SimTK::MobilizerUIndex(0), d);
            t.text.component("Drives.RotationalFixed ground" + id);
            t.text.component("Drives.RotationalSpringDamper spring" + id +
                             "(c = " + Text::number(c) + ", d = " + Text::number(d) +
                             ", phi_rel_0 = " + Text::number(q0) + ")");
            t.text.connect("ground" + id + ".flange", "spring" + id + ".flange_a");
            t.text.connect("spring" + id + ".flange_b", joint + ".flange");
        }
        break;
    }
    case 3: {
        Vec3 n = r.axis();
        Rotation S = along(n, SimTK::XAxis);
        q = vector_of({r.real(-1, 1)});
        u = vector_of({r.real(-2, 2)});
        made = MobilizedBody::Slider(parent, inboard(S), rigid, outboard(S));
        bool drive = r.one_in(3);
        t.text.component("Joints.Prismatic " + joint + "(n = " + Text::array(n) +
                         (drive ? ", useFlange = true, " : ", ") + fixed_scalar("s", q[0]) + ", " +
                         fixed_scalar("v", u[0]) + ")");
        if (drive) {
            Real f = r.real(-20, 20);
            SimTK::Force::MobilityConstantForce(t.forces, made, SimTK::MobilizerUIndex(0), f);
            t.text.component("Drives.Force drive" + id + "(f = " + Text::number(f) + ")");
            t.text.connect("drive" + id + ".flange", joint + ".flange");
        }
        break;
    }
    case 4: {
        Vec3 n = r.axis();
        Rotation S = along(n, SimTK::ZAxis);
        q = vector_of({r.real(-3, 3), r.real(-1, 1)});
        u = vector_of({r.real(-2, 2), r.real(-2, 2)});
        made = MobilizedBody::Cylinder(parent, inboard(S), rigid, outboard(S));
        t.text.component("Joints.Cylindrical " + joint + "(n = " + Text::array(n) + ", " +
                         fixed_scalar("phi", q[0]) + ", " + fixed_scalar("s", q[1]) + ", " +
                         fixed_scalar("w", u[0]) + ", " + fixed_scalar("v", u[1]) + ")");
        break;
    }
    case 5: {
        /* Simbody's axes are x and y of one frame, so those here are at a right angle */
        Vec3 n_a = r.axis(), n_b;
        do
            n_b = SimTK::cross(n_a, r.axis());
        while (n_b.norm() < 0.1);
        Rotation S(UnitVec3(n_a), SimTK::XAxis, n_b, SimTK::YAxis);
        q = vector_of({r.real(-3, 3), r.real(-1.2, 1.2)});
        u = vector_of({r.real(-2, 2), r.real(-2, 2)});
        made = MobilizedBody::Universal(parent, inboard(S), rigid, outboard(S));
        t.text.component("Joints.Universal " + joint + "(n_a = " + Text::array(n_a) + ", n_b = " +
                         Text::array(n_b) + ", " + fixed_array("phi", SimTK::Vec2(q[0], q[1])) +
                         ", " + fixed_array("w", SimTK::Vec2(u[0], u[1])) + ")");
        break;
    }
    default: {
        /* Simbody's speeds are resolved in the inboard frame, Linkage's in the outboard one */
        bool free = r.one_in(2);
        Rotation R_ab(r.real(-3, 3), UnitVec3(r.axis()));
        Vec4 Q = R_ab.convertRotationToQuaternion().asVec4();
        Vec3 w_rel = r.vector(2);
        Vec3 w = R_ab * w_rel;
        if (!free) {
            q = vector_of({Q[0], Q[1], Q[2], Q[3]});
            u = vector_of({w[0], w[1], w[2]});
            made = MobilizedBody::Ball(parent, inboard(Rotation()), rigid, outboard(Rotation()));
            t.text.component("Joints.Spherical " + joint + "(" + fixed_array("Q", Q) + ", " +
                             fixed_array("w_rel", w_rel) + ")");
        } else {
            Vec3 p = r.vector(1), v = r.vector(2);
            q = vector_of({Q[0], Q[1], Q[2], Q[3], p[0], p[1], p[2]});
            u = vector_of({w[0], w[1], w[2], v[0], v[1], v[2]});
            made = MobilizedBody::Free(parent, inboard(Rotation()), rigid, outboard(Rotation()));
            t.text.component("Joints.Free " + joint + "(" + fixed_array("r_rel", p) + ", " +
                             fixed_array("v_rel", v) + ", " + fixed_array("Q", Q) + ", " +
                             fixed_array("w_rel", w_rel) + ")");
        }
        break;
    }
    }
    t.body.push_back(made);
    t.frame.push_back(frame);
    t.q.push_back(q);
    t.u.push_back(u);
}

/* A spring between two bodies and a load on one, so that positions matter too. */
void add_forces(Random &r, Tree &t)
{
    int n = static_cast<int>(t.body.size());
    for (int k = 0; n > 1 && k < 1 + n / 10; k++) {
        int a = r.below(n), b = r.below(n);
        if (a == b)
            continue;
        std::string name = "line" + std::to_string(k);
        Real c = r.real(0, 30), d = r.real(0, 3), s0 = r.real(0, 1);
        SimTK::Force::TwoPointLinearSpring(t.forces, t.body[a], Vec3(0), t.body[b], Vec3(0), c, s0);
        SimTK::Force::TwoPointLinearDamper(t.forces, t.body[a], Vec3(0), t.body[b], Vec3(0), d);
        t.text.component("Forces.SpringDamper " + name + "(c = " + Text::number(c) +
                         ", d = " + Text::number(d) + ", s_0 = " + Text::number(s0) + ")");
        t.text.connect(t.frame[a], name + ".frame_a");
        t.text.connect(t.frame[b], name + ".frame_b");
    }
    int a = r.below(n);
    Vec3 f = r.vector(10), m = r.vector(3);
    SimTK::Force::ConstantForce(t.forces, t.body[a], Vec3(0), f);
    SimTK::Force::ConstantTorque(t.forces, t.body[a], m);
    t.text.component("Forces.Force push(f = " + Text::array(f) + ")");
    t.text.component("Forces.Torque twist(t = " + Text::array(m) + ")");
    t.text.connect("push.frame_b", t.frame[a]);
    t.text.connect("twist.frame_b", t.frame[a]);
}

std::unique_ptr<Tree> random_tree(uint64_t seed)
{
    Random r(seed);
    auto t = std::make_unique<Tree>();
    /* the first seeds are small, for a failure that can be read */
    int n = seed < 4 ? 1 + static_cast<int>(seed) : seed % 4 == 0 ? 50 : 2 + r.below(30);
    int shape = r.below(3);

    Vec3 down = r.axis();
    Real g = r.real(1, 10);
    t->gravity = g * UnitVec3(down);
    SimTK::Force::UniformGravity(t->forces, t->matter, t->gravity);
    t->text.components = "  inner Linkage.World world(g = " + Text::number(g) +
                         ", n = " + Text::array(down) + ");\n";
    for (int k = 0; k < n; k++) {
        /* a chain, bushy, or a chain with short branches */
        int parent = k - 1;
        if (shape == 1)
            parent = r.below(k + 1) - 1;
        else if (shape == 2 && k > 0)
            parent = k - 1 - r.below(k < 3 ? k : 3);
        if (parent < 0)
            add_joint_and_body(r, *t, k, t->matter.updGround(), "world.frame_b");
        else
            add_joint_and_body(r, *t, k, t->body[parent], t->frame[parent]);
    }
    add_forces(r, *t);
    return t;
}

/* --- rung's answer ---------------------------------------------------------------------------- */

std::vector<std::string> split(const std::string &line)
{
    std::vector<std::string> cells;
    std::string cell;
    bool quoted = false;
    for (char c : line) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted) {
            cells.push_back(cell);
            cell.clear();
        } else if (c != '\r')
            cell += c;
    }
    cells.push_back(cell);
    return cells;
}

bool read_first_row(const std::string &file, std::map<std::string, Real> &value)
{
    std::ifstream in(file);
    std::string head, row;
    if (!std::getline(in, head) || !std::getline(in, row))
        return false;
    std::vector<std::string> names = split(head), cells = split(row);
    if (names.size() != cells.size())
        return false;
    for (size_t i = 0; i < names.size(); i++)
        value[names[i]] = std::strtod(cells[i].c_str(), nullptr);
    return true;
}

class Row
{
  public:
    std::map<std::string, Real> value;
    std::string missing;

    Real get(const std::string &name)
    {
        auto it = value.find(name);
        if (it == value.end()) {
            missing = name;
            return NAN;
        }
        return it->second;
    }
    Vec3 vec(const std::string &name)
    {
        return Vec3(get(name + "[1]"), get(name + "[2]"), get(name + "[3]"));
    }
    SimTK::Mat33 matrix(const std::string &name)
    {
        SimTK::Mat33 m;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                m(i, j) =
                    get(name + "[" + std::to_string(i + 1) + "," + std::to_string(j + 1) + "]");
        return m;
    }
};

class Comparison
{
  public:
    Real worst = 0;
    std::string where = "nothing";

    void add(const Vec3 &ours, const Vec3 &theirs, const std::string &name)
    {
        Real scale = std::max(Real(1), theirs.norm());
        Real error = (ours - theirs).norm() / scale;
        if (!(error <= worst)) {
            worst = error;
            std::ostringstream s;
            s << name << ": rung " << ours << ", Simbody " << theirs;
            where = s.str();
        }
    }
};

bool check(const std::string &rung, const std::string &dir, uint64_t seed)
{
    std::unique_ptr<Tree> t = random_tree(seed);
    std::string name = "Tree" + std::to_string(seed);
    std::string mo = dir + "/" + name + ".mo", csv = dir + "/" + name + ".csv";
    std::ofstream(mo) << t->text.model(name);

    /* Simbody */
    SimTK::State state = t->system.realizeTopology();
    t->system.realizeModel(state);
    for (size_t k = 0; k < t->body.size(); k++) {
        t->body[k].setQFromVector(state, t->q[k]);
        t->body[k].setUFromVector(state, t->u[k]);
    }
    t->system.realize(state, SimTK::Stage::Acceleration);

    /* rung */
    std::remove(csv.c_str());
    std::string log = dir + "/" + name + ".log";
    std::string command = "'" + rung + "' simulate '" + mo + "' --model " + name +
                          " --method dopri5 --stop 0 -o '" + csv + "' >'" + log + "' 2>&1";
    Row row;
    if (std::system(command.c_str()) != 0 || !read_first_row(csv, row.value)) {
        std::printf("seed %" PRIu64 ": FAILED: no result from %s\n", seed, command.c_str());
        std::ifstream said(log);
        std::string line;
        for (int k = 0; k < 5 && std::getline(said, line); k++)
            std::printf("    %s\n", line.substr(0, 200).c_str());
        return false;
    }

    Comparison position, velocity, acceleration;
    for (size_t k = 0; k < t->body.size(); k++) {
        std::string m = t->frame[k] + ".m.";
        SimTK::Mat33 R = ~row.matrix(m + "T");
        const MobilizedBody &b = t->body[k];
        position.add(row.vec(m + "r"), b.getBodyOriginLocation(state), m + "r");
        for (int i = 0; i < 3; i++)
            position.add(R.col(i), b.getBodyRotation(state).asMat33().col(i), m + "T");
        velocity.add(R * row.vec(m + "v"), b.getBodyOriginVelocity(state), m + "v");
        velocity.add(R * row.vec(m + "w"), b.getBodyAngularVelocity(state), m + "w");
        acceleration.add(R * row.vec(m + "a") + t->gravity, b.getBodyOriginAcceleration(state),
                         m + "a");
        acceleration.add(R * row.vec(m + "z"), b.getBodyAngularAcceleration(state), m + "z");
    }
    if (!row.missing.empty()) {
        std::printf("seed %" PRIu64 ": FAILED: the result lacks '%s'\n", seed, row.missing.c_str());
        return false;
    }
    bool good = true;
    for (const Comparison *c : {&position, &velocity, &acceleration})
        if (!(c->worst <= TOLERANCE)) {
            std::printf("seed %" PRIu64 ": FAILED: relative error %.2e in %s\n", seed, c->worst,
                        c->where.c_str());
            good = false;
        }
    if (good)
        std::printf("seed %" PRIu64 ": %zu bodies, relative error of accelerations %.1e\n", seed,
                    t->body.size(), acceleration.worst);
    std::fflush(stdout);
    return good;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: %s RUNG DIR [FIRST_SEED [SEEDS]]\n", argv[0]);
        return 2;
    }
    uint64_t first = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 0;
    uint64_t seeds = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 16;
    bool good = true;
    try {
        for (uint64_t seed = first; seed < first + seeds; seed++)
            good = check(argv[1], argv[2], seed) && good;
    } catch (const std::exception &e) {
        std::printf("FAILED: %s\n", e.what());
        return 1;
    }
    return good ? 0 : 1;
}
