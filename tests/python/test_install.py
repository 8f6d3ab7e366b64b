"""pip installs the package from the source, and it works from there."""
import importlib.util
import os
import shutil
import subprocess
import sys

import pytest

SOURCE = os.path.join(os.path.dirname(__file__), "..", "..", "python")


def test_pip_install(tmp_path):
    for module in ("pip", "setuptools"):
        if not importlib.util.find_spec(module):
            pytest.skip(f"no {module}")
    # the build writes beside the source
    shutil.copytree(SOURCE, tmp_path / "python")
    site = tmp_path / "site"
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps",
                    "--no-build-isolation", "--target", site, tmp_path / "python"], check=True)
    asked = ("import os, rung; assert os.path.dirname(os.path.dirname(rung.__file__)) == os.environ['PYTHONPATH'];"
             "print(rung.Model(text='model M Real x(start = 1); equation der(x) = -x; end M;').check()['states'])")
    done = subprocess.run([sys.executable, "-c", asked], env={**os.environ, "PYTHONPATH": str(site)}, check=True,
                          capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == "1\n"
    assert (site / "rung" / "py.typed").exists()
    # all of its modules
    assert ({f for f in os.listdir(os.path.join(SOURCE, "rung")) if f.endswith((".py", ".c"))} <=
            set(os.listdir(site / "rung")))
