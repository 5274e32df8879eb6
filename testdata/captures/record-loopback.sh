#!/bin/sh
# Records loopback-tcp.pcap anew: real TCP traffic over the loopback interface of a network namespace of its own, so that
# nothing else is in the capture and no setting of the machine changes.
# Needs Linux, root, and Debian's iproute2, util-linux, ethtool and tcpdump; run it from any folder.
set -eu
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/gencaptures" ./workload/internal/gencaptures

# shellcheck disable=SC2016 # the inner shell expands its own variables
unshare --net sh -euc '
	work=$1
	address=127.0.0.1:9000
	# Segments that fit a jumbo frame, and no frame longer than what would be on a wire.
	ip link set lo mtu 9000 up
	ethtool -K lo tso off gso off gro off

	tcpdump -i lo -w "$work/raw.pcap" --time-stamp-precision=nano --immediate-mode -s 0 -B 8192 tcp 2>"$work/log" &
	tcpdump=$!
	tries=0
	until grep -q "listening on" "$work/log"; do
		tries=$((tries + 1))
		[ "$tries" -lt 50 ] || { cat "$work/log" >&2; exit 1; }
		sleep 0.1
	done
	"$work/gencaptures" traffic "$address"
	sleep 1
	kill -INT "$tcpdump"
	wait "$tcpdump"
	grep -q "^0 packets dropped by kernel" "$work/log" || { cat "$work/log" >&2; exit 1; }
' sh "$work"

"$work/gencaptures" rebase "$work/raw.pcap" testdata/captures/loopback-tcp.pcap
