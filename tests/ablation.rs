//! The switches of a build with `--features tune`. One test in a process of its own, since the
//! switches hold for every search in it.
#![cfg(feature = "tune")]

use qishou::search::{FAMILIES, bench, switch_off};

#[test]
fn each_family_changes_the_search_and_can_be_switched_on_again() {
    let nodes = || bench(4, 1, 7).unwrap().nodes;
    let usual = nodes();
    for family in FAMILIES {
        assert!(switch_off(&family.to_ascii_lowercase(), true));
        assert_ne!(nodes(), usual, "{family}");
        assert!(switch_off(family, false));
    }
    assert_eq!(nodes(), usual);
    assert!(!switch_off("NoSuchThing", true));
}
