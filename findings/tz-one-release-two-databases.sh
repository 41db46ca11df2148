#!/usr/bin/env bash
# Two packages of one release of the tz database have different offsets.
#
# Packages: Debian's tzdata 2026f-0+deb12u1 and PyPI's tzdata 2026.6, which both say they are 2026f.
# Source: Debian builds with the file 'backzone' (PACKRATDATA), which has data that the tz project does not
#   vouch for; PyPI's package builds without. Both are named by the release alone.
# Guess: the same release gives the same offset for every zone that both have, at least from 1970 on.
# Found: 100 of 598 zones differ at some time after 1900, and EET and WET even after 1970 (until 1980 and 1996):
#   since release 2024b they are links to Athens and Lisbon, but not in Debian's package.
# Instead: identify a result in local time by the data of its zone, such as a digest of its transitions.
#
# Needs apt-get, dpkg-deb, pip and Python 3.9 or later, and takes a minute or two. Ends with 0 while this holds,
# with 1 once it has changed, and with 2 if the packages cannot be had.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq tzdata=2026f-0+deb12u1 || exit 2
dpkg-deb -x tzdata_*.deb debian
python3 -m pip download --quiet --no-deps --dest wheel tzdata==2026.6 || exit 2
python3 -m zipfile -e wheel/tzdata-*.whl pypi
python3 - debian/usr/share/zoneinfo pypi/tzdata/zoneinfo <<'PYTHON'
import os
import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

debian, pypi = sys.argv[1:]


def names(folder):
    for root, _, files in os.walk(folder):
        for name in files:
            path = os.path.join(root, name)
            with open(path, "rb") as file:
                if file.read(4) == b"TZif":
                    yield os.path.relpath(path, folder)


def zone(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return ZoneInfo.from_file(file)


releases = [open(f"{folder}/tzdata.zi").readline().split()[-1] for folder in (debian, pypi)]
print("releases:", *releases)
common = sorted(set(names(debian)) & set(names(pypi)))
newest = {}
for name in common:
    first, second = zone(debian, name), zone(pypi, name)
    moment = datetime(2037, 12, 31, 12, tzinfo=timezone.utc)
    while moment.year >= 1900:
        if moment.astimezone(first).utcoffset() != moment.astimezone(second).utcoffset():
            newest[name] = moment.year
            break
        moment -= timedelta(hours=12)
late = {name: year for name, year in newest.items() if year >= 1970}
print(f"{len(common)} zones in both, {len(newest)} differ after 1900, after 1970: {late}")
expected = (598, 100, {"EET": 1980, "WET": 1996})
sys.exit(0 if (len(common), len(newest), late) == expected else 1)
PYTHON
