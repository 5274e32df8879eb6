package spfc

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// One port by hand: 100 bytes of reserve, 1,000 of pool, 300 of headroom, alpha 1, RESUME 150 below the threshold.
func TestManagerSteps(t *testing.T) {
	cfg := DefaultBuffer(4, 1000+4*400, 300)
	cfg.Reserve, cfg.ResumeOffset, cfg.Policy, cfg.AlphaShift = 100, 150, DT, 0
	m, err := NewManager(cfg)
	require.NoError(t, err)
	require.EqualValues(t, 1000, m.Pool())
	for k, s := range []struct {
		bytes                        int64 // negative: dequeued
		verdict                      string
		used, headroom, pool, thresh int64
	}{
		{60, "in", 60, 0, 0, 1000},           // in the reserve
		{100, "in", 160, 0, 60, 940},         // 40 of it
		{430, "in", 590, 0, 490, 510},        // 490 <= 940
		{30, "in, pause", 590, 30, 490, 510}, // 520 > 510: all of it to the headroom
		{250, "in", 590, 280, 490, 510},
		{30, "lost", 590, 280, 490, 510},       // 310 > 300
		{20, "in", 610, 280, 510, 490},         // 510 <= 510, whatever is in the headroom
		{-200, "out", 610, 80, 510, 490},       // the headroom drains first
		{-100, "out", 590, 0, 490, 510},        // 490 + 150 > 510
		{-45, "out", 545, 0, 445, 555},         // 595 > 555
		{-20, "out, resume", 525, 0, 425, 575}, // 575 <= 575
		{150, "in, pause", 675, 0, 575, 425},   // it fits, but now 575 >= 425
		{-575, "out, resume", 100, 0, 0, 1000},
	} {
		verdict := "out"
		if s.bytes > 0 {
			accepted, pause := m.Enqueue(0, 1, 3, 2, s.bytes)
			verdict = "lost"
			if accepted {
				verdict = "in"
			}
			if pause {
				verdict += ", pause"
			}
		} else if resume, _ := m.Dequeue(0, 1, 3, 2, -s.bytes); resume {
			verdict += ", resume"
		}
		require.Equal(t, s.verdict, verdict, "step %d", k)
		used, headroom, _ := m.Ingress(1, 3)
		require.Equal(t, []int64{s.used, s.headroom, s.pool, s.thresh},
			[]int64{used, headroom, m.Used(), m.Threshold(0, 1)}, "step %d", k)
		require.Equal(t, used+headroom, m.Egress(2, 3))
		require.NoError(t, m.Conservation())
	}
}

// A port that is paused while others fill the pool resumes when it has nothing in it, though the threshold is below
// the offset. To the letter it never does: its last dequeue has been.
func TestResumeBelowTheOffset(t *testing.T) {
	for _, strictly := range []bool{false, true} {
		cfg := DefaultBuffer(2, 10_000, 2000)
		cfg.Reserve, cfg.Policy, cfg.AlphaShift, cfg.ResumeStrictly = 0, DT, 0, strictly
		m, err := NewManager(cfg)
		require.NoError(t, err)
		for range 3 { // of 6,000
			m.Enqueue(0, 0, 3, 0, 1000)
		}
		_, pause := m.Enqueue(0, 1, 3, 0, 2000)
		require.True(t, pause, "2,000 of 1,000")
		m.Enqueue(0, 0, 3, 0, 2000) // to the headroom
		resume, _ := m.Dequeue(0, 1, 3, 0, 2000)
		require.Equal(t, 3000, int(m.Threshold(0, 1)))
		require.Equal(t, !strictly, resume)
	}
}

// A full pool pauses a port whose own threshold has room, and the port stays paused while its packets leave, until as
// much of the pool is free as the offset. So a port under ST, or one that has the whole pool, does not pause with each
// packet and resume with the next.
func TestNoResumeInAFullPool(t *testing.T) {
	for _, policy := range []Policy{ST, Pinned} {
		cfg := DefaultBuffer(2, 12_000, 1000) // a pool of 10,000
		cfg.Reserve, cfg.ResumeOffset, cfg.Policy, cfg.Static, cfg.Pinned = 0, 3000, policy, 8000, 3
		m, err := NewManager(cfg)
		require.NoError(t, err)
		for range 5 {
			_, pause := m.Enqueue(0, 0, 3, 0, 1000)
			require.False(t, pause)
			_, pause = m.Enqueue(0, 1, 3, 0, 1000)
			require.Equal(t, m.Used() == 10_000, pause, "5,000 of 8,000, but the pool is full")
		}
		for _, left := range []int64{9000, 8000, 7000} { // by packets of port 1
			resume, _ := m.Dequeue(0, 1, 3, 0, 1000)
			require.Equal(t, left, m.Used())
			require.Equal(t, left == 7000, resume, "%v: 3,000 have to be free, %d of 10,000 are used", policy, left)
		}
		require.EqualValues(t, 1, m.Counts.Pauses)
	}
}

// A packet that lies in its port's reserve takes nothing of a full pool, and pauses nobody; nor does it keep a pause.
func TestAFullPoolLeavesReservesAlone(t *testing.T) {
	cfg := DefaultBuffer(2, 7000, 1000) // a pool of 3,000
	cfg.Reserve, cfg.Policy, cfg.Static = 1000, ST, 5000
	m, err := NewManager(cfg)
	require.NoError(t, err)
	m.Enqueue(0, 0, 3, 0, 4000)
	require.Equal(t, m.Pool(), m.Used())
	accepted, pause := m.Enqueue(0, 1, 3, 0, 600)
	require.Equal(t, []bool{true, false}, []bool{accepted, pause}, "in the reserve")
	accepted, pause = m.Enqueue(0, 1, 3, 0, 600)
	require.Equal(t, []bool{true, true}, []bool{accepted, pause}, "in the headroom")
	resume, _ := m.Dequeue(0, 1, 3, 0, 600)
	require.True(t, resume)
}

// naiveManager is the rules of a shared-memory switch with PFC over plain maps, with windows that end when the clock
// comes to them.
type naiveManager struct {
	cfg      BufferConfig
	used     map[[2]int]int64
	headroom map[[2]int]int64
	paused   map[[2]int]bool
	ports    map[int]*naivePort
}

type naivePort struct {
	naiveState
	next Time
}

func (m *naiveManager) inPool(key [2]int) int64 {
	if m.cfg.Lossless>>key[1]&1 == 0 {
		return m.used[key]
	}
	return max(0, m.used[key]-m.cfg.Reserve)
}

func (m *naiveManager) pool() int64 {
	lossless := int64(0)
	for prio := range 8 {
		lossless += int64(m.cfg.Lossless >> prio & 1)
	}
	pool := m.cfg.Bytes
	for _, p := range m.cfg.Ports {
		pool -= lossless * (p.Headroom + m.cfg.Reserve)
	}
	return pool
}

func (m *naiveManager) shared() (sum int64) {
	for key := range m.used {
		sum += m.inPool(key)
	}
	return sum
}

func (m *naiveManager) limit(port int) int { return int(m.cfg.CircuitThreshold(port)) }

func (m *naiveManager) threshold(port int) int64 {
	switch m.cfg.Policy {
	case ST:
		return m.cfg.Static
	case SPFC:
		if m.ports[port].victim {
			return m.pool()
		}
	case Pinned:
		if m.cfg.Pinned>>port&1 != 0 {
			return m.pool()
		}
	}
	free := float64(m.pool() - m.shared())
	for range m.cfg.AlphaShift {
		free *= 2
	}
	for range -m.cfg.AlphaShift {
		free /= 2
	}
	return int64(free)
}

func (m *naiveManager) portPaused(port int) bool {
	for prio := range 8 {
		if m.paused[[2]int{port, prio}] {
			return true
		}
	}
	return false
}

// until lets all windows end that do.
func (m *naiveManager) until(now Time) {
	for i := range m.cfg.Ports {
		for p := m.ports[i]; p.next <= now; p.next += m.cfg.Window {
			p.naiveState = p.after(m.limit(i), false, false, true, 0)
		}
	}
}

// full tells whether an ingress queue with bytes in the pool would be at its threshold, or the pool full, with that
// many bytes more.
func (m *naiveManager) full(port, prio int, more int64) bool {
	own := m.inPool([2]int{port, prio})
	return own > 0 && (own+more >= m.threshold(port) || m.shared()+more >= m.pool())
}

func (m *naiveManager) enqueue(port, prio int, bytes int64) string {
	key := [2]int{port, prio}
	lossless := m.cfg.Lossless>>prio&1 != 0
	grown := m.used[key] + bytes
	if lossless {
		grown = max(0, grown-m.cfg.Reserve)
	}
	verdict := "in"
	switch {
	case grown == 0, grown <= m.threshold(port) && m.shared()-m.inPool(key)+grown <= m.pool():
		m.used[key] += bytes
	case lossless && m.headroom[key]+bytes <= m.cfg.Ports[port].Headroom:
		m.headroom[key] += bytes
	case lossless && m.used[key]+m.headroom[key] == 0:
		return "lost"
	default:
		verdict = "lost"
	}
	if lossless && !m.paused[key] && (verdict == "lost" || m.headroom[key] > 0 || m.full(port, prio, 0)) {
		m.paused[key] = true
		m.ports[port].naiveState = m.ports[port].after(m.limit(port), true, false, false, 0)
		verdict += ", pause"
	}
	return verdict
}

func (m *naiveManager) dequeue(port, prio int, bytes int64) string {
	key := [2]int{port, prio}
	from := min(bytes, m.headroom[key])
	m.headroom[key] -= from
	m.used[key] -= bytes - from
	p := m.ports[port]
	if m.cfg.Policy == SPFC {
		p.naiveState = p.after(m.limit(port), false, false, false, int(bytes))
	}
	if m.paused[key] && m.headroom[key] == 0 && !m.full(port, prio, 0) && !m.full(port, prio, m.cfg.ResumeOffset-1) {
		m.paused[key] = false
		if !m.portPaused(port) {
			p.naiveState = p.after(m.limit(port), false, true, false, 0)
		}
		return "out, resume"
	}
	return "out"
}

func TestManagerAgainstTheRules(t *testing.T) {
	verdicts := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		ports := rapid.IntRange(1, 4).Draw(t, "ports")
		cfg := DefaultBuffer(ports, 0, rapid.Int64Range(0, 3000).Draw(t, "headroom"))
		cfg.Lossless = 1<<1 | 1<<3
		cfg.Reserve = rapid.Int64Range(0, 500).Draw(t, "reserve")
		cfg.ResumeOffset = rapid.Int64Range(0, 2000).Draw(t, "resume offset")
		cfg.Bytes = -cfg.Pool() + rapid.Int64Range(1, 20_000).Draw(t, "pool")
		cfg.Policy = rapid.SampledFrom([]Policy{DT, ST, SPFC, SPFC, Pinned}).Draw(t, "policy")
		cfg.AlphaShift = rapid.IntRange(-2, 3).Draw(t, "alpha")
		cfg.Static = rapid.Int64Range(1, 5000).Draw(t, "static")
		cfg.Pinned = uint64(rapid.IntRange(0, 15).Draw(t, "pinned"))
		cfg.Window, cfg.K = Time(rapid.IntRange(1, 500).Draw(t, "TC"))*slot100G, 1
		cfg.WindowPhase = Time(rapid.IntRange(0, 1).Draw(t, "phase")) * 77
		cfg.Log = true
		m, err := NewManager(cfg)
		require.NoError(t, err)
		n := &naiveManager{cfg: cfg, used: map[[2]int]int64{}, headroom: map[[2]int]int64{}, paused: map[[2]int]bool{},
			ports: map[int]*naivePort{}}
		for i := range ports {
			n.ports[i] = &naivePort{next: cfg.Window + Time(i)*cfg.WindowPhase}
		}
		require.Equal(t, n.pool(), m.Pool())
		type packet struct {
			in, prio, out int
			bytes         int64
		}
		var stored []packet
		now := Time(0)
		for range rapid.IntRange(1, 150).Draw(t, "events") {
			now += rapid.SampledFrom([]Time{0, 0, 0, 1, slot100G, 7 * slot100G, cfg.Window, 3*cfg.Window + 1}).Draw(t, "later")
			n.until(now)
			var want, got string
			if k := rapid.IntRange(-3, 2*len(stored)).Draw(t, "which"); k >= 0 && k < len(stored) {
				p := stored[k]
				stored = append(stored[:k], stored[k+1:]...)
				want, got = n.dequeue(p.in, p.prio, p.bytes), "out"
				if resume, _ := m.Dequeue(now, p.in, p.prio, p.out, p.bytes); resume {
					got += ", resume"
				}
			} else {
				p := packet{rapid.IntRange(0, ports-1).Draw(t, "in"), rapid.SampledFrom([]int{0, 1, 3, 3}).Draw(t, "priority"),
					rapid.IntRange(0, ports-1).Draw(t, "out"),
					rapid.Int64Range(64, 1500).Draw(t, "bytes")}
				want, got = n.enqueue(p.in, p.prio, p.bytes), "lost"
				accepted, pause := m.Enqueue(now, p.in, p.prio, p.out, p.bytes)
				if accepted {
					stored = append(stored, p)
					got = "in"
				}
				if pause {
					got += ", pause"
				}
			}
			require.Equal(t, want, got)
			verdicts[want]++
			require.NoError(t, m.Conservation())
			require.LessOrEqual(t, m.Stored(), cfg.Bytes, "no more than the memory")
			require.Equal(t, n.shared(), m.Used())
			for i := range ports {
				require.Equal(t, n.threshold(i), m.Threshold(now, i), "port %d", i)
				for prio := range Priorities {
					key := [2]int{i, prio}
					used, headroom, paused := m.Ingress(i, prio)
					require.Equal(t, fmt.Sprint(n.used[key], n.headroom[key], n.paused[key]), fmt.Sprint(used, headroom, paused),
						"port %d, priority %d", i, prio)
				}
			}
		}
		// the record of states ends as the ports are
		last := map[int]StateChange{}
		for _, s := range m.States(now) {
			last[s.Port] = s
		}
		for i := range ports {
			require.Equal(t, n.portPaused(i), last[i].Paused)
			if cfg.Policy == SPFC {
				require.Equal(t, n.ports[i].victim, last[i].Victim)
			}
		}
	})
	for _, v := range []string{"in", "in, pause", "lost", "lost, pause", "out", "out, resume"} {
		require.Positive(t, verdicts[v], v)
	}
}

// Nobody asks a port for many windows: it stands as if each had been looked at.
func TestWindowsThatNobodyLooksAt(t *testing.T) {
	cfg := DefaultBuffer(1, 1<<20, 0)
	cfg.Window, cfg.K, cfg.Log = 100*slot100G, 10, true // a count of 640 bytes
	m, err := NewManager(cfg)
	require.NoError(t, err)
	m.Enqueue(50*slot100G, 0, 3, 0, 1000)
	m.Dequeue(60*slot100G, 0, 3, 0, 1000)
	require.Equal(t, []StateChange{{60 * slot100G, 0, true, false, 640}, {200 * slot100G, 0, false, false, 0}},
		m.States(12_345*slot100G))
	_, end := m.Circuit(12_345*slot100G, 0)
	require.EqualValues(t, 12_400*slot100G, end)
	_, end = m.Circuit(12_400*slot100G, 0)
	require.EqualValues(t, 12_500*slot100G, end, "the window that ends now has ended")
}

// ECN: never up to KMin, always above KMax, between them about in proportion.
func TestMarks(t *testing.T) {
	cfg := DefaultBuffer(1, 1<<24, 0)
	cfg.Ports[0].ECN = ECN{KMin: 10_000, KMax: 20_000, PMax: 0.4}
	for _, c := range []struct {
		left int64
		want float64
	}{{10_000, 0}, {15_000, 0.2}, {20_000, 0.4}, {20_001, 1}} {
		m, err := NewManager(cfg)
		require.NoError(t, err)
		m.Enqueue(0, 0, 3, 0, c.left)
		marks := 0
		const packets = 4000
		for range packets {
			m.Enqueue(0, 0, 3, 0, 100)
			if _, mark := m.Dequeue(0, 0, 3, 0, 100); mark {
				marks++
			}
		}
		require.InDelta(t, c.want, float64(marks)/packets, 0.03, "%d bytes are left", c.left) // four standard deviations
		if c.want == 0 || c.want == 1 {
			require.EqualValues(t, c.want*packets, marks)
		}
		require.EqualValues(t, marks, m.Counts.Marks)
	}
	require.Equal(t, ECN{KMin: 400_000, KMax: 1_600_000, PMax: 0.2}, ECNFor(Gbps100))
	require.Equal(t, ECN{KMin: 1_600_000, KMax: 6_400_000, PMax: 0.2}, ECNFor(Gbps400))
}

// The paper's numbers at 100 Gb/s: 80 us, K = 5 give 200,000 bytes, which are 3,125 cells.
func TestCircuitThreshold(t *testing.T) {
	cfg := DefaultBuffer(32, 16<<20, 0)
	require.EqualValues(t, 200_000, cfg.CircuitThreshold(0))
	require.EqualValues(t, 3125*CellBytes, cfg.CircuitThreshold(31))
	cfg.Packets = 1048
	require.EqualValues(t, 190, cfg.CircuitThreshold(0)) // 954 packets fit in 80 us
}

func TestConfigErrors(t *testing.T) {
	for want, change := range map[string]func(c *BufferConfig){
		"0 ports, want 1 to 64":                    func(c *BufferConfig) { c.Ports = nil },
		"port 0: 0 ps a byte, want 1 to 1,000,000": func(c *BufferConfig) { c.Ports[0].ByteTime = 0 },

		"port 1: a headroom of -1 bytes": func(c *BufferConfig) { c.Ports[1].Headroom = -1 },
		"port 0: ECN from 5 to 4 bytes":  func(c *BufferConfig) { c.Ports[0].ECN = ECN{KMin: 5, KMax: 4} },

		"port 0: ECN with probability 2":      func(c *BufferConfig) { c.Ports[0].ECN.PMax = 2 },
		"a memory of 0 bytes, want 1 to 2^40": func(c *BufferConfig) { c.Bytes = 0 },
		"alpha 2^8, want 2^-7 to 2^7":         func(c *BufferConfig) { c.AlphaShift = 8 },
		"Policy(9)":                           func(c *BufferConfig) { c.Policy = 9 },
		"headrooms and reserves take 8182 bytes more than the memory's 10": func(c *BufferConfig) { c.Bytes = 10 },
		"K is 0, want at least 1":                         func(c *BufferConfig) { c.K = 0 },
		"port 0: TC of 80 ps by K = 5 gives a count of 0": func(c *BufferConfig) { c.Window = 80 },
	} {
		c := DefaultBuffer(2, 1<<20, 0)
		change(&c)
		_, err := NewManager(c)
		require.EqualError(t, err, want)
	}
	_, err := AlphaShift(3)
	require.EqualError(t, err, "alpha 3: want a power of two from 1/128 to 128")
	shift, err := AlphaShift(0.5)
	require.NoError(t, err)
	require.Equal(t, -1, shift)
	_, err = ParsePolicy("EDT")
	require.EqualError(t, err, `policy "EDT": want one of DT, ST, SPFC, pinned`)
}
