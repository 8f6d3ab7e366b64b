/* rung_places.h -- places of points along runs of rung and of Simbody, compared. */
#ifndef RUNG_TESTS_RUNG_PLACES_H
#define RUNG_TESTS_RUNG_PLACES_H

#include <Simbody.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

/* The columns of the signals, three for a point, in rows at stop/samples from each other. */
inline std::vector<SimTK::Vec3> places_by_rung(const std::string &rung, const std::string &result,
                                               const std::string &model, const std::string &signals,
                                               double stop, int samples)
{
    const std::string command = "'" + rung + "' simulate '" + model + "' --stop " +
                                std::to_string(stop) + " --interval " +
                                std::to_string(stop / samples) + " --tolerance 1e-10 --signals '" +
                                signals + "' -q -o '" + result + "'";
    std::vector<SimTK::Vec3> places;
    if (system(command.c_str()) != 0)
        return places;
    std::ifstream file(result);
    std::string line;
    std::getline(file, line);
    for (int row = 0; std::getline(file, line);) {
        std::istringstream in(line);
        std::vector<double> x;
        for (std::string field; std::getline(in, field, ',');)
            x.push_back(std::atof(field.c_str()));
        // rows at events are between
        if (x.empty() || std::fabs(x[0] - row * stop / samples) > 1e-9)
            continue;
        for (std::size_t k = 1; k + 2 < x.size(); k += 3)
            places.push_back(SimTK::Vec3(x[k], x[k + 1], x[k + 2]));
        row++;
    }
    return places;
}

/* The origins of the bodies at the same times, from Simbody's integrator at a tight tolerance. */
inline std::vector<SimTK::Vec3> places_by_simbody(const SimTK::MultibodySystem &system,
                                                  const SimTK::State &start,
                                                  const std::vector<SimTK::MobilizedBody> &body,
                                                  double stop, int samples)
{
    SimTK::RungeKuttaMersonIntegrator integrator(system);
    integrator.setAccuracy(1e-9);
    integrator.setConstraintTolerance(1e-10);
    SimTK::TimeStepper stepper(system, integrator);
    stepper.initialize(start);
    std::vector<SimTK::Vec3> places;
    for (int row = 0; row <= samples; row++) {
        stepper.stepTo(stop * row / samples);
        const SimTK::State &s = integrator.getState();
        system.realize(s, SimTK::Stage::Position);
        for (const SimTK::MobilizedBody &b : body)
            places.push_back(b.getBodyOriginLocation(s));
    }
    return places;
}

/* Centre of mass from the body's origin, moments about the axes through the former. */
inline SimTK::Body::Rigid rigid_body(double m, const SimTK::Vec3 &com, const SimTK::Vec3 &moments)
{
    return SimTK::Body::Rigid(
        SimTK::MassProperties(m, com, SimTK::Inertia(moments).shiftFromMassCenter(-com, m)));
}

/* Whether both are the same points, which have moved by so much. */
inline bool places_agree(const std::vector<SimTK::Vec3> &ours,
                         const std::vector<SimTK::Vec3> &theirs, std::size_t per_row,
                         double tolerance, double least)
{
    if (ours.size() != theirs.size()) {
        std::printf("FAILED: %zu places, not %zu\n", ours.size(), theirs.size());
        return false;
    }
    double moved = 0, off = 0;
    for (std::size_t k = 0; k < ours.size(); k++) {
        moved = std::fmax(moved, (ours[k] - ours[k % per_row]).norm());
        off = std::fmax(off, (ours[k] - theirs[k]).norm());
    }
    std::printf("%zu places move by %.3g m, off by %.2e m\n", ours.size(), moved, off);
    if (off > tolerance || !(moved >= least))
        std::printf("FAILED: off by more than %.0e m, or less motion than %g m\n", tolerance,
                    least);
    return off <= tolerance && moved >= least;
}

#endif
