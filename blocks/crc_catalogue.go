package blocks

// Well-known CRCs, by width. Names, check values and residues come from the catalogue of parametrised CRC algorithms
// (G. Cook, reveng.sourceforge.io/crc-catalogue) unless a line says otherwise.
var (
	// CRC4Interlaken is the CRC-4 of the Interlaken Look-Aside protocol.
	CRC4Interlaken = CRCParams{Name: "CRC-4/INTERLAKEN", Width: 4, Poly: 0x3, Init: 0xf, XorOut: 0xf,
		Check: 0xb, Residue: 0x2}

	// CRC5USB protects the token packets of USB 2.0, 8.3.5.1.
	CRC5USB = CRCParams{Name: "CRC-5/USB", Width: 5, Poly: 0x05, Init: 0x1f, RefIn: true, RefOut: true, XorOut: 0x1f,
		Check: 0x19, Residue: 0x06}

	// CRC8ATM is the header error control of ATM cells and of delineation by it, ITU-T I.432.1 7.3.2.2.
	CRC8ATM = CRCParams{Name: "CRC-8/I-432-1", Width: 8, Poly: 0x07, XorOut: 0x55, Check: 0xa1, Residue: 0xac}

	// CRC8SMBus is the packet error code of SMBus: CRC8ATM without the final XOR.
	CRC8SMBus = CRCParams{Name: "CRC-8/SMBUS", Width: 8, Poly: 0x07, Check: 0xf4}

	// CRC8ROHC protects compressed headers, RFC 3095 5.9.1.
	CRC8ROHC = CRCParams{Name: "CRC-8/ROHC", Width: 8, Poly: 0x07, Init: 0xff, RefIn: true, RefOut: true, Check: 0xd0}

	// CRC8Maxim is the CRC of the 1-Wire bus.
	CRC8Maxim = CRCParams{Name: "CRC-8/MAXIM-DOW", Width: 8, Poly: 0x31, RefIn: true, RefOut: true, Check: 0xa1}

	// CRC8AUTOSAR is the CRC8H2F of the AUTOSAR library: Hamming distance 4 up to 119 bits of data.
	CRC8AUTOSAR = CRCParams{Name: "CRC-8/AUTOSAR", Width: 8, Poly: 0x2f, Init: 0xff, XorOut: 0xff,
		Check: 0xdf, Residue: 0x42}

	// CRC10ATM protects ATM's operation and maintenance cells, ITU-T I.610.
	CRC10ATM = CRCParams{Name: "CRC-10/ATM", Width: 10, Poly: 0x233, Check: 0x199}

	// CRC12RIFL is the verification code of RIFL: x^12+x^5+x^3+x^2+x+1. It is not in the catalogue.
	CRC12RIFL = CRCParams{Name: "CRC-12/RIFL", Width: 12, Poly: 0x02f, Check: 0x11b}

	// CRC12UMTS is the CRC of 3GPP TS 25.212, the only one here whose RefIn and RefOut differ.
	CRC12UMTS = CRCParams{Name: "CRC-12/UMTS", Width: 12, Poly: 0x80f, RefOut: true, Check: 0xdaf}

	// CRC16ARC is the CRC-16 of ARC and LHA, also called CRC-16/IBM.
	CRC16ARC = CRCParams{Name: "CRC-16/ARC", Width: 16, Poly: 0x8005, RefIn: true, RefOut: true, Check: 0xbb3d}

	// CRC16USB protects the data packets of USB 2.0, 8.3.5.2.
	CRC16USB = CRCParams{Name: "CRC-16/USB", Width: 16, Poly: 0x8005, Init: 0xffff, RefIn: true, RefOut: true,
		XorOut: 0xffff, Check: 0xb4c8, Residue: 0xb001}

	// CRC16CCITTFalse is called CRC-16/CCITT by much software.
	CRC16CCITTFalse = CRCParams{Name: "CRC-16/IBM-3740", Width: 16, Poly: 0x1021, Init: 0xffff, Check: 0x29b1}

	// CRC16XMODEM is also the header CRC of ITU-T G.7041 (GFP).
	CRC16XMODEM = CRCParams{Name: "CRC-16/XMODEM", Width: 16, Poly: 0x1021, Check: 0x31c3}

	// CRC16Kermit is CRC-16/CCITT proper, as ITU-T V.41 has it.
	CRC16Kermit = CRCParams{Name: "CRC-16/KERMIT", Width: 16, Poly: 0x1021, RefIn: true, RefOut: true, Check: 0x2189}

	// CRC16X25 is the frame check sequence of HDLC, ISO/IEC 13239, and of PPP, RFC 1662.
	CRC16X25 = CRCParams{Name: "CRC-16/IBM-SDLC", Width: 16, Poly: 0x1021, Init: 0xffff, RefIn: true, RefOut: true,
		XorOut: 0xffff, Check: 0x906e, Residue: 0xf0b8}

	// CRC16GENIBUS is CRC16X25 without reflection.
	CRC16GENIBUS = CRCParams{Name: "CRC-16/GENIBUS", Width: 16, Poly: 0x1021, Init: 0xffff, XorOut: 0xffff,
		Check: 0xd64e, Residue: 0x1d0f}

	// CRC24Interlaken protects the bursts of the Interlaken protocol.
	CRC24Interlaken = CRCParams{Name: "CRC-24/INTERLAKEN", Width: 24, Poly: 0x328b63, Init: 0xffffff, XorOut: 0xffffff,
		Check: 0xb4f3e6, Residue: 0x144e63}

	// CRC24OpenPGP is the armour checksum of RFC 4880 6.1.
	CRC24OpenPGP = CRCParams{Name: "CRC-24/OPENPGP", Width: 24, Poly: 0x864cfb, Init: 0xb704ce, Check: 0x21cf02}

	// CRC32Ethernet is the frame check sequence of Ethernet, IEEE 802.3 3.2.9. The line carries its bits x^31 first: the
	// value of Final goes out least significant byte first.
	CRC32Ethernet = CRCParams{Name: "CRC-32/ISO-HDLC", Width: 32, Poly: 0x04c11db7, Init: 0xffffffff, RefIn: true,
		RefOut: true, XorOut: 0xffffffff, Check: 0xcbf43926, Residue: 0xdebb20e3}

	// CRC32C is Castagnoli's: iSCSI (RFC 3720 12.1), SCTP, and the diagnostic words of Interlaken's lanes.
	CRC32C = CRCParams{Name: "CRC-32/ISCSI", Width: 32, Poly: 0x1edc6f41, Init: 0xffffffff, RefIn: true, RefOut: true,
		XorOut: 0xffffffff, Check: 0xe3069283, Residue: 0xb798b438}

	// CRC32BZIP2 is Ethernet's polynomial without reflection; ATM's AAL5 (ITU-T I.363.5) uses it too.
	CRC32BZIP2 = CRCParams{Name: "CRC-32/BZIP2", Width: 32, Poly: 0x04c11db7, Init: 0xffffffff, XorOut: 0xffffffff,
		Check: 0xfc891918, Residue: 0xc704dd7b}

	// CRC64ECMA is the CRC of ECMA-182, annex B.
	CRC64ECMA = CRCParams{Name: "CRC-64/ECMA-182", Width: 64, Poly: 0x42f0e1eba9ea3693, Check: 0x6c40df5f0b497347}

	// CRC64XZ is the CRC-64 of the xz file format, and of hash/crc64 with its ECMA table.
	CRC64XZ = CRCParams{Name: "CRC-64/XZ", Width: 64, Poly: 0x42f0e1eba9ea3693, Init: 0xffffffffffffffff, RefIn: true,
		RefOut: true, XorOut: 0xffffffffffffffff, Check: 0x995dc9bbdf1939fa, Residue: 0x49958c9abd7d353f}
)
