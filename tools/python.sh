#!/bin/sh
# Prints the name of the first interpreter that can build the environment; `PYTHON=...` is tried first.
# Each candidate is run, because a version manager may put names on the path that don't start.
for python in ${PYTHON:-} python3 python3.13 python3.12 python3.11; do
    if "$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        echo "$python"
        exit 0
    fi
done
echo "No Python 3.11 or newer with the venv module was found. Install one, or name it: make PYTHON=/path/to/python3" >&2
exit 1
