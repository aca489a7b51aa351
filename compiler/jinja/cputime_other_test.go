//go:build !unix

package jinja

import "time"

func cpuTime() time.Duration { return 0 }
