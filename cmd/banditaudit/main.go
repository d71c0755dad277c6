// Command banditaudit audits logged bandit experiments: it says what a log can
// verify, what contradicts it and what cannot be checked.
//
//	banditaudit audit -p protocol.yaml -o DIR LOG...
//
// See banditaudit help.
package main

import "os"

func main() { os.Exit(banditaudit(known()).Main()) }
