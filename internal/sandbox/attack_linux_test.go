package sandbox_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/testbed"
)

// world is what an attack is about: things outside of a sandbox, and the sandbox.
type world struct {
	dir    string // all of it
	root   string // the project, which a command may change in a tree
	seen   string // a folder that a command sees and must not change, with a file "file"
	home   string // the user's home folder, with secrets
	victim *exec.Cmd
	ports  map[string]string // where servers listen, by the variable that says it, and the name of a file in hiddenFolders
}

// An attack tries to do something that a command must not. It is a script of a shell, in which $SEEN, $ROOT,
// $HOME_OUTSIDE and $VICTIM (the id of a process) name what is outside, and `$CALL name` makes a call of [calls].
type attack struct {
	name   string
	script string
	won    func(*world) bool // looked at afterwards; nil if the status 0 of the script says it
}

// wrote reports whether the file that must not change has changed.
func wrote(w *world) bool {
	text, err := os.ReadFile(filepath.Join(w.seen, "file"))
	return err != nil || string(text) != "as it was\n"
}

// made reports whether something was made in the folder that must not change.
func made(w *world) bool {
	entries, err := os.ReadDir(w.seen)
	return err != nil || len(entries) != 3
}

func projectChanged(name, text string) func(*world) bool {
	return func(w *world) bool {
		now, err := os.ReadFile(filepath.Join(w.root, name))
		return err != nil || string(now) != text
	}
}

// attacks are the ways out that are tried.
var attacks = []attack{
	// Writing.
	{name: "a path", script: `echo owned > "$SEEN/file"`, won: wrote},
	{name: "more text", script: `echo owned >> "$SEEN/file"`, won: wrote},
	{name: "dots", script: `p=$SEEN; cd /; echo owned > "./$p/file"`, won: wrote},
	{name: "a link in the tree", script: `ln -s "$SEEN/file" l; echo owned > l`, won: wrote},
	{name: "a linked folder in the tree", script: `ln -s "$SEEN" l; echo owned > l/file`, won: wrote},
	{name: "a chain of links", script: `ln -s "$SEEN" a; ln -s a b; ln -s b/file c; echo owned > c`, won: wrote},
	{name: "a hard link", script: `ln "$SEEN/file" l && echo owned > l`, won: wrote},
	{name: "a hard link by a descriptor", script: `exec 5< "$SEEN/file"; ln -L /proc/self/fd/5 l && echo owned > l`, won: wrote},
	{name: "the root of this process", script: `echo owned > "/proc/self/root$SEEN/file"`, won: wrote},
	{name: "the root of the first process", script: `echo owned > "/proc/1/root$SEEN/file"`, won: wrote},
	{name: "the root of another process", script: `echo owned > "/proc/$VICTIM/root$SEEN/file"`, won: wrote},
	{name: "the folder of another process", script: `echo owned > "/proc/$VICTIM/cwd/file"`, won: wrote},
	{name: "an open file of another process", script: `echo owned > "/proc/$VICTIM/fd/5"`, won: wrote},
	{name: "a reopened descriptor", script: `exec 5< "$SEEN/file"; echo owned > /proc/self/fd/5`, won: wrote},
	{name: "moving over it", script: `echo owned > x; mv -f x "$SEEN/file"`, won: wrote},
	{name: "moving it away", script: `mv "$SEEN/file" x`, won: wrote},
	{name: "removing it", script: `rm -f "$SEEN/file"`, won: wrote},
	{name: "cutting it", script: `: > "$SEEN/file"`, won: wrote},
	{name: "dd", script: `echo owned | dd of="$SEEN/file" conv=notrunc`, won: wrote},
	{name: "perl", script: `perl -e 'open F, "+<", "$ENV{SEEN}/file"; print F "owned"'`, won: wrote},
	{name: "a mapped file", script: `$CALL map "$SEEN/file"`, won: wrote},
	{name: "a file without a name", script: `$CALL tmpfile "$SEEN"`, won: made},
	{name: "a new file", script: `: > "$SEEN/new"`, won: made},
	{name: "a new folder", script: `mkdir "$SEEN/new"`, won: made},
	{name: "a new pipe", script: `mkfifo "$SEEN/new"`, won: made},
	{name: "a new link", script: `ln -s x "$SEEN/new"`, won: made},
	{name: "a new socket", script: `$CALL listen "$SEEN/new"`, won: made},
	{name: "its permissions", script: `chmod 777 "$SEEN/file"`},
	{name: "its owner", script: `chown "$(id -u):$(id -g)" "$SEEN/file"`},
	{name: "its time", script: `touch -d 2001-01-01 "$SEEN/file"`},
	{name: "its attributes", script: `$CALL setxattr "$SEEN/file"`},
	{name: "a device", script: `mknod d c 1 3 && echo x > d`},
	{name: "a disk", script: `dev=$(stat -c %d "$SEEN"); mknod d b $((dev / 256)) $((dev % 256)) && head -c 1 d`},
	{name: "a disk that is there", script: `for d in ` + disks + `; do head -c 1 "$d" && exit; done; exit 1`},
	{name: "memory of the machine", script: `head -c 1 /dev/mem || dd if=/dev/kmsg bs=8192 count=1`},

	// Mounts and namespaces.
	{name: "mounting", script: `mkdir m; mount -t tmpfs none m && umount m`},
	{name: "mounting over it", script: `mkdir m; echo owned > m/file; mount --bind m "$SEEN" && umount "$SEEN"`},
	{name: "making it writable", script: `mkdir m; mount --bind "$SEEN" m && mount -o remount,rw,bind m && echo owned > m/file; umount m`, won: wrote},
	{name: "a user namespace", script: `unshare -Ur true`},
	{name: "a process in a user namespace", script: `$CALL namespace`},
	{name: "a process in a user namespace, by clone3", script: `$CALL namespace3`},
	{name: "a mount namespace", script: `unshare -Urm sh -c 'mount -t tmpfs none /tmp'`},
	{name: "the namespaces of another process", script: `nsenter -t "$VICTIM" -m true`},
	{name: "another root", script: `$CALL chroot "$ROOT"`},
	{name: "a file by its handle", script: `$CALL handle "$SEEN/file"`},
	{name: "a new file system", script: `$CALL fsopen`},
	{name: "fuse", script: `test -c /dev/fuse && : <> /dev/fuse`},

	// What belongs to git.
	{name: "a hook", script: `echo owned > .git/hooks/pre-commit`, won: projectChanged(".git/hooks/pre-commit", "hook\n")},
	{name: "the settings of git", script: `echo owned > .git/config`, won: projectChanged(".git/config", "config\n")},
	{name: "another folder of git", script: `mv .git old && mkdir .git`},
	{name: "no folder of git", script: `rm -rf .git/* && test ! -e .git/config`},

	// Reading.
	{name: "a private key", script: `grep -q secret "$HOME_OUTSIDE/.ssh/id"`},
	{name: "a file of passwords", script: `grep -q secret "$HOME_OUTSIDE/.netrc"`},
	{name: "the home folder", script: `test -n "$(find "$HOME_OUTSIDE" -name id)"`},
	{name: "the home folder of another process", script: `grep -q secret "/proc/$VICTIM/root$HOME_OUTSIDE/.netrc"`},
	{name: "credentials of a toolchain", script: `grep -q secret "$HOME_OUTSIDE/.cargo/credentials.toml"`},
	{name: "the environment of another process", script: `grep -q secret "/proc/$VICTIM/environ"`},
	{name: "the arguments of another process", script: `test -n "$VICTIM" && grep -q sleep "/proc/$VICTIM/cmdline"`},
	{name: "the memory of another process", script: `$CALL peek "$VICTIM"`},
	{name: "an open file of another process by its number", script: `$CALL steal "$VICTIM"`},
	{name: "temporary files", script: `grep -q secret "$TEMP_OUTSIDE/secret"`},
	{name: "what a service has in /run", script: `cat "/run/$HIDDEN"`},
	{name: "another home folder", script: `cat "/home/$HIDDEN"`},
	{name: "the home folder of root", script: `cat ~root/"$HIDDEN"`},
	{name: "a disk in /media", script: `cat "/media/$HIDDEN"`},
	{name: "a disk in /mnt", script: `cat "/mnt/$HIDDEN"`},
	{name: "temporary files that stay", script: `cat "/var/tmp/$HIDDEN"`},
	{name: "files in shared memory", script: `cat "/dev/shm/$HIDDEN"`},
	{name: "the kernel's log", script: `dmesg | grep -q .`},

	// Other processes.
	{name: "killing", script: `kill -9 "$VICTIM"`},
	{name: "stopping", script: `kill -STOP "$VICTIM"`},
	{name: "killing a group", script: `env kill -s KILL -- "-$VICTIM"`},
	{name: "tracing", script: `$CALL trace "$VICTIM"`},
	{name: "bounding", script: `prlimit --pid "$VICTIM" --nofile=3:3`},
	{name: "lowering its priority", script: `renice -n 19 -p "$VICTIM"`},
	{name: "its processors", script: `$CALL pin "$VICTIM"`},
	{name: "choosing it when memory is short", script: `echo 1000 > "/proc/$VICTIM/oom_score_adj"`},
	{name: "its directory", script: `test -d "/proc/$VICTIM/task"`},

	// Sockets.
	{name: "a socket in a folder", script: `$CALL dial unix "$SEEN/socket"`},
	{name: "a socket in the project", script: `$CALL dial unix "$ROOT/socket"`},
	{name: "an agent's socket", script: `$CALL dial unix "$TEMP_OUTSIDE/agent"`},
	{name: "a socket in the home folder", script: `$CALL dial unix "$HOME_OUTSIDE/agent"`},
	{name: "a socket that has another name", script: `cd "$SEEN" && ln -s "$SEEN/socket" "$OWN_TEMP/s"; $CALL dial unix "$OWN_TEMP/s"`},
	{name: "a socket without a file", script: `$CALL dial unix "@$ABSTRACT"`},
	{name: "the loopback", script: `$CALL dial tcp "$TCP"`},
	{name: "the loopback by IPv6", script: `$CALL dial tcp "[::1]:${TCP##*:}"`},
	{name: "datagrams", script: `$CALL send "$UDP"`},
	{name: "the machine's own address", script: `$CALL dial tcp "$OWN_ADDRESS"`},
	{name: "raw packets", script: `$CALL socket packet`},
	{name: "raw IP", script: `$CALL socket raw`},
	{name: "a socket of virtual machines", script: `$CALL socket vsock`},
	{name: "the kernel's ciphers", script: `$CALL socket alg`},
	{name: "the machine's interfaces", script: `test "$(ls /sys/class/net /proc/sys/net/ipv4/conf | grep -cv -e '^lo$' -e '^all$' -e '^default$' -e : -e '^$')" != 0 && grep -q '^ *eth\|^ *en' /proc/net/dev`},
	{name: "an agent that the environment names", script: `test -n "$SSH_AUTH_SOCK$DBUS_SESSION_BUS_ADDRESS$SECRET_TOKEN"`},

	// The kernel.
	{name: "the keys of the session", script: `$CALL searchkey "$KEY"`},
	{name: "a key for others", script: `$CALL addkey`},
	{name: "shared memory", script: `$CALL shm "$SHM"`},
	{name: "typing into a terminal", script: `$CALL type`},
	{name: "another name of the machine", script: `hostname "$(hostname)"`},
	{name: "programs of the kernel", script: `$CALL bpf`},
	{name: "counters of the kernel", script: `$CALL perf`},
	{name: "faults of memory", script: `$CALL userfaultfd`},
	{name: "queues of the kernel", script: `$CALL io_uring`},
	{name: "settings of the kernel", script: `cat /proc/sys/vm/swappiness > s && cat s > /proc/sys/vm/swappiness`},
	{name: "keys of the kernel", script: `echo h > /proc/sysrq-trigger`}, // which prints them in its log
	{name: "control groups", script: `rmdir /sys/fs/cgroup/ploke-test; mkdir /sys/fs/cgroup/ploke-test && rmdir /sys/fs/cgroup/ploke-test`},
	{name: "a program with another's rights", script: `! grep -q 'NoNewPrivs:.1' /proc/self/status`},
	{name: "rights", script: `! grep -q 'CapEff:.0000000000000000' /proc/self/status`},
}

// hiddenFolders have files of others: of services, users and other programs.
var hiddenFolders = []string{"/run", "/home", "/root", "/media", "/mnt", "/var/tmp", "/dev/shm"}

// disks are patterns of the machine's disks.
const disks = `/dev/vd? /dev/sd? /dev/nvme?n? /dev/loop?`

// TestAttacks tries each way out twice: in the sandbox it must fail. Outside it must succeed, or it proves nothing, unless
// [forbidden] names it.
func TestAttacks(t *testing.T) {
	testbed.Long(t)
	newSandbox(t)
	t.Parallel()
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			outside := newWorld(t)
			out, err := outside.script(a.script, outside.environment()...)
			if !a.succeeded(outside, err) && !forbidden[a.name].holds() {
				t.Errorf("it fails outside, too, so it proves nothing: %v\n%s", err, out)
			}
			inside := newWorld(t)
			out, status, err := inside.box(t).run(t, a.script)
			if err != nil {
				t.Fatal(err)
			}
			err = nil
			if status != 0 {
				err = fmt.Errorf("status %d", status)
			}
			if a.succeeded(inside, err) {
				t.Errorf("it succeeded in the sandbox:\n%s", out)
			}
		})
	}
}

func (a attack) succeeded(w *world, err error) bool {
	if a.won != nil {
		return a.won(w)
	}
	return err == nil
}

// script runs a script outside of a sandbox.
func (w *world) script(script string, env ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", script)
	var out bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = w.root, env, &out, &out
	cmd.WaitDelay = time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err := cmd.Run()
	return out.String(), err
}

// newWorld returns a world that is gone when the test ends.
func newWorld(t *testing.T) *world {
	t.Helper()
	dir, err := os.MkdirTemp("", "p") // a short name, since those of sockets have at most 108 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { removeAll(t, dir) })
	w := &world{dir: dir, root: filepath.Join(dir, "project"), seen: filepath.Join(dir, "seen"), home: filepath.Join(dir, "person")}
	for name, text := range map[string]string{
		"project/.git/hooks/pre-commit": "hook\n", "project/.git/config": "config\n", "project/a.txt": "as it was\n",
		"seen/file": "as it was\n", "seen/other": "", "person/.ssh/id": "secret", "person/.netrc": "secret",
		"person/.cargo/credentials.toml": "secret", "temp-outside/secret": "secret", "own-temp/x": "", "own-home/x": "",
		"upper/x": "", "work/x": "",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"upper/x", "work/x"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	copyProgram(t, filepath.Join(w.root, "call"))
	w.listen(t)
	w.ports["HIDDEN"] = "ploke-test-" + filepath.Base(dir)
	for _, folder := range hiddenFolders {
		file := filepath.Join(folder, w.ports["HIDDEN"])
		if os.WriteFile(file, nil, 0o600) == nil { // where it can't be, forbidden says so
			t.Cleanup(func() { os.Remove(file) })
		}
	}
	w.startVictim(t)
	return w
}

// startVictim starts a process that has a secret, and a file open for writing.
func (w *world) startVictim(t *testing.T) {
	t.Helper()
	file, err := os.OpenFile(filepath.Join(w.seen, "file"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w.victim = exec.Command("sh", "-c", `exec 5<&3; exec sleep 1000`)
	w.victim.Dir, w.victim.ExtraFiles, w.victim.Env = w.seen, []*os.File{file}, []string{"PATH=" + os.Getenv("PATH"), "TOKEN=secret"}
	w.victim.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := w.victim.Start(); err != nil {
		t.Fatal(err)
	}
	pid := w.victim.Process.Pid
	t.Cleanup(func() {
		_ = syscall.Kill(pid, syscall.SIGKILL)
		_ = w.victim.Wait()
	})
	testbed.Eventually(t, func() bool {
		_, err := os.Lstat(fmt.Sprintf("/proc/%d/fd/5", pid))
		command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		return err == nil && bytes.HasPrefix(command, []byte("sleep"))
	}, func() string { return "the victim does not sleep" })
}

// listen starts the servers that a command must not reach.
func (w *world) listen(t *testing.T) {
	t.Helper()
	w.ports = map[string]string{}
	take := func(network, address string) net.Addr {
		l, err := net.Listen(network, address)
		if err != nil {
			t.Logf("no server at %s %s: %v", network, address, err)
			return nil
		}
		t.Cleanup(func() { l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				_, _ = c.Write([]byte{1}) // that the other side waits for
				c.Close()
			}
		}()
		return l.Addr()
	}
	for _, name := range []string{"seen/socket", "project/socket", "temp-outside/agent", "person/agent"} {
		take("unix", filepath.Join(w.dir, name))
	}
	w.ports["ABSTRACT"] = "ploke-test-" + strconv.Itoa(os.Getpid()) + filepath.Base(filepath.Dir(w.dir)) + filepath.Base(w.dir)
	take("unix", "@"+w.ports["ABSTRACT"])
	port := take("tcp", "0.0.0.0:0").(*net.TCPAddr).Port
	w.ports["TCP"] = fmt.Sprintf("127.0.0.1:%d", port)
	w.ports["OWN_ADDRESS"] = fmt.Sprintf("%s:%d", ownAddress(), port)
	datagrams, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { datagrams.Close() })
	w.ports["UDP"] = datagrams.LocalAddr().String()
	go func() {
		if _, from, err := datagrams.ReadFrom(make([]byte, 10)); err == nil {
			_, _ = datagrams.WriteTo([]byte{1}, from)
		}
	}()
}

// ownAddress returns an address of the machine that is not the loopback's, if it has one.
func ownAddress() string {
	addresses, _ := net.InterfaceAddrs()
	for _, a := range addresses {
		if ip, ok := a.(*net.IPNet); ok && !ip.IP.IsLoopback() && ip.IP.To4() != nil {
			return ip.IP.String()
		}
	}
	return "127.0.0.2"
}

// environment returns the variables of an attack.
func (w *world) environment() []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "SEEN=" + w.seen, "ROOT=" + w.root, "HOME_OUTSIDE=" + w.home,
		"TEMP_OUTSIDE=" + filepath.Join(w.dir, "temp-outside"), "OWN_TEMP=" + w.root, "VICTIM=" + strconv.Itoa(w.victim.Process.Pid),
		"CALL=" + filepath.Join(w.root, "call"), "KEY=" + keyName, "SHM=" + strconv.Itoa(sharedMemory), "SECRET_TOKEN=secret",
	}
	for name, value := range w.ports {
		env = append(env, name+"="+value)
	}
	return env
}

// box returns the world's sandbox.
func (w *world) box(t *testing.T) *box {
	t.Helper()
	b := &box{root: w.root, dir: w.dir, home: w.home}
	b.Command = sandbox.Command{
		Dir: w.root, Home: filepath.Join(w.dir, "own-home"), Temp: filepath.Join(w.dir, "own-temp"),
		Mounts: []sandbox.Mount{
			{At: w.seen, From: w.seen},
			{At: filepath.Join(w.home, ".cargo"), From: filepath.Join(w.home, ".cargo")},
			{At: filepath.Join(w.home, ".cargo/credentials.toml"), From: os.DevNull},
			{At: w.root, From: w.root, Upper: filepath.Join(w.dir, "upper"), Work: filepath.Join(w.dir, "work")},
			{At: filepath.Join(w.root, ".git"), From: filepath.Join(w.root, ".git")},
		},
	}
	for _, variable := range w.environment() {
		if !strings.HasPrefix(variable, "SECRET_TOKEN") {
			b.Env = append(b.Env, variable)
		}
	}
	return b
}

// removeAll removes a folder that has folders of an overlay, which nobody may list.
func removeAll(t *testing.T, dir string) {
	t.Helper()
	_ = os.Chmod(filepath.Join(dir, "work", "work"), 0o700)
	if err := os.RemoveAll(dir); err != nil {
		t.Error(err)
	}
}
