//go:build soak

package designtest

const soak = true
