#!/bin/sh
printf /run/mysql >"$heat_outputs_path.socket"
