/* wishbone_test.cpp -- the motion of a suspension with closed loops, rung against Simbody.
 *
 * tests/sim/DoubleWishbones.mo, whose places and masses are those of
 * Linkage.Vehicles.DoubleWishbone, is built in Simbody from the same numbers: two pins, two welded
 * bodies on a ball joint, a ball and a rod as constraints, a spring, a damper, and a force that
 * shakes the wheel. The centre of the wheel must agree to 1e-6 m over a second.
 *
 * usage: wishbone_test RUNG DIR MODEL.mo
 */
#include "tests/e2e/simbody/rung_places.h"

#include <cmath>

using SimTK::MobilizedBody;
using SimTK::Rotation;
using SimTK::Transform;
using SimTK::UnitVec3;
using SimTK::Vec3;

namespace
{

const double TOLERANCE = 1e-6;
const int SAMPLES = 4;

/* Up along z at the origin of a body. */
class Shaking : public SimTK::Force::Custom::Implementation
{
  public:
    explicit Shaking(const MobilizedBody &b) : body(b)
    {
    }
    void calcForce(const SimTK::State &s, SimTK::Vector_<SimTK::SpatialVec> &forces,
                   SimTK::Vector_<Vec3> &, SimTK::Vector &) const override
    {
        Vec3 f(0, 0, 9000 + 4000 * std::sin(20 * s.getTime()));
        body.applyForceToBodyPoint(s, Vec3(0), f, forces);
    }
    SimTK::Real calcPotentialEnergy(const SimTK::State &) const override
    {
        return 0;
    }

  private:
    const MobilizedBody &body;
};

std::vector<Vec3> by_simbody()
{
    const Vec3 lower_front(0.223, 0.307, 0), lower_rear(-0.223, 0.307, 0),
        lower_ball(-0.036, 0.787, -0.118), upper_front(-0.048, 0.446, 0.245),
        upper_rear(-0.268, 0.478, 0.196), upper_ball(-0.053, 0.716, 0.215),
        tie_in(-0.25, 0.448, 0.054), tie_out(-0.176, 0.821, -0.016), center(-0.04, 0.91, -0.026),
        spring_top(0.104, 0.51, 0.197), shock_top(0.104, 0.498, 0.323),
        spring_foot(0.097, 0.543, -0.047);
    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter(system);
    SimTK::GeneralForceSubsystem forces(system);
    SimTK::Force::UniformGravity(forces, matter, Vec3(0, 0, -9.81));
    MobilizedBody ground = matter.Ground();
    const Rotation along_lower(UnitVec3(lower_front - lower_rear), SimTK::ZAxis),
        along_upper(UnitVec3(upper_front - upper_rear), SimTK::ZAxis);
    MobilizedBody::Pin lower(
        ground, Transform(along_lower, lower_rear),
        rigid_body(23.965, Vec3(0, 0.547, -0.059) - lower_rear, Vec3(0.4469, 0.4469, 0.8938)),
        Transform(along_lower, Vec3(0)));
    MobilizedBody::Pin upper(
        ground, Transform(along_upper, upper_rear),
        rigid_body(5.813, Vec3(-0.106, 0.589, 0.218) - upper_rear, Vec3(0.03138, 0.03138, 0.06276)),
        Transform(along_upper, Vec3(0)));
    MobilizedBody::Ball upright(
        lower, Transform(lower_ball - lower_rear),
        rigid_body(19.45, Vec3(-0.04, 0.751, -0.026) - lower_ball, Vec3(0.1656, 0.1934, 0.04367)),
        Transform());
    MobilizedBody::Weld wheel(upright, Transform(center - lower_ball),
                              rigid_body(71.1, Vec3(0), Vec3(4.3, 7.4, 4.3)), Transform());
    SimTK::Constraint::Ball(upper, upper_ball - upper_rear, upright, upper_ball - lower_ball);
    SimTK::Constraint::Rod(ground, tie_in, upright, tie_out - lower_ball,
                           (tie_out - tie_in).norm());
    SimTK::Force::TwoPointLinearSpring(forces, ground, spring_top, lower, spring_foot - lower_rear,
                                       3e5, 0.339);
    SimTK::Force::TwoPointLinearDamper(forces, ground, shock_top, lower, spring_foot - lower_rear,
                                       19015.5692);
    SimTK::Force::Custom(forces, new Shaking(wheel));
    SimTK::State state = system.realizeTopology();
    return places_by_simbody(system, state, {wheel}, 1, SAMPLES);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    const std::string result = std::string(argv[2]) + "/wishbone.csv";
    return places_agree(places_by_rung(argv[1], result, argv[3], "r[*]", 1, SAMPLES), by_simbody(),
                        1, TOLERANCE, 0.01)
               ? 0
               : 1;
}
