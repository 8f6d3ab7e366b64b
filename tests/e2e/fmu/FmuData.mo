model FmuData "reads a number from a file that goes along, when it starts and while it runs"
  class File
    extends ExternalObject;
    function constructor
      input String path;
      output File file;
      external "C" file = data_open(path) annotation(Include = "
        #include <stdio.h>
        #include <stdlib.h>
        void ModelicaFormatError(const char *format, ...);
        static void *data_open(const char *path)
        {
            FILE *f = fopen(path, \"r\");
            double *value = calloc(1, sizeof *value);
            if (!f || fscanf(f, \"%lf\", value) != 1)
                ModelicaFormatError(\"cannot read '%s'\", path);
            fclose(f);
            return value;
        }");
    end constructor;
    function destructor
      input File file;
      external "C" data_close(file) annotation(Include = "
        #include <stdlib.h>
        static void data_close(void *file) { free(file); }");
    end destructor;
  end File;
  function value
    input File file;
    output Real y;
    external "C" y = data_value(file)
      annotation(Include = "static double data_value(void *file) { return *(double *)file; }");
  end value;
  parameter String path = "data.txt";
  File file = File(path);
  output Real x(start = 0, fixed = true);
equation
  der(x) = value(file);
end FmuData;
