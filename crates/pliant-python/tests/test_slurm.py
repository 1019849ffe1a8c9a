"""The script of `pliant sweep slurm`, under a Slurm of its own that loses its node on the way."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_studies import long_study

import pliant

NEEDS = ("slurmctld", "slurmd", "munged", "sbatch", "scontrol", "squeue")
missing = [name for name in NEEDS if shutil.which(name) is None and not Path("/usr/sbin", name).exists()]
pytestmark = pytest.mark.skipif(
    bool(missing) or not hasattr(os, "geteuid") or os.geteuid() != 0,
    reason="Slurm is not installed (packages slurmctld, slurmd, slurm-client, munge), or its daemons may not be started here",
)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Cluster:
    """A controller and one node of two processors, with all files in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.node = folder, socket.gethostname().split(".")[0]
        for name in ("state", "spool"):
            (folder / name).mkdir(parents=True)
        folder.chmod(0o755)
        (folder / "munge.key").write_bytes(os.urandom(128))
        (folder / "munge.key").chmod(0o400)
        names = {"munge": folder / "munge.socket"}
        (folder / "slurm.conf").write_text(
            f"""ClusterName=pliant
SlurmctldHost={self.node}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={names["munge"]}
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobRequeue=1
ReturnToService=2
SlurmdTimeout=6
MinJobAge=300
SchedulerParameters=sched_interval=2
NodeName={self.node} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes={self.node} Default=YES MaxTime=INFINITE State=UP
"""
        )
        self.environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}
        self.environment["PATH"] = os.pathsep.join([str(folder / "bin"), self.environment["PATH"], "/usr/sbin"])
        self.daemons: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str) -> None:
        folder = self.folder
        if name == "munged":
            options = ["-F", "--force", f"--key-file={folder}/munge.key", f"--socket={folder}/munge.socket"]
            options += [f"--pid-file={folder}/munged.pid", f"--log-file={folder}/munged.log", f"--seed-file={folder}/munged.seed"]
        else:
            options = ["-D", "-f", str(folder / "slurm.conf")] + (["-N", self.node] if name == "slurmd" else [])
        with (folder / f"{name}.out").open("ab") as out:
            # In a session of its own, so that a node is lost with everything on it.
            self.daemons[name] = subprocess.Popen(
                [name, *options], stdout=out, stderr=out, env=self.environment, start_new_session=True
            )

    def ask(self, *command: str) -> str:
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False, cwd=self.folder)
        return done.stdout

    def lose_node(self) -> None:
        """Kills the node: its daemon, and all that it has started, at one moment."""
        node = self.of_node()
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for process in node:
                kill(process, number)
        self.daemons.pop("slurmd").wait()

    def of_node(self) -> list[int]:
        """The processes of the node: all of this test's that are not the controller's or munge's."""
        others = [self.daemons[name].pid for name in ("munged", "slurmctld") if name in self.daemons]
        spared = {process for other in others for process in [other, *descendants(other)]}
        return [process for process in descendants(os.getpid()) if process not in spared]

    def stop(self) -> None:
        if "slurmd" in self.daemons:
            self.lose_node()
        for name in ("slurmctld", "munged"):
            if name in self.daemons:
                daemon = self.daemons.pop(name)
                daemon.terminate()
                try:
                    daemon.wait(10)
                except subprocess.TimeoutExpired:
                    daemon.kill()
                    daemon.wait()

    def log(self) -> str:
        return "\n".join(path.read_text(errors="replace")[-2000:] for path in sorted(self.folder.glob("*.log")))


def descendants(process: int) -> list[int]:
    """Processes that a process has started, and those that they have, by the numbers of their parents."""
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        parents.setdefault(parent, []).append(int(stat.parent.name))
    found, waiting = [], [process]
    while waiting:
        children = parents.get(waiting.pop(), [])
        found += children
        waiting += children
    return found


def kill(process: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, number)


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def adopt_orphans() -> None:
    """Makes this process the parent of what its children leave behind, so that it knows the daemons that Slurm starts for jobs (`prctl`, Linux)."""
    set_child_subreaper = 36
    ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    adopt_orphans()
    cluster = Cluster(tmp_path / "slurm")
    program = tmp_path / "slurm/bin/pliant"
    program.parent.mkdir()
    library = Path(pliant.__file__).parents[1]
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{library}" exec "{sys.executable}" -m pliant "$@"\n')
    program.chmod(0o755)
    try:
        cluster.start("munged")
        wait(lambda: (cluster.folder / "munge.socket").exists(), "munged", cluster)
        cluster.start("slurmctld")
        cluster.start("slurmd")
        wait(lambda: "idle" in cluster.ask("sinfo", "-h", "-o", "%t"), "the node", cluster)
        yield cluster
    finally:
        cluster.stop()


def wait(condition: object, what: str, cluster: Cluster, seconds: float = 120.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what} does not come\n{cluster.log()}")
        time.sleep(0.2)


def test_a_lost_node_changes_no_bit(cluster: Cluster, tmp_path: Path) -> None:
    study = long_study(tmp_path, 64)
    calm = {unit.name: pliant.ensure(unit).state_hash for unit in pliant.expand(study, tmp_path / "calm")}
    out = tmp_path / "out"
    command = [sys.executable, "-m", "pliant", "sweep", "slurm", str(study), "-o", str(out), "--jobs", "2"]
    script = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    (cluster.folder / "array.sh").write_text(script)
    assert "Submitted" in cluster.ask("sbatch", f"--output={cluster.folder}/job-%a.txt", "array.sh")

    def runs(state: str) -> list[Path]:
        return list(out.glob(f"units/*/run/{state}"))

    wait(lambda: runs("run.json") and runs("run.unfinished"), "a unit", cluster)
    cluster.lose_node()
    assert len(runs("run.json")) < 64
    wait(lambda: not any(is_alive(process) for process in cluster.of_node()), "the end of all that the node ran", cluster)
    # The controller misses the node, and has its jobs again when it comes back.
    wait(lambda: "down" in cluster.ask("sinfo", "-h", "-o", "%t"), "the loss", cluster)
    cluster.start("slurmd")
    wait(lambda: "idle" in cluster.ask("sinfo", "-h", "-o", "%t"), "the node again", cluster)
    jobs = cluster.ask("squeue", "-h", "-r", "-o", "%A").split()
    assert jobs, "the jobs were lost with the node"
    for job in jobs:
        # Without the two minutes that a job waits after its node has failed.
        cluster.ask("scontrol", "update", f"JobId={job}", "StartTime=now")
    wait(lambda: not cluster.ask("squeue", "-h"), "the end", cluster)
    table = pliant.table(out)
    found = {unit: int(value, 16) for unit, value in zip(table["unit"], table["state_hash"], strict=True) if value}
    said = "\n".join(path.read_text() for path in cluster.folder.glob("job-*.txt"))
    assert found == calm, said + cluster.log()
