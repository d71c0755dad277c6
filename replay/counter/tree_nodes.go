package counter

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
