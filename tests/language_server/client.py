"""A client of `rung lsp`: sends messages as an editor does, and keeps what comes back."""
import json
import os
import select
import subprocess
import time


class Client:
    def __init__(self, rung, *options, utf8=False, environment=None, capabilities=None):
        self.process = subprocess.Popen([rung, "lsp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env={**os.environ, **(environment or {})})
        self.bytes, self.next_id, self.answers, self.diagnostics, self.versions = b"", 1, {}, {}, {}
        self.counts, self.log, self.shown, self.requests = {}, [], [], []
        general = {"positionEncodings": ["utf-8", "utf-16"]} if utf8 else {}
        self.capabilities = self.ask("initialize", {"processId": None, "rootUri": None,
                                                    "capabilities": {"general": general,
                                                                      **(capabilities or {})}})["capabilities"]
        self.tell("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def start(self, method, params):
        self.next_id += 1
        self.send({"id": self.next_id, "method": method, "params": params})
        return self.next_id

    def ask(self, method, params, seconds=60):
        number = self.start(method, params)
        self.wait(lambda: number in self.answers, seconds, f"an answer to {method}")
        answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["result"]

    def take(self, seconds):
        """Takes what arrives within some seconds; False if nothing does."""
        if not select.select([self.process.stdout], [], [], seconds)[0]:
            return False
        part = os.read(self.process.stdout.fileno(), 65536)
        if not part:
            raise RuntimeError(f"the server has ended with status {self.process.wait()}")
        self.bytes += part
        while True:
            head, found, rest = self.bytes.partition(b"\r\n\r\n")
            if not found:
                return True
            size = int(head.split(b"Content-Length:")[1].split()[0])
            if len(rest) < size:
                return True
            self.keep(json.loads(rest[:size]))
            self.bytes = rest[size:]

    def keep(self, message):
        if "id" in message and "method" in message:
            self.requests.append(message)
        elif "id" in message:
            self.answers[message["id"]] = message
        elif message["method"] == "textDocument/publishDiagnostics":
            uri = message["params"]["uri"]
            self.diagnostics[uri] = message["params"]["diagnostics"]
            self.counts[uri] = self.counts.get(uri, 0) + 1
        elif message["method"] == "window/logMessage":
            self.log.append(message["params"]["message"])
        elif message["method"] == "window/showMessage":
            self.shown.append(message["params"]["message"])

    def wait(self, done, seconds, what):
        end = time.monotonic() + seconds
        while not done():
            left = end - time.monotonic()
            if left <= 0:
                raise RuntimeError(f"waited {seconds} s for {what}")
            self.take(left)

    def open(self, uri, text):
        self.versions[uri] = 1
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "modelica", "version": 1,
                                                            "text": text}})

    def change(self, uri, *changes):
        self.versions[uri] += 1
        self.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": self.versions[uri]},
                                             "contentChanges": list(changes)})

    def checked(self, uri, *changes, text=None, save=False, seconds=60):
        """The diagnostics of syntax and classes after the document is opened, or changed, or else saved."""
        wanted = self.counts.get(uri, 0) + (2 if changes or text is not None else 1)
        if text is not None:
            self.open(uri, text)
        if changes:
            self.change(uri, *changes)
        if save or not changes:
            self.tell("textDocument/didSave", {"textDocument": {"uri": uri}})
        self.wait(lambda: self.counts.get(uri, 0) >= wanted, seconds, f"diagnostics of {uri}")
        return self.diagnostics[uri]

    def settle(self, seconds=2):
        """Waits until nothing more comes."""
        while self.take(seconds):
            pass

    def close(self):
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.process.wait(20)
