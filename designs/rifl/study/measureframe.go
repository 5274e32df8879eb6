package study

import (
	"fmt"
	"math/big"

	"github.com/goldwire/goldwire/claims"

	"github.com/goldwire/goldwire/designs/rifl"
)

// tableRow measures the meta code that a frame with the given bytes has, and that it decodes to the same.
func tableRow(bytes int, last bool) claims.Measure {
	return claims.Fixed(func() (m claims.Measurement, err error) {
		frame, back := make([]uint64, 4), make([]byte, 32)
		rifl.Encode(frame, make([]byte, bytes), last)
		n, end := rifl.Decode(back, frame)
		if n != bytes || end != last {
			return m, fmt.Errorf("%d bytes (last %v) come back as %d (last %v)", bytes, last, n, end)
		}
		return claims.Count(
			rifl.MetaOf(frame), "", "frame of 256 bits with %d bytes, end of packet %v: meta code %02b", bytes, last,
			rifl.MetaOf(frame),
		), nil
	})
}

var frameSizes = []int{128, 256, 512, 1024, 2048}

// protects measures how many bits a CRC of some bits can protect with a Hamming distance of four.
func protects(bits int) claims.Measure {
	return claims.Fixed(func() (m claims.Measurement, err error) {
		return claims.Count(reach(bits)-bits, "bits", "by the generator with the greatest order of x"), nil
	})
}

// verificationBits measures the verification code of the largest frame, with a row for every size of at least 256 bits,
// and rows for the ID and the checksum that it holds.
func verificationBits() (m claims.Measurement, err error) {
	const bitsPerSecond, roundTrip = 100e9, 500e-9
	var rows []claims.Row
	code := 0
	for _, f := range frameSizes[1:] {
		id, sum := leastID(bitsPerSecond, roundTrip, f), leastChecksum(f-16, f, bitsPerSecond)
		code = (max(id, sum)+3)/8*8 + 4
		rows = append(rows,
			claims.Row{Label: fmt.Sprintf("frames of %d bits", f), Kind: claims.Variant, Value: float64(code)},
			claims.Row{Label: "their ID", Value: float64(id)}, claims.Row{Label: "their checksum", Value: float64(sum)},
		)
	}
	return claims.Count(code, "bits", "the longer one of ID and checksum, up to 4 modulo 8").With(rows...), nil
}

// leastFrame measures the smallest frame of which 90 % is payload.
func leastFrame() (m claims.Measurement, err error) {
	var rows []claims.Row
	least := 0
	for _, f := range frameSizes {
		share, err := payloadShare(f)
		if err != nil {
			return m, err
		}
		if least == 0 && share.Exact.Cmp(big.NewRat(90, 1)) >= 0 {
			least = f
		}
		rows = append(rows, claims.Row{Label: fmt.Sprintf("payload of %d bits", f), Exact: share.Exact, Unit: "%"})
	}
	return claims.Count(least, "bits", "of the sizes from 128 to 2048").With(rows...), nil
}

// delivered runs a link until it has settled, and returns how many bytes end 1 takes in the frame cycles after that.
func delivered(cfg rifl.LinkConfig, frames uint64) (l *rifl.Link, bytes uint64, err error) {
	if l, err = rifl.NewLink(cfg); err != nil {
		return nil, 0, err
	}
	frame, v := l.Ends[1].Frame, l.Ends[1].Validator
	if err := frame.Run(cfg.Settle()); err != nil {
		return nil, 0, err
	}
	before := v.Bytes()
	err = frame.Run(frames)
	return l, v.Bytes() - before, err
}

// payloadShare counts payload bits in the frames that a saturated link delivers.
func payloadShare(f int) (m claims.Measurement, err error) {
	cfg := rifl.LinkConfig{Config: with(frameBits(f), idBits(6))}
	payload := cfg.PayloadBytes()
	cfg.Send[0], cfg.Expect[1] = rifl.Packets(1, payload, payload), rifl.Packets(1, payload, payload)
	cfg.UserBytes = f / 8
	const frames = 400
	l, got, err := delivered(cfg, frames)
	if err != nil {
		return m, err
	}
	if err := l.Ends[1].Validator.Err(); err != nil {
		return m, err
	}
	bits := int64(got) * 8
	share := big.NewRat(100*bits, int64(frames*f))
	return claims.Exact(share, "%", "%d bits arrived in %d frames of %d bits on one lane", bits, frames, f), nil
}

// undetectedQuads counts the share of errors of four bits, all equally likely, that the code does not see. It is exact:
// quadruples are counted as pairs of pairs with the same syndrome.
func undetectedQuads(f int) claims.Measure {
	return claims.Fixed(func() (m claims.Measurement, err error) {
		var pairs [1 << rifl.CodeBits]int64
		s := syndromes(f)
		for i, a := range s {
			for _, b := range s[:i] {
				pairs[a^b]++
			}
		}
		// no two single syndromes are equal here, so pairs of the same syndrome are disjoint; a quadruple splits in 3 ways
		var quads int64
		for _, n := range pairs {
			quads += n * (n - 1) / 2
		}
		quads /= 3
		n := int64(f)
		all := n * (n - 1) / 2 * (n - 2) / 3 * (n - 3) / 4
		const what = "%d of the %d patterns of 4 flips in a frame of %d bits leave the residue as it is"
		return claims.Exact(big.NewRat(quads*4096, all), "x 2^-12", what, quads, all, f), nil
	})
}
