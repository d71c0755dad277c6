"""Puts a binary of banditaudit into a wheel, which needs no other package.

    python3 testdata/package/wheel.py BINARY OS/ARCH VERSION FOLDER

The same binary gives the same bytes.
"""

import base64
import hashlib
import pathlib
import sys
import zipfile

# Static binaries run on any libc; Go 1.26 needs macOS 12.
TAGS = {
    "linux/amd64": "manylinux_2_17_x86_64.musllinux_1_1_x86_64",
    "linux/arm64": "manylinux_2_17_aarch64.musllinux_1_1_aarch64",
    "darwin/amd64": "macosx_12_0_x86_64",
    "darwin/arm64": "macosx_12_0_arm64",
    "windows/amd64": "win_amd64",
    "windows/arm64": "win_arm64",
}

MAIN = '''"""python -m banditaudit: the program beside this interpreter, or on the PATH."""

import os
import shutil
import subprocess
import sys
import sysconfig


def main():
    places = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", os.name + "_user")]
    program = shutil.which("banditaudit", path=os.pathsep.join(places)) or shutil.which("banditaudit")
    if program is None:
        sys.exit("banditaudit: the program of this wheel is not among the scripts of this Python, nor on the PATH")
    if os.name == "nt":
        sys.exit(subprocess.call([program, *sys.argv[1:]]))
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
'''


def build(binary, target, version, folder):
    tag = TAGS[target]
    name, info = f"banditaudit-{version}", f"banditaudit-{version}.dist-info"
    exe = ".exe" if target.startswith("windows/") else ""
    wheel = "Wheel-Version: 1.0\nGenerator: banditaudit\nRoot-Is-Purelib: false\n"
    wheel += "".join(f"Tag: py3-none-{t}\n" for t in tag.split("."))
    files = {
        "banditaudit/__init__.py": b"",
        "banditaudit/__main__.py": MAIN.encode(),
        f"{name}.data/scripts/banditaudit{exe}": pathlib.Path(binary).read_bytes(),
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: banditaudit\nVersion: {version}\n"
        "Summary: audits logged bandit experiments\nRequires-Python: >=3.8\n".encode(),
        f"{info}/WHEEL": wheel.encode(),
        f"{info}/licenses/THIRD_PARTY_NOTICES": pathlib.Path(binary).with_name("THIRD_PARTY_NOTICES").read_bytes(),
    }
    record = ""
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    out = pathlib.Path(folder) / f"{name}-py3-none-{tag}.whl"
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path)  # of 1980: no clock
            entry.create_system = 3  # which has modes
            entry.external_attr = (0o100755 if "/scripts/" in path else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            z.writestr(entry, data)
    print(out)


build(*sys.argv[1:])
