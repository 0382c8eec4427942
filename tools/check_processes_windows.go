package tools

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// processes are a check's command and all that it starts: a job object. They end when the job is
// closed, also if this process is killed.
type processes struct {
	cmd *exec.Cmd
	job windows.Handle
}

// start starts the command in a job of its own. The command begins only when it is in the job, so
// that all that it starts is in it, too.
func (p *processes) start() (err error) {
	if p.job, err = newJob(); err != nil {
		return err
	}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW}
	if err = p.cmd.Start(); err == nil {
		if err = p.begin(); err != nil {
			err = errors.Join(err, p.cmd.Process.Kill(), p.cmd.Wait())
		}
	}
	if err != nil {
		p.close()
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
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		windows.CloseHandle(job)
		return 0, fmt.Errorf("set the limits of a job object: %w", err)
	}
	return job, nil
}

// begin puts the suspended command into the job and lets it run.
func (p *processes) begin() error {
	var err error
	handleErr := p.cmd.Process.WithHandle(func(process uintptr) {
		err = windows.AssignProcessToJobObject(p.job, windows.Handle(process))
	})
	if err = errors.Join(handleErr, err); err != nil {
		return fmt.Errorf("put the check into a job object: %w", err)
	}
	return resume(uint32(p.cmd.Process.Pid))
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
			return fmt.Errorf("open the check's thread: %w", err)
		}
		defer windows.CloseHandle(thread)
		_, err = windows.ResumeThread(thread)
		return err
	}
	return fmt.Errorf("find the check's thread: %w", err)
}

// kill kills all that remain. It also is the command's Cancel: if that comes before the command is
// in the job, the caller kills once more.
func (p *processes) kill() error { return windows.TerminateJobObject(p.job, 1) }

func (p *processes) close() { windows.CloseHandle(p.job) }
