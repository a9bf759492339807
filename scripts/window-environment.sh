#!/bin/sh
# Makes a Python environment in the directory named, with what drives a browser and with the rules
# of accessibility: not every system has packages of these.
set -eu

environment=$1
if [ -x "$environment/bin/python" ] &&
  "$environment/bin/python" -c 'import axe_core_python, selenium' 2>/dev/null
then
  exit 0
fi
rm -rf "$environment"
python3 -m venv "$environment"
"$environment/bin/python" -m pip --quiet --disable-pip-version-check install \
  'selenium>=4.20,<5' 'axe-core-python>=0.1,<0.2'
