#!/bin/sh
# Turns the tree it is run in into what an image holds below /app: code and packages, and native code for Linux, of one
# architecture where ARCHITECTURE (x64, arm64) names it. The same commit gives the same files: SOURCE_DATE_EPOCH, in seconds, is
# the time that the list of parts names, VERSION what `ces --version` prints in place of the version that was committed. Needs
# Node 24 and npm.
set -eu
umask 022

# Code from the contracts and the explorer's pages need tools that the product does not.
npm ci --ignore-scripts --no-audit --no-fund --include-workspace-root --workspace=@ces/explorer
PATH="$PWD/node_modules/.bin:$PATH" buf generate
node -e "import('./deploy/local/bin/explorer.mjs').then(({ buildExplorer }) => buildExplorer(process.cwd(), process.execPath))"

# Optional packages are servers and a Node of their own for one machine; an image has others around it and its base's.
# The parts list is of what is installed: first goes what the programs never load, with the packages it alone needs.
rm -rf node_modules
npm ci --ignore-scripts --no-audit --no-fund --omit=dev --omit=optional \
  --workspace=@ces/image --workspace=@ces/cli --workspace=@ces/gateway --workspace=@ces/ledger \
  --workspace=@ces/lookup --workspace=@ces/search --workspace=@ces/acquisition --workspace=@ces/operations
# Of the chart stays what draws the secrets of compose, of the local stack its sample data.
tar -cf kept.tar deploy/chart/src/components.ts deploy/chart/src/secrets deploy/local/src/sample
rm -rf charts deploy/chart deploy/local deploy/servers deploy/image/publish test gateway/client/build gateway/client/generate gateway/explorer/src
tar -xf kept.tar
rm kept.tar deploy/chart/src/secrets/main.ts deploy/local/src/sample/refresh.ts
npm pkg delete devDependencies --workspaces --include-workspace-root
npm prune --ignore-scripts --no-audit --no-fund --omit=dev --omit=optional

# The one package with native code brings it for every platform.
builds=node_modules/onnxruntime-node/bin/napi-v6
for build in "$builds"/*/*; do
  case $build in "$builds"/linux/${ARCHITECTURE:-*}) ;; *) rm -rf "$build" ;; esac
done
rmdir "$builds/darwin" "$builds/win32"

[ -z "${VERSION:-}" ] || (cd deploy/cli && npm pkg set "version=$VERSION")

# npm dates its list and gives it a number of its own each time.
npm sbom --sbom-format=spdx | node -e '
  const list = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
  list.creationInfo.created = new Date(Number(process.env.SOURCE_DATE_EPOCH || Date.now() / 1000) * 1000).toISOString();
  list.documentNamespace = "";
  const digest = require("node:crypto").createHash("sha256").update(JSON.stringify(list)).digest("hex");
  list.documentNamespace = `https://spdx.org/spdxdocs/${list.name}-${digest}`;
  process.stdout.write(`${JSON.stringify(list, null, 2)}\n`);
' > sbom.spdx.json

find . -path ./node_modules -prune -o \( -name '*.test.ts' -o -type d \( -name test -o -name test-support -o -name testing \) \) -print \
  | xargs rm -rf
