// Package program runs the policy of whoever is audited as a program of their own, and
// speaks policy/1 with it: one JSON object a line, on its standard input and output.
//
// A Process is the program with its process group, its bounds on time, memory and output,
// and its end. A Session is the talk: what it is shown, and what it answers. A Session needs
// no Process: anything that exchanges lines will do.
//
// Nothing here decides whether a program may be run. Whoever calls Start has asked.
package program
