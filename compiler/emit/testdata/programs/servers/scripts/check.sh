#!/bin/sh
printf 1 >"$heat_outputs_path.version"
