/* car_test.cpp -- the motion of a car with sixteen constraints, rung against Simbody.
 *
 * tests/e2e/vehicle/CarFalls.mo, which is Linkage.Vehicles.HMMWV.Car, is built in Simbody from the
 * numbers of Project Chrono's model: a chassis, four suspensions of two pins, a ball joint, a ball
 * and a rod as constraints, cubic springs, dampers, and tyres without friction. It leans and falls
 * on the road. The chassis and the centres of the wheels must agree to 1e-6 m.
 *
 * usage: car_test RUNG DIR MODEL.mo
 */
#include "tests/e2e/simbody/rung_places.h"

#include <cmath>

using SimTK::MobilizedBody;
using SimTK::Rotation;
using SimTK::State;
using SimTK::Transform;
using SimTK::UnitVec3;
using SimTK::Vec3;
using SimTK::Vector_;

namespace
{

const double TOLERANCE = 1e-6, STOP = 0.5;
const int SAMPLES = 5;

/* Front left, rear left; to the right y changes its sign. */
struct Corner {
    Vec3 lower[3], upper[3], tie[2], center, spring[2], shock[2], com[3];
    double x, c, c_3, s_0, d;
};

const Corner CORNER[] = {{{{0.223, 0.307, 0}, {-0.223, 0.307, 0}, {-0.036, 0.787, -0.118}},
                          {{-0.048, 0.446, 0.245}, {-0.268, 0.478, 0.196}, {-0.053, 0.716, 0.215}},
                          {{-0.25, 0.448, 0.054}, {-0.176, 0.821, -0.016}},
                          {-0.04, 0.91, -0.026},
                          {{0.104, 0.51, 0.197}, {0.097, 0.543, -0.047}},
                          {{0.104, 0.498, 0.323}, {0.097, 0.543, -0.047}},
                          {{0, 0.547, -0.059}, {-0.106, 0.589, 0.218}, {-0.04, 0.751, -0.026}},
                          1.688965,
                          167062,
                          3.60854e7,
                          0.339,
                          19015.5692},
                         {{{0.223, 0.307, 0}, {-0.223, 0.307, 0}, {0.036, 0.787, -0.118}},
                          {{0.349, 0.462, 0.228}, {0.077, 0.462, 0.224}, {0.036, 0.716, 0.216}},
                          {{0.223, 0.416, 0.059}, {0.17, 0.821, -0.009}},
                          {0.036, 0.91, -0.026},
                          {{-0.104, 0.502, 0.256}, {-0.097, 0.543, -0.047}},
                          {{-0.104, 0.498, 0.323}, {-0.097, 0.544, -0.038}},
                          {{0, 0.547, -0.059}, {0.124, 0.589, 0.221}, {0.036, 0.751, -0.026}},
                          -1.688965,
                          369149,
                          7.97362e7,
                          0.382,
                          36725.2201}};

/* Between points of two bodies, c x + c_3 x^3 for the elongation x. */
class CubicSpring : public SimTK::Force::Custom::Implementation
{
  public:
    CubicSpring(const MobilizedBody &a, Vec3 at_a, const MobilizedBody &b, Vec3 at_b,
                const Corner &k)
        : a(a), b(b), at_a(at_a), at_b(at_b), k(k)
    {
    }
    void calcForce(const State &s, Vector_<SimTK::SpatialVec> &forces, Vector_<Vec3> &,
                   SimTK::Vector &) const override
    {
        Vec3 r = b.findStationLocationInGround(s, at_b) - a.findStationLocationInGround(s, at_a);
        double x = r.norm() - k.s_0;
        Vec3 f = r / r.norm() * (k.c * x + k.c_3 * x * x * x);
        a.applyForceToBodyPoint(s, at_a, f, forces);
        b.applyForceToBodyPoint(s, at_b, -f, forces);
    }
    SimTK::Real calcPotentialEnergy(const State &) const override
    {
        return 0;
    }

  private:
    MobilizedBody a, b;
    Vec3 at_a, at_b;
    Corner k;
};

/* A thin wheel with the axle along y on the plane z = 0: the force is normal to it, at the end of
 * the spoke that points at it. */
class Tyre : public SimTK::Force::Custom::Implementation
{
  public:
    explicit Tyre(const MobilizedBody &wheel) : wheel(wheel)
    {
    }
    void calcForce(const State &s, Vector_<SimTK::SpatialVec> &forces, Vector_<Vec3> &,
                   SimTK::Vector &) const override
    {
        double height = wheel.getBodyOriginLocation(s)[2];
        if (height >= RADIUS)
            return;
        Vec3 n = ~wheel.getBodyRotation(s) * Vec3(0, 0, 1);
        double q = std::hypot(n[0], n[2]);
        Vec3 spoke(n[0] / q, 0, n[2] / q);
        wheel.applyForceToBodyPoint(s, spoke * (-height / q), Vec3(0, 0, C * (RADIUS - height)),
                                    forces);
    }
    SimTK::Real calcPotentialEnergy(const State &) const override
    {
        return 0;
    }

  private:
    static constexpr double RADIUS = 0.47, C = 326332;
    MobilizedBody wheel;
};

/* The wheel of a corner of the chassis. */
MobilizedBody corner_of(SimTK::SimbodyMatterSubsystem &matter, SimTK::GeneralForceSubsystem &forces,
                        MobilizedBody &chassis, const Corner &k, double side)
{
    auto at = [&](const Vec3 &p) { return Vec3(p[0], side * p[1], p[2]); };
    auto in_chassis = [&](const Vec3 &p) { return at(p) + Vec3(k.x, 0, 0); };
    const Vec3 lower = at(k.lower[1]), upper = at(k.upper[1]), ball = at(k.lower[2]);
    const Rotation along_lower(UnitVec3(at(k.lower[0]) - lower), SimTK::ZAxis),
        along_upper(UnitVec3(at(k.upper[0]) - upper), SimTK::ZAxis);
    MobilizedBody::Pin arm(chassis, Transform(along_lower, in_chassis(k.lower[1])),
                           rigid_body(23.965, at(k.com[0]) - lower, Vec3(0.4469, 0.4469, 0.8938)),
                           Transform(along_lower, Vec3(0)));
    MobilizedBody::Pin top(chassis, Transform(along_upper, in_chassis(k.upper[1])),
                           rigid_body(5.813, at(k.com[1]) - upper, Vec3(0.03138, 0.03138, 0.06276)),
                           Transform(along_upper, Vec3(0)));
    MobilizedBody::Ball upright(
        arm, Transform(ball - lower),
        rigid_body(19.45, at(k.com[2]) - ball, Vec3(0.1656, 0.1934, 0.04367)), Transform());
    MobilizedBody::Weld wheel(upright, Transform(at(k.center) - ball),
                              rigid_body(71.105, Vec3(0), Vec3(4.34457, 7.38782, 4.34457)),
                              Transform());
    SimTK::Constraint::Ball(top, at(k.upper[2]) - upper, upright, at(k.upper[2]) - ball);
    SimTK::Constraint::Rod(chassis, in_chassis(k.tie[0]), upright, at(k.tie[1]) - ball,
                           (k.tie[1] - k.tie[0]).norm());
    SimTK::Force::Custom(
        forces, new CubicSpring(chassis, in_chassis(k.spring[0]), arm, at(k.spring[1]) - lower, k));
    SimTK::Force::TwoPointLinearDamper(forces, chassis, in_chassis(k.shock[0]), arm,
                                       at(k.shock[1]) - lower, k.d);
    SimTK::Force::Custom(forces, new Tyre(wheel));
    return wheel;
}

std::vector<Vec3> by_simbody()
{
    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter(system);
    SimTK::GeneralForceSubsystem forces(system);
    SimTK::Force::UniformGravity(forces, matter, Vec3(0, 0, -9.81));
    MobilizedBody::Free chassis(
        matter.Ground(), Transform(),
        rigid_body(2086.52, Vec3(0.056, 0, 0.213), Vec3(1078.52, 2955.66, 3570.2)), Transform());
    std::vector<MobilizedBody> body(1, chassis);
    for (int k = 0; k < 4; k++)
        body.push_back(corner_of(matter, forces, chassis, CORNER[k / 2], k % 2 ? -1 : 1));
    State state = system.realizeTopology();
    chassis.setQToFitTransform(state, Transform(Rotation(0.05, SimTK::XAxis), Vec3(0, 0, 0.56)));
    return places_by_simbody(system, state, body, STOP, SAMPLES);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    const std::string result = std::string(argv[2]) + "/car.csv";
    return places_agree(places_by_rung(argv[1], result, argv[3], "r[*]", STOP, SAMPLES),
                        by_simbody(), 5, TOLERANCE, 0.01)
               ? 0
               : 1;
}
