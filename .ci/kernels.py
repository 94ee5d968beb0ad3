"""Run a command whose Jupyter kernels are forks of one process, which has imported what most of them need.

    python .ci/kernels.py COMMAND...

Each lesson, and each page with code cells, has a kernel of its own. To start a kernel and to import Matplotlib, pandas,
SymPy and fstheory takes more than a second of CPU. Here one process imports them once. The command finds a kernel
`python3` that asks this process for a fork. A fork has its own memory, folder, environment and streams.
On systems other than Linux, a process with these libraries may not be able to fork. There the kernels start as usual.
"""

import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from unittest.mock import patch

PRELOADED = """IPython.extensions.storemagic anywidget fstheory ipykernel.debugger ipykernel.kernelapp ipywidgets
matplotlib.backends.backend_svg matplotlib.pyplot networkx numpy pandas sympy"""


def ask(address: str, connection_file: str) -> None:
    """Ask for a kernel, pass on the signals to it, and wait until it ends."""
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(address)
        socket.send_fds(server, [b" "], [0, 1, 2])
        server.sendall(json.dumps([connection_file, str(Path.cwd()), dict(os.environ)]).encode() + b"\n")
        kernel = int(server.recv(20))
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, _: os.kill(kernel, number))
        server.recv(1)  # returns when the kernel ends, and only then


def become_kernel(client: socket.socket) -> None:
    """Run a kernel in this process, which ends with the process that asked for the kernel."""
    from ipykernel.kernelapp import IPKernelApp

    for place, file in enumerate(socket.recv_fds(client, 1, 3)[1]):
        os.dup2(file, place)
    connection_file, folder, environment = json.loads(client.makefile().readline())
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    client.sendall(str(os.getpid()).encode())
    threading.Thread(target=lambda: client.recv(1) or os._exit(1), daemon=True).start()
    IPKernelApp.launch_instance(["-f", connection_file, f"--IPKernelApp.parent_handle={os.getppid()}"])


def main(command: list[str]) -> int:
    """Run the command, fork a kernel whenever somebody asks for one, and return the exit status of the command."""
    # fstheory imports all its modules at once, and the debugger prints no warning.
    with patch.dict(os.environ, EAGER_IMPORT="1", PYDEVD_DISABLE_FILE_VALIDATION="1"):
        for module in PRELOADED.split():
            __import__(module)
    from ipykernel.kernelspec import get_kernel_dict

    folder = Path(tempfile.mkdtemp())
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(folder / "socket"))
    server.listen()
    spec = folder / "kernels" / "python3" / "kernel.json"
    spec.parent.mkdir(parents=True)
    argv = [sys.executable, "-I", "-S", __file__, "--ask", str(folder / "socket"), "{connection_file}"]
    spec.write_text(json.dumps({**get_kernel_dict(), "argv": argv}), encoding="utf-8")
    running = subprocess.Popen(command, env={**os.environ, "JUPYTER_PATH": str(folder)})
    ended, kernels = os.pidfd_open(running.pid), []
    while ended not in select.select([server, ended], [], [])[0]:
        client, _ = server.accept()
        kernel = os.fork()
        if not kernel:
            become_kernel(client)
            return 0
        kernels.append(kernel)
        client.close()
    for kernel in kernels:
        os.kill(kernel, signal.SIGKILL)  # nobody is left to end a kernel that still runs
        os.waitpid(kernel, 0)  # the shell counts the CPU seconds of kernels that somebody waited for
    shutil.rmtree(folder)
    return running.wait()


if __name__ == "__main__":
    if sys.argv[1] == "--ask":
        ask(sys.argv[2], sys.argv[3])
    elif sys.platform == "linux":
        sys.exit(main(sys.argv[1:]))
    else:
        os.execvp(sys.argv[1], sys.argv[1:])
