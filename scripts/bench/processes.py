"""What /proc says of a process, and how long a whole command takes."""
import os
import signal
import subprocess
import time


def resident(pid):
    """Bytes of memory that are resident."""
    return memory(pid, "status", "VmRSS")


def peak(pid):
    """The most bytes of memory that have been resident at a time."""
    return memory(pid, "status", "VmHWM")


def own(pid):
    """Bytes of memory that a process has of its own, in memory or swapped out. What it has of files
    is not among them: the kernel takes the program's own pages away and brings them back."""
    return memory(pid, "smaps_rollup", "Pss_Anon") + memory(pid, "smaps_rollup", "SwapPss")


def memory(pid, name, field):
    with open(f"/proc/{pid}/{name}") as file:
        for line in file:
            if line.startswith(field + ":"):
                return int(line.split()[1]) * 1024
    raise RuntimeError(f"/proc/{pid}/{name} does not tell {field}")


def ticks(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def children(pid):
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{task}/children") as file:
                found += file.read().split()
        except FileNotFoundError:
            pass
    return [int(child) for child in found]


def processor_time(pid):
    """Seconds that a process has run, and its children, those that have ended, too."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    ended = (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
    running = 0
    for one in [pid, *children(pid)]:
        try:
            running += own_processor_time(one)
        except OSError:
            # It has ended meanwhile.
            pass
    return ended + running


def own_processor_time(pid):
    """Seconds that a process has run itself."""
    # The clock of all threads of another process: clock_getcpuclockid(3).
    return time.clock_gettime(~pid << 3 | 2)


def switches(pid):
    """How often each thread has gone to sleep by itself, which is how often it had woken up."""
    counts = {}
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/status") as file:
            fields = dict(line.split(":", 1) for line in file if ":" in line)
        name = f"{fields['Name'].strip()} {task}"
        counts[name] = int(fields["voluntary_ctxt_switches"])
    return counts


def woken(pid, seconds):
    """How often each thread woke up in so many seconds, of those that did."""
    before = switches(pid)
    time.sleep(seconds)
    after = switches(pid)
    return {name: count - before.get(name, 0) for name, count in sorted(after.items())
            if count != before.get(name, 0)}


def wait_for_rest(pid, quiet=3.0, most=150):
    """Returns when a process has used no processor time for so many seconds."""
    end = time.monotonic() + most
    since, last = time.monotonic(), ticks(pid)
    while time.monotonic() < min(end, since + quiet):
        time.sleep(0.2)
        now = ticks(pid)
        if now != last:
            since, last = time.monotonic(), now


def whole_command(arguments, environment=None):
    """Seconds from starting a program until it has ended, its output thrown away."""
    sink = os.open(os.devnull, os.O_WRONLY)
    actions = [(os.POSIX_SPAWN_DUP2, sink, 1)]
    begin = time.perf_counter()
    pid = os.posix_spawn(
        arguments[0], arguments, os.environ if environment is None else environment,
        file_actions=actions)
    _, status = os.waitpid(pid, 0)
    took = time.perf_counter() - begin
    os.close(sink)
    if status != 0:
        raise RuntimeError(f"{arguments[0]} ended with {os.waitstatus_to_exitcode(status)}")
    return took


def output(arguments, **options):
    """What a program prints."""
    done = subprocess.run(arguments, check=True, stdout=subprocess.PIPE, text=True, **options)
    return done.stdout


def stop(process, patience=20):
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
