"""Makes the extension as a file that Blender installs: `python build.py WHEEL... [-o pliant_cloth.zip]`.

Blender takes of several wheels the one that fits; a wheel for Python's stable interface fits every Blender from 4.2 on.
"""

import argparse
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent / "pliant_cloth"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheels", nargs="+", type=Path, help="wheels of the Python package, one for every platform")
    parser.add_argument("-o", "--output", type=Path, default=Path("pliant_cloth.zip"))
    asked = parser.parse_args()
    for wheel in asked.wheels:
        if wheel.suffix != ".whl" or not wheel.is_file():
            parser.error(f"{wheel} is no wheel; build one with maturin")
    with zipfile.ZipFile(asked.output, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(HERE.glob("*.py")):
            archive.write(path, path.name)
        manifest = (HERE / "blender_manifest.toml").read_text(encoding="utf-8")
        names = ", ".join(f'"./wheels/{wheel.name}"' for wheel in asked.wheels)
        # A key of the whole manifest stands before its first table.
        head, table, rest = manifest.partition("\n[permissions]")
        archive.writestr("blender_manifest.toml", f"{head}wheels = [{names}]\n{table}{rest}")
        for wheel in asked.wheels:
            archive.write(wheel, f"wheels/{wheel.name}", zipfile.ZIP_STORED)
    print(f"{asked.output}: {asked.output.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
