// Package bitexact has functions of numbers, and draws of them, that have the same bits on
// every architecture: made of + − × ÷ √, each rounded to the nearest float64 and none
// fused. What decides an action is made of them.
package bitexact
