package sandbox

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// forward has a process's network offer the servers that listen on this machine's loopback: their TCP ports, as they
// are now. Nothing else of the machine's networks is reached, since all connections are made by this process, to these
// addresses.
func forward(pid int) error {
	listeners, failed := make(chan net.Listener), make(chan error, 1)
	go func() {
		defer close(listeners)
		failed <- listenIn(pid, serversOnLoopback(), listeners)
	}()
	for l := range listeners {
		go serve(l)
	}
	return <-failed
}

// listenIn listens at addresses in the network of a process.
func listenIn(pid int, addresses []netip.AddrPort, into chan<- net.Listener) error {
	runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
	network, err := os.Open(fmt.Sprintf("/proc/%d/ns/net", pid))
	if err != nil {
		return err
	}
	defer network.Close()
	if err := unix.Setns(int(network.Fd()), unix.CLONE_NEWNET); err != nil {
		return fmt.Errorf("its network: %w", err)
	}
	for _, address := range addresses {
		l, err := net.Listen("tcp", address.String())
		if err != nil {
			return err
		}
		into <- l
	}
	return nil
}

// serve connects all that a listener gets with the server at the same address of this process's network.
func serve(l net.Listener) {
	for {
		inside, err := l.Accept()
		if err != nil {
			return
		}
		go connect(inside, l.Addr())
	}
}

// connect connects a connection with the server at an address.
func connect(inside net.Conn, to net.Addr) {
	defer inside.Close()
	outside, err := net.Dial("tcp", to.String())
	if err != nil {
		return // it has ended
	}
	defer outside.Close()
	answered := make(chan struct{})
	go func() {
		pass(inside, outside)
		close(answered)
	}()
	pass(outside, inside)
	<-answered
}

// pass writes what is read from a connection to another one, and its end, too.
func pass(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	_ = to.(*net.TCPConn).CloseWrite()
}

// serversOnLoopback returns the addresses of this machine's loopback at which something listens.
func serversOnLoopback() (found []netip.AddrPort) {
	for _, file := range []string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
		f, err := os.Open(file)
		if err != nil {
			continue // a machine without IPv6
		}
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			const listens = "0A"
			fields := strings.Fields(lines.Text())
			if len(fields) < 4 || fields[3] != listens {
				continue
			}
			if address, ok := parseAddress(fields[1]); ok {
				found = append(found, onLoopback(address)...)
			}
		}
		f.Close()
	}
	slices.SortFunc(found, netip.AddrPort.Compare)
	return slices.Compact(found)
}

// onLoopback returns the addresses of the loopback at which a server with an address is reached.
func onLoopback(a netip.AddrPort) []netip.AddrPort {
	v4 := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), a.Port())
	v6 := netip.AddrPortFrom(netip.IPv6Loopback(), a.Port())
	switch ip := a.Addr(); {
	case ip.IsLoopback() && ip.Is4(), ip == v6.Addr():
		return []netip.AddrPort{a}
	case ip == netip.IPv4Unspecified():
		return []netip.AddrPort{v4}
	case ip == netip.IPv6Unspecified():
		return []netip.AddrPort{v4, v6}
	}
	return nil
}

// parseAddress parses an address in the kernel's form: words of four bytes in the machine's order, in hexadecimal
// digits, a colon and the port.
func parseAddress(text string) (a netip.AddrPort, ok bool) {
	ip, port, _ := strings.Cut(text, ":")
	bytes, err := hex.DecodeString(ip)
	number, portErr := strconv.ParseUint(port, 16, 16)
	if err != nil || portErr != nil || len(bytes)%4 != 0 {
		return a, false
	}
	for i := 0; i < len(bytes); i += 4 {
		slices.Reverse(bytes[i : i+4]) // both machines that this program is built for are little-endian
	}
	address, ok := netip.AddrFromSlice(bytes)
	return netip.AddrPortFrom(address.Unmap(), uint16(number)), ok
}
