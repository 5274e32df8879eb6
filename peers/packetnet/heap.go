package packetnet

// ranked is a flow in a [heap].
type ranked struct {
	bytes int64 // least first: SRPT
	age   int64 // and the oldest of equals
	flow  int32
}

func (r ranked) before(o ranked) bool {
	return r.bytes < o.bytes || r.bytes == o.bytes && r.age < o.age
}

// heap is a binary heap. Ages differ, so its order is total.
type heap []ranked

func (h *heap) push(r ranked) {
	*h = append(*h, r)
	s := *h
	for i := len(s) - 1; i > 0; {
		up := (i - 1) / 2
		if !s[i].before(s[up]) {
			break
		}
		s[i], s[up] = s[up], s[i]
		i = up
	}
}

func (h *heap) pop() ranked {
	s := *h
	top, last := s[0], len(s)-1
	s[0] = s[last]
	s = s[:last]
	*h = s
	for i := 0; ; {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < last; c++ {
			if s[c].before(s[least]) {
				least = c
			}
		}
		if least == i {
			return top
		}
		s[i], s[least] = s[least], s[i]
		i = least
	}
}
