// Package ipw is weighted means of adaptively gathered rewards: of arms, of two
// arms against each other, and of another policy. They need propensities that are
// true, and their intervals are approximate: normal in many rounds, under conditions
// that [NormalityRule] looks at.
//
// Every estimate is a [Mean] of scores g with weights h. With w = 1{A = a}/p(a), m̂ the
// plug-in of [Plugin], and ρ = π(A)/p(A),
//
//	IPW     h = 1, g = w·y                       SNIPW  h = w, g = y on the arm's rounds
//	AIPW    h = 1, g = m̂ + w·(y − m̂)             √p     h = √p(a), the same g
//	IPS     h = 1, g = ρ·y                       SNIPS  h = ρ, g = y
//	DR      h = 1, g = Σπ(i)·m̂_i + ρ·(y − m̂_A)
//
// Sources: Horvitz & Thompson 1952 (doi 10.1080/01621459.1952.10483446); Hadad,
// Hirshberg, Zhan, Wager & Athey 2021 (doi 10.1073/pnas.2014602118); Dudík, Langford &
// Li 2011 (https://arxiv.org/abs/1103.4601).
package ipw
