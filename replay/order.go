package replay

import (
	"slices"

	"banditaudit/schemas/param"
)

// places returns where each arm stands in the policy's own order, and where among arms
// that are equal; nil: in index order. A policy that compares nothing has none of its own.
func (d *declaration) places() (order, equals []int) {
	if len(d.Policy.Order) > 0 && d.kind.Compares {
		order = placesIn(d.Policy.Order, d.labels)
	}
	switch d.Policy.Ties {
	case param.TiesName:
		return order, placesIn(slices.Sorted(slices.Values(d.labels)), d.labels)
	case param.TiesLast:
		equals = make([]int, d.arms)
		for i := range equals {
			equals[i] = -i
			if order != nil {
				equals[i] = -order[i]
			}
		}
		return order, equals
	}
	return order, order
}

// placesIn returns where each of labels stands in order.
func placesIn(order, labels []string) []int {
	out := make([]int, len(labels))
	for i, label := range labels {
		out[i] = slices.Index(order, label)
	}
	return out
}
