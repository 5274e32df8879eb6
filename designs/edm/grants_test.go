package edm

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// grantPlayer drives grants, one a cycle, and then none.
type grantPlayer struct {
	Out rtl.Out[Grant]

	grants []Grant
	at     int
}

func (p *grantPlayer) Reset() { p.at = 0; p.Tick() }

func (p *grantPlayer) Tick() {
	g := Grant{}
	if p.at < len(p.grants) {
		g = p.grants[p.at]
	}
	p.at++
	p.Out.Set(g)
}

// The first grant of a read is its request, block by block as it came. Requests that an undetected error gave one ID go
// as the newer of them, as often as they came. A granted request is kept no longer.
func TestRequestsAreGrantedAsTheyCame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const nodes, active = 3, 2
		type key struct {
			requester, memory int
			id                uint8
		}
		type kept struct {
			blocks []pcs.Block
			times  int
		}
		requests := map[key]kept{}
		var body [nodes][]pcs.Block
		var grants [nodes][]Grant
		var want, got [nodes][]pcs.Block
		now := 1
		const phases = 3
		for phase := range phases {
			begin := now
			for p := range nodes {
				body[p] = append(body[p], make([]pcs.Block, begin-len(body[p]))...)
				for range rapid.IntRange(0, 3).Draw(t, "requests") {
					k := key{p, rapid.IntRange(0, nodes-1).Draw(t, "memory"), uint8(rapid.IntRange(0, active-1).Draw(t, "id"))}
					blocks := []pcs.Block{
						Header{Kind: RREQ, ID: k.id, Source: uint16(p), Dest: uint16(k.memory), Bytes: 64}.block(DefaultTypes.MS),
					}
					for range rapid.SampledFrom([]int{0, 3}).Draw(t, "operands") {
						b := data(rapid.Uint64().Draw(t, "operand"))
						b.Header = rapid.SampledFrom([]uint8{pcs.HeaderData, pcs.HeaderData, 0b11, 0}).Draw(t, "header")
						blocks = append(blocks, b)
					}
					blocks = append(blocks, DefaultTypes.tail(rapid.Uint64().Draw(t, "address")))
					for _, b := range blocks {
						body[p] = append(body[p], make([]pcs.Block, rapid.IntRange(0, 1).Draw(t, "gap"))...)
						body[p] = append(body[p], b)
					}
					requests[k] = kept{blocks, requests[k].times + 1}
				}
				now = max(now, len(body[p]))
			}
			now += 2
			grant := func(source int, g Grant) {
				grants[source] = append(grants[source], make([]Grant, now-len(grants[source]))...)
				grants[source] = append(grants[source], g)
				now += requestBlocks + 1
			}
			for memory := range nodes {
				for requester := range nodes {
					for id := range uint8(active) {
						k := key{requester, memory, id}
						r := requests[k]
						for r.times > 0 && (phase == phases-1 || rapid.Bool().Draw(t, "granted")) {
							r.times--
							requests[k] = r
							grant(memory, Grant{Valid: true, Dest: uint16(requester), ID: id, Read: true, Bytes: 64, First: true})
							want[memory] = append(want[memory], r.blocks...)
						}
					}
				}
				grant(memory, Grant{Valid: true, Dest: 1, ID: 1, Read: true, Bytes: 64}) // of a later chunk
				want[memory] = append(
					want[memory],
					Header{Kind: RRES, ID: 1, Source: uint16(memory), Dest: 1, Bytes: 64}.block(DefaultTypes.G),
				)
			}
		}
		g := &Grants{
			Types: DefaultTypes, Active: active, Body: make([]rtl.In[pcs.Block], nodes),
			Grant: make([]rtl.In[Grant], nodes), Control: make([]rtl.Out[pcs.Block], nodes),
		}
		runModules(t, now+2*requestBlocks, func(s *rtl.Scope) {
			for p := range nodes {
				blocks, play := &player{blocks: body[p]}, &grantPlayer{grants: grants[p]}
				s.Add(fmt.Sprintf("body_%d", p), blocks)
				s.Add(fmt.Sprintf("grant_%d", p), play)
				rtl.Connect(&blocks.Out, &g.Body[p])
				rtl.Connect(&play.Out, &g.Grant[p])
			}
			s.Add("grants", g)
			s.Add("watch", &watcher{func() {
				for p := range nodes {
					if b := g.Control[p].Get(); b.Valid {
						got[p] = append(got[p], b)
					}
				}
			}})
		})
		require.Equal(t, want, got)
		require.Zero(t, g.Refused.Get())
		require.Equal(t, [2]int{0, 0}, [2]int{g.requests.size(), g.more.size()})
	})
}

// A grant of a request that did not come, or that was granted before, brings nothing. Blocks that come after their
// request was granted, and those beyond the longest request, are not kept.
func TestGrantsOfWhatIsNotKept(t *testing.T) {
	start := func(memory int, id uint8) pcs.Block {
		return Header{Kind: RREQ, ID: id, Dest: uint16(memory), Bytes: 64}.block(DefaultTypes.MS)
	}
	first := func(id uint8) Grant { return Grant{Valid: true, ID: id, Read: true, Bytes: 64, First: true} }
	const nodes, memory = 2, 1
	body := map[int]pcs.Block{
		5: start(memory, 0), 6: DefaultTypes.tail(1), 15: DefaultTypes.tail(2), // the last one without a start
		20: start(memory, 1), 21: data(1), 22: data(2), 23: data(3), 24: data(4), 25: data(5), 26: DefaultTypes.tail(6),
	}
	granted := map[int]Grant{2: first(0), 10: first(0), 17: first(0), 18: first(1), 30: first(1), 40: first(1)}
	want := []pcs.Block{body[5], body[6], body[20], body[21], body[22], body[23], body[24]}
	blocks, play, idle, none := &player{}, &grantPlayer{}, &player{}, &grantPlayer{}
	for cycle := range 50 {
		blocks.blocks, play.grants = append(blocks.blocks, body[cycle]), append(play.grants, granted[cycle])
	}
	var got []pcs.Block
	g := &Grants{
		Types: DefaultTypes, Active: 2, Body: make([]rtl.In[pcs.Block], nodes), Grant: make([]rtl.In[Grant], nodes),
		Control: make([]rtl.Out[pcs.Block], nodes),
	}
	runModules(t, 60, func(s *rtl.Scope) {
		s.Add("body", blocks)
		s.Add("grant", play)
		s.Add("idle", idle)
		s.Add("none", none)
		rtl.Connect(&blocks.Out, &g.Body[0])
		rtl.Connect(&idle.Out, &g.Body[memory])
		rtl.Connect(&none.Out, &g.Grant[0])
		rtl.Connect(&play.Out, &g.Grant[memory])
		s.Add("grants", g)
		s.Add("watch", &watcher{func() {
			if b := g.Control[memory].Get(); b.Valid {
				got = append(got, b)
			}
			require.False(t, g.Control[0].Get().Valid)
		}})
	})
	require.Equal(t, want, got)
	require.Equal(t, [2]int{0, 0}, [2]int{g.requests.size(), g.more.size()})
	require.Zero(t, *g.requests.look(0), "what stands for all that are not used")
}
