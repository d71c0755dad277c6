// Package accounting says what a declared mechanism cost over the action sequence of a
// logged experiment: its ε and ρ, the ledger behind them, what every row costs, and what in
// the public columns no log of that mechanism has. It reads no reward.
package accounting
