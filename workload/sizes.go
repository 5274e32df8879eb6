package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strconv"
	"strings"
)

// Sizes is a distribution of message sizes in bytes. [ParseSizes] knows the published ones.
type Sizes interface {
	Mean() float64           // mean of Draw's sizes, computed, not sampled
	Draw(rng *rand.Rand) int // at least 1
	String() string          // the name that ParseSizes takes
}

// SizeRow says that PerMille of all messages have at most Size units.
type SizeRow struct {
	Size     int
	PerMille int
}

// SizeTable is a cumulative distribution as its source prints it, linear between rows. The first row is at 0 per
// mille, the last at 1000, and neither sizes nor probabilities fall.
//
// Draw rounds to the nearest whole unit, 0 to 1. Rows are whole units, so the rounding is symmetric in every interval
// and leaves the mean as it is; only the rounding of 0 to 1 adds to it, less than 0.0001 B in any table here.
type SizeTable struct {
	Name   string
	Source string
	Unit   int // bytes
	Rows   []SizeRow
}

// String returns the table's name.
func (t *SizeTable) String() string { return t.Name }

// Mean returns the mean in bytes: each interval is uniform, so it adds its middle with its probability.
func (t *SizeTable) Mean() float64 {
	sum := 0 // twice the mean, in units and per mille
	for i, row := range t.Rows[1:] {
		sum += (t.Rows[i].Size + row.Size) * (row.PerMille - t.Rows[i].PerMille)
	}
	return float64(sum*t.Unit) / 2000
}

// Draw draws a size by inverting the table.
func (t *SizeTable) Draw(rng *rand.Rand) int {
	u := rng.Float64() * 1000
	i := sort.Search(len(t.Rows), func(i int) bool { return float64(t.Rows[i].PerMille) > u })
	a, b := t.Rows[i-1], t.Rows[i]
	part := (u - float64(a.PerMille)) / float64(b.PerMille-a.PerMille)
	units := a.Size + int(math.Floor(part*float64(b.Size-a.Size)+0.5))
	return max(units, 1) * t.Unit
}

const (
	dataPacket = 1460 // bytes: the unit of the disaggregated applications

	sourceGao = "Gao et al., OSDI 2016, as restated by the authors of EDM (ASPLOS 2025)"
)

// sizeTables are the published distributions.
var sizeTables = []*SizeTable{
	{Name: "hadoop", Source: sourceGao, Unit: dataPacket, Rows: []SizeRow{
		{4, 0}, {4, 700}, {88, 800}, {167, 900}, {920, 1000},
	}},
	{Name: "spark", Source: sourceGao, Unit: dataPacket, Rows: []SizeRow{
		{4, 0}, {4, 700}, {13, 800}, {220, 900}, {930, 1000},
	}},
	{Name: "sparksql", Source: sourceGao, Unit: dataPacket, Rows: []SizeRow{
		{4, 0}, {4, 500}, {7, 600}, {7, 700}, {83, 800}, {140, 900}, {980, 1000},
	}},
	{Name: "graphlab", Source: sourceGao, Unit: dataPacket, Rows: []SizeRow{
		{4, 0}, {4, 700}, {88, 800}, {167, 900}, {1080, 1000},
	}},
	{Name: "memcached", Source: sourceGao, Unit: dataPacket, Rows: []SizeRow{
		{4, 0}, {4, 700}, {64, 800}, {296, 900}, {1216, 1000},
	}},
	{Name: "websearch", Source: "DCTCP, Alizadeh et al., SIGCOMM 2010", Unit: 1, Rows: []SizeRow{
		{0, 0}, {10_000, 150}, {20_000, 200}, {30_000, 300}, {50_000, 400}, {80_000, 530}, {200_000, 600}, {1_000_000, 700},
		{2_000_000, 800}, {5_000_000, 900}, {10_000_000, 970}, {30_000_000, 1000},
	}},
	{Name: "fbhadoop", Source: "Roy et al., SIGCOMM 2015", Unit: 1, Rows: []SizeRow{
		{0, 0}, {100, 10}, {200, 20}, {300, 50}, {350, 150}, {400, 200}, {500, 300}, {600, 400}, {700, 500}, {1000, 600},
		{2000, 670}, {7000, 700}, {30_000, 720}, {50_000, 820}, {80_000, 870}, {120_000, 900}, {300_000, 950},
		{1_000_000, 975}, {2_000_000, 990}, {10_000_000, 1000},
	}},
}

// SizeTables returns the published distributions that are tables.
func SizeTables() []*SizeTable { return append([]*SizeTable(nil), sizeTables...) }

// Pareto is the heavy-tailed distribution with P(size > x) = (Least/x)^Shape for x from Least on.
//
// At a shape near 1 no run of any practical length comes near the mean: half of Shoal's lies in messages of more than
// 2^20 times the least, 5 GB, and these are one in two million. Most cuts larger sizes to Most, and Mean counts them
// so; 0 leaves them.
type Pareto struct {
	Shape float64 // above 1
	Least float64 // bytes
	Most  int
}

// The distribution of Shoal §7.3: shape 1.05, mean 100 KB.
const (
	shoalShape = 1.05
	shoalMean  = 100_000
)

// String returns "pareto", with Most if there is one.
func (p Pareto) String() string {
	if p.Most > 0 {
		return "pareto:" + strconv.Itoa(p.Most)
	}
	return "pareto"
}

// Mean returns the mean in bytes, before rounding.
func (p Pareto) Mean() float64 {
	mean := p.Least * p.Shape / (p.Shape - 1)
	if most := float64(p.Most); p.Most > 0 {
		mean -= most * math.Pow(p.Least/most, p.Shape) / (p.Shape - 1) // what the tail is longer than Most
	}
	return mean
}

// Draw draws a size, rounded to the nearest byte.
func (p Pareto) Draw(rng *rand.Rand) int {
	x := p.Least * math.Pow(1-rng.Float64(), -1/p.Shape)
	if p.Most > 0 {
		x = min(x, float64(p.Most))
	}
	return max(int(math.Round(min(x, 1<<62))), 1)
}

// Fixed is the size of all messages.
type Fixed int

// String returns "fixed:" and the size.
func (f Fixed) String() string { return "fixed:" + strconv.Itoa(int(f)) }

// Mean returns the size.
func (f Fixed) Mean() float64 { return float64(f) }

// Draw returns the size and draws nothing.
func (f Fixed) Draw(*rand.Rand) int { return int(f) }

// maxParsed is the largest size that a name may have: more would be a slip of the hand.
const maxParsed = 1 << 40

// ParseSizes returns the distribution of a name: one of [SizeTables], pareto (Shoal §7.3: shape 1.05, mean 100 KB),
// pareto:N (the same, cut at N bytes) or fixed:N.
func ParseSizes(name string) (Sizes, error) {
	names := make([]string, len(sizeTables))
	for i, table := range sizeTables {
		if table.Name == name {
			return table, nil
		}
		names[i] = table.Name
	}
	const least = shoalMean * (shoalShape - 1) / shoalShape
	kind, number, hasNumber := strings.Cut(name, ":")
	if !hasNumber && kind == "pareto" {
		return Pareto{Shape: shoalShape, Least: least}, nil
	}
	if hasNumber && (kind == "pareto" || kind == "fixed") {
		lowest := 1
		if kind == "pareto" {
			lowest = int(math.Ceil(least))
		}
		n, err := strconv.ParseUint(number, 10, 64)
		most := min(uint64(maxParsed), math.MaxInt) // an int may have 32 bits
		if err != nil || n < uint64(lowest) || n > most {
			return nil, fmt.Errorf("sizes %q: want %s:N with N from %d to %d bytes", name, kind, lowest, most)
		}
		if kind == "pareto" {
			return Pareto{Shape: shoalShape, Least: least, Most: int(n)}, nil
		}
		return Fixed(n), nil
	}
	return nil, fmt.Errorf("sizes %q, want %s, pareto, pareto:N or fixed:N", name, strings.Join(names, ", "))
}
