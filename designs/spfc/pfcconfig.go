package spfc

import "fmt"

// PFCConfig is how PFC frames are sent and obeyed in a network.
type PFCConfig struct {
	Quanta  uint16 // of a PAUSE
	Refresh uint16 // quanta after which a PAUSE that stands is sent again
	// Reaction is how many quanta after a frame's last bit its priorities may still start packets: at 100 Gb/s at most
	// 394 (IEEE 802.3 31B.3.7).
	Reaction uint16
	// TimerFromReception: the quanta count from the frame's last bit, so that the pause is shorter by the reaction time.
	// By default they count from when the frame takes effect.
	TimerFromReception bool
	// UntilResumed: a pause ends with a RESUME only, and nothing is refreshed.
	UntilResumed bool
	FrameBytes   int64 // line time of a PFC frame
	MaxPacket    int64 // the longest packet on any line, for the headroom that is needed
}

// DefaultPFC has the longest pause, refreshed after half of it, no reaction time, and the paper's packets.
func DefaultPFC() PFCConfig {
	return PFCConfig{Quanta: 65535, Refresh: 32768, FrameBytes: PFCFrameBytes, MaxPacket: 1048}
}

// Check returns an error for a configuration that cannot work.
func (c *PFCConfig) Check() error {
	switch {
	case c.FrameBytes < PFCFrameBytes || c.MaxPacket < PFCFrameBytes || c.MaxPacket > 1<<16-1:
		return fmt.Errorf("PFC frames of %d bytes, packets of up to %d: want at least %d, packets at most 65,535",
			c.FrameBytes, c.MaxPacket, PFCFrameBytes)
	case c.UntilResumed:
		return nil
	case c.Quanta == 0 || c.Refresh == 0:
		return fmt.Errorf("pauses of %d quanta, sent again after %d: want at least 1", c.Quanta, c.Refresh)
	case int64(c.Refresh)*quantumBytes+c.MaxPacket+c.FrameBytes > int64(c.Quanta)*quantumBytes:
		return fmt.Errorf("a pause of %d quanta is sent again after %d: a packet on the line makes that too late", c.Quanta,
			c.Refresh)
	case c.TimerFromReception && c.Reaction >= c.Quanta:
		return fmt.Errorf("a pause of %d quanta ends before the reaction time of %d", c.Quanta, c.Reaction)
	}
	return nil
}

// HeadroomNeeded returns it for a link.
func (c *PFCConfig) HeadroomNeeded(l Link) int64 {
	onWay := (2*l.Delay + l.ByteTime - 1) / l.ByteTime
	return int64(onWay) + int64(c.Reaction)*quantumBytes + 3*c.MaxPacket + c.FrameBytes
}
