//! A command and all that it starts are one process group, which ends with the import: also where the command itself ended
//! in time and left others behind, and where we are interrupted.

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};
use std::sync::{Mutex, PoisonError};
use tokio::process::{Child, Command};

/// A process group that is ended once.
#[derive(Debug, Default)]
pub(super) struct Group(
    #[cfg(unix)] Mutex<Option<Pid>>,
    // Elsewhere the command alone is ended, when it is dropped.
    #[cfg(not(unix))] Mutex<()>,
);

impl Group {
    /// Lets a command start as a group of its own.
    pub(super) fn prepare(command: &mut Command) {
        #[cfg(unix)]
        command.process_group(0);
        #[cfg(not(unix))]
        let _ = command;
    }

    /// The group that a child leads.
    pub(super) fn lead(&self, child: &Child) {
        #[cfg(unix)]
        {
            let pid = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = pid;
        }
        #[cfg(not(unix))]
        let _ = child;
    }

    /// Ends every process of the group; a group without processes is none.
    pub(super) fn end(&self) {
        let mut group = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        #[cfg(unix)]
        if let Some(pid) = group.take() {
            // It fails where all of them ended by themselves.
            let _ = kill_process_group(pid, Signal::KILL);
        }
        #[cfg(not(unix))]
        let _ = &mut group;
    }
}

/// Waits until someone asks us to end. A command in a group of its own does not hear what a terminal sends to ours.
pub(super) async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        let [Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)] = kinds.map(signal) else {
            // Without a handler the signal ends us as it always did.
            return std::future::pending().await;
        };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    }
    #[cfg(not(unix))]
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}
