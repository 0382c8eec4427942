package placing

import "strings"

// ForeignNames are names that a language's standard library has, too: in Go of methods, in Rust of methods, functions
// and types.
var ForeignNames = map[string]map[string]bool{"go": setOf(`
	Abs Accept Add Addr After Align As Before Body Bool Bytes Cancel Clear Close Compare Context Copy Cookie Count Data Day
	Deadline Decode Delete Do Done Elem Enabled Encode End Err Error Errors Execute Exec Fatal Fatalf Fd Fetch Field Fields
	Find Flush Format Get Handle HandleFunc Has Header Hour ID Index Info Init Int Interface Is IsDir IsNil IsValid
	IsZero Key Keys Kill Kind Len Less Line Load LoadOrStore Local LocalAddr Lock Lookup Log Logf Map MarshalJSON
	MarshalText Match MatchString Method Minute Mode ModTime Month Name Names New Next Node Now NumField Off On Open Parse
	Path Peek Ping Pop Pos Prepare Print Printf Println Push Put Query RLock RUnlock Range Read ReadAll ReadAt ReadByte
	ReadDir ReadFile ReadFrom ReadRune ReadString Recv RemoteAddr Remove Replace Request Reset Response RoundTrip Row Rows
	Run Scan Second Seek Select Send ServeHTTP Set SetDeadline Size Sort Split Start Stat State Status Stop Store String
	Sub Sum Swap Sync Sys Tag Text Time Tok Truncate Type Unix UnmarshalJSON UnmarshalText Unlock Unwrap Update Value
	Values Visit Wait Walk With WithGroup Write WriteAt WriteByte WriteFile WriteHeader WriteRune WriteString WriteTo Year`),
	"rust": setOf(`
	AcqRel Acquire AddAssign Alignment Any Arc Args Arguments AsRef AtomicBool AtomicU64 AtomicUsize BTreeMap BTreeSet
	BinaryHeap Borrow BorrowMut Bound Box BufRead BufReader BufWriter Builder Bytes CStr CString Cell Chain Chars Child
	Chunks Clone Command Component Components Condvar Context Copy Cow Cursor Debug Default DefaultHasher Deref DerefMut
	DirEntry Display Div Drain Drop Duration Empty Entry Enumerate Eq Equal Err Error ErrorKind ExitCode ExitStatus Extend
	File FileType Filter FilterMap FlatMap Flatten Fn FnMut FnOnce Formatter From FromIterator FromStr Future Greater Hash
	HashMap HashSet Hasher Index IndexMut Infallible Instant Into IntoIter IntoIterator IpAddr Item Iter IterMut Iterator
	Join JoinHandle Keys Layout Lazy LazyLock Less LineWriter Lines Link LinkedList Location Map Metadata Mutex
	MutexGuard NonNull NonZeroUsize None NotFound Occupied Ok Once OnceCell OnceLock OpenOptions Option Ord Ordering OsStr
	OsString Output Owned PartialEq PartialOrd Path PathBuf Peekable Permissions PhantomData Pin Poll Prefix Product Range
	RangeBounds RangeInclusive Rc Read ReadDir Ready Receiver Ref RefCell RefMut Relaxed Release Repeat Result Rev RwLock
	Scope Seek SeekFrom Send Sender Sized Skip SocketAddr Some Split Stderr Stdin Stdio Stdout Step String Sub Sum
	SystemTime Take TcpListener TcpStream Thread ToOwned ToString Try TryFrom TryInto TypeId UdpSocket Unpin Vacant Values
	Vec VecDeque Wake Waker Weak Windows Wrapping Write Zip
	abs accept add all and and_then any append apply args as_bytes as_deref as_deref_mut as_mut as_mut_ptr as_mut_slice
	as_os_str as_path as_ptr as_ref as_secs as_slice as_str binary_search bind borrow borrow_mut by_ref bytes cause ceil
	chain chars checked_add checked_div checked_mul checked_sub chunks chunks_exact clamp clear clone clone_from cloned
	close cmp collect components concat connect contains contains_key context copied copy_from_slice count create current
	current_dir cycle deallocate dedup default deref deref_mut description display div downcast downcast_mut downcast_ref
	drain drop duration_since elapsed end end_with ends_with entry enumerate env eq eq_ignore_ascii_case err exists exit
	expect expect_err extend extend_from_slice extension fetch_add fetch_sub file_name file_stem file_type fill filter
	filter_map find find_map finish first first_mut flat_map flatten floor flush fmt fold for_each format from from_bytes
	from_str from_utf8 fuse ge get get_key_value get_mut get_or_insert get_or_insert_with get_ref get_unchecked gt hash
	id index index_mut init insert insert_str inspect intersection into into_boxed into_inner into_iter into_os_string
	into_path_buf into_string is_absolute is_alphabetic is_alphanumeric is_ascii is_dir is_digit is_empty is_err is_file
	is_finished is_none is_numeric is_ok is_some is_some_and is_whitespace iter iter_mut join keys kill kind last last_mut
	le leak len len_utf8 lines load local_addr lock lowercase lt make_ascii_lowercase map map_err map_or map_or_else
	map_while max max_by max_by_key mem metadata min min_by min_by_key mode modified move mul name ne neg new next next_back
	not notify_all notify_one nth ok ok_or ok_or_else open options or or_default or_else or_insert or_insert_with output
	parent parse partial_cmp partition path peek peek_mut peekable permissions poll pop pop_back pop_front position pow
	product provide push push_back push_front push_str read read_dir read_exact read_line read_to_end read_to_string
	recv reduce rem remove rename repeat replace reserve resize retain rev rfind rotate_left rposition rsplit rsplit_once
	run saturating_add saturating_sub scan seek send set set_extension set_len set_mode set_permissions shrink_to_fit
	shutdown size size_hint skip skip_while sort sort_by sort_by_key sort_unstable source spawn splice split split_at
	split_first split_last split_off split_once split_whitespace sqrt start starts_with status stderr stdin stdout step_by
	store strip_prefix strip_suffix sub sum swap swap_remove symlink_metadata sync_all take take_while test then then_some
	to_ascii_lowercase to_ascii_uppercase to_bytes to_lowercase to_os_string to_owned to_path_buf to_str to_string
	to_string_lossy to_uppercase to_vec total_cmp transpose trim trim_end trim_end_matches trim_matches trim_start
	trim_start_matches truncate try_borrow try_borrow_mut try_clone try_from try_into try_iter try_lock try_recv try_wait
	type_id union unwrap unwrap_err unwrap_or unwrap_or_default unwrap_or_else unzip update upgrade values values_mut wait
	wake windows with with_capacity with_extension with_file_name wrapping_add wrapping_sub write write_all write_char
	write_fmt write_str zip`)}

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
