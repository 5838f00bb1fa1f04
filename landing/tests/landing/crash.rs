//! Landings whose process ends, whose store fails, and whose machine loses its power, at every step.

use std::collections::BTreeSet;

use treegraft_landing::{Error, FilePath, KEPT_LANDINGS, Plan, commit, history, is_pending, recover, undo};

use crate::machine::{Fault, Item, Machine, Promise, Tree};
use crate::support::{block, file, path, planned, random_files, random_plan};

/// How many landings each test makes.
const N_LANDINGS: u64 = 1000;

/// One landing: the files before, the plan, and the files after.
struct Case {
    machine: Machine,
    plan: Plan,
    old: Tree,
    new: Tree,
    n_steps: usize,
}

impl Case {
    fn new(seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let machine = Machine::new(random_files(&mut random));
        // Some roots have seen a landing before.
        if random.bool() {
            commit(&random_plan(&mut random, &machine), &machine, true).unwrap();
        }
        let plan = random_plan(&mut random, &machine);
        let old = machine.tree();
        let done = machine.with(Fault::Never);
        commit(&plan, &done, true).unwrap();
        let new = done.tree();
        assert_ne!(old, new);
        Self { machine, plan, old, new, n_steps: done.n_steps() }
    }

    /// Finds out whether the files are all old or all new; `Err` is a mix.
    fn side(&self, machine: &Machine) -> Result<Side, String> {
        match machine.tree() {
            tree if tree == self.old => Ok(Side::Old),
            tree if tree == self.new => Ok(Side::New),
            tree => Err(format!("old {}\nnew {}\nfound {}", shown(&self.old), shown(&self.new), shown(&tree))),
        }
    }

    /// Lists the files that are changed and are not the only one, so that the side can be told without them.
    fn changed(&self) -> Vec<FilePath> {
        let names: BTreeSet<&String> = self.old.keys().chain(self.new.keys()).collect();
        let is_file = |name: &str| ![self.old.get(name), self.new.get(name)].contains(&Some(&Item::Folder));
        let is_changed = |name: &str| self.old.get(name) != self.new.get(name) && is_file(name);
        let paths = names.into_iter().filter(|name| is_changed(name)).map(|name| path(name));
        paths.filter(|path| without(&self.old, path) != without(&self.new, path)).collect()
    }

    /// Finds out the side of all files but one.
    fn rest(&self, machine: &Machine, but: &FilePath) -> Result<Side, String> {
        match without(&machine.tree(), but) {
            tree if tree == without(&self.old, but) => Ok(Side::Old),
            tree if tree == without(&self.new, but) => Ok(Side::New),
            tree => Err(format!("old {}\nnew {}\nfound {}", shown(&self.old), shown(&self.new), shown(&tree))),
        }
    }

    /// Recovers, and looks at what is there then.
    fn recovered(&self, machine: &Machine) -> Result<Side, String> {
        let _ = recover(machine).map_err(|error| format!("{error:?}"))?;
        self.side(machine)
    }
}

/// Gives all files but one. Folders are left out: that one may keep some there.
fn without(tree: &Tree, but: &FilePath) -> Tree {
    let is_kept = |(path, item): &(&String, &Item)| **item != Item::Folder && *path != but.as_str();
    tree.iter().filter(is_kept).map(|(path, item)| (path.clone(), item.clone())).collect()
}

fn shown(tree: &Tree) -> String {
    tree.iter().map(|(path, item)| format!("\n  {path}: {item:?}")).collect::<Vec<_>>().concat()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Old,
    New,
}

#[test]
fn a_process_that_ends_at_any_step_leaves_all_old_or_all_new() {
    let (mut n_old, mut n_new) = (0, 0);
    for seed in 0..N_LANDINGS {
        let case = Case::new(seed);
        let mut random = fastrand::Rng::with_seed(seed);
        for n in 0..case.n_steps {
            for fault in [Fault::DiesWithin(n), Fault::DiesAfter(n)] {
                let machine = case.machine.with(fault);
                let committed = commit(&case.plan, &machine, true);
                let machine = machine.after_death();
                let side = case.recovered(&machine).unwrap_or_else(|mix| panic!("{seed} {fault:?}: {mix}"));
                assert!(committed.is_err() || side == Side::New, "{seed} {fault:?}: told to be landed");
                match side {
                    Side::Old => n_old += 1,
                    Side::New => n_new += 1,
                }
                // It goes on from there as if nothing had been. A part of the cases will do.
                match side {
                    _ if random.u8(..4) > 0 => {}
                    Side::Old => {
                        commit(&case.plan, &machine, true).unwrap();
                        assert_eq!(case.side(&machine), Ok(Side::New), "{seed} {fault:?}: it can be landed again");
                    }
                    Side::New => {
                        undo(&machine, None).unwrap();
                        assert_eq!(case.side(&machine), Ok(Side::Old), "{seed} {fault:?}: it can be undone");
                    }
                }
            }
        }
    }
    assert!(n_old > 10_000 && n_new > 1_000, "{n_old} {n_new}");
}

#[test]
fn power_that_fails_at_any_step_leaves_all_old_or_all_new() {
    for seed in 0..N_LANDINGS {
        let case = Case::new(seed);
        let mut random = fastrand::Rng::with_seed(seed);
        for n in 0..=case.n_steps {
            let machine = case.machine.with(Fault::Dies(n));
            let committed = commit(&case.plan, &machine, true);
            let machine = machine.after_power_loss(&mut random);
            let side = case.recovered(&machine).unwrap_or_else(|mix| panic!("{seed} {n}: {mix}"));
            if n == case.n_steps {
                assert!(committed.is_ok() && side == Side::New, "{seed}: what is told to be landed lasts");
            }
        }
    }
}

#[test]
fn recovering_may_be_interrupted_at_any_step() {
    for seed in 0..N_LANDINGS / 4 {
        let case = Case::new(seed);
        let mut random = fastrand::Rng::with_seed(seed);
        for n in 0..case.n_steps {
            let machine = case.machine.with(Fault::DiesAfter(n));
            let _ = commit(&case.plan, &machine, true);
            let left = machine.after_death();
            let whole = left.with(Fault::Never);
            let _ = recover(&whole).unwrap();
            for m in 0..whole.n_steps() {
                let fault = *random.choice(&[Fault::DiesWithin(m), Fault::DiesAfter(m)]).unwrap();
                let again = left.with(fault);
                let _ = recover(&again);
                let again = if random.bool() { again.after_death() } else { again.after_power_loss(&mut random) };
                case.recovered(&again).unwrap_or_else(|mix| panic!("{seed} {n} {fault:?}: {mix}"));
            }
        }
    }
}

#[test]
fn a_step_that_fails_leaves_all_old_at_once() {
    for seed in 0..N_LANDINGS {
        let case = Case::new(seed);
        let mut random = fastrand::Rng::with_seed(seed);
        for n in 0..case.n_steps {
            let fault = if random.bool() { Fault::Fails(n) } else { Fault::FailsAfter(n) };
            let machine = case.machine.with(fault);
            let committed = commit(&case.plan, &machine, true);
            let side = case.side(&machine).unwrap_or_else(|mix| panic!("{seed} {fault:?}: {mix}"));
            match committed {
                Ok(_) => assert_eq!(side, Side::New, "{seed} {fault:?}"),
                Err(Error::HalfWay { .. }) => panic!("{seed} {fault:?}: one failure alone can be put right"),
                Err(_) => assert_eq!(side, Side::Old, "{seed} {fault:?}"),
            }
        }
    }
}

#[test]
fn an_undo_that_ends_at_any_step_leaves_all_old_or_all_new() {
    for seed in 0..N_LANDINGS / 4 {
        let case = Case::new(seed);
        let landed = case.machine.with(Fault::Never);
        commit(&case.plan, &landed, true).unwrap();
        let whole = landed.with(Fault::Never);
        undo(&whole, None).unwrap();
        assert_eq!(case.side(&whole), Ok(Side::Old));
        let mut random = fastrand::Rng::with_seed(seed);
        for n in 0..whole.n_steps() {
            for fault in [Fault::DiesWithin(n), Fault::DiesAfter(n)] {
                let machine = landed.with(fault);
                let _ = undo(&machine, None);
                let machine = if random.bool() { machine.after_death() } else { machine.after_power_loss(&mut random) };
                case.recovered(&machine).unwrap_or_else(|mix| panic!("{seed} {fault:?}: {mix}"));
            }
        }
    }
}

#[test]
fn what_is_listed_can_be_undone_while_old_landings_are_forgotten() {
    let mut random = fastrand::Rng::with_seed(1);
    let only = (path("only.txt"), file("old\n", 0o644));
    let machine = Machine::new(random_files(&mut random).into_iter().chain([only]));
    // The oldest is of a file that no other touches, so nothing else stands in the way of its undo.
    commit(&planned([block("only.txt", "new\n")], &machine), &machine, true).unwrap();
    for _ in 1..KEPT_LANDINGS {
        commit(&random_plan(&mut random, &machine), &machine, true).unwrap();
    }
    let plan = random_plan(&mut random, &machine);
    let done = machine.with(Fault::Never);
    commit(&plan, &done, true).unwrap();
    let (mut n_kept, mut n_forgotten) = (0, 0);
    for n in 0..done.n_steps() {
        for power_fails in [false, true] {
            let machine = machine.with(Fault::DiesAfter(n));
            let _ = commit(&plan, &machine, true);
            let machine = if power_fails { machine.after_power_loss(&mut random) } else { machine.after_death() };
            let _ = recover(&machine).unwrap();
            assert!(history(&machine).unwrap().len() >= KEPT_LANDINGS);
            match undo(&machine, Some(1)) {
                Ok(_) => n_kept += 1,
                Err(Error::NoSuchLanding { .. }) => n_forgotten += 1,
                Err(error) => panic!("{n}: {error:?}"),
            }
        }
    }
    assert!(n_kept > 10 && n_forgotten > 2, "{n_kept} {n_forgotten}");
}

/// Someone else writes one of the files while it is landed: theirs is never lost but in the moment of the renaming
/// itself, and the others are all old or all new.
#[test]
fn what_someone_else_writes_meanwhile_stays() {
    let (mut n_stopped, mut n_landed) = (0, 0);
    for seed in 0..N_LANDINGS / 16 {
        let case = Case::new(seed);
        for path in case.changed() {
            for n in 0..case.n_steps {
                let machine = case.machine.with(Fault::Meddles(n)).meddling_with(&path);
                match commit(&case.plan, &machine, true) {
                    // It was changed afterwards, or in that very moment.
                    Ok(_) => {
                        n_landed += 1;
                        assert_eq!(case.rest(&machine, &path), Ok(Side::New), "{seed} {n} {path}");
                    }
                    // It was changed before its turn came, or stands where a folder was to be made.
                    Err(error) => {
                        n_stopped += 1;
                        assert!(
                            matches!(&error, Error::Changed { path: told } if *told == path)
                                || matches!(&error, Error::Io { doing: "make", .. }),
                            "{seed} {n} {path}: {error:?}"
                        );
                        assert_eq!(case.rest(&machine, &path), Ok(Side::Old), "{seed} {n} {path}");
                        assert!(machine.has_theirs() && !is_pending(&machine).unwrap(), "{seed} {n} {path}");
                    }
                }
            }
        }
    }
    assert!(n_stopped > 500 && n_landed > 250, "{n_stopped} {n_landed}");
}

#[test]
fn what_someone_else_writes_after_a_crash_stays() {
    let (mut n_recovered, mut n_refused) = (0, 0);
    for seed in 0..N_LANDINGS / 16 {
        let case = Case::new(seed);
        for path in case.changed() {
            for n in 0..case.n_steps {
                let machine = case.machine.with(Fault::DiesAfter(n));
                let _ = commit(&case.plan, &machine, true);
                let machine = machine.after_death().meddling_with(&path);
                let is_old = machine.tree().get(path.as_str()) != case.new.get(path.as_str());
                machine.meddle();
                let before = machine.tree();
                match recover(&machine) {
                    Ok(_) => {
                        n_recovered += 1;
                        let side = case.rest(&machine, &path);
                        assert!(side.is_ok(), "{seed} {n} {path}: {}", side.unwrap_err());
                    }
                    Err(Error::Interrupted { path: told, .. }) => {
                        n_refused += 1;
                        // Of a file that is to be removed it can't be told.
                        let is_removed = !case.new.contains_key(path.as_str());
                        assert!(is_removed || !is_old, "{seed} {n} {path}: it was not touched");
                        assert_eq!((told, machine.tree()), (path.clone(), before), "{seed} {n}");
                    }
                    Err(error) => panic!("{seed} {n} {path}: {error:?}"),
                }
                assert!(machine.has_theirs(), "{seed} {n} {path}");
            }
        }
    }
    assert!(n_recovered > 500 && n_refused > 50, "{n_recovered} {n_refused}");
}

/// A file that was landed, and that someone else writes while it is put back, stops the rest from being put back.
#[test]
fn what_someone_else_writes_into_a_half_recovered_landing_stays() {
    let mut n_refused = 0;
    for seed in 0..N_LANDINGS / 16 {
        let case = Case::new(seed);
        // Dead with all files in place, before the landing is done.
        let left = (0..case.n_steps).rev().map(|n| {
            let machine = case.machine.with(Fault::DiesAfter(n));
            let _ = commit(&case.plan, &machine, true);
            machine.after_death()
        });
        let left = left.into_iter().find(|machine| is_pending(machine).unwrap()).unwrap();
        assert_eq!(case.side(&left), Ok(Side::New));
        let whole = left.with(Fault::Never);
        let _ = recover(&whole).unwrap();
        for path in case.changed() {
            for n in 0..whole.n_steps() {
                let machine = left.with(Fault::DiesAfter(n));
                let _ = recover(&machine);
                let machine = machine.after_death().meddling_with(&path);
                let is_new = machine.tree().get(path.as_str()) == case.new.get(path.as_str());
                let mut rest = without(&machine.tree(), &path);
                rest.retain(|name, _| !name.contains(".treegraft-"));
                let is_rest_old = rest == without(&case.old, &path);
                machine.meddle();
                let recovered = recover(&machine);
                assert!(machine.has_theirs(), "{seed} {n} {path}");
                if is_new && !is_rest_old {
                    n_refused += 1;
                    assert!(matches!(recovered, Err(Error::Interrupted { .. })), "{seed} {n} {path}: {recovered:?}");
                } else if recovered.is_ok() {
                    assert_eq!(case.rest(&machine, &path), Ok(Side::Old), "{seed} {n} {path}");
                }
            }
        }
    }
    assert!(n_refused > 50, "{n_refused}");
}

/// The checks above can fail: they find out a machine that doesn't do what the algorithm is built on.
#[test]
fn a_machine_that_breaks_its_promises_is_found_out() {
    let mut n_found = [0, 0];
    for seed in 0..100 {
        let case = Case::new(seed);
        let mut random = fastrand::Rng::with_seed(seed);
        for n in 0..=case.n_steps {
            let machine = case.machine.with(Fault::Dies(n)).promising(Promise::NoSync);
            let _ = commit(&case.plan, &machine, true);
            n_found[0] += usize::from(case.recovered(&machine.after_power_loss(&mut random)).is_err());
            let machine = case.machine.with(Fault::DiesWithin(n)).promising(Promise::NoAtomicRename);
            let _ = commit(&case.plan, &machine, true);
            n_found[1] += usize::from(case.recovered(&machine.after_death()).is_err());
        }
    }
    assert!(n_found.iter().all(|&n| n > 50), "{n_found:?}");
}
