//! Memory for large tables: zeroed, from huge pages where the system has them (fewer misses of the
//! address cache), and refused before a page is touched if there is not so much.
#![expect(unsafe_code, reason = "pages straight from the system, and hints to the processor")]

use std::ops::Deref;
use std::ptr::NonNull;

/// Types for which bytes of zero are a value.
///
/// # Safety
/// All-zero bytes must be a valid value, and dropping one must be needless.
pub(super) unsafe trait ZeroIsValid: Sync {}

// SAFETY: a cluster is made of atomic integers: zero is valid, and they need no drop.
unsafe impl ZeroIsValid for super::Cluster {}

/// A fixed number of values that were zero at first.
pub(super) struct Pages<T: ZeroIsValid> {
    values: NonNull<T>,
    count: usize,
    block: system::Block,
}

// SAFETY: the pages are owned by this value alone, like those of a boxed slice.
unsafe impl<T: ZeroIsValid + Send> Send for Pages<T> {}
// SAFETY: shared use gives out shared references only, and `T` is `Sync`.
unsafe impl<T: ZeroIsValid> Sync for Pages<T> {}

impl<T: ZeroIsValid> Pages<T> {
    /// So many zeroed values. `freed` bytes will be given back before these are used.
    pub(super) fn new(count: usize, freed: u64) -> Result<Self, String> {
        let size = count
            .checked_mul(size_of::<T>())
            .filter(|&size| size <= isize::MAX as usize / 2)
            .ok_or("more than can be addressed")?;
        if let Some(available) = available().map(|bytes| bytes.saturating_add(freed))
            && size as u64 > available
        {
            return Err(format!("only {} MiB are available", available >> 20));
        }
        let block = system::Block::new(size.max(1), align_of::<T>())
            .ok_or("the system has not so much memory")?;
        Ok(Self { values: block.start().cast(), count, block })
    }

    /// The memory taken so far, in bytes: pages never touched take none.
    pub(super) fn taken(&self) -> u64 {
        self.block.taken()
    }
}

impl<T: ZeroIsValid> Deref for Pages<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the block holds `count` values aligned for `T`, zeroed and so valid, and lives
        // as long as this value.
        unsafe { std::slice::from_raw_parts(self.values.as_ptr(), self.count) }
    }
}

impl<T: ZeroIsValid> Drop for Pages<T> {
    fn drop(&mut self) {
        self.block.free();
    }
}

/// Bytes that can be used before the system or the control group runs out, if that is known.
pub(crate) fn available() -> Option<u64> {
    system::available()
}

/// Has the allocator ask the system for each large block and give it back at once when it is freed.
/// glibc does so until the first is freed, and then keeps blocks of that size: what threads leave
/// would stay for good.
pub(crate) fn give_large_blocks_back() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(system::give_large_blocks_back);
}

/// Tells the processor that a value will be read soon.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint without effect on memory, for an address that a reference holds.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs;
    use std::path::Path;
    use std::ptr::{self, NonNull};

    const HUGE_PAGE: usize = 2 << 20;

    /// A mapping of memory; its usable part begins at a huge page.
    pub(super) struct Block {
        mapped: NonNull<u8>,
        length: usize,
        start: NonNull<u8>,
    }

    impl Block {
        pub(super) fn new(size: usize, align: usize) -> Option<Self> {
            debug_assert!(align <= HUGE_PAGE);
            let length = size.checked_add(HUGE_PAGE)?;
            // SAFETY: a new private mapping without a wish for an address touches no other memory.
            let mapped = unsafe {
                libc::mmap(
                    ptr::null_mut(),
                    length,
                    libc::PROT_READ | libc::PROT_WRITE,
                    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                    -1,
                    0,
                )
            };
            if mapped == libc::MAP_FAILED {
                return None;
            }
            let mapped = NonNull::new(mapped.cast::<u8>())?;
            let skipped = mapped.as_ptr().align_offset(HUGE_PAGE);
            // SAFETY: at most a huge page is skipped, and the mapping is that much longer.
            let start = unsafe { mapped.add(skipped) };
            // SAFETY: advice on pages of the mapping just made. If the system has no huge pages
            // it says so, and small ones do.
            unsafe { libc::madvise(start.as_ptr().cast(), size, libc::MADV_HUGEPAGE) };
            Some(Self { mapped, length, start })
        }

        pub(super) fn start(&self) -> NonNull<u8> {
            self.start
        }

        /// How much of it takes memory, in bytes; nothing if the system does not tell.
        pub(super) fn taken(&self) -> u64 {
            // SAFETY: asks for a number and touches no memory.
            let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
            let Some(page) = usize::try_from(page).ok().filter(|&page| page > 0) else { return 0 };
            let mut pages = vec![0; self.length.div_ceil(page)];
            // SAFETY: the mapping is this one's own, begins at a page, and the list has a byte for
            // each of its pages.
            let told = unsafe {
                libc::mincore(self.mapped.as_ptr().cast(), self.length, pages.as_mut_ptr())
            };
            let taken = pages.iter().filter(|&&page| page & 1 != 0).count();
            if told == 0 { (taken * page) as u64 } else { 0 }
        }

        /// Gives the memory back; called once, by the owner's drop.
        pub(super) fn free(&mut self) {
            // SAFETY: this is the whole mapping made in `new`, and nothing refers to it any more.
            unsafe { libc::munmap(self.mapped.as_ptr().cast(), self.length) };
        }
    }

    /// Only glibc has to be told; what it begins with becomes what it keeps to.
    pub(super) fn give_large_blocks_back() {
        #[cfg(target_env = "gnu")]
        // SAFETY: sets a number under the lock of the allocator, and touches no other memory; which
        // of two values another thread reads meanwhile decides only where its block comes from.
        unsafe {
            libc::mallopt(libc::M_MMAP_THRESHOLD, 128 << 10);
        }
    }

    /// Bytes that can be used without swapping, or before the control group's limit.
    pub(super) fn available() -> Option<u64> {
        let meminfo = fs::read_to_string("/proc/meminfo").ok()?;
        let of_system = super::field(&meminfo, "MemAvailable:")? << 10;
        Some(of_group().map_or(of_system, |group| group.min(of_system)))
    }

    /// What the control groups of this process leave, the tightest of them.
    fn of_group() -> Option<u64> {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        left_by(&groups, Path::new("/sys/fs/cgroup"))
    }

    /// The same from the text that lists the groups, `number:controllers:path` in each line, and
    /// the directory where they are mounted.
    pub(super) fn left_by(groups: &str, mounted: &Path) -> Option<u64> {
        let of_line = |line: &str| {
            let (_, rest) = line.split_once(':')?;
            let (controllers, path) = rest.split_once(':')?;
            let version = match controllers {
                "" => &SECOND,
                _ if controllers.split(',').any(|name| name == "memory") => &FIRST,
                _ => return None,
            };
            version.left(mounted, path)
        };
        groups.lines().filter_map(of_line).min()
    }

    /// How a version of control groups names its files.
    struct Version {
        directory: &'static str,
        limit: &'static str,
        used: &'static str,
        cache: &'static str,
    }

    const FIRST: Version = Version {
        directory: "memory",
        limit: "memory.limit_in_bytes",
        used: "memory.usage_in_bytes",
        cache: "total_inactive_file",
    };
    const SECOND: Version = Version {
        directory: "",
        limit: "memory.max",
        used: "memory.current",
        cache: "inactive_file",
    };

    impl Version {
        /// What a group and those around it leave. Inside a container only the outermost is seen,
        /// under the path of the root.
        fn left(&self, mounted: &Path, path: &str) -> Option<u64> {
            let root = mounted.join(self.directory);
            let own = root.join(path.trim_start_matches('/'));
            let groups = own.ancestors().take_while(|group| group.starts_with(&root));
            groups.filter_map(|group| self.left_in(group)).min()
        }

        fn left_in(&self, group: &Path) -> Option<u64> {
            let read = |name: &str| fs::read_to_string(group.join(name)).ok();
            let limit: u64 = read(self.limit)?.trim().parse().ok()?;
            let used: u64 = read(self.used)?.trim().parse().ok()?;
            // Cached files make way.
            let cache = read("memory.stat").and_then(|text| super::field(&text, self.cache));
            Some(limit.saturating_sub(used.saturating_sub(cache.unwrap_or(0))))
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::ptr::NonNull;

    /// Memory of the global allocator.
    pub(super) struct Block {
        start: NonNull<u8>,
        layout: Layout,
    }

    impl Block {
        pub(super) fn new(size: usize, align: usize) -> Option<Self> {
            let layout = Layout::from_size_align(size, align).ok()?;
            // SAFETY: the size is not zero, as the caller sees to.
            let start = NonNull::new(unsafe { alloc_zeroed(layout) })?;
            Some(Self { start, layout })
        }

        pub(super) fn start(&self) -> NonNull<u8> {
            self.start
        }

        /// How much of it takes memory, in bytes.
        pub(super) fn taken(&self) -> u64 {
            self.layout.size() as u64
        }

        /// Gives the memory back; called once, by the owner's drop.
        pub(super) fn free(&mut self) {
            // SAFETY: allocated in `new` with this layout, and nothing refers to it any more.
            unsafe { dealloc(self.start.as_ptr(), self.layout) };
        }
    }

    /// The allocator does what it thinks best.
    pub(super) fn give_large_blocks_back() {}

    /// Nothing is known: the allocator has the word.
    pub(super) fn available() -> Option<u64> {
        None
    }
}

/// The number after a name at the beginning of a line.
#[cfg(any(target_os = "linux", test))]
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    #[repr(align(32))]
    struct Number(AtomicU64);

    // SAFETY: zero is an atomic's value, and it needs no drop.
    unsafe impl ZeroIsValid for Number {}

    #[test]
    fn pages_are_zero_and_can_be_written() {
        let pages = Pages::<Number>::new(100_000, 0).unwrap();
        assert_eq!(pages.len(), 100_000);
        assert!(pages.iter().all(|number| number.0.load(Relaxed) == 0));
        pages.iter().zip(0..).for_each(|(number, value)| number.0.store(value, Relaxed));
        assert!(pages.iter().zip(0..).all(|(number, value)| number.0.load(Relaxed) == value));
        prefetch(&pages[99_999]);
    }

    /// What was never touched can't be given back to make room for something larger.
    #[cfg(target_os = "linux")]
    #[test]
    fn only_pages_in_use_count_as_taken() {
        const MEBIBYTE: u64 = 1 << 20;
        let pages = Pages::<Number>::new(1 << 20, 0).unwrap();
        assert!(pages.taken() < 4 * MEBIBYTE, "{}", pages.taken());
        pages[..1 << 19].iter().for_each(|number| number.0.store(1, Relaxed));
        let half = 16 * MEBIBYTE..20 * MEBIBYTE;
        assert!(half.contains(&pages.taken()), "{}", pages.taken());
    }

    #[test]
    fn more_than_there_is_is_refused() {
        for count in [usize::MAX, usize::MAX / 32, 1 << 50] {
            assert!(Pages::<Number>::new(count, 0).is_err());
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_tightest_control_group_counts() {
        use std::fs;

        let mounted = std::env::temp_dir().join(format!("qishou-groups-{}", std::process::id()));
        for (file, text) in [
            ("memory.max", "max"),
            ("a/memory.max", "1000"),
            ("a/memory.current", "700"),
            ("a/memory.stat", "anon 5\ninactive_file 100\n"),
            ("a/b/memory.max", "max"),
            ("a/b/memory.current", "600"),
            ("memory/memory.limit_in_bytes", "5000"),
            ("memory/memory.usage_in_bytes", "4900"),
            ("memory/memory.stat", "inactive_file 9\ntotal_inactive_file 50\n"),
        ] {
            let path = mounted.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        for (groups, left) in [
            ("0::/a/b\n", Some(400)),
            ("0::/a\n", Some(400)),
            ("0::/\n", None),
            ("0::/elsewhere\n", None),
            ("", None),
            ("nonsense\n", None),
            // The first version, seen from inside a container.
            ("3:cpu:/x\n5:hugetlb,memory:/docker/x\n", Some(150)),
            ("5:memory:/\n0::/a/b\n", Some(150)),
        ] {
            assert_eq!(system::left_by(groups, &mounted), left, "{groups:?}");
        }
        fs::remove_dir_all(mounted).unwrap();
    }

    #[test]
    fn fields_are_read() {
        let text = "MemTotal:       16 kB\nMemAvailable:    1234 kB\ninactive_file 77\n";
        assert_eq!(field(text, "MemAvailable:"), Some(1234));
        assert_eq!(field(text, "inactive_file"), Some(77));
        assert_eq!(field(text, "Swap"), None);
    }
}
