package sweep

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/experiment"
)

// ParseNumbers reads numbers of points, 3,8-11 say.
func ParseNumbers(text string) ([]int, error) {
	var all []int
	for word := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(word), "-")
		if !isRange {
			high = low
		}
		a, errA := strconv.Atoi(low)
		b, errB := strconv.Atoi(high)
		if errA != nil || errB != nil || a < 0 || b < a || b >= mostPoints {
			return nil, fmt.Errorf("%s: want numbers from 0 to %d, 3,8-11 say", experiment.Quote(word), mostPoints-1)
		}
		if len(all)+b-a >= mostPoints {
			return nil, fmt.Errorf("%s: more than %d numbers", experiment.Quote(text), mostPoints)
		}
		for n := a; n <= b; n++ {
			all = append(all, n)
		}
	}
	return all, nil
}

// FormatNumbers is the inverse of ParseNumbers.
func FormatNumbers(numbers []int) string {
	var b strings.Builder
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(numbers[i]))
		if j > i {
			b.WriteString("-" + strconv.Itoa(numbers[j]))
		}
		i = j + 1
	}
	return b.String()
}

// Among returns the share's part of a list: every Of-th number, from that at place Index on.
func (s Share) Among(numbers []int) map[int]bool {
	part := map[int]bool{}
	for i, n := range numbers {
		if s.has(i) {
			part[n] = true
		}
	}
	return part
}
