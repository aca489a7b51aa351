#!/bin/sh
printf '<h1>%s</h1><p>%s' "$title" "$id" >"$heat_outputs_path.page"
