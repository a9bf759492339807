#!/bin/sh
# Makes a Python environment in the directory named, with the varlink project's own client: the
# tests talk to the daemon with it, so that they don't only understand themselves.
set -eu

environment=$1
if [ -x "$environment/bin/python3" ] && "$environment/bin/python3" -c 'import varlink' 2>/dev/null
then
  exit 0
fi
echo "Installing the Python varlink client in $environment"
rm -rf "$environment"
python3 -m venv "$environment"
"$environment/bin/python3" -m pip --quiet --disable-pip-version-check install 'varlink>=31,<33'
