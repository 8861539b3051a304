// Run by `helm test`: checks, without changes, that the gateway serves its interface and refuses a
// call without an API key.
const base = process.env.CES_GATEWAY_URL;
const deadline = Date.now() + Number(process.env.CES_TEST_TIMEOUT_MS);

async function answerOf(path) {
  for (;;) {
    const left = deadline - Date.now();
    try {
      const answer = await fetch(base + path, { signal: AbortSignal.timeout(Math.max(left, 1)) });
      if (answer.status < 500) return answer;
      if (left <= 0) throw new Error(`${path} is answered with ${answer.status}`);
    } catch (error) {
      if (left <= 0) throw new Error(`${base}${path}: ${error.cause?.message ?? error.message}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

const document = await (await answerOf('/openapi.json')).json();
if (!document.info?.version) throw new Error(`${base}/openapi.json is no interface`);
const refused = await answerOf('/api/usage');
if (refused.status !== 401) throw new Error(`/api/usage without an API key is answered with ${refused.status}, not 401`);
console.log(`the gateway serves interface ${document.info.version}, and refuses calls without an API key`);
