package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
)

const (
	bulkBytes = 160_000 // what the client sends first, in segments as large as the interface lets it
	exchanges = 128     // then come as many requests, each with its response
)

// requestLen and responseLen are the bytes of exchange i, counted from 1. With the 66 bytes of headers that Linux sends
// (Ethernet 14, IPv4 20, TCP 20, timestamps 12) both go through all positions in a block of eight bytes.
func requestLen(i int) int  { return i }
func responseLen(i int) int { return 7 * i }

// payloads are the two byte streams of the connection: pseudo-random, and the same in every run.
func payloads() (fromClient, fromServer []byte) {
	up, down := bulkBytes, 0
	for i := 1; i <= exchanges; i++ {
		up += requestLen(i)
		down += responseLen(i)
	}
	random := rand.NewChaCha8([32]byte{})
	fromClient, fromServer = make([]byte, up), make([]byte, down)
	random.Read(fromClient)
	random.Read(fromServer)
	return fromClient, fromServer
}

// traffic runs one TCP connection to a server of its own at address: a handshake, a bulk transfer, many small
// exchanges, and an orderly close begun by the client.
func traffic(address string) error {
	listener, err := net.Listen("tcp4", address)
	if err != nil {
		return err
	}
	served := make(chan error, 1)
	go func() { served <- serve(listener) }()
	err = request(listener.Addr().String())
	listener.Close() // so that a server whose client never came ends too
	return errors.Join(err, <-served)
}

func request(address string) error {
	conn, err := net.Dial("tcp4", address)
	if err != nil {
		return err
	}
	defer conn.Close()
	send, expect := payloads()
	if _, err := conn.Write(send[:bulkBytes]); err != nil {
		return err
	}
	send = send[bulkBytes:]
	for i := 1; i <= exchanges; i++ {
		if _, err := conn.Write(send[:requestLen(i)]); err != nil {
			return err
		}
		if err := receive(conn, expect[:responseLen(i)]); err != nil {
			return fmt.Errorf("response %d: %w", i, err)
		}
		send, expect = send[requestLen(i):], expect[responseLen(i):]
	}
	return nil
}

func serve(listener net.Listener) error {
	conn, err := listener.Accept()
	if err != nil {
		return err
	}
	defer conn.Close()
	expect, send := payloads()
	if err := receive(conn, expect[:bulkBytes]); err != nil {
		return fmt.Errorf("bulk transfer: %w", err)
	}
	expect = expect[bulkBytes:]
	for i := 1; i <= exchanges; i++ {
		if err := receive(conn, expect[:requestLen(i)]); err != nil {
			return fmt.Errorf("request %d: %w", i, err)
		}
		if _, err := conn.Write(send[:responseLen(i)]); err != nil {
			return err
		}
		expect, send = expect[requestLen(i):], send[responseLen(i):]
	}
	if n, err := io.Copy(io.Discard, conn); err != nil || n != 0 { // wait for the client's FIN
		return fmt.Errorf("%d bytes after the last request (%v), want the end", n, err)
	}
	return nil
}

func receive(conn net.Conn, want []byte) error {
	got := make([]byte, len(want))
	if _, err := io.ReadFull(conn, got); err != nil {
		return err
	}
	if !bytes.Equal(got, want) {
		return errors.New("other bytes than were sent")
	}
	return nil
}
