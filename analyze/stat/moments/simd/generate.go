//go:build ignore

// Generate writes the AVX kernels of this package, kernel_amd64.s and their
// declarations; see kernel.go for what they compute and in which order.
package main

import (
	"math"
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("!noasm")
	gather()
	for m := 1; m <= 3; m++ {
		square(m)
		cross(m)
	}
	solve()
	scale()
	predict()
	settle()
	bet()
	logs()
	runs()
	sums()
	spreads()
	Generate()
}

// gather copies the picked rows of a column, less the shift, four at a time and
// sums them in four lanes.
func gather() {
	TEXT("gatherAVX", NOSPLIT, "func(dst, col []float64, pick []int32, shift float64, ahead []float64, lanes *[4]float64)")
	Pragma("noescape")
	Doc("gatherAVX is gatherGo.")
	dst := Load(Param("dst").Base(), GP64())
	col := Load(Param("col").Base(), GP64())
	pick := Load(Param("pick").Base(), GP64())
	quads := Load(Param("pick").Len(), GP64())
	ahead := Load(Param("ahead").Base(), GP64())
	lanes := Load(Param("lanes"), GP64())
	shift, sum := YMM(), YMM()
	address, err := Param("shift").Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSD(address.Addr, shift)
	VXORPD(sum, sum, sum)
	SHRQ(U8(2), quads)
	JZ(LabelRef("done"))

	Label("loop")
	prefetch(ahead)
	var row [4]GPVirtual
	for i := 0; i < len(row); i += 2 { // rows are not negative: two in one load
		row[i], row[i+1] = GP64(), GP64()
		MOVQ(Mem{Base: pick, Disp: 4 * i}, row[i+1])
		MOVL(row[i+1].As32(), row[i].As32())
		SHRQ(U8(32), row[i+1])
	}
	low, high, v := XMM(), XMM(), YMM()
	VMOVSD(Mem{Base: col, Index: row[0], Scale: 8}, low)
	VMOVHPD(Mem{Base: col, Index: row[1], Scale: 8}, low, low)
	VMOVSD(Mem{Base: col, Index: row[2], Scale: 8}, high)
	VMOVHPD(Mem{Base: col, Index: row[3], Scale: 8}, high, high)
	VINSERTF128(U8(1), high, low.AsY(), v)
	VSUBPD(shift, v, v)
	VADDPD(v, sum, sum)
	VMOVUPD(v, Mem{Base: dst})
	ADDQ(U8(16), pick)
	ADDQ(U8(32), dst)
	DECQ(quads)
	JNZ(LabelRef("loop"))

	Label("done")
	VMOVUPD(sum, Mem{Base: lanes})
	VZEROUPPER()
	RET()
}

// square centres m columns in place and sums their products.
func square(m int) {
	name := "square" + strconv.Itoa(m)
	TEXT(name+"AVX", NOSPLIT, "func(cols []float64, stride, quads int, mean *[3]float64, ahead []float64, out *[9]float64)")
	Pragma("noescape")
	Doc(name + "AVX is squareGo of the same number of columns.")
	cols := Load(Param("cols").Base(), GP64())
	stride := Load(Param("stride"), GP64())
	SHLQ(U8(3), stride)
	quads := Load(Param("quads"), GP64())
	from := Load(Param("mean"), GP64())
	ahead := Load(Param("ahead").Base(), GP64())
	out := Load(Param("out"), GP64())
	mean := make([]VecVirtual, m)
	for i := range mean {
		mean[i] = YMM()
		VBROADCASTSD(Mem{Base: from, Disp: 8 * i}, mean[i])
	}
	sums := zeros(m * (m + 1) / 2)
	TESTQ(quads, quads)
	JZ(LabelRef("done"))

	Label("loop")
	prefetch(ahead)
	v := make([]VecVirtual, m)
	for i := range v {
		at := column(cols, stride, i)
		v[i] = YMM()
		VMOVUPD(at, v[i])
		VSUBPD(mean[i], v[i], v[i])
		VMOVUPD(v[i], at)
	}
	k := 0
	for i := range v {
		for j := range i + 1 {
			addProduct(v[i], v[j], sums[k])
			k++
		}
	}
	ADDQ(U8(32), cols)
	DECQ(quads)
	JNZ(LabelRef("loop"))

	Label("done")
	reduce(sums, out)
	VZEROUPPER()
	RET()
}

// cross sums the products of m columns with three others.
func cross(m int) {
	name := "cross" + strconv.Itoa(m)
	TEXT(name+"AVX", NOSPLIT, "func(a, b []float64, stride, quads int, ahead []float64, out *[9]float64)")
	Pragma("noescape")
	Doc(name + "AVX is crossGo of the same number of columns.")
	a := Load(Param("a").Base(), GP64())
	b := Load(Param("b").Base(), GP64())
	stride := Load(Param("stride"), GP64())
	SHLQ(U8(3), stride)
	quads := Load(Param("quads"), GP64())
	ahead := Load(Param("ahead").Base(), GP64())
	out := Load(Param("out"), GP64())
	sums := zeros(3 * m)
	TESTQ(quads, quads)
	JZ(LabelRef("done"))

	Label("loop")
	prefetch(ahead)
	var v [3]VecVirtual
	for j := range v {
		v[j] = YMM()
		VMOVUPD(column(b, stride, j), v[j])
	}
	for i := range m {
		u := YMM()
		VMOVUPD(column(a, stride, i), u)
		for j := range v {
			addProduct(u, v[j], sums[3*i+j])
		}
	}
	ADDQ(U8(32), a)
	ADDQ(U8(32), b)
	DECQ(quads)
	JNZ(LabelRef("loop"))

	Label("done")
	reduce(sums, out)
	VZEROUPPER()
	RET()
}

// solve is one step of forward substitution, sixteen rows at a time so that the
// subtractions of one row need not wait for each other.
func solve() {
	TEXT("solveAVX", NOSPLIT, "func(v, cols []float64, stride int, row []float64, by *[4]float64, eh []float64)")
	Pragma("noescape")
	Doc("solveAVX is solveGo.")
	v := Load(Param("v").Base(), GP64())
	rows := Load(Param("v").Len(), GP64())
	cols := Load(Param("cols").Base(), GP64())
	stride := Load(Param("stride"), GP64())
	SHLQ(U8(3), stride)
	row := Load(Param("row").Base(), GP64())
	known := Load(Param("row").Len(), GP64())
	step := Load(Param("by"), GP64())
	e := Load(Param("eh").Base(), GP64())
	h := GP64()
	LEAQ(Mem{Base: e, Index: stride, Scale: 1}, h)
	var of [4]VecVirtual // offset, slope, scale, pivot
	for i := range of {
		of[i] = YMM()
		VBROADCASTSD(Mem{Base: step, Disp: 8 * i}, of[i])
	}
	SHRQ(U8(4), rows)
	JZ(LabelRef("done"))

	Label("loop")
	var acc [4]VecVirtual
	for i := range acc {
		diff, product, left := YMM(), YMM(), YMM()
		VMOVUPD(Mem{Base: v, Disp: 32 * i}, diff)
		VSUBPD(of[0], diff, diff)
		VMULPD(of[1], diff, product)
		VMOVUPD(Mem{Base: e, Disp: 32 * i}, left)
		VSUBPD(product, left, left)
		VMOVUPD(left, Mem{Base: e, Disp: 32 * i})
		acc[i] = YMM()
		VMULPD(of[2], diff, acc[i])
	}
	q, at, factor := GP64(), GP64(), GP64()
	MOVQ(cols, at)
	MOVQ(row, factor)
	MOVQ(known, q)
	TESTQ(q, q)
	JZ(LabelRef("solved"))
	Label("substitute")
	l := YMM()
	VBROADCASTSD(Mem{Base: factor}, l)
	for i := range acc {
		product := YMM()
		VMULPD(Mem{Base: at, Disp: 32 * i}, l, product)
		VSUBPD(product, acc[i], acc[i])
	}
	ADDQ(stride, at)
	ADDQ(U8(8), factor)
	DECQ(q)
	JNZ(LabelRef("substitute"))
	Label("solved")
	for i := range acc {
		product := YMM()
		VMULPD(of[3], acc[i], acc[i])
		VMOVUPD(acc[i], Mem{Base: v, Disp: 32 * i})
		VMULPD(acc[i], acc[i], product)
		VADDPD(Mem{Base: h, Disp: 32 * i}, product, product)
		VMOVUPD(product, Mem{Base: h, Disp: 32 * i})
	}
	ADDQ(U32(128), v)
	ADDQ(U32(128), cols)
	ADDQ(U32(128), e)
	ADDQ(U32(128), h)
	DECQ(rows)
	JNZ(LabelRef("loop"))

	Label("done")
	VZEROUPPER()
	RET()
}

// scale multiplies a column by another.
func scale() {
	TEXT("scaleAVX", NOSPLIT, "func(v, e []float64)")
	Pragma("noescape")
	Doc("scaleAVX is scaleGo.")
	v := Load(Param("v").Base(), GP64())
	quads := Load(Param("v").Len(), GP64())
	e := Load(Param("e").Base(), GP64())
	SHRQ(U8(2), quads)
	JZ(LabelRef("done"))

	Label("loop")
	product := YMM()
	VMOVUPD(Mem{Base: v}, product)
	VMULPD(Mem{Base: e}, product, product)
	VMOVUPD(product, Mem{Base: v})
	ADDQ(U8(32), v)
	ADDQ(U8(32), e)
	DECQ(quads)
	JNZ(LabelRef("loop"))

	Label("done")
	VZEROUPPER()
	RET()
}

// predict lets predictors foretell rewards, four predictors at a time.
func predict() {
	TEXT("predictAVX2", NOSPLIT, "func(p *[6][12]float64, y []float64)")
	Pragma("noescape")
	Doc("predictAVX2 is predictGo.")
	p := Load(Param("p"), GP64())
	y := Load(Param("y").Base(), GP64())
	rows := Load(Param("y").Len(), GP64())
	half, one, zeros := YMM(), YMM(), YMM()
	VMOVUPD(constant(0.5), half)
	VMOVUPD(constant(1), one)
	VXORPD(zeros, zeros, zeros)
	TESTQ(rows, rows)
	JZ(LabelRef("done"))

	Label("loop")
	v, ends, success := YMM(), YMM(), YMM()
	VBROADCASTSD(Mem{Base: y}, v)
	VCMPPD(U8(0), one, v, success)
	VCMPPD(U8(0), zeros, v, ends)
	VORPD(success, ends, ends)
	which := GP32()
	VMOVMSKPD(ends, which)
	TESTL(which, which)
	JZ(LabelRef("between"))
	for i := range predictors / 4 {
		of := predictor(p, i, half, one)
		VBLENDVPD(success, of.one, of.zero, of.one)
		of.foretell(of.one)
		of.forget(v, one)
	}
	JMP(LabelRef("next"))

	Label("between")
	for i := range predictors / 4 {
		of := predictor(p, i, half, one)
		of.foretell(of.zero)
		VDIVPD(of.zero, of.one, of.one)
		logarithm(of.one, one)
		VMULPD(v, of.one, of.one)
		VADDPD(of.at(4), of.one, of.one)
		VMOVUPD(of.one, of.at(4))
		of.forget(v, one)
	}

	Label("next")
	ADDQ(U8(8), y)
	DECQ(rows)
	JNZ(LabelRef("loop"))

	Label("done")
	VZEROUPPER()
	RET()
}

// settle makes of every product a part from ½ to 1 and a power of two.
func settle() {
	TEXT("settleAVX2", NOSPLIT, "func(p *[6][12]float64)")
	Pragma("noescape")
	Doc("settleAVX2 is settleGo.")
	p := Load(Param("p"), GP64())
	one, zeros := YMM(), YMM()
	VMOVUPD(constant(1), one)
	VXORPD(zeros, zeros, zeros)
	for i := range predictors / 4 {
		q := quad{base: p, place: i}
		x, whole, part, e := YMM(), YMM(), YMM(), YMM()
		VMOVUPD(q.at(4), x)
		VDIVPD(constant(math.Ln2), x, whole)
		VROUNDPD(U8(1), whole, whole)
		VMULPD(constant(math.Ln2), whole, part)
		VSUBPD(part, x, x)
		exponential(x, one)
		VMULPD(q.at(3), x, x)
		split(x, e, part)
		VMOVUPD(part, q.at(3))
		VADDPD(q.at(5), whole, whole)
		VADDPD(e, whole, whole)
		VMOVUPD(whole, q.at(5))
		VMOVUPD(zeros, q.at(4))
	}
	VZEROUPPER()
	RET()
}

// split is math.Frexp of numbers that are positive, finite and not subnormal: part·2^k.
func split(x, k, part VecVirtual) {
	const magic = 1 << 52 // as a number its last bits are an integer
	VPSRLQ(U8(52), x, k)
	VPOR(constant(magic), k, k)
	VSUBPD(constant(magic+1022), k, k)
	VANDPD(constant(math.Float64frombits(1<<52-1)), x, part)
	VORPD(constant(0.5), part, part)
}

// exponential takes the exponential of x, in place: as exponentialGo does, operation by
// operation, of a number from −1 to 1. Nothing is fused, for not every processor can.
func exponential(x, one VecVirtual) {
	n, sum := YMM(), YMM()
	VMULPD(constant(math.Log2E), x, n)
	VROUNDPD(U8(0), n, n)
	for _, c := range []float64{.69314718055966295651160180568695068359375, .28235290563031577122588448175013436025525412068e-12} {
		VMULPD(constant(c), n, sum)
		VSUBPD(sum, x, x)
	}
	VMULPD(constant(.0625), x, x)
	VMOVUPD(constant(2.4801587301587301587e-5), sum)
	for _, c := range []float64{1.9841269841269841270e-4, 1.3888888888888888889e-3, 8.3333333333333333333e-3, 4.1666666666666666667e-2, 1.6666666666666666667e-1, .5, 1} {
		VMULPD(x, sum, sum)
		VADDPD(constant(c), sum, sum)
	}
	VMULPD(sum, x, x)
	for range 4 {
		VADDPD(constant(2), x, sum)
		VMULPD(sum, x, x)
	}
	VADDPD(one, x, x)
	const magic = 1<<52 + 1023 // 2ⁿ, by its bits
	VADDPD(constant(magic), n, n)
	VPSLLQ(U8(52), n, n)
	VMULPD(n, x, x)
}

// predictors is how many there are; see logs.go.
const predictors = 12

// quad are four predictors.
type quad struct {
	base            Register
	place           int
	ones, all       VecVirtual
	one, zero, room VecVirtual // d₁ + ½, d₀ + ½ and d₁ + d₀ + 1
}

// predictor loads the i-th four.
func predictor(base Register, i int, half, one VecVirtual) *quad {
	q := &quad{base, i, YMM(), YMM(), YMM(), YMM(), YMM()}
	VMOVUPD(q.at(1), q.ones)
	VMOVUPD(q.at(2), q.all)
	VADDPD(half, q.ones, q.one)
	VSUBPD(q.ones, q.all, q.zero)
	VADDPD(half, q.zero, q.zero)
	VADDPD(one, q.all, q.room)
	return q
}

// at are the numbers of a kind, by its place.
func (q *quad) at(kind int) Mem {
	return Mem{Base: q.base, Disp: 8*predictors*kind + 32*q.place}
}

// foretell multiplies by what was foretold, which is by over room.
func (q *quad) foretell(by VecVirtual) {
	VDIVPD(q.room, by, q.room)
	VMULPD(q.at(3), q.room, q.room)
	VMOVUPD(q.room, q.at(3))
}

// forget takes up a reward.
func (q *quad) forget(y, one VecVirtual) {
	gamma := YMM()
	VMOVUPD(q.at(0), gamma)
	VMULPD(gamma, q.ones, q.ones)
	VADDPD(y, q.ones, q.ones)
	VMOVUPD(q.ones, q.at(1))
	VMULPD(gamma, q.all, q.all)
	VADDPD(one, q.all, q.all)
	VMOVUPD(q.all, q.at(2))
}

// bet multiplies by what sixteen bets gain from rewards and from what these leave of 1,
// four bets at a time; products of one call stay in registers.
func bet() {
	TEXT("betAVX", NOSPLIT, "func(product *[2][16]float64, size *[16]float64, x []float64)")
	Pragma("noescape")
	Doc("betAVX is betGo.")
	product := Load(Param("product"), GP64())
	size := Load(Param("size"), GP64())
	x := Load(Param("x").Base(), GP64())
	rows := Load(Param("x").Len(), GP64())
	one := YMM()
	VMOVUPD(constant(1), one)
	var of [8]VecVirtual
	for i := range of {
		of[i] = YMM()
		VMOVUPD(Mem{Base: product, Disp: 32 * i}, of[i])
	}
	TESTQ(rows, rows)
	JZ(LabelRef("done"))

	Label("loop")
	var by [2]VecVirtual
	by[0], by[1] = YMM(), YMM()
	VBROADCASTSD(Mem{Base: x}, by[0])
	VSUBPD(by[0], one, by[1])
	for i, to := range of {
		gain := YMM()
		VMULPD(Mem{Base: size, Disp: 32 * (i % 4)}, by[i/4], gain)
		VADDPD(one, gain, gain)
		VMULPD(gain, to, to)
	}
	ADDQ(U8(8), x)
	DECQ(rows)
	JNZ(LabelRef("loop"))

	Label("done")
	for i := range of {
		VMOVUPD(of[i], Mem{Base: product, Disp: 32 * i})
	}
	VZEROUPPER()
	RET()
}

// logs adds logarithms.
func logs() {
	TEXT("addLogsAVX2", NOSPLIT, "func(sum, of []float64)")
	Pragma("noescape")
	Doc("addLogsAVX2 is addLogsGo.")
	sum := Load(Param("sum").Base(), GP64())
	quads := Load(Param("sum").Len(), GP64())
	of := Load(Param("of").Base(), GP64())
	one := YMM()
	VMOVUPD(constant(1), one)
	SHRQ(U8(2), quads)
	JZ(LabelRef("done"))

	Label("loop")
	x := YMM()
	VMOVUPD(Mem{Base: of}, x)
	logarithm(x, one)
	VADDPD(Mem{Base: sum}, x, x)
	VMOVUPD(x, Mem{Base: sum})
	ADDQ(U8(32), sum)
	ADDQ(U8(32), of)
	DECQ(quads)
	JNZ(LabelRef("loop"))

	Label("done")
	VZEROUPPER()
	RET()
}

// runs fills a column with what stands in it between the rounds that are given, sixteen
// values at a time, the last beyond its end.
func runs() {
	TEXT("runsAVX", NOSPLIT, "func(col []float64, at []int, y, after []float64, first float64)")
	Pragma("noescape")
	Doc("runsAVX is runsGo, and writes up to 16 values behind the column.")
	col := Load(Param("col").Base(), GP64())
	rows := Load(Param("col").Len(), GP64())
	at := Load(Param("at").Base(), GP64())
	given := Load(Param("at").Len(), GP64())
	y := Load(Param("y").Base(), GP64())
	after := Load(Param("after").Base(), GP64())
	v, row, next := YMM(), GP64(), GP64()
	address, err := Param("first").Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSD(address.Addr, v)
	XORQ(row, row)

	Label("loop")
	TESTQ(given, given)
	JZ(LabelRef("last"))
	MOVQ(Mem{Base: at}, next)
	fillTo(col, row, next, v, "fill")
	one := XMM()
	VMOVSD(Mem{Base: y, Index: next, Scale: 8}, one)
	VMOVSD(one, Mem{Base: col, Index: next, Scale: 8})
	VBROADCASTSD(Mem{Base: after, Index: next, Scale: 8}, v)
	LEAQ(Mem{Base: next, Disp: 1}, row)
	ADDQ(U8(8), at)
	DECQ(given)
	JMP(LabelRef("loop"))

	Label("last")
	fillTo(col, row, rows, v, "end")
	VZEROUPPER()
	RET()
}

// fillTo fills from row on, up to sixteen values behind another row.
func fillTo(col, row, to Register, v VecVirtual, label string) {
	Label(label)
	for i := range 4 {
		VMOVUPD(v, Mem{Base: col, Index: row, Scale: 8, Disp: 32 * i})
	}
	ADDQ(U8(16), row)
	CMPQ(row, to)
	JLT(LabelRef(label))
}

// twelve are columns whose rows are read four at a time.
type twelve struct {
	quad   [3]Register // of four columns, the next row of the first
	stride [4]Register // times 1 and 3
}

// columnsOf begins to read, and leaves the number of quads of rows in rows.
func columnsOf(cols, stride, rows Register) *twelve {
	SHRQ(U8(2), rows)
	SHLQ(U8(3), stride)
	by3 := GP64()
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, by3)
	t := &twelve{stride: [4]Register{1: stride, 3: by3}, quad: [3]Register{cols, GP64(), GP64()}}
	LEAQ(Mem{Base: cols, Index: stride, Scale: 4}, t.quad[1])
	LEAQ(Mem{Base: cols, Index: stride, Scale: 8}, t.quad[2])
	return t
}

// pair are the next two rows of four columns, a step behind the first.
func (t *twelve) pair(i, step int) [2]VecVirtual {
	base := t.quad[i]
	left, right, low, high := YMM(), YMM(), YMM(), YMM()
	VBROADCASTF128(Mem{Base: base, Disp: step}, left)
	VINSERTF128(U8(1), Mem{Base: base, Index: t.stride[1], Scale: 2, Disp: step}, left, left)
	VBROADCASTF128(Mem{Base: base, Index: t.stride[1], Scale: 1, Disp: step}, right)
	VINSERTF128(U8(1), Mem{Base: base, Index: t.stride[3], Scale: 1, Disp: step}, right, right)
	VUNPCKLPD(right, left, low)
	VUNPCKHPD(right, left, high)
	return [2]VecVirtual{low, high}
}

func (t *twelve) next() {
	for _, q := range t.quad {
		ADDQ(U8(32), q)
	}
}

// sums adds differences to a number for each of twelve columns.
func sums() {
	TEXT("sumsAVX", NOSPLIT, "func(cols []float64, stride, rows int, e *[3][12]float64)")
	Pragma("noescape")
	Doc("sumsAVX is sumsGo of a multiple of four rows.")
	cols := Load(Param("cols").Base(), GP64())
	stride := Load(Param("stride"), GP64())
	rows := Load(Param("rows"), GP64())
	e := Load(Param("e"), GP64())
	t := columnsOf(cols, stride, rows)
	sum := loaded(e, 96)
	TESTQ(rows, rows)
	JZ(LabelRef("done"))

	Label("loop")
	for i, to := range sum {
		for step := 0; step < 32; step += 16 {
			for _, v := range t.pair(i, step) {
				VSUBPD(Mem{Base: e, Disp: 32 * i}, v, v)
				VADDPD(v, to, to)
			}
		}
	}
	t.next()
	DECQ(rows)
	JNZ(LabelRef("loop"))

	Label("done")
	stored(sum, e, 96)
	VZEROUPPER()
	RET()
}

// spreads adds squares of differences to a number, and their products with the differences
// of another column, for each of twelve columns.
func spreads() {
	TEXT("spreadsAVX", NOSPLIT, "func(cols []float64, stride int, other []float64, center float64, e *[3][12]float64)")
	Pragma("noescape")
	Doc("spreadsAVX is spreadsGo of a multiple of four rows.")
	cols := Load(Param("cols").Base(), GP64())
	stride := Load(Param("stride"), GP64())
	other := Load(Param("other").Base(), GP64())
	rows := Load(Param("other").Len(), GP64())
	e := Load(Param("e"), GP64())
	t := columnsOf(cols, stride, rows)
	center := YMM()
	address, err := Param("center").Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSD(address.Addr, center)
	sum, joint := loaded(e, 96), loaded(e, 192)
	TESTQ(rows, rows)
	JZ(LabelRef("done"))

	Label("loop")
	for i := range sum {
		for step := 0; step < 32; step += 16 {
			for k, v := range t.pair(i, step) {
				with := YMM()
				VBROADCASTSD(Mem{Base: other, Disp: step + 8*k}, with)
				VSUBPD(center, with, with)
				VSUBPD(Mem{Base: e, Disp: 32 * i}, v, v)
				VMULPD(v, with, with)
				VADDPD(with, joint[i], joint[i])
				VMULPD(v, v, v)
				VADDPD(v, sum[i], sum[i])
			}
		}
	}
	t.next()
	ADDQ(U8(32), other)
	DECQ(rows)
	JNZ(LabelRef("loop"))

	Label("done")
	stored(sum, e, 96)
	stored(joint, e, 192)
	VZEROUPPER()
	RET()
}

// loaded are twelve numbers at a place.
func loaded(base Register, place int) (v [3]VecVirtual) {
	for i := range v {
		v[i] = YMM()
		VMOVUPD(Mem{Base: base, Disp: place + 32*i}, v[i])
	}
	return v
}

func stored(v [3]VecVirtual, base Register, place int) {
	for i := range v {
		VMOVUPD(v[i], Mem{Base: base, Disp: place + 32*i})
	}
}

// logarithm takes the logarithm of x, in place: as math.Log does on this architecture,
// operation by operation, of a number that is positive, finite and not subnormal.
func logarithm(x, one VecVirtual) {
	k, f, low, part := YMM(), YMM(), YMM(), YMM()
	split(x, k, f)
	VCMPPD(U8(2), constant(7.07106781186547524401e-01), f, low) // at most √½
	VANDPD(one, low, part)
	VSUBPD(part, k, k)
	VANDPD(f, low, part)
	VADDPD(part, f, f)
	VSUBPD(one, f, f)

	s, s2, s4, odd, even := YMM(), YMM(), YMM(), YMM(), YMM()
	VADDPD(constant(2), f, s)
	VDIVPD(s, f, s)
	VMULPD(s, s, s2)
	VMULPD(s2, s2, s4)
	horner(odd, s4, 1.479819860511658591e-01, 1.818357216161805012e-01, 2.857142874366239149e-01, 6.666666666666735130e-01)
	VMULPD(odd, s2, s2)
	horner(even, s4, 1.531383769920937332e-01, 2.222219843214978396e-01, 3.999999999940941908e-01)
	VMULPD(even, s4, s4)
	VADDPD(s4, s2, s2)

	square := YMM()
	VMULPD(constant(0.5), f, square)
	VMULPD(f, square, square)
	VADDPD(square, s2, s2)
	VMULPD(s2, s, s)
	VMULPD(constant(1.90821492927058770002e-10), k, s2)
	VADDPD(s2, s, s)
	VSUBPD(s, square, square)
	VSUBPD(f, square, square)
	VMULPD(constant(6.93147180369123816490e-01), k, k)
	VSUBPD(square, k, x)
}

// horner is (…(c₀·x + c₁)·x + …) + c_n.
func horner(dst, x VecVirtual, c ...float64) {
	VMULPD(constant(c[0]), x, dst)
	for i, v := range c[1:] {
		VADDPD(constant(v), dst, dst)
		if i < len(c)-2 {
			VMULPD(x, dst, dst)
		}
	}
}

// constant is a number in four lanes, kept once.
func constant(v float64) Mem {
	bits := math.Float64bits(v)
	if at, ok := constants[bits]; ok {
		return at
	}
	at := GLOBL("lanes"+strconv.Itoa(len(constants)), RODATA|NOPTR)
	for i := range 4 {
		DATA(8*i, U64(bits))
	}
	constants[bits] = at
	return at
}

var constants = map[uint64]Mem{}

// column is the next four rows of column i of three.
func column(base, stride Register, i int) Mem {
	if i == 0 {
		return Mem{Base: base}
	}
	return Mem{Base: base, Index: stride, Scale: uint8(i)}
}

// prefetch asks for four values of what is read next; prefetching beyond the
// end of memory is harmless.
func prefetch(ahead Register) {
	PREFETCHT0(Mem{Base: ahead})
	ADDQ(U8(32), ahead)
}

func zeros(n int) []VecVirtual {
	sums := make([]VecVirtual, n)
	for i := range sums {
		sums[i] = YMM()
		VXORPD(sums[i], sums[i], sums[i])
	}
	return sums
}

// addProduct rounds the product before it is added: no fused multiply-add.
func addProduct(u, v, sum VecVirtual) {
	product := YMM()
	VMULPD(u, v, product)
	VADDPD(product, sum, sum)
}

// reduce stores (lane 0 + lane 1) + (lane 2 + lane 3) of every sum.
func reduce(sums []VecVirtual, out Register) {
	for i := 0; i < len(sums); i += 2 {
		pair, high := YMM(), XMM()
		last := sums[min(i+1, len(sums)-1)]
		VHADDPD(last, sums[i], pair)
		VEXTRACTF128(U8(1), pair, high)
		VADDPD(high, pair.AsX(), high)
		if i+1 < len(sums) {
			VMOVUPD(high, Mem{Base: out, Disp: 8 * i})
		} else {
			VMOVSD(high, Mem{Base: out, Disp: 8 * i})
		}
	}
}
