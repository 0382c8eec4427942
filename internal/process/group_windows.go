package process

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Group is a command and all processes that it starts: a job object. They end when the job is
// closed, also if this process is killed.
type Group struct {
	Cmd *exec.Cmd
	job windows.Handle
}

// Start starts the command in a job of its own. The command begins only when it is in the job, so
// that all that it starts is in it, too.
func (g *Group) Start() (err error) {
	if g.job, err = newJob(); err != nil {
		return err
	}
	g.Cmd.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW,
	}
	if err = g.Cmd.Start(); err == nil {
		if err = g.begin(); err != nil {
			err = errors.Join(err, g.Cmd.Process.Kill(), g.Cmd.Wait())
		}
	}
	if err != nil {
		g.Close()
	}
	return err
}

func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, fmt.Errorf("create a job object: %w", err)
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		windows.CloseHandle(job)
		return 0, fmt.Errorf("set the limits of a job object: %w", err)
	}
	return job, nil
}

// begin puts the suspended command into the job and lets it run.
func (g *Group) begin() error {
	var err error
	handleErr := g.Cmd.Process.WithHandle(func(process uintptr) {
		err = windows.AssignProcessToJobObject(g.job, windows.Handle(process))
	})
	if err = errors.Join(handleErr, err); err != nil {
		return fmt.Errorf("put the program into a job object: %w", err)
	}
	return resume(uint32(g.Cmd.Process.Pid))
}

// resume lets the threads of a suspended process run. It has one.
func resume(pid uint32) error {
	all, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return fmt.Errorf("list threads: %w", err)
	}
	defer windows.CloseHandle(all)
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(all, &entry); err == nil; err = windows.Thread32Next(all, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return fmt.Errorf("open the program's thread: %w", err)
		}
		defer windows.CloseHandle(thread)
		_, err = windows.ResumeThread(thread)
		return err
	}
	return fmt.Errorf("find the program's thread: %w", err)
}

// Kill kills all that remain. It may be the command's Cancel: if that comes before the command is
// in the job, the caller kills once more.
func (g *Group) Kill() error { return windows.TerminateJobObject(g.job, 1) }

// Close frees what the system keeps for the group, and ends what remains of it.
func (g *Group) Close() { windows.CloseHandle(g.job) }
