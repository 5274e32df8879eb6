package shoal

// Pair is a flow between two nodes.
type Pair struct{ From, To int }

// WaterFill returns the max-min fair rates of endless flows, as shares of the N-1 connections that a node has in an
// epoch. Each flow is N-1 subflows, by each other node; each ordered pair of nodes is a link of one cell an epoch,
// which two of them may share at either end (§3.3.2). All subflows rise together until a link is full, those on it
// stay, and so on.
func WaterFill(nodes int, flows []Pair) []float64 {
	type subflow struct{ flow, first, second int } // second is -1 on the direct way
	var subs []subflow
	on := make([][]int32, nodes*nodes) // subflows by link
	for f, p := range flows {
		for via := range nodes {
			if via == p.From {
				continue
			}
			s := subflow{f, p.From*nodes + via, via*nodes + p.To}
			if via == p.To {
				s.second = -1
			}
			on[s.first] = append(on[s.first], int32(len(subs)))
			if s.second >= 0 {
				on[s.second] = append(on[s.second], int32(len(subs)))
			}
			subs = append(subs, s)
		}
	}
	left, rising := make([]float64, len(on)), make([]int, len(on))
	for l := range on {
		left[l], rising[l] = 1, len(on[l])
	}
	rates, fixed := make([]float64, len(flows)), make([]bool, len(subs))
	level := 0.0
	for open := len(subs); open > 0; {
		step := 2.0
		for l := range on {
			if rising[l] > 0 {
				step = min(step, left[l]/float64(rising[l]))
			}
		}
		level += step
		for l := range on {
			left[l] -= step * float64(rising[l])
		}
		for l := range on {
			if rising[l] == 0 || left[l] > 1e-9 {
				continue
			}
			for _, k := range on[l] {
				if fixed[k] {
					continue
				}
				s := subs[k]
				fixed[k] = true
				open--
				rates[s.flow] += level
				rising[s.first]--
				if s.second >= 0 {
					rising[s.second]--
				}
			}
		}
	}
	for f := range rates {
		rates[f] /= float64(nodes - 1)
	}
	return rates
}
