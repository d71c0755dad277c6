package counter

import "math"

// Numbers of nodes of a binary tree of k levels, as the binary counter has one and
// the hybrid counter one for each segment: a node of level j < k ends at the row
// c·2^j of its tree, c odd, and holds the 2^j rows up to there.

// treeNodes counts the nodes of a tree of k levels that hold row r once the
// tree has rows rows.
func treeNodes(r, rows int64, k int) int64 {
	var count int64
	for j := range k {
		if c := (r-1)>>j + 1; c&1 == 1 && c<<j <= rows {
			count++
		}
	}
	return count
}

// segmentLevels returns how many of the rows of a tree of k levels lie in
// exactly i nodes, i = 0…k, when the tree has filled rows.
func segmentLevels(k int, filled int64) []int64 {
	rows := make([]int64, k+1)
	if filled == int64(1)<<k-1 {
		for j := range k {
			rows[k-j] = binomial(k, j)
		}
		return rows
	}
	for bit := range k {
		if filled>>bit&1 == 0 {
			continue
		}
		for j := range bit + 1 {
			rows[1+bit-j] += binomial(bit, j)
		}
	}
	return rows
}

// binomial returns C(n, j) for 0 ≤ j ≤ n ≤ 61, exactly.
func binomial(n, j int) int64 {
	c := int64(1)
	for i := 1; i <= j; i++ {
		factor, divisor := int64(n-j+i), int64(i)
		c = c/divisor*factor + c%divisor*factor/divisor // c·factor/divisor without overflow
	}
	return c
}

// degree returns, for a horizon T ≥ 1, the odd k ≥ 3 and the number of levels
// h, the least with (k^h−1)/2 ≥ T, for which the mean variance of the sums of
// t = 1…T rows,
//
//	(1/T)·Σ_{t≤T} 2(h/ε)²·Σ_j |d_j(t)|,
//
// is smallest, exactly; of equal ones the smallest k. It looks at every k that
// can win: |d_0| alone is the distance to the nearest multiple of k, which sums
// to at least T(k−1/k)/8 over t ≤ T for every k ≤ 2T+1 (own derivation,
// internally reviewed), and a larger k than 2T+1 changes nothing.
func degree(horizon int64) (k int64, h int) {
	least := int64(math.MaxInt64)
	for c := int64(3); c <= 2*horizon+1; c += 2 {
		if c > 3 && c-1 > 8*(least/horizon+1) {
			break
		}
		levels := 0
		for reach := int64(1); (reach-1)/2 < horizon; reach *= c {
			levels++
		}
		if v := int64(levels) * int64(levels) * digits(horizon, c); v < least {
			least, k, h = v, c, levels
		}
	}
	return k, h
}

// digits returns Σ_{t≤T} Σ_j |d_j(t)|, where T is the horizon. On level j,
// u = round(t/k^j) runs through 0, 1, …, each but the first and the last for
// k^j rows t, and |d_j| is the distance of u from the nearest multiple of k.
func digits(horizon, k int64) int64 {
	var sum int64
	for width := int64(1); ; width *= k {
		last := (horizon + (width-1)/2) / width
		if last == 0 {
			return sum
		}
		first := last*width - (width-1)/2 // the first t with u = last
		below := distances(last-1, k)
		sum += width*below + (horizon-first+1)*(distances(last, k)-below)
	}
}

// distances returns the sum of the distances of 1, …, n from the nearest
// multiple of k.
func distances(n, k int64) int64 {
	m := (k - 1) / 2
	full, r := n/k, n%k
	sum := full * m * (m + 1)
	if r <= m {
		return sum + r*(r+1)/2
	}
	return sum + m*(m+1) - (k-r)*(k-r-1)/2
}
