// simulate: --stop 2 --tolerance 1e-9
// methods: dopri5 ida ida-residual cvode gear esdirk
// agree: joint[1].phi 1e-6
// agree: joint[3].phi 1e-6
// agree: joint[3].w 1e-5
// constant: E 1e-6
// moves: joint[3].phi 0.5
model MethodsAgree "A spatial chain by all methods for general models"
  extends Linkage.Examples.AlternatingPendulumGeneral(n = 3);
end MethodsAgree;
