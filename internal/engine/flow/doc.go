// Package flow is the interpreter of the workflow language: OpenStack Mistral's semantics as a function of a run's
// state and an event.
//
// A Run is one root execution with everything below it: sub-workflow executions, tasks, action executions, timers.
// Run.Apply takes an event, changes the run, and gives the commands that the shell around it (package engine) carries
// out after the changes are stored. The package reads no clock, draws no random numbers of its own, starts no
// goroutines and does no I/O: time and identifiers come in with the event, definitions and action descriptions
// through interfaces. (The expression function uuid() is random by its nature.)
//
// What Mistral does in one database transaction, in the transaction after it, and in a job of its scheduler without
// delay, is done within one Apply, in that order.
package flow
