package process

import (
	"os"
	"runtime"
	"slices"
	"strings"
)

// usualVariables are the environment variables that each program gets: those that say where
// programs and their files are, and how they speak. Keys and passwords are often in other
// variables, and a check runs the workspace's own code. So all others need a setting.
var usualVariables = strings.Fields(`
	PATH HOME USER LOGNAME SHELL TMPDIR TMP TEMP LANG LANGUAGE TZ HOSTNAME DISPLAY WAYLAND_DISPLAY
	SystemRoot SystemDrive windir ComSpec PATHEXT USERPROFILE USERNAME HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA
	ProgramData ProgramFiles ProgramFiles(x86) CommonProgramFiles PROCESSOR_ARCHITECTURE NUMBER_OF_PROCESSORS OS
	LD_LIBRARY_PATH LIBRARY_PATH CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH PKG_CONFIG_PATH
	CC CXX CPP AR LD CFLAGS CXXFLAGS CPPFLAGS LDFLAGS SDKROOT DEVELOPER_DIR MACOSX_DEPLOYMENT_TARGET
	GOROOT GOPATH GOBIN GOCACHE GOMODCACHE GOFLAGS GOOS GOARCH GOARM GOAMD64 GOEXPERIMENT GOTOOLCHAIN GOWORK GO111MODULE
	GOTMPDIR GOMAXPROCS CGO_ENABLED CGO_CFLAGS CGO_LDFLAGS
	CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN CARGO_TARGET_DIR RUSTFLAGS RUST_BACKTRACE
	JAVA_HOME JDK_HOME M2_HOME MAVEN_HOME GRADLE_HOME GRADLE_USER_HOME ANDROID_HOME ANDROID_SDK_ROOT KOTLIN_HOME SCALA_HOME
	NODE_PATH NODE_ENV NVM_DIR VOLTA_HOME FNM_DIR PNPM_HOME BUN_INSTALL DENO_DIR
	VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV PYTHONPATH PYTHONHOME PYENV_ROOT PYENV_VERSION UV_CACHE_DIR POETRY_HOME
	GEM_HOME GEM_PATH RBENV_ROOT RBENV_VERSION BUNDLE_PATH RUBYLIB COMPOSER_HOME PERL5LIB LUA_PATH LUA_CPATH
	DOTNET_ROOT NUGET_PACKAGES MIX_ENV MIX_HOME HEX_HOME OPAM_SWITCH_PREFIX CAML_LD_LIBRARY_PATH OCAML_TOPLEVEL_PATH
	STACK_ROOT GHCUP_INSTALL_BASE_PREFIX ZIG_GLOBAL_CACHE_DIR ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR HOMEBREW_PREFIX
	NIX_PATH NIX_PROFILES NIX_SSL_CERT_FILE SSL_CERT_FILE SSL_CERT_DIR CI`)

// Environment returns the environment variables that a program in a folder gets, as NAME=VALUE: the
// usual ones of this process, those whose names are in more, and the folder as PWD. Windows does
// not tell names by their case: PATH is Path there.
func Environment(dir string, more []string) []string {
	return environment(os.Environ(), dir, more, runtime.GOOS == "windows")
}

// environment is Environment for the variables of a process. fold says that the case of names does not count.
func environment(all []string, dir string, more []string, fold bool) []string {
	key := func(name string) string {
		if fold {
			return strings.ToUpper(name)
		}
		return name
	}
	given := map[string]bool{}
	for _, name := range slices.Concat(usualVariables, more) {
		given[key(name)] = true
	}
	var kept []string
	for _, variable := range all {
		name, _, _ := strings.Cut(variable, "=")
		name = key(name)
		if name != "PWD" && (given[name] || strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "XDG_")) {
			kept = append(kept, variable)
		}
	}
	return append(kept, "PWD="+dir)
}
