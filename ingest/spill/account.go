package spill

// account remembers what a Sorter booked in the shared budget.
type account struct {
	budget Budget
	booked int64
}

func (a *account) take(n int64) error {
	if a.budget != nil {
		if err := a.budget.Take(n); err != nil {
			return err
		}
	}
	a.booked += n
	return nil
}

func (a *account) give(n int64) {
	n = min(n, a.booked) // after giveAll nothing is left to give
	if a.budget != nil {
		a.budget.Give(n)
	}
	a.booked -= n
}

func (a *account) giveAll() { a.give(a.booked) }
