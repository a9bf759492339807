#!/bin/sh
# The page of `crated web`: its rules by node, and all of it in a real browser. What Python needs for
# that is no package of the system everywhere.
#
#   window-test.sh PROGRAMS ENVIRONMENT [NAME...]     tests whose names have one of these in them
set -eu

programs=$1 environment=$2
shift 2
root=$(cd "$(dirname "$0")/.." && pwd)

node --test "$root/Tests/Window/"
python3 -m venv "$environment"
"$environment/bin/pip" install --quiet --disable-pip-version-check selenium axe-core-python
"$environment/bin/python" -B "$root/Tests/Window/window_test.py" "$programs" "$@"
