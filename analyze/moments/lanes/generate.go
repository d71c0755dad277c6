//go:build ignore

// Generate writes the AVX kernels of this package, kernel_amd64.s and their
// declarations; see kernel.go for what they compute and in which order.
package main

import (
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
