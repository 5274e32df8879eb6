//go:build !soak

package cli_test

// Each parameter is given one in shareOfValues of the hostile values, and the next parameter the next ones.
const shareOfValues = 5
