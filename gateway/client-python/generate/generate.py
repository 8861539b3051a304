"""
Generates `types.py` from the OpenAPI document on standard input, and `_sync` from `_async`.

    npm run lab -- client-python --generate
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import unasync

_ROOT = Path(__file__).resolve().parent.parent

_OPTIONS = [
    *("--input-file-type", "openapi"),
    *("--output-model-type", "typing.TypedDict"),
    *("--target-python-version", "3.11"),
    *("--enum-field-as-literal", "all"),
    "--use-schema-description",
    "--use-field-description",
    "--use-single-line-docstring",
    "--use-standard-collections",
    "--use-generic-container-types",
    "--use-union-operator",
    "--use-type-alias",
    "--no-use-closed-typed-dict",
    *("--additional-imports", "typing.final"),
    *("--formatters", "builtin"),
]

_REPLACEMENTS = {
    "AsyncApiKey": "ApiKey",
    "AsyncCesClient": "CesClient",
    "AsyncClient": "Client",
    "AsyncHttp": "Http",
    "AsyncLock": "Lock",
    "AsyncOperation": "Operation",
    "AsyncSearchPage": "SearchPage",
    "AsyncTransport": "Transport",
    "aclose": "close",
    "async_sleep": "sleep",
}
_SYNC_HEAD = "# Generated from `_async` by generate/generate.py.\n"


def main(package: Path) -> None:
    document = sys.stdin.buffer.read()
    package.mkdir(parents=True, exist_ok=True)
    (package / "types.py").write_text(_types_of(document), encoding="utf-8")
    _write_sync(_ROOT / "src/ces_client/_async", package / "_sync")


def _types_of(document: bytes) -> str:
    with tempfile.TemporaryDirectory() as folder:
        source, output = Path(folder, "openapi.json"), Path(folder, "types.py")
        source.write_bytes(document)
        digest = hashlib.sha256(document).hexdigest()
        head = f"# Generated from the OpenAPI document with sha256 {digest}."
        parameters = [*_OPTIONS, "--custom-file-header", head]
        _run("datamodel-codegen", "--input", source, "--output", output, *parameters)
        # Type checkers tell final members of a union apart by the keys that they have.
        return output.read_text(encoding="utf-8").replace("\nclass ", "\n@final\nclass ")


def _write_sync(source: Path, target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    rule = unasync.Rule(f"{source}/", f"{target}/", additional_replacements=_REPLACEMENTS)
    unasync.unasync_files([str(file) for file in sorted(source.glob("*.py"))], [rule])
    for file in target.glob("*.py"):
        file.write_text(f"{_SYNC_HEAD}{file.read_text(encoding='utf-8')}", encoding="utf-8")
    _run("ruff", "check", "--quiet", "--fix", "--select", "I", target)
    _run("ruff", "format", "--quiet", target)


def _run(*command: str | Path) -> None:
    # The tools of this Python, whatever the path has.
    program = Path(sys.executable).parent / command[0]
    subprocess.run([program, *command[1:]], check=True, cwd=_ROOT)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else _ROOT / "src/ces_client")
